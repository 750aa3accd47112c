"""What openpyxl reads without a word or refuses without a reason: other spreadsheets, disordered cells, hidden rows.

Its read-only mode skips a row whose number is not above that of the row before, and keeps the last of two cells with
one reference. Excel never writes these (ECMA-376, part 1, sections 18.3.1.4 and 18.3.1.73); programs that assemble the
XML by hand do.
It reads a formula without a value, which programs write that compute nothing, as an empty cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
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

SAVE_AS = "expected .xlsx or CSV: open it in a spreadsheet program and save it as one of these"

_OTHER_ARCHIVES = frozenset({"xl/workbook.bin", "Index/Document.iwa", "content.xml"})
"""Parts of the archives of other spreadsheets: .xlsb, Numbers and OpenDocument."""


def refuse_other_spreadsheet(start: bytes, name: str) -> None:
    """Refuse a spreadsheet in a format that is not read, and say how it becomes one that is."""
    if start.startswith(COMPOUND_FILE):
        content = "a workbook of Excel 97 to 2003 (.xls), or one that is protected by a password"
        raise InputError(f"{content}; {SAVE_AS}, without a password", path=name)
    if _MARKUP.match(start):
        content = "a web page or XML, as some programs write it under the name of a workbook"
        raise InputError(f"{content}; {SAVE_AS}", path=name)


def refuse_other_archive(archive: ZipFile, name: str) -> None:
    """Refuse spreadsheets of other programs, which are archives as those of Excel are."""
    parts = {*archive.namelist()}
    if parts & _OTHER_ARCHIVES:
        raise InputError(f"a spreadsheet of another format (.ods, .xlsb, .numbers); {SAVE_AS}", path=name)
    if "[Content_Types].xml" not in parts:
        message = (
            f"an archive of {join_names(archive.namelist(), limit=4)}; unpack it, and validate its folder"
        )
        raise InputError(message, path=name)


@dataclass
class SheetStructure:
    """Numbers of the rows and columns of a sheet that are hidden, from 1.

    ``merged`` are cells that are merged over several rows: their column, the first and the last row. ``uncomputed``
    are cells of formulas that no program has computed: their row and their reference.
    """

    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)
    uncomputed: list[tuple[int, str]] = field(default_factory=list)

    def repeat_merged(self, rows: Mapping[int | None, list[object]]) -> None:
        """Repeat the value of a cell that is merged over several rows in each of them; rows by their number."""
        last_row = max(filter(None, rows), default=0)
        for column, first, last in self.merged:
            value = rows.get(first, [])[column - 1 : column]
            for row in filter(None, map(rows.get, range(first + 1, min(last, last_row) + 1))):
                if value and not row[column - 1]:
                    row[column - 1 : column] = value

    def warn_of_hidden(self, sheet: str, rows: Set[int | None], columns: Set[int]) -> None:
        """Warn of hidden rows and columns among those that hold something; they are read like the others."""
        from openpyxl.utils import get_column_letter

        hidden = [f"row {row}" for row in sorted(self.hidden_rows & rows)]
        hidden += [f"column {get_column_letter(column)}" for column in sorted(self.hidden_columns & columns)]
        if hidden:
            warn(f"{sheet}, and read like the others: {join_names(hidden)}; delete there what must not count")


UNCOMPUTED = "formulas without a value are read as empty"
"""How a note on formulas that no program has computed begins."""


def describe_uncomputed(cells: Sequence[str]) -> list[str]:
    """Say which cells of formulas without a value are read as empty, if any."""
    advice = "a spreadsheet program computes them when it saves the file"
    return [f"{UNCOMPUTED}: {len(cells)}, the first in {cells[0]}; {advice}"] if cells else []


def check_structure(stream: BinaryIO, name: str) -> SheetStructure:
    """Read the XML of a sheet; refuse rows and cells out of order or given twice, and list formulas without a value.

    A row or a cell without a number is the next one, as for openpyxl. The value of a formula may be an empty text.
    """
    from openpyxl.utils.cell import (
        column_index_from_string,
        coordinate_from_string,
        get_column_letter,
        range_boundaries,
    )

    structure = SheetStructure()
    row = 0
    column = 0
    is_of_text = False  # the cell

    def start_element(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, is_of_text
        element = tag.rpartition(" ")[2]
        is_hidden = attributes.get("hidden") in ("1", "true")
        if element == "c":
            reference = attributes.get("r", f"{get_column_letter(column + 1)}{row}")
            letters, row_of_cell = coordinate_from_string(reference)
            if row_of_cell != row or column_index_from_string(letters) <= column:
                message = f"cell {reference} is out of order; expected cells in order, each once"
                raise InputError(message, path=name)
            column = column_index_from_string(letters)
            is_of_text = attributes.get("t") == "str"
        elif element == "f" and not is_of_text:
            parser.EndElementHandler = list_formula
        elif element == "v":
            parser.CharacterDataHandler = accept_formula if parser.EndElementHandler else None
        elif element == "row":
            number = int(float(attributes.get("r", row + 1)))
            if number <= row:
                message = f"row {number} stands below row {row}; expected rows in order, each once"
                raise InputError(message, path=name)
            row = number
            column = 0
            structure.hidden_rows.update([row] if is_hidden else ())
        elif element == "col" and is_hidden:
            structure.hidden_columns.update(range(int(attributes["min"]), int(attributes["max"]) + 1))
        elif element == "mergeCell":
            merged_column, first_row, _, last_row = range_boundaries(attributes["ref"])
            if first_row < last_row:
                structure.merged.append((merged_column, first_row, last_row))

    def accept_formula(_: str) -> None:
        parser.EndElementHandler = parser.CharacterDataHandler = None

    def list_formula(tag: str) -> None:
        if tag.endswith(" c"):
            structure.uncomputed.append((row, f"{get_column_letter(column)}{row}"))
            parser.EndElementHandler = parser.CharacterDataHandler = None

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start_element
    parser.ParseFile(stream)
    return structure
