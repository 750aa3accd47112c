"""Robust regression with bisquare weights, as MATLAB's ``robustfit`` computes it.

Least squares, then again and again: residuals are divided by ``sqrt(1 - leverage)`` and by a scale, weighted
by ``(1 - u^2)^2`` where ``|u| < 1`` and by 0 elsewhere, and the weighted least squares problem is solved. The
leverages are those of the first, unweighted fit. The scale is the median of the absolute residuals without
the r - 1 smallest (r the rank of the last fit), over 0.6745.

Departs from the paper: Rankel (2016), section 3.5.1 takes the deviations from their median, and leaves out the p
smallest, p the number of columns; the published routine, which is followed here, takes them from 0, and leaves out
r - 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from sklearn.exceptions import ConvergenceWarning

from classy_aesop.errors import warn
from classy_aesop.fitters.base import LinearFitter
from classy_aesop.fitters.least_squares import StandardColumns, least_squares, pivoted_basis
from classy_aesop.formulas.base import Array

MAX_REMEMBERED_STEPS = 3


class AndersonMemory:
    """The last steps of k problems, for Anderson acceleration; lengths of steps are those of the fitted values.

    Of the last few steps, take the combination (weights that sum to 1) with the least length, and continue from the
    same combination of their ends. The fixed points stay the same; they are only reached sooner. Anderson (1965);
    Walker and Ni (2011), equation 2.1. The squared length of a step d is ``d @ gram @ d``.
    """

    def __init__(self, gram: Array) -> None:
        self.gram = gram
        self.past: list[tuple[Array, Array]] = []
        self.length: Array | None = None

    def next(self, coef: Array, step: Array, length: Array, near: NDArray[np.bool_]) -> Array:
        """Return the next coefficients (k, p): accelerated where ``near`` and no step has got much longer.

        Shapes: ``coef`` and ``step`` (k, p), ``length`` and ``near`` (k,).
        """
        next_coef = coef + step
        if self.length is not None:
            moves = np.stack([step - old for _, old in self.past], axis=1)
            shifts = np.stack([coef - old for old, _ in self.past], axis=1)
            measured = moves @ self.gram
            normal = measured @ moves.transpose(0, 2, 1)
            ridge = 1e-12 * np.trace(normal, axis1=1, axis2=2) + 1e-300
            normal += ridge[:, None, None] * np.eye(normal.shape[1])
            share = np.linalg.solve(normal, measured @ step[:, :, None])[:, :, 0]
            trusted = near & (length < 2 * self.length) & np.isfinite(share).all(axis=1)
            share = np.where(trusted[:, None], share, 0.0)
            next_coef = next_coef - np.einsum("km,kmi->ki", share, moves + shifts)
        self.past = [*self.past, (coef, step)][-MAX_REMEMBERED_STEPS:]
        self.length = length
        return np.asarray(next_coef)

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Keep only the problems that are not done."""
        self.past = [(coef[rows], step[rows]) for coef, step in self.past]
        self.length = self.length[rows] if self.length is not None else None


BISQUARE_TUNING = 4.685
"""Residuals, over the scale, from which the weight is 0: 95 % efficient for normal errors."""
MEDIAN_OF_NORMAL = 0.6745
"""Median of the absolute value of a standard normal number."""
LARGEST_LEVERAGE = 0.9999
MAX_ROBUST_ITERATIONS = 500
MIN_RELATIVE_DEVIATION = 1e-12
"""Standard deviation of a column, over its mean, up to which it is constant but for rounding."""
MAX_STEP_TO_ACCELERATE = 1e-2
"""Root mean square of a step, over the scale, from which the way to the fixed point is accelerated."""


@dataclass(frozen=True)
class RobustFit:
    """The result of the iteration: coefficients (p,), weights (n,), the scale, and how it ended."""

    coef: Array
    weights: Array
    scale: float
    n_iter: int
    converged: bool
    collapsed: bool


def smallest_scale(y: Array) -> float:
    """Return the least scale: a millionth of the standard deviation of y, or 1 if that is 0."""
    return float(1e-6 * np.std(y, ddof=1)) or 1.0


