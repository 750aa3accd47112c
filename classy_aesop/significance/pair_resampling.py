"""Resampling tests of pairs of summarizers: how often does chance alone do as much?

MC exchanges the two scores of each topic with probability one half, which turns the sign of their
difference. HB first draws the pair's topics with replacement, then exchanges. The statistic is the size of
the unpaired t, of the paired t, or of the signed-rank sum, standardised in HB.

Exchanges leave the sizes of differences and their ranks alone, so MC is one matrix product of signs with
signed ranks. Both t are increasing in the size of the summed differences there, so they share one p-value.
Pairs share their draws, in HB those with equally many topics, of which the draws name the first, the second and
so on: each pair's p-value is valid, but the Monte Carlo errors of two pairs are not independent.

Rankel et al. (2011), section 2; Rankel (2016), section 4.3.

Departs from the paper: in HB the number of nonzero differences varies, so the signed-rank sum is divided by
its standard deviation; p = (count + 1)/(n + 1), unless the papers' cutoff is asked for; pairs share their
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

Floats = NDArray[np.floating[Any]]

_SLACK = 1e-12  # share of a statistic that rounding explains
_DRAWS, _PAIRS = 250, 64  # worked on at once: they stay in the cache, and a byte counts the draws

#: Two parts of a statistic, its size being the first over the root of the second, from how often each topic is
#: drawn, and drawn and kept less drawn and exchanged; (n_draws, n_pairs) each.
Parts = Callable[[FloatArray, FloatArray], tuple[Floats, FloatArray]]


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
    count = _counts(X, plain, method, test, recipe, n_resamples, rng, above=cutoff)
    p = count / n_resamples if cutoff else (count + 1) / (n_resamples + 1)
    p = np.where(np.isin(plain.flag, [TOO_FEW, NO_DIFFERENCE]), 1.0, p)
    return replace(
        plain,
        test=f"{method}_{test}",
        correction=correction,
        p=p,
        p_adjusted=adjusted(p, correction=correction),
        n_resamples=n_resamples,
    )


def mc_counts(
    x: FloatArray, y: FloatArray, flips: BoolArray, *, test: str, recipe: Recipe, above: bool = False
) -> IntArray:
    """Count the replicates that reach the observed statistic under given exchanges.

    Parameters
    ----------
    x, y : ndarray, shape (n_pairs, n_topics)
        Scores of the two; NaN where missing.
    flips : ndarray of bool, shape (n_resamples, n_topics)
        Topics exchanged.
    test, recipe
        As for :func:`resample_pairs`.
    above : bool
        Count only those that exceed it. Equal is what differs by rounding only.

    Returns
    -------
    ndarray of int, shape (n_pairs,)
    """
    values: Floats = np.nan_to_num(x - y)
    if test == "wilcoxon":  # ranks are halves: nothing is lost
        values = signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))
    slack = _SLACK * np.abs(values).sum(axis=1)
    least = (np.abs(values.sum(axis=1)) + (slack if above else -slack)).astype(values.dtype)
    kept = (1 - 2 * flips.astype(np.int8)).astype(values.dtype)
    count = np.zeros(len(x), dtype=np.int64)
    for part in _slices(len(flips), _DRAWS):
        sizes = kept[part] @ values.T
        count += _reaching(np.abs(sizes, out=sizes), least, above)
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
) -> IntArray:
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
    count = np.zeros(len(x), dtype=np.int64)
    once = np.ones((1, n))
    for pairs in _slices(len(x), _PAIRS):
        mine = x[pairs], y[pairs]
        parts = _wilcoxon_parts(*mine, recipe) if test == "wilcoxon" else _t_parts(*mine, test)
        size, square = parts(once, once)
        observed = size[0] / np.sqrt(square[0])
        least = observed + (_SLACK if above else -_SLACK) * (1 + observed)
        for part in _slices(len(topics), _DRAWS):
            size, square = parts(drawn[part], signed[part])
            root = np.sqrt(square, out=square)
            root *= least
            count[pairs] += _reaching(size, root, above)
    return count


def _reaching(sizes: Floats, least: Floats, above: bool) -> NDArray[np.uint8]:
    """Count by column, over no more rows than a byte holds; bytes add up fastest."""
    found = sizes > least if above else sizes >= least
    return np.asarray(found.view(np.uint8).sum(axis=0, dtype=np.uint8))


def _counts(
    X: FloatArray,
    plain: PairTests,
    method: str,
    test: str,
    recipe: Recipe,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    above: bool,
) -> IntArray:
    x, y = X[plain.first], X[plain.second]
    count = np.zeros(len(x), dtype=np.int64)
    how: dict[str, Any] = {"test": test, "recipe": recipe, "above": above}
    if method == "mc":
        flips = rng.integers(2, size=(n_resamples, X.shape[1]), dtype=bool)
        for part in _slices(len(x), 4 * _PAIRS):
            count[part] = mc_counts(x[part], y[part], flips, **how)
        return count
    for pairs, mine, others in _by_number(x, y):
        size = n_resamples, mine.shape[1]
        topics, flips = rng.integers(size[1], size=size), rng.integers(2, size=size, dtype=bool)
        count[pairs] = hb_counts(mine, others, topics, flips, **how)
    return count


def _by_number(x: FloatArray, y: FloatArray) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Group pairs by how many topics they share, with their scores on these; those that share none are left out."""
    shared = ~np.isnan(x + y)
    numbers = shared.sum(axis=1)
    for n in np.unique(numbers[numbers > 0]):
        pairs = np.flatnonzero(numbers == n)
        mine, others = (S[pairs][shared[pairs]].reshape(len(pairs), n) for S in (x, y))
        yield pairs, mine, others


def _slices(n: int, step: int) -> Iterator[slice]:
    return (slice(start, start + step) for start in range(0, n, step))


def _flipped_counts(topics: IntArray, flips: BoolArray, n: int) -> FloatArray:
    k = len(topics)
    flat = (topics + n * np.arange(k)[:, None])[flips]
    return np.bincount(flat, minlength=k * n).reshape(k, n).astype(np.float64)


def _t_parts(x: FloatArray, y: FloatArray, test: str) -> Parts:
    """Give an increasing function of the size of t, from linear forms in how often a topic is drawn.

    t^2 grows with S^2/Q, with S the summed differences; Q is the sum of squared differences (paired), or the
    sum of squares of all scores around their joint mean (unpaired).
    """
    z, both = (x - y).T, (x + y).T / 2
    both = both - both.mean(axis=0)
    paired = test == "paired_t"
    square = z**2 if paired else 2 * both**2 + z**2 / 2

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """S and Q of each draw and pair; 0 and 1 where nothing varies."""
        S, Q = np.abs(signed @ z), drawn @ square
        if not paired:
            Q -= 2 * (drawn @ both) ** 2 / drawn.sum(axis=1)[:, None]
        return np.where(Q > 0, S, 0.0), np.where(Q > 0, Q, 1.0)

    return parts


def _wilcoxon_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> Parts:
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
        """Both sums of each draw and pair, of doubled ranks."""
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
        """The sum for each draw and pair."""
        m = drawn @ counted
        found = m * (m + 1) * (2 * m + 1) / 6 - (drawn**3 - drawn) @ single / 12
        if len(owner):
            t = drawn @ groups
            found -= (t**3 - t) @ owners / 12
        return np.asarray(found)

    return squares
