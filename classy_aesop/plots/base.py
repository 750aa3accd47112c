"""What the pictures share: axes, colours, names that are safe to draw, and shapes as one compact path."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from os.path import commonprefix
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.errors import CONTROL, InputError, UsageError, join_names

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BLUE = "#0072b2"
VERMILLION = "#d55e00"
GREEN = "#00815f"
GREY = "#767676"
"""Three colours after Okabe and Ito (2008), and a grey, each with a contrast of at least 3:1 on white."""

CYCLE = (BLUE, VERMILLION, GREEN, "#b0578f", "#a87000", "#2a86b8")
"""Colours for several lines, which differ in their markers too."""

STYLE: Mapping[str, float | bool] = {"font.size": 9.0, "axes.spines.top": False, "axes.spines.right": False}
"""How pages and figures are set, whatever a process has."""

MARKERS = ("o", "D", "s", "^", "v", "P")

MAX_LABEL_LENGTH = 28
"""Most characters of a name in a picture; a longer one is cut in the middle."""


def require_packages(*names: str) -> None:
    """Raise UsageError, which says how to install it, if a package of the extra ``plots`` is missing."""
    for name in names:
        if find_spec(name) is None:
            raise UsageError(
                f"{name} is not installed; pictures and reports need it: pip install matplotlib jinja2"
            )


def axes_for(table: pd.DataFrame, columns: Collection[str], picture: str, ax: Axes | None) -> Axes:
    """Return the axes to draw a table on, or new ones of a new figure."""
    missing = [name for name in columns if name not in table]
    if missing:
        raise InputError(
            f"{picture}: no column {join_names(missing)} among {join_names(table.columns, limit=20)}"
        )
    if table.empty:
        raise InputError(f"{picture}: the table has no rows")
    require_packages("matplotlib")
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def safe_label(name: object, *, longest: int = MAX_LABEL_LENGTH) -> str:
    """Make a name safe to draw: no formula, no control or direction character, not too long."""
    return _cut_middle(" ".join(replace_control(name).split()), longest).replace("$", r"\$")


def safe_labels(names: Collection[object]) -> list[str]:
    """Make names safe to draw together, see `shorten_names`."""
    short = shorten_names([" ".join(replace_control(name).split()) for name in names], MAX_LABEL_LENGTH)
    return [name.replace("$", r"\$") for name in short]


def shorten_names(names: Sequence[str], longest: int) -> list[str]:
    """Shorten names to at most so many characters, at least 12; names that differ stay different.

    If one is longer, what they have in common is left out; then what is too long still loses its middle.
    """
    different = list(dict.fromkeys(names))
    start = end = 0
    if max(map(len, different), default=0) > longest:
        start = _common_prefix_length(different)
        end = _common_prefix_length([text[start:][::-1] for text in different])
    marks = ("…" if start else "", "…" if end else "")
    short = {text: _cut_middle(text[start : len(text) - end].join(marks), longest) for text in different}
    for _ in different:
        groups: dict[str, list[str]] = {}
        for text, shortened in short.items():
            groups.setdefault(shortened, []).append(text)
        if len(groups) == len(short):
            break
        for texts in groups.values():
            if len(texts) > 1:
                begin = max(0, len(commonprefix(texts)) - longest // 2)  # noqa: RUF071 -- shortly before they differ
                short |= {text: _cut_ends(text, begin, longest) for text in texts}
    return [short[text] for text in names]


def _cut_middle(text: str, longest: int) -> str:
    """Cut a text in its middle, after which more of its start stays than of its end."""
    return text if len(text) <= longest else f"{text[: longest - 10]}…{text[-9:]}"


def _cut_ends(text: str, begin: int, longest: int) -> str:
    """Cut a text before a place, and after as many characters as may stay; a mark stands where it was cut."""
    mark = "…" if begin else ""
    n_kept = longest - len(mark)
    kept_text = text[begin:]
    return mark + (kept_text if len(kept_text) <= n_kept else f"{kept_text[: n_kept - 1].rstrip()}…")


def _common_prefix_length(texts: list[str]) -> int:
    """Count the characters that different texts begin with in common, up to the end of a word; one stays at least."""
    match = re.match(r".*[\W_]", commonprefix(texts))  # noqa: RUF071
    return min(match.end(), *(len(text) - 1 for text in texts)) if match and len(texts) > 1 else 0


AXIS_LABELS = {
    "n_names": "names in the subset",
    "n_topics": "topics",
    "ba": "balanced accuracy",
    "estimate": "estimated mean human score",
    "judged": "human score",
    "summarizer": "summarizers",
    "coverage": "share of intervals that cover the value",
    "effect": "effect on the mean score of a topic",
    "share": "share of topics",
}
"""What axes say of columns whose names do not."""

COEFFICIENT_LABELS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}
"""What pictures call them; accuracies go by their own names."""


def axis_label(name: str, table: pd.DataFrame) -> str:
    """Say what an axis shows of a table: the column, of ``value`` whose correlation it is, of ``mean`` of what."""
    if name == "mean" and "metric" in table and table["metric"].nunique(dropna=False) == 1:
        return safe_label(f"mean {table['metric'].iloc[0]}", longest=50)
    if name == "value" and "coefficient" in table:
        parts = {"coefficient": "{}", "target": " with {}", "level": ", {} level"}
        same = [name for name in parts if name in table and table[name].nunique(dropna=False) == 1]
        cells = table[same].iloc[0].tolist()
        descriptions = [
            parts[column].format(COEFFICIENT_LABELS.get(cell, cell))
            for column, cell in zip(same, cells, strict=True)
        ]
        return safe_label(
            "".join(descriptions if "coefficient" in same else ["correlation", *descriptions]), longest=70
        )
    return safe_label(AXIS_LABELS.get(name, name.replace("_", " ")))


def replace_control(name: object) -> str:
    """Put a replacement sign for each control character, half character, and mark that turns the direction of text."""
    return CONTROL.sub(lambda match: match[0] if match[0] in "\t\n" else "\ufffd", str(name))


def draw_dots(ax: Axes, x: ArrayLike, y: ArrayLike, *, color: str) -> None:
    """Draw many points as one path, which keeps a vector picture of thousands of points small."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    points = np.column_stack([np.asarray(x, float), np.asarray(y, float)])
    points = points[~np.isnan(points).any(axis=1)]
    if not len(points):
        return
    path = Path(np.repeat(points, 2, axis=0), [Path.MOVETO, Path.LINETO] * len(points))
    path.should_simplify = False  # a dot is a line without a length
    patch = PathPatch(
        path,
        edgecolor=color,
        alpha=0.7,
        transform=ax.transData,
        linewidth=3.0,
        capstyle="round",
        fill=False,
    )
    patch.set_in_layout(False)  # it lies inside the axes
    ax.add_artist(patch).set_clip_path(ax.patch)
    ax.update_datalim(points)
    ax.autoscale_view()


