"""One way from a table to text: ``text`` for people, ``tsv``, ``jsonl`` and ``json`` for programs.

TSV and JSON lines carry the signature as the last column, so that rows stay self-explaining when files are joined;
JSON carries it once, beside ``rows``. A missing number is empty in TSV and ``null`` in JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import TextIO

import pandas as pd

Writer = Callable[[pd.DataFrame, TextIO, str], None]


def write_table(table: pd.DataFrame, stream: TextIO, format: str, signature: str = "") -> None:
    """Write a table in one of `FORMATS`, with its signature."""
    FORMATS[format](table, stream, signature)


def _tsv(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    signed = table.assign(signature=signature) if signature else table
    signed.to_csv(stream, sep="\t", index=False, lineterminator="\n")


def _jsonl(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    last = {"signature": signature} if signature else {}
    for row in _rows(table):
        stream.write(json.dumps({**row, **last}, ensure_ascii=False) + "\n")


def _json(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    json.dump({"signature": signature, "rows": _rows(table)}, stream, ensure_ascii=False, indent=1)
    stream.write("\n")


def _text(table: pd.DataFrame, stream: TextIO, signature: str) -> None:
    stream.write(aligned(table) + "\n")
    if signature:
        stream.write(f"\n{signature}\n")


def aligned(table: pd.DataFrame, *, digits: int = 3) -> str:
    """Set a table in columns: text to the left, numbers to the right with ``digits`` decimals."""
    columns = [_column(name, table[name], digits) for name in table]
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def _column(name: object, values: pd.Series, digits: int) -> list[str]:
    numbers = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    cells = [str(name)] + [_cell(value, digits) for value in values.tolist()]
    width = max(map(len, cells))
    return [cell.rjust(width) if numbers else cell.ljust(width) for cell in cells]


def _cell(value: object, digits: int) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.{digits}f}"
    return str(value)


def _rows(table: pd.DataFrame) -> list[dict[str, object]]:
    """Give rows as plain values; a number that is not finite becomes None, for JSON has no word for it."""
    names = [str(name) for name in table]
    columns = [[_plain(value) for value in table[name].tolist()] for name in table]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


FORMATS: Mapping[str, Writer] = {"text": _text, "tsv": _tsv, "jsonl": _jsonl, "json": _json}
"""Formats by name."""
