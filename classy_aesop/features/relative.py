"""Columns within a topic: how a summary compares with the others that are compared there.

Any column, a feature or an imported metric, has two forms: ``r2~difference`` is its value less the topic's mean, and
``r2~rank`` its rank in the topic, over the number of values there. Missing values stay missing and do not count.

Values that agree in nine digits are ties: which of them is larger by rounding depends on the processor.

Near copies that are named count as one summary: they share one weight in means and ranks, and are not compared with
each other. So a system does not gain by being entered several times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import Floats

if TYPE_CHECKING:
    import pandas as pd


FORMS = ("difference", "rank")
"""The forms of a column, in the order of their blocks in a table."""

NEAR_COPY_OF = "near_copy_of"
"""The column of a feature table that names the first of the near copies of a summary."""

_ROUNDING_OF_DIFFERENCES = 1e-12
"""A difference below this share of the value is 0."""

_CELLS_OF_BATCH = 1 << 14
"""Values of topics that are compared at once; so many stay in the cache."""

_BITS_OF_TIES = 30
"""Values that are equal when they are rounded to so many significant bits have the same rank."""


def relative_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Name both forms of columns: first every difference (``r2~difference``), then every rank (``r2~rank``)."""
    return tuple(f"{column}~{form}" for form in FORMS for column in columns)


def plain_columns(columns: Iterable[str]) -> tuple[str, ...]:
    """Name the columns, each once, that relative columns are made from."""
    return tuple(dict.fromkeys(column.rpartition("~")[0] for column in columns))


def relative_values(
    X: Floats, topics: NDArray[np.int64], copy_groups: NDArray[np.int64] | None = None
) -> Floats:
    """Compute both forms of columns, in the order of `relative_columns`.

    Shapes: ``X`` (n_rows, n_columns), ``topics`` and ``copy_groups`` (n_rows,); gives (n_rows, 2 *
    n_columns).
    """
    forms = np.full((len(X), len(FORMS) * X.shape[1]), np.nan)
    for rows in _rows_of_topics(topics, X.shape[1]):
        values = X[rows]
        differences = values - _average_in_topics(values)
        differences[np.abs(differences) <= _ROUNDING_OF_DIFFERENCES * np.abs(values)] = 0.0
        forms[rows, : X.shape[1]] = differences
        forms[rows, X.shape[1] :] = _rank_in_topics(_round_to_ties(values))
    if copy_groups is not None:
        keys = topics * (copy_groups.max(initial=0) + 1) + copy_groups
        _, key_of_row, counts = np.unique(keys, return_inverse=True, return_counts=True)
        n_copies = counts[key_of_row]
        for topic in np.unique(topics[(n_copies > 1) & (topics >= 0)]):
            is_in_topic = topics == topic
            forms[is_in_topic] = _compare_copy_groups(
                X[is_in_topic], copy_groups[is_in_topic], 1 / n_copies[is_in_topic]
            )
    return forms


def _compare_copy_groups(X: Floats, copy_groups: NDArray[np.int64], weights: Floats) -> Floats:
    """Compute both forms (n_rows, 2 * n_columns) in a topic with near copies, whose weights sum to 1."""
    exists = ~np.isnan(X)
    weights_of_values = weights[:, None] * exists
    total_weights = np.maximum(weights_of_values.sum(axis=0), 1e-300)
    means = (np.where(exists, X, 0.0) * weights_of_values).sum(axis=0) / total_weights
    differences = X - means
    differences[np.abs(differences) <= _ROUNDING_OF_DIFFERENCES * np.abs(X)] = 0.0
    weights_of_others = np.where(copy_groups[:, None] != copy_groups, weights, 0.0)
    weight_below = np.empty(X.shape)
    for number, column in enumerate(_round_to_ties(X).T):
        is_lower = column < column[:, None]
        is_equal = column == column[:, None]
        weight_below[:, number] = (weights_of_others * (is_lower + 0.5 * is_equal)).sum(axis=1)
    ranks = (weight_below + 1) / (weights_of_others @ exists + 1)
    return np.hstack([differences, np.where(exists, ranks, np.nan)])


