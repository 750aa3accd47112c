"""The pictures: each function takes a table, and the matplotlib axes to draw on, or draws on new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from classy_aesop.data.directions import is_lower_better, lower_measures
from classy_aesop.errors import InputError
from classy_aesop.formulas.base import BASELINE_PART
from classy_aesop.plots.base import (
    BLUE,
    CYCLE,
    GREY,
    MARKERS,
    VERMILLION,
    axes_for,
    axis_label,
    draw_dots,
    draw_legend,
    safe_label,
    safe_labels,
    write_cell_names,
    write_row_names,
)
from classy_aesop.significance.decisions import sign_of_effect

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray


def forest(
    table: pd.DataFrame,
    *,
    names: str = "metric",
    value: str = "value",
    marked: str | None = None,
    crosses: str | None = None,
    separate_by: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw each row's value, and where it has one its interval, the first row at the top.

    Parameters
    ----------
    table : DataFrame
        The columns ``names`` and ``value``, and ``low`` and ``high`` if there are intervals, as in the table of
        ``evaluate`` for one level and coefficient. A row without a value keeps its line.
    names, value : str
        Names of the columns.
    marked : str, optional
        A column of true and false: the true rows get the second colour and shape.
    crosses : str, optional
        A column of other values, drawn as crosses.
    separate_by : str, optional
        A column whose values part the rows: a line is drawn where they change.
    ax : Axes, optional
        The axes to draw on; by default those of a new figure.
    """
    ax = axes_for(table, [names, value, *filter(None, [marked, crosses, separate_by])], "forest", ax)
    positions = np.arange(len(table))
    is_marked = table[marked].eq(True).to_numpy() if marked else np.zeros(len(table), bool)
    for color, marker, rows in ((BLUE, "o", ~is_marked), (VERMILLION, "D", is_marked)):
        shown = table[rows]
        _draw_ends(ax.hlines, positions[rows], shown, color=color, lw=1.4)
        ax.plot(shown[value].astype(float), positions[rows], marker, color=color, ms=5)
    if crosses:
        ax.plot(table[crosses], positions, "x", color="black", ms=7)
    if separate_by:
        for last in np.flatnonzero(np.diff(table[separate_by].factorize()[0])):
            ax.axhline(last + 0.5, color=GREY, lw=1)
    write_row_names(ax, table[names].tolist())
    left_end, right_end = ax.get_xlim()
    if left_end < 0 < right_end:
        ax.axvline(0, color=GREY, lw=0.8, ls="--", zorder=0)
    ax.set_xlabel(axis_label(value, table), loc="right")  # a long one has room below the names
    return ax


def _draw_ends(
    draw: Callable[..., object], positions: ArrayLike, table: pd.DataFrame, **style: str | float
) -> None:
    """Draw the intervals of a table, if it has any, as lines or as a band."""
    if {"low", "high"} <= set(table):
        ends = table[["low", "high"]].astype(float)
        draw(positions, ends["low"], ends["high"], **style)


MAX_PARTS_DRAWN = 15
"""Parts that a picture of contributions shows."""


