"""Columns within a topic: how a summary compares with the others that are compared there.

Any column, a feature or an imported metric, has two forms: ``r2~difference`` is its value less the topic's mean, and
``r2~rank`` its rank in the topic, over the number of values there. Missing values stay missing and do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.counts import Floats

if TYPE_CHECKING:
    import pandas as pd

FORMS = ("difference", "rank")
"""The forms of a column, in the order of their blocks in a table."""

_ROUNDING = 1e-12
"""Differences below this share of the topic's largest value count as 0."""


def relative_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Name both forms of columns: first every difference, then every rank.

    Examples
    --------
    >>> relative_columns(["r2", "su4"])
    ('r2~difference', 'su4~difference', 'r2~rank', 'su4~rank')
    """
    return tuple(f"{column}~{form}" for form in FORMS for column in columns)


def plain_columns(columns: Iterable[str]) -> tuple[str, ...]:
    """Name the columns, each once, that relative columns are made from.

    Examples
    --------
    >>> plain_columns(["r2~difference", "su4~rank", "r2~rank"])
    ('r2', 'su4')
    """
    return tuple(dict.fromkeys(column.rpartition("~")[0] for column in columns))


def relative_values(X: Floats, topics: NDArray[np.int64]) -> Floats:
    """Compute both forms of columns.

    Parameters
    ----------
    X : array, shape (n_rows, n_columns)
        Plain columns; a missing value is NaN.
    topics : array of int, shape (n_rows,)
        The topic that a row is compared in; -1 for a row that is compared with none, whose values are NaN.

    Returns
    -------
    array, shape (n_rows, 2 * n_columns)
        The columns that `relative_columns` names.

    Examples
    --------
    >>> X = np.array([[0.1], [0.3], [0.3], [0.5], [7.0]])
    >>> relative_values(X, np.array([0, 0, 0, 0, -1])).round(3).tolist()
    [[-0.2, 0.25], [0.0, 0.625], [0.0, 0.625], [0.2, 1.0], [nan, nan]]
    """
    compared = np.flatnonzero(topics >= 0)
    by_topic = compared[np.argsort(topics[compared], kind="stable")]
    found = np.full((len(X), len(FORMS) * X.shape[1]), np.nan)
    if by_topic.size:
        values, starts = X[by_topic], np.unique(topics[by_topic], return_index=True)[1]
        found[by_topic] = np.hstack([_differences(values, starts), _ranks(values, starts)])
    return found


def _differences(X: Floats, starts: NDArray[np.int64]) -> Floats:
    """Subtract the topic's mean from the rows of topics that start at these places."""
    sizes, exists = np.diff([*starts, len(X)]), ~np.isnan(X)
    sums = np.add.reduceat(np.where(exists, X, 0.0), starts)
    counts = np.add.reduceat(exists, starts, dtype=np.int64)
    largest = np.maximum.reduceat(np.where(exists, np.abs(X), 0.0), starts)
    differences = X - np.repeat(sums / np.maximum(counts, 1), sizes, axis=0)
    is_rounding = np.abs(differences) <= np.repeat(_ROUNDING * largest, sizes, axis=0)
    return np.where(is_rounding, 0.0, differences)


def _ranks(X: Floats, starts: NDArray[np.int64]) -> Floats:
    """Rank the values of each topic, the mean of ties, over their number (pandas' ``rank(pct=True)``)."""
    n_rows, sizes = len(X), np.diff([*starts, len(X)])
    topic = np.repeat(np.arange(starts.size), sizes)
    order = np.lexsort((X.T, np.broadcast_to(topic, X.T.shape)))
    ordered, at = np.take_along_axis(X.T, order, axis=1), np.arange(n_rows)
    opens = np.ones((X.shape[1], n_rows + 1), bool)  # whether a value differs from the one before
    opens[:, 1:-1] = (ordered[:, 1:] != ordered[:, :-1]) | (topic[1:] != topic[:-1])
    first = np.maximum.accumulate(np.where(opens[:, :-1], at, 0), axis=1)
    last = np.minimum.accumulate(np.where(opens[:, 1:], at, n_rows)[:, ::-1], axis=1)[:, ::-1]
    counts = np.add.reduceat(~np.isnan(X), starts, dtype=np.int64).T
    shares = ((first + last) / 2 + 1 - starts[topic]) / np.maximum(counts, 1)[:, topic]
    found = np.empty_like(shares)
    np.put_along_axis(found, order, np.where(np.isnan(ordered), np.nan, shares), axis=1)
    return found.T


def compared_topics(table: pd.DataFrame, peers: str) -> NDArray[np.int64]:
    """Number the topic (of a year and task) that each row of a feature table is compared in, (n_rows,).

    Among systems only (``peers`` is ``no_models``) a human is compared with nobody, -1.
    """
    topics = table.groupby(["year", "topic", "task"], sort=False).ngroup().to_numpy(np.int64)
    return np.where(table["human"].to_numpy(bool) & (peers == "no_models"), -1, topics)
