"""Files of tables: CSV, TSV, JSON lines, JSON and Parquet; plain or compressed, from a file, a pipe or standard input.

The ending of a name says what a file is, or else its first bytes do. A text table has a header; its cells are separated
by commas, semicolons or tabs, whichever the header has most of. JSON is a list of objects, an object with such a list
(``rows``, ``data``, ...) or with a list a column.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from classy_aesop.corpus.columns import Fields
from classy_aesop.corpus.corpus import Corpus, of_table
from classy_aesop.corpus.rows import Row, rows_of
from classy_aesop.corpus.sources import Source, decoded, json_lines, json_value
from classy_aesop.corpus.tables import read_rows
from classy_aesop.errors import InputError, listed
from classy_aesop.scores.cells import tsv_rows
from classy_aesop.scores.parquet import parquet_rows
from classy_aesop.scores.rows import Where, shown

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
}
"""The form of a file by the ending of its name."""

_LISTS = ("rows", "data", "examples", "instances", "records", "summaries")
_LONGEST_CELL = 2**31 - 1


def read_table(path: str | Path | Source, *, year: str = "", columns: Fields | None = None) -> Corpus:
    """Read a file of a table, one row a summary.

    Parameters
    ----------
    path : path-like
        The file; ``-`` is standard input.
    year : str
        The year of rows without one.
    columns : mapping, optional
        What the columns are whose names do not say so; ``fields`` of `Corpus.from_rows`.

    Raises
    ------
    InputError
        If something in the file is wrong, with file and line; or if it is Parquet and pyarrow is not installed.
    UsageError
        If ``columns`` does not fit the table.
    FileNotFoundError
        If the file does not exist.
    """
    source = Source.of(path)
    form, rows = rows_of_file(source)
    found = read_rows(rows, columns, year=year, written=form in ("csv", "tsv"), path=source.name)
    return of_table(found, found.judgments, path=source.name)


def rows_of_file(source: Source) -> tuple[str, list[Row]]:
    """Give the form of a file and its rows, as they are written."""
    form = form_of(source)
    return form, list(_FORMS[form](source))


def form_of(source: Source) -> str:
    """Find the form of a file: a value of `SUFFIXES`."""
    if source.suffix in SUFFIXES:
        return SUFFIXES[source.suffix]
    start = source.start()
    if start.startswith(b"PAR1"):
        return "parquet"
    return "json" if start.startswith((b"{", b"[")) else "csv"


def _csv_rows(source: Source) -> Iterator[Row]:
    lines = [decoded(line, where) for where, line in source.lines()]
    first = next((line for line in lines if line.strip()), "")
    separator = max(",;\t", key=lambda one: _n_cells(first, one))
    return _with_header(_cells(lines, separator, source), source)


def _n_cells(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator)))
    except csv.Error:  # said where the cells are read
        return 0


def _cells(lines: list[str], separator: str, source: Source) -> Iterator[tuple[int, list[str]]]:
    """Give the rows of CSV that are not blank, each with the line on which it begins."""
    limit = csv.field_size_limit(_LONGEST_CELL)
    begins, rows = 1, csv.reader(lines, delimiter=separator, strict=True)
    try:
        for cells in rows:
            if cells:
                yield begins, cells
            begins = rows.line_num + 1
    except csv.Error as error:
        found = "a carriage return in a cell without quotes" if "new-line" in str(error) else error
        message = f"{found}; expected CSV, where a quotation mark in a quoted cell is doubled"
        raise InputError(message, path=source.name, line=begins) from None
    finally:
        csv.field_size_limit(limit)


def _tsv_rows(source: Source) -> Iterator[Row]:
    return _with_header(tsv_rows(source.text()), source)


def _with_header(rows: Iterable[tuple[int, list[str]]], source: Source) -> Iterator[Row]:
    """Name the cells of a text table; those without a character are missing."""
    numbered = iter(rows)
    line, header = next(numbered, (1, []))
    if not header:
        raise InputError("no columns; expected a header with their names", path=source.name)
    names = [name.strip() for name in header]
    again = sorted(name for name, count in Counter(names).items() if count > 1)
    if again:
        raise InputError(f"columns {listed(again)} appear twice", path=source.name, line=line)
    for line, cells in numbered:
        where = Where(source.name, line)
        if len(cells) != len(names):
            raise where.error(f"{len(cells)} columns; expected {len(names)} as in the header")
        yield where, {name: cell or None for name, cell in zip(names, cells, strict=True)}


def _json_rows(source: Source) -> Iterator[Row]:
    """Give the rows of a JSON document, or of JSON lines."""
    lines = iter(source.lines())
    opening = next((line for _, line in lines if not line.isspace()), b"")
    if opening.lstrip().startswith(b"{") and opening.rstrip().endswith(b"}") and any(lines):
        return json_lines(source)
    document = json_value(source.text(), Where(source.name), "a list of objects, or one object a line")
    rows = rows_of(_listed(document, source))
    return ((Where(f"{source.name}, row {where.line}"), row) for where, row in rows)


def _listed(document: Any, source: Source) -> Any:
    """Give the rows in a document, or its columns."""
    if isinstance(document, dict):
        lists = [document[name] for name in _LISTS if _is_table(document.get(name))]
        if len(lists) == 1:
            return lists[0]
        is_columns = len(document) > 1 and all(isinstance(column, list) for column in document.values())
        return document if is_columns else [document]
    if not _is_table(document):
        raise InputError(f"found {shown(document)}; expected a list of objects", path=source.name)
    return document


def _is_table(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _parquet_rows(source: Source) -> Iterator[Row]:
    with source.stream() as stream:
        _, rows = parquet_rows(stream, source.name)
    return ((Where(f"{source.name}, row {where.line}"), row) for where, row in rows_of(rows))


_FORMS: dict[str, Callable[[Source], Iterator[Row]]] = {
    "csv": _csv_rows,
    "tsv": _tsv_rows,
    "jsonl": json_lines,
    "json": _json_rows,
    "parquet": _parquet_rows,
}
