"""Scores as JSON lines, with the field names of SacreROUGE or of this package."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.scores.asked import Fields
from classy_aesop.scores.columns import plain
from classy_aesop.scores.delimited import Cells
from classy_aesop.scores.layout import given_columns, keys_of
from classy_aesop.scores.rows import (
    Row,
    Where,
    identifier,
    instance_key,
    json_rows,
    number,
    optional,
    required,
    shown,
)
from classy_aesop.scores.table import NO_METRICS, Rating, table
from classy_aesop.scores.tidying import ratings_of_table

if TYPE_CHECKING:
    import pandas as pd


def read_jsonl_scores(
    path: str | Path, *, year: str = "", fields: Fields | None = None, of_humans: bool = False
) -> pd.DataFrame:
    """Read ``instance_id`` (or ``topic`` and ``task``), ``summarizer_id`` and ``metrics`` of every line.

    Nested names are joined with a dot. A list of numbers is read as ratings by the assessors ``1``, ``2``, ... Rows
    without ``metrics`` are a table like any other: with ``metric`` and ``score``, or with one field per metric, as
    lines, as one list (``.json``) or as the ``rows`` of one JSON object.
    """
    rows = list(json_rows(path))
    found = json_table(rows, path, fields)
    if found is None:
        records = json_records(rows, path, fields)
        return table(one for where, row in records for one in ratings_of_record(row, where, year))
    header, columns, cells = found
    return table(ratings_of_table(columns, cells, header, year, fields=fields, of_humans=of_humans))


def json_table(rows: Sequence[Row], path: str | Path, fields: Fields | None = None) -> Cells | None:
    """Give the cells of rows that are a table like any other; None of those with names or lists in their fields."""
    columns = names_of(rows)
    if not fields and _is_record(columns):
        return None
    if any(isinstance(value, list | Mapping) for _, row in rows for value in row.values()):
        return None
    return Where(str(path)), columns, [(where, [row.get(name) for name in columns]) for where, row in rows]


def names_of(rows: Iterable[Row]) -> list[str]:
    """Name the fields of rows, in the order in which they come."""
    return list(dict.fromkeys(name for _, row in rows for name in row))


def _is_record(columns: Collection[str]) -> bool:
    """Whether the fields are those that only JSON lines have."""
    return "metrics" in columns or ("instance_id" in columns and "summarizer_id" in columns)


def json_records(rows: list[Row], path: str | Path, fields: Fields | None) -> list[Row]:
    """Give rows whose topic and summarizer have their own names, whatever tables call them."""
    columns = names_of(rows)
    if not fields and _is_record(columns):
        return rows
    keys = keys_of(columns, Where(str(path)), given_columns(columns, fields or {}))
    names = {column: name for name, column in keys.items() if plain(column) != "instance_id"}
    return [(where, {names.get(name, name): value for name, value in row.items()}) for where, row in rows]


def ratings_of_record(
    record: Mapping[str, Any], where: Where, year: str = ""
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of a record: its ``metrics``, its ``metric`` and ``score``, or its fields that are not ids."""
    if not isinstance(record, Mapping):
        raise where.error(f"found {shown(record)}; expected named fields")
    key = instance_key(record, where, year)
    assessor = optional(record, "assessor", where)
    for metric, value in _flat(_metrics(record, where), where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, number(value, metric, where))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for at, one in enumerate(value, 1):
            yield where, (*key, metric, str(at), number(one, metric, where))


def _metrics(record: Mapping[str, Any], where: Where) -> object:
    if record.get("metrics") is None and "metric" in record:
        return {identifier(record["metric"], "metric", where): record.get("score")}
    if record.get("metrics") is None and {"topic", "summarizer"} <= set(record):
        wide = {name: value for name, value in record.items() if name not in NO_METRICS}
        if wide:
            return wide
    return required(record, where, "metrics")


_DEEPEST = 10
"""Levels of names inside names."""


def _flat(metrics: object, where: Where, prefix: str = "", level: int = 0) -> Iterator[tuple[str, object]]:
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {shown(metrics)}; expected names with numbers")
    if level == _DEEPEST:
        raise where.error(
            f"metrics has names in names of more than {_DEEPEST} levels; expected names with numbers"
        )
    for name, value in metrics.items():
        if isinstance(value, Mapping):
            yield from _flat(value, where, f"{prefix}{str(name).strip()}.", level + 1)
        else:
            yield f"{prefix}{str(name).strip()}", value
