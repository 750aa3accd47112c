"""Resampling tests of pairs of summarizers: how often does chance give as large a difference?

MC exchanges the two scores of each topic with probability one half, which changes the sign of their difference.
HB first resamples the pair's topics, then exchanges.

Exchanges leave the sizes of differences and their ranks alone, so MC is one matrix product of signs and values. Both
t grow with the size of the summed differences there, so their p-values are equal. All pairs share their resamples,
in HB all pairs with equally many topics: each p-value is valid, but the Monte Carlo errors of two pairs are not
independent.

Rankel et al. (2011), section 2; Rankel (2016), section 4.2.

Departs from the paper: p = (count + 1)/(n + 1), with the papers' cutoff beside it; pairs share their resamples. Where
topics are resampled the number of nonzero differences varies, so the sum of signed ranks is divided by its standard
deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    AnyFloats,
    BoolArray,
    FloatArray,
    IntArray,
    batch_slices,
    score_matrix,
)
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.draws import count_draws, exact_dtype
from classy_aesop.significance.equality import ROUNDING, round_to_zero, rounding_slack_of_pairs
from classy_aesop.significance.flags import NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.pairs.pair_statistics import Recipe, get_recipe
from classy_aesop.significance.pairs.signed_ranks import signed_ranks
from classy_aesop.significance.sign_flips import count_sums

RESAMPLING_METHODS = ("mc", "hb")
"""Exchanges only, or exchanges on resampled topics."""

RESAMPLES_PER_BATCH = 250
PAIRS_PER_BATCH = 64
"""Resamples and pairs computed at once: they stay in the cache."""


class ResampledPairs(NamedTuple):
    """P-values of pairs by resampling, two-sided, (n_pairs,) each; 1 where nothing can be tested.

    By cutoff p is the share of resamples with a greater statistic, not counting the observed one.
    """

    p: FloatArray
    p_by_cutoff: FloatArray


def resample_pairs(
    X: ArrayLike,
    *,
    method: str = "mc",
    test: str = "paired_t",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> ResampledPairs:
    """Test pairs of summarizers, two-sided, by resampling.

    Shapes: ``X`` (n_summarizers, n_topics).

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3, 5, 4], [2, 3, 2, 4, 2, 2, 4, 3]]
    >>> bool(resample_pairs(X, rng=np.random.default_rng(0)).p[0] < 0.02)
    True
    """
    recipe = get_recipe(preset)
    X = score_matrix(X)
    tests = compare_pairs(X, test=test, pairs=pairs, preset=recipe, correction="none", confidence=None)
    x = X[tests.first]
    y = X[tests.second]
    if method == "mc":
        flips = rng.integers(2, size=(n_resamples, X.shape[1]), dtype=bool)
        n_greater, n_reached = mc_counts(x, y, flips, test=test, recipe=recipe)
    else:
        n_greater, n_reached = _count_all_hb(x, y, n_resamples, rng, test, recipe)
    is_untested = np.isin(tests.flag, [TOO_FEW_TOPICS, NO_DIFFERENCE])
    return ResampledPairs(
        p=np.where(is_untested, 1.0, (n_reached + 1) / (n_resamples + 1)),
        p_by_cutoff=np.where(is_untested, 1.0, n_greater / n_resamples),
    )


def _count_all_hb(
    x: FloatArray, y: FloatArray, n_resamples: int, rng: np.random.Generator, test: str, recipe: Recipe
) -> IntArray:
    """Count the resamples of all pairs; pairs that share equally many topics have the same resamples of them."""
    shared = ~np.isnan(x + y)
    n_shared = shared.sum(axis=1)
    counts = np.zeros((2, len(x)), dtype=np.int64)
    for n in np.unique(n_shared[n_shared > 0]):
        rows = np.flatnonzero(n_shared == n)
        shape = (len(rows), int(n))
        first = x[rows][shared[rows]].reshape(shape)
        second = y[rows][shared[rows]].reshape(shape)
        topics = rng.integers(n, size=(n_resamples, n))
        flips = rng.integers(2, size=(n_resamples, n), dtype=bool)
        counts[:, rows] = hb_counts(first, second, topics, flips, test=test, recipe=recipe)
    return counts


def mc_counts(x: FloatArray, y: FloatArray, flips: BoolArray, *, test: str, recipe: Recipe) -> IntArray:
    """Count the exchanges whose statistic is greater than the observed one, and those that reach it.

    Shapes: ``x`` and ``y`` (n_pairs, n_topics), ``flips`` (n_resamples, n_topics); gives (2, n_pairs).
    """
    values: AnyFloats
    if test == "wilcoxon":  # ranks are whole or half, so sums in small floats are exact
        values = signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))
    else:  # both t grow with the size of the sum of differences, as exchanges keep the squares
        values = np.nan_to_num(_scale_pair_to_one(x, y)[0])
    return count_sums(values, np.abs(values.sum(axis=1)), flips, x.shape[1] * ROUNDING)


def hb_counts(
    x: FloatArray, y: FloatArray, topics: IntArray, flips: BoolArray, *, test: str, recipe: Recipe
) -> IntArray:
    """Count as :func:`mc_counts` does, on given resamples of topics; for pairs without missing topics.

    Shapes: ``topics`` and ``flips`` (n_resamples, n_topics); gives (2, n_pairs).
    """
    n = x.shape[1]
    counts = count_draws(topics, n)
    signed_counts = counts - 2 * count_draws(topics, n, flips)
    n_as_extreme = np.zeros((2, len(x)), dtype=np.int64)
    once = np.ones((1, n))
    for pairs in batch_slices(len(x), PAIRS_PER_BATCH):
        sizes = RESAMPLED_TESTS[test](x[pairs], y[pairs], recipe)
        size, square = sizes(once, once)
        observed = size[0] / np.sqrt(square[0])
        for batch in batch_slices(len(topics), RESAMPLES_PER_BATCH):
            size, square = sizes(counts[batch], signed_counts[batch])
            threshold = np.sqrt(square) * observed
            is_greater = size > threshold * (1 + ROUNDING) + n * ROUNDING
            is_reached = size >= threshold * (1 - ROUNDING) - n * ROUNDING
            n_as_extreme[:, pairs] += np.count_nonzero([is_greater, is_reached], axis=1)
    return n_as_extreme


ResampledSizes = Callable[[FloatArray, FloatArray], tuple[AnyFloats, FloatArray]]
"""The size of a statistic on resampled and exchanged topics.

