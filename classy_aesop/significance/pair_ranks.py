"""Wilcoxon's signed-rank test as a test of pairs of summarizers.

Rankel et al. (2011), section 2; Rankel (2016), sections 3.2 and 4.3.

Departs from the paper: where topics are drawn (HB) the number of nonzero differences varies, so the sum of signed
ranks is divided by its standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray
from classy_aesop.significance.counted import exact_dtype
from classy_aesop.significance.pair_statistic import Floats, PairOutcome, PairStatistic, SizeParts
from classy_aesop.significance.recipes import Recipe
from classy_aesop.significance.signed_rank import signed_rank_p, signed_ranks
from classy_aesop.significance.t_tests import paired_difference


def _outcome(x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
    ranks = signed_ranks(x, y, recipe)
    p = signed_rank_p(ranks, recipe, alternative)
    effect = np.where(ranks.total > 0, 2 * ranks.plus / np.where(ranks.total > 0, ranks.total, 1.0) - 1, 0.0)
    return PairOutcome(paired_difference(x, y), ranks.plus, p, effect, ranks.n, ranks.n == 0)


def _signed_ranks(x: FloatArray, y: FloatArray, recipe: Recipe) -> Floats:
    """Give the signed ranks; they are whole or half, so small floats hold their sums without loss."""
    return signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))


def _parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the sum of signed ranks and the sum of their squares.

    A drawn topic's rank is linear in the counts, so the sum is a bilinear form of counts and signed counts.
    """
    found = signed_ranks(x, y, recipe).signed
    ranks, signs = np.abs(found), np.sign(found)
    n_pairs, n = ranks.shape
    used = ranks > 0
    same = (ranks[:, :, None] == ranks[:, None, :]) & used[:, :, None]
    less = (ranks[:, :, None] > ranks[:, None, :]) & used[:, None, :]
    dtype = exact_dtype(n)
    halves = (2 * less.view(np.int8) + same.view(np.int8)) * signs[:, :, None].astype(np.int8)
    forms = halves.reshape(n_pairs * n, n).T.astype(dtype)
    squares = _squares(same, used)

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both sums for each resample and pair, of doubled ranks."""
        ranked = (drawn.astype(dtype) @ forms).reshape(len(drawn), n_pairs, n)
        total: Floats = np.matmul(ranked, signed.astype(dtype)[:, :, None])[:, :, 0]
        total += (signed @ signs.T).astype(dtype)
        square = squares(drawn)
        return np.abs(total, out=total), np.where(square > 0, 4 * square, 1.0)  # without ranks total is 0

    return parts


def _squares(same: BoolArray, used: BoolArray) -> Callable[[FloatArray], FloatArray]:
    """Give the sum of squared mid-ranks: m(m+1)(2m+1)/6 of m drawn, less (t^3 - t)/12 for t equal ones.

    One topic drawn often ties with itself.
    """
    n_pairs, n = used.shape
    size = same.sum(axis=2)
    single = (used & (size == 1)).T.astype(np.float64)
    first = (same.argmax(axis=2) == np.arange(n)) & (size > 1)
    owner, topic = np.nonzero(first)
    groups = same[owner, topic].T.astype(np.float64)
    owners = (owner[:, None] == np.arange(n_pairs)).astype(np.float64)
    counted = used.T.astype(np.float64)

    def squares(drawn: FloatArray) -> FloatArray:
        """The sum for each resample and pair."""
        m = drawn @ counted
        found = m * (m + 1) * (2 * m + 1) / 6 - (drawn**3 - drawn) @ single / 12
        if len(owner):
            t = drawn @ groups
            found -= (t**3 - t) @ owners / 12
        return np.asarray(found)

    return squares


WILCOXON = PairStatistic(
    "wilcoxon",
    _outcome,
    mc=_signed_ranks,
    hb=_parts,
    hb_needs={"zero_method": "wilcox"},
    about="Wilcoxon's signed ranks of the differences by topic",
)
