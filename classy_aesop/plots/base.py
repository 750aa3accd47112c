"""What the pictures share: axes, colours, names that are safe to draw, and shapes as one compact path."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.errors import CONTROL, InputError, UsageError, listed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BLUE, VERMILLION, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#767676"
"""Three colours of Okabe and Ito (2008), and a grey, each with a contrast of at least 3:1 on white."""

CYCLE = (BLUE, VERMILLION, GREEN, "#cc79a7", "#e69f00", "#56b4e9")
"""Colours for several lines, which differ in their markers too."""

STYLE: dict[str, Any] = {"font.size": 9.0, "axes.spines.top": False, "axes.spines.right": False}
"""How pages and figures are set, whatever a process has."""

MARKERS = ("o", "D", "s", "^", "v", "P")

LONGEST = 28
"""Most characters of a name in a picture; a longer one is cut in the middle."""


def need(*names: str) -> None:
    """Check that the packages of the extra ``plots`` are installed.

    Raises
    ------
    UsageError
        One is missing; says how to install it.
    """
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError:
            raise UsageError(
                f"{name} is not installed; pictures and reports need it: pip install 'classy-aesop[plots]'"
            ) from None


def axes_for(table: pd.DataFrame, columns: Collection[str], what: str, ax: Axes | None) -> Axes:
    """Give the axes to draw a table on, or new ones of a new figure, if it has a row and these columns.

    Raises
    ------
    InputError
        It lacks a column, or has no row.
    UsageError
        matplotlib is not installed.
    """
    missing = [name for name in columns if name not in table]
    if missing:
        raise InputError(f"{what}: no column {listed(missing)} among {listed(table.columns, most=20)}")
    if table.empty:
        raise InputError(f"{what}: the table has no rows")
    need("matplotlib")
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def label(name: object, *, longest: int = LONGEST) -> str:
    r"""Make a name safe to draw: no formula, no control or direction character, not too long.

    Examples
    --------
    >>> label("a$b$"), label("x" * 40) == "x" * 18 + "…" + "x" * 9
    ('a\\$b\\$', True)
    """
    text = " ".join(plain(name).split())
    if len(text) > longest:
        text = f"{text[: longest - 10]}…{text[-9:]}"
    return text.replace("$", r"\$")


AXES = {
    "n_topics": "topics",
    "ba": "balanced accuracy",
    "estimate": "estimated mean human score",
    "judged": "human score",
    "summarizer": "summarizers",
    "coverage": "share of intervals that hold",
    "effect": "effect on the mean score of a topic",
    "share": "share of topics",
}
"""What axes say of columns whose names do not."""


def axis(name: str, table: pd.DataFrame) -> str:
    """Say what an axis shows of a table: the column, and of ``value`` whose correlation it is.

    Examples
    --------
    >>> import pandas as pd
    >>> axis("mean_rank", pd.DataFrame())
    'mean rank'
    >>> axis("value", pd.DataFrame({"coefficient": ["kendall"], "target": ["pyramid"], "level": ["system"]}))
    'kendall with pyramid, system level'
    """
    if name == "value" and "coefficient" in table:
        parts = [("{}", "coefficient"), (" with {}", "target"), (", {} level", "level")]
        same = ((said, table[column].unique()) for said, column in parts if column in table)
        return label("".join(said.format(found[0]) for said, found in same if len(found) == 1), longest=50)
    return label(AXES.get(name, name.replace("_", " ")))


def plain(name: object) -> str:
    """Put a replacement sign for each control character, half character, and mark that turns the direction of text.

    Examples
    --------
    >>> plain("a\\x00b\\u202ec")
    'a\ufffdb\ufffdc'
    """
    return CONTROL.sub(lambda found: found[0] if found[0] in "\t\n" else "\ufffd", str(name))


def dots(ax: Axes, x: ArrayLike, y: ArrayLike, *, color: str, size: float = 3.0) -> None:
    """Draw many points as one path, which keeps a vector picture of thousands of points small."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    points = np.column_stack([np.asarray(x, float), np.asarray(y, float)])
    points = points[~np.isnan(points).any(axis=1)]
    if not len(points):
        return
    path = Path(np.repeat(points, 2, axis=0), [Path.MOVETO, Path.LINETO] * len(points))
    line: dict[str, Any] = {"linewidth": size, "capstyle": "round", "fill": False}
    path.should_simplify = False  # a dot is a line without a length
    every = PathPatch(path, edgecolor=color, alpha=0.7, transform=ax.transData, **line)
    every.set_in_layout(False)  # it lies inside the axes
    ax.add_artist(every).set_clip_path(ax.patch)
    ax.update_datalim(points)
    ax.autoscale_view()


def legend(ax: Axes) -> None:
    """Write the legend above the picture, where it covers nothing."""
    ax.legend(
        frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0, handlelength=1.2
    )


def name_rows(ax: Axes, names: Collection[object]) -> None:
    """Write names at the left, one a row, the first at the top."""
    _at_left(ax, names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.locator_params(axis="x", nbins=5)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)


MOST_NAMES = 60
"""Most names at a side of a matrix; with more, none are written."""


def name_cells(ax: Axes, rows: Collection[object], columns: Collection[object]) -> None:
    """Write the names of a matrix at the left and below, one a cell; none at a side of too many."""
    _at_left(ax, rows if len(rows) <= MOST_NAMES else [], size=_size(rows))
    few = columns if len(columns) <= MOST_NAMES else []
    ax.set_xticks(range(len(few)), [label(name) for name in few], rotation=90, fontsize=_size(few))
    ax.tick_params(bottom=False)


def _size(names: Collection[object]) -> float:
    """Give the font size of names in cells."""
    return 6.0 if len(names) > 25 else 8.0


def _at_left(ax: Axes, names: Collection[object], *, size: float | None = None) -> None:
    """Write names as texts: matplotlib takes twice as long to draw labels of ticks."""
    ax.set_yticks([])
    beside = {"transform": ax.get_yaxis_transform(), "ha": "right", "va": "center", "size": size}
    for row, name in enumerate(names):
        ax.text(-0.02, row, label(name), **beside)  # type: ignore[arg-type]
