"""The mean over several years, tasks or corpora (strata), and the spread between them.

Each stratum has the same weight, however many summaries it has. What strata differ by, beyond their own errors, is the
spread; with it the strata are a sample of others like them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    FloatArray,
    Result,
    check_count,
    check_same_shape,
    check_share,
    score_vector,
)
from classy_aesop.significance.correlations.correlation_intervals import Interval, bounded_quantiles
from classy_aesop.significance.correlations.correlation_levels import Correlation
from classy_aesop.significance.metrics.resampled_differences import ResampledDifference


@dataclass(frozen=True, slots=True)
class StratifiedMean(Result):
    """The mean of several strata, for themselves and for strata like them.

    Attributes
    ----------
    value : float
        The mean, in which all strata have the same weight.
    low, high : float
        Ends of the interval for the mean of these strata.
    spread : float
        Standard deviation between strata that their own errors do not explain; NaN for a single stratum.
    low_others, high_others : float
        Ends of the interval for the mean of strata like these; NaN for a single stratum.
    n : int
        Number of strata.
    """

    value: float
    low: float
    high: float
    spread: float
    low_others: float
    high_others: float
    n: int
    confidence: float


def stratified_mean(
    values: ArrayLike, errors: ArrayLike, *, confidence: float = 0.95, lowest: float | None = None
) -> StratifiedMean:
    """Mean of strata, and its intervals for these strata and, by a random-effects model, for others like them.

    The interval for these strata is normal. The variance between strata is that of the values less the mean of the
    squared errors, and not below 0 (the estimator of Cochran, and of Hedges and Olkin 1985, chapter 9). The interval
    for strata like these is Student's with n - 1 degrees of freedom; the squared standard error is the variance of the
    values over n (Hartung and Knapp 2001, with equal weights), and not below what the strata's own errors alone would
    give (Röver, Knapp and Friede 2015).

    Parameters
    ----------
    values, errors : array_like, shape (n_strata,)
        The estimate of each stratum, and its standard error.
    confidence : float
        Between 0 and 1.
    lowest : float, optional
        Of values between this and 1: their intervals stay inside, see
        :func:`classy_aesop.significance.correlations.correlation_intervals.bounded_quantiles`.

    Returns
    -------
    StratifiedMean
        NaN where a value or an error is.

    Raises
    ------
    ValueError
        There is no stratum, the shapes differ, or the confidence is out of range.

    Examples
    --------
    >>> mean = stratified_mean([0.5, 0.6, 0.8], [0.05, 0.05, 0.1])
    >>> round(mean.value, 4), round(mean.spread, 4), round(mean.low, 4), round(mean.low_others, 4)
    (0.6333, 0.1354, 0.5533, 0.2539)
    """
    from scipy.special import ndtri, stdtrit

    check_share(confidence, "confidence")
    y = score_vector(values, "values")
    variance = score_vector(errors, "errors") ** 2
    check_same_shape(values=y, errors=variance)
    n = len(y)
    check_count(n, "number of strata")
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    mean = float(y.mean())
    within = float(variance.mean())
    low, high = _interval_ends(mean, within / n, ndtri(shares), lowest)
    if n < 2 or np.isnan(mean + within):
        return StratifiedMean(mean, low, high, np.nan, np.nan, np.nan, n, confidence)
    total = float(y.var(ddof=1))
    spread = float(np.sqrt(max(total - within, 0.0)))
    low_others, high_others = _interval_ends(mean, max(total, within) / n, stdtrit(n - 1, shares), lowest)
    return StratifiedMean(mean, low, high, spread, low_others, high_others, n, confidence)


def _interval_ends(
    value: float, variance: float, quantiles: FloatArray, lowest: float | None
) -> tuple[float, float]:
    """Give the ends of an interval, inside the possible values if there is a lowest one."""
    error = np.sqrt(variance)
    if lowest is None:
        low, high = value + quantiles * error
    else:
        low, high = bounded_quantiles(value, error, quantiles, lowest)
    return float(low), float(high)


def mean_of_intervals(strata: Sequence[Interval], *, lowest: float | None = None) -> StratifiedMean:
    """Estimate the mean of strata from their values and their errors by resamples."""
    values = [stratum.value for stratum in strata]
    errors = [stratum.error for stratum in strata]
    return stratified_mean(values, errors, confidence=strata[0].confidence, lowest=lowest)


def average_strata(strata: Sequence[ResampledDifference]) -> ResampledDifference:
    """Average two metrics' correlations and their resampled differences over strata."""
    return replace(
        strata[0],
        first=mean_correlation([stratum.first for stratum in strata]),
        second=mean_correlation([stratum.second for stratum in strata]),
        values=np.mean([stratum.values for stratum in strata], axis=0),
    )


def mean_correlation(strata: Sequence[Correlation]) -> Correlation:
    """Average a metric's correlations over strata; counts are sums."""
    if len(strata) == 1:
        return strata[0]
    flags = {stratum.flag for stratum in strata}
    return replace(
        strata[0],
        value=float(np.mean([stratum.value for stratum in strata])),
        chance=float(np.mean([stratum.chance for stratum in strata])),
        n=sum(stratum.n for stratum in strata),
        n_summarizers=sum(stratum.n_summarizers for stratum in strata),
        n_topics=sum(stratum.n_topics for stratum in strata),
        n_skipped=sum(stratum.n_skipped for stratum in strata),
        n_unpaired=sum(stratum.n_unpaired for stratum in strata),
        epsilon=float("nan"),
        flag=flags.pop() if len(flags) == 1 else "",
    )
