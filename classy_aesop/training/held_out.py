"""Predictions of rows by learners that saw neither their topic nor their summarizer.

Topics and summarizers are dealt into folds; the rows of each pair of folds are predicted by what was fitted without
both. Where the summarizers that will be predicted are those learned from, only topics are held out. A super learner
finds its shares on such predictions. Intervals find their half-widths on them if there is one year; of several, each is
predicted from the others.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from classy_aesop.search import Design
from classy_aesop.training.arrays import Mask, StackedYears
from classy_aesop.training.forms import fit_forms
from classy_aesop.training.learners import HeldOut, Learner
from classy_aesop.training.task import TrainingTask

FEWEST = 3
"""Topics, and summarizers, that are needed at least."""


def hold_out(
    learners: Sequence[Learner],
    stacked: StackedYears,
    target: int,
    *,
    rows_of: Callable[[Design], Design] = lambda design: design,
    relative: Sequence[str] = (),
    one_scale: bool = True,
    same_summarizers: bool = False,
    n_folds: int = 5,
    seed: int = 0,
) -> HeldOut | None:
    """Predict the rows of several years by each learner, fitted without the row's folds of topics and of summarizers.

    Parameters
    ----------
    learners : sequence of Learner
        On the columns of the rows.
    stacked : StackedYears
        Each year on its own human scale; rows that lack a column or the target are left out.
    target : int
        Column of ``Y``.
    rows_of : callable
        Makes of known rows those that are fitted to: another level, or without topic effects.
    relative : sequence of str
        The last columns, those that are relative to the topic.
    one_scale : bool
        Whether earlier years are brought to the scale of the latest one's known rows.
    same_summarizers : bool
        Whether the same summarizers will be predicted, so that only topics are held out.
    n_folds, seed : int
        How many folds of topics, and of summarizers, and what deals them.

    Returns
    -------
    HeldOut or None
        None for fewer than `FEWEST` topics or summarizers.
    """
    stacked = stacked.take(stacked.design.complete([target]))
    if _too_few(stacked):
        return None
    truth, predictions = np.empty(len(stacked.years)), np.full((2, len(stacked.years), len(learners)), np.nan)
    by_topic = ((held, ~held) for held in stacked.topic_folds(n_folds, seed))
    cells = tuple(by_topic if same_summarizers else stacked.crossed_folds(n_folds, seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for held, known in cells:
            scaled = (stacked.on_latest_scale(known) if one_scale else stacked).design
            truth[held] = scaled.Y[held, target]
            rows = rows_of(scaled.take(known))
            beside = np.isin(stacked.design.topics, stacked.design.topics[held]) if relative else held
            company = stacked.design.take(beside)
            for at, learner in enumerate(learners):
                with contextlib.suppress(ValueError):  # complete rows are refused for one reason: too few
                    found = np.stack(fit_forms(learner, rows, target, relative).predict(company))
                    predictions[:, held, at] = found[:, held[beside]]
    within, alone = predictions
    return HeldOut(stacked, truth, within, alone, cells, same_summarizers)


def _too_few(stacked: StackedYears) -> bool:
    return min(np.unique(names).size for names in (stacked.topics, stacked.summarizers)) < FEWEST


def hold_out_years(
    learner: Learner,
    stacked: StackedYears,
    target: int,
    *,
    rows_of: Callable[[Design], Design] = lambda design: design,
    relative: Sequence[str] = (),
    one_scale: bool = True,
) -> HeldOut | None:
    """Predict each of several years by a learner fitted to the others, brought to the scale of the latest of them.

    Parameters are those of `hold_out`. The judgments stay as they are, so the distance between years is in what they
    are less the predictions.

    Returns
    -------
    HeldOut or None
        None for fewer than two years or `FEWEST` topics or summarizers, or if some years have too few rows.
    """
    stacked = stacked.take(stacked.design.complete([target]))
    every = [stacked.years == year for year in np.unique(stacked.years)]
    if len(every) < 2 or _too_few(stacked):
        return None
    predictions = np.empty((2, len(stacked.years), 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for held in every:
            others = stacked.take(~held)
            rows = rows_of((others.on_latest_scale() if one_scale else others).design)
            try:
                forms = fit_forms(learner, rows, target, relative)
            except ValueError:
                return None
            predictions[:, held, 0] = forms.predict(stacked.design.take(held))
    cells = tuple((held, ~held) for held in every)
    within, alone = predictions
    return HeldOut(stacked, stacked.design.Y[:, target], within, alone, cells)


def hold_out_of(
    task: TrainingTask,
    positions: Sequence[int],
    learners: Sequence[Learner],
    rows: Mask | None = None,
    *,
    by_year: bool = False,
) -> HeldOut | None:
    """Do the same with those that a task's predictor is fitted to: some columns, by position, and some rows."""
    stacked = task.stacked().columns(positions)
    known = stacked if rows is None else stacked.take(rows)
    relative, one_scale = task.arrays.relative, task.options.scale != "none"
    if by_year:
        [learner] = learners
        return hold_out_years(
            learner, known, task.target, rows_of=task.for_fit, relative=relative, one_scale=one_scale
        )
    return hold_out(
        learners,
        known,
        task.target,
        rows_of=task.for_fit,
        relative=relative,
        one_scale=one_scale,
        same_summarizers=task.same_summarizers,
        n_folds=task.options.folds,
        seed=task.config.seed,
    )
