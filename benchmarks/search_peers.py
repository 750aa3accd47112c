"""Loops over subsets as one would write them: fit with a library, predict the summarizers' means, correlate.

All peers are spared what is the same for every subset: columns are centred and standardized once, predictions are
made for the means of each summarizer only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import SearchData
from classy_aesop.search import Rows

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

SETTLED = 1e-8
"""Where peers of robust regression stop, unless they go by MATLAB's rule."""

BISQUARE_TUNING, MEDIAN_OF_NORMAL = 4.685, 0.6745


@dataclass(frozen=True)
class Problem:
    """The arrays that every peer works on.

    Parameters
    ----------
    X : (n_rows, n_columns)
        Training features; columns of mean 0 and length 1 in the mean, or as they are.
    Y : (n_rows, n_targets)
        Centred measures.
    target : int
        Column of Y.
    X_means, Y_means : (n_summarizers, n_columns), (n_summarizers, n_targets)
        Means over the held-out rows.
    groups : list of lists of int
    """

    X: Array
    Y: Array
    target: int
    X_means: Array
    Y_means: Array
    groups: list[list[int]]

    @classmethod
    def of(cls, data: SearchData, *, standard: bool = True) -> Problem:
        """Take the complete rows of a search."""
        train, select = (one.take(one.mark_complete_rows()) for one in (data.train, data.select))
        shift, scale = train.X.mean(axis=0), train.X.std(axis=0)
        scale[scale == 0] = 1.0
        means: Rows = select.means()
        X, X_means = ((A - shift) / scale if standard else A for A in (train.X, means.X))
        Y = train.Y - train.Y.mean(axis=0)
        return cls(X, Y, data.target, X_means, means.Y, data.groups)

    @cached_property
    def y(self) -> Array:
        """The centred target."""
        return self.Y[:, self.target]

    @property
    def y_means(self) -> Array:
        """The target's means."""
        return self.Y_means[:, self.target]

    @cached_property
    def Y_basis(self) -> Array:
        """Orthonormal columns that span the measures."""
        return np.linalg.qr(self.Y)[0]

    @cached_property
    def signs(self) -> Array:
        """The sign of each column's correlation with the target."""
        signs: Array = np.where(self.products < 0, -1.0, 1.0)
        return signs

    @cached_property
    def products(self) -> Array:
        """The products of the columns with the target."""
        products: Array = (self.X - self.X.mean(axis=0)).T @ self.y
        return products

    def columns(self, mask: int) -> list[int]:
        """List the columns of a subset."""
        return [c for name, group in enumerate(self.groups) if mask >> name & 1 for c in group]

    def score(self, columns: list[int], coef: Array) -> float:
        """Correlate the predictions of summarizers with the target."""
        return float(np.corrcoef(self.X_means[:, columns] @ coef, self.y_means)[0, 1])

    def towards_target(self, columns: list[int], direction: Array) -> Array:
        """Turn a canonical direction to correlate positively with the target."""
        return direction if direction @ self.products[columns] >= 0 else -direction


Fit = Callable[[Problem, list[int]], Array]


def loop(fit: Fit) -> Callable[[Problem, Integers], Array]:
    """Make a search of a fit: from subsets (n,) to scores (n,)."""

    def search(problem: Problem, masks: Integers) -> Array:
        subsets = (problem.columns(int(mask)) for mask in masks)
        return np.array([problem.score(columns, fit(problem, columns)) for columns in subsets])

    return search


def loop_over_targets(fit: Fit) -> Callable[[Problem, Integers], Array]:
    """Make a search of a canonical fit, made once a subset, for all targets: to scores (n, n_targets)."""

    def search(problem: Problem, masks: Integers) -> Array:
        turned = problem.X.T @ problem.Y
        scores = np.zeros((masks.size, problem.Y.shape[1]))
        for place, mask in enumerate(masks):
            columns = problem.columns(int(mask))
            coef = fit(problem, columns)
            predicted = problem.X_means[:, columns] @ coef
            r = np.corrcoef(predicted, problem.Y_means, rowvar=False)[0, 1:]
            scores[place] = r * np.where(coef @ turned[columns] < 0, -1, 1)
        return scores

    return search


def canonical_by_qr(problem: Problem, columns: list[int]) -> Array:
    """QR of the columns, singular values of the product with the measures' basis."""
    q, r = np.linalg.qr(problem.X[:, columns])
    u = np.linalg.svd(q.T @ problem.Y_basis, full_matrices=False)[0][:, 0]
    return problem.towards_target(columns, np.linalg.solve(r, u))


def canonical_by_statsmodels(problem: Problem, columns: list[int]) -> Array:
    """Canonical correlation of statsmodels."""
    from statsmodels.multivariate.cancorr import CanCorr

    found = CanCorr(problem.Y, problem.X[:, columns])
    return problem.towards_target(columns, np.asarray(found.x_cancoef[:, 0]))


def canonical_by_sklearn(tol: float) -> Fit:
    """CCA of scikit-learn; its ``tol`` bounds a squared distance, so 1e-16 means eight digits."""

    def fit(problem: Problem, columns: list[int]) -> Array:
        from sklearn.cross_decomposition import CCA

        found = CCA(n_components=1, max_iter=5000, tol=tol).fit(problem.X[:, columns], problem.Y)
        return problem.towards_target(columns, np.asarray(found.x_rotations_[:, 0]))

    return fit


def nonnegative_by_scipy(problem: Problem, columns: list[int]) -> Array:
    """Non-negative least squares of scipy, columns turned towards the target."""
    from scipy.optimize import nnls

    signs = problem.signs[columns]
    coef: Array = nnls(problem.X[:, columns] * signs, problem.y)[0] * signs
    return coef


def robust_by_statsmodels(problem: Problem, columns: list[int]) -> Array:
    """Bisquare M-estimate of statsmodels, which knows no leverages: its numbers are near ours, not ours."""
    import statsmodels.api as sm

    model = sm.RLM(
        problem.y, sm.add_constant(problem.X[:, columns]), M=sm.robust.norms.TukeyBiweight(BISQUARE_TUNING)
    )
    fitted: Any = model.fit(maxiter=500, tol=SETTLED, conv="coefs")
    return np.asarray(fitted.params[1:])


def robust_by_qr(problem: Problem, columns: list[int]) -> Array:
    """Robust regression as MATLAB's ``robustfit`` does it, each weighted fit by QR, until it stands still."""
    X = np.column_stack([np.ones(len(problem.X)), problem.X[:, columns]])
    y = problem.y
    q, r = np.linalg.qr(X)
    coef = np.linalg.solve(r, q.T @ y)
    factor = 1 / np.sqrt(1 - np.minimum(0.9999, (q**2).sum(axis=1)))
    least = 1e-6 * np.std(y, ddof=1)
    for _ in range(2000):
        adjusted = (y - X @ coef) * factor
        scale = max(np.median(np.sort(np.abs(adjusted))[X.shape[1] - 1 :]) / MEDIAN_OF_NORMAL, least)
        u = adjusted / (BISQUARE_TUNING * scale)
        root = np.where(np.abs(u) < 1, 1 - u**2, 0.0)
        q, r = np.linalg.qr(X * root[:, None])
        before, coef = coef, np.linalg.solve(r, q.T @ (root * y))
        if np.max(np.abs(X @ (coef - before))) <= SETTLED * scale:
            break
    return np.asarray(coef[1:])
