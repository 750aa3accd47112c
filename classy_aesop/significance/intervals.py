"""Confidence intervals of a correlation, and Fisher's, which needs no resampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import ROUNDING, FloatArray, Result, one_of
from classy_aesop.significance.correlation import correlation


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
    level, coefficient : str
        Of the correlation.
    n : int
        Points correlated, see :class:`~classy_aesop.significance.correlation.Correlation`.
    n_resamples, n_dropped : int
        Number of resamples, and of those without a value; 0 without resampling.
    error : float
        Standard deviation of the resamples; NaN without resampling.
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


def fisher_interval(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    confidence: float = 0.95,
) -> Interval:
    """Fisher's interval of a correlation, normal after the inverse hyperbolic tangent.

    It takes the points for independent, which topics of one summarizer are not; see :func:`fisher_limits`.
    """
    found = correlation(X, Z, level=level, coefficient=coefficient)
    low, high = fisher_limits(found.value, found.n, coefficient=coefficient, confidence=confidence)
    return Interval(found.value, low, high, confidence, "fisher", level, coefficient, found.n)


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

    one_of(coefficient, FISHER, "coefficient")
    check_confidence(confidence)
    loss = FISHER[coefficient]
    if n <= loss:
        return float("nan"), float("nan")
    widen = {"pearson": 1.0, "spearman": np.sqrt(1 + r**2 / 2), "kendall": np.sqrt(0.437)}[coefficient]
    half = ndtri((1 + confidence) / 2) * widen / np.sqrt(n - loss)
    with np.errstate(divide="ignore"):
        centre = np.arctanh(r)
    return float(np.tanh(centre - half)), float(np.tanh(centre + half))


FISHER = {"pearson": 3, "spearman": 3, "kendall": 4}
"""The coefficients that have Fisher's interval, and what is taken from their number of points."""


def bounded_ends(value: float, error: float, quantiles: FloatArray, least: float = -1.0) -> FloatArray:
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
    >>> bounded_ends(0.9, 0.1, np.array([-1.96, 1.96])).round(3).tolist()
    [0.414, 0.987]
    """
    half = (1 - least) / 2
    r = (value - least) / half - 1
    if 1 - abs(r) <= ROUNDING:
        return np.full_like(quantiles, value)
    scaled = error / half / (1 - r * r)  # of the inverse hyperbolic tangent, to first order
    return np.asarray(least + half * (1 + np.tanh(np.arctanh(r) + quantiles * scaled)))


def check_confidence(confidence: float) -> None:
    """Raise ValueError unless a level of confidence lies between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; expected between 0 and 1")
