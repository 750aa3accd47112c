"""Tables for readers: related numbers in one cell, what all rows share stated once, estimates in their rows.

Programs read the tables of files. A missing value is a dash, and names are without control characters.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from classy_aesop.errors import escape_controls
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result_columns import (
    DIRECTION_COLUMN,
    MAIN,
    SHARED_PURPOSES,
    Column,
    Purpose,
    estimate,
)
from classy_aesop.tables.wording import varying_strata

MAX_CELL_WIDTH = 200
"""Characters up to which a column is padded: one long cell would make every row as long."""


@dataclass(frozen=True)
class Layout:
    """How a table is shown in every format for readers.

    Attributes
    ----------
    caption : str
        What the table shows.
    sentence : callable
        Gives the finding in a sentence; nothing of no rows.
    shared : dict
        What all rows share, as text.
    table, whole : DataFrame
        The cells in the body; and these with what all rows share.
    columns : dict of str to Column
        What is declared of the cells in `whole`; of those in bold, and of strata that vary, with a higher priority.
    best : sequence of str
        Columns whose best number in each stratum is in bold.
    marked : sequence of str
        Columns of p-values that are marked where they are significant.
    block : str
        A column with a line between rows where its value changes.
    starred : str
        The estimate that has stars where no column of p-values is shown.
    p_values : Series, optional
        The p-values of which stars are made, a row each.
    lower_is_better : bool
        Whether the best number is the lowest.
    """

    caption: str
    sentence: Callable[[], str]
    shared: dict[str, str]
    table: pd.DataFrame
    whole: pd.DataFrame
    columns: dict[str, Column]
    best: Sequence[str]
    marked: Sequence[str]
    block: str
    starred: str
    p_values: pd.Series | None = None
    lower_is_better: bool = False

    @property
    def is_pair(self) -> bool:
        """Whether a row is about two, so that a single one is shown as a row though it is long."""
        columns = self.columns.values()
        return sum(column.purpose is Purpose.ITEM and column.priority >= MAIN for column in columns) > 1

    def names_of(self, *purposes: Purpose) -> list[str]:
        """Name the columns in the body of some purposes."""
        names = names_of_columns(self.table)
        return [name for name in names if name in self.columns and self.columns[name].purpose in purposes]

    def priority(self, name: str) -> int:
        """Give the priority of a column: one of a lower priority is left out first where there is no room."""
        return self.columns[name].priority if name in self.columns else 0

    def shared_text(self) -> str:
        """Write what all rows share."""
        return ", ".join(f"{name} {value}" for name, value in self.shared.items())


WHICH_ROW = 2 * MAIN
"""The priority of strata that differ between rows: without them two rows look alike."""


def lay_out(table: pd.DataFrame, answer: Answer) -> Layout:
    """Lay out a table as its answer declares it."""
    whole, declared = arrange_cells(table, answer)
    shared_purposes = SHARED_PURPOSES - ({Purpose.ITEM, Purpose.REMARK} if len(whole) == 1 else set())
    on_request = {name for name in names_of_columns(whole) if declared[name].shown == "on request"}
    shared = [
        name
        for name in names_of_columns(whole)
        if declared[name].purpose in shared_purposes and _is_constant(whole[name]) and name not in on_request
    ]
    body = whole.drop(columns={*shared, *on_request})
    best = answer.choose_bold_columns(body)
    marked = _marked_columns(body, declared)
    priorities = dict.fromkeys(best, MAIN)
    priorities |= dict.fromkeys(varying_strata(body, answer.strata_in(body)), WHICH_ROW)
    return Layout(
        answer.caption,
        lambda: answer.sentence(table) if len(table) else "",
        {name: cell_text(whole[name].iloc[0]) for name in shared if len(whole)},
        body,
        whole,
        {
            name: replace(declared[name], priority=priorities.get(name, declared[name].priority))
            for name in names_of_columns(whole)
        },
        best,
        marked,
        answer.block,
        _starred_column(answer, marked),
        p_values=body[marked[0]] if marked else None,
        lower_is_better=DIRECTION_COLUMN.name in whole,
    )


def _starred_column(answer: Answer, marked: Sequence[str]) -> str:
    """Find the estimate that stars are put on: the last one of high priority that is declared before the p-values."""
    estimate = ""
    for column in answer.columns:
        if column.name in marked:
            return estimate
        if column.purpose is Purpose.ESTIMATE and column.type == "float" and column.priority >= MAIN:
            estimate = column.name
    return ""


def arrange_cells(table: pd.DataFrame, answer: Answer) -> tuple[pd.DataFrame, dict[str, Column]]:
    """Select, order, merge and round the cells of a table for readers; also give the declaration of each column.

    Columns that a headline states, that are declared to be shown only if they vary and do not, and those that are empty
    in every row are left out.
    """
    table = round_noise(table, answer)
    keys = [name for name in answer.sorted_by if name in table]
    shown = _drop_unshown(sort_rows(table, answer.strata_in(table), keys) if keys else table, answer)
    rows = shown if answer.arrange_rows is None else answer.arrange_rows(shown)
    cells, declared = _merge_cells(_limit_p_values(rows, answer), answer)
    cells = cells[_reading_order(cells, declared, answer)]
    return cells.drop(columns=[name for name, values in cells.items() if _is_empty(values)]), declared


def _drop_unshown(table: pd.DataFrame, answer: Answer) -> pd.DataFrame:
    """Leave out columns that are never shown, do not vary though they should, or equal another one."""
    unshown = []
    for column in answer.columns:
        if column.name not in table:
            continue
        values = table[column.name]
        is_unvarying = column.shown == "if varying" and _is_constant(values)
        other = column.unless_equal
        if (
            column.shown == "never"
            or is_unvarying
            or (other and other in table and _equals_column(values, table[other]))
        ):
            unshown.append(column.name)
    return table.drop(columns=unshown)


def _equals_column(values: pd.Series, reference: pd.Series) -> bool:
    """Whether two columns are equal in every row, but for rounding."""
    if not (is_number(values) and is_number(reference)):
        return bool(values.equals(reference))
    difference = (values - reference).abs().max()
    return not difference > MAX_RELATIVE_ROUNDING * reference.abs().max()


MAX_RELATIVE_ROUNDING = 1e-9
"""Numbers that differ by at most this share of the largest are equal but for rounding."""


NOISE = 1e-14
"""Numbers below this share of the largest in their column, or in its interval, are what rounding left of 0."""


def round_noise(table: pd.DataFrame, answer: Answer) -> pd.DataFrame:
    """Set estimates and ends of intervals to 0 that are 0 but for rounding, such as -2e-17 beside 0.3.

    Examples
    --------
    >>> from classy_aesop.tables.result_columns import estimate, interval
    >>> columns = (estimate("r", "a coefficient"), *interval("low", "high", "its interval", cell="r"))
    >>> table = pd.DataFrame({"r": [-2e-17], "low": [-0.4], "high": [0.4]})
    >>> round_noise(table, Answer("compare", "an example", columns)).values.tolist()
    [[0.0, -0.4, 0.4]]
    """
    groups: dict[str, list[str]] = {}
    for column in answer.columns:
        if (
            column.type == "float"
            and column.purpose in (Purpose.ESTIMATE, Purpose.END)
            and column.name in table
            and is_number(table[column.name])
        ):
            groups.setdefault(column.cell or column.name, []).append(column.name)
    rounded: dict[str, pd.Series] = {}
    for names in groups.values():
        sizes = table[names].abs()
        is_noise = sizes.lt(NOISE * sizes.max().max())
        if is_noise.to_numpy().any():
            rounded |= {name: table[name].mask(is_noise[name], 0.0) for name in names}
    return table.assign(**rounded)


def _is_constant(values: pd.Series) -> bool:
    """Whether all rows agree."""
    return values.nunique(dropna=False) <= 1


def _is_empty(values: pd.Series) -> bool:
    """Whether no row has a value."""
    return len(values) > 0 and _is_constant(values) and cell_text(values.iloc[0]) in ("", "-")


def sort_rows(
    table: pd.DataFrame, strata: Sequence[str], keys: Sequence[str], *, ascending: bool = True
) -> pd.DataFrame:
    """Order the rows of each stratum by some columns, strata in the order of their first rows."""
    number = table.groupby(list(strata), sort=False, dropna=False).ngroup() if strata else 0
    ordered = table.assign(stratum_number=number)
    order = [True, *[ascending] * len(keys)]
    ordered = ordered.sort_values(
        ["stratum_number", *keys], ascending=order, kind="stable", ignore_index=True
    )
    return ordered.drop(columns="stratum_number")


MIN_P = 1e-300
"""Smaller p-values are below what a computed tail area can show; they are written as this, and never as 0."""


def _limit_p_values(table: pd.DataFrame, answer: Answer) -> pd.DataFrame:
    """Write p-values that are 0, since the tail area was too small for a number, as `MIN_P`."""
    names = [column.name for column in answer.columns_of_purpose(Purpose.P_VALUE) if column.name in table]
    return table.assign(**{name: table[name].clip(lower=MIN_P) for name in names})


def _merge_cells(table: pd.DataFrame, answer: Answer) -> tuple[pd.DataFrame, dict[str, Column]]:
    """Merge the ends of intervals into the cells of their estimates; give the cells and the declaration of each."""
    declared = {
        name: answer.columns_by_name.get(name, estimate(name, "")) for name in names_of_columns(table)
    }
    declared |= {column.name: column for column in answer.arranged_columns if column.name in table}
    ends: dict[str, list[str]] = {}
    for column in answer.columns_of_purpose(Purpose.END):
        if column.cell and column.name in table:
            ends.setdefault(column.cell, []).append(column.name)
    merged = table.drop(columns=[name for names in ends.values() for name in names])
    for cell, (low, high) in ends.items():
        if cell in table:
            write_cell = rank_cell if answer[low].type == "int" else interval_cell
            texts = list(map(write_cell, table[cell], table[low], table[high]))
        else:
            texts = list(map(span_text, table[low], table[high]))
            declared[cell] = declared[low]
        merged[cell] = texts
    return merged, declared


def _reading_order(cells: pd.DataFrame, declared: dict[str, Column], answer: Answer) -> list[str]:
    """Order the cells: strata, then those that are declared to be shown first, then the others."""
    names = names_of_columns(cells)
    strata = [name for name in names if declared[name].purpose is Purpose.STRATUM]
    first = [name for name in answer.shown_first if name in names]
    return list(dict.fromkeys([*strata, *first, *names]))


def _marked_columns(body: pd.DataFrame, declared: dict[str, Column]) -> list[str]:
    """Give the columns of corrected p-values in the body, or of uncorrected ones where there are no others."""
    p_values = [name for name in names_of_columns(body) if declared[name].purpose is Purpose.P_VALUE]
    return [name for name in p_values if declared[name].is_corrected] or p_values


def spread_columns(table: pd.DataFrame, keys: list[str], across: str, value: str) -> pd.DataFrame:
    """Spread the values of a long table over columns; rows and columns keep its order."""
    repetition = table.groupby([*keys, across], dropna=False).cumcount()
    table = table.assign(repetition=repetition)
    index = [*keys, "repetition"]
    first = pd.MultiIndex.from_frame(table[index].drop_duplicates())
    wide = table.pivot(index=index, columns=across, values=value).reindex(first)
    wide = wide[list(table[across].unique())].rename_axis(columns=None)
    return wide.droplevel("repetition").reset_index()


# --- cells ---


def names_of_columns(table: pd.DataFrame) -> list[str]:
    """Give the names of the columns as text."""
    return [str(name) for name in table]


def is_number(values: Any) -> bool:
    """Whether a column, or one of this type, holds numbers, and not truth values."""
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def cell_text(value: Any) -> str:
    """Write a value for reading; a number that would be rounded to zero is written with a power of ten, and no zero
    has a sign.

    Examples
    --------
    >>> cell_text(0.25), cell_text(0.0001), cell_text(float("nan")), cell_text(3), cell_text(-0.0)
    ('0.250', '1e-04', '-', '3', '0.000')
    """
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return "-"
    if isinstance(value, float):
        return f"{value:.0e}" if MIN_P <= abs(value) < 0.0005 else f"{value:z.3f}"
    return escape_controls(str(value))


def leading_numbers(cells: pd.Series) -> pd.Series:
    """Read the number that each cell begins with; NaN where there is none."""
    return pd.to_numeric(cells.map(lambda cell: str(cell).partition(" ")[0]), errors="coerce")


def interval_cell(value: float, low: float, high: float) -> str:
    """Write a number and its interval, if it has one."""
    return cell_text(value) if pd.isna(low) else f"{cell_text(value)} [{cell_text(low)}, {cell_text(high)}]"


def rank_cell(rank: Any, low: Any, high: Any) -> str:
    """Write a rank and those that are left open, if there are others.

    Examples
    --------
    >>> rank_cell(2, 1, 3), rank_cell(1, 1, 1)
    ('2 (1 to 3)', '1')
    """
    if pd.isna(low) or low == high:
        return cell_text(rank)
    return f"{cell_text(rank)} ({span_text(low, high)})"


def span_text(low: Any, high: Any) -> str:
    """Write both ends of a span, or one if they are equal; nothing of missing ends."""
    return " to ".join(dict.fromkeys(str(end) for end in (low, high) if pd.notna(end)))


def texts_of_columns(table: pd.DataFrame) -> list[list[str]]:
    """Give each column as text, its name first."""
    return [[escape_controls(str(name)), *map(cell_text, values.tolist())] for name, values in table.items()]


def align(table: pd.DataFrame) -> str:
    """Align a table in columns: text to the left, numbers to the right with three decimals.

    A name that is longer than all the cells below it goes on in the next line, if it has several words.
    """
    columns = []
    for (name, values), (_, *cells) in zip(table.items(), texts_of_columns(table), strict=True):
        set_text = str.rjust if is_number(values) else str.ljust
        head = wrap_column_name(name, cells)
        width = min(max(map(len, (*head, *cells))), MAX_CELL_WIDTH)
        columns.append([[set_text(text, width) for text in part] for part in (head, cells)])
    height = max((len(head) for head, _ in columns), default=0)
    lines = [[""] * (height - len(head)) + head + cells for head, cells in columns]
    widths = [len(cells[-1]) for cells in lines]
    rows = zip(*lines, strict=True)
    return "\n".join("  ".join(map(str.ljust, cells, widths)).rstrip() for cells in rows)


def wrap_column_name(name: Any, cells: Iterable[str]) -> list[str]:
    """Break the name of a column at spaces into lines as wide as its cells, or its longest word."""
    words = escape_controls(str(name)).split(" ")
    return textwrap.wrap(" ".join(words), max(map(len, (*words, *cells)))) or [""]
