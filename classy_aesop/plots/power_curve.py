"""How often a difference is detected, against what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.plots.base import CYCLE, GREY, MARKERS, axes_for, label, legend

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

WANTED = 0.8
"""The power that is usually asked for; a line is drawn there."""


def power_curve(
    table: pd.DataFrame,
    *,
    x: str = "n_topics",
    y: str = "power",
    by: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw power against the number of topics, or against another quantity; a line for each value of ``by``.

    Parameters
    ----------
    table : DataFrame
        The columns ``x`` and ``y``, and ``by`` if it is given; with ``low`` and ``high`` a band is drawn.
    x, y : str
        Names of the columns.
    by : str, optional
        The column that tells lines apart, such as ``test``.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        A column is missing or there is no row.
    """
    ax = axes_for(table, [x, y, *([by] if by else [])], "power_curve", ax)
    groups = table.groupby(by, sort=False) if by else [("", table)]
    for place, (name, rows) in enumerate(groups):
        own, color = rows.sort_values(x, kind="stable"), CYCLE[place % len(CYCLE)]
        ax.plot(
            own[x], own[y], f"{MARKERS[place % len(MARKERS)]}-", color=color, ms=4, lw=1.2, label=label(name)
        )
        if {"low", "high"} <= set(own):
            ax.fill_between(own[x], own["low"], own["high"], color=color, alpha=0.15, lw=0)
    ax.axhline(WANTED, color=GREY, lw=0.8, ls="--")
    ax.set_ylim(0, 1.02)
    ax.set_xlabel(x.replace("n_topics", "topics"))
    ax.set_ylabel(y)
    if by:
        legend(ax)
    return ax
