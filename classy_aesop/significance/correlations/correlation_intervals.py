"""Confidence intervals of a correlation: Fisher's, and from bootstrap resamples.

Fisher's interval needs the correlation and the number of points. The others are made of resamples
(:mod:`classy_aesop.significance.correlations.resampled_correlations`), whose quantiles are the ends. A resample without
a value is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.correlations.correlation_levels import (
    Correlation,
    CorrelationChoices,
    correlation,
)
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.draws import draw_resamples
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import ONE_SYSTEM, ONE_TOPIC, TWO_SYSTEMS

FISHER_LOST_POINTS = {"pearson": 3, "spearman": 3, "kendall": 4}
"""The coefficients that have Fisher's interval, and what is subtracted from their number of points."""

NO_ENDS = np.full(2, np.nan)


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a correlation.

    Attributes
    ----------
    value, low, high : float
        The estimate, and the ends; NaN where there are none.
    n_resamples, n_dropped : int
        Resamples, and those without a value.
    error : float
        Standard deviation of the resampled values.
    flag : str
        Why there is no interval.
    """

    value: float
    low: float = float("nan")
    high: float = float("nan")
    n_resamples: int = 0
    n_dropped: int = 0
    error: float = float("nan")
    flag: str = ""


def fisher_interval(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    confidence: float = 0.95,
    **options: Unpack[CorrelationChoices],
) -> Interval:
    """Fisher's interval of a correlation, normal after the inverse hyperbolic tangent."""
    estimate = correlation(X, Z, **options)
    ends = fisher_limits(estimate.value, estimate.n, coefficient=estimate.coefficient, confidence=confidence)
    return Interval(estimate.value, *ends, flag=estimate.flag)


def fisher_limits(
    r: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of Fisher's interval from a correlation and its number of points.

    The variance is 1/(n - 3), of Spearman's rho (1 + r^2/2)/(n - 3) (Bonett and Wright 2000), of Kendall's tau
    .437/(n - 4) (Fieller et al. 1957).

    Examples
    --------
    >>> [round(end, 3) for end in fisher_limits(0.5, 28)]
    [0.156, 0.736]
    """
    from scipy.special import ndtri

    n_lost = FISHER_LOST_POINTS[coefficient]
    if n <= n_lost:
        return float("nan"), float("nan")
    inflation = {"pearson": 1.0, "spearman": np.sqrt(1 + r**2 / 2), "kendall": np.sqrt(0.437)}[coefficient]
    half_width = ndtri((1 + confidence) / 2) * inflation / np.sqrt(n - n_lost)
    with np.errstate(divide="ignore"):
        centre = np.arctanh(r)
    return float(np.tanh(centre - half_width)), float(np.tanh(centre + half_width))


def bootstrap_interval(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    resample: str = "both",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
    **options: Unpack[CorrelationChoices],
) -> Interval:
    """Interval of a correlation between quantiles of bootstrap resamples.

    Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).
    """
    estimate = correlation(X, Z, **options)
    if flag := reason_without_interval(estimate, resample):
        return Interval(estimate.value, flag=flag)
    resamples = draw_resamples(np.shape(X), resample, n_resamples, rng)
    values = bootstrap_values(X, Z, resamples, **options)
    defined = values[~np.isnan(values)]
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    low, high = np.quantile(defined, shares).tolist() if len(defined) else NO_ENDS
    return Interval(
        estimate.value,
        low,
        high,
        n_resamples=n_resamples,
        n_dropped=n_resamples - len(defined),
        error=float(defined.std()) if len(defined) else float("nan"),
    )


def reason_without_interval(estimate: Correlation, resample: str) -> str:
    """Say why resamples of some units give no interval of a correlation; empty if they give one."""
    if estimate.flag:
        return estimate.flag
    if resample != "inputs" and estimate.n_summarizers < 3:
        return TWO_SYSTEMS if estimate.n_summarizers == 2 else ONE_SYSTEM
    return ONE_TOPIC if resample != "systems" and estimate.n_topics < 2 else ""


def quantiles_around(
    value: float, error: float, quantiles: FloatArray, lowest: float | None = None
) -> FloatArray:
    """Quantiles around an estimate; of one between ``lowest`` and 1 after the inverse hyperbolic tangent."""
    if lowest is None:
        return value + quantiles * error
    half_range = (1 - lowest) / 2
    r = (value - lowest) / half_range - 1
    if 1 - abs(r) <= ROUNDING:
        return np.full_like(quantiles, value)
    error_of_arctanh = error / half_range / (1 - r * r)
    return lowest + half_range * (1 + np.tanh(np.arctanh(r) + quantiles * error_of_arctanh))
