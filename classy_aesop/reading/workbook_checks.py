"""What openpyxl reads without a word or refuses without a reason: other spreadsheets, disordered cells, hidden rows.

Its read-only mode skips a row whose number is not above that of the row before, and keeps the last of two cells with
one reference. Excel never writes these (ECMA-376, part 1, sections 18.3.1.4 and 18.3.1.73); programs that assemble the
XML by hand do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.parsers import expat
from zipfile import ZipFile

from classy_aesop.errors import InputError, join_names, warn

COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files in Microsoft's compound file format begin: workbooks of Excel 97 to 2003, and encrypted ones."""

_MARKUP = re.compile(
    rb"(<\?xml\b.*?>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|table|meta|\?mso|\w+:?Workbook)\b",
    re.I | re.S,
)
"""The beginning of a web page or of Excel's XML of 2003, which some programs name ``.xls``."""

_PIECE = 2**20

SAVE_AS = "open it in a spreadsheet program and save it as .xlsx or CSV"


def refuse_other_spreadsheet(start: bytes, stream: BinaryIO, name: str) -> None:
    """Refuse a spreadsheet in a format that is not read, and say how it becomes one that is."""
    if start.startswith(COMPOUND_FILE):
        raise InputError(_describe_compound_file(stream), path=name)
    if _MARKUP.match(start):
        content = "a web page or XML, as some programs write it under the name of a workbook"
        raise InputError(f"{content}; expected .xlsx or CSV: {SAVE_AS}", path=name)


def _describe_compound_file(stream: BinaryIO) -> str:
    """Say what a compound file is, by the names of the streams in its directory, which may stand anywhere."""
    names = {part: part.encode("utf-16-le") for part in ("EncryptedPackage", "Workbook", "Book")}
    found_parts: set[str] = set()
    overlap = b""
    while piece := stream.read(_PIECE):
        searched = overlap + piece
        found_parts |= {part for part, written in names.items() if written in searched}
        overlap = searched[-64:]
    if "EncryptedPackage" in found_parts:
        return (
            "a workbook that is protected by a password; expected one that is not: open it in Excel, remove the "
            "password (File, Info, Protect Workbook) and save it, or save the sheet as CSV"
        )
    if found_parts:
        return f"a workbook of Excel 97 to 2003 (.xls); expected .xlsx or CSV: {SAVE_AS}"
    return f"a file of Microsoft Office before 2007; expected .xlsx or CSV: {SAVE_AS}"


def refuse_other_archive(archive: ZipFile, name: str) -> None:
    """Refuse spreadsheets of other programs, which are archives as those of Excel are."""
    parts = set(archive.namelist())
    formats = {
        "xl/workbook.bin": "a binary workbook of Excel (.xlsb)",
        "Index/Document.iwa": "a spreadsheet of Numbers",
        "content.xml": "an OpenDocument spreadsheet (.ods)",
    }
    for part, format in formats.items():
        if part in parts and "xl/workbook.xml" not in parts:
            raise InputError(f"{format}; expected .xlsx or CSV: {SAVE_AS}", path=name)


@dataclass
class SheetStructure:
    """Numbers of the rows and columns of a sheet that are hidden, from 1; a range of columns as it is written.

    ``merged`` are cells that are merged over several rows: their column, the first and the last row.
    """

    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    merged: list[tuple[int, int, int]] = field(default_factory=list)

    def repeat_merged(self, rows: Mapping[int, list[object]]) -> None:
        """Repeat the value of a cell that is merged over several rows in each of them; rows by their number."""
        last_row = max(rows, default=0)
        for column, first, last in self.merged:
            cells = rows.get(first, [])
            for row in range(first + 1, min(last, last_row) + 1) if column <= len(cells) else ():
                if row in rows and not rows[row][column - 1]:
                    rows[row][column - 1] = cells[column - 1]

    def warn_of_hidden(self, name: str, title: str, rows: Collection[int], columns: Collection[int]) -> None:
        """Warn of hidden rows and columns among those that hold something; they are read like the others."""
        hidden_rows = sorted(self.hidden_rows & set(rows))
        hidden_columns = [
            column
            for column in sorted(columns)
            if any(first <= column <= last for first, last in self.hidden_columns)
        ]
        hidden = []
        if hidden_rows:
            hidden.append(f"{'row' if len(hidden_rows) == 1 else 'rows'} {join_names(hidden_rows)}")
        if hidden_columns:
            letters = join_names(map(column_letters, hidden_columns))
            hidden.append(f"{'column' if len(hidden_columns) == 1 else 'columns'} {letters}")
        if hidden:
            verb = "is" if len(hidden_rows) + len(hidden_columns) == 1 else "are"
            warn(
                f"{name}: {' and '.join(hidden)} of the sheet {title} {verb} hidden in the workbook, and read like the "
                "others; delete there what must not count"
            )


