"""Other implementations of resampled correlations: one resample at a time, by calls of scipy or by careful numpy.

All contestants get the same resamples, so that values can be compared one by one; making them is not timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.search_peers import Array
from classy_aesop.significance.base import BoolArray
from classy_aesop.significance.resampling.exchanges import Exchanges, exchange_mask
from classy_aesop.significance.resampling.resamples import Resamples

Matrices = tuple[Array, Array, Array]
Correlation = Callable[[Array, Array, str], float]

IN_SCIPY = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}


def bootstrap_by_nlpstats(scores: Matrices, resamples: Resamples, level: str, coefficient: str) -> Array:
    """Correlate the first metric with the human scores on each resample of rows and columns, (n_resamples,)."""
    from nlpstats.correlations import bootstrap

    taken = _taken(resamples)

    def resample(matrices: list[Array], **_: object) -> list[Array]:
        rows, columns = next(taken)
        return [S[rows][:, columns] for S in matrices]

    found = bootstrap(scores[0], scores[2], level, coefficient, resample, n_resamples=len(resamples))
    return np.asarray(found.samples)


def permutation_by_nlpstats(scores: Matrices, swaps: Exchanges, level: str, coefficient: str) -> Array:
    """Difference of the metrics' correlations after each exchange of rows and columns, (n_swaps,)."""
    from nlpstats.correlations import permutation_test

    which = iter(range(len(swaps)))

    def exchange(X: Array, Y: Array) -> tuple[Array, Array]:
        return _exchanged(X, Y, exchange_mask(swaps, next(which), X.shape))

    found = permutation_test(*scores, level, coefficient, exchange, n_resamples=len(swaps))
    return np.asarray(found.samples)


def permutation_by_loop(scores: Matrices, swaps: Exchanges, level: str, coefficient: str) -> Array:
    """The same, cell by cell, as mt-metrics-eval does it: weights of 0 and 1, and a call of scipy for each topic."""
    return _permuted(scores, swaps, level, _by_scipy(coefficient))


def bootstrap_by_numpy(scores: Matrices, resamples: Resamples, level: str, coefficient: str) -> Array:
    """The bootstrap by careful numpy: all topics of a resample at once; Pearson only."""
    del coefficient
    X, _, Z = scores
    drawn = ((X[rows][:, columns], Z[rows][:, columns]) for rows, columns in _taken(resamples))
    return np.array([_by_numpy(A, B, level) for A, B in drawn])


def permutation_by_numpy(scores: Matrices, swaps: Exchanges, level: str, coefficient: str) -> Array:
    """The exchange by careful numpy: all topics of a resample at once; Pearson only."""
    del coefficient
    return _permuted(scores, swaps, level, _by_numpy)


def _permuted(scores: Matrices, swaps: Exchanges, level: str, correlate: Correlation) -> Array:
    X, Y, Z = scores
    X, Y = ((S - np.nanmean(S)) / np.nanstd(S) for S in (X, Y))
    values = np.empty(len(swaps))
    for k in range(len(swaps)):
        A, B = _exchanged(X, Y, exchange_mask(swaps, k, X.shape))
        values[k] = correlate(A, Z, level) - correlate(B, Z, level)
    return values


def _taken(resamples: Resamples) -> Iterator[tuple[Any, Any]]:
    if resamples.rows is None or resamples.columns is None:
        raise ValueError("the resamples lack rows or columns; expected both")
    return zip(resamples.rows, resamples.columns, strict=True)


def _exchanged(X: Array, Y: Array, mask: BoolArray) -> tuple[Array, Array]:
    return np.where(mask, Y, X), np.where(mask, X, Y)


def _by_scipy(coefficient: str) -> Correlation:
    from scipy import stats

    of_lists = getattr(stats, IN_SCIPY[coefficient])

    def correlate(X: Array, Z: Array, level: str) -> float:
        if level == "system":
            return float(of_lists(np.nanmean(X, axis=1), np.nanmean(Z, axis=1))[0])
        whole = ~np.isnan(Z)
        found = [of_lists(x[kept], z[kept])[0] for x, z, kept in zip(X.T, Z.T, whole.T, strict=True)]
        return float(np.nanmean(found))

    return correlate


def _by_numpy(X: Array, Z: Array, level: str) -> float:
    whole = ~np.isnan(Z)
    if level == "system":
        X, Z = (
            np.where(whole, S, 0.0).sum(axis=1, keepdims=True) / whole.sum(axis=1)[:, None] for S in (X, Z)
        )
        whole = ~np.isnan(Z)
    n = whole.sum(axis=0)
    x, z = (np.where(whole, S - np.where(whole, S, 0.0).sum(axis=0) / n, 0.0) for S in (X, Z))
    return float(np.nanmean((x * z).sum(axis=0) / np.sqrt((x * x).sum(axis=0) * (z * z).sum(axis=0))))
