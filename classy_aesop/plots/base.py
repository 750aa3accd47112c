"""What the pictures share: axes, colours, names that are safe to draw, and shapes as one compact path."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from importlib.util import find_spec
from itertools import takewhile
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

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
    """Raise UsageError, which says how to install it, if a package of the extra ``plots`` is missing."""
    for name in names:
        if find_spec(name) is None:
            raise UsageError(
                f"{name} is not installed; pictures and reports need it: pip install 'classy-aesop[plots]'"
            )


def axes_for(table: pd.DataFrame, columns: Collection[str], what: str, ax: Axes | None) -> Axes:
    """Give the axes to draw a table on, or new ones of a new figure; InputError without a row or one of the columns."""
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
    """Make a name safe to draw: no formula, no control or direction character, not too long."""
    return _cut(" ".join(plain(name).split()), longest).replace("$", r"\$")


def labels(names: Collection[object]) -> list[str]:
    """Make names safe to draw together, see `shortened`."""
    short = shortened([" ".join(plain(name).split()) for name in names], LONGEST)
    return [name.replace("$", r"\$") for name in short]


def shortened(names: Sequence[str], longest: int) -> list[str]:
    """Shorten names to at most so many characters, at least 12; names that differ stay different.

    If one is longer, what they have in common is left out; then what is too long still loses its middle.
    """
    different = list(dict.fromkeys(names))
    start = end = 0
    if max(map(len, different), default=0) > longest:
        start = _common(different)
        end = _common([text[start:][::-1] for text in different])
    marks = "…" if start else "", "…" if end else ""
    short = {text: _cut(text[start : len(text) - end].join(marks), longest) for text in different}
    for _ in different:
        groups: dict[str, list[str]] = {}
        for text, one in short.items():
            groups.setdefault(one, []).append(text)
        if len(groups) == len(short):
            break
        for alike in (texts for texts in groups.values() if len(texts) > 1):
            at = max(0, _same_start(alike) - longest // 2)  # they begin shortly before they differ
            short |= {text: f"…{text[at : at + longest - 1]}".rstrip() for text in alike}
    return [short[text] for text in names]


def _cut(text: str, longest: int) -> str:
    """Cut a text in its middle, after which more of its start stays than of its end."""
    return text if len(text) <= longest else f"{text[: longest - 10]}…{text[-9:]}"


def _common(texts: list[str]) -> int:
    """Give how many characters different texts begin with in common, up to the end of a word; one stays at least."""
    found = re.match(r".*[\W_]", texts[0][: _same_start(texts)])
    return min(found.end(), *(len(text) - 1 for text in texts)) if found and len(texts) > 1 else 0


def _same_start(texts: list[str]) -> int:
    """Give how many characters texts begin with in common."""
    return sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False)))


AXES = {
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

COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}
"""What pictures call them; accuracies go by their own names."""


def axis(name: str, table: pd.DataFrame) -> str:
    """Say what an axis shows of a table: the column, and of ``value`` whose correlation it is."""
    if name == "value" and "coefficient" in table:
        parts = {"coefficient": "{}", "target": " with {}", "level": ", {} level"}
        same = [name for name in parts if name in table and table[name].nunique(dropna=False) == 1]
        cells = table[same].iloc[0].tolist()
        said = [
            parts[column].format(COEFFICIENTS.get(cell, cell))
            for column, cell in zip(same, cells, strict=True)
        ]
        return label("".join(said if "coefficient" in same else ["correlation", *said]), longest=50)
    return label(AXES.get(name, name.replace("_", " ")))


def plain(name: object) -> str:
    """Put a replacement sign for each control character, half character, and mark that turns the direction of text."""
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


NAMES: WeakKeyDictionary[Any, list[str]] = WeakKeyDictionary()
"""The names of the points of lines that `named_dots` drew."""


def named_dots(ax: Axes, x: ArrayLike, y: ArrayLike, names: Sequence[str], marker: str, **style: Any) -> None:
    """Draw points with names, which a page shows where the mouse rests."""
    at_x, at_y = np.asarray(x, float), np.asarray(y, float)
    known = ~np.isnan(at_x) & ~np.isnan(at_y)
    [line] = ax.plot(at_x[known], at_y[known], marker, **style)
    NAMES[line] = [plain(name) for name, is_drawn in zip(names, known, strict=True) if is_drawn]


_LETTER, _LINE, _GAP = 0.72, 1.2, 5.0
"""Width and height of a letter as shares of the font size, and points between a dot and its name."""


def name_dots(ax: Axes, x: ArrayLike, y: ArrayLike, names: Collection[object], *, size: float = 6.5) -> None:
    """Write the names of dots beside them, where they cover neither a dot nor another name; the rest stays without."""
    texts = labels(names)
    ax.autoscale_view()  # which else waits until the picture is drawn
    box = ax.get_window_extent()
    at = ax.transData.transform(np.column_stack([np.asarray(x, float), np.asarray(y, float)]))
    at = (at - [box.x0, box.y0]) * 72 / ax.figure.dpi
    width, middle = box.width * 72 / ax.figure.dpi, box.width * 36 / ax.figure.dpi
    taken = [(left - 3, low - 3, left + 3, low + 3) for left, low in at]
    for (left, low), text, place in zip(at, texts, np.column_stack([x, y]), strict=True):
        side = -1 if left > middle else 1
        near, far = left + side * _GAP, left + side * (_GAP + _LETTER * size * len(text))
        covered = (min(near, far), low - _LINE * size / 2, max(near, far), low + _LINE * size / 2)
        x0, y0, x1, y1 = covered
        is_free = all(x0 >= end or x1 <= start or y0 >= top or y1 <= foot for start, foot, end, top in taken)
        if x0 >= 0 and x1 <= width and is_free:
            taken.append(covered)
            how = {"ha": "left" if side > 0 else "right", "va": "center", "size": size}
            ax.annotate(text, place, (side * _GAP, 0), textcoords="offset points", **how)  # type: ignore[arg-type]


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
    ax.set_xticks(range(len(few)), labels(few), rotation=90, fontsize=_size(few))
    ax.tick_params(bottom=False)


def _size(names: Collection[object]) -> float:
    """Give the font size of names in cells."""
    return 6.0 if len(names) > 25 else 8.0


def _at_left(ax: Axes, names: Collection[object], *, size: float | None = None) -> None:
    """Write names as texts: matplotlib takes twice as long to draw labels of ticks."""
    ax.set_yticks([])
    beside = {"transform": ax.get_yaxis_transform(), "ha": "right", "va": "center", "size": size}
    for row, name in enumerate(labels(names)):
        ax.text(-0.02, row, name, **beside)  # type: ignore[arg-type]
