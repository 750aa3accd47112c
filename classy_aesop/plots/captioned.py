"""Pictures with a caption and a size, drawn on axes when a page or a file is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pandas as pd

from classy_aesop.data.directions import is_lower_better
from classy_aesop.plots.pictures import forest, pairs


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture, drawn when the page is written: what it shows, and what draws on matplotlib axes ``ax``.

    Its height and width are in inches, without the names at the sides. Its ``title`` stands above it in a figure of
    several.
    """

    caption: str
    draw: Callable[..., object]
    height: float = 3.0
    width: float = 3.4
    title: str = ""


MIN_NAMES_OF_MATRIX = 6
"""With fewer names the pairs are a list, which has their differences and intervals too."""


def forest_height(n_rows: int, *, min_height: float = 1.2) -> float:
    """Give the height in inches of a picture with a line a row."""
    return max(min_height, 0.6 + 0.19 * n_rows)


def forest_picture(
    rows: pd.DataFrame,
    caption: str,
    names: str,
    value: str,
    *,
    sort: bool = True,
    error: str | None = None,
    **columns: str,
) -> Picture:
    """Draw a line a row, the best value first, with the interval of the table; other columns as in `forest`."""
    if error is not None and "low" not in rows:
        rows = rows.assign(low=rows[value] - rows[error], high=rows[value] + rows[error])
    table = rows.sort_values(value, ascending=is_lower_better(rows), kind="stable") if sort else rows
    draw: Callable[..., object] = forest
    draw_table = partial(draw, table, names=names, value=value, **columns)
    return Picture(caption, draw_table, height=forest_height(len(rows)))


def pairs_picture(rows: pd.DataFrame, caption: str) -> Picture:
    """Draw which of each pair is better: a matrix, or of few names, or of one against all others, their differences."""
    names = {*rows["first"], *rows["second"]}
    if len(names) < MIN_NAMES_OF_MATRIX or rows["second"].nunique() == 1:
        return _differences_picture(rows, caption)
    side = max(2.6, min(0.2 * len(names), 5.0 + 0.07 * len(names)))
    meaning = f"{caption}; full cell: the row is better; half cell: it is worse"
    return Picture(meaning, partial(pairs, rows), height=side, width=side)


def _differences_picture(rows: pd.DataFrame, caption: str) -> Picture:
    """Draw the difference of each pair with its interval; diamonds are significant."""
    names = rows["first"].astype(str) + " \N{MINUS SIGN} " + rows["second"].astype(str)
    ends = ", with its interval" if "low" in rows else ""
    return forest_picture(
        rows.assign(pair=names, significant=rows["significant"].eq(True)),
        f"{caption}: difference of each pair{ends}; diamonds are significant",
        "pair",
        "difference",
        marked="significant",
    )
