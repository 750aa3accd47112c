"""Tables in files, written and read back as they were, by what is declared of their columns.

Each has the signature once. TSV, CSV and JSON lines have it in their first row, in a last column that is empty below;
JSON has it next to ``rows``, Parquet in its metadata and Excel in the document's description.
`reading.table_files` describes the quoting of TSV.

A missing number is empty in TSV and CSV and ``null`` in JSON and Parquet. Parquet needs pyarrow (extra ``parquet``),
Excel openpyxl (extra ``excel``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Any, TextIO

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import COLUMNS
from classy_aesop.errors import InputError, escape_controls
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.table_files import (
    SIGNATURE,
    TEXT_FORMS,
    TableFile,
    read_table_file,
)
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.layout import is_number
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import CellType

# --- text ---


def write_tsv(result: Result, stream: TextIO) -> None:
    """Tab-separated values with a header."""
    _write_separated(result, stream, "\t")


def write_csv(result: Result, stream: TextIO) -> None:
    """Comma-separated values with a header."""
    _write_separated(result, stream, ",")


def _write_separated(result: Result, stream: TextIO, separator: str) -> None:
    """Write a header and rows; a cell is in quotation marks where it needs them (RFC 4180), as a lone return does."""
    is_special = re.compile(f'[{separator}"\r\n]').search

    def quote(cell: object) -> str:
        text = str(cell)
        return '"' + text.replace('"', '""') + '"' if is_special(text) else text

    columns = []
    for name, values in add_signature(result).items():
        is_float = values.dtype == float
        texts = (
            write_number_cells(values.to_numpy()) if is_float else map(quote, cells_with_missing(values, ""))
        )
        columns.append([quote(name), *texts])
    rows = zip(*columns, strict=True)
    stream.writelines((separator.join(row) or '""') + "\n" for row in rows)  # a blank line would be no row


_FORMULA = re.compile(r"[=+\-@\t\r]")
_PLAIN_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def escape_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """Put an apostrophe before names and text that a spreadsheet program would run as a formula.

    These begin with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return, and are no number (OWASP, CSV injection).

    Examples
    --------
    >>> escape_formulas(pd.DataFrame({"system": ["=1+1", "-2", "a"], "score": [-1, 2, 3]})).values.tolist()
    [["'=1+1", -1], ['-2', 2], ['a', 3]]
    """

    def escape(cell: Any) -> Any:
        is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _PLAIN_NUMBER.fullmatch(cell)
        return f"'{cell}" if is_formula else cell

    columns = {
        name: values if is_number(values) else values.map(escape, na_action="ignore")
        for name, values in table.items()
    }
    return pd.DataFrame(columns, index=table.index).rename(columns=escape)


def write_number_cells(values: NDArray[np.float64]) -> list[str]:
    """Write numbers as Python does: msgspec writes alike, in a fifth of the time, what needs no power of ten."""
    cells = msgspec.json.encode(values.tolist()).decode()[1:-1].split(",") if len(values) else []
    with_power = np.flatnonzero(~((np.abs(values) >= 1e-4) & (np.abs(values) < 1e16)))
    for index, value in zip(with_power.tolist(), values[with_power].tolist(), strict=True):
        cells[index] = str(value) if value == value else ""
    return cells


def cells_with_missing(values: pd.Series, missing: object) -> list[Any]:
    """Give the cells of a column, with another value for what is missing."""
    return values.astype(object).where(values.notna(), missing).tolist()


def add_signature(result: Result) -> pd.DataFrame:
    """Add the signature, if there is one, as a last column that is empty below its first row."""
    if not result.signature:
        return result.table
    n = len(result.table)
    return result.table.assign(
        **{signature_column_name(result.table): [result.signature, *[""] * (n - 1)][:n]}
    )


def signature_column_name(table: pd.DataFrame) -> str:
    """Choose a name for the column of the signature: ``signature``, or with a number if the table has one already."""
    numbered = (f"signature {number}" for number in count(1))
    return next(name for name in chain(["signature"], numbered) if name not in table)


def write_result_lines(result: Result, stream: TextIO) -> None:
    """JSON lines, one a row."""
    stream.writelines(f"{row}\n" for row in _json_rows(result.table, result.signature))


def write_json(result: Result, stream: TextIO) -> None:
    """One JSON object with ``signature`` and ``rows``, one row a line."""
    rows = ",\n".join(_json_rows(result.table))
    stream.write(f'{{"signature": {_json_value(result.signature)}, "rows": [\n{rows}\n]}}\n')


def _json_rows(table: pd.DataFrame, signature: str = "") -> Iterator[str]:
    """Write each row as a JSON object; the first has the signature, if there is one."""
    names = [str(name) for name in table]
    for index, row in enumerate(
        zip(*(cells_with_missing(values, None) for _, values in table.items()), strict=True)
    ):
        labels = {signature_column_name(table): signature} if signature and index == 0 else {}
        yield _json_value(dict(zip(names, row, strict=True)) | labels)


def _json_value(value: object) -> str:
    """Write a value on one line; a number that is not finite becomes null, as JSON cannot express it."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


# --- Parquet ---

ROWS_OF_GROUP = 2**16
"""Rows of a row group of Parquet."""


def write_parquet(result: Result, stream: TextIO) -> None:
    """Apache Parquet, with the signature in its metadata; for a file or a pipe.

    Columns are of whole numbers, numbers, truth values, and anything else as text; what is missing is null.
    """
    import pyarrow
    from pyarrow import parquet

    table = result.table
    texts = {name: "string" for name, dtype in table.dtypes.items() if dtype in (object, "category")}
    rows = pyarrow.Table.from_pandas(table.astype(texts), preserve_index=False)
    signed = rows.replace_schema_metadata({SIGNATURE: result.signature.encode()})
    stream.flush()
    parquet.write_table(signed, stream.buffer, row_group_size=ROWS_OF_GROUP)


