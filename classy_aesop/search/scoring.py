"""How well many linear predictions of held-out rows agree with targets: at four levels, by weighted rows.

A level makes lists of points of the rows; the score is the mean over the lists in which it exists. ``system``: one
list, of the summarizers' means. ``global``: one, of all rows. ``centred``: one, of all rows less their topic's mean.
``input``: a list for each topic. Rankel (2016), section 5.5; which level it means is open. The same levels on matrices
of scores: `classy_aesop.significance.correlation`.

Weights say how often each topic and summarizer counts: once, or as often as a bootstrap resample has it; what is not in
a resample is held out of it. Centred rows have centred predictions: so for Pearson's correlation a block keeps its
columns less their means, and the correlations of all subsets are one product with their coefficients. System means
on a resample are weighted means, so a resample of thousands of subsets takes a few milliseconds. Every subset also has
a score on the summarizers outside the resample. For the subset that is best inside, it estimates the score on new
summarizers (Tsamardinos, Greasidou and Borboudakis 2018, Machine Learning 107).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from classy_aesop.search.design import Array, Design, Integers
from classy_aesop.search.subsets import Solutions
from classy_aesop.significance.base import slack_of
from classy_aesop.significance.coefficients import CALIBRATED, counts_of, drawn_rows
from classy_aesop.significance.coefficients import COEFFICIENTS as OF_LISTS

CONSTANT = 1e-12
"""What varies by less than this share of its size is constant up to rounding."""

CELLS = 2**16
"""Predictions at a time: half a megabyte, so that they stay in cache."""

Points = tuple[Array, Array, Array, float]
"""Points that are correlated: all columns, the targets, how often each point counts; the weight of the list."""

Block = tuple[Array, Array, float]
"""Rows of all columns and of the targets, less their mean and times the root of their weight; the block's weight."""


@dataclass(frozen=True)
class Rows:
    """Rows without NaN that predictions are scored on."""

    X: Array  # (n_rows, n_columns): what predictions are computed from
    y: Array  # (n_rows, n_targets)
    topics: Integers  # (n_rows,)
    summarizers: Integers

    @classmethod
    def of(cls, designs: Sequence[Design], targets: Sequence[int]) -> Rows:
        """Put held-out rows below each other; each split has columns, and one of ones, of its own."""
        from scipy.linalg import block_diag

        y = np.concatenate([design.Y[:, list(targets)] for design in designs])
        codes = (
            np.concatenate([getattr(one, name) for one in designs]) for name in ("topics", "summarizers")
        )
        columns = (np.column_stack([design.X, np.ones(len(design.X))]) for design in designs)
        return cls(block_diag(*columns), y, *codes)


def coefficients(solutions: Sequence[Solutions]) -> Array:
    """Return the coefficients of the columns of `Rows.of` (n_columns, n) of one solution per split."""
    return np.concatenate([row for s in solutions for row in (s.coef, s.intercept[None])])


def bounds(coef: Array, X: Array) -> Array:
    """Return an upper bound on the terms of each prediction, (n,); variation below a share of it is rounding."""
    return np.asarray((np.abs(coef) * np.abs(X).max(axis=0, initial=0.0)[:, None]).max(axis=0))


def turned(scores: Array, signs: Array) -> Array:
    """Multiply scores by the sign, +1 or -1, that turns each solution towards each target; -inf stays."""
    return np.where(np.isfinite(scores), signs * scores, scores)


def points(level: str, rows: Rows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield lists of two or more points, given how often each topic and each summarizer counts, by code."""
    for found in map(_counted, POINTS[level](rows, topics, summarizers)):
        if len(found[0]) > 1:
            yield found


def blocks(level: str, rows: Rows, topics: Array, summarizers: Array) -> Iterator[Block]:
    """Yield the lists of `points` for Pearson's correlation: less their means, times the roots of their counts."""
    for X, y, counts, weight in points(level, rows, topics, summarizers):
        root = np.sqrt(counts)[:, None]
        yield root * _deviations(X, counts), root * _deviations(y, counts), weight


class PearsonBlocks:
    """Weighted rows, ready to score predictions by Pearson's correlation; the parameters are those of `blocks`."""

    def __init__(self, level: str, rows: Rows, topics: Array, summarizers: Array) -> None:
        self.blocks, self.n_targets = list(blocks(level, rows, topics, summarizers)), rows.y.shape[1]

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """Correlations (n_targets, n) of predictions by coefficients (n_columns, n), turned by ``signs``, or -inf."""
        step = max(1, CELLS // max((len(X) for X, _, _ in self.blocks), default=1))
        scores = np.full((self.n_targets, coef.shape[1]), -np.inf)
        for part in (slice(at, at + step) for at in range(0, coef.shape[1], step)):
            scores[:, part] = self._mean(coef[:, part], bound[part])
        return scores if signs is None else turned(scores, signs)

    def _mean(self, coef: Array, bound: Array) -> Array:
        """Return the weighted mean over blocks of the correlations (n_targets, n) where they exist, else -inf."""
        if len(self.blocks) == 1:
            X, y, _ = self.blocks[0]
            return pearson(X @ coef, y, bound, len(y))
        total, weight = np.zeros((2, self.n_targets, coef.shape[1]))
        for X, y, count in self.blocks:
            r = pearson(X @ coef, y, bound, len(y))
            exists = np.isfinite(r)
            total += np.where(exists, count * r, 0.0)
            weight += count * exists
        return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), -np.inf)