def check_structure(stream: BinaryIO, name: str) -> SheetStructure:
    """Read the XML of a sheet, and refuse rows and cells that are out of order or given twice."""
    parser = expat.ParserCreate(namespace_separator=" ")
    scan = _SheetScan(name)
    parser.StartElementHandler = scan.start_element
    parser.ParseFile(stream)
    return scan.structure


@dataclass
class _SheetScan:
    """The row and the column that the XML has come to; 0 before the first."""

    name: str
    structure: SheetStructure = field(default_factory=SheetStructure)
    row: int = 0
    column: int = 0

    def start_element(self, tag: str, attributes: dict[str, str]) -> None:
        """Follow one element as openpyxl does: a row or a cell without a number is the next one."""
        element = tag.rpartition(" ")[2]
        if element == "c":
            self._start_cell(attributes.get("r"))
        elif element == "row":
            self._start_row(attributes)
        elif element == "col" and _is_true(attributes.get("hidden")):
            self.structure.hidden_columns.append((int(attributes["min"]), int(attributes["max"])))
        elif element == "mergeCell":
            ends = [_REFERENCE.fullmatch(end) for end in attributes.get("ref", "").split(":")]
            if len(ends) == 2 and ends[0] and ends[1] and int(ends[0][2]) < int(ends[1][2]):
                self.structure.merged.append((column_number(ends[0][1]), int(ends[0][2]), int(ends[1][2])))

    def _start_row(self, attributes: dict[str, str]) -> None:
        number = int(float(attributes.get("r", self.row + 1)))
        if number <= self.row:
            order = "is given twice" if number == self.row else f"stands below row {self.row}"
            raise InputError(f"row {number} {order}; expected rows in order, each once", path=self.name)
        self.row = number
        self.column = 0
        if _is_true(attributes.get("hidden")):
            self.structure.hidden_rows.add(number)

    def _start_cell(self, reference: str | None) -> None:
        if not reference:
            self.column += 1
            return
        match = _REFERENCE.fullmatch(reference)
        if match is None:
            raise InputError(f"a cell {reference[:20]!r}; expected a reference such as B2", path=self.name)
        column = column_number(match[1])
        if int(match[2]) != self.row:
            raise InputError(
                f"cell {reference} is in row {self.row}; expected row {match[2]}", path=self.name
            )
        if column <= self.column:
            order = (
                "is given twice"
                if column == self.column
                else f"stands after column {column_letters(self.column)}"
            )
            raise InputError(f"cell {reference} {order}; expected cells in order, each once", path=self.name)
        self.column = column


_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


def column_number(letters: str) -> int:
    """Number a column by its letters.

    Examples
    --------
    >>> column_number("A"), column_number("Z"), column_number("AA")
    (1, 26, 27)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def column_letters(number: int) -> str:
    """Name a column by its number.

    Examples
    --------
    >>> column_letters(1), column_letters(26), column_letters(27)
    ('A', 'Z', 'AA')
    """
    letters = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _is_true(value: str | None) -> bool:
    """Whether an attribute of XML Schema's type boolean is true."""
    return value in ("1", "true")
