"""Files of tables, one reader each for summaries, scores and results: CSV, TSV, Excel, Parquet, JSON and JSON lines.

The ending of a name says what a file is, or else its first bytes do. A text table has a header; its cells are separated
by tabs, commas or semicolons, whichever the header has most of. JSON is a list of objects, an object with such a list
(``rows``, ``data``, ...) or with a list a column, or one object a line. Rows without any value are left out, and so are
columns at the end that have neither a name nor a value: a spreadsheet writes them where it was once touched.

In tab-separated values, which this package writes too, a cell that holds a tab, a line break or a quotation mark, or
that begins or ends with a space, is in quotation marks, and those inside it are doubled (RFC 4180). When reading, only
a cell that is quoted from end to end counts as quoted. Any other cell is taken as it is, without the spaces around it,
since many programs write no quotes.
"""

from __future__ import annotations

import csv
import datetime
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from classy_aesop.data.cells import Row, format_value
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, listed, warn
from classy_aesop.reading.byte_sources import Source, refuse_damaged
from classy_aesop.reading.column_kinds import Kind, kinds_of
from classy_aesop.reading.memory_tables import check_lengths, rows_of
from classy_aesop.reading.summary_rows import json_lines, parse_json
from classy_aesop.reading.workbook_checks import (
    check_structure,
    refuse_other_archive,
    refuse_other_spreadsheet,
)

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

T = TypeVar("T")

LONGEST_QUOTED = 2**22
"""Most characters of a row of several lines in tab-separated values that are read part by part."""

_SPECIAL = re.compile('[\t\r\n"]')
_CELL = re.compile(r'[^\S\t\n]*+"((?:[^"]++|"")*+)"[^\S\t\n]*+(?=[\t\n]|\Z)|([^\t\n]*)')
"""A cell of tab-separated values: quoted, or as it is."""


def tsv_line(cells: Iterable[str]) -> str:
    """Write one row, its line break included."""
    return "\t".join(map(quoted, cells)) + "\n"


def quoted(text: str) -> str:
    """Write one cell, in quotation marks where it needs them."""
    if text == text.strip() and not _SPECIAL.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def tsv_rows(text: str, more: Iterator[str] | None = None) -> Iterator[tuple[int, list[str]]]:
    """Give the line on which each row begins, and its cells; blank lines are skipped.

    A quoted cell may hold line breaks, unless its row would then have more or fewer cells than the first. ``more``
    gives the rest of a long text, in which no row of several lines is longer than `LONGEST_QUOTED`.
    """
    at, line, length = 0, 1, 0
    while True:
        if len(text) - at < LONGEST_QUOTED and (rest := next(more or iter(()), "")):
            text, at = text[at:] + rest, 0
        if at >= len(text):
            return
        found = text.find("\n", at)
        end = after = found if found >= 0 else len(text)
        cells = [cell.strip() for cell in text[at:end].split("\t")]
        if '"' in text[at:end]:
            unquoted, stop = _unquoted(text, at)
            if stop == end or length in (0, len(unquoted)):
                cells, after = unquoted, stop
        if text[at:after].strip():
            length = length or len(cells)
            yield line, cells
        line += text.count("\n", at, after) + 1
        at = after + 1


def _unquoted(text: str, at: int) -> tuple[list[str], int]:
    """Read the row that begins at a position, quoted cells and others; return its end too."""
    cells = []
    while found := _CELL.match(text, at):  # always
        inside, plain = found.groups()
        cells.append(plain.strip() if inside is None else inside.replace('""', '"'))
        at = found.end() + 1
        if text[at - 1 : at] != "\t":
            break
    return cells, at - 1


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

TEXT_FORMS = ("csv", "tsv")
"""Forms of text, in which numbers, lists and truth values are written as text, and which may have an encoding."""

SIGNATURE = b"classy_aesop.signature"
"""The key of the signature in the metadata of Parquet."""

Placed = tuple[Where, list[Any]]
"""The place and the cells of a row."""


