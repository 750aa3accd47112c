"""Least squares by a pivoted QR factorization, which also decides which columns are independent.

The columns are pivoted as they come (not scaled first), so that of a dependent set the column is left out
that MATLAB's ``robustfit`` leaves out: with R the triangular factor, the rank is the number of diagonal
entries larger than ``|R[0, 0]| * max(n, p) * eps``, and the columns behind the rank get the coefficient 0.

Of columns that are equal in every row the first is kept, before any pivoting: which of them would come first
there depends on where exchanges have put them, and on rounding.

Columns too small or too large to be squared, such as likelihoods near e^-400, get units in which they are not. Powers
of two change no digit, and all other columns keep the unit 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from classy_aesop.formulas.base import Array


@dataclass(frozen=True)
class Basis:
    """The independent columns of a matrix and their QR factors: ``X[:, columns] = q @ r``."""

    columns: NDArray[Any]  # (rank,): the independent columns in the order of pivoting
    q: Array  # (n, rank): orthonormal columns that span the same space
    r: Array  # (rank, rank): the upper triangle

    @property
    def rank(self) -> int:
        """Number of independent columns."""
        return int(self.columns.size)


def pivoted_basis(X: Array) -> Basis:
    """Return the independent columns of X (n, p) and their QR factors; rank 0, an empty basis, if all columns are 0."""
    distinct = distinct_columns(X)
    q, r, pivots = qr(X[:, distinct], mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(r))
    rank = int(np.sum(diagonal > diagonal[0] * max(X.shape) * np.finfo(float).eps))
    return Basis(distinct[pivots[:rank]], q[:, :rank], r[:rank, :rank])


def distinct_columns(X: Array) -> NDArray[Any]:
    """Return the columns that equal no earlier one, ascending."""
    return np.unique(first_equal_columns(X))


def first_equal_columns(X: Array) -> NDArray[Any]:
    """Return for each column (p,) the first that equals it in every row of X (n, p): most often itself."""
    if np.unique(X[:1]).size == X.shape[1]:  # one row usually distinguishes them
        return np.arange(X.shape[1])
    seen: dict[bytes, int] = {}
    rows = np.ascontiguousarray(X.T) + 0.0  # makes -0.0 and 0.0 the same bytes
    return np.array(
        [seen.setdefault(row.tobytes(), column) for column, row in enumerate(rows)], dtype=np.int64
    )


def least_squares(X: Array, y: Array) -> tuple[Array, Basis]:
    """Return the coefficients (p,) of y (n,) on X (n, p), 0 for dependent columns, and the basis they are solved on.

    X contains a column of ones if there is to be a constant.
    """
    basis = pivoted_basis(X)
    coef = np.zeros(X.shape[1])
    coef[basis.columns] = solve_triangular(basis.r, basis.q.T @ y, check_finite=False)
    return coef, basis


def centre_columns(X: Array) -> tuple[Array, Array]:
    """Return X less its column means, and the means; a constant column becomes exactly 0."""
    means = X.mean(axis=0)
    difference = X - means
    difference[:, np.ptp(X, axis=0) == 0] = 0.0
    return difference, means


MIN_LARGEST_VALUE = 2.0**-300
"""Columns whose largest value is smaller, or larger than one over this, get a unit of their own."""

MAX_VANISHING_VALUE = 2.0**-1000
"""Columns whose largest value is smaller count as 0: no weight that a number can hold makes anything of them."""


def column_units(X: Array) -> Array:
    """Return what to divide each column of X (n, p) by before a fit, and its weight by afterwards, (p,).

    Examples
    --------
    >>> X = np.array([[0.5, 2.0**-400], [1.0, 0.0]])
    >>> X / column_units(X)
    array([[0.5, 1. ],
           [1. , 0. ]])
    """
    largest = np.abs(X).max(axis=0, initial=0.0)
    is_extreme = (largest > 0) & ((largest < MIN_LARGEST_VALUE) | (largest > 1 / MIN_LARGEST_VALUE))
    units = np.where(is_extreme, 2.0 ** np.floor(np.log2(np.where(is_extreme, largest, 1.0))), 1.0)
    return np.where(is_extreme & (largest < MAX_VANISHING_VALUE), np.inf, units)


@dataclass(frozen=True)
class StandardColumns:
    """Standardized columns, and how to bring weights back to the raw ones.

    Columns less their means (or not) are divided by their lengths: second moments are 1. Raw columns can differ by
    factors of millions, which costs digits.
    """

    Z: Array
    shift: Array
    scale: Array

    @classmethod
    def standardize(cls, X: Array) -> StandardColumns:
        """Standardize X (n, p); a constant column becomes 0."""
        shift = X.mean(axis=0)
        units = column_units(X)
        Z = (X - shift) / units
        Z[:, np.ptp(X, axis=0) == 0] = 0.0
        length = np.sqrt(np.einsum("ij,ij->j", Z, Z) / len(X))
        scale = np.where(length > 0, length, 1.0)
        return cls(Z / scale, shift, scale * np.where(length > 0, units, 1.0))

    def raw_weights(self, coef: Array, constant: Array | float) -> tuple[Array, Array]:
        """Return the raw weights (p, n) and constants (n,) for standard weights (p, n) and constants (n,)."""
        weights = coef / self.scale[:, None]
        return weights, np.asarray(constant - self.shift @ weights)
