"""Scores against human scores, humans and machines apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.plots.base import (
    BLUE,
    GREY,
    VERMILLION,
    axes_for,
    axis,
    dots,
    legend,
    name_dots,
    named_dots,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MANY = 200
"""Most points that are drawn one by one; more are drawn as one path."""


def scatter(
    table: pd.DataFrame,
    *,
    x: str = "judged",
    y: str = "score",
    diagonal: bool = False,
    lines: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw a metric or prediction against human scores; machines as circles, humans as diamonds.

    Parameters
    ----------
    table : DataFrame
        A row a point, as `Experiment.points` or a mean of it: the columns ``x`` and ``y``. With ``human``
        the kinds differ in shape; with ``summarizer`` and no ``topic`` dots are named, as far as there is room; with
        ``low`` and ``high`` up to `MANY` points have intervals. Missing values are left out.
    x, y : str
        Names of the columns.
    diagonal : bool
        Draw the line where both are equal.
    lines : bool
        Draw the regression line of each kind.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    ax = axes_for(table, [x, y], "scatter", ax)
    is_human = table["human"].eq(True).to_numpy() if "human" in table else np.zeros(len(table), bool)
    kinds = [("systems", BLUE, "o", ~is_human), ("humans", VERMILLION, "D", is_human)]
    for name, color, marker, rows in kinds:
        points = table[rows].dropna(subset=[x, y])
        if points.empty:
            continue
        if len(table) > MANY:
            dots(ax, points[x], points[y], color=color)
            ax.plot([], [], marker, color=color, ms=4, label=f"{name} ({len(points)})")
        else:
            _intervals(ax, points, x, color)
            said = _names(points, x, y)
            named_dots(
                ax, points[x], points[y], said, marker, color=color, ms=4, label=f"{name} ({len(points)})"
            )
        if lines and points[x].nunique() > 1:
            ends = np.array([points[x].min(), points[x].max()])
            ax.plot(ends, np.polyval(np.polyfit(points[x], points[y], 1), ends), color=color, lw=1.2)
    if diagonal:
        middle = float(table[[x, y]].mean().mean())
        ax.axline((middle, middle), slope=1, color=GREY, lw=0.8, ls="--", zorder=0)
    ax.locator_params(nbins=5)
    ax.set_xlabel(axis(x, table))
    ax.set_ylabel("predicted score" if (x, y) == ("judged", "score") else axis(y, table))
    if is_human.any():
        legend(ax)
    if "summarizer" in table and "topic" not in table and len(table) <= MANY:
        shown = table.dropna(subset=[x, y])
        name_dots(ax, shown[x], shown[y], shown["summarizer"].tolist())
    return ax


def _names(points: pd.DataFrame, x: str, y: str) -> list[str]:
    """Name each point by its summarizer and topic, as far as they are known, and give its values."""
    columns = [points[name].astype(str) for name in ("summarizer", "topic") if name in points]
    places = [" ".join(parts) for parts in zip(*columns, strict=True)] or [""] * len(points)
    values = zip(points[x], points[y], strict=True)
    return [f"{place}: {at:.3f}, {high:.3f}" for place, (at, high) in zip(places, values, strict=True)]


def _intervals(ax: Axes, points: pd.DataFrame, x: str, color: str) -> None:
    if {"low", "high"} <= set(points):
        ax.vlines(points[x], points["low"], points["high"], color=color, lw=0.8, alpha=0.6)
