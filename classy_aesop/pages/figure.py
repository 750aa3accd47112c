"""The pictures of a result as files for a paper: PDF, SVG or PNG, as wide as a column."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.answers.declared import DECLARED, answer_of, load_answer
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.plots.base import STYLE, replace_control, require_packages
from classy_aesop.plots.captioned import Picture
from classy_aesop.tables.result import Result
from classy_aesop.tables.wording import varying_strata
from classy_aesop.work.files import atomic_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 3.35
"""Inches: a column of a paper with two."""

MAX_WIDTH_OF_COLUMN = 7.0
"""Inches of pictures that stand beside each other."""

_OUTSIDE = 0.55
"""Inches above and below a picture, for its legend and the names of its axes."""


def pictures(result: Result) -> Iterator[Picture]:
    """Yield the pictures of a result, those of one stratum after those of another."""
    answer = answer_of(result)
    table = result.table
    varying = varying_strata(table, answer.strata_in(table, but=answer.drawn_together))
    groups = table.groupby(varying, sort=False, dropna=False) if varying else [((), table)]
    strata = answer.strata_in(table, but=answer.drawn_together) if answer.has_panels else varying
    for _, rows in groups:
        cells = rows[strata].iloc[0]
        stratum = ", ".join(f"{name} {value}" for name, value in cells.items() if value != "")
        pictures_of_rows = answer.pictures(rows)
        for picture in [pictures_of_rows] if isinstance(pictures_of_rows, Picture) else pictures_of_rows:
            title = ", ".join(filter(None, [stratum, picture.title])) if answer.has_panels else ""
            yield (
                replace(picture, caption=f"{stratum}: {picture.caption}", title=title) if stratum else picture
            )


def check_figure(path: str, kind: str) -> None:
    """Raise UsageError before the work if the result of a command cannot be drawn."""
    if kind not in DECLARED or not load_answer(kind).has_pictures:
        raise UsageError(f"-o {path}: {kind} cannot be drawn")
    require_packages("matplotlib")


def save_figures(result: Result, path: str | Path) -> None:
    """Write the pictures of a result: one as wide as a column; several as panels of one file, two beside each other.

    Those of the table above it come first. The captions are the title in the metadata of the file. Fonts of PDF are
    of Type 42 (TrueType).
    """
    results = [*([result.first()] if result.first else []), result]
    panels = [picture for table in results for picture in pictures(table)]
    if not panels:
        warn(f"{path}: the table has nothing to draw")
        return
    from matplotlib import style

    path = Path(path)
    ending = path.suffix.lower()
    dates = {".pdf": ("CreationDate", "ModDate"), ".svg": ("Date",)}  # by which two files would differ
    settings = {**STYLE, "font.size": 8.0, "pdf.fonttype": 42, "svg.hashsalt": "figure", "savefig.dpi": 300}
    with style.context(["default", settings]), atomic_file(path) as stream:
        is_alone = len(panels) == 1 and not panels[0].title
        figure = draw_alone(panels[0]) if is_alone else draw_panels(panels)
        caption = "; ".join(dict.fromkeys(picture.caption for picture in panels))
        metadata = {"Title": replace_control(caption)} | dict.fromkeys(dates.get(ending, ()))
        figure.savefig(stream.buffer, format=ending[1:], metadata=metadata)


def draw_alone(picture: Picture) -> Figure:
    """Draw a picture as wide as a column."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, picture.height + _OUTSIDE), layout="constrained")
    picture.draw(ax=figure.add_subplot())
    return figure


def draw_panels(pictures: Sequence[Picture]) -> Figure:
    """Draw pictures in one figure with their titles below: two beside each other, unless they are wide."""
    from matplotlib.figure import Figure

    width = max(picture.width for picture in pictures)
    n_columns = min(len(pictures), 2 if width <= MAX_WIDTH_OF_COLUMN else 1)
    rows = [pictures[start : start + n_columns] for start in range(0, len(pictures), n_columns)]
    heights = [max(picture.height for picture in row) + 2 * _OUTSIDE for row in rows]
    figure = Figure(figsize=(width * n_columns, sum(heights)), layout="constrained")
    panels = figure.subfigures(len(rows), n_columns, squeeze=False, height_ratios=heights).flat
    for picture, panel in zip(pictures, panels, strict=False):
        picture.draw(ax=panel.add_subplot())
        title = replace_control(picture.title or picture.caption)
        panel.supxlabel(textwrap.fill(title, int(17 * width)), fontsize=7)
    return figure


def plot(result: Result, *, ax: Axes | None = None) -> list[Axes]:
    """Draw the pictures of a result, each in a figure of its own, or the only one on ``ax``; see `Result.plot`."""
    if not answer_of(result).has_pictures:
        names = join_names([name for name in DECLARED if load_answer(name).has_pictures], limit=99)
        raise UsageError(
            f"there is no picture of {result.kind or 'a table of no kind'}; expected one of {names}"
        )
    require_packages("matplotlib")
    all_pictures = list(pictures(result))
    if not all_pictures:
        raise InputError("the table has nothing to draw")
    if ax is not None and len(all_pictures) > 1:
        raise UsageError(
            f"{len(all_pictures)} pictures of this table; expected one to draw it on ax, or no ax"
        )
    from matplotlib import pyplot

    axes = []
    for picture in all_pictures:
        size = (1.5 * picture.width, picture.height + 2 * _OUTSIDE)
        axes.append(ax or pyplot.subplots(figsize=size, layout="constrained")[1])
        picture.draw(ax=axes[-1])
        axes[-1].figure.suptitle(replace_control(picture.caption), fontsize=8, wrap=True)
    return axes
