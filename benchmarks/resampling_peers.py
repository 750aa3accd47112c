"""Other implementations of resampled correlations: one resample at a time, by calls of scipy or by careful numpy.

All contestants get the same resamples, so that values can be compared one by one; making them is not timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from benchmarks.search_peers import Array
from classy_aesop.significance.base import BoolArray
from classy_aesop.significance.draws import Exchanges, Resamples

Matrices = tuple[Array, Array, Array]
Correlation = Callable[[Array, Array, str], float]

IN_SCIPY = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}


def bootstrap_by_nlpstats(scores: Matrices, resamples: Resamples, level: str, coefficient: str) -> Array:
    """Correlate the first metric with the human scores on each resample of rows and columns, (n_resamples,)."""
    from nlpstats.correlations import bootstrap

    indices = _rows_and_columns(resamples)

    def resample(matrices: list[Array], **_: object) -> list[Array]:
        rows, columns = next(indices)
        return [S[rows][:, columns] for S in matrices]

    result = bootstrap(scores[0], scores[2], level, coefficient, resample, n_resamples=len(resamples))
    return np.asarray(result.samples)


def permutation_by_loop(scores: Matrices, swaps: Exchanges, level: str, coefficient: str) -> Array:
    """The same, cell by cell, as mt-metrics-eval does it: weights of 0 and 1, and a call of scipy for each topic."""
    return _permute(scores, swaps, level, _correlate_by_scipy(coefficient))


def bootstrap_by_numpy(scores: Matrices, resamples: Resamples, level: str, coefficient: str) -> Array:
    """The bootstrap by careful numpy: all topics of a resample at once; Pearson only."""
    del coefficient
    X, _, Z = scores
    resampled = ((X[rows][:, columns], Z[rows][:, columns]) for rows, columns in _rows_and_columns(resamples))
    return np.array([_correlate_by_numpy(A, B, level) for A, B in resampled])


def permutation_by_numpy(scores: Matrices, swaps: Exchanges, level: str, coefficient: str) -> Array:
    """The exchange by careful numpy: all topics of a resample at once; Pearson only."""
    del coefficient
    return _permute(scores, swaps, level, _correlate_by_numpy)


def _permute(scores: Matrices, swaps: Exchanges, level: str, correlate: Correlation) -> Array:
    X, Y, Z = scores
    X = (X - np.nanmean(X)) / np.nanstd(X)
    Y = (Y - np.nanmean(Y)) / np.nanstd(Y)
    values = np.empty(len(swaps.masks))
    for number, mask in enumerate(chain.from_iterable(swaps.batches(X.shape[1]))):
        A, B = _exchange(X, Y, mask)
        values[number] = correlate(A, Z, level) - correlate(B, Z, level)
    return values


def _rows_and_columns(resamples: Resamples) -> Iterator[tuple[Any, Any]]:
    if resamples.rows is None or resamples.columns is None:
        raise ValueError("the resamples lack rows or columns; expected both")
    return zip(resamples.rows, resamples.columns, strict=True)


def _exchange(X: Array, Y: Array, mask: BoolArray) -> tuple[Array, Array]:
    return np.where(mask, Y, X), np.where(mask, X, Y)


def _correlate_by_scipy(coefficient: str) -> Correlation:
    from scipy import stats

    of_lists = getattr(stats, IN_SCIPY[coefficient])

    def correlate(X: Array, Z: Array, level: str) -> float:
        if level == "system":
            return float(of_lists(np.nanmean(X, axis=1), np.nanmean(Z, axis=1))[0])
        whole = ~np.isnan(Z)
        columns = zip(X.T, Z.T, whole.T, strict=True)
        return float(np.nanmean([of_lists(x[valid], z[valid])[0] for x, z, valid in columns]))

    return correlate


def _correlate_by_numpy(X: Array, Z: Array, level: str) -> float:
    valid = ~np.isnan(Z)
    if level == "system":
        n_topics = valid.sum(axis=1)[:, None]
        X = np.where(valid, X, 0.0).sum(axis=1, keepdims=True) / n_topics
        Z = np.where(valid, Z, 0.0).sum(axis=1, keepdims=True) / n_topics
        valid = ~np.isnan(Z)
    n = valid.sum(axis=0)
    x = np.where(valid, X - np.where(valid, X, 0.0).sum(axis=0) / n, 0.0)
    z = np.where(valid, Z - np.where(valid, Z, 0.0).sum(axis=0) / n, 0.0)
    return float(np.nanmean((x * z).sum(axis=0) / np.sqrt((x * x).sum(axis=0) * (z * z).sum(axis=0))))
