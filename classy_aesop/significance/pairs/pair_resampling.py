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
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    check_choice,
    check_count,
    score_matrix,
)
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import (
    PAIR_TESTS,
    PairTests,
    align_intervals,
    batch_slices,
    compare_pairs,
)
from classy_aesop.significance.pairs.pair_statistics import Recipe, get_recipe
from classy_aesop.significance.resampling.resamples import count_draws

RESAMPLING_METHODS = ("mc", "hb")

_RESAMPLES, _PAIRS = 250, 64  # worked on at once: they stay in the cache


def resample_pairs(
    X: ArrayLike,
    *,
    method: str = "mc",
    test: str = "wilcoxon",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    correction: str = "holm",
    confidence: float | None = 0.95,
    cutoff: bool = False,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
    advance: Callable[[int], None] | None = None,
) -> PairTests:
    """Test pairs of summarizers, two-sided, by resampling.

    ``test`` of the result names method and statistic; other columns are as without resampling.

    Raises ValueError for unknown names, a test or a recipe that cannot be resampled so, ``n_resamples`` below
    1, and as ``compare_pairs``.

    Parameters
    ----------
    method : {"mc", "hb"}
        Exchange only, or resample topics first.
    test : str
        A name of ``PAIR_TESTS`` that declares this resampling: "unpaired_t", "paired_t" or "wilcoxon".
    pairs, preset, correction, confidence
        As for :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`. HB of signed ranks drops zero
        differences.
    cutoff : bool
        Give the share of resamples above the observed statistic instead of (count + 1) / (n + 1). It is at most
        alpha exactly when the statistic reaches the papers' cutoff: the smallest value that a share of 1 - alpha
        of the resamples does not exceed. It can be 0.
    n_resamples : int
        For every pair; 2,000 in the papers.
    advance : callable, optional
        Called with the number of pairs just finished.

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3, 5, 4], [2, 3, 2, 4, 2, 2, 4, 3]]
    >>> found = resample_pairs(X, rng=np.random.default_rng(0))
    >>> found.test, bool(found.p[0] < 0.02)
    ('mc_wilcoxon', True)
    """
    recipe = get_recipe(preset)
    check_resampling(method, test, recipe)
    check_count(n_resamples, "n_resamples")
    X = score_matrix(X)
    how: dict[str, Any] = {"correction": correction, "confidence": confidence}
    plain = compare_pairs(X, test=test, pairs=pairs, preset=recipe, **how)
    x, y = X[plain.first], X[plain.second]
    how = {"test": test, "recipe": recipe, "above": cutoff}
    count, shared = np.zeros(len(x), dtype=np.int64), ~np.isnan(x + y)
    numbers, done = shared.sum(axis=1), advance or (lambda _: None)
    if method == "mc":
        flips = rng.integers(2, size=(n_resamples, X.shape[1]), dtype=bool)
        for part in batch_slices(len(x), 4 * _PAIRS):
            count[part] = mc_counts(x[part], y[part], flips, **how)
            done(len(x[part]))
    else:
        for n in np.unique(numbers[numbers > 0]):  # pairs that share as many topics, on these
            rows, size = np.flatnonzero(numbers == n), (n_resamples, int(n))
            first, second = (S[rows][shared[rows]].reshape(len(rows), n) for S in (x, y))
            topics, flips = rng.integers(size[1], size=size), rng.integers(2, size=size, dtype=bool)
            count[rows] = hb_counts(first, second, topics, flips, advance=done, **how)
    p = count / n_resamples if cutoff else (count + 1) / (n_resamples + 1)
    p = np.where(np.isin(plain.flag, [TOO_FEW_TOPICS, NO_DIFFERENCE]), 1.0, p)
    columns: dict[str, Any] = {
        "p": p,
        "p_adjusted": adjust_p_values(p, correction=correction),
        **align_intervals(plain, p),
    }
    return replace(plain, test=f"{method}_{test}", n_resamples=n_resamples, **columns)


def check_resampling(method: str, test: str, recipe: Recipe) -> None:
    """Raise ValueError unless a test declares this resampling and the recipe is one that it works with."""
    check_choice(method, RESAMPLING_METHODS, "method")
    check_choice(test, PAIR_TESTS, "test")
    if getattr(PAIR_TESTS[test], method) is None:
        known = ", ".join(name for name, one in PAIR_TESTS.items() if getattr(one, method) is not None)
        raise ValueError(f"test is {test!r}, which cannot be resampled by {method}; expected one of {known}")
    for name, needed in PAIR_TESTS[test].hb_needs.items() if method == "hb" else ():
        if (found := getattr(recipe, name)) != needed:
            raise ValueError(f"{name} is {found!r}; expected {needed!r} for {test} resampled by hb")


def mc_counts(
    x: FloatArray, y: FloatArray, flips: BoolArray, *, test: str, recipe: Recipe, above: bool = False
) -> IntArray:
    """Count the resamples that reach the observed statistic under given exchanges; the test declares ``mc``.

    Parameters
    ----------
    x, y : ndarray, shape (n_pairs, n_topics)
        Scores of the two; NaN where missing.
    flips : ndarray of bool, shape (n_resamples, n_topics)
        Topics exchanged.
    above : bool
        Count only those that exceed it. Statistics that differ by rounding only are equal.
    """
    values = PAIR_TESTS[test].mc(x, y, recipe)  # type: ignore[misc]
    slack = x.shape[1] * (ROUNDING if above else -ROUNDING)
    least = (np.abs(values.sum(axis=1)) + slack).astype(values.dtype)
    kept = (1 - 2 * flips.astype(np.int8)).astype(values.dtype)
    count = np.zeros(len(x), dtype=np.int64)
    for part in batch_slices(len(flips), _RESAMPLES):
        sizes = np.abs(kept[part] @ values.T)
        count += np.count_nonzero(sizes > least if above else sizes >= least, axis=0)
    return count


def hb_counts(
    x: FloatArray,
    y: FloatArray,
    topics: IntArray,
    flips: BoolArray,
    *,
    test: str,
    recipe: Recipe,
    above: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> IntArray:
    """Count as :func:`mc_counts` does, on given resamples of topics; for pairs without missing topics.

    Parameters
    ----------
    topics, flips : ndarray of int and of bool, shape (n_resamples, n_topics)
        Topics of each resample, and which of them are exchanged.
    """
    n = x.shape[1]
    drawn = count_draws(topics, n)
    signed = drawn - 2 * count_draws(topics, n, flips)
    count = np.zeros(len(x), dtype=np.int64)
    once, slack = np.ones((1, n)), ROUNDING if above else -ROUNDING
    for pairs in batch_slices(len(x), _PAIRS):
        parts = PAIR_TESTS[test].hb(x[pairs], y[pairs], recipe)  # type: ignore[misc]
        size, square = parts(once, once)
        observed = size[0] / np.sqrt(square[0])
        for part in batch_slices(len(topics), _RESAMPLES):
            size, square = parts(drawn[part], signed[part])
            least = np.sqrt(square) * observed * (1 + slack) + n * slack
            count[pairs] += np.count_nonzero(size > least if above else size >= least, axis=0)
        advance(len(x[pairs]))
    return count
