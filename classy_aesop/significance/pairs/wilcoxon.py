"""The signed-rank test as a test of two summarizers: its p-value, its interval and how it is resampled.

Departs from Rankel (2016): where topics are resampled (HB) the number of nonzero differences varies, so the sum of
signed ranks is divided by its standard deviation.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from classy_aesop.significance.base import FloatArray, Floats
from classy_aesop.significance.pairs.pair_statistics import (
    PairOutcome,
    PairStatistic,
    Recipe,
    ResampledSizes,
    difference_moments,
)
from classy_aesop.significance.pairs.signed_rank_intervals import signed_rank_interval
from classy_aesop.significance.pairs.signed_ranks import (
    SignedRanks,
    is_exact,
    signed_rank_distribution,
    signed_ranks,
)
from classy_aesop.significance.resampling.resamples import exact_dtype


def _outcome(x: FloatArray, y: FloatArray, recipe: Recipe) -> PairOutcome:
    found, (n, difference, _) = signed_ranks(x, y, recipe), difference_moments(x, y)
    has_ranks = found.total > 0
    effect = np.where(has_ranks, 2 * found.plus / np.where(has_ranks, found.total, 1.0) - 1, 0.0)
    p, interval = partial(_p, found, recipe), partial(signed_rank_interval, x, y, recipe)
    return PairOutcome(n, found.n, difference, found.plus, effect, found.n == 0, p, interval)


def _p(found: SignedRanks, recipe: Recipe, alternative: str) -> FloatArray:
    """P-value of each row, shape (n_pairs,); 1 where no difference is left."""
    from scipy.special import ndtr

    away = found.plus - found.total / 2
    half = 0.5 * recipe.continuity
    shifts: dict[str, Any] = {"two-sided": half * np.sign(away), "greater": half, "less": -half}
    z = (away - shifts[alternative]) / np.sqrt(np.where(found.n > 0, found.variance, 1.0))
    lower, upper = ndtr(z), ndtr(-z)
    exact = np.flatnonzero(is_exact(recipe.exact, found.n, found.tied))
    kinds, which = found.ranks[:0], exact
    if exact.size:
        kinds, which = np.unique(np.sort(found.ranks[exact], axis=1), axis=0, return_inverse=True)
    for kind, ranks in enumerate(kinds):
        rows = exact[which == kind]
        tail = np.cumsum(signed_rank_distribution(np.rint(2 * ranks[ranks > 0]).astype(np.int64)))
        # halved ranks of zeros may put W+ between two possible values: neither tail then holds it
        lower[rows] = tail[np.floor(2 * found.plus[rows]).astype(np.int64)]
        upper[rows] = tail[len(tail) - 1 - np.ceil(2 * found.plus[rows]).astype(np.int64)]
    # the observed value is in both tails
    both = {"two-sided": np.minimum(2 * np.minimum(lower, upper), 1.0), "greater": upper, "less": lower}
    return np.where(found.n == 0, 1.0, both[alternative])


def _signed_values(x: FloatArray, y: FloatArray, recipe: Recipe) -> Floats:
    """Give the signed ranks; they are whole or half, so small floats hold their sums without loss."""
    return signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))


def _resampled_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> ResampledSizes:
    """Give the size of the sum of signed ranks and the sum of their squares, both of doubled ranks.

    A drawn topic's rank is linear in how often each topic is drawn.
    """
    found = signed_ranks(x, y, recipe).signed
    (n_pairs, n), dtype, signs = found.shape, exact_dtype(found.shape[1]), np.sign(found)
    one, other = np.abs(found)[:, :, None], np.abs(found)[:, None, :]
    halves = (2 * (one > other).view(np.int8) + (one == other).view(np.int8)) * (other > 0)
    forms = (halves * signs.astype(np.int8)[:, :, None]).reshape(n_pairs * n, n).T.astype(dtype)

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        ranked = (drawn.astype(dtype) @ forms).reshape(len(drawn), n_pairs, n)
        ranked += signs.astype(dtype)
        total: Floats = np.matmul(ranked, signed.astype(dtype)[:, :, None])[:, :, 0]
        square = np.matmul(np.square(ranked, dtype=np.float64), drawn[:, :, None])[:, :, 0]
        return np.abs(total, out=total), np.where(square > 0, square, 1.0)  # without ranks total is 0

    return parts


WILCOXON = PairStatistic(
    "wilcoxon",
    _outcome,
    mc=_signed_values,
    hb=_resampled_parts,
    hb_needs={"zero_method": "wilcox"},
    about="Wilcoxon's signed ranks of the differences by topic",
)
