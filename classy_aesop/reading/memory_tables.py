"""Tables in memory: the cells of a DataFrame, a dictionary of columns, a dataset, or dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from classy_aesop.data.cells import format_value, is_missing
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, join_names


def is_table(data: object) -> bool:
    """Whether something is a DataFrame or can become one, a dictionary of columns, or a list of rows."""
    is_list = isinstance(data, list) and bool(data) and all(isinstance(row, Mapping) for row in data)
    is_frame = hasattr(data, "columns") and (hasattr(data, "notna") or hasattr(data, "to_pandas"))
    return is_frame or is_list or isinstance(data, Mapping)


def convert_to_pandas(table: Any) -> Any:
    """Give a DataFrame of another library as one of pandas, anything else as it is."""
    return table.to_pandas() if hasattr(table, "to_pandas") and hasattr(table, "columns") else table


def cells_of(table: Any) -> dict[str, list[Any]]:
    """Give the cells of each column of a table in memory; names become text, arrays lists, missing cells None."""
    table = convert_to_pandas(table)
    is_frame = hasattr(table, "notna") and hasattr(table, "to_dict")
    if is_frame:
        table = table.reset_index(drop={*table.index.names} == {None})
    if is_frame or isinstance(table, Mapping):
        columns = [(str(name), values) for name, values in table.items()]
    elif isinstance(table, Iterable) and not isinstance(table, str | bytes):
        rows = [*table]
        for number, row in enumerate(rows, 1):
            if not isinstance(row, Mapping):
                raise Where(line=number).error(f"found {format_value(row)}; expected named fields")
        names = dict.fromkeys(name for row in rows for name in row)
        columns = [(str(name), [row.get(name) for row in rows]) for name in names]
    else:
        raise UsageError(f"rows are {format_value(table)}; expected a table, or an iterable of dictionaries")
    if repeated := [name for name, count in Counter(name for name, _ in columns).items() if count > 1]:
        raise InputError(f"columns {join_names(repeated)} appear twice")
    for name, values in columns:
        if hasattr(values, "column_names"):
            raise UsageError(f"rows are a dictionary of the splits {join_names(table)}; expected one of them")
        if isinstance(values, str) or not hasattr(values, "__len__"):
            raise InputError(f"column {name} is {format_value(values)}; expected a list of values")
    cells = {name: [*map(_plain_cell, values)] for name, values in columns}
    check_lengths(cells)
    return cells


def _plain_cell(value: Any) -> Any:
    """Give a cell as a plain value: a list of an array, None where it is missing."""
    if type(value) in (str, int, float):
        return value if value == value else None
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        value = value.tolist()
    return None if is_missing(value) else value


def records_of_pandas(document: object) -> list[dict[str, object]]:
    """Give the rows of a DataFrame that pandas wrote by columns, or beside their names; none of others."""
    if not isinstance(document, Mapping):
        return []
    names = document.get("columns")
    rows = document.get("data")
    if isinstance(names, list) and isinstance(rows, list):
        are_rows = all(isinstance(row, list) and len(row) == len(names) for row in rows)
        return [dict(zip(map(str, names), row, strict=True)) for row in rows] if are_rows else []
    first = next(iter(document.values()), None)
    numbers = [*first] if isinstance(first, Mapping) else []
    are_columns = all(map(str.isdecimal, numbers)) and all(
        isinstance(part, Mapping) and [*part] == numbers for part in document.values()
    )
    return [{name: part[number] for name, part in document.items()} for number in numbers if are_columns]


def check_lengths(columns: Mapping[Any, Sequence[object]], path: str | None = None) -> None:
    """Refuse columns of different lengths."""
    if len({len(column) for column in columns.values()}) > 1:
        lengths = join_names((f"{name} has {len(column)}" for name, column in columns.items()), limit=20)
        raise InputError(f"columns differ in length: {lengths}", path=path)