@dataclass(frozen=True)
class TableFile:
    """What a file of a table holds, or a table in memory; a row of JSON may lack some cells."""

    form: str
    header: Where
    columns: list[str]
    rows: list[Row]
    signature: str = ""

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What each column holds, where numbers may be written as text."""
        return kinds_of(self.rows, self.columns, written=True)

    @classmethod
    def from_memory(cls, rows: object) -> TableFile:
        """Give a table in memory."""
        every = list(rows_of(rows))
        return cls("frame", Where(), list(dict.fromkeys(name for _, row in every for name in row)), every)


def read_table_file(source: Source, form: str | None = None) -> TableFile:
    """Read a file of a table; ``form`` is a value of `SUFFIXES`, by default recognized."""
    return next(read_parts(source, form=form))


def read_parts(source: Source, n_rows: int | None = None, *, form: str | None = None) -> Iterator[TableFile]:
    """Read a file of a table part by part, as `read_table_file` reads it: each has so many rows, by default all.

    A workbook and a JSON document, which cannot be read in parts, are one.
    """
    form = form or form_of(source)
    if source.encoding is not None and form not in TEXT_FORMS:
        raise UsageError(f"{source.name}: --encoding is of a text table (CSV, TSV); found {form}")
    return _READERS[form](source, n_rows)


def form_of(source: Source) -> str:
    """Recognize the form of a file: a value of `SUFFIXES`."""
    form = SUFFIXES.get(source.suffix)
    if form not in (None, "tsv"):
        return form
    start = source.start()
    with source.stream() as stream:
        refuse_other_spreadsheet(start, stream, source.name)
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK"):
        return "xlsx"
    if start.startswith((b"{", b"[")):
        return "json"
    header = start.partition(b"\n")[0].decode(errors="replace")
    return "tsv" if "\t" in header or len(split_header(header)[1]) < 2 else "csv"


# --- text ---


def split_header(line: str, separators: str = ",;\t") -> tuple[str, list[str]]:
    """Give the separator that a header has most of, and its names; none if it is not whole."""
    found: dict[str, list[str]] = {}
    for separator in separators:
        with suppress(csv.Error):  # said where the cells are read
            found[separator] = next(csv.reader([line], delimiter=separator), [])
    best = max(separators, key=lambda one: len(found.get(one, ())))
    return best, [cell.strip() for cell in found.get(best, ())]


def csv_rows(source: Source, separator: str = "") -> Iterator[Placed]:
    """Give the rows of CSV that are not blank, each with the place where it begins.

    Without a ``separator`` it is the one that the first line has most of.
    """
    lines, name = (line for _, line in source.texts()), source.name
    limit = csv.field_size_limit(2**31 - 1)
    begun: list[str] = []
    while not (begun and begun[-1].strip()) and (line := next(lines, "")):
        begun.append(line)
    separator = separator or split_header(begun[-1] if begun else "")[0]
    begins, rows = 1, csv.reader(chain(begun, lines), delimiter=separator, strict=True)
    try:
        for cells in rows:
            if cells:
                yield Where(name, begins), cells
            begins = rows.line_num + 1
    except csv.Error as error:
        found = "a carriage return in a cell without quotes" if "new-line" in str(error) else error
        message = f"{found}; expected CSV, where a quotation mark in a quoted cell is doubled"
        raise InputError(message, path=name, line=begins) from None
    finally:
        csv.field_size_limit(limit)


def tab_rows(source: Source) -> Iterator[Placed]:
    """Give the rows of tab-separated values that are not blank, each with the place where it begins."""
    lines = (line for _, line in source.texts())

    def texts() -> Iterator[str]:
        """Give lines in pieces that have room for the longest quoted cell."""
        held: list[str] = []
        size = 0
        for line in lines:
            held.append(line)
            size += len(line)
            if size >= 2 * LONGEST_QUOTED:
                yield "".join(held)
                held, size = [], 0
        yield "".join(held)

    return ((Where(source.name, line), cells) for line, cells in tsv_rows("", texts()))


def _read_text(
    form: str, rows_in: Callable[[Source], Iterator[Placed]], source: Source, n_rows: int | None
) -> Iterator[TableFile]:
    """Name the cells of rows, of which the first is the header, in parts of so many rows; at least one part."""
    rows = rows_in(source)
    header = next(rows, (Where(source.name), []))
    for part in _parts(rows, n_rows):
        yield apply_header(form, header, part, source.name)


def _parts(rows: Iterable[T], n_rows: int | None) -> Iterator[list[T]]:
    """Divide rows into parts of so many, or give them all; at least one part, which may have none."""
    left = iter(rows)
    yield list(islice(left, n_rows))
    while n_rows and (part := list(islice(left, n_rows))):
        yield part


def apply_header(
    form: str, header: Placed, rows: Iterable[Placed], name: str, signature: str = ""
) -> TableFile:
    """Name the cells of rows by those of the header."""
    place, first = header
    if not any(map(_is_value, first)):
        raise InputError("no columns; expected a header with their names", path=name)
    names = [str(cell).strip() if _is_value(cell) else "" for cell in first]
    kept = [(where, cells) for where, cells in rows if any(map(_is_value, cells))]
    for where, cells in kept:
        if len(cells) != len(names):
            raise where.error(f"{len(cells)} columns; expected {len(names)} as in the header")
    while names[-1] == "" and not any(_is_value(cells[len(names) - 1]) for _, cells in kept):
        names.pop()
    check_names(names, place)
    return TableFile(form, place, names, [(at, dict(zip(names, row))) for at, row in kept], signature)  # noqa: B905


def _is_value(cell: object) -> bool:
    """Whether a cell holds anything."""
    return cell is not None and (not isinstance(cell, str) or bool(cell.strip()))


def check_names(names: Sequence[str], header: Where) -> None:
    """Refuse columns of one name."""
    if again := sorted(name for name, count in Counter(names).items() if count > 1):
        raise header.error(f"columns {listed(name or 'without a name' for name in again)} appear twice")


# --- Excel, by openpyxl (extra ``excel``) ---

MOST_UNPACKED = 2**31
"""Most bytes of an unpacked workbook."""

MOST_ROWS = 2**20
"""Most rows of a sheet."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet of a workbook, filled to one width, and the titles of the other sheets that are seen."""

    title: str
    rows: list[Placed]
    others: tuple[str, ...]
    signature: str


