"""Least squares by a pivoted QR factorization, which also decides which columns are independent.

The columns are pivoted as they come (not scaled first), so that of a dependent set the column is left out
that MATLAB's ``robustfit`` leaves out: with R the triangular factor, the rank is the number of diagonal
entries larger than ``|R[0, 0]| * max(n, p) * eps``, and the columns behind the rank get the coefficient 0.

Of columns that are equal in every row the first is kept, before any pivoting: which of them would come first
there depends on where exchanges have put them, and on rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Basis:
    """The independent columns of a matrix and their QR factors.

    Attributes
    ----------
    columns : (rank,) integers
        The independent columns in the order of pivoting.
    q : (n, rank)
        Orthonormal columns that span the same space.
    r : (rank, rank)
        The upper triangle with ``X[:, columns] = q @ r``.
    """

    columns: NDArray[Any]
    q: Array
    r: Array

    @property
    def rank(self) -> int:
        """Number of independent columns."""
        return int(self.columns.size)


def pivoted_basis(X: Array) -> Basis:
    """Return the independent columns of X and their QR factors.

    Parameters
    ----------
    X : (n, p)
        Any matrix of finite numbers; rank 0 (no column other than 0) gives an empty basis.
    """
    distinct = distinct_columns(X)
    q, r, pivots = qr(X[:, distinct], mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(r))
    rank = int(np.sum(diagonal > diagonal[0] * max(X.shape) * np.finfo(float).eps))
    return Basis(distinct[pivots[:rank]], q[:, :rank], r[:rank, :rank])


def distinct_columns(X: Array) -> NDArray[Any]:
    """Return the columns that equal no earlier one, ascending."""
    first = first_equals(X)
    return np.flatnonzero(first == np.arange(first.size))


def first_equals(X: Array) -> NDArray[Any]:
    """Return for each column (p,) the first that equals it in every row of X (n, p): most often itself."""
    if np.unique(X[:1]).size == X.shape[1]:  # one row usually distinguishes them
        return np.arange(X.shape[1])
    seen: dict[bytes, int] = {}
    rows = np.ascontiguousarray(X.T) + 0.0  # makes -0.0 and 0.0 the same bytes
    return np.array([seen.setdefault(row.tobytes(), at) for at, row in enumerate(rows)], dtype=np.int64)


@dataclass(frozen=True)
class LeastSquares:
    """Coefficients (p,), 0 for dependent columns, and the basis they were solved on."""

    coef: Array
    basis: Basis


def least_squares(X: Array, y: Array) -> LeastSquares:
    """Solve least squares on the independent columns of X; the dependent ones get 0.

    Parameters
    ----------
    X : (n, p)
        The design, with its column of ones if there is to be a constant.
    y : (n,)
        The target.
    """
    basis = pivoted_basis(X)
    coef = np.zeros(X.shape[1])
    coef[basis.columns] = solve_triangular(basis.r, basis.q.T @ y, check_finite=False)
    return LeastSquares(coef, basis)


def is_constant(X: Array) -> NDArray[np.bool_]:
    """Mark the columns (p,) whose values are all equal, exactly."""
    constant: NDArray[np.bool_] = np.ptp(X, axis=0) == 0
    return constant


def centred(X: Array) -> tuple[Array, Array]:
    """Return X less its column means, and the means; a constant column becomes exactly 0."""
    means = X.mean(axis=0)
    difference = X - means
    difference[:, is_constant(X)] = 0.0
    return difference, means
