"""Tables in every format, written and read again as they were: text, LaTeX and Markdown to be read.

Each has the signature once. TSV, CSV and JSON lines have it in their first row, in a last column that is empty below;
JSON has it next to ``rows``, LaTeX as a comment, Parquet in its metadata and Excel in the document's description.
`table_files` describes the quoting of TSV.

A missing number is empty in TSV and CSV, ``null`` in JSON and Parquet, and a dash in text and LaTeX, where numbers have
three decimals. Parquet needs pyarrow (extra ``parquet``), Excel openpyxl (extra ``excel``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, count
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, BinaryIO, TextIO

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import COLUMNS
from classy_aesop.errors import InputError, UsageError, listed, visible
from classy_aesop.reading.byte_sources import Source, plain_name
from classy_aesop.reading.table_files import SIGNATURE, TEXT_FORMS, quoted, read_table_file, tsv_line
from classy_aesop.report.result import Result


@dataclass(frozen=True)
class Format:
    """A way to write a table: to a stream of text, or to its buffer; the endings of names that ask for it."""

    writer: Callable[[Result, TextIO], object] | str  # ``module:function`` is imported when it is needed
    endings: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """The package that writes bytes, and the extra that it is in."""

    @property
    def write(self) -> Callable[[Result, TextIO], object]:
        """What writes, imported."""
        return resolve_name(f"classy_aesop.{self.writer}") if isinstance(self.writer, str) else self.writer

    def check(self, name: str) -> None:
        """Raise `UsageError` if its package is not installed."""
        if self.needs and find_spec(self.needs[0]) is None:
            package, extra = self.needs
            raise UsageError(f"-f {name} needs {package}: pip install classy-aesop[{extra}]")


def write_result(result: Result, stream: TextIO, format: str) -> None:
    """Write a result in one of `FORMATS`; those for readers have it as they get it, with its notes below."""
    FORMATS[format].write(result, stream)


def save_result(result: Result, path: Path, format: str) -> None:
    """Write a result to a file, in one of `FORMATS`."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        write_result(result, stream, format)


# --- text ---


def _tsv(result: Result, stream: TextIO) -> None:
    """Tab-separated values with a header."""
    signed = _signed(result)
    stream.write(tsv_line(map(str, signed)))
    cells = zip(*(_texts(values) for _, values in signed.items()), strict=True)
    stream.writelines("\t".join(row) + "\n" for row in cells)


def _texts(values: pd.Series) -> list[str]:
    """Give the cells of a column; what is missing is empty."""
    if isinstance(values.dtype, pd.StringDtype):
        codes, found = pd.factorize(values)
        return list(np.array([*map(quoted, found), ""], object).take(codes))  # -1 is what is missing
    if values.dtype == float:
        return _numbers(values.to_numpy())
    cells = list(map(str, _cells(values, "")))
    written = {cell: quoted(cell) for cell in set(cells)}
    return [written[cell] for cell in cells]


def _numbers(values: NDArray[np.float64]) -> list[str]:
    """Write numbers as Python does: msgspec writes alike, in a fifth of the time, what needs no power of ten."""
    cells = msgspec.json.encode(values.tolist()).decode()[1:-1].split(",") if len(values) else []
    odd = np.flatnonzero(~((np.abs(values) >= 1e-4) & (np.abs(values) < 1e16)))
    for place, value in zip(odd.tolist(), values[odd].tolist(), strict=True):
        cells[place] = str(value) if value == value else ""
    return cells


def _cells(values: pd.Series, missing: object) -> list[Any]:
    """Give the cells of a column, with another value for what is missing."""
    cells = values.tolist()
    for place in np.flatnonzero(values.isna()):
        cells[place] = missing
    return cells


def _signed(result: Result) -> pd.DataFrame:
    """Add the signature, if there is one, as a last column that is empty below its first row."""
    if not result.signature:
        return result.table
    n = len(result.table)
    return result.table.assign(**{signature_in(result.table): [result.signature, *[""] * (n - 1)][:n]})


def signature_in(table: pd.DataFrame) -> str:
    """Name the column of the signature: ``signature``, with a number if the table has such a column of its own."""
    numbered = (f"signature {number}" for number in count(1))
    return next(name for name in chain(["signature"], numbered) if name not in table)


def _csv(result: Result, stream: TextIO) -> None:
    """Comma-separated values with a header."""
    _signed(result).to_csv(stream, index=False, lineterminator="\n")


def _jsonl(result: Result, stream: TextIO) -> None:
    """JSON lines, one a row."""
    stream.writelines(f"{row}\n" for row in _json_rows(result.table, result.signature))


def _json(result: Result, stream: TextIO) -> None:
    """One JSON object with ``signature`` and ``rows``, one row a line."""
    rows = ",\n".join(_json_rows(result.table))
    stream.write(f'{{"signature": {_in_json(result.signature)}, "rows": [\n{rows}\n]}}\n')


