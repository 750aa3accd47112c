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
"""A difference below this share of the value counts as 0."""


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
    compared = topics >= 0
    values, of_values = X[compared], topics[compared]
    found = np.full((len(X), len(FORMS) * X.shape[1]), np.nan)
    found[compared] = np.hstack([_differences(values, of_values), _ranks(values, of_values)])
    return found


def topic_means(X: Floats, topics: NDArray[np.int64]) -> Floats:
    """Give each row the means of the existing values of its topic's rows, (n_rows, n_columns)."""
    exists = ~np.isnan(X)
    sums, counts = _sums(np.where(exists, X, 0.0), topics), _sums(exists, topics)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)[topics]


def _sums(values: Floats | NDArray[np.bool_], topics: NDArray[np.int64]) -> Floats:
    found = np.zeros((1 + topics.max(initial=-1), values.shape[1]))
    np.add.at(found, topics, values)
    return found


def _differences(X: Floats, topics: NDArray[np.int64]) -> Floats:
    found = X - topic_means(X, topics)
    return np.where(np.abs(found) <= _ROUNDING * np.abs(X), 0.0, found)


def _ranks(X: Floats, topics: NDArray[np.int64]) -> Floats:
    """Rank the values of each topic, the mean of ties, over their number (pandas' ``rank(pct=True)``)."""
    n_rows, by_topic, at = len(X), np.sort(topics), np.arange(len(X))
    order = np.lexsort((X.T, np.broadcast_to(topics, X.T.shape)))
    ordered = np.take_along_axis(X.T, order, axis=1)
    opens = np.ones((X.shape[1], n_rows + 1), bool)  # whether a value differs from the one before
    opens[:, 1:-1] = (ordered[:, 1:] != ordered[:, :-1]) | (by_topic[1:] != by_topic[:-1])
    first = np.maximum.accumulate(np.where(opens[:, :-1], at, 0), axis=1)
    last = np.minimum.accumulate(np.where(opens[:, 1:], at, n_rows)[:, ::-1], axis=1)[:, ::-1]
    place = np.empty(X.T.shape)
    np.put_along_axis(place, order, (first + last) / 2 + 1 - np.searchsorted(by_topic, by_topic), axis=1)
    existing = np.where(np.isnan(X), np.nan, place.T)  # missing values come last
    return existing / np.maximum(_sums(~np.isnan(X), topics), 1)[topics]


def compared_topics(table: pd.DataFrame, peers: str) -> NDArray[np.int64]:
    """Number the topic (of a year and task) that each row of a feature table is compared in, (n_rows,).

    Among systems only (``peers`` is ``no_models``) a human is compared with nobody, -1.
    """
    topics = table.groupby(["year", "topic", "task"], sort=False).ngroup().to_numpy(np.int64)
    return np.where(table["human"].to_numpy(bool) & (peers == "no_models"), -1, topics)
