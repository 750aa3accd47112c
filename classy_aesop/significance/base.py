"""Array types and checks of input that all tests share."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

AnyFloats = NDArray[np.floating[Any]]
"""Floats of any precision: sums of ranks are exact in single precision, which is faster."""


class Names(Container[str], Iterable[str], Protocol):
    """Names to choose from: a tuple of them, or a mapping with such keys."""


def check_choice(value: str, names: Names, parameter: str) -> None:
    """Raise ValueError that lists the known names unless ``value`` is one of them.

    Examples
    --------
    >>> check_choice("mcnemar", ("paired_t", "wilcoxon"), "test")
    Traceback (most recent call last):
    ValueError: test is 'mcnemar'; expected one of paired_t, wilcoxon
    """
    if value not in names:
        raise ValueError(f"{parameter} is {value!r}; expected one of {', '.join(names)}")


def check_count(value: int, parameter: str, minimum: int = 1) -> None:
    """Raise ValueError if a number, such as that of resamples, is below ``minimum``."""
    if value < minimum:
        raise ValueError(f"{parameter} is {value}; expected at least {minimum}")


def check_share(value: float, parameter: str) -> None:
    """Raise ValueError unless an error level or a confidence lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{parameter} is {value}; expected between 0 and 1")


def check_same_shape(**arrays: NDArray[Any]) -> None:
    """Raise ValueError unless all arrays, given by name, have one shape."""
    if len({array.shape for array in arrays.values()}) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"shapes differ: {shapes}; expected one shape")


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
    check_same_shape(**matrices)
    return tuple(matrices.values())


def score_vector(scores: ArrayLike, name: str = "x") -> FloatArray:
    """Convert one list of scores to floats; ValueError unless it has one dimension and finite numbers or NaN."""
    vector: FloatArray = np.asarray(scores, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} has {vector.ndim} dimensions; expected 1, one score per topic")
    return score_matrix(vector[None, :], name).ravel()


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