def _json_rows(table: pd.DataFrame, signature: str = "") -> Iterator[str]:
    """Write each row as a JSON object; the first has the signature, if there is one."""
    names = [str(name) for name in table]
    for at, row in enumerate(zip(*(_cells(values, None) for _, values in table.items()), strict=True)):
        signed = {signature_in(table): signature} if signature and at == 0 else {}
        yield _in_json(dict(zip(names, row, strict=True)) | signed)


def _in_json(value: object) -> str:
    """Write a value on one line; a number that is not finite becomes null, as JSON cannot express it."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


# --- Parquet ---

N_ROWS = 2**16
"""Rows of a row group of Parquet, whatever the parts a file was written in."""


def _parquet(result: Result, stream: TextIO) -> None:
    """Apache Parquet, with the signature in its metadata; for a file or a pipe."""
    stream.flush()
    with RowGroups(stream.buffer, result.signature) as groups:
        groups.add(arrow_table(result.table))


class RowGroups:
    """A Parquet file that is being written to a stream; it is whole if the block ends without an error."""

    def __init__(self, stream: BinaryIO, signature: str) -> None:
        self._stream, self._signature = stream, signature
        self._writer: Any = None
        self._held: list[Any] = []

    def add(self, rows: Any) -> None:
        """Add the rows of an arrow table; all have the same columns."""
        from pyarrow.parquet import ParquetWriter

        if self._writer is None:
            schema = rows.schema.with_metadata({SIGNATURE: self._signature.encode()})
            self._writer = ParquetWriter(self._stream, schema)
        self._held.append(rows)
        if sum(map(len, self._held)) >= N_ROWS:
            self._write(is_end=False)

    def add_encoded(self, parts: BinaryIO) -> None:
        """Add what `encoded` gave, part after part to the end of a stream."""
        import pyarrow

        while parts.peek(1):  # type: ignore[attr-defined]
            with pyarrow.ipc.open_stream(parts) as reader:
                self.add(reader.read_all())

    def __enter__(self) -> RowGroups:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Write what is left and the end of the file; after an error no more, else pyarrow would end the file later."""
        if self._writer is not None and error is None:
            self._write(is_end=True)
            self._writer.close()
        elif self._writer is not None:
            self._writer.is_open = False

    def _write(self, *, is_end: bool) -> None:
        """Write all row groups that are full, at the end of the file also one that is not."""
        import pyarrow

        rows = pyarrow.concat_tables(self._held).combine_chunks()
        n_written = len(rows) if is_end else len(rows) // N_ROWS * N_ROWS
        self._writer.write_table(rows[:n_written], row_group_size=N_ROWS)
        self._held = [rows[n_written:]]


def arrow_table(table: pd.DataFrame) -> Any:
    """Make an arrow table: whole numbers, numbers, truth values, and anything else as text; what is missing is null."""
    import pyarrow

    kinds = {"i": pyarrow.int64(), "f": pyarrow.float64(), "b": pyarrow.bool_()}
    columns = {}
    for name, values in table.items():
        if hasattr(values.dtype, "pyarrow_dtype"):  # as it was read from Parquet
            columns[str(name)] = pyarrow.chunked_array(values.array.__arrow_array__())
            continue
        kind = kinds.get(values.dtype.kind)
        cells = values if kind else values.astype("string").astype(object)
        columns[str(name)] = pyarrow.array(cells, kind or pyarrow.string(), from_pandas=True)
    return pyarrow.table(columns)


def encoded(table: pd.DataFrame) -> bytes:
    """Give a part of a table as bytes, which may follow other parts; `RowGroups` takes it."""
    import pyarrow

    rows, stream = arrow_table(table), pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(stream, rows.schema) as writer:
        writer.write_table(rows)
    return bytes(stream.getvalue())


# --- Excel ---

MOST_ROWS = 1_048_575
"""Most rows below the header of a sheet."""


def _xlsx(result: Result, stream: TextIO) -> None:
    """A workbook of Excel; for a file or a pipe. Numbers keep all digits, and no text is a formula."""
    from openpyxl import Workbook

    stream.flush()
    table = result.table
    if len(table) > MOST_ROWS:
        raise InputError(
            f"{len(table):,} rows; a sheet of Excel holds {MOST_ROWS:,}: expected another format"
        )
    book = Workbook(write_only=True)
    book.properties.description = result.signature
    sheet = book.create_sheet("table")
    sheet.append([_sheet_cell(sheet, str(name)) for name in table])
    for row in zip(*(_cells(values, None) for _, values in table.items()), strict=True):
        sheet.append([_sheet_cell(sheet, value) for value in row])
    book.save(stream.buffer)


