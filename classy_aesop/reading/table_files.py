"""Files of tables, one reader each for summaries, scores and results: CSV, TSV, Excel, Parquet, JSON and JSON lines.

The ending of a name says what a file is, or else its first bytes do. A text table has a header; its cells are separated
by tabs, commas or semicolons, whichever the header has most of. JSON is a list of objects, an object with such a list
(``rows``, ``data``, ...) or with a list a column, or one object a line. Rows without any value are left out, and so are
columns at the end that have neither a name nor a value: a spreadsheet writes them where it was once touched.

In tab-separated values, which this package writes too, a cell that holds a tab, a line break or a quotation mark is in
quotation marks, and those inside it are doubled (RFC 4180). When reading, only a cell that is quoted from end to end
counts as quoted. Any other cell is taken as it is, without the spaces around it,
since many programs write no quotes.
"""

from __future__ import annotations

import csv
import datetime
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from classy_aesop.data.cells import Row, format_value
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.reading.byte_sources import Source, refuse_damaged
from classy_aesop.reading.memory_tables import cells_of, check_lengths, records_of_pandas
from classy_aesop.reading.summary_rows import json_lines, parse_json
from classy_aesop.reading.workbook_checks import (
    SheetStructure,
    check_structure,
    describe_uncomputed,
    refuse_other_archive,
    refuse_other_spreadsheet,
)
from classy_aesop.work.kept_files import read_once

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

T = TypeVar("T")

MAX_QUOTED_CHARACTERS = 2**22
"""Maximum characters of a row of several lines in tab-separated values that are read part by part."""

_CELL = re.compile(r'[^\S\t\n]*+"((?:[^"]++|"")*+)"[^\S\t\n]*+(?=[\t\n]|\Z)|([^\t\n]*)')
"""A cell of tab-separated values: quoted, or as it is."""


