"""Numbers with their intervals, one a line: a forest plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.plots.base import BLUE, GREY, VERMILLION, axes_for, axis, name_rows, named_dots

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def forest(
    table: pd.DataFrame,
    *,
    names: str = "metric",
    value: str = "value",
    marked: str | None = None,
    beside: str | None = None,
    parted: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw each row's value, and where it has one its interval, the first row at the top.

    Parameters
    ----------
    table : DataFrame
        The columns ``names`` and ``value``, and ``low`` and ``high`` if there are intervals, as in the table of
        ``evaluate`` or ``leaderboard`` for one level and coefficient. A row without a value keeps its line.
    names, value : str
        Names of the columns.
    marked : str, optional
        A column of true and false: the true rows get the second colour and shape.
    beside : str, optional
        A column of other values, drawn as crosses.
    parted : str, optional
        A column whose values part the rows: a line is drawn where they change.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    ax = axes_for(table, [names, value, *filter(None, [marked, beside, parted])], "forest", ax)
    places = np.arange(len(table))
    if beside:
        ax.plot(table[beside], places, "x", color=GREY, ms=4)
    is_marked = table[marked].eq(True).to_numpy() if marked else np.zeros(len(table), bool)
    for color, marker, rows in ((BLUE, "o", ~is_marked), (VERMILLION, "D", is_marked)):
        shown = table[rows]
        if {"low", "high"} <= set(shown):
            ax.hlines(
                places[rows], shown["low"].astype(float), shown["high"].astype(float), color=color, lw=1.4
            )
        named_dots(ax, shown[value], places[rows], _names(shown, names, value), marker, color=color, ms=5)
    for row in _changes(table[parted]) if parted else ():
        ax.axhline(row + 0.5, color=GREY, lw=1)
    name_rows(ax, table[names].tolist())
    least, greatest = ax.get_xlim()
    if least < 0 < greatest:
        ax.axvline(0, color=GREY, lw=0.8, ls="--", zorder=0)
    ax.set_xlabel(axis(value, table))
    return ax


def _names(rows: pd.DataFrame, names: str, value: str) -> list[str]:
    """Name each row with its value, and with its interval if it has one."""
    said = [
        f"{name}: {found:.3f}" for name, found in zip(rows[names], rows[value].astype(float), strict=True)
    ]
    if {"low", "high"} <= set(rows):
        ends = zip(rows["low"].astype(float), rows["high"].astype(float), strict=True)
        both = zip(said, ends, strict=True)
        said = [
            one if np.isnan([low, high]).all() else f"{one} [{low:.3f}, {high:.3f}]"
            for one, (low, high) in both
        ]
    return said


def _changes(values: pd.Series) -> list[int]:
    """Give the rows after which another value begins."""
    codes = values.factorize()[0]
    return np.flatnonzero(np.diff(codes)).tolist()