def _read_xlsx(source: Source, _: int | None) -> Iterator[TableFile]:
    """Read the first visible sheet that holds anything, from its first row; an empty cell is None."""
    sheet = read_sheet(source)
    if sheet.others:
        message = f"{source}: only the sheet {sheet.title} is read, not {listed(sheet.others)}"
        warn(message)
    header = sheet.rows[0] if sheet.rows else (Where(source.name), [])
    yield apply_header("xlsx", header, sheet.rows[1:], source.name, sheet.signature)


def read_sheet(source: Source) -> Sheet:
    """Read a sheet of a workbook: the one that the source names, or the first visible one that holds anything."""
    with source.stream() as stream:
        refuse_other_spreadsheet(source.start(), stream, source.name)
    try:
        import openpyxl
    except ModuleNotFoundError:
        message = "reading Excel needs openpyxl: pip install classy-aesop[excel], or save the sheet as CSV"
        raise InputError(message, path=source.name) from None
    open_reader = partial(openpyxl.reader.excel.ExcelReader, read_only=True)
    try:
        with source.stream() as stream:
            has_formulas = _check_archive(stream, source.name)
            book, charts = _sheets_of_cells(open_reader(stream, data_only=True))
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            if not book.worksheets:
                found = f"only the chart sheets {listed(charts)}" if charts else "no sheet"
                raise InputError(f"{found}; expected a sheet with cells", path=source.name)
            if source.sheet is not None and source.sheet not in book.sheetnames:
                lacking = (
                    f"{source.sheet!r} is a chart sheet"
                    if source.sheet in charts
                    else f"no sheet {source.sheet!r}"
                )
                raise UsageError(f"{source}: {lacking}; found {listed(book.sheetnames, most=20)}")
            chosen = [book[source.sheet]] if source.sheet is not None else visible or book.worksheets
            for sheet in chosen:
                sheet.reset_dimensions()  # what a file says of its size may be wrong
                with sheet._get_source() as xml:
                    structure = check_structure(xml, source.name)
                if has_formulas:
                    stream.seek(0)
                    written = _sheets_of_cells(open_reader(stream))[0][sheet.title]
                    written.reset_dimensions()
                    _check_formulas(sheet.iter_rows(), written.iter_rows(), source.name)
                rows = list(_filled(sheet.iter_rows(values_only=True), source.name))
                if rows:
                    break
            width = max((len(row) for _, row in rows), default=0)
            even = [(where, row + [None] * (width - len(row))) for where, row in rows]
    except (InputError, UsageError, MemoryError):
        raise
    except Exception as error:  # a damaged file makes openpyxl and its parsers raise nearly anything
        found = str(error).partition("\n")[0]
        raise InputError(f"not a whole workbook of Excel ({found})", path=source.name) from None
    structure.warn_of_hidden(
        source.name,
        sheet.title,
        rows={where.line for where, _ in rows if where.line is not None},
        columns={number for _, row in rows for number, cell in enumerate(row, 1) if _is_value(cell)},
    )
    others = (
        () if source.sheet is not None else tuple(one.title for one in book.worksheets if one is not sheet)
    )
    return Sheet(sheet.title, even, others, str(book.properties.description or ""))


