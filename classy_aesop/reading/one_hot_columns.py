"""Columns of the options of one question, of which each row has ticked one: they become one column of the option.

Mechanical Turk writes the answer to radio buttons so: ``Answer.fluency.1`` to ``Answer.fluency.5``, true or false each.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from classy_aesop.reading.judged_tables import JudgedColumn, JudgedTable
from classy_aesop.reading.winners import side_of

MIN_OPTIONS = 2
_WINNER_TICKS = {"1": True, "0": False, "true": True, "false": False}
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
    table = _join_ticked_winners(table)
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


_WINNER = re.compile(r"(winner|preferred|preference|chosen)[ _.-]+(.+)", re.IGNORECASE)


def _join_ticked_winners(table: JudgedTable) -> JudgedTable:
    """Make one column of winners of a column for each side, and one of ties, with 1 in one of them in each row."""
    by_word: dict[str, dict[str, str]] = defaultdict(dict)
    for name, column in table.columns.items():
        match = _WINNER.fullmatch(name.strip())
        if match and column.distinct and all(_winner_tick(value) is not None for value in column.distinct):
            by_word[match[1]][name] = match[2]
    for word, sides in by_word.items():
        are_sides = all(side_of(side, ()) is not None for side in sides.values())
        if word in table.columns or not are_sides or len(sides) < MIN_OPTIONS:
            continue
        ticked = [
            [side for name, side in sides.items() if _winner_tick(table[name].cells[row])]
            for row in range(table.n_rows)
        ]
        if any(len(row) != 1 for row in ticked):
            continue
        rows = [(where, {word: row[0]}) for where, row in zip(table.places, ticked, strict=True)]
        columns = {name: column for name, column in table.columns.items() if name not in sides}
        columns |= JudgedTable.from_rows(table.name, rows).columns
        names = list(sides)
        note = f"{names[0]} to {names[-1]} became {word}: the one of them that is 1 in each row"
        return replace(table, columns=columns, notes=(*table.notes, note))
    return table


def _winner_tick(value: Any) -> bool | None:
    """Whether a cell is ticked; None if it is neither 0 nor 1, true nor false."""
    return _WINNER_TICKS.get(str(value).strip().lower().removesuffix(".0"))


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
