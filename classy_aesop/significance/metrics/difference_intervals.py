"""Confidence intervals of the difference of two metrics' correlations: Zou's, and from bootstrap resamples.

Zou (2007); Deutsch et al. (2021), section 3.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import check_choice, check_share
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.correlations.correlation_intervals import (
    NO_RESAMPLES,
    Interval,
    fisher_limits,
    make_interval,
    reason_without_interval,
)
from classy_aesop.significance.metrics.resampled_differences import bootstrap_differences, three_correlations

DIFFERENCE_INTERVAL_KINDS = ("percentile", "normal")
"""How a bootstrap interval of a difference is computed."""


def zou_limits(
    r12: float, r13: float, r23: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of Zou's interval of r12 less r13, two correlations that share a variable.

    Not both are 0 for metrics that are one, since the intervals of the two correlations are not symmetric.

    Zou (2007), equation 15 for two correlations of one sample with a variable in common.

    Parameters
    ----------
    r12, r13 : float
        Correlations of the human scores with the first and with the second metric.
    r23 : float
        Correlation of the two metrics.
    n : int
        Number of points.
    coefficient : {"pearson", "spearman", "kendall"}
        Which gives the intervals of the two, see
        :func:`classy_aesop.significance.correlations.correlation_intervals.fisher_limits`. The correlation of the two
        estimates is known for Pearson's only, and used for the others too.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : float
        NaN where a correlation is undefined or there are too few points.

    Examples
    --------
    >>> low, high = zou_limits(0.396, 0.179, 0.088, 66)
    >>> round(low, 3), round(high, 3)
    (-0.093, 0.517)
    """
    low12, high12 = fisher_limits(r12, n, coefficient=coefficient, confidence=confidence)
    low13, high13 = fisher_limits(r13, n, coefficient=coefficient, confidence=confidence)
    correlation = _correlation_of_estimates(r12, r13, r23)

    def combine(width12: float, width13: float) -> float:
        """Combine the distances from two correlations to an end of either interval."""
        return float(
            np.sqrt(max(width12 * width12 + width13 * width13 - 2 * correlation * width12 * width13, 0.0))
        )

    below = combine(r12 - low12, high13 - r13)
    above = combine(high12 - r12, r13 - low13)
    return float(r12 - r13 - below), float(r12 - r13 + above)


def _correlation_of_estimates(r12: float, r13: float, r23: float) -> float:
    """Correlation of the estimates of r12 and r13 (Olkin and Siotani 1976)."""
    scale = (1 - r12 * r12) * (1 - r13 * r13)
    covariance = (r23 - r12 * r13 / 2) * (1 - r12 * r12 - r13 * r13 - r23 * r23) + r23**3
    return float(np.clip(covariance / scale, -1.0, 1.0)) if scale > 0 else 1.0


def zou_difference_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    confidence: float = 0.95,
) -> list[Interval]:
    """Zou's intervals of the differences between pairs of metrics; see :func:`zou_limits`.

    Parameters
    ----------
    metrics : sequence of array_like, shape (n_summarizers, n_topics)
        Scores of the metrics; NaN where missing.
    Z : array_like, shape (n_summarizers, n_topics)
        Human scores.
    pairs : sequence of (int, int)
        Positions in ``metrics``.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    list of Interval
        One for each pair.
    """
    intervals = []
    for i, j in pairs:
        first, second, between = three_correlations(
            metrics[i], metrics[j], Z, level=level, coefficient=coefficient, means=means
        )
        ends = zou_limits(
            first.value,
            second.value,
            between.value,
            first.n,
            coefficient=first.coefficient,
            confidence=confidence,
        )
        intervals.append(make_interval(first, first.value - second.value, ends, confidence))
    return intervals


def bootstrap_difference_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    resample: str = "both",
    kind: str = "percentile",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> list[Interval]:
    """Bootstrap intervals of the differences between pairs of metrics, all on the same resamples.

    Parameters
    ----------
    metrics, Z, pairs, level, coefficient, means
        As for :func:`zou_difference_intervals`.
    resample : {"both", "systems", "inputs"}
        What is resampled.
    kind : {"percentile", "normal"}
        Plain quantiles of the resampled differences, or a normal interval around the observed difference with their
        standard deviation.
    confidence : float
        Between 0 and 1.
    n_resamples : int
        Number of resamples.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    list of Interval
        One for each pair; without ends, with a flag, where nothing can be resampled.

    Raises
    ------
    ValueError
        A name is not known, or a number is out of range.
    """
    from scipy.special import ndtri

    check_choice(kind, DIFFERENCE_INTERVAL_KINDS, "kind")
    check_share(confidence, "confidence")
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    differences = bootstrap_differences(
        metrics,
        Z,
        pairs,
        level=level,
        coefficient=coefficient,
        means=means,
        resample=resample,
        n_resamples=n_resamples,
        rng=rng,
    )
    intervals = []
    for difference in differences:
        values = difference.values
        defined_values = values[~np.isnan(values)]
        flag = reason_without_interval(difference.first, difference.method)
        if flag:
            values = NO_RESAMPLES
            distances = np.full(2, np.nan)
        elif not len(defined_values):
            distances = np.full(2, np.nan)
        elif kind == "normal":
            distances = ndtri(shares) * defined_values.std()
        else:
            distances = np.quantile(defined_values, shares)
        ends = difference.difference + distances
        intervals.append(
            make_interval(
                difference.first,
                difference.difference,
                ends,
                confidence,
                difference.method,
                kind,
                values,
                flag,
            )
        )
    return intervals
