"""Rows of a table in memory, one dictionary a row.

A table is a DataFrame (of pandas or polars), a dataset of Hugging Face, a table of pyarrow, a dictionary of columns, or
any iterable of dictionaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from classy_aesop.data.opening import Where
from classy_aesop.data.score_rows import Row, is_missing, shown
from classy_aesop.errors import InputError, UsageError, listed


def rows_of(table: object) -> Iterator[Row]:
    """Give the rows of a table in memory; names of columns become text, arrays lists, missing cells None.

    Raises
    ------
    InputError
        A row is not a mapping, or columns differ in length.
    UsageError
        The table is none, or holds several (the splits of a dataset).
    """
    for at, row in enumerate(_mappings(table), 1):
        where = Where(line=at)
        if not isinstance(row, Mapping):
            raise where.error(f"found {shown(row)}; expected named fields")
        yield where, {str(name): _plain(value) for name, value in row.items()}


def _mappings(table: object) -> Iterable[object]:
    if hasattr(table, "notna") and hasattr(table, "to_dict"):
        return _of_frame(table)
    for name in ("to_dicts", "to_pylist"):  # polars, pyarrow
        if hasattr(table, name):
            return getattr(table, name)()  # type: ignore[no-any-return]
    if isinstance(table, Mapping):
        return _of_columns(table)
    if isinstance(table, str | bytes) or not isinstance(table, Iterable):
        raise UsageError(f"rows are {shown(table)}; expected a table, or an iterable of dictionaries")
    return table


def _of_frame(frame: Any) -> Iterable[object]:
    """Give the rows of a DataFrame of pandas; a named index is a column."""
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    if not frame.columns.is_unique:
        again = dict.fromkeys(frame.columns[frame.columns.duplicated()])
        raise InputError(f"columns {listed(again)} appear twice")
    found: Iterable[object] = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return found


def _of_columns(table: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    """Make rows from a dictionary of columns."""
    if any(hasattr(column, "column_names") for column in table.values()):
        raise UsageError(f"rows are a dictionary of the splits {listed(table)}; expected one of them")
    wrong = [
        name for name, column in table.items() if isinstance(column, str) or not hasattr(column, "__len__")
    ]
    if wrong:
        raise InputError(f"column {listed(wrong)} is {shown(table[wrong[0]])}; expected a list of values")
    lengths = {str(name): len(column) for name, column in table.items()}
    if len(set(lengths.values())) > 1:
        listing = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"columns differ in length: {listing}")
    return (dict(zip(lengths, row, strict=True)) for row in zip_longest(*table.values()))


def _plain(value: Any) -> Any:
    """Make lists of arrays, and None of what is missing."""
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        value = value.tolist()
    return None if is_missing(value) else value
