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
"""What a bootstrap interval is made of; that of a difference has no ``bca``."""

NO_RESAMPLES = np.empty(0)


def reason_without_interval(estimate: Correlation, resample: str) -> str:
    """Say why resamples of some units give no interval of a correlation; empty if they give one.

    Parameters
    ----------
    estimate : Correlation
        With its counts of summarizers and topics.
    resample : {"systems", "inputs", "both"}
        What is resampled.
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
        Chance that such intervals hold the true value.
    method : str
        ``fisher``, ``systems``, ``inputs`` or ``both``.
    n : int
        Points correlated, see :class:`~classy_aesop.significance.correlations.correlation_levels.Correlation`.
    n_resamples, n_dropped : int
        Number of resamples, and of those without a value; 0 without resampling.
    error : float
        Standard deviation of the resamples; NaN without resampling.
    flag : str
        Why there is no interval, where that is known; else empty.
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


def fisher_interval(X: ArrayLike, Z: ArrayLike, *, confidence: float = 0.95, **measured: str) -> Interval:
    """Fisher's interval of a correlation, normal after the inverse hyperbolic tangent.

    It takes the points for independent, which topics of one summarizer are not; see :func:`fisher_limits`. ``level``,
    ``coefficient`` and ``means`` as for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    """
    found = correlation(X, Z, **measured)
    ends = fisher_limits(found.value, found.n, coefficient=found.coefficient, confidence=confidence)
    return make_interval(found, found.value, ends, confidence, flag=found.flag)


def make_interval(
    found: Correlation,
    value: float,
    ends: Sequence[float] | FloatArray,
    confidence: float,
    method: str = "fisher",
    kind: str = "percentile",
    values: FloatArray = NO_RESAMPLES,
    flag: str = "",
) -> Interval:
    """Make the record of an interval, from what is correlated, what is resampled, and the values of the resamples."""
    defined = values[~np.isnan(values)]
    return Interval(
        value=value,
        low=float(ends[0]),
        high=float(ends[1]),
        confidence=confidence,
        method=method if kind == "percentile" else f"{method}_{kind}",
        level=found.level,
        coefficient=found.coefficient,
        n=found.n,
        n_resamples=len(values),
        n_dropped=len(values) - len(defined),
        error=float(defined.std()) if len(defined) else float("nan"),
        flag=flag,
    )


def fisher_limits(
    r: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of Fisher's interval from a correlation and its number of points.

    tanh(atanh r +- z c / sqrt(n - b)), with (b, c) = (3, 1) for Pearson, (3, sqrt(1 + r^2/2)) for Spearman
    and (4, sqrt .437) for Kendall (Bonett and Wright 2000; Deutsch et al. 2021, section 3). NaN for fewer
    than b + 1 points.

    Examples
    --------
    >>> low, high = fisher_limits(0.85, 20)
    >>> round(low, 6), round(high, 6)
    (0.653161, 0.939235)
    """
    from scipy.special import ndtri

    check_choice(coefficient, FISHER_LOST_POINTS, "coefficient")
    check_share(confidence, "confidence")
    loss = FISHER_LOST_POINTS[coefficient]
    if n <= loss:
        return float("nan"), float("nan")
    widen = {"pearson": 1.0, "spearman": np.sqrt(1 + r**2 / 2), "kendall": np.sqrt(0.437)}[coefficient]
    half = ndtri((1 + confidence) / 2) * widen / np.sqrt(n - loss)
    with np.errstate(divide="ignore"):
        centre = np.arctanh(r)
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


FISHER_LOST_POINTS = {"pearson": 3, "spearman": 3, "kendall": 4}
"""The coefficients that have Fisher's interval, and what is taken from their number of points."""


