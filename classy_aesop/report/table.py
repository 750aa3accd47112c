"""Output of tables: ``text`` and ``latex`` for reading, ``tsv``, ``jsonl`` and ``json`` for programs.

TSV and JSON lines have the signature as the last column, so that rows remain identifiable when files are joined.
JSON has it once, next to ``rows``; LaTeX has it as a comment. `scores.cells` describes the quoting of TSV. A missing
number is empty in TSV, ``null`` in JSON and a dash in text and LaTeX, where numbers have three decimals.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

import pandas as pd

from classy_aesop.scores.cells import tsv_line


@dataclass(frozen=True)
class Format:
    """A way to write a table.

    Parameters
    ----------
    write : callable
        Takes the table, a stream and the signature, which may be empty.
    wide : bool
        Whether it is for human readers, who get a long table rearranged side by side (`classy_aesop.report.wide`).
    """

    write: Callable[[pd.DataFrame, TextIO, str], None]
    wide: bool = False


def write_table(table: pd.DataFrame, stream: TextIO, format: str, signature: str = "") -> None:
    """Write a table in one of `FORMATS`, with its signature."""
    FORMATS[format].write(table, stream, signature)


def _tsv(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """Tab-separated values with a header."""
    signed = table.assign(signature=signature) if signature else table
    columns = [[str(name), *map(_tsv_cell, signed[name].tolist())] for name in signed]
    stream.writelines(map(tsv_line, zip(*columns, strict=True)))


def _tsv_cell(value: object) -> str:
    return "" if _missing(value) else str(value)


def _jsonl(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """JSON lines, one a row."""
    last = {"signature": signature} if signature else {}
    for row in _rows(table):
        stream.write(json.dumps({**row, **last}, ensure_ascii=False) + "\n")


def _json(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """One JSON object with ``signature`` and ``rows``."""
    json.dump({"signature": signature, "rows": _rows(table)}, stream, ensure_ascii=False, indent=1)
    stream.write("\n")


def _text(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """Aligned columns with three decimals, to be read; related numbers stand side by side."""
    stream.write(aligned(table) + "\n")
    if signature:
        stream.write(f"\n{signature}\n")


def _latex(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    """A LaTeX tabular with the rules of the package booktabs; otherwise as ``text``."""
    kinds = "".join("r" if is_number(table[name]) else "l" for name in table)
    columns = [[_in_latex(value) for value in cells] for cells in _cells(table, digits=3)]
    head, *lines = [" & ".join(row) + " \\\\" for row in zip(*columns, strict=True)]
    comment = [f"% {signature}"] if signature else []
    begin, end = f"\\begin{{tabular}}{{{kinds}}}", "\\end{tabular}"
    parts = [*comment, begin, "\\toprule", head, "\\midrule", *lines, "\\bottomrule", end]
    stream.write("\n".join(parts) + "\n")


_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "[": "{[}",
}


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-[0-9]+)?( [\[(].*[\])])?")
"""A number, possibly followed by its interval or spread."""


def _in_latex(text: str) -> str:
    """Escape a cell; a number gets a proper minus sign, and a missing number becomes a dash."""
    if text == "-":
        return "--"
    if _NUMBER.fullmatch(text):
        return text.replace("-", "$-$")
    return "".join(_LATEX.get(character, character) for character in text)


def aligned(table: pd.DataFrame, *, digits: int = 3) -> str:
    """Align a table in columns: text to the left, numbers to the right with ``digits`` decimals."""
    columns = [
        _set(cells, right=is_number(table[name]))
        for name, cells in zip(table, _cells(table, digits), strict=True)
    ]
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def is_number(values: pd.Series) -> bool:
    """Whether a column holds numbers, and not truth values."""
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _cells(table: pd.DataFrame, digits: int) -> list[list[str]]:
    """Give each column as text, its name first."""
    return [[str(name), *(cell(value, digits=digits) for value in table[name].tolist())] for name in table]


def _set(cells: list[str], *, right: bool) -> list[str]:
    width = max(map(len, cells))
    return [text.rjust(width) if right else text.ljust(width) for text in cells]


def cell(value: object, *, digits: int = 3) -> str:
    """Write a value for reading; a number that would be rounded to zero is written with a power of ten.

    Examples
    --------
    >>> cell(0.25), cell(0.0001), cell(float("nan")), cell(3)
    ('0.250', '1e-04', '-', '3')
    """
    if _missing(value):
        return "-"
    if isinstance(value, float):
        tiny = 0 < abs(value) < 0.5 * 10**-digits
        return f"{value:.0e}" if tiny else f"{value:.{digits}f}"
    return str(value)


def _missing(value: object) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def _rows(table: pd.DataFrame) -> list[dict[str, object]]:
    """Give rows as plain values; a number that is not finite becomes None, as JSON cannot express it."""
    names = [str(name) for name in table]
    columns = [[_plain(value) for value in table[name].tolist()] for name in table]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _plain(value: object) -> object:
    return None if _missing(value) or (isinstance(value, float) and math.isinf(value)) else value


FORMATS = {
    "text": Format(_text, wide=True),
    "tsv": Format(_tsv),
    "jsonl": Format(_jsonl),
    "json": Format(_json),
    "latex": Format(_latex, wide=True),
}
"""Formats by name."""
