"""Records of scores, as in our own JSON lines, made into ratings: the rows of a tidy table.

A record has its scores in ``metrics``. Nested names are joined with a
dot, and a list of numbers is read as ratings by the assessors ``1``, ``2``, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from classy_aesop.data.cells import (
    Key,
    format_value,
    instance_key,
    is_missing,
    read_identifier,
    read_number,
    require_field,
)
from classy_aesop.data.scores import PlacedRating, Rating, UnnamedRater, make_score_table
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import ATTEMPT_NAMES, CLUSTERS, ROLES, spell
from classy_aesop.reading.columns import Table
from classy_aesop.reading.table_files import form_of, read_parts, read_table_file

if TYPE_CHECKING:
    import pandas as pd


def holds_records(source: Source) -> bool:
    """Whether rows of JSON have ``metrics``: `ratings_of_record` reads or refuses them.

    Where a field may say what topics lie in (``passage``), it is looked at as in any other table.
    """
    if form_of(source) not in ("jsonl", "json"):
        return False
    with suppress(InputError):
        part = next(read_parts(source, 1))
        are_listed = any(
            isinstance(row.get("metrics"), list) for _, row in part.rows[:1]
        )  # their names alone
        return "metrics" in part.columns and not are_listed and CLUSTERS.isdisjoint(map(spell, part.columns))
    return False


def read_records(source: Source, *, year: str = "") -> pd.DataFrame:
    """Read rows of JSON with their scores in ``metrics``; those without a score are counted."""
    rows = read_table_file(source).rows
    ratings = [list(ratings_of_record(row, where, year)) for where, row in rows]
    account = RowAccount(Table(source.name, {}, [where for where, _ in rows]))
    has_score = [any(rating[-1] == rating[-1] for _, rating, *_ in of_row) for of_row in ratings]
    account.leave_out(~np.array(has_score, bool), "no score", is_stated=True)
    account.say()
    return make_score_table(chain.from_iterable(ratings))


def ratings_of_record(record: Mapping[str, Any], where: Where, year: str = "") -> Iterator[PlacedRating]:
    """Give the ratings of a record: its ``metrics``.

    Parameters
    ----------
    record : mapping
        The row.
    where : Where
        Its place, for messages.
    year : str
        The year of a row without one.
    """
    if not isinstance(record, Mapping):
        raise where.error(f"found {format_value(record)}; expected named fields")
    row_year, topic, task, summarizer = instance_key(record, where)
    key = (row_year or year, topic, task, summarizer)
    rater = record.get("assessor")
    assessor = "" if rater is None else read_identifier(rater, "assessor", where, may_be_empty=True)
    attempts = (name for name in record if spell(name) in ATTEMPT_NAMES and not is_missing(record[name]))
    attempt = next((read_identifier(record[name], name, where, is_cell=True) for name in attempts), "")
    metrics = require_field(record, where, "metrics")
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {format_value(metrics)}; expected names with numbers")
    ratings = ratings_of(key, assessor, metrics, where)
    return ((*rating, attempt) for rating in ratings) if attempt else ratings


def ratings_of(
    key: Key, assessor: str, metrics: Mapping[str, object], where: Where
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of one summary: a number a metric, or a list of them, one an assessor (``1``, ``2``, ...)."""
    for metric, value in _flatten_names(metrics, where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, read_number(value, metric, where))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for rater, score in enumerate(value, 1):
            yield (
                where,
                (*key, metric, UnnamedRater(rater), read_number(score, metric, where)),
            )


MAX_NAME_LEVELS = 10
"""Levels of names inside names; deeper ones hold no measures."""


def _flatten_names(
    metrics: Mapping[str, object], where: Where, prefix: str = "", level: int = 0
) -> Iterator[tuple[str, object]]:
    """Join names in names by a dot, but for those in a cell that is called like all measures (``metrics``)."""
    if level == MAX_NAME_LEVELS:
        raise where.error(
            f"metrics has names in names of more than {MAX_NAME_LEVELS} levels; expected names with numbers"
        )
    for name, value in metrics.items():
        metric = f"{prefix}{read_identifier(str(name), 'metric', where, may_be_empty=True)}"
        if isinstance(value, Mapping):
            of_all = not level and metric.lower() in ROLES["measures"]
            yield from _flatten_names(value, where, "" if of_all else f"{metric}.", level + 1)
        else:
            yield metric, value