def tsv_rows(pieces: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Give the line on which each row begins, and its cells; blank lines are skipped.

    A quoted cell may hold line breaks, unless its row would then have more or fewer cells than the first, or each of
    its lines is a row by itself: then quotation marks are part of a text. The text comes in pieces, of which each but
    the last is twice as long as any row of several lines may be.
    """
    remaining = iter(pieces)
    text = ""
    start = 0
    line = 1
    n_columns = 0
    while True:
        if len(text) - start < MAX_QUOTED_CHARACTERS and (piece := next(remaining, "")):
            text = text[start:] + piece
            start = 0
        if start >= len(text):
            return
        line_break = text.find("\n", start)
        end_of_line = line_break if line_break >= 0 else len(text)
        end = end_of_line
        first_line = text[start:end_of_line]
        cells = [cell.strip() for cell in first_line.split("\t")]
        if '"' in first_line:
            unquoted, stop = _read_quoted_row(text, start)
            inner_lines = text[start:stop].split("\n")
            are_rows = n_columns > 1 and all(line.count("\t") == n_columns - 1 for line in inner_lines)
            if stop == end_of_line or (n_columns in (0, len(unquoted)) and not are_rows):
                cells = unquoted
                end = stop
        if text[start:end].strip():
            n_columns = n_columns or len(cells)
            yield line, cells
        line += text.count("\n", start, end) + 1
        start = end + 1


def _read_quoted_row(text: str, start: int) -> tuple[list[str], int]:
    """Read the row that begins at a position, quoted cells and others; return its end too."""
    cells = []
    while match := _CELL.match(text, start):  # always
        inside, unquoted = match.groups()
        cells.append(unquoted.strip() if inside is None else inside.replace('""', '"'))
        start = match.end() + 1
        if text[start - 1 : start] != "\t":
            break
    return cells, start - 1


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
PlacedLine = tuple[Where, str]
"""The place and the text of a line."""


@dataclass(frozen=True)
class TableFile:
    """What a file of a table holds, or a table in memory; a row of JSON may lack some cells."""

    form: str
    header: Where
    columns: list[str]
    rows: list[Row]
    signature: str = ""

    @classmethod
    def from_memory(cls, rows: object) -> TableFile:
        """Give a table in memory."""
        cells = cells_of(rows)
        placed_rows: list[Row] = [
            (Where(line=number), dict(zip(cells, row, strict=True)))
            for number, row in enumerate(zip(*cells.values(), strict=True), 1)
        ]
        return cls("frame", Where(), [*cells], placed_rows)


def read_table_file(source: Source) -> TableFile:
    """Read a file of a table."""
    return next(read_parts(source))


def read_parts(source: Source, n_rows: int | None = None) -> Iterator[TableFile]:
    """Read a file of a table part by part, as `read_table_file` reads it.

    Notes
    -----
    A workbook and a JSON document, which cannot be read in parts, are one.
    """
    form = form_of(source)
    if source.encoding is not None and form not in TEXT_FORMS:
        raise UsageError(f"{source.name}: --encoding is for text tables (CSV, TSV); found {form}")
    return _READERS[form](source, n_rows)


def form_of(source: Source) -> str:
    """Recognize the form of a file, a value of `SUFFIXES`; a sheet is of a workbook."""
    form = SUFFIXES.get(source.suffix)
    if form in (None, "tsv"):
        form = _recognize_form(source)
    if source.sheet is not None and form != "xlsx":
        raise UsageError(f"{source}: --sheet is given; expected a workbook of Excel")
    return form


def _recognize_form(source: Source) -> str:
    """Recognize the form of a file by its first bytes."""
    start = source.start()
    refuse_other_spreadsheet(start, source.name)
    if start.startswith(b"SQLite format 3"):
        raise InputError("a database of SQLite; expected a table of it, saved as CSV", path=source.name)
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK"):
        return "xlsx"
    if start.startswith((b"{", b"[")):
        return "json"
    header = start.partition(b"\n")[0].decode(errors="replace")
    return "tsv" if "\t" in header or not re.search("[,;|]", header) else "csv"


# --- text ---


QUOTED_NAMES = re.compile(r'"[^"]*"([\t,;|])"[^"]*"(?:\1"[^"]*")*')
"""A header whose names are all in quotation marks; the cells below may be of several lines."""
MIN_FRAMED_LINES = 3
"""Lines that begin with a bar, which are a table of Markdown, also below other text."""


def find_separator(lines: Sequence[str]) -> str:
    """Find what separates cells: what stands between quoted names, else what most lines have equally many of."""
    if not lines:
        return ","
    if quoted := QUOTED_NAMES.fullmatch(lines[0].strip()):
        return quoted[1]
    best = ("", 0)
    if sum(line.strip().startswith("|") for line in lines) >= MIN_FRAMED_LINES:
        return "|"
    for separator in "\t,;|":
        counts = Counter(_count_cells(line, separator) - 1 for line in lines)
        [(n_separators, n_lines)] = counts.most_common(1)
        score = n_lines * min(n_separators, 3)
        if score > best[1] and any(separator in line for line in lines[:2]):
            best = (separator, score)
    widths = {len(line.split()) for line in lines}
    is_of_tabs = best[0] == "\t" and len({_count_cells(line, "\t") for line in lines}) == 1
    is_of_blanks = len(widths) == 1 and widths != {1} and not is_of_tabs  # which may be tabs, too
    return " " if is_of_blanks and best[0] in ("", "\t") else best[0] or ","


def _count_cells(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator), [""]))
    except csv.Error:  # said by who reads the cells
        return 1


def csv_rows(placed_lines: Iterable[PlacedLine], name: str, separator: str = "") -> Iterator[Placed]:
    """Give the rows of CSV that are not blank, each with the place where it begins.

    Without a ``separator`` it is the one that the first line has most of.
    """
    lines = (line for _, line in placed_lines)
    limit = csv.field_size_limit(2**31 - 1)
    first_lines: list[str] = []
    while not (first_lines and first_lines[-1].strip()) and (line := next(lines, "")):
        first_lines.append(line)
    separator = separator or find_separator(first_lines[-1:]).replace(" ", ",")
    rows = csv.reader(chain(first_lines, lines), delimiter=separator, strict=True)
    first_line = 1  # of the row
    try:
        for cells in rows:
            if cells:
                yield Where(name, first_line), cells
            first_line = rows.line_num + 1
    except csv.Error as error:
        reason = "a carriage return in a cell without quotes" if "new-line" in str(error) else error
        message = f"{reason}; expected CSV, where a quotation mark in a quoted cell is doubled"
        raise InputError(message, path=name, line=first_line) from None
    finally:
        csv.field_size_limit(limit)


def tab_rows(placed_lines: Iterable[PlacedLine], name: str) -> Iterator[Placed]:
    """Give the rows of tab-separated values that are not blank, each with the place where it begins."""
    lines = (line for _, line in placed_lines)

    def texts() -> Iterator[str]:
        """Give lines in pieces that have room for the longest quoted cell."""
        piece: list[str] = []
        n_characters = 0
        for line in lines:
            piece.append(line)
            n_characters += len(line)
            if n_characters >= 2 * MAX_QUOTED_CHARACTERS:
                yield "".join(piece)
                piece = []
                n_characters = 0
        yield "".join(piece)

    return ((Where(name, line), cells) for line, cells in tsv_rows(texts()))


def _read_text(
    form: str,
    rows_in: Callable[[Iterable[PlacedLine], str], Iterator[Placed]],
    source: Source,
    n_rows: int | None,
) -> Iterator[TableFile]:
    """Name the cells of rows, of which the first is the header, in parts of so many rows; at least one part."""
    rows = rows_in(source.texts(), source.name)
    header = next(rows, (Where(source.name), []))
    for part in _batches_of_rows(rows, n_rows):
        yield apply_header(form, header, part)


def _batches_of_rows(rows: Iterator[T], n_rows: int | None) -> Iterator[list[T]]:
    """Divide rows into parts of so many, or give them all; at least one part, which may have none."""
    yield list(islice(rows, n_rows))
    while n_rows and (part := list(islice(rows, n_rows))):
        yield part


def apply_header(form: str, header: Placed, rows: Iterable[Placed], signature: str = "") -> TableFile:
    """Name the cells of rows by those of the header; rows without a value are left out, as by `match_header`."""
    names, filled = match_header(header, rows)
    records: list[Row] = [(where, dict(zip(names, cells))) for where, cells in filled]  # noqa: B905
    return TableFile(form, header[0], names, records, signature)


def match_header(header: Placed, rows: Iterable[Placed]) -> tuple[list[str], list[Placed]]:
    """Give the names in a header, and the rows below it that have a value."""
    place, first_row = header
    if not any(map(is_filled, first_row)):
        raise InputError("no columns; expected a header with their names", path=place.path)
    names = [str(cell).strip() if is_filled(cell) else "" for cell in first_row]
    filled = [(where, cells) for where, cells in rows if any(map(is_filled, cells))]
    for where, cells in filled:
        if len(cells) != len(names):
            raise where.error(f"{len(cells)} columns; expected {len(names)} as in the header")
    while names[-1] == "" and not any(is_filled(cells[len(names) - 1]) for _, cells in filled):
        names.pop()
    check_names(names, place)
    return names, filled


def is_filled(cell: object) -> bool:
    """Whether a cell holds anything."""
    return cell is not None and bool(str(cell).strip())


def check_names(names: Sequence[str], header: Where) -> None:
    """Refuse columns of one name."""
    if repeated := sorted(name for name, count in Counter(names).items() if count > 1):
        raise header.error(
            f"columns {join_names(name or 'without a name' for name in repeated)} appear twice"
        )


# --- Excel, by openpyxl (extra ``excel``) ---

MAX_UNPACKED_BYTES = 2**31
"""Maximum bytes of an unpacked workbook."""

MAX_ROWS = 2**20
"""Maximum number of rows of a sheet."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet of a workbook, filled to one width, and the titles of the other sheets, and of those seen."""

    title: str
    rows: list[Placed]
    unread_sheets: tuple[str, ...]
    visible_sheets: tuple[str, ...]
    signature: str
    structure: SheetStructure

    def warn_of_hidden(self, source: Source) -> None:
        """Warn of what is hidden in it, of the workbook that is read."""
        self.structure.warn_of_hidden(
            f"{source}: hidden in the sheet {self.title}",
            {where.line for where, _ in self.rows},
            {number for _, row in self.rows for number, cell in enumerate(row, 1) if is_filled(cell)},
        )


def _read_xlsx(source: Source, _: int | None) -> Iterator[TableFile]:
    """Read the first visible sheet that holds anything, from its first row; an empty cell is None."""
    sheet = read_sheet(source)
    sheet.warn_of_hidden(source)
    if sheet.unread_sheets:
        unread = join_names(sheet.unread_sheets)
        warn(f"{source}: only the sheet {sheet.title} is read, not {unread}")
    for note in describe_uncomputed([cell for _, cell in sheet.structure.uncomputed]):
        warn(f"{source}: {note}")
    header = sheet.rows[0] if sheet.rows else (Where(source.name), [])
    yield apply_header("xlsx", header, sheet.rows[1:], sheet.signature)


def read_sheet(source: Source) -> Sheet:
    """Read a sheet of a workbook: the one that the source names, or the first visible one with several columns."""
    refuse_other_spreadsheet(source.start(), source.name)
    return read_once(("sheet", source), partial(_read_sheet, source), is_small=bool)


def _read_sheet(source: Source) -> Sheet:
    """Read the sheet, which a command looks at several times."""
    try:
        import openpyxl
    except ModuleNotFoundError:
        message = "reading Excel needs openpyxl: pip install openpyxl, or save the sheet as CSV"
        raise InputError(message, path=source.name) from None
    try:
        with source.stream() as stream:
            _check_archive(stream, source.name)
            reader: Any = openpyxl.reader.excel.ExcelReader(stream, read_only=True, data_only=True)
            reader.read_chartsheet = lambda *_: None  # its drawings are not looked at
            reader.read()
            book = reader.wb
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            if not book.worksheets:
                raise InputError("no sheet with cells; expected one", path=source.name)
            if source.sheet is not None and source.sheet not in book.sheetnames:
                names = join_names(book.sheetnames, limit=20)
                raise UsageError(f"{source}: no sheet {source.sheet!r} with cells; found {names}")
            chosen = [book[source.sheet]] if source.sheet is not None else visible or book.worksheets
            for sheet in chosen:
                sheet.reset_dimensions()  # what a file says of its size may be wrong
                with sheet._get_source() as xml:
                    structure = check_structure(xml, source.name)
                rows = list(
                    _filled_rows(([*map(_show_share, row)] for row in sheet.iter_rows()), source.name)
                )
                if any(len(row) > 1 for _, row in rows):  # instructions fill one cell of a row
                    break
            width = max((len(row) for _, row in rows), default=0)
            even = [(where, row + [None] * (width - len(row))) for where, row in rows]
            structure.repeat_merged({where.line: row for where, row in even})
    except (InputError, UsageError, MemoryError):
        raise
    except Exception as error:  # a damaged file makes openpyxl and its parsers raise nearly anything
        reason = str(error).partition("\n")[0]
        raise InputError(f"not a whole workbook of Excel ({reason})", path=source.name) from None
    other_sheets = [other for other in book.worksheets if source.sheet is None and other is not sheet]
    unread = tuple(other.title for other in other_sheets)
    seen = tuple(other.title for other in other_sheets if other in visible)
    return Sheet(sheet.title, even, unread, seen, str(book.properties.description or ""), structure)


def _show_share(cell: Any) -> Any:
    """Give the value of a cell, a share of 100 as it is shown and as CSV has it."""
    is_share = isinstance(cell.value, int | float) and "%" in cell.number_format
    return f"{100 * cell.value:.15g}%" if is_share else cell.value


def _filled_rows(rows: Iterable[Sequence[Any]], name: str) -> Iterator[Placed]:
    """Give the rows that are not empty up to their last value; what a file says of their number may be wrong."""
    for number, cells in enumerate(rows, 1):
        if number > MAX_ROWS:
            raise InputError(f"more than {MAX_ROWS:,} rows; expected a workbook of Excel", path=name)
        row = [_format_time(value) if is_filled(value) else None for value in cells]
        while row and row[-1] is None:
            row.pop()
        if row:
            yield Where(name, number, "row"), row


def _format_time(value: Any) -> Any:
    """Give a time as text, and a day as CSV has it."""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    is_time = isinstance(value, datetime.date | datetime.time | datetime.timedelta)
    return str(value) if is_time else value


def _check_archive(stream: BinaryIO, name: str) -> None:
    """Refuse what is no archive, what would unpack to more than memory holds, and XML that defines entities."""
    with zipfile.ZipFile(stream) as archive:
        refuse_other_archive(archive, name)
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        if size > MAX_UNPACKED_BYTES:
            raise InputError(f"unpacks to {size} bytes; expected {MAX_UNPACKED_BYTES} at most", path=name)
        for part in parts:
            with archive.open(part) as opened:
                if b"<!DOCTYPE" in opened.read(4096):
                    raise InputError(f"{part.filename} defines its own XML; expected a workbook", path=name)
    stream.seek(0)


# --- Parquet, by pyarrow (extra ``parquet``) ---


@contextmanager
def open_parquet(source: Source) -> Iterator[ParquetFile]:
    """Open a Parquet file, which is refused if it is damaged: that may ask for more memory than there is, too."""
    try:
        from pyarrow import ArrowException, ArrowMemoryError
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError:
        message = "reading Parquet needs pyarrow: pip install pyarrow"
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
    with open_parquet(source) as file:
        first = next(file.iter_batches(2**10, use_threads=False), None)
        return int(first.nbytes / first.num_rows * file.metadata.num_rows) if first else 0


def _read_parquet(source: Source, n_rows: int | None) -> Iterator[TableFile]:
    """Read rows; a missing value is None."""
    with open_parquet(source) as file:
        names = list(file.schema_arrow.names)
        check_names(names, Where(source.name))
        signature = (file.schema_arrow.metadata or {}).get(SIGNATURE, b"").decode()
        batches = file.iter_batches(n_rows or 2**16, use_threads=False)
        rows: Iterator[Row] = (
            (Where(source.name, number, "row"), {name: _format_time(value) for name, value in row.items()})
            for number, row in enumerate((row for batch in batches for row in batch.to_pylist()), 1)
        )
        from pyarrow import default_memory_pool

        for part in _batches_of_rows(rows, n_rows):
            yield TableFile("parquet", Where(source.name), names, part, signature)
            default_memory_pool().release_unused()  # it would keep what it had at once


# --- JSON ---


_LISTS = ("rows", "data", "examples", "instances", "records", "summaries")


def holds_json_lines(source: Source) -> bool:
    """Whether the first line of a file of JSON is a whole object, and others follow."""
    lines = iter(source.lines())
    opening = next((line for _, line in lines if not line.isspace()), b"").strip()
    return opening.startswith(b"{") and opening.endswith(b"}") and any(lines)


def _read_json(source: Source, n_rows: int | None) -> Iterator[TableFile]:
    """Read a JSON document, or JSON lines."""
    if holds_json_lines(source):
        yield from _read_jsonl(source, n_rows)
        return
    document = parse_json(source.text(), Where(source.name), "a list of objects, or one object a line")
    signature = str(document.get("signature") or "") if isinstance(document, dict) else ""
    objects = enumerate(_find_objects(document, source), 1)
    rows: list[Row] = [(Where(source.name, number, "row"), row) for number, row in objects]
    yield _make_object_table("json", rows, source, signature)


def _read_jsonl(source: Source, n_rows: int | None) -> Iterator[TableFile]:
    for part in _batches_of_rows(json_lines(source), n_rows):
        yield _make_object_table("jsonl", part, source)


def _make_object_table(form: str, rows: list[Row], source: Source, signature: str = "") -> TableFile:
    columns = list(dict.fromkeys(name for _, row in rows for name in row))
    return TableFile(form, Where(source.name), columns, rows, signature)


def _find_objects(document: Any, source: Source) -> list[dict[str, object]]:
    """Give the rows in a document, or those of its columns."""
    if rows := records_of_pandas(document):
        return rows
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
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


_READERS: dict[str, Callable[[Source, int | None], Iterator[TableFile]]] = {
    "csv": partial(_read_text, "csv", csv_rows),
    "tsv": partial(_read_text, "tsv", tab_rows),
    "jsonl": _read_jsonl,
    "json": _read_json,
    "parquet": _read_parquet,
    "xlsx": _read_xlsx,
}
