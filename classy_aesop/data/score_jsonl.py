"""Scores in JSON, with the field names of SacreROUGE or of this package.

A row has ``instance_id`` (or ``topic`` and ``task``), ``summarizer_id`` and ``metrics``. Nested names are joined with a
dot. A list of numbers is read as ratings by the assessors ``1``, ``2``, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from classy_aesop.data.asked import Fields
from classy_aesop.data.layout import given_columns, keys_of
from classy_aesop.data.opening import Where
from classy_aesop.data.score_columns import plain
from classy_aesop.data.score_rows import Row, identifier, instance_key, number, optional, required, shown
from classy_aesop.data.scores import NO_METRICS, Rating
from classy_aesop.data.table_files import TableFile


def records_of(found: TableFile, fields: Fields | None = None) -> list[Row] | None:
    """Give the rows of JSON whose fields hold names or lists, with our own names; None of a table like any other."""
    if found.form not in ("jsonl", "json"):
        return None
    if not fields and ("metrics" in found.columns or {"instance_id", "summarizer_id"} <= set(found.columns)):
        return found.rows
    if not any(isinstance(value, list | Mapping) for _, row in found.rows for value in row.values()):
        return None
    keys = keys_of(found.columns, found.header, given_columns(found.columns, fields or {}))
    names = {column: name for name, column in keys.items() if plain(column) != "instance_id"}
    return [
        (where, {names.get(name, name): value for name, value in row.items()}) for where, row in found.rows
    ]


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
