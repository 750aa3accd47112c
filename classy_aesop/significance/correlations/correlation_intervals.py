"""Confidence intervals of a correlation: Fisher's, and from bootstrap resamples.

Fisher's interval needs the correlation and the number of points. The others are made of resamples
(:mod:`classy_aesop.significance.correlations.resampled_correlations`): plain quantiles, quantiles corrected for bias
and acceleration (Efron 1987), or a normal interval with the standard deviation of the resamples. A resample without a
value, because all its summarizers have equal scores, is dropped and counted. One topic, or two systems, contain no
information on how others differ: no interval is made of their resamples.

Deutsch et al. (2021), section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, Result, check_choice, check_count, check_share
from classy_aesop.significance.choices import N_RESAMPLES, IntervalKind
from classy_aesop.significance.correlations.coefficients import lowest_value
from classy_aesop.significance.correlations.correlation_levels import Correlation, correlation
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import ONE_SYSTEM, ONE_TOPIC, TWO_SYSTEMS
from classy_aesop.significance.resampling.resamples import RESAMPLED_UNITS, draw_resamples

INTERVAL_KINDS: tuple[str, ...] = get_args(IntervalKind)
"""How a bootstrap interval is computed; that of a difference has no ``bca``."""

NO_RESAMPLES = np.empty(0)
"""The values of an interval without resampling."""


def reason_without_interval(estimate: Correlation, resample: str) -> str:
    """Say why resamples of some units give no interval of a correlation; empty if they give one.

    Parameters
    ----------
    estimate : Correlation
        With its counts of summarizers and topics.
    resample : {"systems", "inputs", "both"}
        What is resampled.

    Returns
    -------
    str
        A flag, or an empty string.
    """
    if estimate.flag:
        return estimate.flag
    if resample != "inputs" and estimate.n_summarizers < 3:
        return TWO_SYSTEMS if estimate.n_summarizers == 2 else ONE_SYSTEM
    return ONE_TOPIC if resample != "systems" and estimate.n_topics < 2 else ""


@dataclass(frozen=True, slots=True)
class Interval(Result):
    """A confidence interval of a correlation, or of the difference of two.

    Attributes
    ----------
    value : float
        The correlation itself.
    low, high : float
        Ends of the interval; NaN when there is none.
    confidence : float
        Share of such intervals that cover the true value.
    method : str
        ``fisher``, ``systems``, ``inputs`` or ``both``.
    n : int
        Points correlated, see :class:`~classy_aesop.significance.correlations.correlation_levels.Correlation`.
    n_resamples, n_dropped : int
        Number of resamples, and of those without a value; 0 without resampling.
    error : float
        Standard deviation of the resamples; NaN without resampling.
    flag : str
        Why there is no interval, where a reason is known; else empty.
    """

    value: float
    low: float
    high: float
    confidence: float
    method: str
    level: str
    coefficient: str
    n: int
    n_resamples: int = 0
    n_dropped: int = 0
    error: float = float("nan")
    flag: str = ""


def fisher_interval(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    confidence: float = 0.95,
) -> Interval:
    """Fisher's interval of a correlation, normal after the inverse hyperbolic tangent.

    It assumes independent points, which topics of one summarizer are not; see :func:`fisher_limits`.

    Parameters
    ----------
    X, Z, level, coefficient, means
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`, with a coefficient of
        `FISHER_LOST_POINTS`.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Interval

    Raises
    ------
    ValueError
        As ``correlation`` and ``fisher_limits``.

    Examples
    --------
    >>> interval = fisher_interval([[1, 2], [2, 4], [3, 3], [4, 6], [5, 5]], [[1, 1], [2, 3], [2, 4], [5, 4], [4, 5]])
    >>> round(interval.value, 3), round(interval.low, 3), round(interval.high, 3)
    (0.989, 0.835, 0.999)
    """
    estimate = correlation(X, Z, level=level, coefficient=coefficient, means=means)
    ends = fisher_limits(estimate.value, estimate.n, coefficient=coefficient, confidence=confidence)
    return make_interval(estimate, estimate.value, ends, confidence, flag=estimate.flag)


def make_interval(
    estimate: Correlation,
    value: float,
    ends: Sequence[float] | FloatArray,
    confidence: float,
    method: str = "fisher",
    kind: str = "percentile",
    resampled_values: FloatArray = NO_RESAMPLES,
    flag: str = "",
) -> Interval:
    """Make the record of an interval.

    Parameters
    ----------
    estimate : Correlation
        Its level, coefficient and number of points.
    value : float
        The correlation, or the difference of two.
    ends : pair of float
        The ends of the interval.
    confidence : float
        Of the interval.
    method, kind : str
        What is resampled, or ``fisher``; and how the interval is computed.
    resampled_values : ndarray, shape (n_resamples,)
        The values on the resamples; NaN where undefined.
    flag : str
        Why there is no interval.

    Returns
    -------
    Interval
    """
    defined_values = resampled_values[~np.isnan(resampled_values)]
    return Interval(
        value=value,
        low=float(ends[0]),
        high=float(ends[1]),
        confidence=confidence,
        method=method if kind == "percentile" else f"{method}_{kind}",
        level=estimate.level,
        coefficient=estimate.coefficient,
        n=estimate.n,
        n_resamples=len(resampled_values),
        n_dropped=len(resampled_values) - len(defined_values),
        error=float(defined_values.std()) if len(defined_values) else float("nan"),
        flag=flag,
    )


FISHER_LOST_POINTS = {"pearson": 3, "spearman": 3, "kendall": 4}
"""The coefficients that have Fisher's interval, and what is subtracted from their number of points."""


def fisher_limits(
    r: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of Fisher's interval from a correlation and its number of points.

    tanh(atanh r +- z c / sqrt(n - b)), with (b, c) = (3, 1) for Pearson, (3, sqrt(1 + r^2/2)) for Spearman
    and (4, sqrt .437) for Kendall (Bonett and Wright 2000; Deutsch et al. 2021, section 3).

    Parameters
    ----------
    r : float
        The correlation.
    n : int
        Number of points.
    coefficient : {"pearson", "spearman", "kendall"}
        Which coefficient it is.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : float
        NaN for fewer than b + 1 points.

    Raises
    ------
    ValueError
        The coefficient has no such interval, or the confidence is out of range.

    Examples
    --------
    >>> low, high = fisher_limits(0.85, 20)
    >>> round(low, 6), round(high, 6)
    (0.653161, 0.939235)
    """
    from scipy.special import ndtri

    check_choice(coefficient, FISHER_LOST_POINTS, "coefficient")
    check_share(confidence, "confidence")
    n_lost = FISHER_LOST_POINTS[coefficient]
    if n <= n_lost:
        return float("nan"), float("nan")
    inflation = {"pearson": 1.0, "spearman": np.sqrt(1 + r**2 / 2), "kendall": np.sqrt(0.437)}[coefficient]
    half_width = ndtri((1 + confidence) / 2) * inflation / np.sqrt(n - n_lost)
    with np.errstate(divide="ignore"):
        centre = np.arctanh(r)
    return float(np.tanh(centre - half_width)), float(np.tanh(centre + half_width))


def bounded_quantiles(value: float, error: float, quantiles: FloatArray, lowest: float = -1.0) -> FloatArray:
    """Quantiles around an estimate between ``lowest`` and 1, after the inverse hyperbolic tangent.

    Parameters
    ----------
    value, error : float
        An estimate, and its standard error.
    quantiles : ndarray
        Quantiles of the standardized estimate.
    lowest : float
        Lowest possible value.

    Returns
    -------
    ndarray
        One value for each quantile.

    Examples
    --------
    >>> bounded_quantiles(0.9, 0.1, np.array([-1.96, 1.96])).round(3).tolist()
    [0.414, 0.987]
    """
    half_range = (1 - lowest) / 2
    r = (value - lowest) / half_range - 1
    if 1 - abs(r) <= ROUNDING:
        return np.full_like(quantiles, value)
    error_of_arctanh = error / half_range / (1 - r * r)  # to first order
    return np.asarray(lowest + half_range * (1 + np.tanh(np.arctanh(r) + quantiles * error_of_arctanh)))


def bootstrap_interval(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    resample: str = "both",
    kind: str = "percentile",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> Interval:
    """Interval of a correlation from bootstrap resamples.

    Deutsch et al. (2021), section 3, who use 1,000 resamples.

    Parameters
    ----------
    X, Z, level, coefficient, means
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    resample : {"both", "systems", "inputs"}
        What is resampled.
    kind : {"percentile", "bca", "normal"}
        Plain quantiles of the resamples; quantiles corrected for bias and acceleration (Efron 1987), which leave out
        one summarizer (``systems``) or topic (``inputs``) at a time and are not defined for both; or a normal interval
        around the correlation itself with the standard deviation of the resamples, after the inverse hyperbolic
        tangent. Resampled topics add their noise a second time, which lowers the correlations of the resamples and
        with them the first kind of interval; the normal interval is not shifted by it.
    confidence : float
        Between 0 and 1.
    n_resamples : int
        Number of resamples.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    Interval
        The ends are NaN when no resample has a value, with ``bca`` also when all lie on one side of the correlation.
        With two systems or one topic to resample, and for means of two systems, there is no interval: see ``flag``.

    Raises
    ------
    ValueError
        As ``correlation``; an option is not known or out of range, or ``bca`` with ``both``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None]
    >>> interval = bootstrap_interval(Z + rng.normal(size=Z.shape), Z, n_resamples=999, rng=rng)
    >>> interval.low < interval.value < interval.high
    True
    """
    from scipy.special import ndtri

    check_choice(resample, RESAMPLED_UNITS, "resample")
    check_choice(kind, INTERVAL_KINDS, "kind")
    check_share(confidence, "confidence")
    if kind == "bca" and resample == "both":
        raise ValueError("kind is 'bca' with resample 'both'; expected resample 'systems' or 'inputs'")
    check_count(n_resamples, "n_resamples")
    correlate = partial(correlation, level=level, coefficient=coefficient, means=means)
    estimate = correlate(X, Z)
    if flag := reason_without_interval(estimate, resample):
        no_ends = np.full(2, np.nan)
        return make_interval(estimate, estimate.value, no_ends, confidence, resample, kind, flag=flag)
    values = np.full(n_resamples, np.nan)
    if np.size(X):
        resamples = draw_resamples(np.shape(X), resample, n_resamples, rng)
        values = bootstrap_values(X, Z, resamples, level=level, coefficient=coefficient, means=means)
    defined_values = values[~np.isnan(values)]
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    if kind == "bca":
        axis = RESAMPLED_UNITS.index(resample)
        n_units = np.shape(X)[axis]
        left_out = [
            correlate(np.delete(X, unit, axis), np.delete(Z, unit, axis)).value for unit in range(n_units)
        ]
        shares = bca_shares(shares, defined_values, estimate.value, np.array(left_out))
    if not len(defined_values) or np.isnan(shares).any():
        ends = np.full(2, np.nan)
    elif kind == "normal":
        error = float(defined_values.std())
        ends = bounded_quantiles(estimate.value, error, ndtri(shares), lowest_value(coefficient))
    else:
        ends = np.quantile(defined_values, shares)
    return make_interval(estimate, estimate.value, ends, confidence, resample, kind, values)


def bca_shares(shares: FloatArray, values: FloatArray, observed: float, left_out: FloatArray) -> FloatArray:
    """Shares at which quantiles are taken, corrected for bias and acceleration.

    Efron (1987), section 4.

    Parameters
    ----------
    shares : ndarray, shape (n_shares,)
        Those of the plain interval's ends.
    values : ndarray, shape (n_resamples,)
        The correlations on the resamples; those equal to the observed one count half.
    observed : float
        The correlation.
    left_out : ndarray, shape (n_units,)
        The correlation without each unit; NaN where undefined.

    Returns
    -------
    ndarray, shape (n_shares,)
        NaN where bias or acceleration are undefined.
    """
    from scipy.special import ndtr, ndtri

    if not len(values):
        return np.full_like(shares, np.nan)
    share_below = np.mean(values < observed - ROUNDING) + np.mean(np.abs(values - observed) <= ROUNDING) / 2
    influence = left_out[~np.isnan(left_out)]
    influence = influence.mean() - influence if len(influence) else influence
    square_sum = float(influence @ influence)
    if not 0 < share_below < 1 or square_sum == 0:
        return np.full_like(shares, np.nan)
    bias = ndtri(share_below)
    acceleration = float(np.sum(influence**3)) / (6 * square_sum**1.5)
    z = bias + ndtri(shares)
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))
