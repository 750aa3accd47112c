"""Intervals of the difference between two metrics' correlations with the same human scores.

From resamples, on which both metrics are correlated, and Zou's, which needs the three correlations only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import N_RESAMPLES, FloatArray, one_of
from classy_aesop.significance.comparison import shared_cells
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import Interval, check_confidence, fisher_limits
from classy_aesop.significance.paired_bootstrap import bootstrap_differences

KINDS = ("percentile", "normal")
"""Plain quantiles of the resampled differences, or as wide as these scatter around the observed one."""


def zou_limits(
    r12: float,
    r13: float,
    r23: float,
    n: int,
    *,
    coefficient: str = "pearson",
    confidence: float = 0.95,
) -> tuple[float, float]:
    """Ends of Zou's interval of r12 less r13, two correlations that share a variable.

    Parameters
    ----------
    r12, r13 : float
        Of the human scores with the first and with the second metric.
    r23 : float
        Of the two metrics.
    n : int
        Number of points.
    coefficient : {"pearson", "spearman", "kendall"}
        Which gives the intervals of the two, see :func:`classy_aesop.significance.intervals.fisher_limits`. How far
        the two vary together is known for Pearson's only, and taken from there.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    tuple of float
        NaN where a correlation is undefined or there are too few points. Not both 0 for metrics that are one, since
        the intervals of the two correlations are not symmetric.

    Notes
    -----
    Zou (2007), equation 15 for two correlations of one sample with a variable in common.

    Examples
    --------
    >>> low, high = zou_limits(0.396, 0.179, 0.088, 66)
    >>> round(low, 3), round(high, 3)
    (-0.093, 0.517)
    """
    (low12, high12), (low13, high13) = (
        fisher_limits(r, n, coefficient=coefficient, confidence=confidence) for r in (r12, r13)
    )
    together = _correlation_of_two(r12, r13, r23)
    down, up = (r12 - low12, high13 - r13), (high12 - r12, r13 - low13)
    below, above = (np.sqrt(max(a * a + b * b - 2 * together * a * b, 0.0)) for a, b in (down, up))
    return float(r12 - r13 - below), float(r12 - r13 + above)


def _correlation_of_two(r12: float, r13: float, r23: float) -> float:
    """How far two correlations with a variable in common vary together (Olkin and Siotani 1976)."""
    scale = (1 - r12 * r12) * (1 - r13 * r13)
    if scale <= 0:
        return float("nan") if np.isnan(scale) else 1.0
    both = (r23 - r12 * r13 / 2) * (1 - r12 * r12 - r13 * r13 - r23 * r23) + r23**3
    return float(np.clip(both / scale, -1.0, 1.0))


def zou_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    confidence: float = 0.95,
) -> list[Interval]:
    """Zou's intervals of the differences between pairs of metrics, by their places; see :func:`zou_limits`."""
    found = []
    for i, j in pairs:
        X, Y, human = shared_cells(metrics[i], metrics[j], Z)
        first, second, between = (
            correlation(*two, level=level, coefficient=coefficient)
            for two in ((X, human), (Y, human), (X, Y))
        )
        r = first.value, second.value, between.value
        low, high = zou_limits(*r, first.n, coefficient=coefficient, confidence=confidence)
        found.append(Interval(r[0] - r[1], low, high, confidence, "fisher", level, coefficient, first.n))
    return found


def bootstrap_intervals(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    resample: str = "both",
    kind: str = "percentile",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> list[Interval]:
    """Intervals of the differences between pairs of metrics, by their places, all on the same resamples.

    Parameters as for :func:`classy_aesop.significance.bootstrap.bootstrap_interval`; ``kind`` is one of `KINDS`.
    """
    one_of(kind, KINDS, "kind")
    check_confidence(confidence)
    options: dict[str, Any] = {"level": level, "coefficient": coefficient, "n_resamples": n_resamples}
    found = bootstrap_differences(metrics, Z, pairs, resample=resample, rng=rng, **options)
    intervals = []
    for one in found:
        defined = one.values[~np.isnan(one.values)]
        low, high = _ends(one.difference, defined, kind, confidence)
        intervals.append(
            Interval(
                value=one.difference,
                low=low,
                high=high,
                confidence=confidence,
                method=resample if kind == "percentile" else f"{resample}_{kind}",
                level=level,
                coefficient=coefficient,
                n=one.first.n,
                n_resamples=n_resamples,
                n_dropped=n_resamples - len(defined),
                error=float(defined.std()) if len(defined) else float("nan"),
            )
        )
    return intervals


def _ends(difference: float, scatter: FloatArray, kind: str, confidence: float) -> tuple[float, float]:
    """Give the ends of an interval from what the resamples lie apart from the observed difference."""
    from scipy.special import ndtri

    if not len(scatter):
        return float("nan"), float("nan")
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    ends = ndtri(shares) * scatter.std() if kind == "normal" else np.quantile(scatter, shares)
    low, high = difference + ends
    return float(low), float(high)
