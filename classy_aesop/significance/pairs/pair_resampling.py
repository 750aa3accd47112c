"""Resampling tests of pairs of summarizers: how often does chance give as large a difference?

MC exchanges the two scores of each topic with probability one half, which changes the sign of their difference.
HB first resamples the pair's topics, then exchanges. Each test declares the statistic that is counted
(:mod:`classy_aesop.significance.pairs.pair_statistics`); a test that declares none for a resampling is refused.

Exchanges leave the sizes of differences and their ranks alone, so MC is one matrix product of signs and values. Both
t grow with the size of the summed differences there, so their p-values are equal. All pairs share their resamples,
in HB all pairs with equally many topics: each p-value is valid, but the Monte Carlo errors of two pairs are not
independent.

Rankel et al. (2011), section 2; Rankel (2016), section 4.2.

Departs from the paper: p = (count + 1)/(n + 1), unless the papers' cutoff is asked for; pairs share their resamples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    batch_slices,
    check_choice,
    check_count,
    score_matrix,
)
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.differences import Differences, interval_levels
from classy_aesop.significance.draws import count_draws
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.pair_statistics import Recipe, get_recipe
from classy_aesop.significance.sign_flips import count_sums

RESAMPLING_METHODS = ("mc", "hb")
"""Exchanges only, or exchanges on resampled topics."""

RESAMPLES_PER_BATCH = 250
PAIRS_PER_BATCH = 64
"""Resamples and pairs computed at once: they stay in the cache."""


def resample_pairs(
    X: ArrayLike,
    *,
    method: str = "mc",
    test: str = "paired_t",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    correction: str = "holm",
    confidence: float | None = 0.95,
    cutoff: bool = False,
    n_resamples: int = N_RESAMPLES,
    pass_or_fail: bool = False,
    rng: np.random.Generator,
    advance: Callable[[int], None] | None = None,
) -> Differences:
    """Test pairs of summarizers, two-sided, by resampling.

    Shapes: ``X`` (n_summarizers, n_topics).

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3, 5, 4], [2, 3, 2, 4, 2, 2, 4, 3]]
    >>> tests = resample_pairs(X, rng=np.random.default_rng(0))
    >>> tests.test, bool(tests.p[0] < 0.02)
    ('mc_paired_t', True)
    """
    recipe = get_recipe(preset)
    check_resampling(method, test)
    check_count(n_resamples, "n_resamples")
    X = score_matrix(X)
    tests = compare_pairs(
        X,
        test=test,
        pairs=pairs,
        preset=recipe,
        correction=correction,
        confidence=confidence,
        pass_or_fail=pass_or_fail,
    )
    x = X[tests.first]
    y = X[tests.second]
    count_all = _count_all_mc if method == "mc" else _count_all_hb
    count = count_all(x, y, n_resamples, rng, test, recipe, cutoff, advance or _ignore_progress)
    p = count / n_resamples if cutoff else (count + 1) / (n_resamples + 1)
    p = np.where(np.isin(tests.flag, [TOO_FEW_TOPICS, NO_DIFFERENCE]), 1.0, p)
    resampled = replace(
        tests,
        test=f"{method}_{test}",
        n_resamples=n_resamples,
        p=p,
        p_adjusted=adjust_p_values(p, correction=correction),
        error=None,
        df=None,
    )
    return resampled.align_intervals(p, interval_levels(confidence, correction, len(p)))


def _ignore_progress(n_pairs: int) -> None:
    """Report nothing."""


def _count_all_mc(
    x: FloatArray,
    y: FloatArray,
    n_resamples: int,
    rng: np.random.Generator,
    test: str,
    recipe: Recipe,
    above: bool,
    advance: Callable[[int], None],
) -> IntArray:
    """Count the exchanges of all pairs that reach the observed statistic; all pairs have the same exchanges."""
    flips = rng.integers(2, size=(n_resamples, x.shape[1]), dtype=bool)
    count = np.zeros(len(x), dtype=np.int64)
    for batch in batch_slices(len(x), 4 * PAIRS_PER_BATCH):
        count[batch] = mc_counts(x[batch], y[batch], flips, test=test, recipe=recipe, above=above)
        advance(len(x[batch]))
    return count


def _count_all_hb(
    x: FloatArray,
    y: FloatArray,
    n_resamples: int,
    rng: np.random.Generator,
    test: str,
    recipe: Recipe,
    above: bool,
    advance: Callable[[int], None],
) -> IntArray:
    """Count the resamples of all pairs; pairs that share equally many topics have the same resamples of them."""
    shared = ~np.isnan(x + y)
    n_shared = shared.sum(axis=1)
    count = np.zeros(len(x), dtype=np.int64)
    for n in np.unique(n_shared[n_shared > 0]):
        rows = np.flatnonzero(n_shared == n)
        shape = (len(rows), int(n))
        size = (n_resamples, int(n))
        topics = rng.integers(size[1], size=size)
        flips = rng.integers(2, size=size, dtype=bool)
        count[rows] = hb_counts(
            x[rows][shared[rows]].reshape(shape),
            y[rows][shared[rows]].reshape(shape),
            topics,
            flips,
            test=test,
            recipe=recipe,
            above=above,
            advance=advance,
        )
    return count


def check_resampling(method: str, test: str) -> None:
    """Raise ValueError unless a test declares a resampling."""
    check_choice(method, RESAMPLING_METHODS, "method")
    check_choice(test, PAIR_TESTS, "test")
    if getattr(PAIR_TESTS[test], method) is None:
        names = ", ".join(
            name for name, statistic in PAIR_TESTS.items() if getattr(statistic, method) is not None
        )
        raise ValueError(f"test is {test!r}, which cannot be resampled by {method}; expected one of {names}")


def mc_counts(
    x: FloatArray, y: FloatArray, flips: BoolArray, *, test: str, recipe: Recipe, above: bool = False
) -> IntArray:
    """Count the resamples that reach the observed statistic under given exchanges.

    Shapes: ``x`` and ``y`` (n_pairs, n_topics), ``flips`` (n_resamples, n_topics); gives (n_pairs,).
    """
    values = PAIR_TESTS[test].mc(x, y, recipe)  # type: ignore[misc]
    sizes = np.abs(values.sum(axis=1))
    n_greater, n_reached = count_sums(values, sizes, flips, x.shape[1] * ROUNDING)
    return np.asarray(n_greater if above else n_reached)


def hb_counts(
    x: FloatArray,
    y: FloatArray,
    topics: IntArray,
    flips: BoolArray,
    *,
    test: str,
    recipe: Recipe,
    above: bool = False,
    advance: Callable[[int], None] = _ignore_progress,
) -> IntArray:
    """Count as :func:`mc_counts` does, on given resamples of topics; for pairs without missing topics.

    Shapes: ``topics`` and ``flips`` (n_resamples, n_topics); gives (n_pairs,).
    """
    n = x.shape[1]
    counts = count_draws(topics, n)
    signed_counts = counts - 2 * count_draws(topics, n, flips)
    count = np.zeros(len(x), dtype=np.int64)
    once = np.ones((1, n))
    slack = ROUNDING if above else -ROUNDING
    for pairs in batch_slices(len(x), PAIRS_PER_BATCH):
        sizes = PAIR_TESTS[test].hb(x[pairs], y[pairs], recipe)  # type: ignore[misc]
        size, square = sizes(once, once)
        observed = size[0] / np.sqrt(square[0])
        for batch in batch_slices(len(topics), RESAMPLES_PER_BATCH):
            size, square = sizes(counts[batch], signed_counts[batch])
            threshold = np.sqrt(square) * observed * (1 + slack) + n * slack
            count[pairs] += np.count_nonzero(size > threshold if above else size >= threshold, axis=0)
        advance(len(x[pairs]))
    return count
