"""Score tables from files, records and tables of others: JSON lines, tab-separated values, long or wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.errors import InputError, listed
from classy_aesop.scores.rows import (
    Where,
    identifier,
    instance_key,
    json_lines,
    number,
    numbered_lines,
    required,
    shown,
)
from classy_aesop.scores.table import KEYS, Rating, table

if TYPE_CHECKING:
    import pandas as pd

NO_METRICS = {*KEYS, "assessor", "human", "empty", "n_references", "n_earlier", "signature"}
"""Columns of a wide table that are no metrics: what this package writes beside numbers, too."""


def read_scores(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read scores or judgments to a tidy table; several ratings of a summary stay apart by ``assessor``.

    Parameters
    ----------
    path : path-like
        ``.jsonl`` is read as JSON lines: ``instance_id`` (or ``topic`` and ``task``), ``summarizer_id`` and
        ``metrics``, where nested names join with a dot and a list of numbers is several ratings (named ``1``,
        ``2``, ...). Anything else is read as tab-separated values with a header: ``topic``, ``summarizer``,
        optionally ``task``, ``year`` and ``assessor``, then ``metric`` and ``score`` or one column a metric.
        Either may end in ``.gz``.
    year : str
        The year of rows that name none.

    Raises
    ------
    InputError
        With file and line: for what is not JSON, not UTF-8, not a (finite) number, or a row again.
    FileNotFoundError
        If ``path`` is not there.
    """
    suffix = Path(str(path).removesuffix(".gz")).suffix
    found = _json_ratings(path, year) if suffix in (".jsonl", ".json") else _tsv_ratings(path, year)
    frame = table(found)
    if frame.empty:
        raise InputError("no scores in it; expected one at least", path=path)
    return frame


def _json_ratings(path: str | Path, year: str) -> Iterator[tuple[Where, Rating]]:
    for where, record in json_lines(path):
        yield from ratings_of_record(record, where, year)


def ratings_of_record(
    record: Mapping[str, Any], where: Where, year: str = ""
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of one record: its ``metrics``, or its ``metric`` and ``score``."""
    key = instance_key(record, where, year)
    assessor = _optional(record, "assessor", where)
    if record.get("metrics") is None and "metric" in record:
        metrics: object = {identifier(record["metric"], "metric", where): record.get("score")}
    else:
        metrics = required(record, where, "metrics")
    for metric, value in _flat(metrics, where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, number(value, metric, where))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for at, one in enumerate(value, 1):
            yield where, (*key, metric, str(at), number(one, metric, where))


def _flat(metrics: object, where: Where, prefix: str = "") -> Iterator[tuple[str, object]]:
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {shown(metrics)}; expected names with numbers")
    for name, value in metrics.items():
        if isinstance(value, Mapping):
            yield from _flat(value, where, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _tsv_ratings(path: str | Path, year: str) -> Iterator[tuple[Where, Rating]]:
    lines = numbered_lines(path)
    header, first = next(lines)
    columns = [cell.strip() for cell in first.split("\t")]
    rows = ((where, [cell.strip() for cell in line.split("\t")]) for where, line in lines)
    return _ratings_of_table(columns, rows, header, year)


def _ratings_of_table(
    columns: list[str], rows: Iterable[tuple[Where, list[Any]]], header: Where, year: str = ""
) -> Iterator[tuple[Where, Rating]]:
    metrics = _metric_columns(columns, header)
    for where, cells in rows:
        if len(cells) != len(columns):
            raise where.error(f"{len(cells)} columns; expected {len(columns)} as in the header")
        row = dict(zip(columns, cells, strict=True))
        topic, summarizer = (identifier(row[name], name, where) for name in ("topic", "summarizer"))
        key = _optional(row, "year", where) or year, topic, _optional(row, "task", where), summarizer
        assessor = _optional(row, "assessor", where)
        for column in metrics:
            metric = identifier(row["metric"], "metric", where) if column == "score" else column
            yield where, (*key, metric, assessor, number(row[column], column, where, text=True))


def _metric_columns(columns: list[str], header: Where) -> list[str]:
    """Name the columns that hold numbers: ``score`` of a long table, else all that are no identifier."""
    lacking = [name for name in ("topic", "summarizer") if name not in columns]
    if lacking:
        raise header.error(f"no column {listed(lacking)} among {listed(columns)}; expected a header with it")
    if len(set(columns)) < len(columns) or "" in columns:
        raise header.error(f"a column of {listed(columns, most=20)} has no name or is there twice")
    if ("metric" in columns) != ("score" in columns):
        raise header.error("expected both columns metric and score, or one column a metric")
    if "metric" in columns:
        return ["score"]
    metrics = [name for name in columns if name not in NO_METRICS]
    if not metrics:
        raise header.error(f"no scores among the columns {listed(columns)}")
    return metrics


def _optional(row: Mapping[str, Any], name: str, where: Where) -> str:
    value = row.get(name)
    return "" if value is None else identifier(value, name, where, empty=True)


def tidy(frame: pd.DataFrame) -> pd.DataFrame:
    """Check a user's table, long or wide, and make it tidy: identifiers as text, numbers as floats.

    Parameters
    ----------
    frame : DataFrame
        Columns ``topic`` and ``summarizer``, optionally ``year``, ``task`` and ``assessor``; then ``metric``
        and ``score``, or one column a metric.
    """
    columns = [str(column) for column in frame.columns]
    cells = frame.astype(object).where(frame.notna(), None)
    rows = ((Where(line=at), list(row)) for at, row in enumerate(cells.itertuples(index=False, name=None), 1))
    return table(_ratings_of_table(columns, rows, Where()))