def bounded_quantiles(value: float, error: float, quantiles: FloatArray, least: float = -1.0) -> FloatArray:
    """Give quantiles around a value between ``least`` and 1, after the inverse hyperbolic tangent.

    Parameters
    ----------
    value, error : float
        An estimate, and its standard error.
    quantiles : ndarray
        Of the distribution of the estimate, in standard errors.
    least : float
        Smallest possible value.

    Examples
    --------
    >>> bounded_quantiles(0.9, 0.1, np.array([-1.96, 1.96])).round(3).tolist()
    [0.414, 0.987]
    """
    half = (1 - least) / 2
    r = (value - least) / half - 1
    if 1 - abs(r) <= ROUNDING:
        return np.full_like(quantiles, value)
    scaled = error / half / (1 - r * r)  # of the inverse hyperbolic tangent, to first order
    return np.asarray(least + half * (1 + np.tanh(np.arctanh(r) + quantiles * scaled)))


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
    """Interval of a correlation over bootstrap resamples.

    The ends are NaN when no resample has a value, with ``bca`` also when all lie on one side of the correlation. Of two
    systems and of one topic that are resampled, and of means of two systems, there is no interval: see `flag`.

    Deutsch et al. (2021), section 3, who use 1,000 resamples.

    Parameters
    ----------
    resample : {"both", "systems", "inputs"}
        What is resampled.
    kind : {"percentile", "bca", "normal"}
        Plain quantiles of the resamples; quantiles corrected for bias and acceleration (Efron 1987), which leave out
        one summarizer (``systems``) or topic (``inputs``) at a time and are not defined for both; or a normal interval
        around the correlation itself, as wide as the resamples scatter, after the inverse hyperbolic tangent.
        Resampled topics add their noise a second time, which lowers the correlations of the resamples and with them
        the first kind of interval; the last one is not moved by it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None]
    >>> found = bootstrap_interval(Z + rng.normal(size=Z.shape), Z, n_resamples=999, rng=rng)
    >>> found.low < found.value < found.high
    True
    """
    from scipy.special import ndtri

    check_choice(resample, RESAMPLED_UNITS, "resample")
    check_choice(kind, INTERVAL_KINDS, "kind")
    check_share(confidence, "confidence")
    if kind == "bca" and resample == "both":
        raise ValueError("kind is 'bca' with resample 'both'; expected resample 'systems' or 'inputs'")
    check_count(n_resamples, "n_resamples")
    how = {"level": level, "coefficient": coefficient, "means": means}
    found = correlation(X, Z, **how)
    if flag := reason_without_interval(found, resample):
        return make_interval(found, found.value, np.full(2, np.nan), confidence, resample, kind, flag=flag)
    values = np.full(n_resamples, np.nan)
    if np.size(X):
        values = bootstrap_values(X, Z, draw_resamples(np.shape(X), resample, n_resamples, rng), **how)
    defined, shares = values[~np.isnan(values)], np.array([1 - confidence, 1 + confidence]) / 2
    if kind == "bca":
        axis = RESAMPLED_UNITS.index(resample)
        left = (
            correlation(np.delete(X, at, axis), np.delete(Z, at, axis), **how).value
            for at in range(np.shape(X)[axis])
        )
        shares = bca_shares(shares, defined, found.value, np.array(list(left)))
    if not len(defined) or np.isnan(shares).any():
        ends = np.full(2, np.nan)
    elif kind == "normal":
        ends = bounded_quantiles(found.value, float(defined.std()), ndtri(shares), lowest_value(coefficient))
    else:
        ends = np.quantile(defined, shares)
    return make_interval(found, found.value, ends, confidence, resample, kind, values)


def bca_shares(shares: FloatArray, values: FloatArray, observed: float, left_out: FloatArray) -> FloatArray:
    """Move the shares at which quantiles are taken for bias and acceleration; NaN where these are undefined.

    Efron (1987), section 4. ``shares`` are those of the plain interval's ends; ``left_out`` holds the correlation
    without each item. Resamples with the observed value count half.
    """
    from scipy.special import ndtr, ndtri

    if not len(values):
        return np.full_like(shares, np.nan)
    below = np.mean(values < observed - ROUNDING) + np.mean(np.abs(values - observed) <= ROUNDING) / 2
    influence = left_out[~np.isnan(left_out)]
    influence = influence.mean() - influence if len(influence) else influence
    square = float(influence @ influence)
    if not 0 < below < 1 or square == 0:
        return np.full_like(shares, np.nan)
    bias = ndtri(below)
    acceleration = float(np.sum(influence**3)) / (6 * square**1.5)
    z = bias + ndtri(shares)
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))
