"""Who is significantly better than whom, as a matrix of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.plots.base import BLUE, GREY, VERMILLION, axes_for, legend, name_cells

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

FEW = 25
"""With more summarizers only the rows are named; the columns have the same order."""

_KINDS = ((1, BLUE, 0.84, "row better"), (-1, VERMILLION, 0.4, "row worse"), (0, GREY, 0.06, "no difference"))
"""The meanings of a cell, with the colour and the height of its bar."""


def pairs(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw for each pair whether the row's summarizer is significantly better than the column's, or worse.

    Those with the most wins come first. A full cell: the row is better; a bar of half its height: it is worse; a thin
    line: no significant difference; empty: not tested.

    Parameters
    ----------
    table : DataFrame
        The rows of `compare` for one year, task and metric: ``first, second, difference, significant``.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    ax = axes_for(table, ["first", "second", "difference", "significant"], "pairs", ax)
    names, sign = _signs(table)
    for wanted, color, height, name in _KINDS:
        _bars(ax, sign == wanted, height, color)
        ax.plot([], [], lw=9 * height, color=color, label=name)
    name_cells(ax, names, names if len(names) <= FEW else [])
    if len(names) > FEW:
        ax.set_xlabel("in the same order")
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.set_ylim(len(names) - 0.4, -0.6)
    legend(ax)
    return ax


def _signs(table: pd.DataFrame) -> tuple[list[str], NDArray[np.float64]]:
    """Give the names, most wins first, and 1, -1 or 0 for each cell; NaN where nothing was tested.

    Of those with as many wins, the one with the higher mean difference comes first.
    """
    names = list(dict.fromkeys([*table["first"], *table["second"]]))
    at = {name: place for place, name in enumerate(names)}
    first, second = (table[side].map(at).to_numpy() for side in ("first", "second"))
    difference = table["difference"].fillna(0).to_numpy(float)
    lead = np.zeros(len(names))
    np.add.at(lead, first, difference)
    np.add.at(lead, second, -difference)
    found = np.sign(difference) * table["significant"].eq(True).to_numpy()
    sign = np.full((len(names), len(names)), np.nan)
    sign[first, second] = sign[second, first] = 0
    differs = found != 0  # of two one-sided tests of a pair only one may find the difference
    first, second, found = first[differs], second[differs], found[differs]
    sign[first, second], sign[second, first] = found, -found
    order = np.lexsort((-lead, -np.nansum(sign, axis=1)))
    return [names[place] for place in order], sign[np.ix_(order, order)]


def _bars(ax: Axes, cells: NDArray[np.bool_], height: float, color: str) -> None:
    """Draw a bar over each run of cells in a row, all of them as one path."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    steps = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    (row, start), (_, stop) = np.nonzero(steps == 1), np.nonzero(steps == -1)
    if not len(row):
        return
    left, right, top, bottom = start - 0.5, stop - 0.5, row - height / 2, row + height / 2
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    points = np.array(corners).transpose(2, 0, 1).reshape(-1, 2)
    codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * len(row)
    every = PathPatch(Path(points, codes), facecolor=color, edgecolor="none", transform=ax.transData)
    ax.add_artist(every).set_in_layout(False)