def find_copy_groups(table: pd.DataFrame) -> NDArray[np.int64] | None:
    """Number the near copies of a feature table, the same for all of one summary, (n_rows,); None if not named."""
    import pandas as pd

    return pd.factorize(table[NEAR_COPY_OF])[0].astype(np.int64) if NEAR_COPY_OF in table else None


def topic_means(X: Floats, topics: NDArray[np.int64]) -> Floats:
    """Give each row the means of the existing values of its topic's rows, (n_rows, n_columns)."""
    means = np.empty(X.shape)
    for rows in _rows_of_topics(topics, X.shape[1]):
        means[rows] = _average_in_topics(X[rows])
    return means


def _rows_of_topics(topics: NDArray[np.int64], n_columns: int) -> Iterator[NDArray[np.intp]]:
    """Yield the rows of some topics, (n_topics, n_rows of each), of equally many rows; without topic -1."""
    order = np.argsort(topics, kind="stable")
    order = order[np.count_nonzero(topics < 0) :]
    sizes = np.bincount(topics[order])
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes[sizes > 0]).tolist():
        first = starts[sizes == size, None]
        n_together = max(1, _CELLS_OF_BATCH // (size * max(n_columns, 1)))
        for start in range(0, len(first), n_together):
            yield order[first[start : start + n_together] + np.arange(size)]


def _average_in_topics(values: Floats) -> Floats:
    """Average the existing values of each topic and column, (n_topics, 1, n_columns)."""
    exists = ~np.isnan(values)
    filled = values if exists.all() else np.where(exists, values, 0.0)
    sums = np.cumsum(filled, axis=1)[:, -1:]  # in the order of the rows
    counts = np.count_nonzero(exists, axis=1, keepdims=True)
    means: Floats = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return means


def _round_to_ties(values: Floats) -> Floats:
    """Round to `_BITS_OF_TIES` significant bits, in the 52 (and one that is not stored) of a number's 64."""
    n_dropped = 53 - _BITS_OF_TIES
    bits = np.ascontiguousarray(values).view(np.int64) + (1 << (n_dropped - 1))
    return (bits & -(1 << n_dropped)).view(np.float64)


def _rank_in_topics(values: Floats) -> Floats:
    """Rank the values of each topic, the mean of ties, over their number (pandas' ``rank(pct=True)``)."""
    columns = np.ascontiguousarray(values.transpose(0, 2, 1))
    n = columns.shape[2]
    start = np.arange(0, columns.size, n).reshape(*columns.shape[:2], 1)
    order = (np.argsort(columns, axis=2) + start).ravel()  # missing values come last
    ordered = columns.ravel().take(order).reshape(columns.shape)
    opens = np.ones(columns.shape, bool)  # whether a value differs from the one before
    np.not_equal(ordered[..., 1:], ordered[..., :-1], out=opens[..., 1:])
    ends = np.append(np.flatnonzero(opens), columns.size)  # of ties
    rank_in_all = np.empty(columns.size)
    rank_in_all[order] = np.repeat((ends[:-1] + ends[1:] + 1) / 2, np.diff(ends))
    is_missing = np.isnan(columns)
    counts = n - np.count_nonzero(is_missing, axis=2, keepdims=True)
    ranks: Floats = (rank_in_all.reshape(columns.shape) - start) / np.maximum(counts, 1)
    ranks[is_missing] = np.nan
    return ranks.transpose(0, 2, 1)


def compared_topics(table: pd.DataFrame, peers: str) -> NDArray[np.int64]:
    """Number the topic (of a year and task) that each row is compared in, (n_rows,); -1 for humans if ``no_models``."""
    import pandas as pd

    keys = np.zeros(len(table), np.int64)
    for name in ("year", "topic", "task"):
        codes, distinct = pd.factorize(table[name], use_na_sentinel=False)
        keys = keys * len(distinct) + codes
    topics = pd.factorize(keys)[0].astype(np.int64)
    return np.where(table["human"].to_numpy(bool) & (peers == "no_models"), -1, topics)
