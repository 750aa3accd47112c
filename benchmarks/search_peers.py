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
"""Where robust regression of statsmodels stops."""

BISQUARE_TUNING = 4.685


@dataclass(frozen=True)
class Problem:
    """The arrays that every peer works on.

    Parameters
    ----------
    X : (n_rows, n_columns)
        Training features; columns of mean 0 and standard deviation 1.
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
    def of(cls, data: SearchData) -> Problem:
        """Take the complete rows of a search."""
        train, select = (one.take(one.mark_complete_rows()) for one in (data.train, data.select))
        shift, scale = train.X.mean(axis=0), train.X.std(axis=0)
        scale[scale == 0] = 1.0
        means: Rows = select.means()
        X, X_means = ((A - shift) / scale for A in (train.X, means.X))
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


def canonical_by_statsmodels(problem: Problem, columns: list[int]) -> Array:
    """Canonical correlation of statsmodels."""
    from statsmodels.multivariate.cancorr import CanCorr

    found = CanCorr(problem.Y, problem.X[:, columns])
    return problem.towards_target(columns, np.asarray(found.x_cancoef[:, 0]))


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
