"""Predictions of rows by a learner that saw neither their topic nor their summarizer.

Topics and summarizers are dealt into folds; the rows of each pair of folds are predicted by what was fitted without
both. Where the summarizers that will be predicted are those learned from, only topics are held out. Intervals find
their half-widths on such predictions if there is one year; of several, each is predicted from the others.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classy_aesop.training.arrays import StackedYears
from classy_aesop.training.forms import fit_forms
from classy_aesop.training.learners import Floats, Learner
from classy_aesop.training.plan import TrainingTask

FEWEST = 3
"""Topics, and summarizers, that are needed at least."""


@dataclass(frozen=True)
class HeldOut:
    """The rows with every value that is needed, and what was predicted of them.

    Parameters
    ----------
    rows : StackedYears
        The rows.
    truth : (n_rows,)
        The judgments.
    predictions : (n_rows,)
        NaN where the rows left of some fold are too few to fit.
    alone : (n_rows,)
        The same of each row by itself, where ``predictions`` compare it with the others of its topic.
    """

    rows: StackedYears
    truth: Floats
    predictions: Floats
    alone: Floats

    @property
    def residuals(self) -> Floats:
        """The judgments less what was predicted of them, (n_rows,)."""
        return self.truth - self.predictions


def hold_out(task: TrainingTask, learner: Learner, positions: Sequence[int]) -> HeldOut | None:
    """Predict the rows that a task's predictor is fitted to, without each row's folds of topics and of summarizers.

    Parameters
    ----------
    task : TrainingTask
        Says what is fitted and how. If the same summarizers will be predicted, only topics are held out. Judgments of
        earlier years are brought to the scale that each fold's known rows give, if that is asked for.
    learner : Learner
        What is fitted.
    positions : sequence of int
        Its columns; rows that lack one or the target are left out.

    Returns
    -------
    HeldOut or None
        None for fewer than `FEWEST` topics or summarizers.
    """
    stacked, n_folds, seed = _complete(task, positions), task.options.folds, task.config.seed
    if _too_few(stacked):
        return None
    truth, predictions = np.empty(len(stacked.years)), np.full((2, len(stacked.years)), np.nan)
    by_topic = ((held, ~held) for held in stacked.topic_folds(n_folds, seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for held, known in by_topic if task.same_summarizers else stacked.crossed_folds(n_folds, seed):
            scaled = (stacked.on_latest_scale(known) if task.options.scale != "none" else stacked).design
            truth[held] = scaled.Y[held, task.target]
            relative, topics = task.arrays.relative, stacked.design.topics
            beside = np.isin(topics, topics[held]) if relative else held
            with contextlib.suppress(ValueError):  # complete rows are refused for one reason: too few
                forms = fit_forms(learner, task.for_fit(scaled.take(known)), task.target, relative)
                predictions[:, held] = np.stack(forms.predict(stacked.design.take(beside)))[:, held[beside]]
    return HeldOut(stacked, truth, *predictions)


def hold_out_years(task: TrainingTask, learner: Learner, positions: Sequence[int]) -> HeldOut | None:
    """Predict each of several years by what was fitted to the others, brought to the scale of the latest of them.

    Parameters are those of `hold_out`. The judgments stay as they are, so the distance between years is in what they
    are less the predictions.

    Returns
    -------
    HeldOut or None
        None for fewer than two years or `FEWEST` topics or summarizers, or if some years have too few rows.
    """
    stacked = _complete(task, positions)
    every = [stacked.years == year for year in np.unique(stacked.years)]
    if len(every) < 2 or _too_few(stacked):
        return None
    predictions = np.empty((2, len(stacked.years)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for held in every:
            others = stacked.take(~held)
            rows = task.for_fit((others.on_latest_scale() if task.options.scale != "none" else others).design)
            try:
                forms = fit_forms(learner, rows, task.target, task.arrays.relative)
            except ValueError:
                return None
            predictions[:, held] = forms.predict(stacked.design.take(held))
    return HeldOut(stacked, stacked.design.Y[:, task.target], *predictions)


def _complete(task: TrainingTask, positions: Sequence[int]) -> StackedYears:
    stacked = task.stacked().columns(positions)
    return stacked.take(stacked.design.complete([task.target]))


def _too_few(stacked: StackedYears) -> bool:
    return min(np.unique(names).size for names in (stacked.topics, stacked.summarizers)) < FEWEST
