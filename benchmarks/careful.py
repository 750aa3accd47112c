"""The same searches by careful numpy: batches of subsets of equal size instead of a loop, no further ideas."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.search_peers import BISQUARE_TUNING, MEDIAN_OF_NORMAL, SETTLED, Array, Integers, Problem

CHUNK = 32
"""Subsets of equal size whose rows are held at a time."""


def by_size(problem: Problem, masks: Integers, most: int) -> Iterator[tuple[Integers, Integers]]:
    """Give places in ``masks`` (k,) and their columns (k, size), at most so many of equal size at a time."""
    subsets = [problem.columns(int(mask)) for mask in masks]
    sizes = np.array([len(columns) for columns in subsets])
    for size in np.unique(sizes):
        places = np.flatnonzero(sizes == size)
        for start in range(0, places.size, most):
            part = places[start : start + most]
            yield part, np.array([subsets[place] for place in part])


def batched(solve: Callable[[Problem, Integers], Array], most: int) -> Callable[[Problem, Integers], Array]:
    """Make a search of a batched fit, from columns (k, size) to weights (k, size)."""

    def search(problem: Problem, masks: Integers) -> Array:
        coef = np.zeros((masks.size, problem.X.shape[1]))
        for places, columns in by_size(problem, masks, most):
            coef[places[:, None], columns] = solve(problem, columns)
        return correlations(problem.X_means @ coef.T, problem.y_means)

    return search


def correlations(predictions: Array, y: Array) -> Array:
    """Correlate each column of predictions (m, n) with y (m,)."""
    deviations, target = predictions - predictions.mean(axis=0), y - y.mean()
    lengths = np.linalg.norm(deviations, axis=0) * np.linalg.norm(target)
    return np.asarray(target @ deviations / np.where(lengths > 0, lengths, 1.0))


def canonical(problem: Problem, columns: Integers) -> Array:
    """One covariance; its parts solved and the small eigenproblems done in batches."""
    A = (problem.X.T @ problem.X)[columns[:, :, None], columns[:, None, :]]
    C = (problem.X.T @ problem.Y_basis)[columns]
    W = np.linalg.solve(A, C)
    u = np.linalg.eigh(C.transpose(0, 2, 1) @ W)[1][:, :, -1:]
    direction: Array = (W @ u)[:, :, 0]
    turned = np.einsum("ks,ks->k", direction, problem.products[columns]) < 0
    return np.asarray(np.where(turned[:, None], -direction, direction))


def nonnegative(problem: Problem, columns: Integers) -> Array:
    """Scipy's ``nnls``, still one by one, on the triangle of one QR instead of all rows."""
    from scipy.optimize import nnls

    R = np.asarray(np.linalg.qr(np.column_stack([problem.X * problem.signs, problem.y]), mode="r"))
    coef: Array = np.array([nnls(R[:, chosen], R[:, -1])[0] for chosen in columns])
    return np.asarray(coef * problem.signs[columns])


def robust(problem: Problem, columns: Integers) -> Array:
    """Weighted normal equations of a batch; what has settled is dropped."""
    X, y = _with_ones(problem.X, columns), problem.y
    gram = X.transpose(0, 2, 1) @ X
    coef: Array = _solved(gram, X.transpose(0, 2, 1) @ y)
    leverage = np.einsum("kni,kni->kn", X @ np.linalg.inv(gram), X)
    factor: Array = 1 / np.sqrt(1 - np.minimum(0.9999, leverage))
    result: Array = coef.copy()
    going: Integers = np.arange(len(coef))
    for _ in range(2000):
        coef, settled = _step(X, y, factor, coef)
        result[going] = coef
        if settled.all():
            break
        rest = ~settled
        X, factor, coef, going = X[rest], factor[rest], coef[rest], going[rest]
    return result[:, 1:]


def _step(X: Array, y: Array, factor: Array, coef: Array) -> tuple[Array, NDArray[np.bool_]]:
    adjusted = (y - (X @ coef[:, :, None])[:, :, 0]) * factor
    ordered = np.sort(np.abs(adjusted), axis=1)[:, X.shape[2] - 1 :]
    scale = np.maximum(np.median(ordered, axis=1) / MEDIAN_OF_NORMAL, 1e-6 * np.std(y, ddof=1))
    u = adjusted / (BISQUARE_TUNING * scale[:, None])
    weighted = X * np.where(np.abs(u) < 1, (1 - u**2) ** 2, 0.0)[:, :, None]
    normal = weighted.transpose(0, 2, 1) @ X
    after = _solved(normal, weighted.transpose(0, 2, 1) @ y)
    moved = np.abs(X @ (after - coef)[:, :, None])[:, :, 0].max(axis=1)
    return after, moved <= SETTLED * scale


def _solved(matrices: Array, right: Array) -> Array:
    return np.asarray(np.linalg.solve(matrices, right[:, :, None])[:, :, 0], dtype=np.float64)


def _with_ones(X: Array, columns: Integers) -> Array:
    rows = np.moveaxis(X[:, columns], 0, 1)
    return np.concatenate([np.ones((*rows.shape[:2], 1)), rows], axis=2)
