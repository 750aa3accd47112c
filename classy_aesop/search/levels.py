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


def coefficients(solutions: Sequence[Solutions], part: slice = slice(None)) -> Array:
    """Return the coefficients of the columns of `Rows.of` (n_columns, n) of one solution per split."""
    return np.concatenate([row for s in solutions for row in (s.coef[:, part], s.intercept[None, part])])


def bounds(coef: Array, X: Array) -> Array:
    """Return an upper bound on the terms of each prediction, (n,); variation below a share of it is rounding."""
    return np.asarray((np.abs(coef) * np.abs(X).max(axis=0, initial=0.0)[:, None]).max(axis=0))


def turned(scores: Array, signs: Array) -> Array:
    """Multiply scores by the sign, +1 or -1, that turns each solution towards each target; -inf stays."""
    return np.where(np.isfinite(scores), signs * scores, scores)


def blocks(level: str, rows: Rows, topics: Array, summarizers: Array) -> Iterator[Block]:
    """Yield the blocks of a level, given the weight of each topic (n_topics,) and summarizer (n_summarizers,)."""
    return BLOCKS[level](rows, topics, summarizers)


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


def _system_blocks(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Block]:
    """Yield the means of each summarizer over its topics, as one block."""
    weights = topics[rows.topics]
    sums = np.bincount(rows.summarizers, weights, summarizers.size)
    seen = np.flatnonzero((sums > 0) & (summarizers > 0))
    rows_used = np.flatnonzero(np.isin(rows.summarizers, seen) & (weights > 0))
    who, shares = rows.summarizers[rows_used], np.zeros((seen.size, len(rows.y)))
    shares[np.searchsorted(seen, who), rows_used] = weights[rows_used] / sums[who]
    yield from _block(shares @ rows.X, shares @ rows.y, summarizers[seen])


def _global_blocks(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Block]:
    yield from _block(rows.X, rows.y, topics[rows.topics] * summarizers[rows.summarizers])


def _input_blocks(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Block]:
    for topic in np.flatnonzero(topics):
        in_topic = np.flatnonzero(rows.topics == topic)
        for X, y, _ in _block(rows.X[in_topic], rows.y[in_topic], summarizers[rows.summarizers[in_topic]]):
            yield X, y, float(topics[topic])


def _centred_blocks(rows: Rows, topics: Array, summarizers: Array) -> Iterator[Block]:
    """Yield all rows less their topic's mean, as one block."""
    parts = [
        (np.sqrt(count) * X, np.sqrt(count) * y) for X, y, count in _input_blocks(rows, topics, summarizers)
    ]
    if parts:
        X, y = (np.concatenate(values) for values in zip(*parts, strict=True))
        yield X, y, 1.0


BLOCKS: dict[str, Callable[[Rows, Array, Array], Iterator[Block]]] = {
    "system": _system_blocks,
    "input": _input_blocks,
    "global": _global_blocks,
    "centred": _centred_blocks,
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
    root = np.sqrt(weights)[:, None]
    yield root * _deviations(X, weights), root * _deviations(y, weights), 1.0


def _deviations(values: Array, weights: Array) -> Array:
    """Return the columns of values (n, p) less their weighted means, exactly 0 where all are equal up to rounding."""
    still = np.ptp(values, axis=0) <= CONSTANT * np.abs(values).max(axis=0)
    return np.where(still, 0.0, values - weights @ values / weights.sum())
