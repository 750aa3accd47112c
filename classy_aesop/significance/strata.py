"""Several years, tasks or corpora together: the mean of their correlations, a test of it, and how they scatter.

Every stratum counts as much as every other, however many summaries it has. A stratified test exchanges or resamples
within the strata, and its statistic is the mean over them. What the strata differ by, beyond their own errors, is the
spread; with it the strata are a sample of others like them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    FloatArray,
    Result,
    check_number,
    check_share,
    same_shape,
    score_vector,
)
from classy_aesop.significance.correlation import Correlation
from classy_aesop.significance.intervals import Interval, bounded_ends
from classy_aesop.significance.resampling import Resampled


class Stratum(NamedTuple):
    """Scores of one year, task or corpus; its resamples come from ``rng``, which is not moved."""

    metrics: Sequence[ArrayLike]
    Z: ArrayLike
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class StratifiedMean(Result):
    """The mean of ``n`` strata, in which all count alike, for themselves and for strata like them.

    ``low`` to ``high`` is for these strata, ``low_others`` to ``high_others`` for strata like these. ``spread`` is the
    standard deviation between strata that their own errors do not explain. Both are NaN for a single stratum.
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
    """Estimate the mean of strata, from what each gives and its standard error; NaN where either is.

    The interval for these strata is normal. The variance between strata is that of the values less the mean of the
    squared errors, and not below 0 (the estimator of Cochran, and of Hedges and Olkin 1985, chapter 9). The interval
    for strata like these is Student's with n - 1 degrees of freedom; the squared standard error is the variance of the
    values over n (Hartung and Knapp 2001, with equal weights), and not below what the strata's own errors alone would
    give (Röver, Knapp and Friede 2015). Of values between ``least`` and 1 the intervals stay inside, see
    :func:`classy_aesop.significance.intervals.bounded_ends`.
    """
    from scipy.special import ndtri, stdtrit

    check_share(confidence, "confidence")
    y, variance = score_vector(values, "values"), score_vector(errors, "errors") ** 2
    same_shape(values=y, errors=variance)
    check_number(len(y), "number of strata")
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
    low, high = value + quantiles * error if least is None else bounded_ends(value, error, quantiles, least)
    return float(low), float(high)


def mean_interval(parts: Sequence[Interval], *, least: float | None = None) -> StratifiedMean:
    """Estimate the mean of what strata gave, from their values and errors by resamples."""
    values, errors = ([getattr(one, name) for one in parts] for name in ("value", "error"))
    return stratified_mean(values, errors, confidence=parts[0].confidence, least=least)


def mean_of_strata(parts: Sequence[Resampled]) -> Resampled:
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
    return replace(parts[0], **found, epsilon=float("nan"))
