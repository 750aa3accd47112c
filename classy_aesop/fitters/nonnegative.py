"""Least squares with weights that never work against a column's own correlation with the target.

Each column is turned to correlate positively with the target (over the training instances), and the weights
of the turned columns are kept nonnegative. A column that only helps as a suppressor of others therefore gets
0. The constant is free in sign, which is the same as centring first.

Departs from the paper: Rankel (2016), section 3.5.2 does not mention a constant; the weights of its Table 5.3
cannot be without one.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.fitters.base import LinearFitter
from classy_aesop.fitters.least_squares import centre_columns, distinct_columns
from classy_aesop.formulas.base import Array

MIN_CORRELATION = 1e-12
"""Smaller correlations are 0: what rounding leaves of 0 has a sign that depends on the order of the rows."""


def marginal_signs(X: Array, y: Array) -> Array:
    """Return the sign (p,) of each column's correlation with y; +1 for a constant column, or none up to rounding."""
    columns, _ = centre_columns(X)
    target = centre_columns(y[:, None])[0][:, 0]
    rounding = MIN_CORRELATION * np.linalg.norm(columns, axis=0) * np.linalg.norm(target)
    return np.asarray(np.where(columns.T @ target < -rounding, -1.0, 1.0))


def nonnegative_least_squares(X: Array, y: Array) -> Array:
    """Return the nonnegative weights (p,) with the least squared error; a column of zeros gets 0.

    By Lawson and Hanson's method on columns scaled to length 1, which does not move the minimum. Of equal
    columns the first gets all weight.
    """
    from scipy.optimize import nnls

    lengths = np.sqrt(np.einsum("ij,ij->j", X, X))
    distinct = distinct_columns(X)
    used = distinct[lengths[distinct] > 0]
    weights = np.zeros(X.shape[1])
    if used.size:  # nnls without columns ends the interpreter
        weights[used] = nnls(X[:, used] / lengths[used], y, maxiter=30 * used.size)[0] / lengths[used]
    return weights


class NonNegativeRegression(LinearFitter):
    """Nonnegative least squares on columns turned towards the target (Rankel 2016, section 3.5.2).

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. The weights are those of the raw columns: each is 0 or has the sign of its column in
        ``signs_``. A constant column gets 0.
    signs_ : (n_columns,)
        +1 or -1 for each column, how it was turned.

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 5], [4, 3], [5, 6]]
    >>> fitted = NonNegativeRegression().fit(X, [1, 3, 2, 5, 4])
    >>> print(f"{fitted.intercept_:.3f}", fitted.coef_.round(6))
    0.600 [0.8 0. ]
    """

    first_of_equals = True
    tried_by_best = True

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights of the raw columns and the constant, which is free in sign."""
        self.signs_ = marginal_signs(X, y)
        columns, means = centre_columns(X)
        target, mean = centre_columns(y[:, None])
        coef = self.signs_ * nonnegative_least_squares(columns * self.signs_, target[:, 0])
        return coef, float(mean[0] - means @ coef)
