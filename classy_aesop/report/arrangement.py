"""Tables as readers get them: cells with three decimals, related numbers side by side, columns that line up.

Programs get the long tables. A missing value is a dash, and names are without control characters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from classy_aesop.errors import visible


def is_number(values: Any) -> bool:
    """Whether a column, or one of this type, holds numbers, and not truth values."""
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def cells_of(table: pd.DataFrame) -> list[list[str]]:
    """Give each column as text, its name first."""
    return [[visible(str(name)), *map(cell, values.tolist())] for name, values in table.items()]


def cell(value: Any) -> str:
    """Write a value for reading; a number that would be rounded to zero is written with a power of ten.

    Examples
    --------
    >>> cell(0.25), cell(0.0001), cell(float("nan")), cell(3)
    ('0.250', '1e-04', '-', '3')
    """
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return "-"
    if isinstance(value, float):
        return f"{value:.0e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"
    return visible(str(value))


_WIDEST = 200
"""Characters up to which a column is padded: one long cell would make every row as long."""


def aligned(table: pd.DataFrame) -> str:
    """Align a table in columns: text to the left, numbers to the right with three decimals."""
    columns = []
    for name, cells in zip(table, cells_of(table), strict=True):
        set_text = str.rjust if is_number(table[name]) else str.ljust
        width = min(max(map(len, cells)), _WIDEST)
        columns.append([set_text(text, width) for text in cells])
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


SETTINGS = {
    "preset", "alpha", "n_resamples", "n_dropped", "top", "n_metrics", "units", "scale",
    "confidence", "wanted", "n_trials", "margin", "variant",
}  # fmt: skip
"""Columns that show how numbers were made, as the signature does."""

_MAY_BE_EMPTY = {"year", "task", "assessor", "other", "flag", "seed", "beyond", "outside"}


def without_settings(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out settings that are the same in every row, and what is empty of `_MAY_BE_EMPTY`."""
    same = {name for name in table if table[name].nunique(dropna=False) <= 1}
    empty = {name for name in same & _MAY_BE_EMPTY if (table[name].isna() | (table[name] == "")).all()}
    return table.drop(columns=[*(same & SETTINGS), *empty])


def pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Put the pairs that differ most surely first, in each year and task, and of metrics at each level."""
    by = [name for name in ("p_adjusted", "p_overall", "p") if name in table]
    return without_settings(by_place(table, "level", "coefficient", by=by))


def assessors(table: pd.DataFrame) -> pd.DataFrame:
    """Name the row of all assessors, whose cell is empty, where there are rows of single ones too."""
    if "assessor" in table and table["assessor"].fillna("").ne("").any():
        named = table["assessor"].fillna("").replace("", "all together")
        table = table.assign(assessor=named)
    return without_settings(table)


def by_place(table: pd.DataFrame, *more: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Put the rows of one year and task together, places in the order of their first rows, and sort them within."""
    place = [name for name in ("year", "task", *more) if name in table]
    groups = table.groupby(place, sort=False, dropna=False).ngroup() if place else 0
    ordered = table.assign(place=groups).sort_values(["place", *by], kind="stable", ignore_index=True)
    return ordered.drop(columns="place")


def without_constants(table: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Take out columns that are the same in every row, if there are several rows; give these and the rest.

    A column without any value is not among these.
    """
    if len(table) < 2:
        return table, {}
    same = [name for name in table if table[name].nunique(dropna=False) <= 1]
    kept = [name for name in table if name not in same] or list(table)[-1:]
    constants = {str(name): table[name].iloc[0] for name in same if name not in kept}
    return table[kept], {name: value for name, value in constants.items() if cell(value) not in ("", "-")}


def evaluation(table: pd.DataFrame) -> pd.DataFrame:
    """Put the coefficients of an evaluation side by side: a row for each year, task, metric, target and level.

    With an interval, a cell is ``value [low, high]``; an accuracy is followed by its chance level in brackets. The rows
    of a leaderboard also have their peer set and source.
    """
    counts = ["n_summarizers", "n_topics", "n_skipped"]
    lines = ["year", "task", "peers", "source", "metric", "target", "level"]
    table = by_place(table)
    if "low" in table:
        table = table.assign(value=list(map(_with_ends, table["value"], table["low"], table["high"])))
    if "chance" in table:
        table = _with_chance(table)
    if "ceiling" in table:
        table = _with_raters(table)
    wide = side_by_side(table, [*filter(table.__contains__, lines), *counts], "coefficient", "value")
    return without_settings(wide[[*wide.columns.drop(counts), *counts]])


def metric_ranks(table: pd.DataFrame) -> pd.DataFrame:
    """Show a ranking of metrics: both clusters, the interval beside each correlation, and who is better last."""
    cells = list(map(_with_ends, table["value"], table["low"], table["high"]))
    shown = [*table.columns[: table.columns.get_loc("metric")], "cluster", "cluster_here", "metric"]
    by_strata = ["spread"] if "spread" in table else []
    signs = table["beats"].str.replace(" ", "")
    table = table.assign(value=cells, beats=signs)[[*shown, "value", *by_strata, "beats"]]
    return without_settings(table.rename(columns={"cluster_here": "here"}))


def _with_raters(table: pd.DataFrame) -> pd.DataFrame:
    """Put the ceiling, the others and the rater after each coefficient, as if they were coefficients."""
    parts = [table]
    for column, name in (("ceiling", " ceiling"), ("of_others", ", others"), ("rater_of_others", ", rater")):
        there = table[table[column].notna()]
        parts.append(there.assign(value=there[column], coefficient=there["coefficient"] + name))
    return pd.concat(parts).sort_index(kind="stable")


def _with_chance(table: pd.DataFrame) -> pd.DataFrame:
    """Name the chance level in a coefficient's name and give it in its cells, where it is not 0."""
    above = table["chance"] != 0
    values = [one if isinstance(one, str) else cell(one) for one in table["value"]]
    cells = [f"{value} ({cell(chance)})" for value, chance in zip(values, table["chance"], strict=True)]
    return table.assign(
        value=table["value"].where(~above, pd.Series(cells, index=table.index, dtype=object)),
        coefficient=table["coefficient"].where(~above, table["coefficient"] + " (chance)"),
    )


def _with_ends(value: float, low: float, high: float) -> str:
    return cell(value) if math.isnan(low) else f"{cell(value)} [{cell(low)}, {cell(high)}]"


def contributions(table: pd.DataFrame) -> pd.DataFrame:
    """Put the contributions to a score side by side, one row per summary, after the score, which is their sum."""
    keys = [name for name in ("year", "topic", "task", "summarizer", "metric") if name in table]
    wide = side_by_side(table, keys, "part", "contribution")
    score = wide.drop(columns=keys).sum(axis=1, skipna=False)
    wide.insert(len(keys), "score", score)
    return without_settings(wide)


def side_by_side(table: pd.DataFrame, lines: list[str], across: str, cell: str) -> pd.DataFrame:
    """Turn the values of the column ``across`` into columns; rows and columns keep the order of the table.

    What stands twice, as in joined tables, has two lines.
    """
    again = table.groupby([*lines, across], dropna=False).cumcount()
    table, lines = table.assign(again=again), [*lines, "again"]
    first = pd.MultiIndex.from_frame(table[lines].drop_duplicates())
    wide = table.pivot(index=lines, columns=across, values=cell).reindex(first)
    return wide[list(table[across].unique())].rename_axis(columns=None).reset_index().drop(columns="again")
