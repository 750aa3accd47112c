"""The formulas of a predictor: one for each summary by itself, and one for its difference from the topic's mean."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from classy_aesop.formulas import Formula
from classy_aesop.predictor.within import WithinForm
from classy_aesop.search import Rows
from classy_aesop.search.row_arrays import Mask
from classy_aesop.text.arrays import Floats
from classy_aesop.training.fit_options import FitOptions
from classy_aesop.training.learners import Learner
from classy_aesop.training.year_rows import YearRows, moments, rescale_columns


class Forms(NamedTuple):
    """What was learned from plain columns, and from relative ones if there are any."""

    formula: Formula
    within: WithinForm | None

    def predict(self, rows: Rows) -> tuple[Floats, Floats]:
        """Predict rows as a predictor does, each together with the others of its topic; and each by itself."""
        n_relative = len(self.within.columns) if self.within else 0
        plain, relative = np.hsplit(rows.X, [rows.X.shape[1] - n_relative])
        alone = self.formula.predict(plain)
        if self.within is None:
            return alone, alone
        differences = self.within.formula.predict(relative)
        return self.within.parts(alone[:, None], differences[:, None], rows.topics).score, alone


def fit_forms(learner: Learner, rows: Rows, options: FitOptions) -> Forms:
    """Fit a learner to the plain columns of rows, and to the relative ones if there are any."""
    fitted_rows = options.select_rows(rows)
    n_plain = fitted_rows.X.shape[1] - len(options.relative)
    formula = learner.fit(fitted_rows.select_columns(slice(n_plain)), options.target)
    if not options.relative:
        return Forms(formula, None)
    of_differences = learner.fit(fitted_rows.select_columns(slice(n_plain, None)), options.target)
    return Forms(formula, WithinForm(options.relative, of_differences))


def rescale_to_latest(stacked: YearRows, scale: str, is_known: Mask | None = None) -> YearRows:
    """Bring the human measures of earlier years to the latest one's scale."""
    if scale == "none":
        return stacked
    is_known = np.ones(len(stacked.years), bool) if is_known is None else is_known
    Y = stacked.Y.copy()
    rows_by_year = [stacked.years == year for year in np.unique(stacked.years)]
    moments_by_year = []
    for rows in rows_by_year:
        is_known_of_year = rows & is_known
        moments_by_year.append(moments(Y[is_known_of_year if is_known_of_year.any() else rows]))
    for rows, present in zip(rows_by_year[:-1], moments_by_year, strict=False):
        Y[rows] = rescale_columns(Y[rows], present, moments_by_year[-1])
    return replace(stacked, Y=Y)
