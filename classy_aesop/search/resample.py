"""The scores of all subsets on bootstrap resamples of the held-out topics and summarizers.

A resample is stored as counts: how often it contains each topic and each summarizer. Its system means are weighted
means, and their predictions by all subsets are one matrix product with the matrix of all coefficients, so a resample of
thousands of subsets takes a few milliseconds. Every subset also has a score on the summarizers outside the resample.
For the subset that is best inside, it estimates the score on new summarizers (Tsamardinos, Greasidou and Borboudakis
2018, Machine Learning 107).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.search.base import Solutions
from classy_aesop.search.design import Array, Design, Integers
from classy_aesop.search.levels import Rows, blocks, bounds, coefficients, pearson, turned
from classy_aesop.search.orders import scored_by
from classy_aesop.significance.coefficients import counts_of

MOST_SUBSETS = 2**16
"""Largest number of subsets: each has two numbers in memory for every resample."""

CELLS = 2**17
"""Predictions of means at a time: a megabyte, so that they stay in cache."""


@dataclass(frozen=True)
class Resamples:
    """Counts of each topic (n_resamples, n_topics) and summarizer (n_resamples, n_summarizers), by code."""

    topics: Array
    summarizers: Array

    def __len__(self) -> int:
        return len(self.topics)

    @classmethod
    def of(cls, design: Design, n_resamples: int, rng: np.random.Generator) -> Resamples:
        """Sample the topics and summarizers of a design with replacement, as many as there are of each."""
        n_topics, n_summarizers = (int(code.max()) + 1 for code in (design.topics, design.summarizers))
        counts = [counts_of(rng.integers(n, size=(n_resamples, n)), n) for n in (n_topics, n_summarizers)]
        return cls(*counts)

    def pairs(self) -> Iterator[tuple[tuple[Array, Array], tuple[Array, Array]]]:
        """Yield the weights of topics and summarizers inside and outside each resample; outside, all topics count."""
        for topics, summarizers in zip(self.topics, self.summarizers, strict=True):
            yield (topics, summarizers), (np.ones_like(topics), (summarizers == 0).astype(float))


class Resampled:
    """Held-out rows, without NaN, ready to score predictions on resamples.

    Parameters
    ----------
    rows : Rows
        Of all splits, which share the codes of topics and summarizers.
    level, coefficient : str
        As for `Selection`.
    resamples : Resamples
        Of those topics and summarizers.
    """

    def __init__(self, rows: Rows, level: str, resamples: Resamples, coefficient: str = "pearson") -> None:
        self.rows, self.level, self.resamples, self.coefficient = rows, level, resamples, coefficient

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (2, n_targets, n_resamples, n) of n linear solutions per split: inside, then outside."""
        coef = coefficients(solutions)
        bound, signs = bounds(coef, self.rows.X), solutions[0].signs
        if self.level != "system" or self.coefficient != "pearson":
            return self._one_by_one(coef, bound, signs)
        scores = self._of_means(coef, bound)
        return scores if signs is None else turned(scores, signs[:, None])

    def _one_by_one(self, coef: Array, bound: Array, signs: Array | None) -> Array:
        """Return the scores (2, n_targets, n_resamples, n) at any level, one resample at a time."""
        scores = np.empty((2, self.rows.y.shape[1], len(self.resamples), coef.shape[1]))
        for at, pair in enumerate(self.resamples.pairs()):
            for side, weights in enumerate(pair):
                scored = scored_by(self.coefficient, self.level, self.rows, *weights)
                scores[side, :, at] = scored.score(coef, bound, signs)
        return scores

    def _of_means(self, coef: Array, bound: Array) -> Array:
        """Return the correlations of summarizers' means (2, n_targets, n_resamples, n), a few resamples at a time."""
        X, y, n_rows = self.means
        n_resamples, m, n = len(X), X.shape[1], coef.shape[1]
        scores = np.empty((y.shape[2], n_resamples, n))
        step = max(1, CELLS // (m * n))
        for part in (slice(at, at + step) for at in range(0, n_resamples, step)):
            predictions = (X[part].reshape(-1, X.shape[2]) @ coef).reshape(-1, m, n)
            scores[:, part] = pearson(predictions, y[part], bound, n_rows[part, None]).transpose(1, 0, 2)
        return scores.reshape(len(scores), -1, 2, n).transpose(2, 0, 1, 3)

    @cached_property
    def means(self) -> tuple[Array, Array, Integers]:
        """Means of columns (2 n_resamples, m, n_columns), of targets (2 n_resamples, m, n_targets), numbers of rows.

        Inside and outside of each resample in turn. Blocks with fewer rows are filled up with zeros, which add nothing.
        """
        pairs = [weights for pair in self.resamples.pairs() for weights in pair]
        m = self.resamples.summarizers.shape[1]
        X, y = (np.zeros((len(pairs), m, values.shape[1])) for values in (self.rows.X, self.rows.y))
        n_rows = np.zeros(len(pairs), dtype=np.int64)
        for at, weights in enumerate(pairs):
            for columns, targets, _ in blocks("system", self.rows, *weights):
                n_rows[at] = len(columns)
                X[at, : len(columns)], y[at, : len(columns)] = columns, targets
        return X, y, n_rows
