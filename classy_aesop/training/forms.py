"""Both forms of a predictor, fitted by one learner: of each summary alone, and within its topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from classy_aesop.formulas import Formula
from classy_aesop.predictor.within import Within
from classy_aesop.search import Design
from classy_aesop.training.learners import Floats, Learner


class Forms(NamedTuple):
    """What was learned from plain columns, and from relative ones if there are any."""

    formula: Formula
    within: Within | None

    def predict(self, rows: Design) -> tuple[Floats, Floats]:
        """Predict rows as a predictor does, each beside the others of its topic; and each by itself."""
        n_relative = len(self.within.columns) if self.within else 0
        plain, relative = np.hsplit(rows.X, [rows.X.shape[1] - n_relative])
        alone = self.formula.predict(plain)
        if self.within is None:
            return alone, alone
        differences = self.within.formula.predict(relative)
        return self.within.parts(alone[:, None], differences[:, None], rows.topics).score, alone


def fit_forms(learner: Learner, rows: Design, target: int, relative: Sequence[str] = ()) -> Forms:
    """Fit a learner to the plain columns of rows and, if there are any, to the relative ones, which come last.

    Raises
    ------
    ValueError
        Too few rows.
    """
    n_plain = rows.X.shape[1] - len(relative)
    formula = learner.fit(rows.columns(slice(n_plain)), target)
    if not relative:
        return Forms(formula, None)
    return Forms(formula, Within(tuple(relative), learner.fit(rows.columns(slice(n_plain, None)), target)))
