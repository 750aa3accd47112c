"""Files of tables: CSV, TSV, Excel, JSON lines, JSON, Parquet; plain or compressed; a file, a pipe or standard input.

The ending of a name says what a file is, or else its first bytes do. A text table has a header; its cells are separated
by commas, semicolons or tabs, whichever the header has most of. JSON is a list of objects, an object with such a list
(``rows``, ``data``, ...) or with a list a column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from classy_aesop.corpus.corpus import Corpus, of_table
from classy_aesop.corpus.rows import rows_of
from classy_aesop.corpus.sources import Source, json_lines, json_value
from classy_aesop.corpus.tables import read_rows
from classy_aesop.errors import InputError, UsageError, listed
from classy_aesop.scores.asked import Fields
from classy_aesop.scores.cells import tsv_rows
from classy_aesop.scores.delimited import Placed, csv_rows, headed
from classy_aesop.scores.parquet import parquet_rows
from classy_aesop.scores.rows import Row, Where, decoded, shown
from classy_aesop.scores.xlsx import xlsx_rows

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}
"""The form of a file by the ending of its name."""

_LISTS = ("rows", "data", "examples", "instances", "records", "summaries")


def read_table(
    path: str | Path | Source, *, year: str = "", columns: Fields | None = None, encoding: str | None = None
) -> Corpus:
    """Read a file of a table, one row a summary.

    Parameters
    ----------
    path : path-like
        The file; ``-`` is standard input.
    year : str
        The year of rows without one.
    columns : mapping, optional
        What the columns are whose names do not say so; ``fields`` of `Corpus.from_rows`.
    encoding : str, optional
        The encoding of a text file that is not in UTF-8, such as ``cp1252``.

    Raises
    ------
    InputError
        If something in the file is wrong, with file and line; or if it is Parquet and pyarrow is not installed, or
        Excel and openpyxl.
    UsageError
        If ``columns`` does not fit the table.
    FileNotFoundError
        If the file does not exist.
    """
    source = Source.of(path)
    form, rows = rows_of_file(source, encoding=encoding)
    found = read_rows(rows, columns, year=year, written=form in ("csv", "tsv"), path=source.name)
    return of_table(found, found.judgments, path=source.name)


def rows_of_file(source: Source, *, encoding: str | None = None) -> tuple[str, list[Row]]:
    """Give the form of a file and its rows, as they are written; only a text table may have another encoding."""
    source = source.in_encoding(encoding)
    form = form_of(source)
    if encoding is not None and form not in ("csv", "tsv"):
        raise UsageError(f"{source.name}: --encoding is of a text table (CSV, TSV); found {form}")
    return form, list(_FORMS[form](source))


def form_of(source: Source) -> str:
    """Find the form of a file: a value of `SUFFIXES`."""
    if source.suffix in SUFFIXES:
        return SUFFIXES[source.suffix]
    start = source.start()
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK"):
        return "xlsx"
    return "json" if start.startswith((b"{", b"[")) else "csv"


def _csv_rows(source: Source) -> Iterator[Row]:
    lines = [decoded(line, where) for where, line in source.lines()]
    return _named(csv_rows(lines, source.name), source)


def _tsv_rows(source: Source) -> Iterator[Row]:
    rows = ((Where(source.name, line), cells) for line, cells in tsv_rows(source.text()))
    return _named(rows, source)


def _xlsx_rows(source: Source) -> Iterator[Row]:
    with source.stream() as stream:
        return _named(xlsx_rows(stream, source.name), source)


def _named(rows: Iterable[Placed], source: Source) -> Iterator[Row]:
    """Name the cells of a table with a header; those without a character are missing."""
    header, names, kept = headed(rows, source.name)
    again = sorted(name for name, count in Counter(names).items() if count > 1)
    if again:
        raise header.error(f"columns {listed(again)} appear twice")
    return (
        (where, {name: None if cell == "" else cell for name, cell in zip(names, cells, strict=True)})
        for where, cells in kept
    )


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
    "xlsx": _xlsx_rows,
}
