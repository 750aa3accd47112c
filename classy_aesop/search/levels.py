"""Pearson's correlation of many linear predictions with targets, at four levels, on weighted rows.

A level makes blocks of the rows; the correlation is the mean over the blocks in which it exists. ``system``: one
block, of the summarizers' means. ``global``: one block, of all rows. ``centred``: one block, of all rows less their
topic's mean. ``input``: a block for each topic. Weights say how often each topic and summarizer counts: once, or as
often as it was drawn. Rankel (2016), section 5.5; which level it means is open. The same levels on matrices of scores,
with other coefficients: `classy_aesop.significance.correlation`.

Predictions of centred rows are centred: so a block keeps its columns less their means, and the correlations of all
subsets are one product with their coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from classy_aesop.search.base import Solutions
from classy_aesop.search.design import Array, Design, Integers

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
    """Rows without NaN that predictions are scored on.

    Parameters
    ----------
    X : (n_rows, n_columns)
        What predictions are computed from.
    y : (n_rows, n_targets)
        Targets.
    topics, summarizers : (n_rows,) integers
        What each row is about, and who wrote the summary.
    """

    X: Array
    y: Array
    topics: Integers
    summarizers: Integers

    @classmethod
    def of(cls, designs: Sequence[Design], targets: Sequence[int]) -> Rows:
        """Put held-out rows below each other; each split has columns, and one of ones, of its own."""
        return cls(
            _side_by_side([design.X for design in designs]),
            np.concatenate([design.Y[:, list(targets)] for design in designs]),
            np.concatenate([design.topics for design in designs]),
            np.concatenate([design.summarizers for design in designs]),
        )


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
    """Weighted rows, ready to score predictions by Pearson's correlation.

    Parameters
    ----------
    level, rows, topics, summarizers
        As for `blocks`.
    """

    def __init__(self, level: str, rows: Rows, topics: Array, summarizers: Array) -> None:
        self.blocks, self.n_targets = list(blocks(level, rows, topics, summarizers)), rows.y.shape[1]

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """Return the correlations (n_targets, n) of predictions by coefficients (n_columns, n); -inf for none.

        ``bound`` (n,) is that of `bounds`; ``signs`` (n_targets, n) turn each prediction towards each target.
        """
        step = max(1, CELLS // max((len(X) for X, _, _ in self.blocks), default=1))
        scores = np.full((self.n_targets, coef.shape[1]), -np.inf)
        for part in (slice(at, at + step) for at in range(0, coef.shape[1], step)):
            scores[:, part] = mean_correlations(coef[:, part], bound[part], self.blocks, self.n_targets)
        return scores if signs is None else turned(scores, signs)


def mean_correlations(coef: Array, bound: Array, parts: Sequence[Block], n_targets: int) -> Array:
    """Return the weighted mean over blocks of the correlations (n_targets, n) where they exist, else -inf."""
    if len(parts) == 1:
        X, y, _ = parts[0]
        return pearson(X @ coef, y, bound, len(y))
    total, weight = np.zeros((2, n_targets, coef.shape[1]))
    for X, y, count in parts:
        r = pearson(X @ coef, y, bound, len(y))
        exists = np.isfinite(r)
        total += np.where(exists, count * r, 0.0)
        weight += count * exists
    return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), -np.inf)


def pearson(predictions: Array, y: Array, bound: Array, n_rows: Integers | int) -> Array:
    """Return the correlations (..., t, n) of centred predictions (..., m, n) and targets (..., m, t), -inf for none.

    ``bound`` (n,) is that of `bounds`, ``n_rows`` how many of the m rows count.
    """
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
        yield (
            rows.X[in_topic],
            rows.y[in_topic],
            summarizers[rows.summarizers[in_topic]],
            float(topics[topic]),
        )


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


def _side_by_side(parts: Sequence[Array]) -> Array:
    """Put each split's columns and a column of ones beside those of the others, 0 in their rows."""
    widths = [part.shape[1] + 1 for part in parts]
    X = np.zeros((sum(map(len, parts)), sum(widths)))
    row = column = 0
    for part, width in zip(parts, widths, strict=True):
        X[row : row + len(part), column : column + width] = np.column_stack([part, np.ones(len(part))])
        row, column = row + len(part), column + width
    return X


def _counted(points: Points) -> Points:
    """Leave out the points that do not count."""
    X, y, counts, weight = points
    kept = counts > 0
    return X[kept], y[kept], counts[kept], weight


def _deviations(values: Array, weights: Array) -> Array:
    """Return the columns of values (n, p) less their weighted means, exactly 0 where all are equal up to rounding."""
    still = np.ptp(values, axis=0) <= CONSTANT * np.abs(values).max(axis=0)
    return np.where(still, 0.0, values - weights @ values / weights.sum())
