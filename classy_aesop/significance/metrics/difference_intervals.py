"""Confidence intervals of the difference of two metrics' correlations: Zou's, and from bootstrap resamples.

Zou (2007); Deutsch et al. (2021), section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import check_choice, check_share
from classy_aesop.significance.correlations.correlation_intervals import (
    NO_RESAMPLES,
    Interval,
    fisher_limits,
    make_interval,
    reason_without_interval,
)
from classy_aesop.significance.metrics.resampled_differences import bootstrap_differences, three_correlations


def zou_limits(
    r12: float, r13: float, r23: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of Zou's interval of r12 less r13, two correlations that share a variable.

    NaN where a correlation is undefined or there are too few points. Not both 0 for metrics that are one, since
    the intervals of the two correlations are not symmetric.

    Zou (2007), equation 15 for two correlations of one sample with a variable in common.

    Parameters
    ----------
    r12, r13 : float
        Of the human scores with the first and with the second metric.
    r23 : float
        Of the two metrics.
    n : int
        Number of points.
    coefficient : {"pearson", "spearman", "kendall"}
        Which gives the intervals of the two, see :func:`fisher_limits`. How far
        the two vary together is known for Pearson's only, and taken from there.

    Examples
    --------
    >>> low, high = zou_limits(0.396, 0.179, 0.088, 66)
    >>> round(low, 3), round(high, 3)
    (-0.093, 0.517)
    """
    (low12, high12), (low13, high13) = (
        fisher_limits(r, n, coefficient=coefficient, confidence=confidence) for r in (r12, r13)
    )
    scale = (1 - r12 * r12) * (1 - r13 * r13)  # how far the two vary together: Olkin and Siotani (1976)
    both = (r23 - r12 * r13 / 2) * (1 - r12 * r12 - r13 * r13 - r23 * r23) + r23**3
    together = float(np.clip(both / scale, -1.0, 1.0)) if scale > 0 else 1.0
    down, up = (r12 - low12, high13 - r13), (high12 - r12, r13 - low13)
    below, above = (np.sqrt(max(a * a + b * b - 2 * together * a * b, 0.0)) for a, b in (down, up))
    return float(r12 - r13 - below), float(r12 - r13 + above)


def zou_difference_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    confidence: float = 0.95,
    **measured: str,
) -> list[Interval]:
    """Zou's intervals of the differences between pairs of metrics, by their places; see :func:`zou_limits`.

    ``level``, ``coefficient`` and ``means`` as for
    :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    """
    found = []
    for i, j in pairs:
        first, second, between = three_correlations(metrics[i], metrics[j], Z, **measured)
        how: dict[str, Any] = {"coefficient": first.coefficient, "confidence": confidence}
        ends = zou_limits(first.value, second.value, between.value, first.n, **how)
        found.append(make_interval(first, first.value - second.value, ends, confidence))
    return found


def bootstrap_difference_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    kind: str = "percentile",
    confidence: float = 0.95,
    **drawn: Any,
) -> list[Interval]:
    """Intervals of the differences between pairs of metrics, by their places, all on the same resamples.

    ``kind`` is plain quantiles of the resampled differences, or ``normal``, as wide as these scatter around the
    observed one. The rest as for :func:`classy_aesop.significance.metrics.resampled_differences.bootstrap_differences`.
    """
    from scipy.special import ndtri

    check_choice(kind, ("percentile", "normal"), "kind")
    check_share(confidence, "confidence")
    shares, intervals = np.array([1 - confidence, 1 + confidence]) / 2, []
    for one in bootstrap_differences(metrics, Z, pairs, **drawn):
        scatter = one.values[~np.isnan(one.values)]
        apart = np.full(2, np.nan)
        if len(scatter):
            apart = ndtri(shares) * scatter.std() if kind == "normal" else np.quantile(scatter, shares)
        ends = one.difference + apart
        values = one.values
        if flag := reason_without_interval(one.first, one.method):
            ends = np.full(2, np.nan)
            values = NO_RESAMPLES
        estimate = one.first, one.difference
        intervals.append(make_interval(*estimate, ends, confidence, one.method, kind, values, flag))
    return intervals