def robust_least_squares(X: Array, y: Array) -> RobustFit:
    """Fit y (n,) on the columns of X (n, p), which include the column of ones if there is to be a constant.

    It iterates until the fitted values are stationary to rounding, accelerated once it is near. MATLAB's routine stops
    where no coefficient changes by more than 1.5e-8 of itself, or after 50 iterations: on correlated columns up to 1e-4
    away from the fixed point.
    """
    n, p = X.shape
    if n <= p:
        raise ValueError(
            f"robust regression on {p} columns (with constant) needs more rows; found n_samples={n}"
        )
    start, basis = least_squares(X, y)
    leverages = np.minimum(LARGEST_LEVERAGE, np.einsum("ij,ij->i", basis.q, basis.q))
    factor = 1.0 / np.sqrt(1.0 - leverages)
    floor = smallest_scale(y)
    columns = X[:, basis.columns]
    coef = start[basis.columns]
    rank = basis.rank
    scale = floor
    weights = np.ones(n)
    n_iter = 0
    converged = False
    memory = AndersonMemory(np.eye(rank))
    while not converged and n_iter < MAX_ROBUST_ITERATIONS:
        n_iter += 1
        adjusted = (y - columns @ coef) * factor
        largest = np.sort(np.abs(adjusted))[max(1, rank) - 1 :]
        scale = max(float(np.median(largest) / MEDIAN_OF_NORMAL), floor)
        u = adjusted / (BISQUARE_TUNING * scale)
        weights = np.where(np.abs(u) < 1, (1 - u**2) ** 2, 0.0)
        root = np.sqrt(weights)
        previous = coef
        coef, weighted_basis = least_squares(columns * root[:, None], y * root)
        rank = weighted_basis.rank
        rounding = 16 * np.finfo(float).eps * np.max(np.abs(columns) @ np.abs(coef), initial=0.0)
        change = np.max(np.abs(columns @ (coef - previous)), initial=0.0)
        converged = bool(change <= 1e-14 * scale + rounding)
        if not converged:
            coef = accelerate(memory, basis.r, previous, coef, scale * np.sqrt(n))
    full = np.zeros(p)
    full[basis.columns] = coef
    return RobustFit(full, weights, scale, n_iter, converged, bool(scale == floor and np.any(weights == 0)))


def accelerate(memory: AndersonMemory, triangle: Array, previous: Array, coef: Array, unit: float) -> Array:
    """Return the accelerated coefficients after a plain step."""
    step = (triangle @ (coef - previous))[None]
    length = np.sqrt(np.sum(step**2, axis=1)) / unit
    fitted = memory.next((triangle @ previous)[None], step, length, length < MAX_STEP_TO_ACCELERATE)
    return np.asarray(solve_triangular(triangle, fitted[0], check_finite=False))


class RobustRegression(LinearFitter):
    """Robust linear regression with bisquare weights (Rankel 2016, section 3.5.1).

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. A column that depends on others gets 0, decided by pivoting on the raw columns; where
        that is the column of ones, the constant is 0. Columns so far from 0 that rounding makes them depend on the
        column of ones are fitted as a search fits them, less their means and over their standard deviations.
    converged_ : bool
        Whether the stopping rule was met before the cap.
    n_iter_ : int
        Number of weighted fits.
    scale_ : float
        Robust standard deviation of the residuals, on the scale of the target.
    weights_ : (n_instances,)
        Weight of each instance in the last fit, from 0 to 1.

    Warns
    -----
    ConvergenceWarning
        When the cap was reached.
    DataWarning
        When half of the instances are fitted exactly, so that all others have weight 0.

    Examples
    --------
    >>> X = [[x] for x in range(1, 11)]
    >>> y = [5.1, 7.9, 11.2, 13.8, 17.1, 20, 22.9, 26.2, 28.8, 5]
    >>> fitted = RobustRegression().fit(X, y)
    >>> print(f"{fitted.intercept_:.5f} {fitted.coef_[0]:.5f} {fitted.weights_[-1]}")
    2.06185 2.98748 0.0
    """

    first_of_equals = True
    spare_rows = 1
    tried_by_best = True
    fails_where = "it fits a constant where half of the judgments are equal"

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights and the constant; raise ValueError unless n exceeds the number of unknowns."""
        design = np.column_stack([np.ones(len(X)), X])
        standard = self._standardize_if_far(X, design)
        if standard is not None:
            design = np.column_stack([np.ones(len(X)), standard.Z])
        fit = robust_least_squares(design, y)
        self.converged_ = fit.converged
        self.n_iter_ = fit.n_iter
        self.scale_ = fit.scale
        self.weights_ = fit.weights
        if not fit.converged:
            message = f"robust regression stopped at its cap of {fit.n_iter} iterations"
            warn(message, ConvergenceWarning)
        if fit.collapsed:
            n_exact = int(np.sum(fit.weights > 0))
            n = fit.weights.size
            message = f"robust regression fits {n_exact} of {n} instances exactly and ignores the others"
            warn(message)
        if standard is not None:
            weights, constant = standard.raw_weights(fit.coef[1:, None], fit.coef[0])
            return weights[:, 0], constant.item()
        return fit.coef[1:], float(fit.coef[0])

    def _standardize_if_far(self, X: Array, design: Array) -> StandardColumns | None:
        """Standardize columns (n, p) that have a higher rank so than raw ones with a constant, the design."""
        standard = StandardColumns.standardize(X)
        is_constant = standard.scale <= MIN_RELATIVE_DEVIATION * np.abs(standard.shift)
        standard = replace(standard, Z=np.where(is_constant, 0.0, standard.Z))
        n_deviating = pivoted_basis(standard.Z).rank if X.shape[1] else 0
        return standard if n_deviating + 1 > pivoted_basis(design).rank else None
