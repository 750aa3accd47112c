"""Columns within a topic: how a summary compares with the others that are compared there.

Any column, a feature or an imported metric, has two forms: ``r2~difference`` is its value less the topic's mean, and
``r2~rank`` its rank in the topic, over the number of values there. Missing values stay missing and do not count.

Values that agree in nine digits are ties: which of them is larger by rounding hangs on the processor.

Near copies that are named have one vote together: they share their weight in means and ranks, and are not compared with
each other. So nobody gains by being entered again and again.
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

VOICE = "voice"
"""The column of a feature table that names the near copies of a topic alike."""

_ROUNDING = 1e-12
"""A difference below this share of the value counts as 0."""

_CELLS_TOGETHER = 1 << 14
"""Values of topics at a time, which stay in the cache."""

_BITS_OF_TIES = 30
"""Values that are equal when they are rounded to so many significant bits have the same rank."""


def relative_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Name both forms of columns: first every difference (``r2~difference``), then every rank (``r2~rank``)."""
    return tuple(f"{column}~{form}" for form in FORMS for column in columns)


def plain_columns(columns: Iterable[str]) -> tuple[str, ...]:
    """Name the columns, each once, that relative columns are made from."""
    return tuple(dict.fromkeys(column.rpartition("~")[0] for column in columns))


def relative_values(X: Floats, topics: NDArray[np.int64], voices: NDArray[np.int64] | None = None) -> Floats:
    """Compute both forms of columns ``X`` (n_rows, n_columns) that `relative_columns` names; a missing value is NaN.

    ``topics`` (n_rows,) are those that rows are compared in; -1 for a row that is compared with none, whose values are
    NaN. ``voices`` (n_rows,) are the same for near copies on a topic; by default there are none.
    """
    found = np.full((len(X), len(FORMS) * X.shape[1]), np.nan)
    for rows in _rows_of_topics(topics, X.shape[1]):
        values = X[rows]
        differences = values - _means(values)
        differences[np.abs(differences) <= _ROUNDING * np.abs(values)] = 0.0
        found[rows, : X.shape[1]] = differences
        found[rows, X.shape[1] :] = _ranks(_rounded(values))
    if voices is not None:
        each = topics * (voices.max(initial=0) + 1) + voices
        _, of_row, counts = np.unique(each, return_inverse=True, return_counts=True)
        for topic in np.unique(topics[(counts[of_row] > 1) & (topics >= 0)]):
            own = topics == topic
            found[own] = _among_voices(X[own], voices[own], 1 / counts[of_row][own])
    return found


def _among_voices(X: Floats, voices: NDArray[np.int64], weights: Floats) -> Floats:
    """Compute both forms (n_rows, 2 * n_columns) in a topic with near copies, whose weights sum to 1."""
    exists, rounded = ~np.isnan(X), _rounded(X)
    each = weights[:, None] * exists
    differences = X - (np.where(exists, X, 0.0) * each).sum(axis=0) / np.maximum(each.sum(axis=0), 1e-300)
    differences[np.abs(differences) <= _ROUNDING * np.abs(X)] = 0.0
    others = np.where(voices[:, None] != voices, weights, 0.0)
    below = np.empty(X.shape)
    for at, column in enumerate(rounded.T):
        before, same = column < column[:, None], column == column[:, None]
        below[:, at] = (others * (before + 0.5 * same)).sum(axis=1)
    return np.hstack([differences, np.where(exists, (below + 1) / (others @ exists + 1), np.nan)])


def voices_of(table: pd.DataFrame) -> NDArray[np.int64] | None:
    """Number the voice of each row of a feature table, (n_rows,); None if it does not name them."""
    import pandas as pd

    return pd.factorize(table[VOICE])[0].astype(np.int64) if VOICE in table else None


def topic_means(X: Floats, topics: NDArray[np.int64]) -> Floats:
    """Give each row the means of the existing values of its topic's rows, (n_rows, n_columns)."""
    found = np.empty(X.shape)
    for rows in _rows_of_topics(topics, X.shape[1]):
        found[rows] = _means(X[rows])
    return found


def _rows_of_topics(topics: NDArray[np.int64], n_columns: int) -> Iterator[NDArray[np.intp]]:
    """Yield the rows of some topics, (n_topics, n_rows of each), of equally many rows; without topic -1."""
    order = np.argsort(topics, kind="stable")
    order = order[np.count_nonzero(topics < 0) :]
    sizes = np.bincount(topics[order])
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes[sizes > 0]).tolist():
        first, n_together = starts[sizes == size, None], max(1, _CELLS_TOGETHER // (size * max(n_columns, 1)))
        for at in range(0, len(first), n_together):
            yield order[first[at : at + n_together] + np.arange(size)]


def _means(values: Floats) -> Floats:
    """Mean of the existing values of each topic and column, (n_topics, 1, n_columns)."""
    exists = ~np.isnan(values)
    there = values if exists.all() else np.where(exists, values, 0.0)
    sums = np.cumsum(there, axis=1)[:, -1:]  # in the order of the rows
    counts = np.count_nonzero(exists, axis=1, keepdims=True)
    means: Floats = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return means


def _rounded(values: Floats) -> Floats:
    """Round to `_BITS_OF_TIES` significant bits, in the 52 (and one that is not stored) of a number's 64."""
    less = 53 - _BITS_OF_TIES
    bits = np.ascontiguousarray(values).view(np.int64) + (1 << (less - 1))
    return (bits & -(1 << less)).view(np.float64)


def _ranks(values: Floats) -> Floats:
    """Rank the values of each topic, the mean of ties, over their number (pandas' ``rank(pct=True)``)."""
    columns = np.ascontiguousarray(values.transpose(0, 2, 1))
    n = columns.shape[2]
    start = np.arange(0, columns.size, n).reshape(*columns.shape[:2], 1)
    order = (np.argsort(columns, axis=2) + start).ravel()  # missing values come last
    ordered = columns.ravel().take(order).reshape(columns.shape)
    opens = np.ones(columns.shape, bool)  # whether a value differs from the one before
    np.not_equal(ordered[..., 1:], ordered[..., :-1], out=opens[..., 1:])
    ends = np.append(np.flatnonzero(opens), columns.size)  # of ties
    place, missing = np.empty(columns.size), np.isnan(columns)
    place[order] = np.repeat((ends[:-1] + ends[1:] + 1) / 2, np.diff(ends))
    counts = n - np.count_nonzero(missing, axis=2, keepdims=True)
    ranks: Floats = (place.reshape(columns.shape) - start) / np.maximum(counts, 1)
    ranks[missing] = np.nan
    return ranks.transpose(0, 2, 1)


def compared_topics(table: pd.DataFrame, peers: str) -> NDArray[np.int64]:
    """Number the topic (of a year and task) that each row is compared in, (n_rows,); -1 for humans if ``no_models``."""
    import pandas as pd

    keys = np.zeros(len(table), np.int64)
    for name in ("year", "topic", "task"):
        codes, found = pd.factorize(table[name], use_na_sentinel=False)
        keys = keys * len(found) + codes
    topics = pd.factorize(keys)[0].astype(np.int64)
    return np.where(table["human"].to_numpy(bool) & (peers == "no_models"), -1, topics)
