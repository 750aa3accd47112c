"""Results as files: written in one of the formats, and read again as they were."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from classy_aesop.errors import InputError, listed
from classy_aesop.plain.json_text import from_json
from classy_aesop.report.kinds import kind_of, readable
from classy_aesop.report.latex import write_latex
from classy_aesop.report.parquet import SIGNATURE
from classy_aesop.report.result import Result
from classy_aesop.report.screen import write_screen
from classy_aesop.report.table import write_table
from classy_aesop.report.xlsx import read_xlsx
from classy_aesop.scores import COLUMNS
from classy_aesop.scores.delimited import csv_rows
from classy_aesop.scores.opening import open_bytes, plain_name
from classy_aesop.scores.parquet import parquet_rows
from classy_aesop.scores.rows import Where, json_lines, lines_of, text_of
from classy_aesop.scores.tables import tsv_table

TEXT = {
    "year", "topic", "task", "summarizer", "metric", "target", "assessor", "run", "peers", "source", "first", "second",
    "part", "group", "fitter", "label", "name", "names", "other", "level", "coefficient", "test", "method", "kind",
    "against", "category", "excluded", "found", "flag", "note", "signature", "beats",
}  # fmt: skip
"""Columns of text, which stay text though they look like numbers."""

_MARKS = {"outside"}
"""Columns that are text where they are empty."""


_Cells = tuple[dict[str, list[Any]], str]
"""What a file holds: the cells of each column, None where one is missing, and its signature."""


def write_result(result: Result, stream: TextIO, format: str, width: int | None = None) -> None:
    """Write a result in one of `FORMATS`; a format for readers has it as they get it, with its notes below.

    Text is as wide as a screen of ``width`` columns; None has room for everything.
    """
    if format == "text" and result.lines is not None:
        stream.writelines(f"{line}\n" for line in (*result.lines(), "", result.signature))
    elif format == "text":
        write_screen(result, stream, width)
    elif format == "latex":
        kind, signed = kind_of(result), "\n".join((*result.notes, result.signature))
        write_latex(readable(result), stream, signed, caption=kind.caption, best=kind.best)
    else:
        write_table(result.table, stream, format, result.signature)


def save_result(result: Result, path: Path, format: str) -> None:
    """Write a result to a file, in one of `FORMATS`."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        write_result(result, stream, format)


def read_result(path: str | Path) -> Result:
    """Read what `write_result` wrote as TSV, CSV, JSON, JSON lines, Parquet or Excel.

    A table without a signature, of somebody else, is of the kind ``scores`` if it has the columns of a score table.

    Raises
    ------
    InputError
        Not a table, with file and line.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> found = read_result("data_samples/tutorial/autumn-judge.tsv")
    >>> found.table.head(1).values.tolist()
    [['D2201', 'system-01', 7]]
    """
    columns, signature = _READERS.get(Path(plain_name(path)).suffix.lower(), _tsv)(path)
    table = pd.DataFrame({name: _column(name, cells, path) for name, cells in columns.items()})
    found = re.match(r"command:([^|]+)", signature)
    foreign = "scores" if not signature and set(COLUMNS) - {"year", "task"} <= set(table) else ""
    return Result(table, kind=found[1] if found else foreign, signature=signature)


def check_columns(result: Result, columns: Iterable[str], path: str | Path | None = None) -> None:
    """Check that a table has these columns, with numbers in those that are not `TEXT`.

    Raises
    ------
    InputError
        One is missing or holds words.
    """
    missing = [name for name in columns if name not in result.table]
    if missing:
        raise InputError(
            f"no column {listed(missing)}; expected a table that this version of {result.kind.split()[0]} wrote",
            path=path,
        )
    for name in set(columns) - TEXT - _MARKS:
        cells = result.table[name]
        words = cells[pd.to_numeric(cells, errors="coerce").isna() & cells.notna()]
        if len(words):
            message = f"row {words.index[0] + 1}: {name} is {str(words.iloc[0])[:40]!r}; expected a number"
            raise InputError(message, path=path)


