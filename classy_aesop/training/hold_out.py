"""Predictions of rows without what they were learned from: without their year, or their topic and summarizer.

Topics and summarizers are divided into folds, and the rows of each pair of folds are predicted by what was fitted
without both. Where the summarizers that will be predicted are those learned from, only topics are held out. Of several
years, each is predicted from the others.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classy_aesop.search import Rows
from classy_aesop.search.row_arrays import Mask
from classy_aesop.text.arrays import Floats
from classy_aesop.training.fit_options import FitOptions
from classy_aesop.training.forms import fit_forms, rescale_to_latest
from classy_aesop.training.learners import Learner
from classy_aesop.training.year_rows import YearRows

MIN_TOPICS_AND_SUMMARIZERS = 3
"""Least number of topics, and of summarizers, to hold some out."""


@dataclass(frozen=True)
class HeldOut:
    """The rows with every value that is needed, their judgments, and what was predicted of them, (n_rows,) each."""

    rows: YearRows
    truth: Floats
    predictions: Floats  # NaN where a fold leaves too few rows to fit
    alone: Floats  # the same of each row by itself, where predictions compare it with the others of its topic

    @property
    def residuals(self) -> Floats:
        """The judgments less what was predicted of them, (n_rows,)."""
        return self.truth - self.predictions

    @property
    def residuals_alone(self) -> Floats:
        """The judgments less what was predicted of each row by itself, (n_rows,)."""
        return self.truth - self.alone


def hold_out_folds(
    learner: Learner,
    stacked: YearRows,
    options: FitOptions,
    *,
    same_summarizers: bool = False,
) -> HeldOut | None:
    """Predict each row without its folds of topics and of summarizers."""
    stacked = stacked.take(stacked.mark_complete_rows([options.target]))
    if _has_too_few(stacked):
        return None
    n_rows = len(stacked.years)
    truth = np.empty(n_rows)
    predictions = np.full((2, n_rows), np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for test, train in stacked.split_folds(
            options.search.folds, options.seed, same_summarizers=same_summarizers
        ):
            scaled = rescale_to_latest(stacked, options.search.scale, train)
            truth[test] = scaled.Y[test, options.target]
            topics = stacked.topics
            shown = (
                np.isin(topics, topics[test]) if options.relative else test
            )  # the others of a topic are compared with
            with contextlib.suppress(ValueError):  # complete rows are refused for one reason: too few
                forms = fit_forms(learner, scaled.take(train), options)
                predicted = np.stack(forms.predict(stacked.take(shown)))
                predictions[:, test] = predicted[:, test[shown]]
    return HeldOut(stacked, truth, *predictions)


def hold_out_years(learner: Learner, stacked: YearRows, options: FitOptions) -> HeldOut | None:
    """Predict each of several years by what was fitted to the others, brought to the scale of the latest of them.

    The judgments stay as they are, so residuals contain the distance between years.
    """
    stacked = stacked.take(stacked.mark_complete_rows([options.target]))
    rows_by_year = [stacked.years == year for year in np.unique(stacked.years)]
    if len(rows_by_year) < 2 or _has_too_few(stacked):
        return None
    predictions = np.empty((2, len(stacked.years)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for test in rows_by_year:
            try:
                rows = rescale_to_latest(stacked.take(~test), options.search.scale)
                forms = fit_forms(learner, rows, options)
            except ValueError:
                return None
            predictions[:, test] = forms.predict(stacked.take(test))
    return HeldOut(stacked, stacked.Y[:, options.target], *predictions)


def predict_by_folds(learner: Learner, rows: Rows, folds: Sequence[Mask], options: FitOptions) -> Floats:
    """Predict the rows of one year by folds, (n_rows,); NaN where a feature is missing."""
    predictions = np.full(len(rows.X), np.nan)
    for fold in folds:
        forms = fit_forms(learner, rows.take(~fold), options)
        predictions[fold], _ = forms.predict(rows.take(fold))
    return predictions


def _has_too_few(stacked: YearRows) -> bool:
    """Whether there are too few topics or summarizers to hold some out."""
    n_topics = np.unique(stacked.topic_names).size
    n_summarizers = np.unique(stacked.summarizer_names).size
    return min(n_topics, n_summarizers) < MIN_TOPICS_AND_SUMMARIZERS
