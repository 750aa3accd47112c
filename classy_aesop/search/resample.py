"""The scores of all subsets on bootstrap draws of the held-out topics and summarizers.

A draw is how often each topic and each summarizer was drawn. The system means of a draw are weighted means, and
the predictions of them for all subsets are one matrix product with the matrix of all coefficients; so thousands of
subsets cost a few milliseconds a draw. Beside the score on what was drawn stands the one on the summarizers that
were not: what a subset that was chosen by the draw is worth on others (Tsamardinos, Greasidou and Borboudakis 2018,
Machine Learning 107).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.search.base import Solutions
from classy_aesop.search.design import Array, Design, Integers
from classy_aesop.search.score import CONSTANT
from classy_aesop.significance.columns import counts_of

MOST_SUBSETS = 2**16
"""Each subset has two numbers a draw in memory."""

CELLS = 2**17
"""Predictions of means at a time: a megabyte, so that they stay in cache."""

Block = tuple[Array, Array, float]
"""Rows of all columns and of the targets, less their mean and times the root of their weight; the block's weight."""


@dataclass(frozen=True)
class Draws:
    """How often each topic (n_draws, n_topics) and summarizer (n_draws, n_summarizers) was drawn, by code."""

    topics: Array
    summarizers: Array

    def __len__(self) -> int:
        return len(self.topics)

    @classmethod
    def of(cls, design: Design, n_draws: int, rng: np.random.Generator) -> Draws:
        """Draw the topics and summarizers of a design, each as many as there are, with replacement."""
        n_topics, n_summarizers = (int(code.max()) + 1 for code in (design.topics, design.summarizers))
        counts = [counts_of(rng.integers(n, size=(n_draws, n)), n) for n in (n_topics, n_summarizers)]
        return cls(*counts)

    def pairs(self) -> Iterator[tuple[tuple[Array, Array], tuple[Array, Array]]]:
        """Yield for each draw the weights of topics and summarizers: what was drawn, and who was not on all topics."""
        for topics, summarizers in zip(self.topics, self.summarizers, strict=True):
            yield (topics, summarizers), (np.ones_like(topics), (summarizers == 0).astype(float))


