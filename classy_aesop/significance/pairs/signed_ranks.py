"""Wilcoxon's signed ranks of many rows of differences at once, and their exact distribution.

The sizes of a row's differences are ranked from 1, ties share the mean rank; W+ is the sum of the ranks of
positive differences. If every difference is as likely to be positive as negative, W+ has mean (sum r)/2 and
variance (sum r^2)/4, which is the textbook variance with its correction for ties.

Rankel (2016), sections 3.2 and 4.2 and appendix A; Rankel et al. (2011), section 2.

Departs from the paper: ties share their mean rank, as in its section 3.2.1 and appendix A.2, not the maximum rank
that section 4.2 prints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result
from classy_aesop.significance.equality import (
    midranks,
    rounding_slack_of_pairs,
)
from classy_aesop.significance.pairs.pair_statistics import (
    Recipe,
)

EXACT_BELOW = 50
"""Samples of this size and more are compared with the normal distribution, as in R."""


@dataclass(frozen=True, slots=True)
class SignedRanks(Result):
    """Signed ranks of rows of differences.

    Attributes
    ----------
    ranks : ndarray, shape (n_pairs, n_topics)
        Ranks to which random signs are given; 0 where a difference is missing or dropped.
    signed : ndarray, shape (n_pairs, n_topics)
        Ranks with the sign of the difference; 0 for zero differences.
    plus : ndarray, shape (n_pairs,)
        W+, the sum of the positive ranks and half of the ranks of zeros that were not dropped.
    total : ndarray, shape (n_pairs,)
        Sum of ``ranks``.
    variance : ndarray, shape (n_pairs,)
        Of W+ when signs are random.
    n : ndarray of int, shape (n_pairs,)
        Nonzero differences.
    tied : ndarray of bool, shape (n_pairs,)
        Whether there are ties or zeros.
    """

    ranks: FloatArray
    signed: FloatArray
    plus: FloatArray
    total: FloatArray
    variance: FloatArray
    n: IntArray
    tied: BoolArray


def signed_ranks(x: FloatArray, y: FloatArray, recipe: Recipe) -> SignedRanks:
    """Rank the differences ``x - y`` of each row, NaN left out.

    Shapes: ``x`` and ``y`` (n_pairs, n_topics).

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_statistics import Recipe
    >>> signed_ranks(np.array([[3.0, 5, 2]]), np.array([[2.0, 2, 4]]), Recipe()).signed.tolist()
    [[1.0, 3.0, -2.0]]
    """
    z = x - y
    if recipe.decimals is not None:
        z = np.round(z, recipe.decimals)
    sizes = np.abs(z)
    slack = rounding_slack_of_pairs(x, y) if recipe.rounding else 0.0
    is_zero = sizes <= slack
    is_ranked = sizes > slack
    largest = np.finfo(np.float64).max  # differences that are left out rank last
    ranks = np.where(is_ranked, midranks(np.where(is_ranked, sizes, largest), slack), 0.0)
    signed = np.where(is_zero, 0.0, np.copysign(ranks, z))
    n = np.count_nonzero(signed, axis=1)
    total = ranks.sum(axis=1)
    squares = np.einsum("ij,ij->i", ranks, ranks)
    return SignedRanks(
        ranks=ranks,
        signed=signed,
        plus=(total + signed.sum(axis=1)) / 2,
        total=total,
        variance=squares / 4,
        n=n,
        tied=(squares != n * (n + 1) * (2 * n + 1) / 6)
        | is_zero.any(axis=1),  # 1..n have this sum of squares
    )


def is_exact(rule: str, n: ArrayLike, tied: ArrayLike) -> BoolArray:
    """Whether the exact distribution of n differences is used, by `Recipe.exact`."""
    has_differences = np.greater(n, 0)
    is_small = np.less(n, EXACT_BELOW)
    rules = {
        "auto": is_small & ~np.asarray(tied),
        "ties": is_small,
        "always": has_differences,
        "never": ~has_differences,
    }
    return np.asarray(has_differences & rules[rule])


def signed_rank_distribution(ranks: IntArray) -> FloatArray:
    """Probability of each sum of positive ranks under random signs: one rank added after the other.

    Shapes: ``ranks`` (n,); gives (sum of ranks + 1,).

    Examples
    --------
    >>> signed_rank_distribution(np.array([1, 2])).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    probabilities = np.zeros(int(ranks.sum()) + 1)
    probabilities[0] = 1.0
    largest_sum = 0
    for rank in np.sort(ranks).tolist():
        largest_sum += rank
        probabilities[rank : largest_sum + 1] += probabilities[: largest_sum + 1 - rank]
        probabilities[: largest_sum + 1] *= 0.5
    return probabilities
