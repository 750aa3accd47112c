"""Columns of the options of one question, of which each row has ticked one: they become one column of the option.

Mechanical Turk writes the answer to radio buttons so: ``Answer.fluency.1`` to ``Answer.fluency.5``, true or false each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from classy_aesop.reading.judged_tables import JudgedColumn, JudgedTable

MIN_OPTIONS = 2
_TICKS = {"true": True, "false": False, True: True, False: False}


def join_ticked_options(table: JudgedTable) -> JudgedTable:
    """Give a table in which options of a question, one of which each row has ticked, are one column.

    Parameters
    ----------
    table : JudgedTable
        The table.

    Returns
    -------
    JudgedTable
        The table itself if it has no such columns.

    Examples
    --------
    >>> from classy_aesop.data.where import Where
    >>> rows = [{"a.1": "true", "a.2": "false"}, {"a.1": "false", "a.2": "true"}]
    >>> table = JudgedTable.from_rows("x.csv", [(Where("x.csv", line), row) for line, row in enumerate(rows, 2)])
    >>> join_ticked_options(table)["a"].cells
    ['1', '2']
    """
    questions: dict[str, list[str]] = defaultdict(list)
    for name, column in table.columns.items():
        question, separator, option = name.rpartition(".")
        if separator and question and option and all(_is_tick(value) for value in column.distinct):
            questions[question].append(name)
    columns = dict(table.columns)
    notes = []
    for question, names in questions.items():
        cells = _find_ticked_options(table, question, names)
        if cells is None or question in table.columns:
            continue
        columns = {name: column for name, column in columns.items() if name not in names}
        columns |= JudgedTable.from_rows(
            table.name, [(where, {question: cell}) for where, cell in zip(table.places, cells, strict=True)]
        ).columns
        notes.append(
            f"{names[0]} to {names[-1]} are the options of {question}, one of which is ticked in each row"
        )
    return replace(table, columns=columns, notes=(*table.notes, *notes)) if notes else table


def _is_tick(value: Any) -> bool:
    mark = value.lower() if isinstance(value, str) else value
    return isinstance(mark, str | bool) and mark in _TICKS


def _find_ticked_options(table: JudgedTable, question: str, names: Sequence[str]) -> list[str | None] | None:
    """Give the option that each row has ticked, None where all cells are empty; None if rows tick none, or several."""
    if len(names) < MIN_OPTIONS:
        return None
    options: list[str | None] = []
    columns: list[JudgedColumn] = [table[name] for name in names]
    for cells in zip(*(column.cells for column in columns), strict=True):
        ticked = [name for name, cell in zip(names, cells, strict=True) if str(cell).lower() == "true"]
        is_empty = all(cell is None for cell in cells)
        if len(ticked) != 1 and not is_empty:
            return None
        options.append(None if is_empty else ticked[0][len(question) + 1 :])
    return options
