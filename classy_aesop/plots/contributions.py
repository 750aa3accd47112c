"""What moves a predictor's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.plots.base import BLUE, axes_for, name_rows

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BASELINE = "baseline"


def contributions(table: pd.DataFrame, *, most: int = 15, ax: Axes | None = None) -> Axes:
    """Draw how far each part moves the scores: the standard deviation of its contributions, the greatest first.

    Parameters
    ----------
    table : DataFrame
        The rows of one predictor: ``part`` and ``spread`` (`Experiment.contributions`), or ``part`` and
        ``contribution`` (`Predictor.explain`), whose spread is computed.
    most : int
        Parts that are shown; the rest is left out, and counted below.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    value = "spread" if "spread" in table else "contribution"
    ax = axes_for(table, ["part", value], "contributions", ax)
    if value == "contribution":
        of_parts = table[table["part"] != BASELINE].groupby("part", sort=False)["contribution"]
        table = of_parts.std(ddof=0).rename("spread").reset_index()
    ordered = table.sort_values("spread", ascending=False, kind="stable")
    shown = ordered.head(most)
    ax.barh(range(len(shown)), shown["spread"], color=BLUE, height=0.6)
    name_rows(ax, shown["part"].tolist())
    left = len(ordered) - len(shown)
    ax.set_xlabel("spread of contributions" + (f"; {left} smaller parts not shown" if left else ""))
    return ax
