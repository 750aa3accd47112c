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

from typing import NamedTuple

import numpy as np

from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.draws import count_draws
from classy_aesop.significance.equality import ROUNDING, round_to_zero, rounding_slack_of_pairs
from classy_aesop.significance.flags import NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.pairs.signed_ranks import Recipe, signed_rank_test, signed_ranks
from classy_aesop.significance.sign_flips import count_sums

RESAMPLING_METHODS = ("mc", "hb")
"""Exchanges only, or exchanges on resampled topics."""


class ResampledPairs(NamedTuple):
    """P-values of pairs by resampling, two-sided, (n_pairs,) each; 1 where nothing can be tested.

    By cutoff p is the share of resamples with a greater statistic, not counting the observed one.
    """

    p: FloatArray
    p_by_cutoff: FloatArray


def resample_pairs(
    X: FloatArray,
    *,
    method: str,
    test: str,
    pairs: IntArray | None = None,
    recipe: Recipe,
    n_resamples: int,
    rng: np.random.Generator,
) -> ResampledPairs:
    """Test pairs of summarizers, two-sided, by resampling.

    Shapes: ``X`` (n_summarizers, n_topics), ``pairs`` (n_pairs, 2).
    """
    tests = compare_pairs(
        X,
        test=signed_rank_test(recipe) if test == "wilcoxon" else test,
        pairs=pairs,
        correction="none",
        confidence=None,
    )
    x = X[tests.first]
    y = X[tests.second]
    differences, means = _scale_pairs_to_one(x, y)
    values = signed_ranks(x, y, recipe).signed if test == "wilcoxon" else np.nan_to_num(differences)
    if method == "mc":
        flips = rng.integers(2, size=(n_resamples, X.shape[1]), dtype=bool)
        n_greater, n_reached = count_sums(values, np.abs(values.sum(axis=1)), flips, X.shape[1] * ROUNDING)
    else:
        n_greater, n_reached = np.zeros((2, len(x)), dtype=np.int64)
        shared = ~np.isnan(x + y)
        n_shared = shared.sum(axis=1)
        for n in np.unique(n_shared[n_shared > 0]):
            topics = rng.integers(n, size=(n_resamples, n))
            flips = rng.integers(2, size=(n_resamples, n), dtype=bool)
            counts = count_draws(topics, n)
            signed_counts = counts - 2 * count_draws(topics, n, flips)
            for pair in np.flatnonzero(n_shared == n):
                is_shared = shared[pair]
                n_greater[pair], n_reached[pair] = count_hb(
                    values[pair, is_shared], means[pair, is_shared], counts, signed_counts, test
                )
    is_untested = np.isin(tests.flag, [TOO_FEW_TOPICS, NO_DIFFERENCE])
    return ResampledPairs(
        p=np.where(is_untested, 1.0, (n_reached + 1) / (n_resamples + 1)),
        p_by_cutoff=np.where(is_untested, 1.0, n_greater / n_resamples),
    )


def _scale_pairs_to_one(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Differences and means of the two in units of each pair's largest score, so that all have one slack."""
    slack = rounding_slack_of_pairs(x, y)
    unit = np.where(slack > 0, slack / ROUNDING, 1.0)
    return round_to_zero(x - y, slack) / unit, (x + y) / 2 / unit


def count_hb(
    values: FloatArray, means: FloatArray, counts: FloatArray, signed_counts: FloatArray, test: str
) -> tuple[int, int]:
    """Count the resamples of a pair whose statistic is greater than the observed one, and those that reach it.

    ``counts`` say how often a resample has each topic, ``signed_counts`` how much more often as it is than exchanged.

    Shapes: ``values``, differences or their signed ranks, and ``means`` (n_topics,), the others (n_resamples,
    n_topics).
    """
    n = len(values)
    once = np.ones((1, n))
    size, square = _sizes(values, means, once, once, test)
    observed = size[0] / np.sqrt(square[0])
    size, square = _sizes(values, means, counts, signed_counts, test)
    threshold = np.sqrt(square) * observed
    is_greater = size > threshold * (1 + ROUNDING) + n * ROUNDING
    is_reached = size >= threshold * (1 - ROUNDING) - n * ROUNDING
    return int(is_greater.sum()), int(is_reached.sum())


def _sizes(
    values: FloatArray, means: FloatArray, counts: FloatArray, signed_counts: FloatArray, test: str
) -> tuple[FloatArray, FloatArray]:
    """Size of the summed values of each resample, and the sum of squares over whose root it is the statistic.

    Of signed ranks both are of doubled ranks, which are linear in how often each topic is drawn. The squares of the t
    are those of the differences, or for the unpaired one of the scores around their joint mean: t^2 grows with the
    square of the first over the second. They are 0 and 1 where nothing varies.
    """
    if test == "wilcoxon":
        sizes = np.abs(values)
        shares = (np.sign(sizes - sizes[:, None]) + 1) * (sizes[:, None] > 0)
        ranks = np.sign(values) * (counts @ shares + 1)
        total = (signed_counts * ranks).sum(axis=1)
        square = (counts * np.square(ranks)).sum(axis=1)
    else:
        total = signed_counts @ values
        square = counts @ np.square(values)
        if test == "unpaired_t":
            deviations = means - means.mean()
            about_mean = counts @ np.square(deviations) - np.square(counts @ deviations) / len(values)
            square = square / 2 + 2 * about_mean
    return np.where(square > 0, np.abs(total), 0.0), np.where(square > 0, square, 1.0)