def _sheets_of_cells(reader: Any) -> tuple[Any, list[str]]:
    """Read a workbook without its chart sheets, whose drawings are not looked at; give the names of these too."""
    charts: list[str] = []
    reader.read_chartsheet = lambda sheet, _: charts.append(sheet.name)
    reader.read()
    return reader.wb, charts


def _filled(rows: Iterable[Sequence[Any]], name: str) -> Iterator[Placed]:
    """Give the rows that are not empty up to their last value; what a file says of their number may be wrong."""
    for at, cells in enumerate(rows, 1):
        if at > MOST_ROWS:
            raise InputError(f"more than {MOST_ROWS:,} rows; expected a workbook of Excel", path=name)
        row = [None if value == "" else _plain(value) for value in cells]
        while row and row[-1] is None:
            row.pop()
        if any(map(_is_value, row)):
            yield Where(name, at, "row"), row


def _check_formulas(stored: Iterable[Sequence[Any]], written: Iterable[Sequence[Any]], name: str) -> None:
    """Refuse a formula without a stored value, which would count as missing; the value may be an empty text."""
    for values, cells in zip(stored, written, strict=True):
        for value, cell in zip(values, cells, strict=True):
            if cell.data_type == "f" and value.value is None and value.data_type != "str":
                formula = format_value(getattr(cell.value, "text", cell.value))
                found = f"cell {cell.coordinate} holds the formula {formula} and no value"
                raise InputError(f"{found}; expected a workbook saved by a spreadsheet program", path=name)


def _plain(value: Any) -> Any:
    """Give a time as text, and a day as CSV has it."""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    return str(value) if isinstance(value, _TIMES) else value


_TIMES = (datetime.date, datetime.time, datetime.timedelta)


def _check_archive(stream: BinaryIO, name: str) -> bool:
    """Refuse what is no archive, what would unpack to more than memory holds, and XML that defines entities.

    Give whether the workbook may have formulas.
    """
    has_formulas = False
    with zipfile.ZipFile(stream) as archive:
        refuse_other_archive(archive, name)
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        if size > MOST_UNPACKED:
            raise InputError(f"unpacks to {size} bytes; expected {MOST_UNPACKED} at most", path=name)
        for part in parts:
            with archive.open(part) as opened:
                piece = opened.read(4096)
                if b"<!DOCTYPE" in piece:
                    raise InputError(f"{part.filename} defines its own XML; expected a workbook", path=name)
                while piece and not has_formulas:
                    has_formulas = re.search(rb"[<:]f[\s/>]", piece) is not None
                    piece = piece[-2:] + more if (more := opened.read(2**20)) else b""
    stream.seek(0)
    return has_formulas


# --- Parquet, by pyarrow (extra ``parquet``) ---


