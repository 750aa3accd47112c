"""Tables in every format: ``text`` and ``latex`` for reading, the others for programs.

Each has the signature once. TSV, CSV and JSON lines have it in their first row, in a last column that is empty below;
JSON has it next to ``rows``, LaTeX as a comment, Parquet in its metadata and Excel in the document's description.
`scores.cells` describes the quoting of TSV.

A missing number is empty in TSV and CSV, ``null`` in JSON and Parquet, and a dash in text and LaTeX,
where numbers have three decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import msgspec
import numpy as np
import pandas as pd

from classy_aesop.data.sources import plain_name
from classy_aesop.data.table_files import quoted, tsv_line
from classy_aesop.errors import visible
from classy_aesop.report.cells import cells_of, is_number
from classy_aesop.report.latex import write_latex
from classy_aesop.report.parquet import arrow_table, check_parquet, row_groups
from classy_aesop.report.xlsx import check_xlsx, write_xlsx


@dataclass(frozen=True)
class Format:
    """A way to write a table.

    Parameters
    ----------
    write : callable
        Takes the table, a stream and the signature, which may be empty.
    wide : bool
        Whether it is for human readers, who get a long table rearranged side by side (`classy_aesop.report.wide`).
    endings : tuple of str
        The endings of names that ask for it.
    check : callable, optional
        Whether the packages are there that it needs; those who have it write bytes, which no terminal shows.
    """

    write: Callable[[pd.DataFrame, TextIO, str], None]
    wide: bool = False
    endings: tuple[str, ...] = ()
    check: Callable[[], None] | None = None


def write_table(table: pd.DataFrame, stream: TextIO, format: str, signature: str = "") -> None:
    """Write a table in one of `FORMATS`, with its signature; for readers it may have several lines."""
    FORMATS[format].write(table, stream, signature)


def _tsv(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """Tab-separated values with a header."""
    signed = _signed(table, signature)
    columns = [_texts(values) for _, values in signed.items()]
    stream.write(tsv_line(map(str, signed)))
    stream.writelines("\t".join(cells) + "\n" for cells in zip(*columns, strict=True))


def _texts(values: pd.Series) -> list[str]:
    """Give the cells of a column; what is missing is empty."""
    if isinstance(values.dtype, pd.StringDtype):
        codes, found = pd.factorize(values)
        return list(np.array([*map(quoted, found), ""], object).take(codes))  # -1 is what is missing
    cells = list(map(str, _cells(values, "")))
    if is_number(values):
        return cells
    written = {cell: quoted(cell) for cell in set(cells)}
    return [written[cell] for cell in cells]


def _cells(values: pd.Series, missing: object) -> list[Any]:
    """Give the cells of a column, with another value for what is missing."""
    cells = values.tolist()
    for place in np.flatnonzero(values.isna()):
        cells[place] = missing
    return cells


def _signed(table: pd.DataFrame, signature: str) -> pd.DataFrame:
    """Add the signature, if there is one, as a last column that is empty below its first row."""
    if not signature:
        return table
    return table.assign(signature=[signature, *[""] * (len(table) - 1)][: len(table)])


def _csv(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """Comma-separated values with a header."""
    _signed(table, signature).to_csv(stream, index=False, lineterminator="\n")


def _jsonl(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """JSON lines, one a row."""
    stream.writelines(f"{row}\n" for row in _json_rows(table, signature))


def _json(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """One JSON object with ``signature`` and ``rows``, one row a line."""
    rows = ",\n".join(_json_rows(table))
    stream.write(f'{{"signature": {_in_json(signature)}, "rows": [\n{rows}\n]}}\n')


def _json_rows(table: pd.DataFrame, signature: str = "") -> Iterator[str]:
    """Write each row as a JSON object; the first has the signature, if there is one."""
    names = [str(name) for name in table]
    for at, row in enumerate(zip(*(_cells(values, None) for _, values in table.items()), strict=True)):
        signed = {"signature": signature} if signature and at == 0 else {}
        yield _in_json(dict(zip(names, row, strict=True)) | signed)


def _in_json(value: object) -> str:
    """Write a value on one line; a number that is not finite becomes null, as JSON cannot express it."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def _parquet(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """Apache Parquet, with the signature in its metadata; for a file or a pipe."""
    stream.flush()
    with row_groups(stream.buffer, signature) as groups:
        groups.add(arrow_table(table))


def _xlsx(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """A workbook of Excel; for a file or a pipe."""
    stream.flush()
    write_xlsx(table, stream.buffer, signature)


def _text(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """Aligned columns with three decimals, to be read; related numbers stand side by side."""
    stream.write(aligned(table) + "\n")
    if signature:
        stream.write(f"\n{visible(signature, but=chr(10))}\n")


_WIDEST = 200
"""Characters up to which a column is padded: one long cell would make every row as long."""


def aligned(table: pd.DataFrame) -> str:
    """Align a table in columns: text to the left, numbers to the right with three decimals."""
    columns = []
    for name, cells in zip(table, cells_of(table), strict=True):
        set_text = str.rjust if is_number(table[name]) else str.ljust
        width = min(max(map(len, cells)), _WIDEST)
        columns.append([set_text(text, width) for text in cells])
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


FORMATS = {
    "text": Format(_text, wide=True),
    "tsv": Format(_tsv, endings=(".tsv",)),
    "csv": Format(_csv, endings=(".csv",)),
    "jsonl": Format(_jsonl, endings=(".jsonl",)),
    "json": Format(_json, endings=(".json",)),
    "parquet": Format(_parquet, endings=(".parquet",), check=check_parquet),
    "xlsx": Format(_xlsx, endings=(".xlsx",), check=check_xlsx),
    "latex": Format(write_latex, wide=True, endings=(".tex",)),
}
"""Formats by name."""


def format_of(path: str | None, otherwise: str) -> str:
    """Name the format that the ending of a file's name asks for, which may be followed by that of a compression."""
    ending = Path(plain_name(path or "")).suffix.lower()
    return next((name for name, one in FORMATS.items() if ending in one.endings), otherwise)
