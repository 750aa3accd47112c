"""Scores as tab-separated values or as a DataFrame, long or wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.errors import listed
from classy_aesop.scores.cells import tsv_rows
from classy_aesop.scores.rows import Where, identifier, number, optional, text_of
from classy_aesop.scores.table import NO_METRICS, Rating, table

if TYPE_CHECKING:
    import pandas as pd


def read_tsv_scores(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read tab-separated values with a header, quoted as described in `cells`.

    The columns are ``topic`` and ``summarizer``, optionally ``task``, ``year`` and ``assessor``, and then ``metric``
    and ``score``, or one column per metric.
    """
    return table(_tsv_ratings(path, year))


def _tsv_ratings(path: str | Path, year: str) -> Iterator[tuple[Where, Rating]]:
    header, columns, rows = tsv_table(path)
    return ratings_of_table(columns, rows, header, year)


def tsv_table(path: str | Path) -> tuple[Where, list[str], Iterator[tuple[Where, list[str]]]]:
    """Give the header's place and columns, and each row's place and cells."""
    rows = ((Where(str(path), line), cells) for line, cells in tsv_rows(text_of(path)))
    header, columns = next(rows)
    return header, columns, rows


def ratings_of_table(
    columns: list[str], rows: Iterable[tuple[Where, list[Any]]], header: Where, year: str = ""
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of rows of cells, long or wide; ``header`` is the place of the columns' names."""
    metrics = _metric_columns(columns, header)
    for where, cells in rows:
        if len(cells) != len(columns):
            raise where.error(f"{len(cells)} columns; expected {len(columns)} as in the header")
        row = dict(zip(columns, cells, strict=True))
        topic, summarizer = (identifier(row[name], name, where) for name in ("topic", "summarizer"))
        key = optional(row, "year", where) or year, topic, optional(row, "task", where), summarizer
        assessor = optional(row, "assessor", where)
        for column in metrics:
            metric = identifier(row["metric"], "metric", where) if column == "score" else column
            yield where, (*key, metric, assessor, number(row[column], column, where, text=True))


def _metric_columns(columns: list[str], header: Where) -> list[str]:
    """Name the columns of scores: ``score`` in a long table, every column that is not an identifier in a wide one."""
    lacking = [name for name in ("topic", "summarizer") if name not in columns]
    if lacking and {"topic", "summarizer"} <= set(columns[0].split(",")):
        raise header.error(
            f"found {columns[0][:40]}, separated by commas; expected columns separated by tabs"
        )
    if lacking:
        raise header.error(f"no column {listed(lacking)} among {listed(columns)}; expected a header with it")
    if "" in columns:
        raise header.error(f"a column of {listed(columns, most=20)} has no name")
    if len(set(columns)) < len(columns):
        raise header.error(f"a column of {listed(columns, most=20)} appears twice")
    if ("metric" in columns) != ("score" in columns):
        raise header.error("expected both columns metric and score, or one column per metric")
    if "metric" in columns:
        return ["score"]
    metrics = [name for name in columns if name not in NO_METRICS]
    if not metrics:
        raise header.error(f"no scores among the columns {listed(columns)}")
    return metrics


def tidy(frame: pd.DataFrame) -> pd.DataFrame:
    """Check a DataFrame, long or wide, and make it tidy: identifiers as text, scores as floats.

    Parameters
    ----------
    frame : DataFrame
        Columns ``topic`` and ``summarizer``, optionally ``year``, ``task`` and ``assessor``; then ``metric``
        and ``score``, or one column per metric.
    """
    columns = [str(column) for column in frame.columns]
    cells = frame.astype(object).where(frame.notna(), None)
    rows = ((Where(line=at), list(row)) for at, row in enumerate(cells.itertuples(index=False, name=None), 1))
    return table(ratings_of_table(columns, rows, Where()))
