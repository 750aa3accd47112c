"""Values as lines: one against another, a line for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from classy_aesop.plots.base import CYCLE, MARKERS, axes_for, axis, label, labels, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def curves(table: pd.DataFrame, *, x: str, y: str, by: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw one column against another; a line for each value of ``by``.

    Parameters
    ----------
    table : DataFrame
        The columns ``x`` (numbers, or names, which keep their order) and ``y``, and ``by`` if it is given; with ``low``
        and ``high`` a band is drawn.
    x, y : str
        Names of the columns.
    by : str, optional
        The column whose values are lines.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    ax = axes_for(table, [x, y, *([by] if by else [])], "curves", ax)
    names = None if pd.api.types.is_numeric_dtype(table[x]) else table[x].unique().tolist()
    places = table[x] if names is None else table[x].map(names.index)
    for at, (name, group) in enumerate(
        table.assign(place=places).groupby(by or np.zeros(len(table)), sort=False)
    ):
        rows, color = group.sort_values("place", kind="stable"), CYCLE[at % len(CYCLE)]
        mark = f"{MARKERS[at % len(MARKERS)]}-"
        ax.plot(rows["place"], rows[y], mark, color=color, ms=4, lw=1.2, label=label(name))
        if {"low", "high"} <= set(rows):
            ax.fill_between(rows["place"], rows["low"], rows["high"], color=color, alpha=0.15, lw=0)
    if names is not None:
        ax.set_xticks(range(len(names)), labels(names), rotation=90)
    ax.set_xlabel(axis(x, table))
    ax.set_ylabel(axis(y, table))
    if by:
        legend(ax)
    return ax
