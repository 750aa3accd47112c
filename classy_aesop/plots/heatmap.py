"""A score matrix as colours, summarizers and topics in the order of their means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.errors import InputError
from classy_aesop.plots.base import axes_or_new, checked, label

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST_NAMES = 60
"""Names that are written at a side; of more, none."""


def heatmap(scores: pd.DataFrame, *, metric: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw scores of summarizers (rows, the best at the top) on topics (columns, the highest at the left).

    Rankel, Conroy, Slud and O'Leary (2011), Figures 2 to 5.

    Parameters
    ----------
    scores : DataFrame
        A score table of one year and task.
    metric : str, optional
        The metric; needed if the table has several.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        A column is missing, there is no such row, or several rows are of one cell or metric.
    """
    checked(scores, ["topic", "summarizer", "metric", "score"], "heatmap")
    found = scores["metric"].unique().tolist()
    if metric is None and len(found) > 1:
        raise InputError(f"heatmap: the table has {len(found)} metrics; expected one, or metric=NAME")
    own = checked(scores[scores["metric"] == (metric or found[0])], [], f"heatmap of {metric}")
    if own.duplicated(["topic", "summarizer"]).any():
        raise InputError("heatmap: several scores of one summarizer and topic; expected one year and task")
    ax = axes_or_new(ax)
    cells = own.pivot(index="summarizer", columns="topic", values="score")
    rows = cells.mean(axis=1).sort_values(ascending=False, kind="stable").index
    columns = cells.mean(axis=0).sort_values(ascending=False, kind="stable").index
    picture = ax.imshow(cells.loc[rows, columns].to_numpy(float), cmap="cividis", aspect="auto")
    _name(ax, "y", rows.tolist(), "summarizers")
    _name(ax, "x", columns.tolist(), "topics")
    ax.figure.colorbar(picture, ax=ax, label=label(metric or found[0]))
    return ax


def _name(ax: Axes, side: str, names: list[str], what: str) -> None:
    """Write the names at a side, or what they are if there are too many."""
    few = len(names) <= MOST_NAMES
    put = ax.set_yticks if side == "y" else ax.set_xticks
    put(range(len(names)) if few else [], [label(name) for name in names] if few else [])
    ax.tick_params(axis=side, length=0, labelsize=6 if len(names) > 25 else 8)  # type: ignore[arg-type]
    if side == "x":
        ax.tick_params(axis="x", rotation=90)
    (ax.set_ylabel if side == "y" else ax.set_xlabel)(f"{what}, by mean")
