"""Least squares with a price on large weights, chosen by generalized cross-validation.

The columns are standardized (mean 0, mean square 1) and the constant is free: b minimizes the mean squared error plus
``strength`` times b'b (Hoerl and Kennard, 1970). In the eigenvectors of the columns' correlation matrix, with roots d
and the target's moments c, the weights are c / (d + strength), so every strength costs a few sums. The strength, if
not given, is the one of `STRENGTHS` with the least generalized cross-validation error, n times the squared error over
(n - t)^2, t the trace of the matrix that takes the judgments to their fitted values (Golub, Heath and Wahba, 1979).

Features here are near-copies of each other: least squares gives them large weights of opposite signs, which another
year does not repeat; ridge gives them similar weights.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.fitters.base import LinearFitter
from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.formulas.base import Array

STRENGTHS = np.logspace(-4, 2, 25)
"""From a ten thousandth of a column's variance to a hundred times it, four a power of ten."""


def ridge_weights(R: Array, c: Array, variance: float, n: int, strength: float | None) -> tuple[Array, Array]:
    """Solve m ridge problems with n instances each at once."""
    roots, vectors = np.linalg.eigh(R)
    roots = np.maximum(roots, 0.0)
    rotated = np.einsum("mpk,mp->mk", vectors, c)
    strengths = STRENGTHS if strength is None else np.array([strength])
    errors = cross_validation_errors(roots, rotated, variance, n, strengths)
    best = strengths[np.argmin(errors, axis=1)]
    weights = np.einsum("mpk,mk->mp", vectors, rotated / (roots + best[:, None]))
    return np.where(np.einsum("mpp->mp", R) > 0, weights, 0.0), best


def cross_validation_errors(roots: Array, c: Array, variance: float, n: int, strengths: Array) -> Array:
    """Return the generalized cross-validation errors (m, n_strengths), on the scale of the target's variance."""
    price = roots[:, None, :] + strengths[:, None]
    explained = np.einsum("mk,msk->ms", c**2, (price + strengths[:, None]) / price**2)
    residual_share = 1.0 - (1.0 + np.einsum("mk,msk->ms", roots, 1.0 / price)) / n
    return np.asarray(np.maximum(variance - explained, 0.0) / residual_share**2)


class RidgeRegression(LinearFitter):
    """Ridge regression on standardized columns with a free constant (Hoerl and Kennard, 1970).

    Parameters
    ----------
    strength : float, optional
        Price of a squared standard weight, on the scale of the mean squared error (scikit-learn's alpha over the number
        of instances). By default chosen by generalized cross-validation from `STRENGTHS`.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. A constant column gets 0.
    strength_ : float
        The strength used.

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 5], [4, 3], [5, 6]]
    >>> RidgeRegression(strength=1.0).fit(X, [1, 3, 2, 5, 4]).coef_.round(6)
    array([ 0.417007, -0.034014])
    """

    def __init__(self, strength: float | None = None) -> None:
        self.strength = strength

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights of the raw columns and the constant; raise ValueError for a strength of 0 or less."""
        check_strength(self.strength)
        standard = StandardColumns.standardize(X)
        mean = y.mean()
        target = y - mean
        n = len(y)
        moments = standard.Z.T @ standard.Z / n
        moments_with_target = standard.Z.T @ target / n
        weights, strengths = ridge_weights(
            moments[None], moments_with_target[None], float(target @ target / n), n, self.strength
        )
        self.strength_ = float(strengths[0])
        coef, constant = standard.raw_weights(weights.T, mean)
        return coef[:, 0], float(constant[0])


def check_strength(strength: float | None) -> None:
    """Raise ValueError unless the strength is a number above 0."""
    if strength is not None and not strength > 0:
        raise ValueError(f"strength is {strength}; expected a number above 0")