def _tsv(path: str | Path) -> _Cells:
    header, names, rows = tsv_table(path)
    return _of_text(names, rows, header)


def _csv(path: str | Path) -> _Cells:
    rows = csv_rows(lines_of(path), path)
    header, names = next(rows)
    return _of_text(names, rows, header)


def _of_text(names: list[str], rows: Iterable[tuple[Where, list[str]]], header: Where) -> _Cells:
    if len(names) < 2 or "" in names or len(set(names)) < len(names):
        raise header.error("expected a header of two or more different names, separated by tabs")
    cells = []
    for where, row in rows:
        if len(row) != len(names):
            raise where.error(f"{len(row)} columns; expected {len(names)} as in the header")
        cells.append(row)
    columns = zip(*cells, strict=True) if cells else [()] * len(names)
    found = {name: list(column) for name, column in zip(names, columns, strict=True)}
    signature = next(filter(None, found.pop("signature", [])), "")
    return {name: found[name] if name in TEXT else _values(found[name]) for name in found}, signature


def _values(cells: list[str]) -> list[Any]:
    """Give cells as truth values or as numbers if all are, or are empty, and else as they are."""
    different = set(cells) - {""}
    read = {"True": True, "False": False}.get if different <= {"True", "False"} else _number
    try:
        values = {cell: read(cell) for cell in different}
    except ValueError:
        return cells
    return [values.get(cell) for cell in cells]


def _number(text: str) -> float:
    if "_" in text or not text.isascii():  # Python alone reads it
        raise ValueError(text)
    try:
        return int(text)
    except ValueError:
        return float(text)


def _json(path: str | Path) -> _Cells:
    try:
        found = from_json(text_of(path))
    except ValueError as error:
        raise InputError(f"not JSON: {error}", path=path) from None
    rows = found.get("rows") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        message = "expected an object with rows, each an object of names and values, as -f json writes it"
        raise InputError(message, path=path)
    return _of_rows(rows, found.get("signature"))


def _jsonl(path: str | Path) -> _Cells:
    rows = [row for _, row in json_lines(path)]
    return _of_rows(rows, rows[0].get("signature"))


def _parquet(path: str | Path) -> _Cells:
    with open_bytes(path) as stream:
        names, rows = parquet_rows(stream, path)
    from pyarrow.parquet import read_schema

    signature = (read_schema(path).metadata or {}).get(SIGNATURE, b"").decode()
    return {name: [row[name] for row in rows] for name in names}, signature


def _xlsx(path: str | Path) -> _Cells:
    with open_bytes(path) as stream:
        return read_xlsx(stream, path)


def _of_rows(rows: list[dict[str, Any]], signature: object) -> _Cells:
    names = [name for name in dict.fromkeys(chain.from_iterable(rows)) if name != "signature"]
    return {name: [row.get(name) for row in rows] for name in names}, str(signature or "")


def _column(name: str, cells: list[Any], path: str | Path) -> pd.Series:
    """Make a column of the type that commands give it; where all cells are missing, by its name."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds & {list, dict}:
        raise InputError(f"{name} is a list or an object; expected text or a number", path=path)
    if not kinds and name in TEXT | _MARKS:
        cells = [""] * len(cells)
    elif kinds == {int} or (not kinds and (name == "seed" or name.startswith("n_"))):
        try:
            return pd.Series(cells, dtype="Int64" if None in cells else "int64")
        except OverflowError:
            raise InputError(f"{name} has a whole number of more than 64 bits", path=path) from None
    elif kinds <= {int, float}:
        try:
            return pd.Series(cells, dtype="float64")
        except OverflowError:
            raise InputError(f"{name} has a whole number beyond 1.8e308", path=path) from None
    elif kinds == {bool} and None not in cells:
        return pd.Series(cells, dtype="bool")
    return pd.Series(cells, dtype=object).infer_objects()


_READERS = {".csv": _csv, ".json": _json, ".jsonl": _jsonl, ".parquet": _parquet, ".xlsx": _xlsx}
"""The readers by the endings of names; any other is TSV."""