def pearson(predictions: Array, y: Array, bound: Array, n_rows: Integers | int) -> Array:
    """Correlations (..., t, n) of centred predictions (..., m, n) and targets (..., m, t), -inf for none."""
    lengths = np.sqrt(np.einsum("...ij,...ij->...j", y, y))
    spread = np.sqrt(np.einsum("...ij,...ij->...j", predictions, predictions))
    constant = ~(spread > CONSTANT * np.sqrt(n_rows) * bound)
    unit = y / np.where(lengths > 0, lengths, 1.0)[..., None, :]
    r = np.swapaxes(unit, -1, -2) @ predictions / np.where(constant, 1.0, spread)[..., None, :]
    none = constant[..., None, :] | (lengths == 0)[..., None]
    return np.where(none, -np.inf, np.clip(r, -1.0, 1.0))


def _system_points(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield the means of each summarizer over its topics, as one list."""
    weights = topics[rows.topics]
    sums = np.bincount(rows.summarizers, weights, summarizers.size)
    seen = np.flatnonzero((sums > 0) & (summarizers > 0))
    rows_used = np.flatnonzero(np.isin(rows.summarizers, seen) & (weights > 0))
    who, shares = rows.summarizers[rows_used], np.zeros((seen.size, len(rows.y)))
    shares[np.searchsorted(seen, who), rows_used] = weights[rows_used] / sums[who]
    yield shares @ rows.X, shares @ rows.y, summarizers[seen], 1.0


def _global_points(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Points]:
    yield rows.X, rows.y, topics[rows.topics] * summarizers[rows.summarizers], 1.0


def _input_points(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Points]:
    for topic in np.flatnonzero(topics):
        in_topic = np.flatnonzero(rows.topics == topic)
        counts = summarizers[rows.summarizers[in_topic]]
        yield rows.X[in_topic], rows.y[in_topic], counts, float(topics[topic])


def _centred_points(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield all rows less their topic's mean, as one list; a topic's only row is left out."""
    parts = [
        (_deviations(X, weights), _deviations(y, weights), count * weights)
        for X, y, weights, count in map(_counted, _input_points(rows, topics, summarizers))
        if len(weights) > 1
    ]
    if parts:
        X, y, counts = (np.concatenate(values) for values in zip(*parts, strict=True))
        yield X, y, counts, 1.0


POINTS: dict[str, Callable[[Rows, Array, Array], Iterator[Points]]] = {
    "system": _system_points,
    "input": _input_points,
    "global": _global_points,
    "centred": _centred_points,
}


def _counted(points: Points) -> Points:
    """Leave out the points that do not count."""
    X, y, counts, weight = points
    kept = counts > 0
    return X[kept], y[kept], counts[kept], weight


def _deviations(values: Array, weights: Array) -> Array:
    """Return the columns of values (n, p) less their weighted means, exactly 0 where all are equal up to rounding."""
    still = np.ptp(values, axis=0) <= CONSTANT * np.abs(values).max(axis=0)
    return np.where(still, 0.0, values - weights @ values / weights.sum())


COEFFICIENTS = tuple(name for name in OF_LISTS if name != CALIBRATED)
"""What may select a subset: coefficients that need no search or permutations of their own."""


def scored_by(
    coefficient: str, level: str, rows: Rows, topics: Array, summarizers: Array
) -> PearsonBlocks | Lists:
    """Prepare rows to score predictions by any coefficient, given how often each topic and summarizer counts."""
    if coefficient == "pearson":
        return PearsonBlocks(level, rows, topics, summarizers)
    return Lists(coefficient, level, rows, topics, summarizers)


class Lists:
    """Weighted rows, ready to score predictions by a coefficient of each list: the mean over those in which it exists.

    A point that counts twice is there twice, and makes no pair with its copy. Each value is that of
    `classy_aesop.significance.correlation`, but predictions that are constant in every list have none.
    """

    def __init__(self, coefficient: str, level: str, rows: Rows, topics: Array, summarizers: Array) -> None:
        self.coefficient, self.slack = coefficient, slack_of(rows.y, axis=0)[0]
        self.lists = list(points(level, rows, topics, summarizers))
        self.drawn = [np.repeat(np.arange(len(X)), counts.astype(np.int64)) for X, _, counts, _ in self.lists]

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """As `PearsonBlocks.score`, the values (n_targets, n)."""
        slack = CONSTANT * bound
        scores = np.full((self.slack.size, slack.size), -np.inf)
        varies = np.zeros(slack.size, dtype=bool)
        for X, *_ in self.lists:
            varies |= np.ptp(X @ coef, axis=0) > slack
        varying, step = np.flatnonzero(varies), max(1, CELLS // max(map(len, self.drawn), default=1))
        for part in (varying[at : at + step] for at in range(0, varying.size, step)):
            for target, of_target in enumerate(scores):
                turned = coef[:, part] if signs is None else coef[:, part] * signs[target, part]
                values = self._values(turned, slack[part], target)
                of_target[part] = np.where(np.isnan(values), -np.inf, values)
        return scores

    def _values(self, coef: Array, slack: Array, target: int) -> Array:
        """Return the values (n,), NaN where undefined; ``slack`` (n,) are differences that rounding explains."""
        total, weight = np.zeros((2, coef.shape[1]))
        slacks = slack[:, None], self.slack[target]
        for (X, y, _, count), drawn in zip(self.lists, self.drawn, strict=True):
            predictions = np.ascontiguousarray((X @ coef)[drawn].T)
            found = drawn_rows(predictions, y[None, drawn, target], drawn[None], self.coefficient, slacks)
            exists = ~np.isnan(found)
            total += np.where(exists, count * found, 0.0)
            weight += count * exists
        with np.errstate(invalid="ignore"):
            return np.asarray(total / weight)


class Selection:
    """Held-out rows of each split, without NaN, ready to score the predictions of all splits together.

    What is correlated with some columns of Y, at which level and by which of `COEFFICIENTS`: see
    `classy_aesop.search.search_targets`. A constant prediction has the score -inf.
    """

    def __init__(
        self, designs: Sequence[Design], targets: Sequence[int], level: str, coefficient: str = "pearson"
    ) -> None:
        self.designs, self.level, self.coefficient = designs, level, coefficient
        self.rows = Rows.of(designs, targets)
        self.scored = self._ready(self.rows)
        self.n_points = np.unique(self.rows.summarizers).size if level == "system" else len(self.rows.y)

    def _ready(self, rows: Rows) -> PearsonBlocks | Lists:
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


MOST_SUBSETS = 2**16
"""Largest number of subsets: each has two numbers in memory for every resample."""

MEANS = 2**17
"""Predictions of means at a time: a megabyte, so that they stay in cache."""


@dataclass(frozen=True)
class ResampleCounts:
    """Counts of each topic (n_resamples, n_topics) and summarizer (n_resamples, n_summarizers), by code."""

    topics: Array
    summarizers: Array

    def __len__(self) -> int:
        return len(self.topics)

    @classmethod
    def of(cls, design: Design, n_resamples: int, rng: np.random.Generator) -> ResampleCounts:
        """Sample the topics and summarizers of a design with replacement, as many as there are of each."""
        n_topics, n_summarizers = (int(code.max()) + 1 for code in (design.topics, design.summarizers))
        counts = [counts_of(rng.integers(n, size=(n_resamples, n)), n) for n in (n_topics, n_summarizers)]
        return cls(*counts)

    def pairs(self) -> Iterator[tuple[tuple[Array, Array], tuple[Array, Array]]]:
        """Yield the weights of topics and summarizers inside and outside each resample; outside, all topics count."""
        for topics, summarizers in zip(self.topics, self.summarizers, strict=True):
            yield (topics, summarizers), (np.ones_like(topics), (summarizers == 0).astype(float))


class Resampled:
    """Held-out rows of all splits, which share the codes of topics and summarizers, ready to score on resamples."""

    def __init__(
        self, rows: Rows, level: str, resamples: ResampleCounts, coefficient: str = "pearson"
    ) -> None:
        self.rows, self.level, self.resamples, self.coefficient = rows, level, resamples, coefficient

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (2, n_targets, n_resamples, n) of n linear solutions per split: inside, then outside."""
        coef = coefficients(solutions)
        bound, signs = bounds(coef, self.rows.X), solutions[0].signs
        if self.level == "system" and self.coefficient == "pearson":
            scores = self._of_means(coef, bound)
            return scores if signs is None else turned(scores, signs[:, None])
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
        step = max(1, MEANS // (m * n))
        for part in (slice(at, at + step) for at in range(0, n_resamples, step)):
            predictions = (X[part].reshape(-1, X.shape[2]) @ coef).reshape(-1, m, n)
            scores[:, part] = pearson(predictions, y[part], bound, n_rows[part, None]).transpose(1, 0, 2)
        return scores.reshape(len(scores), -1, 2, n).transpose(2, 0, 1, 3)

    @cached_property
    def means(self) -> tuple[Array, Array, Integers]:
        """Means of columns and targets (2 n_resamples, m, ...), inside and outside in turn, and numbers of rows."""
        pairs = [weights for pair in self.resamples.pairs() for weights in pair]
        m = self.resamples.summarizers.shape[1]
        X, y = (np.zeros((len(pairs), m, values.shape[1])) for values in (self.rows.X, self.rows.y))
        n_rows = np.zeros(len(pairs), dtype=np.int64)
        for at, weights in enumerate(pairs):
            for columns, targets, _ in blocks("system", self.rows, *weights):
                n_rows[at] = len(columns)
                X[at, : len(columns)], y[at, : len(columns)] = columns, targets
        return X, y, n_rows
