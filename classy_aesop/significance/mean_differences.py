"""P-values and intervals of mean differences with a standard error: Student's t, or exact bounds of pass and fail.

Where all differences of scores of pass and fail are equal, no variance is estimated, and their error is 0. If all of n
differences of scores from 0 to 1 are c, topics with another difference are rare: with confidence 1 - alpha / 2 the
share of those with c is at least b = (alpha / 2)^(1/n) (Clopper and Pearson 1934), and the others differ by -1 to 1. So
the mean difference is at least cb - (1 - b), and at most cb + (1 - b).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.equality import ROUNDING


@dataclass(frozen=True, slots=True)
class MeanDifferences:
    """Mean differences of ``n`` topics with their standard errors, NaN where nothing is known; (n_pairs,) each."""

    difference: FloatArray
    error: FloatArray
    df: FloatArray
    n: IntArray

    def p(self, alternative: str = "two-sided", value: float = 0.0) -> FloatArray:
        """P-values of the differences being a value; 1 where nothing is known."""
        from scipy.special import stdtr

        is_equal = self.error == 0
        has_t = ~np.isnan(self.error) & ~is_equal
        t = np.where(has_t, self.difference - value, 0.0) / np.where(has_t, self.error, 1.0)
        tail = {"two-sided": -np.abs(t), "greater": -t, "less": t}[alternative]
        p = stdtr(np.where(has_t, self.df, 1.0), tail) * (2 if alternative == "two-sided" else 1)
        if is_equal.any():
            p[is_equal] = p_of_equal_differences(
                self.difference[is_equal], self.n[is_equal], value, alternative
            )
        return np.where(np.isnan(self.error), 1.0, p)

    def interval(self, level: float | None) -> tuple[FloatArray, FloatArray]:
        """Give the interval of each difference; NaN where nothing is known, or without a level."""
        from scipy.special import stdtrit

        if level is None:
            return np.full_like(self.error, np.nan), np.full_like(self.error, np.nan)
        is_equal = self.error == 0
        has_t = ~np.isnan(self.error) & ~is_equal
        distinct_df, index = np.unique(np.where(has_t, self.df, np.nan), return_inverse=True)
        half = stdtrit(distinct_df, (1 + level) / 2)[index] * self.error
        low = self.difference - half
        high = self.difference + half
        if is_equal.any():
            low[is_equal], high[is_equal] = interval_of_equal_differences(
                self.difference[is_equal], self.n[is_equal], level
            )
        return low, high


def p_of_equal_differences(
    difference: ArrayLike, n: ArrayLike, value: float = 0.0, alternative: str = "two-sided"
) -> FloatArray:
    """P-values of the mean difference being a value, where all n differences are equal; arrays of one shape.

    Examples
    --------
    >>> p_of_equal_differences([1.0, -1.0, 0.0], 5).tolist()  # 2/2^5
    [0.0625, 0.0625, 1.0]
    >>> round(float(p_of_equal_differences(0.0, 200, -0.1, "greater")), 10)  # .9^200
    7e-10
    """
    difference = np.asarray(difference, dtype=np.float64)
    greater = _p_of_greater(difference, np.asarray(n), value)
    less = _p_of_greater(-difference, np.asarray(n), -value)
    p = {"two-sided": 2 * np.minimum(greater, less), "greater": greater, "less": less}[alternative]
    return np.minimum(p, 1.0)


def _p_of_greater(difference: FloatArray, n: ArrayLike, value: float) -> FloatArray:
    """Probability of only differences this high if their mean is not greater than the value."""
    largest_share = np.maximum(1 + value, 0.0) / np.maximum(1 + difference, ROUNDING)
    return np.minimum(largest_share, 1.0) ** n


def interval_of_equal_differences(
    difference: ArrayLike, n: ArrayLike, level: float
) -> tuple[FloatArray, FloatArray]:
    """Interval of the mean difference, where all n differences are equal; arrays of one shape.

    Examples
    --------
    >>> low, high = interval_of_equal_differences([1.0, 0.0], [40, 200], 0.9)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.856, -0.015], [1.0, 0.015])
    """
    difference = np.asarray(difference, dtype=np.float64)
    share = ((1 - level) / 2) ** (1 / np.maximum(n, 1))
    low = difference * share - (1 - share)
    high = difference * share + (1 - share)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)
