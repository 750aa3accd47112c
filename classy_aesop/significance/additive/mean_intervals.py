"""Errors and intervals of means of systems.

Intervals are Student's where scores have no bounds. Within bounds, as of passes (0 and 1) or of grades on a declared
scale, they are Wilson's (1927), with Student's quantile and an *effective number of topics*: that of independent passes
whose mean would have the variance at hand, as for shares in surveys. Attempts of one topic, missing cells and raters
thus count for what they are worth, and no interval reaches beyond the bounds.

Korn and Graubard (1998), "Confidence intervals for proportions with small expected number of positive counts estimated
from survey data"; Brown, Cai and DasGupta (2001), "Interval estimation for a binomial proportion".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.additive.two_way_fit import summarizer_means
from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    divide,
)
from classy_aesop.significance.equality import rounding_slack

Bounds = tuple[float, float]
"""The least and the greatest score that there can be."""


@dataclass(frozen=True, slots=True, eq=False)
class MeanErrors:
    """Means of systems and their errors over topics like these.

    Attributes
    ----------
    mean, error : ndarray, shape (n_systems,)
        Standard errors are NaN with fewer than two topics, and where nothing varies.
    n_topics : ndarray of int, shape (n_systems,)
        Topics of each, or clusters that they lie in.
    df : ndarray, shape (n_systems,)
        Degrees of freedom of the errors; NaN with fewer than two topics.
    influence : ndarray, shape (n_topics, n_systems)
        What each topic, or cluster of topics, adds to the error of each mean; errors are as correlated as these.
    """

    mean: FloatArray
    error: FloatArray
    n_topics: IntArray
    df: FloatArray
    influence: FloatArray

    def quantile(self, confidence: float) -> FloatArray:
        """Student's quantile of each mean's interval; NaN with fewer than two topics."""
        from scipy.special import stdtrit

        return stdtrit(self.df, (1 + confidence) / 2)

    def correlation(self, members: BoolArray) -> FloatArray:
        """Correlation of the errors of some means, (n_members, n_members); 0 where nothing varies."""
        influence = self.influence[:, members]
        length = np.sqrt(np.square(influence).sum(axis=0))
        unit = divide(influence, length, 0.0)
        correlation: FloatArray = unit.T @ unit
        np.fill_diagonal(correlation, 1.0)
        return correlation

    def interval(self, quantile: FloatArray, bounds: Bounds | None = None) -> tuple[FloatArray, FloatArray]:
        """Give the interval of each mean, within the bounds of the scores if they are known; NaN if unknown."""
        if bounds is not None:
            return bounded_interval(self.mean, self.error, self.n_topics, quantile, bounds)
        return self.mean - quantile * self.error, self.mean + quantile * self.error


def bounded_interval(
    mean: FloatArray, error: FloatArray, n_topics: IntArray, quantile: FloatArray, bounds: Bounds = (0.0, 1.0)
) -> tuple[FloatArray, FloatArray]:
    """Give the interval of each mean within the bounds of the scores, by Wilson's formula.

    Shapes: ``mean``, ``error``, ``n_topics`` and ``quantile`` (n_systems,); gives ``low, high`` (n_systems,).

    Examples
    --------
    >>> errors, n, quantiles = np.array([np.nan, 0.05]), np.array([20, 100]), np.array([2.093, 1.984])
    >>> low, high = bounded_interval(np.array([1.0, 0.5]), errors, n, quantiles)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.82, 0.403], [1.0, 0.597])
    """
    lowest, highest = bounds
    width = highest - lowest
    share = (mean - lowest) / width
    variance = share * (1 - share)
    with np.errstate(invalid="ignore", divide="ignore"):
        n_effective = np.where((error > 0) & (variance > 0), variance / (error / width) ** 2, n_topics)
        square = np.where(n_topics > 1, quantile, np.nan) ** 2 / n_effective
    center = (share + square / 2) / (1 + square)
    half_width = np.sqrt(square * (variance + square / 4)) / (1 + square)
    low = np.where(share == 0, lowest, lowest + width * np.maximum(center - half_width, 0.0))
    high = np.where(share == 1, highest, lowest + width * np.minimum(center + half_width, 1.0))
    is_known = np.isfinite(square)
    return np.where(is_known, np.minimum(low, mean), np.nan), np.where(
        is_known, np.maximum(high, mean), np.nan
    )


def errors_of_plain_means(X: FloatArray) -> MeanErrors:
    """Give the errors of the mean of each row over its valid cells, whose topics are independent."""
    has_cell = ~np.isnan(X)
    n_topics = has_cell.sum(axis=1)
    mean = summarizer_means(X, has_cell)
    deviation = np.where(has_cell, X - mean[:, None], 0.0)
    n_squared = np.maximum(n_topics, 1) * np.maximum(n_topics - 1, 1.0)
    influence = deviation / np.sqrt(n_squared)[:, None]
    error = np.sqrt(np.square(influence).sum(axis=1))
    is_known = (n_topics > 1) & (error * np.sqrt(np.maximum(n_topics, 1)) > rounding_slack(X, axis=1)[:, 0])
    df = np.where(n_topics > 1, n_topics - 1.0, np.nan)
    return MeanErrors(mean, np.where(is_known, error, np.nan), n_topics, df, influence.T)