@contextmanager
def opened_parquet(source: Source) -> Iterator[ParquetFile]:
    """Open a Parquet file, which is refused if it is damaged: that may ask for more memory than there is, too."""
    try:
        from pyarrow import ArrowException, ArrowMemoryError
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError:
        message = "reading Parquet needs pyarrow: pip install classy-aesop[parquet]"
        raise InputError(message, path=source.name) from None
    try:
        with refuse_damaged(source.name), source.stream() as stream:
            yield ParquetFile(stream, pre_buffer=False)
    except InputError:
        raise
    except ArrowMemoryError as error:
        raise MemoryError(f"{source}: {error}") from None
    except UnicodeDecodeError as error:
        byte = f"byte 0x{error.object[error.start]:02x} at position {error.start + 1} of a text"
        raise InputError(f"{byte} is not UTF-8", path=source.name) from None
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk's, not the file's
            raise
        raise InputError(f"not a whole Parquet file ({error})", path=source.name) from None


def unpacked_size(source: Source) -> int:
    """Estimate the bytes of all rows of a Parquet file, which holds equal texts once, from its first rows."""
    with opened_parquet(source) as file:
        first = next(file.iter_batches(2**10, use_threads=False), None)
        return int(first.nbytes / first.num_rows * file.metadata.num_rows) if first else 0


def _read_parquet(source: Source, n_rows: int | None) -> Iterator[TableFile]:
    """Read rows; a missing value is None."""
    with opened_parquet(source) as file:
        names = list(file.schema_arrow.names)
        check_names(names, Where(source.name))
        signature = (file.schema_arrow.metadata or {}).get(SIGNATURE, b"").decode()
        batches = file.iter_batches(n_rows or 2**16, use_threads=False)
        rows = (
            (Where(source.name, at, "row"), {name: _plain(value) for name, value in row.items()})
            for at, row in enumerate((row for batch in batches for row in batch.to_pylist()), 1)
        )
        from pyarrow import default_memory_pool

        for part in _parts(rows, n_rows):
            yield TableFile("parquet", Where(source.name), names, part, signature)
            default_memory_pool().release_unused()  # it would keep what it had at once


# --- JSON ---

_LISTS = ("rows", "data", "examples", "instances", "records", "summaries")


def _read_json(source: Source, n_rows: int | None) -> Iterator[TableFile]:
    """Read a JSON document, or JSON lines."""
    lines = iter(source.lines())
    opening = next((line for _, line in lines if not line.isspace()), b"")
    if opening.lstrip().startswith(b"{") and opening.rstrip().endswith(b"}") and any(lines):
        yield from _read_jsonl(source, n_rows)
        return
    document = parse_json(source.text(), Where(source.name), "a list of objects, or one object a line")
    signature = str(document.get("signature") or "") if isinstance(document, dict) else ""
    rows = [(Where(source.name, at, "row"), row) for at, row in enumerate(_listed(document, source), 1)]
    yield _of_objects("json", rows, source, signature)


def _read_jsonl(source: Source, n_rows: int | None) -> Iterator[TableFile]:
    for part in _parts(json_lines(source), n_rows):
        yield _of_objects("jsonl", part, source)


def _of_objects(form: str, rows: list[Row], source: Source, signature: str = "") -> TableFile:
    columns = list(dict.fromkeys(name for _, row in rows for name in row))
    return TableFile(form, Where(source.name), columns, rows, signature)


def _listed(document: Any, source: Source) -> list[dict[str, Any]]:
    """Give the rows in a document, or those of its columns."""
    if isinstance(document, dict):
        lists = [document[name] for name in _LISTS if _is_table(document.get(name))]
        columns = document.values()
        if len(lists) == 1:
            return lists[0]  # type: ignore[no-any-return]
        if len(document) < 2 or not all(isinstance(column, list) for column in columns):
            return [document]
        check_lengths(document, source.name)
        return [dict(zip(document, row, strict=True)) for row in zip(*columns, strict=True)]
    if not _is_table(document):
        raise InputError(f"found {format_value(document)}; expected a list of objects", path=source.name)
    return document  # type: ignore[no-any-return]


def _is_table(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


_READERS: dict[str, Callable[[Source, int | None], Iterator[TableFile]]] = {
    "csv": partial(_read_text, "csv", csv_rows),
    "tsv": partial(_read_text, "tsv", tab_rows),
    "jsonl": _read_jsonl,
    "json": _read_json,
    "parquet": _read_parquet,
    "xlsx": _read_xlsx,
}
