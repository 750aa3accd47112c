"""Labels that raters gave: words without order, of which only agreement can be asked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from classy_aesop.data.cells import is_missing_number
from classy_aesop.data.scores import ORIGIN, joined_origin, origin_of
from classy_aesop.errors import NOTE
from classy_aesop.reading.column_names import (
    REFERENCES,
    SCORES,
    SOURCES,
    SUBSETS,
    SURE,
    is_administration,
    is_human,
    rater_evidence,
    spell,
    system_evidence,
)
from classy_aesop.reading.columns import Table, TableColumn
from classy_aesop.reading.judged_scores import judge, make_tidy_scores
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
    words: dict[str, list[str]] = {}
    for name, cell in reading.cells.items():
        words[cell.measure] = sorted({*words.get(cell.measure, ()), *_labels_in(table, name)})
    numbered = {
        name: _number_labels(table[name], words[cell.measure]) for name, cell in reading.cells.items()
    }
    table = replace(table, columns=table.columns | numbered)
    scores, account = judge(table, reading)
    tidy = make_tidy_scores(table, reading, scores)
    tidy.attrs[ORIGIN] = joined_origin([origin_of(tidy), {"labels": words}])
    _LOG.log(NOTE, "%sread as %s, labels without order", table.prefix, reading.columns_option())
    account.say()
    return tidy


def _number_labels(column: TableColumn, words: Sequence[str]) -> TableColumn:
    """Give a column whose words have numbers: 1, 2, ..."""
    numbered = copy(column)
    cells = zip(column.distinct, column.words, strict=True)
    numbered.numbers = {value: float(words.index(word) + 1) for value, word in cells if word in words}
    return numbered


def find_label_reading(table: Table, requested: Mapping[str, Sequence[str]]) -> Reading | None:
    """Find which columns hold labels, and what rows go by; None if they are scores, or nothing is rated twice."""
    roles = match_roles(table, requested)
    requested_columns = [name for role in SCORE_ROLES for name in roles.get(role, ())]
    if roles.keys() - {*KEY_ROLES, *SCORE_ROLES} or _has_scores(table, requested_columns):
        return None
    if any(reading.votes or _has_scores(table, reading.cells) for reading in find_readings(table, requested)):
        return None
    requested_keys = [name for role in KEY_ROLES for name in roles.get(role, ())]
    columns = requested_columns or _label_columns(table, requested_keys)
    if not columns:
        return None
    keys = find_keys(table, roles, without=columns)[0]
    if keys.distinct < 1 and not requested_columns:
        return None
    if len(columns) == 1 or keys.rater or "measures" in roles:
        role = "measures"
        cells = {name: ScoreColumn(name) for name in columns}
        if not (keys.rater and keys.topic):
            return None
    else:
        role = "ratings"
        cells = {
            name: ScoreColumn(measure, rater=rater)
            for measure, columns_of_raters in split_measures(columns).items()
            for rater, name in columns_of_raters.items()
        }
    return Reading("labels of raters", keys, cells, {role: tuple(columns)})


def _has_scores(table: Table, names: Iterable[str]) -> bool:
    """Whether a column holds numbers, or words of a known scale."""
    return any(table[name].numbers is not None for name in names)


def _label_columns(table: Table, keys: Sequence[str]) -> list[str]:
    """Give the columns of labels by their names, or else those with the same words, one a rater.

    Raters agree in some row; columns that never do name the two systems of each comparison.
    """
    labels_of = {
        name: _labels_in(table, name)
        for name in table.columns
        if name not in keys and _may_be_label(table, name)
    }
    by_name = [
        name for name in labels_of if (is_human(name) or spell(name) in SCORES) and rater_evidence(name) < 1
    ]
    if by_name:
        return by_name
    for words in labels_of.values():
        columns = [
            name
            for name, labels in labels_of.items()
            if 2 * len(words & labels) > max(len(words), len(labels))
        ]
        rows = zip(*(table[name].cells for name in columns), strict=True)
        if any(len({*labels}) < len(columns) for labels in rows):
            return columns
    return []


def _may_be_label(table: Table, name: str) -> bool:
    """Whether a column holds a few words, each several times, and has no name of another role."""
    column = table[name]
    is_of_words = column.numbers is None and not (column.has_lists or column.is_text or column.is_time)
    names_systems = system_evidence(name) == SURE
    is_other = spell(name) in SUBSETS | SOURCES | REFERENCES or is_administration(name) or names_systems
    are_few = 2 <= len(_labels_in(table, name)) <= min(MAX_LABELS, column.n_filled - 1)
    return is_of_words and not is_other and are_few


def _labels_in(table: Table, name: str) -> set[str]:
    """Give the different words of a column that are not missing."""
    return {word for word in table[name].words if not is_missing_number(word)}
