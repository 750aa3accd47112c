"""A ranking in clusters: means, and the ranks that the tests leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.plots.base import BLUE, GREY, axes_for, name_rows

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def clusters(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw each summarizer's rank and the ranks left open, with a line between clusters.

    Parameters
    ----------
    table : DataFrame
        The rows of `rank` for one year and task, best first: ``summarizer, mean, cluster, rank, best_rank,
        worst_rank``.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    columns = ["summarizer", "mean", "cluster", "rank", "best_rank", "worst_rank"]
    ax = axes_for(table, columns, "clusters", ax)
    places = np.arange(len(table))
    ax.hlines(places, table["best_rank"], table["worst_rank"], color=BLUE, lw=1.4)
    ax.plot(table["rank"], places, "o", color=BLUE, ms=4)
    for place in np.flatnonzero(np.diff(table["cluster"].to_numpy())):
        ax.axhline(place + 0.5, color=GREY, lw=1)
    means = zip(table["summarizer"], table["mean"], strict=True)
    name_rows(ax, [f"{name}  {mean:.2f}" for name, mean in means])
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("rank, and the ranks left open")
    return ax
