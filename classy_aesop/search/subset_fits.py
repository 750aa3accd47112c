"""Fit subsets: in batches by the kernel of a fitter, or one at a time by the estimator itself.

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
from classy_aesop.fitters import LinearFitter
from classy_aesop.formulas.base import Array
from classy_aesop.search.design import Design, Integers, Mask, needed_targets
from classy_aesop.search.kernels import KERNELS
from classy_aesop.search.kernels.base import Kernel, Solutions, Training, identical_names
from classy_aesop.search.subsets import (
    Groups,
    columns_used,
    constant_columns,
    drop_missing_rows,
    keep_first_of_identical,
    split_by_rows,
)


def kernel_of(fitter: Any) -> type[Kernel]:
    """Return the kernel of a fitter's own class (a subclass may solve something else), or that of the plain loop."""
    return KERNELS.get(type(fitter), PlainLoop)


Predict = Callable[[Array], Array]
"""Predictions (n_rows,) from rows of all columns."""


def fit_subset(fitter: Any, training: Training, mask: int) -> tuple[Predict, bool]:
    """Fit a clone of a fitter on the columns of one subset.

    Parameters
    ----------
    fitter : regressor
        It stays as it is.
    training : Training
        The rows.
    mask : int
        The subset.

    Returns
    -------
    predict : callable
        Predicts (n_rows,) from rows of all columns.
    converged : bool
        Whether the estimator says that it has converged; True if it does not say.
    """
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


def fit_subsets(
    fitter: LinearFitter, design: Design, groups: Groups, masks: Integers, *, target: int
) -> tuple[Array, Array]:
    """Fit every one of some subsets on the rows that have all values it needs.

    Parameters
    ----------
    fitter : LinearFitter
        With a kernel (`KERNELS`) it is fitted in batches, others one subset after the other.
    design : Design
        The rows, at the level and with the effects of the fit; a missing value costs only the subsets that use it.
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
    distinct, position = np.unique(masks, return_inverse=True)
    weights = np.zeros((design.X.shape[1], distinct.size))
    intercepts = np.zeros(distinct.size)
    is_solved = np.zeros(distinct.size, dtype=bool)
    with blas_controller().limit(limits=1), warn_once():
        if type(fitter) in KERNELS:
            for batch, names in split_by_rows(distinct, [(design, design)], groups):
                places = np.searchsorted(distinct, batch)
                columns = [column for name in names for column in groups[name]]
                batch_weights, batch_intercepts, batch_is_solved = _fit_in_batch(
                    fitter, design, groups, batch, columns, target
                )
                weights[:, places] = batch_weights
                intercepts[places] = batch_intercepts
                is_solved[places] = batch_is_solved
        for place in np.flatnonzero(~is_solved):
            columns_of_subset = np.flatnonzero(columns_used(distinct[[place]], groups, len(weights))[0])
            coef, intercept = _fit_by_estimator(fitter, design.select_columns(columns_of_subset), target)
            weights[:, place] = 0.0
            weights[columns_of_subset, place] = coef
            intercepts[place] = intercept
    return weights[:, position], intercepts[position]


def _fit_in_batch(
    fitter: LinearFitter, design: Design, groups: Groups, masks: Integers, columns: list[int], target: int
) -> tuple[Array, Array, Mask]:
    """Return weights (n_columns, n), constants (n,) and what is solved, for ascending masks of the same rows."""
    rows = drop_missing_rows(design, columns, needed_targets(fitter, target))
    if len(rows.X) < 2:
        return np.zeros((rows.X.shape[1], masks.size)), np.zeros(masks.size), np.zeros(masks.size, dtype=bool)
    training = Training.select(fitter, rows, groups, [target], constant_columns(rows.X))
    identical = identical_names([training]) if fitter.first_of_equals else []
    reduced, position = np.unique(keep_first_of_identical(masks, identical), return_inverse=True)
    solutions = KERNELS[type(fitter)].for_refit()(fitter, training).solve(reduced)
    weights = solutions.coef[:, solutions.owner][:, position]
    intercepts = solutions.intercept[solutions.owner][position]
    is_reliable = (solutions.converged[solutions.owner] & ~solutions.hard)[position] & weights.any(axis=0)
    needed_rows = training.columns_used(masks).sum(axis=1) + fitter.spare_rows
    return weights, intercepts, is_reliable & (len(rows.X) > needed_rows)


def _fit_by_estimator(fitter: LinearFitter, design: Design, target: int) -> tuple[Array, float]:
    """Return weights (n_columns,) and constant of the estimator, on the columns that vary, or all if none does."""
    rows = design.take(design.mark_complete_rows(needed_targets(fitter, target)))
    varying = ~constant_columns(rows.X)
    varying = varying if varying.any() else ~varying
    fitted = rows.select_columns(varying).fit(fitter, target)
    weights = np.zeros(varying.size)
    weights[varying] = fitted.coef_
    return weights, float(fitted.intercept_)


@cache
def blas_controller() -> Any:
    """Return the controller of this process's thread pools; to look for them costs more than a search."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextlib.contextmanager
def warn_once() -> Iterator[None]:
    """Issue each warning about many fits once, with their number."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    counts = Counter((record.category, str(record.message)) for record in caught)
    for (category, text), count in counts.items():
        warn(text if count == 1 else f"{text} ({count} fits)", category)
