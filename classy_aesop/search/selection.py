"""Held-out rows, and how well the predictions of many subsets correlate with their targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from classy_aesop.search.base import Solutions
from classy_aesop.search.design import Array, Design
from classy_aesop.search.levels import Block, Rows, blocks, bounds, coefficients, mean_correlations, turned

CELLS = 2**16
"""Predictions at a time: half a megabyte, so that they stay in cache."""


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
    """

    def __init__(self, designs: Sequence[Design], targets: Sequence[int], level: str) -> None:
        self.designs, self.level, self.n_targets = designs, level, len(targets)
        self.rows = Rows.of(designs, targets)
        self.blocks = self._blocks(self.rows)
        points = self.rows.summarizers if level == "system" else self.rows.topics
        self.n_points = np.unique(points).size if level == "system" else points.size

    def _blocks(self, rows: Rows) -> list[Block]:
        every = (np.ones(codes.max(initial=-1) + 1) for codes in (rows.topics, rows.summarizers))
        return list(blocks(self.level, rows, *every))

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (n_targets, n) of n linear solutions per split."""
        n = solutions[0].coef.shape[1]
        step = max(1, CELLS // max((len(X) for X, _, _ in self.blocks), default=1))
        scores = np.full((self.n_targets, n), -np.inf)
        for part in (slice(at, at + step) for at in range(0, n, step)):
            coef = coefficients(solutions, part)
            scores[:, part] = mean_correlations(coef, bounds(coef, self.rows.X), self.blocks, self.n_targets)
        signs = solutions[0].signs
        return scores if signs is None else turned(scores, signs)

    def score_any(self, predict: Sequence[Callable[[Array], Array]]) -> Array:
        """Return the scores (n_targets,) of one subset from a function per split that predicts rows (n_rows,)."""
        parts = [function(design.X) for function, design in zip(predict, self.designs, strict=True)]
        rows = replace(self.rows, X=np.concatenate(parts)[:, None])
        alone = np.ones((1, 1))
        return mean_correlations(alone, bounds(alone, rows.X), self._blocks(rows), self.n_targets)[:, 0]
