"""Coefficients within one topic for many exchanges of two metrics' scores at once.

A sign a = 1 keeps a summarizer's two scores, a = -1 exchanges them. Pearson's sums are linear in the signs.
The sign of the difference of two summarizers after an exchange depends on their two signs only, so it is
alpha + beta a_i + gamma a_l + delta a_i a_l, and Spearman's and Kendall's sums are linear and quadratic
forms. The second metric's coefficient is the first one's with all signs turned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.columns import exact_dtype
from classy_aesop.significance.rows import pearson_rows

Floats = NDArray[np.floating[Any]]

_CANCELS = 1e-3  # a variance this small relative to its sum of squares is computed again from the scores


def pearson_swapped(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> tuple[FloatArray, FloatArray]:
    """Pearson's r of both metrics with humans in one topic, for each exchange.

    Parameters
    ----------
    x, y, z : ndarray, shape (n,)
        Scores of two metrics and of humans, without NaN.
    a : ndarray, shape (n_swaps, n)
        Signs: -1 exchanges the two metrics' scores.

    Returns
    -------
    tuple of two ndarrays, shape (n_swaps,)
        For the first and for the second metric; NaN where undefined.
    """
    a = a.astype(np.float64)
    mean, half = (x + y) / 2, (x - y) / 2
    m, c = mean - mean.mean(), z - z.mean()
    product, total, square = (a @ np.stack([half * c, half, 2 * m * half], axis=1)).T
    scores = []
    for sign in (1.0, -1.0):
        squares = m @ m + half @ half + sign * square
        variance = squares - total * total / len(x)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = (m @ c + sign * product) / np.sqrt(variance * (c @ c))
        again = ~(variance > _CANCELS * squares)
        if again.any():
            r[again] = pearson_rows(np.where(sign * a[again] > 0, x, y), z[None, :])
        scores.append(np.clip(r, -1.0, 1.0))
    return scores[0], scores[1]


def spearman_swapped(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> tuple[FloatArray, FloatArray]:
    """Spearman's rho; as :func:`pearson_swapped`."""
    dtype = exact_dtype(len(x))
    alpha, beta, gamma, delta = (part.astype(dtype) for part in _by_signs(*_differences(x, y)))
    b: Floats = a.astype(dtype, copy=False)
    n = len(x)
    sums = b @ np.hstack([gamma.T, delta.T])
    even = alpha.sum(axis=1) + b * sums[:, n:]
    odd = b * beta.sum(axis=1) + sums[:, :n]
    v = np.sign(z[:, None] - z).sum(axis=1).astype(dtype)
    return _cosine(even + odd, v), _cosine(even - odd, v)


def kendall_swapped(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> tuple[FloatArray, FloatArray]:
    """Kendall's tau-b; as :func:`pearson_swapped`."""
    dtype = exact_dtype(len(x))
    b: Floats = a.astype(dtype, copy=False)
    order = np.sign(z[:, None] - z)
    parts = _differences(x, y)
    scores = _form(_by_signs(*(part * order for part in parts)), b)
    untied = _form(_by_signs(*(np.abs(part) for part in parts)), b)
    human = np.abs(order).sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (s / np.sqrt(u * human) for s, u in zip(scores, untied, strict=True))
    return first, second


def accuracy_swapped(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> tuple[FloatArray, FloatArray]:
    """Pairwise accuracy; as :func:`pearson_swapped`."""
    b: Floats = a.astype(exact_dtype(len(x)), copy=False)
    order, n_pairs = np.sign(z[:, None] - z), len(x) * (len(x) - 1)
    pairs = ~np.eye(len(x), dtype=bool)
    right = [np.where(pairs & (part == order), 1.0, 0.0) for part in _differences(x, y)]
    first, second = _form(_by_signs(*right), b)
    return first / n_pairs, second / n_pairs


#: Kernels by the coefficient's name.
SWAPPED: dict[str, Callable[[FloatArray, FloatArray, FloatArray, Floats], tuple[FloatArray, FloatArray]]] = {
    "pearson": pearson_swapped,
    "spearman": spearman_swapped,
    "kendall": kendall_swapped,
    "pairwise_accuracy": accuracy_swapped,
    "acc_eq": accuracy_swapped,
}


def _differences(x: FloatArray, y: FloatArray) -> list[FloatArray]:
    """Signs of the differences of two summarizers: neither, the second, the first, both exchanged."""
    return [
        np.where(np.eye(len(x), dtype=bool), 0.0, np.sign(one[:, None] - other))
        for one in (x, y)
        for other in (x, y)
    ]


def _by_signs(
    keep: FloatArray, second: FloatArray, first: FloatArray, both: FloatArray
) -> tuple[FloatArray, ...]:
    """Coefficients of 1, a_i, a_l and a_i a_l that give the four cases; quarters, so exact."""
    return (
        (keep + second + first + both) / 4,
        (keep + second - first - both) / 4,
        (keep - second + first - both) / 4,
        (keep - second - first + both) / 4,
    )


def _form(parts: tuple[FloatArray, ...], a: Floats) -> tuple[FloatArray, FloatArray]:
    """Sum over all pairs, for the signs and for the turned signs."""
    alpha, beta, gamma, delta = parts
    linear = a @ (beta.sum(axis=1) + gamma.sum(axis=0)).astype(a.dtype)
    even = alpha.sum() + np.einsum("ij,ij->i", a @ delta.T.astype(a.dtype), a).astype(np.float64)
    return even + linear, even - linear


def _cosine(u: Floats, v: Floats) -> FloatArray:
    square = np.einsum("ij,ij->i", u, u).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((u @ v) / np.sqrt(square * float(v @ v)))