def contributions(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the standard deviation of each component's contributions to the scores, the largest `MAX_PARTS_DRAWN` first.

    Parameters
    ----------
    table : DataFrame
        The rows of one predictor: ``part`` and ``spread`` (`Experiment.contributions`), or ``part`` and
        ``contribution`` (`Predictor.explain`), whose spread is computed.
    ax : Axes, optional
        The axes to draw on; by default those of a new figure.
    """
    value = "spread" if "spread" in table else "contribution"
    ax = axes_for(table, ["part", value], "contributions", ax)
    if value == "contribution":
        of_parts = table[table["part"] != BASELINE_PART].groupby("part", sort=False)["contribution"]
        table = of_parts.std(ddof=0).rename("spread").reset_index()
    ordered = table.sort_values("spread", ascending=False, kind="stable")
    shown = ordered.head(MAX_PARTS_DRAWN)
    ax.barh(range(len(shown)), shown["spread"], color=BLUE, height=0.6)
    write_row_names(ax, shown["part"].tolist())
    n_not_shown = len(ordered) - len(shown)
    ax.set_xlabel(
        "spread of contributions" + (f"; {n_not_shown} smaller parts not shown" if n_not_shown else ""),
        loc="right",
    )
    return ax


MAX_POINTS_ONE_BY_ONE = 200
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
        the kinds differ in shape; with ``low`` and ``high`` up to `MAX_POINTS_ONE_BY_ONE` points have intervals.
        Missing values are left out.
    x, y : str
        Names of the columns.
    diagonal : bool
        Draw the line where both are equal.
    lines : bool
        Draw the regression line of each kind.
    ax : Axes, optional
        The axes to draw on; by default those of a new figure.
    """
    ax = axes_for(table, [x, y], "scatter", ax)
    is_human = table["human"].eq(True).to_numpy() if "human" in table else np.zeros(len(table), bool)
    kinds = [("systems", BLUE, "o", ~is_human), ("humans", VERMILLION, "D", is_human)]
    for name, color, marker, rows in kinds:
        points = table[rows].dropna(subset=[x, y])
        if points.empty:
            continue
        if len(table) > MAX_POINTS_ONE_BY_ONE:
            draw_dots(ax, points[x], points[y], color=color)
            ax.plot([], [], marker, color=color, ms=4, label=f"{name} ({len(points)})")
        else:
            _draw_ends(ax.vlines, points[x], points, color=color, lw=0.8, alpha=0.6)
            ax.plot(points[x], points[y], marker, color=color, ms=4, label=f"{name} ({len(points)})")
        if lines and points[x].nunique() > 1:
            ends = np.array([points[x].min(), points[x].max()])
            ax.plot(ends, np.polyval(np.polyfit(points[x], points[y], 1), ends), color=color, lw=1.2)
    if diagonal:
        middle = float(table[[x, y]].mean().mean())
        ax.axline((middle, middle), slope=1, color=GREY, lw=0.8, ls="--", zorder=0)
    ax.locator_params(nbins=5)
    ax.set_xlabel(axis_label(x, table))
    ax.set_ylabel("predicted score" if (x, y) == ("judged", "score") else axis_label(y, table))
    if is_human.any():
        draw_legend(ax)
    return ax


_CELLS = (
    (1, BLUE, 0.84, "row better"),
    (-1, VERMILLION, 0.4, "row worse"),
    (0, GREY, 0.06, "not significant"),
)
"""The meanings of a cell, with the colour and the height of its bar."""


class ComparedPair(NamedTuple):
    """What `pairs` draws of a row: two summarizers, the first's mean less the second's, and whether they differ."""

    first: str
    second: str
    difference: float
    significant: bool


def pairs(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw for each pair whether the row's summarizer is significantly better than the column's, or worse.

    Those with the most wins come first. A full cell: the row is better; a bar of half its height: it is worse; a thin
    line: no significant difference; empty: not tested.

    Parameters
    ----------
    table : DataFrame
        The rows of `compare_pairs` for one year, task and metric, with the columns of `ComparedPair`.
    """
    ax = axes_for(table, ComparedPair._fields, "pairs", ax)
    names, sign = _sign_matrix(table)
    for meaning, color, height, name in _CELLS:
        _draw_bars(ax, sign == meaning, height, color)
        ax.plot([], [], lw=9 * height, color=color, label=name)
    write_cell_names(ax, names, names)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.set_ylim(len(names) - 0.4, -0.6)
    draw_legend(ax)
    return ax


def _sign_matrix(table: pd.DataFrame) -> tuple[list[str], NDArray[np.float64]]:
    """Return the names, most wins first, and 1, -1 or 0 for each cell; NaN where nothing was tested.

    Of those with as many wins, the one with the better mean difference comes first.
    """
    lower = is_lower_better(table)
    difference = table["difference"].fillna(0)
    sign = sign_of_effect(difference, lower_is_better=lower) * table["significant"].eq(True)
    pairs = table[["first", "second"]].assign(sign=sign, lead=-difference if lower else difference)
    turned = pairs.assign(
        first=pairs["second"], second=pairs["first"], sign=-pairs["sign"], lead=-pairs["lead"]
    )
    ordered_pairs = pd.concat([pairs, turned])
    # of two one-sided tests of a pair only one may find the difference
    signs = ordered_pairs.groupby(["first", "second"], sort=False)["sign"].sum().clip(-1, 1).unstack()
    names = pd.concat([table["first"], table["second"]]).unique()
    totals = pd.DataFrame({"wins": signs.sum(axis=1), "lead": ordered_pairs.groupby("first")["lead"].sum()})
    ordered = totals.loc[names].sort_values(["wins", "lead"], ascending=False, kind="stable").index
    return ordered.tolist(), signs.loc[ordered, ordered].to_numpy(float)


def _draw_bars(ax: Axes, cells: NDArray[np.bool_], height: float, color: str) -> None:
    """Draw a bar over each run of cells in a row, all of them as one path."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    steps = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, start = np.nonzero(steps == 1)
    _, stop = np.nonzero(steps == -1)
    if not len(row):
        return
    left_end = start - 0.5
    right_end = stop - 0.5
    top = row - height / 2
    bottom = row + height / 2
    corners = np.array(
        [(left_end, top), (right_end, top), (right_end, bottom), (left_end, bottom)]
    ).transpose(2, 0, 1)
    path = Path.make_compound_path_from_polys(corners)
    patch = PathPatch(path, facecolor=color, edgecolor="none", transform=ax.transData)
    ax.add_artist(patch).set_in_layout(False)


def heatmap(
    scores: pd.DataFrame,
    *,
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw scores of summarizers (rows, the best at the top) on topics (columns, the highest at the left).

    A cell without a score is white.

    Rankel, Conroy, Slud and O'Leary (2011), Figures 2 to 5.

    Parameters
    ----------
    scores : DataFrame
        A score table of one year, task and metric.
    rows, columns : list of str, optional
        The summarizers and topics in the order in which they are drawn; both, or none for that of their means.
    ax : Axes, optional
        The axes to draw on; by default those of a new figure.

    Raises
    ------
    InputError
        Several rows are of one cell, or there are several metrics.
    """
    ax = axes_for(scores, ["topic", "summarizer", "metric", "score"], "heatmap", ax)
    metric, *other_metrics = scores["metric"].unique()
    if other_metrics:
        raise InputError(f"heatmap: the table has {1 + len(other_metrics)} metrics; expected one")
    if scores.duplicated(["topic", "summarizer"]).any():
        raise InputError("heatmap: several scores of one summarizer and topic; expected one year and task")
    cells = scores.pivot(index="summarizer", columns="topic", values="score")
    if rows is not None and columns is not None:
        cells = cells.loc[rows, columns]
    else:
        lower = metric in lower_measures(scores)
        best_rows = cells.mean(axis=1).sort_values(ascending=lower, kind="stable").index
        best_columns = cells.mean(axis=0).sort_values(ascending=lower, kind="stable").index
        cells = cells.loc[best_rows, best_columns]
        ax.set_title("summarizers (rows) and topics (columns), by mean", fontsize=8)
    picture = ax.imshow(cells.to_numpy(float), cmap="cividis", aspect="auto")
    write_cell_names(ax, cells.index.tolist(), cells.columns.tolist())
    ax.figure.colorbar(picture, ax=ax, label=safe_label(metric))
    return ax


def curves(
    table: pd.DataFrame,
    *,
    x: str,
    y: str,
    by: str | None = None,
    order: str | None = None,
    goal: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one column against another; a line for each value of ``by``.

    Parameters
    ----------
    table : DataFrame
        The columns ``x`` (numbers, or names, which keep their order) and ``y``, and ``by`` if it is given; with ``low``
        and ``high`` a band is drawn.
    x, y, by : str
        Names of the columns.
    order : str, optional
        The column in whose order points are joined, by default that of ``x``.
    goal : float, optional
        A share that is asked for, such as a power of .8: a line is drawn there, and the axis is from 0 to 1.
    ax : Axes, optional
        The axes to draw on; by default those of a new figure.
    """
    ax = axes_for(table, [x, y, *([by] if by else [])], "curves", ax)
    names = None if pd.api.types.is_numeric_dtype(table[x]) else table[x].unique().tolist()
    positions = table[x] if names is None else table[x].map(names.index)
    for number, (name, group) in enumerate(
        table.assign(place=positions).groupby(by or np.zeros(len(table)), sort=False)
    ):
        rows = group.sort_values(order or "place", kind="stable")
        n_rounds, place = divmod(number, len(CYCLE))
        color = CYCLE[place]
        mark = f"{MARKERS[(place + n_rounds) % len(MARKERS)]}-"  # each round of colours has other markers
        ax.plot(rows["place"], rows[y], mark, color=color, ms=4, lw=1.2, label=safe_label(name))
        _draw_ends(ax.fill_between, rows["place"], rows, color=color, alpha=0.15, lw=0)
    if names is not None:
        ax.set_xticks(range(len(names)), safe_labels(names), rotation=90)
    ax.set_xlabel(axis_label(x, table))
    ax.set_ylabel(axis_label(y, table))
    if goal is not None:
        ax.axhline(goal, color=GREY, lw=0.8, ls="--")
        ax.set_ylim(0, 1.02)
    if by:
        draw_legend(ax)
    return ax
