"""One subset at a time by the estimator itself: for fitters without a kernel, and what a kernel cannot solve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from classy_aesop.search.base import Kernel, Solutions, Training
from classy_aesop.search.design import Array, Integers

Predict = Callable[[Array], Array]


def fit_one(fitter: Any, training: Training, mask: int) -> tuple[Predict, bool]:
    """Fit a clone on the columns of one subset.

    Returns
    -------
    predict : callable
        From rows of all columns (n_rows, n_columns) to predictions (n_rows,).
    converged : bool
        What the estimator says of itself, True if it says nothing.
    """
    columns = np.flatnonzero(training.used(np.array([mask]))[0])
    if not columns.size:  # all of them constant
        return (lambda X: np.zeros(len(X))), True
    y = training.Y[:, 0] if training.Y.shape[1] == 1 else training.Y
    fitted = clone(fitter).fit(training.X[:, columns], y)
    return (lambda X: np.asarray(fitted.predict(X[:, columns]), dtype=float)), bool(
        getattr(fitted, "converged_", True)
    )


class NoKernel(Kernel):
    """Leaves every subset to the estimator."""

    chunk = 256

    def __init__(self, fitter: Any, training: Training) -> None:
        self.n_columns = training.X.shape[1]

    def solve(self, masks: Integers) -> Solutions:
        """Return no solution: every subset is hard."""
        n, yes = masks.size, np.ones(masks.size, dtype=bool)
        return Solutions(np.zeros((self.n_columns, n)), np.zeros(n), yes, yes, np.arange(n))
