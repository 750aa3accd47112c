"""The signed-rank test as a test of two summarizers: its p-value, its interval and how it is resampled.

Departs from Rankel (2016): where topics are resampled (HB) the number of nonzero differences varies, so the sum of
signed ranks is divided by its standard deviation.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.significance.base import AnyFloats, FloatArray, IntArray
from classy_aesop.significance.draws import exact_dtype
from classy_aesop.significance.pairs.pair_statistics import (
    PairOutcome,
    PairStatistic,
    Recipe,
    ResampledSizes,
    count_shared,
)
from classy_aesop.significance.pairs.signed_rank_intervals import signed_rank_interval, signed_rank_shift
from classy_aesop.significance.pairs.signed_ranks import (
    SignedRanks,
    is_exact,
    signed_rank_distribution,
    signed_ranks,
)


def _wilcoxon_outcome(x: FloatArray, y: FloatArray, recipe: Recipe) -> PairOutcome:
    """Test by signed ranks; the effect is the share of positive ranks less that of negative ones.

    The difference is the shift that the test is of, not that of the means.
    """
    ranks = signed_ranks(x, y, recipe)
    has_ranks = ranks.total > 0
    rank_biserial = 2 * ranks.plus / np.where(has_ranks, ranks.total, 1.0) - 1
    return PairOutcome(
        n=count_shared(x, y),
        n_used=ranks.n,
        difference=signed_rank_shift(x, y, recipe),
        statistic=ranks.plus,
        effect=np.where(has_ranks, rank_biserial, 0.0),
        same=ranks.n == 0,
        p=partial(_p_of_signed_ranks, ranks, recipe),
        interval=partial(signed_rank_interval, x, y, recipe),
    )


def _p_of_signed_ranks(ranks: SignedRanks, recipe: Recipe, alternative: str) -> FloatArray:
    """P-value of each row, shape (n_pairs,); 1 where no difference is left."""
    lower, upper = _normal_tails(ranks, recipe, alternative)
    exact_rows = np.flatnonzero(is_exact(recipe.exact, ranks.n, ranks.tied))
    if exact_rows.size:
        _replace_by_exact_tails(lower, upper, ranks, exact_rows)
    # the observed value is in both tails
    two_sided = np.minimum(2 * np.minimum(lower, upper), 1.0)
    p = {"two-sided": two_sided, "greater": upper, "less": lower}[alternative]
    return np.where(ranks.n == 0, 1.0, p)


def _normal_tails(ranks: SignedRanks, recipe: Recipe, alternative: str) -> tuple[FloatArray, FloatArray]:
    """Lower and upper tail probabilities by the normal distribution."""
    from scipy.special import ndtr

    deviation = ranks.plus - ranks.total / 2
    half_step = 0.5 * recipe.continuity
    if alternative == "two-sided":
        correction = half_step * np.sign(deviation)
    else:
        correction = np.full_like(deviation, half_step if alternative == "greater" else -half_step)
    z = (deviation - correction) / np.sqrt(np.where(ranks.n > 0, ranks.variance, 1.0))
    return ndtr(z), ndtr(-z)


def _replace_by_exact_tails(lower: FloatArray, upper: FloatArray, ranks: SignedRanks, rows: IntArray) -> None:
    """Put exact tail probabilities into the given rows; rows with the same ranks share a distribution."""
    distinct_ranks, index = np.unique(np.sort(ranks.ranks[rows], axis=1), axis=0, return_inverse=True)
    for number, row_ranks in enumerate(distinct_ranks):
        same_rows = rows[index == number]
        doubled_ranks = np.rint(2 * row_ranks[row_ranks > 0]).astype(np.int64)
        tail = np.cumsum(signed_rank_distribution(doubled_ranks))
        # halved ranks of zeros may put W+ between two possible values: then it is in neither tail
        doubled_plus = 2 * ranks.plus[same_rows]
        lower[same_rows] = tail[np.floor(doubled_plus).astype(np.int64)]
        upper[same_rows] = tail[len(tail) - 1 - np.ceil(doubled_plus).astype(np.int64)]


def _signed_rank_values(x: FloatArray, y: FloatArray, recipe: Recipe) -> AnyFloats:
    """Signed ranks by topic for MC; they are whole or half, so sums in small floats are exact."""
    return signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))


def _signed_rank_sizes(x: FloatArray, y: FloatArray, recipe: Recipe) -> ResampledSizes:
    """Size of the sum of signed ranks and the sum of their squares, both of doubled ranks, for HB.

    The rank of a resampled topic is linear in how often each topic is drawn.
    """
    signed = signed_ranks(x, y, recipe).signed
    n_pairs, n = signed.shape
    dtype = exact_dtype(n)
    signs = np.sign(signed)
    row_size = np.abs(signed)[:, :, None]
    column_size = np.abs(signed)[:, None, :]
    is_larger = (row_size > column_size).view(np.int8)
    is_equal = (row_size == column_size).view(np.int8)
    doubled_shares = (2 * is_larger + is_equal) * (column_size > 0)
    signed_shares = doubled_shares * signs.astype(np.int8)[:, :, None]
    forms = signed_shares.reshape(n_pairs * n, n).T.astype(dtype)

    def sizes(counts: FloatArray, signed_counts: FloatArray) -> tuple[AnyFloats, FloatArray]:
        """Give both for each resample and pair."""
        doubled_ranks = (counts.astype(dtype) @ forms).reshape(len(counts), n_pairs, n)
        doubled_ranks += signs.astype(dtype)
        total: AnyFloats = np.matmul(doubled_ranks, signed_counts.astype(dtype)[:, :, None])[:, :, 0]
        squares = np.square(doubled_ranks, dtype=np.float64)
        square_sum = np.matmul(squares, counts[:, :, None])[:, :, 0]
        return np.abs(total, out=total), np.where(square_sum > 0, square_sum, 1.0)  # without ranks total is 0

    return sizes


def _reverse_rank_sums(plus: FloatArray, n_used: IntArray) -> FloatArray:
    """Give the sums of negative ranks from those of positive ones."""
    return np.asarray(n_used * (n_used + 1) / 2 - plus)


WILCOXON = PairStatistic(
    "wilcoxon",
    _wilcoxon_outcome,
    mc=_signed_rank_values,
    hb=_signed_rank_sizes,
    about="Wilcoxon's signed ranks of the differences by topic",
    is_of_signs=True,
    reverse=_reverse_rank_sums,
)