From how often each topic is drawn, and how often it is drawn and kept less drawn and exchanged, (n_resamples, n_topics)
each, to two arrays of shape (n_resamples, n_pairs): the statistic's size is the first over the root of the second,
which is never 0.
"""


def _scale_pair_to_one(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Differences and means of the two in units of each pair's largest score, so that all have one slack."""
    slack = rounding_slack_of_pairs(x, y)
    unit = np.where(slack > 0, slack / ROUNDING, 1.0)
    return round_to_zero(x - y, slack) / unit, (x + y) / 2 / unit


def _t_sizes(x: FloatArray, y: FloatArray, recipe: Recipe, *, paired: bool) -> ResampledSizes:
    """Size of the summed differences, and the sum of squares by which it is divided, for HB.

    The squares are those of the differences, or for the unpaired t those of the scores around their joint mean: t^2
    grows with the square of the first over the second; they are 0 and 1 where nothing varies.
    """
    differences, means = _scale_pair_to_one(x, y)
    z = differences.T
    joint = means.T
    joint = joint - joint.mean(axis=0)
    square = z**2 if paired else 2 * joint**2 + z**2 / 2

    def sizes(counts: FloatArray, signed_counts: FloatArray) -> tuple[AnyFloats, FloatArray]:
        """Give both for each resample and pair."""
        size = np.abs(signed_counts @ z)
        square_sum = counts @ square
        if not paired:
            square_sum -= 2 * (counts @ joint) ** 2 / counts.sum(axis=1)[:, None]
        return np.where(square_sum > 0, size, 0.0), np.where(square_sum > 0, square_sum, 1.0)

    return sizes


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
    doubled_shares = (np.sign(row_size - column_size) + 1) * (column_size > 0)
    signed_shares = doubled_shares * signs[:, :, None]
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


RESAMPLED_TESTS: dict[str, Callable[[FloatArray, FloatArray, Recipe], ResampledSizes]] = {
    "unpaired_t": partial(_t_sizes, paired=False),
    "paired_t": partial(_t_sizes, paired=True),
    "wilcoxon": _signed_rank_sizes,
}
"""The tests that are resampled, each with the sizes of its statistic."""
