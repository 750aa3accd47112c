"""What a test of two summarizers declares.

A new test is one :class:`PairStatistic`, its line in ``PAIR_TESTS`` of
:mod:`classy_aesop.significance.pairs.pair_comparisons` and its name in ``SystemTest`` of
:mod:`classy_aesop.significance.choices`. It is then available to everything that compares pairs:
equivalence, clusters, agreement with humans, the number of topics needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, divide
from classy_aesop.significance.equality import round_to_zero, rounding_slack_of_pairs


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """The result of a test for a batch of pairs: a statistic, its p and its interval; arrays of shape (n_pairs,).

    Attributes
    ----------
    n, n_used : ndarray of int
        Topics that both have, and those of them that the statistic is computed from.
    difference : ndarray
        What the test is of: the mean difference over the shared topics, or the shift of signed ranks; NaN without one.
    statistic : ndarray
        Infinite where the p-value is only a limit, because the difference is the same on all topics.
    effect : ndarray
        Effect size: positive if the first summarizer is better, negative if the second is.
    same : ndarray of bool
        Whether the two have the same scores on all shared topics.
    p : ndarray
        Two-sided p-values. Where fewer than two topics are shared or nothing differs they are not used.
    interval : callable
        From a confidence to the lower and the upper ends: the shifts of the first that the test, two-sided, does not
        reject. They may be infinite, or NaN.
    error, df : ndarray, optional
        Of a t-test: the standard error of the mean difference, 0 where all differences are equal, and the degrees of
        freedom. A margin is tested with them.
    n_discordant : ndarray, optional
        Of a test of pass rates, instead: topics that one of the two alone passed. A test without these has no margin.
    """

    n: IntArray
    n_used: IntArray
    difference: FloatArray
    statistic: FloatArray
    effect: FloatArray
    same: BoolArray
    p: FloatArray
    interval: Callable[[float], tuple[FloatArray, FloatArray]]
    error: FloatArray | None = None
    df: FloatArray | None = None
    n_discordant: FloatArray | None = None


def negate_statistics(statistics: FloatArray, n_used: IntArray) -> FloatArray:
    """Give the statistics of the exchanged summarizers for a test whose statistic has their difference's sign."""
    return 0.0 - statistics


@dataclass(frozen=True, slots=True)
class PairStatistic:
    """A test of two summarizers; its functions take the scores of pairs, (n_pairs, n_topics) each.

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``PAIR_TESTS``.
    outcome : callable
        Gives the `PairOutcome`; scores are NaN where missing.
    about : str
        What it tests, in a few words.
    is_of_signs : bool
        Whether p depends on signs and ranks of the differences alone, so that few topics limit it: the lowest one is
        that of the same sizes with equal signs.
    reverse : callable
        Gives the statistics of the exchanged summarizers from the statistics and the numbers of topics used; by default
        the negative ones.
    """

    name: str
    outcome: Callable[[FloatArray, FloatArray], PairOutcome]
    about: str = ""
    is_of_signs: bool = False
    reverse: Callable[[FloatArray, IntArray], FloatArray] = negate_statistics


def count_shared(x: FloatArray, y: FloatArray) -> IntArray:
    """Count the topics that both of each pair have."""
    return np.count_nonzero(~np.isnan(x + y), axis=1)


def difference_moments(x: FloatArray, y: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Number of shared topics, mean difference and root of the sum of squares around it of each row.

    Shapes: ``x`` and ``y`` (n_pairs, n_topics); gives ``n`` (n_pairs,), ``mean, root`` (n_pairs,).
    """
    shared = ~np.isnan(x + y)
    n = np.count_nonzero(shared, axis=1)
    return n, *row_moments(x - y, shared, n, rounding_slack_of_pairs(x, y)[:, 0])


def row_moments(
    z: FloatArray, shared: BoolArray, n: IntArray, slack: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean of each row and the root of the sum of squares around it, in the unit of scores.

    Squares are summed in a unit of about the size of the row, so that none overflows or vanishes.

    Shapes: ``z`` and ``shared`` (n_rows, n_topics), ``n`` and ``slack`` (n_rows,); gives ``mean, root``
    (n_rows,).
    """
    mean = divide(np.where(shared, z, 0.0).sum(axis=1), n)
    deviations = np.where(shared, z - mean[:, None], 0.0)
    unit = np.ldexp(1.0, np.frexp(np.abs(deviations).max(axis=1, initial=0.0))[1] - 1)
    scaled = deviations / unit[:, None]
    root = unit * np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    return round_to_zero(mean, slack), np.where(root <= np.sqrt(n) * slack, 0.0, root)