def _sheet_cell(sheet: Any, value: Any) -> Any:
    """Make a cell whose number openpyxl does not round and whose text is no formula; None of what is missing."""
    from openpyxl.cell import WriteOnlyCell

    if value is None or isinstance(value, bool):
        return value
    cell = WriteOnlyCell(sheet)
    is_finite = isinstance(value, int | float) and abs(value) != float("inf")
    cell._value, cell.data_type = (repr(value), "n") if is_finite else (visible(str(value), but="\t\n"), "s")
    return cell


FORMATS = {
    "text": Format("report.screen:write_screen"),
    "tsv": Format(_tsv, endings=(".tsv",)),
    "csv": Format(_csv, endings=(".csv",)),
    "jsonl": Format(_jsonl, endings=(".jsonl",)),
    "json": Format(_json, endings=(".json",)),
    "parquet": Format(_parquet, endings=(".parquet",), needs=("pyarrow", "parquet")),
    "xlsx": Format(_xlsx, endings=(".xlsx",), needs=("openpyxl", "excel")),
    "latex": Format("report.markup:write_latex", endings=(".tex",)),
    "markdown": Format("report.markup:write_markdown", endings=(".md",)),
}
"""Formats by name."""


def format_of(path: str | None, otherwise: str) -> str:
    """Name the format that the ending of a file's name asks for, which may be followed by that of a compression."""
    ending = Path(plain_name(path or "")).suffix.lower()
    return next((name for name, one in FORMATS.items() if ending in one.endings), otherwise)


# --- reading ---

TEXT = {
    "year", "topic", "task", "summarizer", "metric", "target", "assessor", "run", "peers", "source", "first", "second",
    "part", "group", "fitter", "label", "name", "names", "other", "level", "coefficient", "test", "method", "estimator",
    "kind", "against", "category", "excluded", "found", "flag", "note", "signature", "beats",
    "test_reason", "by_rater", "means", "n_of",
}  # fmt: skip
"""Columns of text, which stay text though they look like numbers."""

_MARKS = {"outside"}
"""Columns that are text where they are empty."""


def read_result(path: str | Path) -> Result:
    """Read what `write_result` wrote as TSV, CSV, JSON, JSON lines, Parquet or Excel.

    A table without a signature, of somebody else, is of the kind ``scores`` if it has the columns of a score table.

    Raises
    ------
    InputError
        Not a table, with file and line.

    Examples
    --------
    >>> found = read_result("classy_aesop/sample/tutorial/autumn-judge.tsv")
    >>> found.table.head(1).values.tolist()
    [['D2201', 'system-01', 7]]
    """
    found = read_table_file(Source.of(path))
    if found.form in TEXT_FORMS and (len(found.columns) < 2 or "" in found.columns):
        raise found.header.error("expected a header of two or more different names")
    cells = {name: [row.get(name) for _, row in found.rows] for name in found.columns}
    signature = found.signature
    for name in () if signature else reversed(found.columns):
        first = str(next(filter(None, cells[name]), ""))
        if re.fullmatch(r"signature( \d+)?", name) and first.startswith("command:"):
            signature = first
            del cells[name]
            break
    try:
        table = pd.DataFrame(
            {name: _column(name, _typed(found.form, name, cells[name]), path) for name in cells}
        )
    except UnicodeEncodeError as error:
        raise InputError(f"{error.object!a} holds half a character; expected whole ones", path=path) from None
    command = re.match(r"command:([^|]+)", signature)
    foreign = "scores" if not signature and set(COLUMNS) - {"year", "task"} <= set(table) else ""
    return Result(table, kind=command[1] if command else foreign, signature=signature)


def _typed(form: str, name: str, cells: list[Any]) -> list[Any]:
    """Give cells as they were before a form that has no types, or no empty text, was written.

    Those of a text form are truth values or numbers if all are, or are empty, and else stay as they are.
    """
    if form == "xlsx" and any(isinstance(cell, str) for cell in cells):
        return ["" if cell is None else cell for cell in cells]
    if form not in TEXT_FORMS or name in TEXT:
        return cells
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
    dtype: Any = None
    if not kinds and name in TEXT | _MARKS:
        cells = [""] * len(cells)
    elif kinds == {int} or (not kinds and (name == "seed" or name.startswith("n_"))):
        dtype = "Int64" if None in cells else "int64"
    elif kinds <= {int, float}:
        dtype = "float64"
        if name.startswith("n_") and (odd := [one for one in cells if one == one and (one or 0) % 1 != 0]):
            raise InputError(f"{name} is {odd[0]}; expected a whole number", path=path)
    elif kinds == {bool} and None not in cells:
        dtype = "bool"
    try:
        return pd.Series(cells, dtype=dtype) if dtype else pd.Series(cells, dtype=object).infer_objects()
    except OverflowError:
        limit = "beyond 1.8e308" if dtype == "float64" else "of more than 64 bits"
        raise InputError(f"{name} has a whole number {limit}", path=path) from None


def check_columns(result: Result, columns: Iterable[str], path: str | Path | None = None) -> None:
    """Raise InputError unless a table has these columns, with numbers in those that are not `TEXT`."""
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
