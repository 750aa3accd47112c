"""The combination of columns that correlates best with some combination of all human measures.

Columns and measures are centred and each written as orthonormal columns times a triangle (QR); the singular
values of the product of the two orthonormal parts are the canonical correlations, the first left vector is
the direction. With one measure the direction is that of least squares. Rankel (2016), section 3.5.3; the
ancestor is ROSE of Conroy and Dang (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.linalg import solve_triangular, svd
from sklearn.base import clone
from sklearn.utils.validation import column_or_1d

from classy_aesop.fitters.base import LinearFitter
from classy_aesop.fitters.least_squares import centre_columns, pivoted_basis
from classy_aesop.formulas.base import Array


def canonical_direction(X: Array, Y: Array) -> tuple[Array, Array]:
    """Return the first direction (p,) and all canonical correlations of centred X (n, p) and Y (n, q).

    The score ``X @ direction`` has variance 1 (denominator n - 1); its sign is arbitrary. Dependent columns get 0. When
    either side is constant there is no correlation, and the direction is 0.
    """
    basis_of_columns = pivoted_basis(X)
    basis_of_measures = pivoted_basis(Y)
    direction = np.zeros(X.shape[1])
    if not (basis_of_columns.rank and basis_of_measures.rank):
        return direction, np.zeros(0)
    product = basis_of_columns.q.T @ basis_of_measures.q
    vectors, correlations, _ = svd(product, full_matrices=False, check_finite=False)
    scale = np.sqrt(len(X) - 1)
    coef = solve_triangular(basis_of_columns.r, vectors[:, 0], check_finite=False)
    direction[basis_of_columns.columns] = coef * scale
    return direction, np.minimum(correlations, 1.0)


def orientation(score: Array, Y: Array, target: int) -> float:
    """Return the sign (1 or -1) that makes a centred score correlate positively with the target."""
    lengths = np.sqrt(np.einsum("ij,ij->j", Y, Y))
    products = score @ Y / np.where(lengths > 0, lengths, 1.0)
    return -1.0 if (products[target] or products.sum()) < 0 else 1.0


@dataclass(eq=False, repr=False)
class CanonicalRegression(LinearFitter):
    """Canonical correlation with all human measures, oriented to and put on the scale of one.

    Parameters
    ----------
    target : int, default 0
        The column of Y to be predicted. The direction does not depend on it, only sign and scale do.
    calibrate : bool, default True
        Whether `predict` is on the target's scale (least squares of the target on the score over the training
        instances). Otherwise it is the raw score.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`.
    direction_ : (n_columns,)
        Weights of the raw score, which has mean 0 and variance 1 over the training instances.
    mean_ : (n_columns,)
        Column means that the raw score subtracts.
    correlations_ : (min of the two ranks,)
        All canonical correlations, largest first.

    Examples
    --------
    >>> F = [[.05, 3], [.08, 4], [.06, 6], [.10, 5], [.12, 7], [.09, 3]]
    >>> H = [[2, .20, 3], [3, .35, 2], [2, .25, 4], [4, .50, 4], [5, .70, 5], [3, .40, 3]]
    >>> fitted = CanonicalRegression(target=1).fit(F, H)
    >>> fitted.correlations_.round(6), fitted.direction_.round(4)
    (array([0.991681, 0.7354  ]), array([36.9916,  0.0512]))
    """

    many_targets = True
    first_of_equals = True
    tried_by_best = True

    target: int = 0
    calibrate: bool = True

    def for_target(self, target: int, *, on_scale: bool | None = None) -> Self:
        """Return a clone that predicts one column of y, rescaled to it or not."""
        rescaled = self.is_on_scale if on_scale is None else on_scale
        return clone(self).set_params(target=target, calibrate=rescaled)  # type: ignore[no-any-return]

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return weights and constant for y (n_instances,) or (n_instances, n_targets)."""
        Y = column_or_1d(y, warn=True)[:, None] if y.ndim == 1 or y.shape[1] == 1 else y
        if not 0 <= self.target < Y.shape[1]:
            raise ValueError(f"target is {self.target}; expected a column of y, 0 to {Y.shape[1] - 1}")
        columns, self.mean_ = centre_columns(X)
        measures, means = centre_columns(Y)
        direction, self.correlations_ = canonical_direction(columns, measures)
        score = columns @ direction
        self.direction_ = direction * orientation(score, measures, self.target)
        if not self.is_on_scale:
            return self.direction_, float(-self.mean_ @ self.direction_)
        slope = abs(score @ measures[:, self.target]) / ((score @ score) or 1.0)
        return slope * self.direction_, float(means[self.target] - slope * self.mean_ @ self.direction_)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R^2 of the prediction of the target, y as in `fit`.

        Parameters
        ----------
        X, y : array_like
            Columns and human measures, as in `fit`.
        sample_weight : array_like, shape (n,), optional
            Weights of the rows.
        """
        y = np.asarray(y)
        return float(super().score(X, y[:, self.target] if y.ndim == 2 else y, sample_weight))
