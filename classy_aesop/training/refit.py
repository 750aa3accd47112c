"""Step six: what was selected is fitted again, on the latest training year or on all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.formulas import Formula, Linear
from classy_aesop.predictor.base import reference_counts
from classy_aesop.predictor.training_range import TrainingRange
from classy_aesop.search import Design, fit_subsets, stack
from classy_aesop.training.designs import on_latest_scale, year_of_rows
from classy_aesop.training.select import Selection
from classy_aesop.training.task import TrainingTask, fit_rows


class RefitResult(NamedTuple):
    """What the predictor computes with, and what it was fitted to.

    Parameters
    ----------
    formula : Formula
        On the columns of the selection.
    training_range : TrainingRange
        Range and mean of each of them.
    references : dict of str to tuple of int
        The reference counts that there were.
    rows : Design
        What the formula was fitted to, with the columns of the selection; each year on its own human scale.
    years : ndarray of shape (n_rows,), optional
        The year of each row, where earlier years were brought to the latest one's human scale.
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    """

    formula: Formula
    training_range: TrainingRange
    references: dict[str, tuple[int, ...]]
    rows: Design
    years: NDArray[np.int64] | None
    held_out: NDArray[np.float64] | None


def refit(task: TrainingTask, selection: Selection) -> RefitResult:
    """Fit what was selected to the latest training year, or to all."""
    designs = task.arrays.designs[-task.n_refit_years :]
    rows = stack([design.columns(selection.positions) for design in designs])
    years = None if task.options.scale == "none" else year_of_rows(designs)
    scaled = rows if years is None else on_latest_scale(rows, years)
    return RefitResult(
        formula=fit_formula(task, selection, scaled),
        training_range=TrainingRange.of(rows.X[rows.complete([task.target])]),
        references=reference_counts(pd.concat(task.arrays.tables[-task.n_refit_years :])),
        rows=rows,
        years=years,
        held_out=_held_out(task, selection) if task.predicts_own_year else None,
    )


def fit_formula(task: TrainingTask, selection: Selection, design: Design) -> Formula:
    """Fit what was selected to rows with its columns; an average of linear members is linear."""
    rows, members = fit_rows(task, design), selection.chosen.members
    if len(members) == 1:
        formula: Formula = rows.fit(selection.fitters[members[0].fitter], task.target).formula
        return formula
    weights, intercept = np.zeros(rows.X.shape[1]), 0.0
    fitter: Any
    for name, fitter in selection.fitters.items():
        own = [member for member in members if member.fitter == name]
        masks, shares = np.array([one.subset.mask for one in own]), np.array([one.weight for one in own])
        coef, constants = fit_subsets(fitter, rows, selection.groups, masks, target=task.target)
        weights += coef @ shares
        intercept += float(constants @ shares)
    return Linear(tuple(map(float, weights)), intercept)


def _held_out(task: TrainingTask, selection: Selection) -> NDArray[np.float64]:
    """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing.

    Where a learner was chosen, the choice was made anew without each fold, and these are its predictions.
    """
    if selection.nested is not None:
        return selection.nested.held_out
    whole = task.arrays.scaled[0].columns(selection.positions)
    predictions = np.full(len(whole.X), np.nan)
    for held in task.arrays.folds:
        predictions[held] = fit_formula(task, selection, whole.take(~held)).predict(whole.X[held])
    return predictions
