"""P-values and intervals of mean differences with a standard error: Student's t, or exact bounds of pass and fail.

Where all differences of scores of pass and fail are equal, no variance is estimated, and their error is 0. If all of n
differences of scores from 0 to 1 are c, topics with another difference are rare: with confidence 1 - alpha / 2 the
share of those with c is at least b = (alpha / 2)^(1/n) (Clopper and Pearson 1934), and the others differ by -1 to 1. So
the mean difference is at least cb - (1 - b), and at most cb + (1 - b).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.equality import ROUNDING


class BoundedDifferences(ABC):
    """Differences of means on ``n`` topics, (n_pairs,), by a test, or exact bounds where all differences are equal."""

    difference: FloatArray
    n: IntArray

    @property
    @abstractmethod
    def are_known(self) -> BoolArray:
        """Of which differences something is known."""

    @property
    @abstractmethod
    def are_equal(self) -> BoolArray:
        """Which differences are the same on all topics."""

    @abstractmethod
    def tail(self, sign: int, value: float) -> FloatArray:
        """Chance of a difference this much above (1) or below (-1) a value, by the test."""

    @abstractmethod
    def find_accepted(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Give the ends of what the test does not reject."""

    def p(self, alternative: str = "two-sided", value: float = 0.0) -> FloatArray:
        """P-values of the differences being a value; 1 where nothing is known."""
        if alternative == "two-sided":
            return np.minimum(2 * np.minimum(self.p("greater", value), self.p("less", value)), 1.0)
        sign = 1 if alternative == "greater" else -1
        # with only differences this high, their mean is not greater than the value
        largest_share = np.maximum(1 + sign * value, 0.0) / np.maximum(1 + sign * self.difference, ROUNDING)
        p = np.where(self.are_equal, np.minimum(largest_share, 1.0) ** self.n, self.tail(sign, value))
        return np.where(self.are_known, p, 1.0)

    def interval(self, level: float | None) -> tuple[FloatArray, FloatArray]:
        """Give the interval of each difference; NaN where nothing is known, or without a level."""
        level = np.nan if level is None else level
        low, high = self.find_accepted(level)
        share = ((1 - level) / 2) ** (1 / np.maximum(self.n, 1))
        lowest = np.maximum(self.difference * share - (1 - share), -1.0)
        highest = np.minimum(self.difference * share + (1 - share), 1.0)
        low = np.where(self.are_equal, lowest, low)
        high = np.where(self.are_equal, highest, high)
        return np.where(self.are_known, low, np.nan), np.where(self.are_known, high, np.nan)


@dataclass(frozen=True, slots=True)
class MeanDifferences(BoundedDifferences):
    """Mean differences with their standard errors, NaN where nothing is known; arrays of shape (n_pairs,).

    Examples
    --------
    >>> equal = MeanDifferences(np.array([1.0, -1, 0]), np.zeros(3), np.full(3, 4.0), np.full(3, 5))
    >>> equal.p().tolist()  # 2/2^5
    [0.0625, 0.0625, 1.0]
    >>> agreeing = MeanDifferences(np.zeros(1), np.zeros(1), np.array([199.0]), np.array([200]))
    >>> float(agreeing.p("greater", -0.1)[0].round(10))  # .9^200
    7e-10
    >>> [float(end[0].round(3)) for end in agreeing.interval(0.9)]
    [-0.015, 0.015]
    """

    difference: FloatArray
    error: FloatArray
    df: FloatArray
    n: IntArray

    @property
    def are_known(self) -> BoolArray:
        """Of which differences there is an error."""
        return ~np.isnan(self.error)

    @property
    def are_equal(self) -> BoolArray:
        """Which have no error, since all differences are equal."""
        return self.error == 0

    def tail(self, sign: int, value: float) -> FloatArray:
        """Give the tail of Student's t."""
        from scipy.special import stdtr

        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(stdtr(self.df, sign * (value - self.difference) / self.error))

    def find_accepted(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Give the ends by Student's t."""
        from scipy.special import stdtrit

        distinct_df, index = np.unique(self.df, return_inverse=True)
        half = stdtrit(distinct_df, (1 + level) / 2)[index] * self.error
        return self.difference - half, self.difference + half