def draw_legend(ax: Axes) -> None:
    """Write the legend above the picture, where it covers nothing."""
    ax.legend(
        frameon=False,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=2,
        borderaxespad=0,
        handlelength=1.2,
        columnspacing=1.0,
    )


def write_row_names(ax: Axes, names: Collection[object]) -> None:
    """Write names at the left, one a row, the first at the top."""
    _write_at_left(ax, names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.locator_params(axis="x", nbins=5)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)


MAX_CELL_NAMES = 80
"""Most names at a side of a matrix; with more, none are written."""


def write_cell_names(ax: Axes, rows: Collection[object], columns: Collection[object]) -> None:
    """Write the names of a matrix at the left and below, one a cell; none at a side with too many."""
    box = ax.get_window_extent()
    points = 72 / ax.figure.dpi
    row_names, row_size = _fit_names(rows, box.height * points)
    _write_at_left(ax, row_names, size=row_size)
    column_names, column_size = _fit_names(columns, box.width * points)
    ax.set_xticks(range(len(column_names)), safe_labels(column_names), rotation=90, fontsize=column_size)
    ax.tick_params(bottom=False)


MIN_FONT_SIZE = 5.0
"""Points of the smallest names; of more than fit, every second, third ... is written."""


def _fit_names(names: Collection[object], room: float) -> tuple[list[object], float]:
    """Leave out names of a side that would overprint, and give the font size, at most that of a page's letters."""
    if len(names) > MAX_CELL_NAMES:
        return [], MIN_FONT_SIZE
    room_of_name = room / max(len(names), 1)
    step = max(1, math.ceil(MIN_FONT_SIZE / room_of_name))
    shown = ["" if number % step else name for number, name in enumerate(names)]
    return shown, max(MIN_FONT_SIZE, min(STYLE["font.size"], 0.9 * room_of_name))


def _write_at_left(ax: Axes, names: Collection[object], *, size: float | None = None) -> None:
    """Write names as texts: matplotlib takes twice as long to draw labels of ticks."""
    ax.set_yticks([])
    transform = ax.get_yaxis_transform()
    for row, name in enumerate(safe_labels(names)):
        ax.text(-0.02, row, name, transform=transform, ha="right", va="center", size=size)
