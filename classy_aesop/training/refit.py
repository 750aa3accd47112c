"""Step six: what was selected is fitted again, on the latest training year or on all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.formulas import Formula
from classy_aesop.predictor.base import reference_counts
from classy_aesop.predictor.training_range import TrainingRange
from classy_aesop.training.select import Selection
from classy_aesop.training.super_learner import shared_anew
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
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    """

    formula: Formula
    training_range: TrainingRange
    references: dict[str, tuple[int, ...]]
    held_out: NDArray[np.float64] | None


def refit(task: TrainingTask, selection: Selection) -> RefitResult:
    """Fit what was selected to the latest training year, or to all."""
    pool = task.pool().columns(selection.positions)
    scaled = pool if task.options.scale == "none" else pool.on_latest_scale()
    rows = fit_rows(task, scaled.design)
    return RefitResult(
        formula=selection.learner.fit(rows, task.target),
        training_range=TrainingRange.of(pool.design.X[pool.design.complete([task.target])]),
        references=reference_counts(pd.concat(task.arrays.tables[-task.n_refit_years :])),
        held_out=_held_out(task, selection) if task.predicts_own_year else None,
    )


def _held_out(task: TrainingTask, selection: Selection) -> NDArray[np.float64]:
    """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing.

    Where a learner was chosen, the choice was made anew without each fold, and these are its predictions; the shares of
    a mixture are found anew.
    """
    if selection.nested is not None:
        return selection.nested.held_out
    whole = task.arrays.scaled[0].columns(list(selection.positions))
    predictions = np.full(len(whole.X), np.nan)
    for held in task.arrays.folds:
        learner = shared_anew(task, selection.learner, ~held)
        formula = learner.fit(fit_rows(task, whole.take(~held)), task.target)
        predictions[held] = formula.predict(whole.X[held])
    return predictions