# --- Excel ---

MAX_SHEET_ROWS = 1_048_575
"""Most rows below the header of a sheet."""


def write_xlsx(result: Result, stream: TextIO) -> None:
    """A workbook of Excel; for a file or a pipe. Numbers keep all digits, and no text is a formula."""
    from openpyxl import Workbook

    stream.flush()
    table = result.table
    if len(table) > MAX_SHEET_ROWS:
        raise InputError(
            f"{len(table):,} rows; a sheet of Excel holds {MAX_SHEET_ROWS:,}: expected another format"
        )
    book = Workbook(write_only=True)
    book.properties.description = result.signature
    sheet = book.create_sheet("table")
    sheet.append([_sheet_cell(sheet, str(name)) for name in table])
    for row in zip(*(cells_with_missing(values, None) for _, values in table.items()), strict=True):
        sheet.append([_sheet_cell(sheet, value) for value in row])
    book.save(stream.buffer)


def _sheet_cell(sheet: Any, value: Any) -> Any:
    """Make a cell whose number openpyxl does not round and whose text is no formula; None of what is missing."""
    from openpyxl.cell import WriteOnlyCell

    if value is None or isinstance(value, bool):
        return value
    cell = WriteOnlyCell(sheet)
    is_finite = isinstance(value, int | float) and abs(value) != float("inf")
    cell._value, cell.data_type = (
        (repr(value), "n") if is_finite else (escape_controls(str(value), keep="\t\n"), "s")
    )
    return cell


# --- reading ---

Declared = Callable[[str], Answer | None]
"""Gives what is declared of a table by the command that its signature names."""


def read_table(path: str | Path, declared: Declared) -> Result:
    """Read what was written as TSV, CSV, JSON, JSON lines, Parquet or Excel."""
    file = read_table_file(Source.from_path(path))
    if file.form in TEXT_FORMS and (len(file.columns) < 2 or "" in file.columns):
        raise file.header.error("expected a header of two or more different names")
    cells = {name: [row.get(name) for _, row in file.rows] for name in file.columns}
    signature = file.signature or _pop_signature(cells)
    command = re.match(r"command:([^|]+)", signature)
    is_scores = not signature and set(COLUMNS) - {"year", "task"} <= set(cells)
    kind = command[1] if command else "scores" if is_scores else ""
    answer = declared(kind)
    declared_types = {} if answer is None else {column.name: column.type for column in answer.columns}
    try:
        columns = {
            name: _parse_column(name, values, declared_types[name], file)
            if name in declared_types
            else _recognize_column(name, values, file)
            for name, values in cells.items()
        }
        table = pd.DataFrame(columns)
    except UnicodeEncodeError as error:
        raise InputError(
            f"{error.object!a} holds half a character (an unpaired surrogate); expected whole ones", path=path
        ) from None
    return Result(table, kind=kind, signature=signature, answer=answer)


def _pop_signature(cells: dict[str, list[Any]]) -> str:
    """Remove the column of the signature from the cells, and give the signature; empty if there is none."""
    for name in reversed(list(cells)):
        first = str(next(filter(None, cells[name]), ""))
        if re.fullmatch(r"signature( \d+)?", name) and first.startswith("command:"):
            del cells[name]
            return first
    return ""


NAMES_OF_SCORES = {*COLUMNS, "assessor"} - {"score"}
"""Columns of score tables that hold names, which stay text though they look like numbers."""

_LEADING_ZERO = re.compile(r"[+-]?0\d.*")


def _recognize_column(name: str, cells: list[Any], file: TableFile) -> pd.Series:
    """Make a column that is not declared: of truth values or numbers if all its cells are, else of text."""
    filled = [cell for cell in cells if cell not in (None, "")]
    types: tuple[CellType, ...] = ("bool", "int", "float") if filled else ("float",)
    if name in NAMES_OF_SCORES or any(map(_LEADING_ZERO.fullmatch, map(str, filled))):
        types = ()
    for cell_type in types:
        with suppress(InputError):
            return _parse_column(name, cells, cell_type, file)
    return _parse_column(name, cells, "text", file)


def _parse_column(name: str, cells: list[Any], cell_type: CellType, file: TableFile) -> pd.Series:
    """Make a column of a type, in which empty cells are missing; a cell of another one is an InputError."""
    parse, expected, dtype = _PARSERS[cell_type]
    values = []
    for cell, (where, _) in zip(cells, file.rows, strict=True):
        try:
            values.append(None if cell in (None, "") else parse(cell))
        except (KeyError, OverflowError, TypeError, ValueError):
            raise where.error(f"{name} is {str(cell)[:40]!r}; expected {expected}") from None
    if cell_type == "text":
        values = ["" if value is None else value for value in values]
    return pd.Series(values, dtype=dtype).infer_objects()


def _parse_truth_value(cell: Any) -> bool:
    return {"True": True, "False": False}[str(cell)]


def _parse_whole_number(cell: Any) -> np.int64:
    return np.int64(str(cell))


def _parse_text(cell: Any) -> str:
    if isinstance(cell, list | dict):
        raise ValueError(cell)
    return str(cell)


_PARSERS: dict[CellType, tuple[Callable[[Any], Any], str, str]] = {
    "bool": (_parse_truth_value, "True or False", "object"),
    "int": (_parse_whole_number, "a whole number", "Int64"),
    "float": (float, "a number", "float64"),
    "text": (_parse_text, "text or a number", "object"),
}
"""How cells of each type are read, what they are, and the type of their column."""
