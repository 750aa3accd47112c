"""How well the predictions of many subsets correlate with the target, at four levels.

``system``: Pearson of the summarizers' means. ``global``: of all rows. ``centred``: of all rows less their
topic's mean. ``input``: the mean of the correlations within topics, over the topics where it exists. A
constant prediction has the score -inf. Rankel (2016), section 5.5; which level it means is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from classy_aesop.search.base import Solutions
from classy_aesop.search.design import Array, Design, Integers

LEVELS = ("system", "input", "global", "centred")
CONSTANT = 1e-12
"""What varies by less than this share of its size is constant up to rounding."""
BLOCK = 2**16


class Selection:
    """Held-out rows, without NaN, ready to score predictions.

    Parameters
    ----------
    designs : sequence of Design
        The held-out rows of each split; predictions of all splits are scored together.
    targets : sequence of int
        Columns of Y.
    level : str
        One of `LEVELS`.
    """

    def __init__(self, designs: Sequence[Design], targets: Sequence[int], level: str) -> None:
        self.designs, self.level = designs, level
        y = np.concatenate([design.Y[:, list(targets)] for design in designs])
        who = np.concatenate([design.summarizers for design in designs])
        if level == "system":
            self.averaging = _averaging(who)
            self.y = self.averaging @ y
            ends = np.cumsum([0, *(len(design.X) for design in designs)])
            shares = [self.averaging[:, a:b] for a, b in pairwise(ends)]
            self.X = [share @ design.X for share, design in zip(shares, designs, strict=True)]
            self.ones = [share.sum(axis=1) for share in shares]
        else:
            self.y, self.X = y, [design.X for design in designs]
        self.n_rows = len(self.y)

    @cached_property
    def topics(self) -> list[Integers]:
        """The rows of each topic."""
        topics = np.concatenate([design.topics for design in self.designs])
        return [np.flatnonzero(topics == topic) for topic in np.unique(topics)]

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (n_targets, n) of n linear solutions per split."""
        n = solutions[0].coef.shape[1]
        step = max(1, BLOCK // max(1, self.n_rows))
        blocks = [self.score(self._predict(solutions, slice(a, a + step))) for a in range(0, n, step)]
        scores = np.concatenate([np.zeros((self.y.shape[1], 0)), *blocks], axis=1)
        turned = solutions[0].signs
        return scores if turned is None else np.where(np.isfinite(scores), turned * scores, scores)

    def score_any(self, predict: Sequence[Callable[[Array], Array]]) -> Array:
        """Return the scores (n_targets,) of one subset from a function per split that predicts rows (n_rows,)."""
        parts = [function(design.X) for function, design in zip(predict, self.designs, strict=True)]
        predicted = np.concatenate(parts)[:, None]
        return self.score(self.averaging @ predicted if self.level == "system" else predicted)[:, 0]

    def score(self, predictions: Array) -> Array:
        """Return the scores (n_targets, n) of predictions (n_rows or n_summarizers, n)."""
        if self.level == "input":
            return self._within_topics(predictions)
        if self.level == "centred":
            return pearson(self._less_topic_means(predictions), self._less_topic_means(self.y))
        return pearson(predictions, self.y)

    def _predict(self, solutions: Sequence[Solutions], part: slice) -> Array:
        both = zip(self.X, solutions, strict=True)
        if self.level != "system":
            return np.concatenate([X @ s.coef[:, part] + s.intercept[part] for X, s in both])
        predicted: Array = sum(
            X @ s.coef[:, part] + ones[:, None] * s.intercept[part]
            for (X, s), ones in zip(both, self.ones, strict=True)
        )
        return predicted

    def _less_topic_means(self, values: Array) -> Array:
        centred = np.empty_like(values)
        for rows in self.topics:
            part = values[rows]
            mean = part.mean(axis=0)
            still = np.abs(part - mean).max(axis=0) <= CONSTANT * np.abs(part).max(axis=0)
            centred[rows] = np.where(still, 0.0, part - mean)
        return centred

    def _within_topics(self, predictions: Array) -> Array:
        total, count = np.zeros((2, self.y.shape[1], predictions.shape[1]))
        for rows in self.topics:
            r = pearson(predictions[rows], self.y[rows])
            exists = np.isfinite(r)
            total += np.where(exists, r, 0.0)
            count += exists
        return np.where(count > 0, total / np.maximum(count, 1), -np.inf)


def _averaging(who: Integers) -> Array:
    """Return the matrix (n_summarizers, n_rows) that takes rows to their summarizer's mean."""
    _, code, counts = np.unique(who, return_inverse=True, return_counts=True)
    averaging = np.zeros((counts.size, who.size))
    averaging[code, np.arange(who.size)] = 1.0 / counts[code]
    return averaging


def pearson(predictions: Array, y: Array) -> Array:
    """Return the correlations (t, n) of columns of predictions (m, n) and y (m, t); -inf for constants."""
    if len(y) < 2:
        return np.full((y.shape[1], predictions.shape[1]), -np.inf)
    deviations = predictions - predictions.mean(axis=0)
    targets, still = y - y.mean(axis=0), np.ptp(y, axis=0) <= CONSTANT * np.abs(y).max(axis=0)
    lengths = np.where(still, 1.0, np.sqrt(np.einsum("ij,ij->j", targets, targets)))
    spread = np.sqrt(np.einsum("ij,ij->j", deviations, deviations))
    size = np.sqrt(len(y)) * np.maximum(predictions.max(axis=0), -predictions.min(axis=0))
    constant = ~(spread > CONSTANT * size)
    r = (targets / lengths).T @ (deviations / np.where(constant, 1.0, spread))
    return np.where(constant | still[:, None], -np.inf, np.clip(r, -1.0, 1.0))
