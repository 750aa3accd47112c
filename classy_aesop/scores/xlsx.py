"""Workbooks of Excel, read by openpyxl (extra ``excel``): the first sheet, with a header."""

from __future__ import annotations

import datetime
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.scores.delimited import Placed
from classy_aesop.scores.rows import Where

if TYPE_CHECKING:
    from openpyxl import Workbook

MOST_UNPACKED = 2**31
"""Most bytes of an unpacked workbook."""

MOST_ROWS = 2**20
"""Most rows of a sheet."""


def xlsx_rows(stream: BinaryIO, path: str | Path) -> Iterator[Placed]:
    """Give the rows of the first sheet from the first that is not empty, with their places; an empty cell is None.

    Raises
    ------
    InputError
        The file is no whole workbook, or openpyxl is not installed.

    Warns
    -----
    DataWarning
        There are several sheets.
    """
    book, rows = read_workbook(stream, path)
    first, *others = book.worksheets
    if others:
        names = listed(sheet.title for sheet in others)
        warnings.warn(f"{path}: only the sheet {first.title} is read, not {names}", DataWarning, stacklevel=3)
    width = max((len(row) for _, row in rows), default=0)
    return ((where, row + [None] * (width - len(row))) for where, row in rows)


def read_workbook(stream: BinaryIO, path: str | Path) -> tuple[Workbook, list[Placed]]:
    """Open a workbook; give it, and the rows of its first sheet that are not empty, each up to its last value.

    Raises
    ------
    InputError
        The file is no whole workbook, or openpyxl is not installed.
    """
    try:
        import openpyxl
    except ModuleNotFoundError:
        message = "reading Excel needs openpyxl: pip install classy-aesop[excel], or save the sheet as CSV"
        raise InputError(message, path=path) from None
    try:
        _check(stream, path)
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        first = book.worksheets[0]
        first.reset_dimensions()  # what a file says of its size may be wrong
        return book, list(_filled(first.iter_rows(values_only=True), path))
    except (InputError, MemoryError):
        raise
    except Exception as error:  # a damaged file makes openpyxl and its parsers raise nearly anything
        found = str(error).partition("\n")[0]
        raise InputError(f"not a whole workbook of Excel ({found})", path=path) from None


def _filled(rows: Iterable[Sequence[Any]], path: str | Path) -> Iterator[Placed]:
    """Give the rows that are not empty up to their last value; what a file says of their number may be wrong."""
    for at, cells in enumerate(rows, 1):
        if at > MOST_ROWS:
            raise InputError(f"more than {MOST_ROWS:,} rows; expected a workbook of Excel", path=path)
        row = [_plain(value) for value in cells]
        while row and row[-1] is None:
            row.pop()
        if row:
            yield Where(f"{path}, row {at}"), row


def _plain(value: Any) -> Any:
    """Give a day as text, an empty text as nothing."""
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return str(value)
    return None if value == "" else value


def _check(stream: BinaryIO, path: str | Path) -> None:
    """Refuse what is no archive, what would unpack to more than memory holds, and XML that defines entities."""
    with zipfile.ZipFile(stream) as archive:
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        if size > MOST_UNPACKED:
            raise InputError(f"unpacks to {size} bytes; expected {MOST_UNPACKED} at most", path=path)
        for part in parts:
            with archive.open(part) as opened:
                if b"<!DOCTYPE" in opened.read(4096):
                    raise InputError(f"{part.filename} defines its own XML; expected a workbook", path=path)
    stream.seek(0)
