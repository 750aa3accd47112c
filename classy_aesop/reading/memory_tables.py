"""Tables in memory as rows: of a DataFrame, a dictionary of columns, a dataset, or dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from classy_aesop.data.cells import Row, format_value, is_missing
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, join_names


def rows_of(table: object) -> Iterator[Row]:
    """Give the rows of a table in memory; names of columns become text, arrays lists, missing cells None."""
    if hasattr(table, "notna") and hasattr(table, "to_dict"):
        table = cells_of_frame(table)
    if isinstance(table, Mapping):
        table = _rows_of_columns(table)
    if isinstance(table, str | bytes) or not isinstance(table, Iterable):
        raise UsageError(f"rows are {format_value(table)}; expected a table, or an iterable of dictionaries")
    for number, row in enumerate(table, 1):
        where = Where(line=number)
        if not isinstance(row, Mapping):
            raise where.error(f"found {format_value(row)}; expected named fields")
        yield where, {str(name): _plain_cell(value) for name, value in row.items()}


def _plain_cell(value: Any) -> Any:
    """Give a cell as a plain value: a list of an array, None where it is missing."""
    if type(value) in (str, int, float):
        return value if value == value else None
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        value = value.tolist()
    return None if is_missing(value) else value


def cells_of_frame(frame: Any) -> dict[str, list[Any]]:
    """Give the cells of each column of a DataFrame of pandas; a named index is a column."""
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [*map(str, frame.columns)]
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise InputError(f"columns {join_names(repeated)} appear twice")
    columns = [[*map(_plain_cell, values.tolist())] for _, values in frame.items()]
    return dict(zip(names, columns, strict=True))


def _rows_of_columns(table: Mapping[Any, Any]) -> Iterator[dict[str, object]]:
    if any(hasattr(column, "column_names") for column in table.values()):
        raise UsageError(f"rows are a dictionary of the splits {join_names(table)}; expected one of them")
    wrong = [
        name for name, column in table.items() if isinstance(column, str) or not hasattr(column, "__len__")
    ]
    if wrong:
        raise InputError(
            f"column {join_names(wrong)} is {format_value(table[wrong[0]])}; expected a list of values"
        )
    check_lengths(table)
    return (dict(zip(map(str, table), row, strict=True)) for row in zip(*table.values(), strict=True))


def records_of_pandas(document: object) -> list[dict[str, object]]:
    """Give the rows of a DataFrame that pandas wrote by columns, or beside their names; none of others."""
    if not isinstance(document, Mapping):
        return []
    names = document.get("columns")
    rows = document.get("data")
    if isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows):
        if any(len(row) != len(names) for row in rows):
            return []
        return [dict(zip(map(str, names), row, strict=True)) for row in rows]
    parts = list(document.values())
    numbers = list(parts[0]) if parts and isinstance(parts[0], Mapping) else []
    if not numbers or not all(map(str.isdecimal, numbers)):
        return []
    if any(not isinstance(part, Mapping) or list(part) != numbers for part in parts):
        return []
    return [{name: part[number] for name, part in document.items()} for number in numbers]


def check_lengths(columns: Mapping[Any, Sequence[object]], path: str | None = None) -> None:
    """Refuse columns of different lengths."""
    if len({len(column) for column in columns.values()}) > 1:
        lengths = join_names((f"{name} has {len(column)}" for name, column in columns.items()), most=20)
        raise InputError(f"columns differ in length: {lengths}", path=path)
