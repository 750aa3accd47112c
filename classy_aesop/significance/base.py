"""Array types and checks of input that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

AnyFloats = NDArray[np.floating[Any]]
"""Floats of any precision: sums of ranks are exact in single precision, which is faster."""


def score_matrix(scores: ArrayLike, name: str = "X") -> FloatArray:
    """Convert scores to a matrix of floats, checked.

    Shapes: ``scores`` (n_summarizers, n_topics); gives (n_summarizers, n_topics).
    """
    matrix: FloatArray = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has {matrix.ndim} dimensions; expected 2, summarizers x topics")
    if np.isinf(matrix).any():
        raise ValueError(f"{name} holds an infinite score; expected numbers, or NaN where nobody scored")
    return matrix


def score_matrices(**scores: ArrayLike) -> tuple[FloatArray, ...]:
    """Convert several score matrices, given by name, as :func:`score_matrix` does; ValueError if shapes differ."""
    matrices = {name: score_matrix(values, name) for name, values in scores.items()}
    if len({matrix.shape for matrix in matrices.values()}) > 1:
        shapes = ", ".join(f"{name} {matrix.shape}" for name, matrix in matrices.items())
        raise ValueError(f"shapes differ: {shapes}; expected one shape")
    return tuple(matrices.values())


def robust_eigh(A: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues, in ascending order, and eigenvectors of each symmetric matrix.

    LAPACK's divide and conquer, which numpy uses, does not converge for rare matrices without any peculiarity.
    All are then decomposed by LAPACK's relatively robust representations.

    Shapes: ``A`` (..., n, n); gives ``values`` (..., n), ``vectors`` (..., n, n).

    Examples
    --------
    >>> values, vectors = robust_eigh(np.array([[2.0, 0.0], [0.0, 1.0]]))
    >>> values.tolist()
    [1.0, 2.0]
    """
    try:
        values, vectors = np.linalg.eigh(A)
    except np.linalg.LinAlgError:
        from scipy import linalg

        decompositions = [linalg.eigh(matrix, driver="evr") for matrix in A.reshape(-1, *A.shape[-2:])]
        values = np.array([roots for roots, _ in decompositions]).reshape(A.shape[:-1])
        vectors = np.array([axes for _, axes in decompositions]).reshape(A.shape)
    return values, vectors


def positive_part(A: FloatArray) -> FloatArray:
    """Give a symmetric matrix without its negative eigenvalues, which rounding may have made."""
    values, vectors = robust_eigh(A)
    return (vectors * np.maximum(values, 0)) @ vectors.T


def difference_forms(forms: AnyFloats, first: IntArray, second: IntArray) -> FloatArray:
    """Quadratic forms of differences of pairs, (..., n_pairs), from those of items, (..., n, n), as of a covariance.

    Examples
    --------
    >>> difference_forms(np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([0]), np.array([1])).tolist()
    [2.0]
    """
    diagonal = np.diagonal(forms, axis1=-2, axis2=-1)
    return diagonal[..., first] + diagonal[..., second] - 2 * forms[..., first, second]


def divide(numerator: ArrayLike, denominator: ArrayLike, default: float = np.nan) -> FloatArray:
    """Divide by what is above 0; give the default where it is not.

    Examples
    --------
    >>> divide([3, 1], [2, 0]).tolist()
    [1.5, nan]
    """
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.full(shape, default), where=np.greater(denominator, 0))


def batch_slices(n: int, batch_size: int) -> Iterator[slice]:
    """Divide ``n`` items into batches."""
    return (slice(start, start + batch_size) for start in range(0, n, batch_size))
