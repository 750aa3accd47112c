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

from classy_aesop.papers.mixture_power import standard_statistic
from classy_aesop.significance.base import FloatArray, IntArray
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
    shared = ~np.isnan(x + y)
    slack = rounding_slack_of_pairs(x, y)
    if test == "wilcoxon":
        x = signed_ranks(x, y, recipe).signed
        y = np.zeros_like(x)
        slack = np.zeros((len(x), 1))
    if method == "mc":
        differences = np.where(shared, round_to_zero(x - y, slack), 0.0)
        flips = rng.integers(2, size=(n_resamples, X.shape[1]), dtype=bool)
        n_greater, n_reached = count_sums(
            differences, np.abs(differences.sum(axis=1)), flips, X.shape[1] * slack[:, 0]
        )
    else:
        n_greater, n_reached = np.zeros((2, len(x)), dtype=np.int64)
        n_shared = shared.sum(axis=1)
        for n in np.unique(n_shared[n_shared > 0]):
            topics = np.vstack([np.arange(n), rng.integers(n, size=(n_resamples, n))])
            flips = np.vstack([np.zeros(n, bool), rng.integers(2, size=(n_resamples, n), dtype=bool)])
            for pair in np.flatnonzero(n_shared == n):
                first = x[pair, shared[pair]][topics]
                second = y[pair, shared[pair]][topics]
                exchanged = (np.where(flips, second, first), np.where(flips, first, second))
                sizes = np.abs(standard_statistic(test, *exchanged))
                n_greater[pair] = np.sum(sizes[1:] > sizes[0] * (1 + ROUNDING))
                n_reached[pair] = np.sum(sizes[1:] >= sizes[0] * (1 - ROUNDING))
    is_untested = np.isin(tests.flag, [TOO_FEW_TOPICS, NO_DIFFERENCE])
    return ResampledPairs(
        p=np.where(is_untested, 1.0, (n_reached + 1) / (n_resamples + 1)),
        p_by_cutoff=np.where(is_untested, 1.0, n_greater / n_resamples),
    )
