"""Subsets fitted: in batches by the kernel of a fitter, or one at a time by the estimator itself.

The estimator fits what a kernel cannot solve reliably: subsets that it calls hard or not converged, those with too few
rows, and those without any weight (robust regression has collapsed to a constant, and says so). A column that is
constant in the rows of a fit has the weight 0. `fit_subsets` refits those of an average.
"""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from sklearn.base import clone

from classy_aesop.errors import warn
from classy_aesop.fitters import (
    CanonicalRegression,
    LinearFitter,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
)
from classy_aesop.search.canonical import CanonicalKernel
from classy_aesop.search.design import Array, Design, Integers, Mask, needed_targets
from classy_aesop.search.nonnegative import NonNegativeKernel
from classy_aesop.search.ridge import RidgeKernel
from classy_aesop.search.robust import RobustKernel
from classy_aesop.search.subsets import (
    Groups,
    Kernel,
    Solutions,
    Training,
    constant_columns,
    row_sets,
    twin_sets,
    used_columns,
    without_gaps,
    without_twins,
)

KERNELS: dict[type, type[Kernel]] = {
    CanonicalRegression: CanonicalKernel,
    NonNegativeRegression: NonNegativeKernel,
    RidgeRegression: RidgeKernel,
    RobustRegression: RobustKernel,
}
"""The batched kernel of each fitter; any other regressor is searched by a plain loop."""


def kernel_of(fitter: Any) -> type[Kernel]:
    """Return the kernel of a fitter's own class (a subclass may solve something else), or that of the plain loop."""
    return KERNELS.get(type(fitter), NoKernel)


Predict = Callable[[Array], Array]


def fit_one(fitter: Any, training: Training, mask: int) -> tuple[Predict, bool]:
    """Fit a clone on one subset; give what predicts (n_rows,) from rows of all columns, and whether it converged."""
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


def fit_subsets(
    fitter: LinearFitter, design: Design, groups: Groups, masks: Integers, *, target: int
) -> tuple[Array, Array]:
    """Fit every one of some subsets on the rows that have all values it needs.

    Parameters
    ----------
    fitter : LinearFitter
        With a kernel (`KERNELS`) it is fitted in batches, others one subset after the other.
    design : Design
        The rows, at the level and with the effects that are wanted; a missing value costs only the subsets that use it.
    groups : sequence of lists of int
        The columns that each name brings.
    masks : (n_subsets,) integers
        The subsets, in any order; a subset may be repeated.
    target : int
        Column of Y to be predicted.

    Returns
    -------
    weights : (n_columns, n_subsets)
        Those of raw columns; 0 for what a subset does not use.
    intercepts : (n_subsets,)
        The constants.

    Raises
    ------
    ValueError
        Too few rows for a subset; the message is the fitter's.

    Warns
    -----
    As the estimator. A warning about several subsets is issued once, with their number.
    """
    distinct, place = np.unique(masks, return_inverse=True)
    weights, intercepts = np.zeros((design.X.shape[1], distinct.size)), np.zeros(distinct.size)
    solved = np.zeros(distinct.size, dtype=bool)
    with blas().limit(limits=1), once():
        if type(fitter) in KERNELS:
            for part, names in row_sets(distinct, [(design, design)], groups):
                at = np.searchsorted(distinct, part)
                columns = [column for name in names for column in groups[name]]
                weights[:, at], intercepts[at], solved[at] = _in_batch(
                    fitter, design, groups, part, columns, target
                )
        for one in np.flatnonzero(~solved):
            columns_used = np.flatnonzero(used_columns(distinct[[one]], groups, len(weights))[0])
            weights[:, one] = 0.0
            weights[columns_used, one], intercepts[one] = _alone(fitter, design.columns(columns_used), target)
    return weights[:, place], intercepts[place]


def _in_batch(
    fitter: LinearFitter, design: Design, groups: Groups, masks: Integers, columns: list[int], target: int
) -> tuple[Array, Array, Mask]:
    """Return weights (n_columns, n), constants (n,) and what is solved, for ascending masks of the same rows."""
    rows = without_gaps(design, columns, needed_targets(fitter, target))
    if len(rows.X) < 2:
        return np.zeros((rows.X.shape[1], masks.size)), np.zeros(masks.size), np.zeros(masks.size, dtype=bool)
    training = Training.of(fitter, rows, groups, [target], constant_columns(rows.X))
    twins = twin_sets([training]) if fitter.first_of_equals else []
    reduced, place = np.unique(without_twins(masks, twins), return_inverse=True)
    found = KERNELS[type(fitter)].for_refit()(fitter, training).solve(reduced)
    weights, intercepts = found.coef[:, found.owner][:, place], found.intercept[found.owner][place]
    fine = (found.converged[found.owner] & ~found.hard)[place] & weights.any(axis=0)
    needed_rows = training.used(masks).sum(axis=1) + fitter.spare_rows
    return weights, intercepts, fine & (len(rows.X) > needed_rows)


def _alone(fitter: LinearFitter, design: Design, target: int) -> tuple[Array, float]:
    """Return weights (n_columns,) and constant of the estimator, on the columns that vary, or all if none does."""
    rows = design.take(design.complete(needed_targets(fitter, target)))
    varying = ~constant_columns(rows.X)
    varying = varying if varying.any() else ~varying
    fitted, weights = rows.columns(varying).fit(fitter, target), np.zeros(varying.size)
    weights[varying] = fitted.coef_
    return weights, float(fitted.intercept_)


@cache
def blas() -> Any:
    """Return the thread pools of this process; to look for them costs more than a search."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextlib.contextmanager
def once() -> Iterator[None]:
    """Issue each warning about many fits once, with their number."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for (category, text), count in Counter((one.category, str(one.message)) for one in caught).items():
        warn(text if count == 1 else f"{text} ({count} fits)", category)