class Resampled:
    """Held-out rows, without NaN, ready to score predictions on draws.

    Parameters
    ----------
    designs, targets, level
        As for `Selection`.
    draws : Draws
        Of the topics and summarizers of all designs, which share their codes.
    """

    def __init__(self, designs: Sequence[Design], targets: Sequence[int], level: str, draws: Draws) -> None:
        self.draws, self.level = draws, level
        self.y = np.concatenate([design.Y[:, list(targets)] for design in designs])
        self.X = _side_by_side([design.X for design in designs])
        self.topics = np.concatenate([design.topics for design in designs])
        self.who = np.concatenate([design.summarizers for design in designs])

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (2, n_targets, n_draws, n) of n linear solutions per split: drawn, and not drawn."""
        parts = [part for s in solutions for part in (s.coef, s.intercept[None])]
        coef = np.concatenate(parts)
        bound = (np.abs(coef) * np.abs(self.X).max(axis=0, initial=0.0)[:, None]).max(axis=0)
        if self.level == "system":
            scores = self._score_means(coef, bound)
        else:
            sides = [[self._score(coef, bound, *weights) for weights in pair] for pair in self.draws.pairs()]
            scores = np.array(sides).transpose(1, 2, 0, 3)
        turned = solutions[0].signs
        if turned is not None:
            scores = np.where(np.isfinite(scores), turned[:, None] * scores, scores)
        return scores

    def _score_means(self, coef: Array, bound: Array) -> Array:
        """Return the correlations of summarizers' means (2, n_targets, n_draws, n), a few draws at a time."""
        X, y, n_rows = self.means
        n_draws, m, n = len(X), X.shape[1], coef.shape[1]
        scores = np.empty((self.y.shape[1], n_draws, n))
        step = max(1, CELLS // (m * n))
        for part in (slice(at, at + step) for at in range(0, n_draws, step)):
            predictions = (X[part].reshape(-1, X.shape[2]) @ coef).reshape(-1, m, n)
            scores[:, part] = _pearson(predictions, y[part], bound, n_rows[part, None]).transpose(1, 0, 2)
        return scores.reshape(len(scores), -1, 2, n).transpose(2, 0, 1, 3)

    @cached_property
    def means(self) -> tuple[Array, Array, Integers]:
        """Means on all draws: columns (2 n_draws, m, n_columns), targets (2 n_draws, m, n_targets), numbers of rows.

        What was drawn and what was not, in turns; below a block's own rows there are zeros, which add nothing.
        """
        pairs = [weights for pair in self.draws.pairs() for weights in pair]
        m = self.draws.summarizers.shape[1]
        X, y = (np.zeros((len(pairs), m, values.shape[1])) for values in (self.X, self.y))
        n_rows = np.zeros(len(pairs), dtype=np.int64)
        for at, weights in enumerate(pairs):
            for columns, targets, _ in self._system(*weights):
                n_rows[at] = len(columns)
                X[at, : len(columns)], y[at, : len(columns)] = columns, targets
        return X, y, n_rows

    def _score(self, coef: Array, bound: Array, topics: Array, summarizers: Array) -> Array:
        """Return the mean over blocks of the correlations (n_targets, n) where they exist, else -inf."""
        total, weight = np.zeros((2, self.y.shape[1], coef.shape[1]))
        for X, y, counts in _BLOCKS[self.level](self, topics, summarizers):
            r = _pearson(X @ coef, y, bound, len(y))
            exists = np.isfinite(r)
            total += np.where(exists, counts * r, 0.0)
            weight += counts * exists
        return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), -np.inf)

    def _system(self, topics: Array, summarizers: Array) -> Iterator[Block]:
        """Yield the means of each summarizer over the drawn topics, as one block."""
        weights = topics[self.topics]
        sums = np.bincount(self.who, weights, summarizers.size)
        seen = np.flatnonzero((sums > 0) & (summarizers > 0))
        shares = (seen[:, None] == self.who) * weights / sums[seen, None]
        yield from _block(shares @ self.X, shares @ self.y, summarizers[seen])

    def _global(self, topics: Array, summarizers: Array) -> Iterator[Block]:
        yield from _block(self.X, self.y, topics[self.topics] * summarizers[self.who])

    def _input(self, topics: Array, summarizers: Array) -> Iterator[Block]:
        for topic in np.flatnonzero(topics):
            rows = np.flatnonzero(self.topics == topic)
            for X, y, _ in _block(self.X[rows], self.y[rows], summarizers[self.who[rows]]):
                yield X, y, float(topics[topic])

    def _centred(self, topics: Array, summarizers: Array) -> Iterator[Block]:
        """Yield all rows less their topic's mean, as one block."""
        parts = [(np.sqrt(count) * X, np.sqrt(count) * y) for X, y, count in self._input(topics, summarizers)]
        if parts:
            X, y = (np.concatenate(values) for values in zip(*parts, strict=True))
            yield X, y, 1.0


_BLOCKS: dict[str, Callable[[Resampled, Array, Array], Iterator[Block]]] = {
    "global": Resampled._global,
    "input": Resampled._input,
    "centred": Resampled._centred,
}


def _side_by_side(parts: Sequence[Array]) -> Array:
    """Put each split's columns and a column of ones beside those of the others, 0 in their rows."""
    widths = [part.shape[1] + 1 for part in parts]
    X = np.zeros((sum(map(len, parts)), sum(widths)))
    row = column = 0
    for part, width in zip(parts, widths, strict=True):
        X[row : row + len(part), column : column + width] = np.column_stack([part, np.ones(len(part))])
        row, column = row + len(part), column + width
    return X


def _block(X: Array, y: Array, weights: Array) -> Iterator[Block]:
    """Yield the weighted rows less their means, where two or more have weight."""
    kept = weights > 0
    if kept.sum() < 2:
        return
    X, y, weights = X[kept], y[kept], weights[kept]
    means = [weights @ values / weights.sum() for values in (X, y)]
    root = np.sqrt(weights)[:, None]
    yield root * (X - means[0]), root * (y - means[1]), 1.0


def _pearson(predictions: Array, y: Array, bound: Array, n_rows: Integers | int) -> Array:
    """Return the correlations (..., t, n) of centred predictions (..., m, n) and targets (..., m, t), -inf for none.

    ``bound`` (n,) is what the predictions are never above, ``n_rows`` how many of the m rows count.
    """
    lengths = np.sqrt(np.einsum("...ij,...ij->...j", y, y))
    spread = np.sqrt(np.einsum("...ij,...ij->...j", predictions, predictions))
    constant = ~(spread > CONSTANT * np.sqrt(n_rows) * bound)
    unit = y / np.where(lengths > 0, lengths, 1.0)[..., None, :]
    r = np.swapaxes(unit, -1, -2) @ predictions / np.where(constant, 1.0, spread)[..., None, :]
    none = constant[..., None, :] | (lengths == 0)[..., None]
    return np.where(none, -np.inf, np.clip(r, -1.0, 1.0))
