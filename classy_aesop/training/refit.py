"""Step six: what was selected is fitted again, on the latest training year or on all."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.formulas import Formula
from classy_aesop.predictor.training_range import TrainingRange
from classy_aesop.training.held_out import hold_out_of
from classy_aesop.training.learners import SuperLearner
from classy_aesop.training.select import Selection
from classy_aesop.training.super_learner import shares_of
from classy_aesop.training.task import TrainingTask


class RefitResult(NamedTuple):
    """What the predictor computes with, and what it was fitted to.

    Parameters
    ----------
    formula : Formula
        On the columns of the selection.
    training_range : TrainingRange
        Range and mean of each of them.
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    """

    formula: Formula
    training_range: TrainingRange
    held_out: NDArray[np.float64] | None


def refit(task: TrainingTask, selection: Selection) -> RefitResult:
    """Fit what was selected to the latest training year, or to all."""
    pool = task.pool().columns(selection.positions)
    scaled = pool if task.options.scale == "none" else pool.on_latest_scale()
    rows = scaled.design.for_fit(effects=task.options.effects, level=task.options.fit_level)
    return RefitResult(
        formula=selection.learner.fit(rows, task.target),
        training_range=TrainingRange.of(pool.design.X[pool.design.complete([task.target])]),
        held_out=_held_out(task, selection) if task.predicts_own_year else None,
    )


def _held_out(task: TrainingTask, selection: Selection) -> NDArray[np.float64]:
    """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing.

    The shares of a mixture are found anew without each fold.
    """
    whole = task.arrays.scaled[0].columns(list(selection.positions))
    predictions = np.full(len(whole.X), np.nan)
    for held in task.arrays.folds:
        learner = selection.learner
        if isinstance(learner, SuperLearner):
            held_out = hold_out_of(task, selection.positions, learner.learners, ~held)
            learner = replace(learner, shares=shares_of(learner.learners, held_out))
        known = whole.take(~held).for_fit(effects=task.options.effects, level=task.options.fit_level)
        predictions[held] = learner.fit(known, task.target).predict(whole.X[held])
    return predictions
