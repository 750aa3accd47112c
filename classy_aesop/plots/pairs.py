"""Who is significantly better than whom, as a matrix of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.plots.base import BLUE, GREY, VERMILLION, axes_or_new, checked, label, legend

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_UP = np.array([[-0.34, 0.28], [0.34, 0.28], [0.0, -0.34]])
"""A triangle that points up where rows go down."""


def pairs(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw for each pair whether the row's summarizer is significantly better than the column's, or worse.

    Those with the most wins come first. A triangle up: the row is better; down: it is worse; a point: no significant
    difference; empty: not tested.

    Parameters
    ----------
    table : DataFrame
        The rows of `compare` for one year, task and metric: ``first, second, difference, significant``.
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
    checked(table, ["first", "second", "difference", "significant"], "pairs")
    ax = axes_or_new(ax)
    names, sign = _signs(table)
    for wanted, color, name in ((1, BLUE, "row better"), (-1, VERMILLION, "row worse")):
        _triangles(ax, np.argwhere(sign == wanted), -_UP if wanted < 0 else _UP, color)
        ax.plot([], [], "^" if wanted > 0 else "v", color=color, label=name)
    undecided = np.argwhere(sign == 0)
    ax.plot(undecided[:, 1], undecided[:, 0], ",", color=GREY)
    for put, ends in ((ax.set_xticks, ax.set_xlim), (ax.set_yticks, ax.set_ylim)):
        put(range(len(names)), [label(name) for name in names])
        ends(-0.6, len(names) - 0.4)
    ax.invert_yaxis()
    ax.tick_params(length=0, labelsize=6 if len(names) > 25 else 8)
    ax.tick_params(axis="x", rotation=90)
    legend(ax)
    return ax


def _signs(table: pd.DataFrame) -> tuple[list[str], NDArray[np.float64]]:
    """Give the names, most wins first, and 1, -1 or 0 for each cell; NaN where nothing was tested."""
    names = list(dict.fromkeys([*table["first"], *table["second"]]))
    at = {name: place for place, name in enumerate(names)}
    first, second = (table[side].map(at).to_numpy() for side in ("first", "second"))
    found = np.sign(table["difference"].fillna(0).to_numpy(float)) * table["significant"].eq(True).to_numpy()
    sign = np.full((len(names), len(names)), np.nan)
    sign[first, second], sign[second, first] = found, -found
    order = np.argsort(-np.nansum(sign, axis=1), kind="stable")
    return [names[place] for place in order], sign[np.ix_(order, order)]


def _triangles(ax: Axes, cells: NDArray[np.int64], shape: NDArray[np.float64], color: str) -> None:
    """Draw one shape at every cell, as one path."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if not len(cells):
        return
    corners = cells[:, None, ::-1] + shape
    points = np.concatenate([corners, corners[:, :1]], axis=1).reshape(-1, 2)
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(cells)
    every = PathPatch(Path(points, codes), facecolor=color, edgecolor="none", transform=ax.transData)
    ax.add_artist(every).set_in_layout(False)
