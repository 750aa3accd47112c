"""A score matrix as colours, summarizers and topics in the order of their means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.errors import InputError
from classy_aesop.plots.base import axes_for, label, name_cells

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def heatmap(
    scores: pd.DataFrame, *, metric: str | None = None, by_mean: bool = True, ax: Axes | None = None
) -> Axes:
    """Draw scores of summarizers (rows, the best at the top) on topics (columns, the highest at the left).

    Rankel, Conroy, Slud and O'Leary (2011), Figures 2 to 5.

    Parameters
    ----------
    scores : DataFrame
        A score table of one year and task.
    metric : str, optional
        The metric; needed if the table has several.
    by_mean : bool
        False puts rows and columns in the order of their names or values.
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
    ax = axes_for(scores, ["topic", "summarizer", "metric", "score"], "heatmap", ax)
    found = scores["metric"].unique().tolist()
    if metric is None and len(found) > 1:
        raise InputError(f"heatmap: the table has {len(found)} metrics; expected one, or metric=NAME")
    shown = scores[scores["metric"] == (metric or found[0])]
    if shown.empty:
        raise InputError(f"heatmap: the table has no rows of {metric}")
    if shown.duplicated(["topic", "summarizer"]).any():
        raise InputError("heatmap: several scores of one summarizer and topic; expected one year and task")
    cells = shown.pivot(index="summarizer", columns="topic", values="score")
    if by_mean:
        rows, columns = (
            cells.mean(axis=side).sort_values(ascending=False, kind="stable").index for side in (1, 0)
        )
        cells = cells.loc[rows, columns]
        ax.set_title("summarizers (rows) and topics (columns), by mean", fontsize=8)
    picture = ax.imshow(cells.to_numpy(float), cmap="cividis", aspect="auto")
    name_cells(ax, cells.index.tolist(), cells.columns.tolist())
    ax.figure.colorbar(picture, ax=ax, label=label(metric or found[0]))
    return ax
