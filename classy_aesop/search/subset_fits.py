"""Fit subsets: in batches by the kernel of a fitter, or one at a time by the estimator itself.

The estimator fits what a kernel cannot solve reliably: subsets that it calls hard or not converged, those with too few
rows, and those without any weight (robust regression has collapsed to a constant, and says so). A column that is
constant in the rows of a fit has the weight 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from classy_aesop.formulas.base import Array
from classy_aesop.search.kernels import KERNELS
from classy_aesop.search.kernels.base import Kernel, Solutions, Training
from classy_aesop.search.row_arrays import Integers


def kernel_of(fitter: Any) -> type[Kernel]:
    """Return the kernel of a fitter's own class (a subclass may solve something else), or that of the plain loop."""
    return KERNELS.get(type(fitter), PlainLoop)


Predict = Callable[[Array], Array]
"""Predictions (n_rows,) from rows of all columns."""


def fit_subset(fitter: Any, training: Training, mask: int) -> tuple[Predict, bool]:
    """Fit a clone of a fitter on the columns of one subset."""
    columns = np.flatnonzero(training.columns_used(np.array([mask]))[0])
    if not columns.size:  # all of them constant
        return (lambda X: np.zeros(len(X))), True
    y = training.Y[:, 0] if training.Y.shape[1] == 1 else training.Y
    fitted = clone(fitter).fit(training.X[:, columns], y)

    def predict(X: Array) -> Array:
        """Predict from the subset's columns."""
        return np.asarray(fitted.predict(X[:, columns]), dtype=float)

    return predict, bool(getattr(fitted, "converged_", True))


class PlainLoop(Kernel):
    """Leaves every subset to the fitter, which fits them one after the other."""

    chunk = 256

    def __init__(self, fitter: Any, training: Training) -> None:
        self.n_columns = training.X.shape[1]

    def solve(self, masks: Integers) -> Solutions:
        """Mark every subset as hard, with zeros in place of coefficients."""
        n = masks.size
        is_hard = np.ones(n, dtype=bool)
        return Solutions(np.zeros((self.n_columns, n)), np.zeros(n), is_hard, is_hard, np.arange(n))
