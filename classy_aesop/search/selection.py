"""Held-out rows, and how well the predictions of many subsets agree with their targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from classy_aesop.search.base import Solutions
from classy_aesop.search.design import Array, Design
from classy_aesop.search.levels import PearsonBlocks, Rows, bounds, coefficients
from classy_aesop.search.orders import Orders, scored_by


class Selection:
    """Held-out rows, without NaN, ready to score predictions.

    Parameters
    ----------
    designs : sequence of Design
        The held-out rows of each split; predictions of all splits are scored together.
    targets : sequence of int
        Columns of Y.
    level : {"system", "input", "global", "centred"}
        What is correlated, see `classy_aesop.search.levels`. A constant prediction has the score -inf.
    coefficient : str
        The score: ``pearson``, or another name of ``ALL_COEFFICIENTS`` of `classy_aesop.significance.coefficients`.
    """

    def __init__(
        self, designs: Sequence[Design], targets: Sequence[int], level: str, coefficient: str = "pearson"
    ) -> None:
        self.designs, self.level, self.coefficient = designs, level, coefficient
        self.rows = Rows.of(designs, targets)
        self.scored = self._ready(self.rows)
        points = self.rows.summarizers if level == "system" else self.rows.topics
        self.n_points = np.unique(points).size if level == "system" else points.size

    def _ready(self, rows: Rows) -> PearsonBlocks | Orders:
        every = [np.ones(codes.max(initial=-1) + 1) for codes in (rows.topics, rows.summarizers)]
        return scored_by(self.coefficient, self.level, rows, *every)

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (n_targets, n) of n linear solutions per split."""
        coef = coefficients(solutions)
        return self.scored.score(coef, bounds(coef, self.rows.X), solutions[0].signs)

    def score_any(self, predict: Sequence[Callable[[Array], Array]]) -> Array:
        """Return the scores (n_targets,) of one subset from a function per split that predicts rows (n_rows,)."""
        parts = [function(design.X) for function, design in zip(predict, self.designs, strict=True)]
        rows = replace(self.rows, X=np.concatenate(parts)[:, None])
        alone = np.ones((1, 1))
        return self._ready(rows).score(alone, bounds(alone, rows.X))[:, 0]
