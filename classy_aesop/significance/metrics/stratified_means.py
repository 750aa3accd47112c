"""The mean over several years, tasks or corpora (strata), and the spread between them.

Each stratum has the same weight, however many summaries it has. What strata differ by, beyond their own errors, is the
spread; with it the strata are a sample of others like them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

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
from classy_aesop.significance.metrics.resampled_differences import (
    ResampledDifference,
)


@dataclass(frozen=True, slots=True)
class StratifiedMean(Result):
    """The mean of several strata, for themselves and for strata like them.

    Attributes
    ----------
    value : float
        The mean, in which all strata count alike.
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
    values: ArrayLike, errors: ArrayLike, *, confidence: float = 0.95, least: float | None = None
) -> StratifiedMean:
    """Estimate the mean of strata, and of a random-effects model without weights.

    NaN where a value or an error is.

    The interval for these strata is normal. The variance between strata is that of the values less the mean of the
    squared errors, and not below 0 (the estimator of Cochran, and of Hedges and Olkin 1985, chapter 9). The interval
    for strata like these is Student's with n - 1 degrees of freedom; the squared standard error is the variance of the
    values over n (Hartung and Knapp 2001, with equal weights), and not below what the strata's own errors alone would
    give (Röver, Knapp and Friede 2015).

    Parameters
    ----------
    values, errors : array_like, shape (n_strata,)
        What each stratum gives, and its standard error.
    least : float, optional
        Of values between this and 1: their intervals stay inside, see
        :func:`classy_aesop.significance.correlations.correlation_intervals.bounded_quantiles`.

    Examples
    --------
    >>> found = stratified_mean([0.5, 0.6, 0.8], [0.05, 0.05, 0.1])
    >>> round(found.value, 4), round(found.spread, 4), round(found.low, 4), round(found.low_others, 4)
    (0.6333, 0.1354, 0.5533, 0.2539)
    """
    from scipy.special import ndtri, stdtrit

    check_share(confidence, "confidence")
    y, variance = score_vector(values, "values"), score_vector(errors, "errors") ** 2
    check_same_shape(values=y, errors=variance)
    check_count(len(y), "number of strata")
    n, shares = len(y), np.array([1 - confidence, 1 + confidence]) / 2
    mean, within = float(y.mean()), float(variance.mean())
    ends = _ends(mean, within / n, ndtri(shares), least)
    if n < 2 or np.isnan(mean + within):
        return StratifiedMean(mean, *ends, np.nan, np.nan, np.nan, n, confidence)
    between = float(y.var(ddof=1))
    others = _ends(mean, max(between, within) / n, stdtrit(n - 1, shares), least)
    return StratifiedMean(mean, *ends, float(np.sqrt(max(between - within, 0.0))), *others, n, confidence)


def _ends(value: float, variance: float, quantiles: FloatArray, least: float | None) -> tuple[float, float]:
    error = np.sqrt(variance)
    low, high = (
        value + quantiles * error if least is None else bounded_quantiles(value, error, quantiles, least)
    )
    return float(low), float(high)


def mean_of_intervals(parts: Sequence[Interval], *, least: float | None = None) -> StratifiedMean:
    """Estimate the mean of what strata gave, from their values and errors by resamples."""
    values, errors = ([getattr(one, name) for one in parts] for name in ("value", "error"))
    return stratified_mean(values, errors, confidence=parts[0].confidence, least=least)


def average_strata(parts: Sequence[ResampledDifference]) -> ResampledDifference:
    """Average two metrics' correlations and their resampled differences over strata."""
    first, second = (mean_correlation([getattr(one, side) for one in parts]) for side in ("first", "second"))
    return replace(
        parts[0], first=first, second=second, values=np.mean([one.values for one in parts], axis=0)
    )


def mean_correlation(parts: Sequence[Correlation]) -> Correlation:
    """Average a metric's correlations over strata; counts are sums."""
    if len(parts) == 1:
        return parts[0]
    counts = ("n", "n_summarizers", "n_topics", "n_skipped", "n_unpaired")
    found: dict[str, Any] = {name: sum(getattr(one, name) for one in parts) for name in counts}
    found |= {name: float(np.mean([getattr(one, name) for one in parts])) for name in ("value", "chance")}
    flags = {one.flag for one in parts}
    return replace(parts[0], **found, epsilon=float("nan"), flag=flags.pop() if len(flags) == 1 else "")
