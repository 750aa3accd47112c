"""Tables on a screen, as wide as it is: the answer first, then what all rows share, then the rows.

What is the same in every row stands once, above. Where that is not enough, names lose what they share or their middle,
columns are left out, those of the lowest priority first, which a line below names, and measures that do not fit beside
each other stand below each other. Files have everything.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pandas as pd

from classy_aesop.errors import escape_controls, join_names
from classy_aesop.plots.base import shorten_names
from classy_aesop.tables.layout import (
    WHICH_ROW,
    Layout,
    align,
    cell_text,
    is_number,
    leading_numbers,
    names_of_columns,
    wrap_column_name,
)
from classy_aesop.tables.result_columns import MAIN, Column, Purpose
from classy_aesop.tables.wording import first_stratum

MIN_NAME_WIDTH = 12
"""Characters that a name keeps, at least."""

MIN_ROWS = 5
"""Rows of a table that a screen shows, at least."""

MIN_SENTENCE_WIDTH = 30
"""Characters that sentences in the last column need."""

MAX_NAMES_NOT_SHOWN = 12
"""Columns that a screen has no room for and names."""

SCREEN_ROWS = 40
"""Rows of tables, or lines of a text, on a screen."""


def screen_lines(
    layouts: Sequence[Layout],
    notes: Sequence[str],
    signature: str,
    *,
    width: int,
    max_rows: int | None = None,
    source_of_all: str = "-o FILE",
    source_of_first: str = "",
) -> list[str]:
    """Lay out tables one below another in aligned columns."""
    end_lines = [  # a command is copied, and not broken
        escape_controls(note) if "classy-aesop " in note else wrap(note, width) for note in notes
    ]
    end = "\n".join(filter(None, [*end_lines, short_signature(signature, width)]))
    parts: list[str] = []
    n_left = max_rows
    for number, layout in enumerate(layouts):
        stacked = stack_measures(layout, width)
        n_all = len(stacked.table)
        n_rows = n_all if n_left is None else min(n_all, max(n_left, MIN_ROWS))
        n_left = None if n_left is None else n_left - n_rows
        is_first_of_several = number == 0 and len(layouts) > 1
        source = source_of_first if is_first_of_several and source_of_first else source_of_all
        parts += _table_parts(stacked, width, n_rows, source)
    return "\n\n".join(filter(None, [*parts, end])).splitlines()


def first_lines(lines: Sequence[str], max_lines: int, source_of_all: str) -> list[str]:
    """Keep the first lines, the last of which counts those that are left out."""
    if len(lines) <= max_lines:
        return list(lines)
    n_left_out = len(lines) - max_lines + 2
    return [*lines[: max_lines - 2], "", f"{n_left_out} more lines: {source_of_all} has all."]


PARTS_OF_EVERY_SIGNATURE = ("test:", "interval:", "seed:")
"""What a short signature says besides the command and the version."""

DEFAULT_PEERS = "peers:all_peers"
"""What a short signature says last, where there is room."""


def short_signature(signature: str, width: int) -> str:
    """Keep of a signature the command, test, seed and version, and what else a line has room for; files have all."""
    parts = escape_controls(signature).split("|")

    def rank(number: int) -> tuple[bool, bool, int]:
        """Rank a part of the middle, what is needed first."""
        is_needed = parts[number].startswith(PARTS_OF_EVERY_SIGNATURE)
        return not is_needed, parts[number] == DEFAULT_PEERS, number

    shown_parts = sorted({0, len(parts) - 1})
    for number in sorted(range(1, len(parts) - 1), key=rank):
        longer = sorted([*shown_parts, number])
        if len("|".join(parts[n] for n in longer)) <= width:
            shown_parts = longer
    return "|".join(parts[number] for number in shown_parts)


def wrap(text: str, width: int) -> str:
    """Break a sentence into lines."""
    return textwrap.fill(escape_controls(text), width, break_on_hyphens=False)


def _table_parts(layout: Layout, width: int, n_rows: int, source_of_all: str) -> Iterator[str]:
    """Give the sentence, what all rows share and the first rows; a single row that is too long in lines."""
    yield wrap(layout.sentence(), width)
    n_all = len(layout.table)
    if layout.is_pair and n_all == 1:
        yield from _pair_parts(layout, width, source_of_all)
        return
    if n_all != 1 or table_width(layout.whole) <= width:
        yield wrap(layout.shared_text(), width)
        yield from _fit_width(_select_first_rows(layout, n_rows), layout, width, source_of_all)
        if n_rows < n_all:
            yield wrap(f"{n_all - n_rows:,} more rows: {source_of_all} has all.", width)
        return
    positions = {name: position for position, name in enumerate(names_of_columns(layout.whole))}
    names = sorted([*layout.shared, *names_of_columns(layout.table)], key=lambda name: positions.get(name, 0))
    cells = [layout.shared.get(name) or cell_text(layout.table[name].iat[0]) for name in names]
    yield _wrap_last_column(pd.DataFrame({"name": names, "value": cells}), width)


def _pair_parts(layout: Layout, width: int, source_of_all: str) -> Iterator[str]:
    """Give what is shared and the row of a pair; if it is too wide what matters less is above it; remarks are below."""
    remarks = layout.names_of(Purpose.REMARK)
    row = layout.table.drop(columns=remarks)
    minor = [str(name) for name in row if layout.priority(str(name)) < MAIN]
    above = [] if table_width(row) <= width else minor
    settings = [f"{name} {cell_text(row[name].iat[0])}" for name in above]
    yield wrap(", ".join(filter(None, [layout.shared_text(), *settings])), width)
    row = row.drop(columns=above)
    yield from _fit_width(row, layout, width, source_of_all)
    for name in remarks:
        yield wrap(f"{name.replace('_', ' ')}: {layout.table[name].iat[0]}", width)


def _fit_width(table: pd.DataFrame, layout: Layout, width: int, source_of_all: str) -> Iterator[str]:
    """Lay out a table in a width, and name the columns that are left out."""
    text, left_out = _choose_columns(table, layout, width)
    yield align(table.drop(columns=left_out)) if text is None else text
    if left_out:
        names = join_names([name for name in table if name in left_out], limit=MAX_NAMES_NOT_SHOWN)
        yield wrap(f"Not shown: {names} ({source_of_all} has all).", width)


def _choose_columns(table: pd.DataFrame, layout: Layout, width: int) -> tuple[str | None, list[str]]:
    """Lay out a table in a width: with short names, and without columns of low priority, but with the first one.

    Gives the text, or None where it is still too wide, and the columns that are left out.
    """
    text = _shorten_names(table, width, layout)
    left_out: list[str] = []
    for name in sorted(names_of_columns(table)[:0:-1], key=layout.priority):
        if text is not None:
            break
        other_end = "_".join({"low": "high", "high": "low"}.get(part, part) for part in name.split("_"))
        left_out += [end for end in (name, other_end) if end in table and end not in left_out]
        text = _shorten_names(table.drop(columns=left_out), width, layout)
    return text, left_out


MEASURE_COLUMN = "measure"
"""The column of measures that stand below each other."""

VALUE_COLUMN = "value"
"""The column of their values."""


def stack_measures(layout: Layout, width: int) -> Layout:
    """Give each measure of a table rows of its own, the best first, where the measures do not fit beside each other."""
    table = layout.table
    measures = [str(name) for name in table if name in layout.best]
    if len(measures) < 2 or not {*measures} & {*_choose_columns(table, layout, width)[1]}:
        return layout
    keys = [str(name) for name in table if name not in measures]
    strata = [name for name in keys if name in layout.names_of(Purpose.STRATUM)]
    items = [name for name in keys if name in layout.names_of(Purpose.ITEM)]
    values = table.reset_index(drop=True).melt(
        keys, measures, var_name=MEASURE_COLUMN, value_name=VALUE_COLUMN, ignore_index=False
    )
    groups = values.sort_index(kind="stable").groupby([*strata, MEASURE_COLUMN], sort=False, dropna=False)
    best_first = [
        rows.sort_values(VALUE_COLUMN, key=leading_numbers, ascending=layout.lower_is_better, kind="stable")
        for _, rows in groups
    ]
    stacked = pd.concat(best_first, ignore_index=True)
    if not is_number(stacked[VALUE_COLUMN]):
        stacked[VALUE_COLUMN] = stacked[VALUE_COLUMN].map(cell_text)
    order = dict.fromkeys([*strata, MEASURE_COLUMN, *items, VALUE_COLUMN, *keys])
    purposes = {MEASURE_COLUMN: Purpose.STRATUM, VALUE_COLUMN: Purpose.ESTIMATE}
    columns = layout.columns | {name: Column(name, "", purpose=purpose) for name, purpose in purposes.items()}
    columns |= {name: replace(columns[name], priority=WHICH_ROW) for name in (*purposes, *strata, *items)}
    return replace(layout, table=stacked[[*order]], best=(), columns=columns)


def _select_first_rows(layout: Layout, n_rows: int) -> pd.DataFrame:
    """Select the first rows; of measures below each other that do not fit as many of each as there is room for."""
    table = layout.table
    if MEASURE_COLUMN not in layout.columns or n_rows == len(table):
        return table.head(n_rows)
    strata = [name for name in layout.names_of(Purpose.STRATUM) if name != MEASURE_COLUMN]
    first = first_stratum(table, strata)
    measures = first.groupby(MEASURE_COLUMN, sort=False)
    return measures.head(n_rows // measures.ngroups) if len(first) > n_rows else table.head(n_rows)


def is_text(values: pd.Series) -> bool:
    """Whether a column holds text."""
    return bool(pd.api.types.is_string_dtype(values))


def _shorten_names(table: pd.DataFrame, width: int, layout: Layout) -> str | None:
    """Lay out a table with names as long as the width allows; None if the shortest are too long.

    Names stay distinct, and one that stands in several columns of items is shortened to the same in each. Remarks are
    not shortened, but go on below themselves in the last column.
    """
    excess = table_width(table) - width
    if excess <= 0:
        return align(table)
    texts = [name for name in table if is_text(table[name])]
    is_last_text = bool(texts) and texts[-1] == table.columns[-1]
    if is_last_text and table_width(table.iloc[:, :-1]) + 2 + MIN_SENTENCE_WIDTH <= width:
        return _wrap_last_column(table, width)
    shortenable = [
        name
        for name in texts
        if name in layout.names_of(Purpose.STRATUM, Purpose.ITEM, Purpose.SETTING, Purpose.COUNT)
    ]
    cells = {str(name): table[name].map(cell_text) for name in shortenable}
    longest = [(len(str(name)), max(map(len, column), default=0)) for name, column in cells.items()]
    for name_width in range(width, MIN_NAME_WIDTH - 1, -1):
        saved = sum(max(head, n) - max(head, min(n, name_width)) for head, n in longest)
        if saved >= excess:
            return align(table.assign(**_shorten_together(cells, name_width, layout.names_of(Purpose.ITEM))))
    return None


def _shorten_together(
    cells: dict[str, pd.Series], name_width: int, items: Sequence[str]
) -> dict[str, pd.Series]:
    """Shorten the names of columns; those of items as if they were one column."""
    of_items = [name for name in cells if name in items]
    shortened: dict[str, pd.Series] = {}
    for group in filter(None, [of_items, *([name] for name in cells if name not in items)]):
        names = list(dict.fromkeys(text for column in group for text in cells[column]))
        short = dict(zip(names, shorten_names(names, name_width), strict=True))
        shortened |= {column: cells[column].map(short) for column in group}
    return shortened


def _wrap_last_column(table: pd.DataFrame, width: int) -> str:
    """Lay out a table whose last column has sentences, which go on below themselves."""
    last = table.columns[-1]
    indent = table_width(table.iloc[:, :-1]) + 2
    room = max(width - indent, MIN_SENTENCE_WIDTH)
    wrapped = table[last].map(lambda value: textwrap.wrap(cell_text(value), room) or [""])
    text, *rows = align(table.assign(**{str(last): wrapped.str[0]})).splitlines()
    for row, lines in zip(rows, wrapped, strict=True):
        continued = (" " * indent + line for line in lines[1:])
        text += "".join(f"\n{line}" for line in [row, *continued])
    return text


def table_width(table: pd.DataFrame) -> int:
    """Give the width of a table that is laid out."""
    widths = column_widths(table)
    return sum(widths.values()) + 2 * (len(widths) - 1)


def column_widths(table: pd.DataFrame) -> dict[str, int]:
    """Give the width of each column."""
    widths = {}
    for name, values in table.items():
        cells = values.drop_duplicates().map(cell_text).tolist()
        widths[str(name)] = max(map(len, (*wrap_column_name(name, cells), *cells)))
    return widths
