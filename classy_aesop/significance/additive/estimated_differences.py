"""Differences of means with what is known of their error: p-values against any value, and intervals, from one place.

Student's t, or the exact bounds of pass and fail where all differences are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.additive.equal_differences import (
    interval_of_equal_differences,
    p_of_equal_differences,
)
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class EstimatedDifferences:
    """Differences of pairs with their standard errors and degrees of freedom; arrays of shape (n_pairs,).

    Attributes
    ----------
    first, second, n : ndarray of int
        The items of each pair, and the topics that both have.
    difference, error, df : ndarray
        An error of 0, where nothing is flagged: all differences are equal, and scores pass or fail.
    flag : ndarray of str
        Why no error is known; else empty.
    """

    first: IntArray
    second: IntArray
    n: IntArray
    difference: FloatArray
    error: FloatArray
    df: FloatArray
    flag: NDArray[np.str_]

    @property
    def is_tested(self) -> BoolArray:
        """Whether an error is known."""
        return np.asarray(self.flag == "")

    @property
    def t(self) -> FloatArray:
        """The differences over their errors; NaN without an error, infinite or 0 where it is 0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            t = self.difference / self.error
        return np.where((self.error == 0) & (self.difference == 0), 0.0, t)

    def p(self, value: float, alternative: str) -> FloatArray:
        """P-values of the differences being equal to a value; 1 where no error is known."""
        from scipy.special import stdtr

        is_equal = self.is_tested & (self.error == 0)
        has_t = self.is_tested & ~is_equal
        t = np.where(has_t, self.difference - value, 0.0) / np.where(has_t, self.error, 1.0)
        tail = {"two-sided": -np.abs(t), "greater": -t, "less": t}[alternative]
        p = stdtr(np.where(has_t, self.df, 1.0), tail) * (2 if alternative == "two-sided" else 1)
        if is_equal.any():
            p[is_equal] = p_of_equal_differences(
                self.difference[is_equal], self.n[is_equal], value, alternative
            )
        return np.where(self.is_tested, p, 1.0)

    def interval(self, level: float | None) -> tuple[FloatArray, FloatArray]:
        """Give the interval of each difference; NaN where no error is known, or without a level."""
        from scipy.special import stdtrit

        if level is None:
            return np.full_like(self.error, np.nan), np.full_like(self.error, np.nan)
        is_equal = self.is_tested & (self.error == 0)
        distinct_df, index = np.unique(
            np.where(self.is_tested & ~is_equal, self.df, np.nan), return_inverse=True
        )
        half = stdtrit(distinct_df, (1 + level) / 2)[index] * self.error
        low = self.difference - half
        high = self.difference + half
        if is_equal.any():
            low[is_equal], high[is_equal] = interval_of_equal_differences(
                self.difference[is_equal], self.n[is_equal], level
            )
        return np.where(self.is_tested, low, np.nan), np.where(self.is_tested, high, np.nan)
