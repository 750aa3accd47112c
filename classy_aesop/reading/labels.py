"""Labels that raters gave: words without order, of which only agreement can be asked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data.cells import is_missing_number
from classy_aesop.data.scores import ORIGIN, joined_origin, origin_of, table_of_columns
from classy_aesop.errors import NOTE
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.column_names import (
    COMMENTS,
    REFERENCES,
    SCORES,
    SOURCES,
    SUBSETS,
    is_administration,
    is_human,
    rater_evidence,
    spell,
    words_of,
)
from classy_aesop.reading.columns import Table
from classy_aesop.reading.judged_scores import name_rows
from classy_aesop.reading.key_columns import KEY_ROLES, find_keys
from classy_aesop.reading.shapes import (
    SCORE_ROLES,
    Reading,
    ScoreColumn,
    find_readings,
    match_roles,
    split_measures,
)

if TYPE_CHECKING:
    import pandas as pd

MAX_LABELS = 20
"""Most different labels of a column."""

_LOG = logging.getLogger(__name__)


def labels_of_table(table: Table, requested: Mapping[str, Sequence[str]]) -> pd.DataFrame | None:
    """Make the tidy table of a table of labels, numbered in alphabetical order; None if it holds none.

    `classy_aesop.data.scores.ORIGIN` has the words of each measure.
    """
    reading = find_label_reading(table, requested)
    if reading is None:
        return None
    account = RowAccount(table)
    rows = name_rows(table, reading, account)
    words_by_measure: dict[str, list[str]] = {}
    for name, cell in reading.cells.items():
        words = words_by_measure.setdefault(cell.measure, [])
        words_by_measure[cell.measure] = sorted({*words, *_labels_in(table, name)})
    parts = []
    for name, cell in reading.cells.items():
        numbers = {word: number for number, word in enumerate(words_by_measure[cell.measure], 1)}
        scores = np.array([*(numbers.get(word, np.nan) for word in table[name].words), np.nan])
        part = rows.assign(metric=cell.measure, score=scores.take(table[name].codes), row=range(len(rows)))
        parts.append((part.assign(assessor=cell.rater) if cell.rater else part)[account.is_used])
    labels = _join_columns(parts)
    places = [table.places[row] for row in labels["row"]]
    names = {
        name: labels[name].to_numpy(object)
        for name in ("topic", "task", "summarizer", "metric", "assessor", "attempt")
    }
    years = {"year": np.full(len(labels), "", object)}
    tidy = table_of_columns(years | names, labels["score"].to_numpy(float), places.__getitem__)
    tidy.attrs[ORIGIN] = joined_origin([origin_of(tidy), {"labels": words_by_measure}])
    prefix = f"{table.name}: " if table.name else ""
    _LOG.log(NOTE, "%sread as %s, labels without order", prefix, reading.columns_option())
    account.say()
    return tidy


def _join_columns(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(parts).sort_values("row", kind="stable", ignore_index=True)


def find_label_reading(table: Table, requested: Mapping[str, Sequence[str]]) -> Reading | None:
    """Find which columns hold labels, and what rows go by; None if they are scores, or nothing is rated twice."""
    if "scale" in requested:
        return None
    roles = match_roles(table, requested)
    requested_columns = [name for role in SCORE_ROLES for name in roles.get(role, ())]
    if roles.keys() - {*KEY_ROLES, *SCORE_ROLES} or _has_scores(table, requested_columns):
        return None
    if not requested_columns and any(
        reading.votes or _has_scores(table, reading.cells) for reading in find_readings(table, requested)
    ):
        return None
    key_roles = {role: names for role, names in roles.items() if role in KEY_ROLES}
    columns = requested_columns or _label_columns(
        table, [name for names in key_roles.values() for name in names]
    )
    if not columns:
        return None
    keys = find_keys(table, key_roles, without=columns)[0]
    if keys.distinct < 1 and not requested_columns:
        return None
    if len(columns) == 1 or keys.rater or "measures" in roles:
        if not (keys.rater and keys.topic):
            return None
        cells = {name: ScoreColumn(name) for name in columns}
        return Reading("labels of raters", keys, cells, keys.roles() | {"measures": tuple(columns)})
    cells = {
        name: ScoreColumn(measure, rater=rater)
        for measure, columns_of_raters in split_measures(columns).items()
        for rater, name in columns_of_raters.items()
    }
    return Reading("labels of raters", keys, cells, keys.roles() | {"ratings": tuple(columns)})


def _has_scores(table: Table, names: Iterable[str]) -> bool:
    """Whether a column holds numbers, or words of a known scale."""
    return any(table[name].numbers is not None for name in names)


def _label_columns(table: Table, keys: Sequence[str]) -> list[str]:
    """Give the columns of labels by their names, or else those with the same words, one a rater."""
    possible = [name for name in table.columns if name not in keys and _may_be_label(table, name)]
    by_name = [
        name for name in possible if (is_human(name) or spell(name) in SCORES) and rater_evidence(name) < 1
    ]
    if by_name:
        return by_name
    for name in possible:
        columns = [
            other for other in possible if _are_alike(_labels_in(table, name), _labels_in(table, other))
        ]
        if len(columns) > 1:
            return columns
    return []


def _are_alike(words: Sequence[str], other_words: Sequence[str]) -> bool:
    """Whether most of the words of two columns are the same."""
    return 2 * len({*words} & {*other_words}) > max(len(words), len(other_words))


def _may_be_label(table: Table, name: str) -> bool:
    """Whether a column holds a few words, each several times, and has no name of another role."""
    column = table[name]
    is_of_words = column.numbers is None and not column.is_list and not column.is_text and not column.is_time
    is_other = spell(name) in SUBSETS | SOURCES | REFERENCES or {*words_of(name)} & COMMENTS
    return bool(
        is_of_words
        and not is_other
        and not is_administration(name)
        and 2 <= len(_labels_in(table, name)) <= min(MAX_LABELS, column.n_filled - 1)
    )


def _labels_in(table: Table, name: str) -> list[str]:
    """Give the different words of a column that are not missing."""
    return sorted({word for word in table[name].words if not is_missing_number(word)})
