"""Tables as workbooks of Excel, by openpyxl (extra ``excel``): a sheet, and the signature as the description."""

from __future__ import annotations

from typing import Any, BinaryIO

import pandas as pd

from classy_aesop.errors import InputError, UsageError, visible

MOST_ROWS = 1_048_575
"""Most rows below the header of a sheet."""


def check_xlsx() -> None:
    """Raise `UsageError` if openpyxl is not installed."""
    try:
        import openpyxl  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError("-f xlsx needs openpyxl: pip install classy-aesop[excel]") from None


def write_xlsx(table: pd.DataFrame, stream: BinaryIO, signature: str) -> None:
    """Write a workbook; numbers keep all digits, and no text is a formula.

    Raises
    ------
    InputError
        There are more rows than a sheet holds.
    """
    from openpyxl import Workbook

    if len(table) > MOST_ROWS:
        raise InputError(
            f"{len(table):,} rows; a sheet of Excel holds {MOST_ROWS:,}: expected another format"
        )
    book = Workbook(write_only=True)
    book.properties.description = signature
    sheet = book.create_sheet("table")
    sheet.append([_cell(sheet, str(name)) for name in table])
    for row in zip(*(values.tolist() for _, values in table.items()), strict=True):
        sheet.append([_cell(sheet, value) for value in row])
    book.save(stream)


def _cell(sheet: Any, value: Any) -> Any:
    """Make a cell whose number openpyxl does not round and whose text is no formula; None of what is missing."""
    from openpyxl.cell import WriteOnlyCell

    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return None
    if isinstance(value, bool):
        return value
    cell = WriteOnlyCell(sheet)
    is_number = isinstance(value, int | float) and abs(value) != float("inf")
    cell._value, cell.data_type = (repr(value), "n") if is_number else (visible(str(value), but="\t\n"), "s")
    return cell
