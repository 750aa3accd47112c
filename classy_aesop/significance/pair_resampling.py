"""Resampling tests of pairs of summarizers: how often does chance alone do as much?

MC exchanges the two scores of each topic with probability one half, which turns the sign of their
difference. HB first draws the pair's topics with replacement, then exchanges. The statistic is the size of
the unpaired t, of the paired t, or of the signed-rank sum, standardised in HB.

Exchanges leave the sizes of differences and their ranks alone, so MC is one matrix product of signs with
signed ranks. Both t are increasing in the size of the summed differences there, so they share one p-value.
All pairs with the same topics share their draws: each pair's p-value is valid, but the Monte Carlo errors of
two pairs are not independent.

Rankel et al. (2011), section 2; Rankel (2016), section 4.3.

Departs from the paper: in HB the number of nonzero differences varies, so the signed-rank sum is divided by
its standard deviation; p = (count + 1)/(n + 1), unless the papers' cutoff is asked for; pairs share their
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    N_RESAMPLES,
    BoolArray,
    FloatArray,
    IntArray,
    one_of,
    score_matrix,
)
from classy_aesop.significance.columns import counts_of, exact_dtype
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pairs import NO_DIFFERENCE, TESTS, TOO_FEW, PairTests, compare_pairs
from classy_aesop.significance.recipes import Recipe, recipe_of
from classy_aesop.significance.signed_rank import signed_ranks

METHODS = ("mc", "hb")

_SLACK = 1e-12  # share of a statistic that rounding explains
_DRAWS, _PAIRS = 250, 64  # worked on at once: they stay in the cache

#: Replicates of each pair that are as large as observed within rounding, and those that are larger;
#: (n_pairs,) each.
Counts = tuple[IntArray, IntArray]

#: Size of a statistic from how often each topic is drawn, and drawn and kept less drawn and exchanged.
Sizes = Callable[[FloatArray, FloatArray], FloatArray]


def resample_pairs(
    X: ArrayLike,
    *,
    method: str = "mc",
    test: str = "wilcoxon",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "rankel2011",
    correction: str = "holm",
    cutoff: bool = False,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> PairTests:
    """Test pairs of summarizers, two-sided, by resampling.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores; NaN where missing.
    method : {"mc", "hb"}
        Exchange only, or draw topics first.
    test : {"unpaired_t", "paired_t", "wilcoxon"}
        Whose statistic.
    pairs, preset, correction
        As for :func:`classy_aesop.significance.pairs.compare_pairs`; zero differences are dropped in HB.
    cutoff : bool
        Give the share of replicates above the observed statistic instead of (count + 1) / (n + 1): it is at
        most alpha exactly when the statistic reaches the papers' cutoff, the smallest replicate that a share
        of 1 - alpha does not exceed. It can be 0.
    n_resamples : int
        Replicates for every pair; 2,000 in the papers.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    PairTests
        ``test`` names method and statistic; other columns as without resampling.

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3, 5, 4], [2, 3, 2, 4, 2, 2, 4, 3]]
    >>> found = resample_pairs(X, rng=np.random.default_rng(0))
    >>> found.test, bool(found.p[0] < 0.02)
    ('mc_wilcoxon', True)
    """
    one_of(method, METHODS, "method")
    one_of(test, TESTS, "test")
    recipe = recipe_of(preset)
    if method == "hb" and recipe.zero_method != "wilcox":
        raise ValueError(
            f"zero_method is {recipe.zero_method!r}; expected 'wilcox', HB drops zero differences"
        )
    if n_resamples < 1:
        raise ValueError(f"n_resamples is {n_resamples}; expected at least 1")
    X = score_matrix(X)
    plain = compare_pairs(X, test=test, pairs=pairs, preset=recipe, correction="none")
    reached, above = _counts(X, plain, method, test, recipe, n_resamples, rng)
    p = above / n_resamples if cutoff else (reached + 1) / (n_resamples + 1)
    p = np.where(np.isin(plain.flag, [TOO_FEW, NO_DIFFERENCE]), 1.0, p)
    return replace(
        plain,
        test=f"{method}_{test}",
        correction=correction,
        p=p,
        p_adjusted=adjusted(p, correction=correction),
        n_resamples=n_resamples,
    )


def mc_counts(x: FloatArray, y: FloatArray, flips: BoolArray, *, test: str, recipe: Recipe) -> Counts:
    """Count the replicates that reach and that exceed the observed statistic under given exchanges.

    Parameters
    ----------
    x, y : ndarray, shape (n_pairs, n_topics)
        Scores of the two; NaN where missing.
    flips : ndarray of bool, shape (n_resamples, n_topics)
        Topics exchanged.
    test, recipe
        As for :func:`resample_pairs`.
    """
    values = signed_ranks(x, y, recipe).signed if test == "wilcoxon" else np.nan_to_num(x - y)
    slack = _SLACK * np.abs(values).sum(axis=1)
    observed = np.abs(values.sum(axis=1))
    reached, above = np.zeros((2, len(x)), dtype=np.int64)
    for part in _slices(len(flips), 8 * _DRAWS):
        sizes = np.abs((1.0 - 2.0 * flips[part]) @ values.T)
        reached += (sizes >= observed - slack).sum(axis=0)
        above += (sizes > observed + slack).sum(axis=0)
    return reached, above


def hb_counts(
    x: FloatArray, y: FloatArray, topics: IntArray, flips: BoolArray, *, test: str, recipe: Recipe
) -> Counts:
    """Count as :func:`mc_counts`, for pairs without missing topics.

    Parameters
    ----------
    x, y : ndarray, shape (n_pairs, n_topics)
        Scores of the two.
    topics : ndarray of int, shape (n_resamples, n_topics)
        Topics drawn.
    flips : ndarray of bool, shape (n_resamples, n_topics)
        Which of them are exchanged.
    """
    n = x.shape[1]
    drawn = counts_of(topics, n)
    signed = drawn - 2 * _flipped_counts(topics, flips, n)
    reached, above = np.zeros((2, len(x)), dtype=np.int64)
    once = np.ones((1, n))
    for pairs in _slices(len(x), _PAIRS):
        mine = x[pairs], y[pairs]
        sizes = _wilcoxon_sizes(*mine, recipe) if test == "wilcoxon" else _t_sizes(*mine, test)
        observed = sizes(once, once)[0]
        slack = _SLACK * (1 + observed)
        for part in _slices(len(topics), _DRAWS):
            size = sizes(drawn[part], signed[part])
            reached[pairs] += (size >= observed - slack).sum(axis=0)
            above[pairs] += (size > observed + slack).sum(axis=0)
    return reached, above


def _counts(
    X: FloatArray,
    plain: PairTests,
    method: str,
    test: str,
    recipe: Recipe,
    n_resamples: int,
    rng: np.random.Generator,
) -> Counts:
    x, y = X[plain.first], X[plain.second]
    reached, above = np.zeros((2, len(x)), dtype=np.int64)
    if method == "mc":
        flips = rng.integers(2, size=(n_resamples, X.shape[1]), dtype=bool)
        for part in _slices(len(x), 8 * _PAIRS):
            reached[part], above[part] = mc_counts(x[part], y[part], flips, test=test, recipe=recipe)
        return reached, above
    for pairs, shared in _by_topics(x, y):
        size = n_resamples, len(shared)
        topics, flips = rng.integers(size[1], size=size), rng.integers(2, size=size, dtype=bool)
        at = np.ix_(pairs, shared)
        reached[pairs], above[pairs] = hb_counts(x[at], y[at], topics, flips, test=test, recipe=recipe)
    return reached, above


def _by_topics(x: FloatArray, y: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Group pairs by the topics they share; those that share none are left out."""
    shared, group = np.unique(~np.isnan(x + y), axis=0, return_inverse=True)
    for number, mask in enumerate(shared):
        if mask.any():
            yield np.flatnonzero(group.ravel() == number), np.flatnonzero(mask)


