"""Other implementations of tests of pairs of summarizers: one pair at a time, by scipy or by careful numpy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from benchmarks.data import SEED
from benchmarks.search_peers import Array, Integers
from classy_aesop.significance.base import BoolArray

Pairs = Iterable[tuple[int, int]]


def wilcoxon_by_scipy(X: Array, pairs: Pairs) -> Array:
    """P-values of signed ranks, exact without zeros and ties, else normal as in R; NaN where nothing differs."""
    from scipy.stats import wilcoxon

    found = []
    for x, y in shared(X, pairs):
        sizes = np.abs(x - y)
        plain = sizes.all() and len(np.unique(sizes)) == len(sizes)
        method = "exact" if plain else "asymptotic"
        found.append(wilcoxon(x, y, correction=True, method=method).pvalue)
    return np.array(found)


def t_by_scipy(X: Array, pairs: Pairs) -> Array:
    """P-values of the paired and of the unpaired t-test, (2 n_pairs,)."""
    from scipy.stats import ttest_ind, ttest_rel

    found = [(ttest_rel(x, y).pvalue, ttest_ind(x, y).pvalue) for x, y in shared(X, pairs)]
    return np.array(found).T.ravel()


def mc_by_numpy(X: Array, pairs: Pairs, n_resamples: int) -> Array:
    """Share of exchanges with a signed-rank sum as large as observed: one product of signs and ranks a pair."""
    found = []
    for number, (x, y) in enumerate(shared(X, pairs)):
        z = x - y
        ranks = np.sign(z) * _midranks(np.abs(z)[None, :], z[None, :] != 0)[0]
        signs = 1.0 - 2.0 * mc_flips(number, n_resamples, len(z))
        found.append((np.abs(signs @ ranks) >= abs(ranks.sum()) - 1e-9).mean())
    return np.array(found)


def hb_by_numpy(X: Array, pairs: Pairs, n_resamples: int) -> Array:
    """The same with resampled topics and standardised sums: all resamples of a pair are ranked by one sort."""
    found = []
    for number, (x, y) in enumerate(shared(X, pairs)):
        topics, flips = hb_resamples(number, n_resamples, len(x))
        z = (x - y)[topics] * (1.0 - 2.0 * flips)
        observed = _standardised((x - y)[None, :])[0]
        found.append((_standardised(z) >= observed * (1 - 1e-12) - 1e-12).mean())
    return np.array(found)


def mc_flips(number: int, n_resamples: int, n_topics: int) -> BoolArray:
    """Exchanges of one pair; every pair has its own."""
    return np.random.default_rng([SEED, number]).integers(2, size=(n_resamples, n_topics), dtype=bool)


def hb_resamples(number: int, n_resamples: int, n_topics: int) -> tuple[Integers, BoolArray]:
    """Topics and exchanges of one pair."""
    rng = np.random.default_rng([SEED, number])
    size = n_resamples, n_topics
    return rng.integers(n_topics, size=size), rng.integers(2, size=size, dtype=bool)


def shared(X: Array, pairs: Pairs) -> Iterator[tuple[Array, Array]]:
    """Give the scores of each pair on the topics that both have."""
    for i, j in pairs:
        kept = ~np.isnan(X[i] + X[j])
        yield X[i, kept], X[j, kept]


def _standardised(z: Array) -> Array:
    ranks = _midranks(np.abs(z), z != 0)
    total = np.abs((np.sign(z) * ranks).sum(axis=1))
    return np.asarray(total / np.sqrt(np.maximum((ranks * ranks).sum(axis=1), 1.0)))


def _midranks(sizes: Array, counted: BoolArray) -> Array:
    """Mid-ranks of each row among what is counted, 0 elsewhere."""
    n = sizes.shape[1]
    order = np.argsort(np.where(counted, sizes, np.inf), axis=1)
    ordered = np.take_along_axis(sizes, order, axis=1)
    places = np.arange(n)
    new = np.ones(sizes.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    last = np.ones(sizes.shape, dtype=bool)
    last[:, :-1] = new[:, 1:]
    end = np.minimum.accumulate(np.where(last, places, n)[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(sizes.shape)
    np.put_along_axis(ranks, order, (first + end) / 2 + 1, axis=1)
    return np.where(counted, ranks, 0.0)
