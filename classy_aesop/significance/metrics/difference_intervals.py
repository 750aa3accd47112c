"""Confidence intervals of the difference of two metrics' correlations, and of means over several years or tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    Result,
    check_choice,
    check_count,
    check_same_shape,
    check_share,
    score_vector,
)
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.correlations.correlation_intervals import (
    INTERVAL_KINDS,
    NO_ENDS,
    NO_RESAMPLES,
    Interval,
    fisher_limits,
    make_interval,
    name_method,
    quantiles_around,
    reason_without_interval,
    resampled_ends,
)
from classy_aesop.significance.correlations.correlation_levels import CorrelationChoices
from classy_aesop.significance.metrics.metric_tests import bootstrap_differences, three_correlations


def zou_limits(
    r12: float, r13: float, r23: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of Zou's interval (2007) of r12 less r13, two correlations that share a variable.

    Examples
    --------
    >>> [round(end, 3) for end in zou_limits(0.396, 0.179, 0.088, 66)]
    [-0.093, 0.517]
    """
    low12, high12 = fisher_limits(r12, n, coefficient=coefficient, confidence=confidence)
    low13, high13 = fisher_limits(r13, n, coefficient=coefficient, confidence=confidence)
    scale = (1 - r12 * r12) * (1 - r13 * r13)
    covariance = (r23 - r12 * r13 / 2) * (1 - r12 * r12 - r13 * r13 - r23 * r23) + r23**3
    correlation_of_estimates = float(np.clip(covariance / scale, -1.0, 1.0)) if scale > 0 else 1.0

    def combine(width12: float, width13: float) -> float:
        """Combine the distances from two correlations to an end of either interval."""
        crossed = 2 * correlation_of_estimates * width12 * width13
        return float(np.sqrt(max(width12 * width12 + width13 * width13 - crossed, 0.0)))

    below = combine(r12 - low12, high13 - r13)
    above = combine(high12 - r12, r13 - low13)
    return float(r12 - r13 - below), float(r12 - r13 + above)


def zou_difference_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    confidence: float = 0.95,
    **options: Unpack[CorrelationChoices],
) -> list[Interval]:
    """Zou's intervals of the differences between pairs of metrics; see :func:`zou_limits`."""
    intervals = []
    for i, j in pairs:
        first, second, between = three_correlations(metrics[i], metrics[j], Z, **options)
        values = (first.value, second.value, between.value)
        ends = zou_limits(*values, first.n, coefficient=first.coefficient, confidence=confidence)
        intervals.append(make_interval(first, first.value - second.value, ends, confidence))
    return intervals


def bootstrap_difference_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    resample: str = "both",
    kind: str = "percentile",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
    **options: Unpack[CorrelationChoices],
) -> list[Interval]:
    """Bootstrap intervals of the differences between pairs of metrics, all on the same resamples."""
    check_choice(kind, INTERVAL_KINDS, "kind")
    check_share(confidence, "confidence")
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    intervals = []
    for pair in bootstrap_differences(
        metrics, Z, pairs, resample, **options, n_resamples=n_resamples, rng=rng
    ):
        flag = reason_without_interval(pair.first, resample)
        values = NO_RESAMPLES if flag else pair.values
        ends = NO_ENDS if flag else pair.difference + resampled_ends(0.0, values, shares, kind)
        method = name_method(resample, kind)
        intervals.append(make_interval(pair.first, pair.difference, ends, confidence, method, values, flag))
    return intervals


@dataclass(frozen=True, slots=True)
class StratifiedMean(Result):
    """The mean of several strata, for themselves and for strata like them.

    Attributes
    ----------
    low, high : float
        Ends of its interval for these strata.
    spread : float
        Standard deviation of the true values between strata; NaN of one stratum.
    low_others, high_others : float
        Ends of its interval for other strata like these.
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

    All strata have the same weight. Intervals of a correlation stay between its ``lowest`` value and 1.
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
    spread = float("nan")
    of_others = NO_ENDS
    if n > 1 and not np.isnan(mean + within):
        total = float(y.var(ddof=1))
        spread = float(np.sqrt(max(total - within, 0.0)))
        error = float(np.sqrt(max(total, within) / n))
        of_others = quantiles_around(mean, error, stdtrit(n - 1, shares), lowest)
    low, high = quantiles_around(mean, float(np.sqrt(within / n)), ndtri(shares), lowest).tolist()
    low_others, high_others = of_others.tolist()
    return StratifiedMean(mean, low, high, spread, low_others, high_others, n, confidence)


def mean_of_intervals(strata: Sequence[Interval], *, lowest: float | None = None) -> StratifiedMean:
    """Estimate the mean of strata from their values and their errors by resamples."""
    values = [stratum.value for stratum in strata]
    errors = [stratum.error for stratum in strata]
    return stratified_mean(values, errors, confidence=strata[0].confidence, lowest=lowest)