def _slices(n: int, step: int) -> Iterator[slice]:
    return (slice(start, start + step) for start in range(0, n, step))


def _flipped_counts(topics: IntArray, flips: BoolArray, n: int) -> FloatArray:
    k = len(topics)
    flat = (topics + n * np.arange(k)[:, None])[flips]
    return np.bincount(flat, minlength=k * n).reshape(k, n).astype(np.float64)


def _t_sizes(x: FloatArray, y: FloatArray, test: str) -> Sizes:
    """Give an increasing function of the size of t, from linear forms in how often a topic is drawn.

    t^2 grows with S^2/Q, with S the summed differences; Q is the sum of squared differences (paired), or the
    sum of squares of all scores around their joint mean (unpaired).
    """
    z, both = (x - y).T, (x + y).T / 2
    both = both - both.mean(axis=0)
    paired = test == "paired_t"
    square = z**2 if paired else 2 * both**2 + z**2 / 2

    def sizes(drawn: FloatArray, signed: FloatArray) -> FloatArray:
        S, Q = np.abs(signed @ z), drawn @ square
        if not paired:
            Q -= 2 * (drawn @ both) ** 2 / drawn.sum(axis=1)[:, None]
        return np.divide(S, np.sqrt(np.maximum(Q, 0.0)), out=np.zeros_like(S), where=Q > 0)

    return sizes


def _wilcoxon_sizes(x: FloatArray, y: FloatArray, recipe: Recipe) -> Sizes:
    """Give the size of the standardised sum of signed ranks.

    A drawn topic's rank is linear in the counts, so the sum is a bilinear form of counts and signed counts.
    """
    found = signed_ranks(x, y, recipe).signed
    ranks, signs = np.abs(found), np.sign(found)
    n_pairs, n = ranks.shape
    used = ranks > 0
    same = (ranks[:, :, None] == ranks[:, None, :]) & used[:, :, None]
    less = (ranks[:, :, None] > ranks[:, None, :]) & used[:, None, :]
    dtype = exact_dtype(n)
    forms = ((less + same / 2) * signs[:, :, None]).reshape(n_pairs * n, n).T.astype(dtype)
    ties = _ties(same, used)

    def sizes(drawn: FloatArray, signed: FloatArray) -> FloatArray:
        ranked = (drawn.astype(dtype) @ forms).reshape(len(drawn), n_pairs, n)
        total = np.einsum("bpk,bk->bp", ranked, signed.astype(dtype)) + signed @ signs.T / 2
        m = drawn @ used.T
        squares = m * (m + 1) * (2 * m + 1) / 6 - ties(drawn) / 12
        return np.asarray(
            np.abs(total) / np.sqrt(np.where(squares > 0, squares, 1.0))
        )  # without ranks total is 0

    return sizes


def _ties(same: BoolArray, used: BoolArray) -> Callable[[FloatArray], FloatArray]:
    """Give the sum of t^3 - t over equal ranks, t how many were drawn; one topic ties with itself."""
    n_pairs, n = used.shape
    size = same.sum(axis=2)
    single = used & (size == 1)
    first = (same.argmax(axis=2) == np.arange(n)) & (size > 1)
    owner, topic = np.nonzero(first)
    groups = same[owner, topic].T.astype(np.float64)
    owners = (owner[:, None] == np.arange(n_pairs)).astype(np.float64)

    def ties(drawn: FloatArray) -> FloatArray:
        t = drawn @ groups
        return np.asarray((drawn**3 - drawn) @ single.T + (t**3 - t) @ owners)

    return ties
