"""How often a difference is detected, against what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.plots.base import GREY
from classy_aesop.plots.curves import curves

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
        The column whose values are lines, such as ``test``.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    ax = curves(table, x=x, y=y, by=by, ax=ax)
    ax.axhline(WANTED, color=GREY, lw=0.8, ls="--")
    ax.set_ylim(0, 1.02)
    return ax
