"""Columns of results by purpose: what a column is for, what it means and what type its cells have, declared once.

The functions that declare one share their parameters:

name : str
    The name of the column in files.
meaning : str
    What its cells mean, for help and documents.
type : {"text", "float", "int", "bool"}
    The type of its cells.
priority, shown, unless_equal, is_corrected
    As for :class:`Column`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from functools import partial
from typing import Literal

CellType = Literal["text", "float", "int", "bool"]
Shown = Literal["always", "if varying", "on request", "never"]


class Purpose(Enum):
    """What a column of a result is to its reader."""

    STRATUM = "the part of the data that a row is about: year, task, metric"
    ITEM = "what a row is about"
    ESTIMATE = "what was estimated or decided"
    END = "an end of an interval, of an estimate or alone"
    P_VALUE = "a p-value"
    COUNT = "how much data a row rests on"
    SETTING = "how a row was computed"
    REMARK = "why a value is missing or special"


SHARED_PURPOSES = {Purpose.STRATUM, Purpose.ITEM, Purpose.COUNT, Purpose.SETTING, Purpose.REMARK}
"""Purposes of columns that are stated once where all rows agree. An estimate stands in its row, whatever others say."""


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name, meaning, type, purpose
        What it is called in files, what its cells mean, how they are typed, and what it is for.
    cell : str
        The name of the cell that shows it to readers beside others: that of its estimate for an end of an interval,
        or the name of a span for both of its ends.
    priority : int
        On a narrow screen columns of a lower one are left out first; 0 by default, above 0 for what matters most.
    is_optional : bool
        Whether a table may be without it.
    shown : {"always", "if varying", "on request", "never"}
        Whether readers get it: always, only if its rows differ, only if they name it (``--columns-shown``), or never,
        since a headline says it. Files have it.
    unless_equal : str
        Readers do not get it where it equals this column in every row.
    is_corrected : bool
        Whether a p-value is corrected for several tests, and so the one that is marked where it is significant.
    """

    name: str
    meaning: str
    type: CellType = "float"
    _: KW_ONLY
    purpose: Purpose
    cell: str = ""
    priority: int = 0
    is_optional: bool = False
    shown: Shown = "always"
    unless_equal: str = ""
    is_corrected: bool = False


MAIN = 1
"""The priority of what matters most."""

SELDOM = -1
"""The priority of what is needed seldom."""


stratum = partial(Column, type="text", purpose=Purpose.STRATUM)
"""Declare the part of the data that a row is about: rows of different strata rest on different data."""

estimate = partial(Column, purpose=Purpose.ESTIMATE)
"""Declare what was estimated or decided."""

p_value = partial(Column, purpose=Purpose.P_VALUE)
"""Declare a p-value."""

count = partial(Column, type="int", purpose=Purpose.COUNT)
"""Declare how much data a row rests on."""

remark = partial(Column, type="text", purpose=Purpose.REMARK)
"""Declare why a value is missing or special."""


def item(name: str, meaning: str, type: CellType = "text", *, priority: int = MAIN) -> Column:
    """Declare what a row is about."""
    return Column(name, meaning, type, purpose=Purpose.ITEM, priority=priority)


def setting(
    name: str, meaning: str, type: CellType = "text", *, priority: int = 0, shown: Shown = "if varying"
) -> Column:
    """Declare how a row was computed; by default readers get it only where rows differ."""
    return Column(name, meaning, type, purpose=Purpose.SETTING, priority=priority, shown=shown)


def interval(
    low: str,
    high: str,
    meaning: str,
    type: CellType = "float",
    *,
    cell: str = "",
    priority: int = 0,
    shown: Shown = "always",
) -> tuple[Column, Column]:
    """Declare the two ends of an interval; readers get them in the cell of an estimate, or in one of their own."""
    declare_end = partial(Column, type=type, purpose=Purpose.END, cell=cell, priority=priority, shown=shown)
    return declare_end(low, f"lower end of {meaning}"), declare_end(high, f"upper end of {meaning}")


def optional(*columns: Column) -> Iterator[Column]:
    """Declare that a table may be without some columns."""
    return (replace(column, is_optional=True) for column in columns)


def column_names(*columns: Column) -> list[str]:
    """Name columns by their declarations, for the tables that have them.

    Examples
    --------
    >>> column_names(YEAR, TASK)
    ['year', 'task']
    """
    return [column.name for column in columns]


YEAR, TASK = optional(
    stratum("year", "the evaluation that the topics belong to"),
    stratum("task", "A, the initial summary, or B, the update"),
)
METRIC = stratum("metric", "the metric or human measure that gives the scores")
TARGET = stratum("target", "the human measure")
HUMAN_MEASURE = stratum("metric", TARGET.meaning)
PEER_SET = stratum(
    "peers", "who is compared: no_models, systems only; all_peers, with humans; models_only, humans"
)
(DIRECTION_COLUMN,) = optional(
    setting("direction", "that lower values of the measure are better, where they are", shown="always")
)
