"""Results as files: written in one of the formats, and read again as they were."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from classy_aesop.data import COLUMNS
from classy_aesop.data.sources import Source
from classy_aesop.data.table_files import TEXT_FORMS, read_table_file
from classy_aesop.errors import InputError, listed
from classy_aesop.report.kinds import kind_of, readable
from classy_aesop.report.latex import write_latex
from classy_aesop.report.result import Result
from classy_aesop.report.screen import write_screen
from classy_aesop.report.table import write_table

TEXT = {
    "year", "topic", "task", "summarizer", "metric", "target", "assessor", "run", "peers", "source", "first", "second",
    "part", "group", "fitter", "label", "name", "names", "other", "level", "coefficient", "test", "method", "kind",
    "against", "category", "excluded", "found", "flag", "note", "signature", "beats",
}  # fmt: skip
"""Columns of text, which stay text though they look like numbers."""

_MARKS = {"outside"}
"""Columns that are text where they are empty."""


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
    found = read_table_file(Source(str(path)))
    if found.form in TEXT_FORMS and (len(found.columns) < 2 or "" in found.columns):
        raise found.header.error("expected a header of two or more different names")
    cells = {name: [row.get(name) for _, row in found.rows] for name in found.columns}
    signature = found.signature or str(next(filter(None, cells.get("signature", [])), ""))
    cells.pop("signature", None)
    table = pd.DataFrame({name: _column(name, _typed(found.form, name, cells[name]), path) for name in cells})
    command = re.match(r"command:([^|]+)", signature)
    foreign = "scores" if not signature and set(COLUMNS) - {"year", "task"} <= set(table) else ""
    return Result(table, kind=command[1] if command else foreign, signature=signature)


def _typed(form: str, name: str, cells: list[Any]) -> list[Any]:
    """Give cells as they were before a form that has no types, or no empty text, was written."""
    if form in TEXT_FORMS and name not in TEXT:
        return _values(cells)
    if form == "xlsx" and any(isinstance(cell, str) for cell in cells):
        return ["" if cell is None else cell for cell in cells]
    return cells


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
