"""The tables that commands wrote, read again: TSV, JSON and JSON lines, with their signature."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from classy_aesop.errors import InputError
from classy_aesop.json_text import from_json
from classy_aesop.scores.rows import text_of
from classy_aesop.scores.tsv import tsv_table

NAMES = {
    "year",
    "topic",
    "task",
    "summarizer",
    "metric",
    "target",
    "assessor",
    "run",
    "peers",
    "source",
    "first",
}
NAMES |= {"second", "part", "group", "fitter", "label", "name", "names", "other", "signature"}
"""Columns that hold names, which stay text though they look like numbers."""


def read_table(path: str | Path, *, may_be_empty: bool = False) -> tuple[pd.DataFrame, str]:
    """Read a table that a command wrote; give its rows and its signature, empty if it has none.

    Parameters
    ----------
    path : path-like
        The table.
    may_be_empty : bool
        Whether it may have a header alone.

    Raises
    ------
    InputError
        Not a table, with file and line.
    OSError
        The file cannot be read.
    """
    text = str(path)
    table = _json(path) if text.endswith(".json") else _jsonl(path) if text.endswith(".jsonl") else _tsv(path)
    if table.empty and not may_be_empty:
        raise InputError("no rows; expected a table that a command wrote", path=path)
    signed = table.pop("signature") if "signature" in table else pd.Series([""])
    return table, str(signed.iloc[0] or "") if len(signed) else ""


def with_numbers(table: pd.DataFrame, columns: Iterable[str], path: str | Path) -> pd.DataFrame:
    """Give the table with these columns, as far as it has them, as numbers; NaN where a cell is empty.

    Raises
    ------
    InputError
        A cell is neither a number nor empty.
    """
    found = {}
    for name in columns:
        if name not in table or pd.api.types.is_numeric_dtype(table[name]):
            continue
        cells = table[name].where(table[name].notna() & (table[name] != ""), None)
        numbers = pd.to_numeric(cells, errors="coerce").astype(float)
        wrong = cells[numbers.isna() & cells.notna()]
        if len(wrong):
            message = f"row {wrong.index[0] + 1}: {name} is {str(wrong.iloc[0])[:40]!r}; expected a number"
            raise InputError(message, path=path)
        found[name] = numbers
    return table.assign(**found)


def _tsv(path: str | Path) -> pd.DataFrame:
    header, columns, rows = tsv_table(path)
    if len(columns) < 2 or "" in columns or len(set(columns)) < len(columns):
        raise header.error("expected a header of two or more different names, separated by tabs")
    cells = []
    for where, row in rows:
        if len(row) != len(columns):
            raise where.error(f"{len(row)} columns; expected {len(columns)} as in the header")
        cells.append(row)
    table = pd.DataFrame(cells, columns=columns, dtype=object)
    return pd.DataFrame({name: table[name] if name in NAMES else _numbers(table[name]) for name in columns})


def _numbers(cells: pd.Series) -> pd.Series:
    """Give a column as numbers or as true and false if all its cells are, or are empty, and else as it is."""
    filled = cells[cells != ""]
    if len(filled) and filled.isin(["True", "False"]).all():
        return cells == "True" if len(filled) == len(cells) else cells.map({"True": True, "False": False})
    numbers = pd.to_numeric(filled, errors="coerce")
    if len(filled) and numbers.notna().all():
        return pd.to_numeric(cells.where(cells != "", float("nan")))
    return cells


def _json(path: str | Path) -> pd.DataFrame:
    found = _parsed(text_of(path), path)
    if not isinstance(found, dict) or not isinstance(found.get("rows"), list):
        raise InputError("expected an object with rows, as -f json writes it", path=path)
    return _frame(found["rows"], path).assign(signature=str(found.get("signature", "")))


def _jsonl(path: str | Path) -> pd.DataFrame:
    lines = enumerate(text_of(path).split("\n"), start=1)
    return _frame([_parsed(line, path, number) for number, line in lines if line.strip()], path)


def _frame(rows: list[Any], path: str | Path) -> pd.DataFrame:
    if not all(isinstance(row, dict) for row in rows):
        raise InputError("expected each row to be an object of names and values", path=path)
    deep = next((name for row in rows for name, value in row.items() if isinstance(value, list | dict)), None)
    if deep is not None:
        raise InputError(f"{deep} is a list or an object; expected text or a number", path=path)
    return pd.DataFrame(rows)


def _parsed(text: str, path: str | Path, line: int | None = None) -> Any:
    try:
        return from_json(text)
    except ValueError as error:
        raise InputError(f"not JSON: {error}", path=path, line=line) from None
