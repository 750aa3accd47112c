"""Text tables with a header, as spreadsheets write them: CSV whose cells are separated by commas, semicolons or tabs.

The separator is what the header has most of. Rows without any value are left out, and so are columns at the end that
have neither a name nor a value: a spreadsheet writes them where it was once touched.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from classy_aesop.errors import InputError
from classy_aesop.scores.rows import Where

SEPARATORS = ",;\t"
_LONGEST_CELL = 2**31 - 1

Placed = tuple[Where, list[Any]]
"""The place and the cells of a row."""

Cells = tuple[Where, list[str], Iterable[Placed]]
"""The place and the names of the columns, and the cells of each row with its place."""


def csv_rows(lines: Sequence[str], path: str | Path) -> Iterator[Placed]:
    """Give the rows of CSV that are not blank, each with the place where it begins."""
    first = next((line for line in lines if line.strip()), "")
    return _cells(lines, separator_of(first), path)


def separator_of(line: str) -> str:
    """Find what separates the cells of a header."""
    return max(SEPARATORS, key=lambda one: len(header_cells(line, one)))


def header_cells(line: str, separator: str) -> list[str]:
    """Give the cells of one line; none if it is not whole."""
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:  # said where the cells are read
        return []


def _cells(lines: Iterable[str], separator: str, path: str | Path) -> Iterator[Placed]:
    limit = csv.field_size_limit(_LONGEST_CELL)
    begins, rows = 1, csv.reader(lines, delimiter=separator, strict=True)
    try:
        for cells in rows:
            if cells:
                yield Where(str(path), begins), cells
            begins = rows.line_num + 1
    except csv.Error as error:
        found = "a carriage return in a cell without quotes" if "new-line" in str(error) else error
        message = f"{found}; expected CSV, where a quotation mark in a quoted cell is doubled"
        raise InputError(message, path=path, line=begins) from None
    finally:
        csv.field_size_limit(limit)


def headed(rows: Iterable[Placed], path: str | Path) -> tuple[Where, list[str], list[Placed]]:
    """Give the place and the names of the header, and the rows with a value.

    Raises
    ------
    InputError
        There is no header, or a row has more or fewer cells.
    """
    placed = iter(rows)
    header, first = next(placed, (Where(str(path)), []))
    if not any(map(is_value, first)):
        raise InputError("no columns; expected a header with their names", path=path)
    names = [str(name).strip() if is_value(name) else "" for name in first]
    kept = [(where, list(cells)) for where, cells in placed if any(map(is_value, cells))]
    for where, cells in kept:
        if len(cells) != len(names):
            raise where.error(f"{len(cells)} columns; expected {len(names)} as in the header")
    while names[-1] == "" and not any(is_value(cells[-1]) for _, cells in kept):
        for cells in (names, *(cells for _, cells in kept)):
            cells.pop()
    return header, names, kept


def is_value(cell: object) -> bool:
    """Whether a cell holds anything."""
    return cell is not None and (not isinstance(cell, str) or bool(cell.strip()))
