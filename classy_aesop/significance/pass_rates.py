"""Differences of two pass rates on the same topics: Tango's score test, and the interval that it gives.

Each topic is passed by both, by neither, or by one of the two alone. The statistic of a difference D is (b - c - nD)
over its standard deviation if D is true: of n topics b are passed by the first alone and c by the second alone. The
interval holds the differences that the test does not reject, so the two never contradict each other. Tango (1998),
"Equivalence test and confidence interval for the difference in proportions for the paired-sample design".

Where the first passes every topic and the second none, or both pass the same ones, the bounds are exact, see
:mod:`classy_aesop.significance.mean_differences`.

Over pass rates of .5, .8 and .95, differences of 0 to .19, 5 to 200 topics and 0, .5 or .9 of them with one draw for
both, intervals of 95 % hold in .941 or more, and one-sided errors at .05 are .074 at most, both computed exactly; by
Student's t they are .910 and .164. The power is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.mean_differences import BoundedDifferences

BISECTIONS = 60
"""Steps by which an end of an interval is found: each halves the range, down to the last digit of a double."""


@dataclass(frozen=True, slots=True)
class PassRateDifferences(BoundedDifferences):
    """Differences of the pass rates of pairs on ``n`` topics; arrays of shape (n_pairs,).

    ``n_discordant`` counts the topics that only one of the two passed; NaN where nothing is known.

    Examples
    --------
    >>> rates = PassRateDifferences(np.array([0.2, 0.0]), np.array([12.0, 0.0]), np.array([40, 200]))
    >>> rates.p().round(4).tolist()  # McNemar's z is (10 - 2) / sqrt(12)
    [0.0209, 1.0]
    >>> low, high = rates.interval(0.9)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.064, -0.015], [0.339, 0.015])
    """

    difference: FloatArray
    n_discordant: FloatArray
    n: IntArray

    @property
    def are_known(self) -> BoolArray:
        """Of which differences the discordant topics are known."""
        return ~np.isnan(self.n_discordant)

    @property
    def are_equal(self) -> BoolArray:
        """Whether the difference is the same on all topics."""
        return (self.n_discordant == 0) | (np.abs(self.difference) == 1)

    def tail(self, sign: int, value: float) -> FloatArray:
        """Give the tail of the normal distribution."""
        from scipy.special import ndtr

        return np.asarray(ndtr(-sign * self.statistics(value)))

    def find_accepted(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Give the ends of what the score test does not reject, by bisection."""
        from scipy.special import ndtri

        quantile = ndtri((1 + level) / 2)
        ends = []
        for sign, beyond in ((1, -1.0), (-1, 1.0)):
            rejected = np.full_like(self.difference, beyond)
            accepted = self.difference.copy()
            for _ in range(BISECTIONS):
                middle = (rejected + accepted) / 2
                is_accepted = sign * self.statistics(middle) <= quantile
                accepted = np.where(is_accepted, middle, accepted)
                rejected = np.where(is_accepted, rejected, middle)
            ends.append(accepted)
        return ends[0], ends[1]

    def statistics(self, value: ArrayLike = 0.0) -> FloatArray:
        """Give Tango's z of the differences being a value, or a value each; infinite where none other is possible."""
        value = np.asarray(value, dtype=np.float64)
        n = np.asarray(self.n, dtype=np.float64)
        n_second_alone = (self.n_discordant - n * self.difference) / 2
        linear = n * (2 - self.difference) * value - self.n_discordant
        constant = -n_second_alone * value * (1 - value)
        root = np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0))
        excess = n * (self.difference - value)
        with np.errstate(divide="ignore", invalid="ignore"):
            share_of_second_alone = (root - linear) / (4 * n)
            variance = np.maximum(n * (2 * share_of_second_alone + value * (1 - value)), 0.0)
            return np.where(excess == 0, 0.0, excess / np.sqrt(variance))
