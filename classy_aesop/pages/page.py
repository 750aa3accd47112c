"""A page as one HTML file that needs no network and no other file, with its numbers inside.

A page holds sections of sentences, pictures and tables. The numbers are inside too, so that a page can be sent alone:
each table as TSV with every row and digit. Pictures are SVG inside the page: the same bytes each time.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from classy_aesop.answers.declared import answer_of
from classy_aesop.plots.base import STYLE, replace_control, require_packages
from classy_aesop.plots.captioned import Picture
from classy_aesop.tables.layout import cell_text, is_number, lay_out, names_of_columns
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import MAIN
from classy_aesop.tables.result_files import write_tsv
from classy_aesop.version import __version__
from classy_aesop.work.files import atomic_file, check_file
from classy_aesop.work.workers import show_progress


@dataclass(frozen=True, eq=False)
class PageTable:
    """A table to read, sort and download: what its files are called, all of it with its notes, what it shows."""

    name: str
    result: Result
    caption: str


@dataclass(frozen=True)
class Section:
    """A part of a page: paragraphs, a list below them (``points``), pictures above tables, and code."""

    title: str
    text: Sequence[str] = ()
    items: Sequence[Picture | PageTable] = ()
    points: Sequence[str] = ()
    code: str = ""
    folded: bool | None = None

    @property
    def pictures(self) -> list[Picture]:
        """Its pictures, which stand above its tables."""
        return [item for item in self.items if isinstance(item, Picture)]

    @property
    def tables(self) -> list[PageTable]:
        """Its tables."""
        return [item for item in self.items if isinstance(item, PageTable)]


@dataclass(frozen=True)
class Page:
    """A page: its title, the sentences that come first, its sections, and the files it is made of with signatures."""

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    foot: Sequence[tuple[str, str]] = ()


MAX_ROWS_INSIDE = 20_000
"""Rows of a table that a page holds; its file has more."""


def check_report() -> None:
    """Check that the packages a report needs are installed."""
    require_packages("matplotlib", "jinja2")


def write_page(page: Page, path: str | Path, *, progress: bool = False) -> None:
    """Write a page with all its numbers inside, completely or not at all."""
    path = Path(path)
    check_file(path)
    text = html(page, progress=progress)
    with atomic_file(path) as stream:
        stream.write(text)


def html(page: Page, *, progress: bool = False) -> str:
    """Give a page as HTML, with all its numbers inside."""
    check_report()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("classy_aesop.pages", "")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.undefined = StrictUndefined
    environment.finalize = lambda value: (
        replace_control(value) if type(value) is str else value
    )  # not of what is escaped
    environment.filters |= {
        function.__name__: function
        for function in (answer_of, arrange_table, cell_text, data_link, is_number)
    }
    pictures = [picture for section in page.sections for picture in section.pictures]
    script = environment.get_template("page.js").render().encode()
    return environment.get_template("page.html.j2").render(
        page=page,
        version=__version__,
        script_hash=base64.b64encode(hashlib.sha256(script).digest()).decode(),
        svg=dict(zip(pictures, draw_pictures(pictures, progress=progress), strict=True)),
        file_names={table: name for name, table in named_tables(page)},
    )


def arrange_table(result: Result) -> tuple[pd.DataFrame, str, dict[str, str]]:
    """Arrange a table, the columns that matter first; say what is the same in every row, and what columns mean."""
    answer = answer_of(result)
    shown = lay_out(result.table, answer)
    names = sorted(names_of_columns(shown.table), key=lambda name: shown.priority(name) < MAIN)
    table = shown.table[names]
    meanings = {name: shown.columns[name].meaning for name in map(str, table) if name in shown.columns}
    for end in reversed(answer.columns):
        if end.cell in meanings and table[end.cell].astype(str).str.contains(r"[\[(]").any():
            of_both = end.meaning.removeprefix("lower end of ").partition(":")[0]
            meanings[end.cell] = f"{shown.columns[end.cell].meaning}; in brackets {of_both}"
    return table, shown.shared_text(), {name: meaning for name, meaning in meanings.items() if meaning}


def named_tables(page: Page) -> Iterator[tuple[str, PageTable]]:
    """Give every table with a name for its files that no other has: letters, digits and dashes."""
    tables = (table for section in page.sections for table in section.tables)
    for number, table in enumerate(tables, start=1):
        yield f"{number:03}-{re.sub(r'[^A-Za-z0-9._-]+', '_', table.name)[:60]}", table


def data_link(table: PageTable) -> str:
    """Give the link to all rows of a table as TSV; empty where they are too many."""
    if len(table.result.table) > MAX_ROWS_INSIDE:
        return ""
    stream = io.StringIO()
    write_tsv(table.result, stream)
    encoded = base64.b64encode(stream.getvalue().encode()).decode()
    return f"data:text/tab-separated-values;charset=utf-8;base64,{encoded}"


# --- pictures ---

_STYLE: dict[str, object] = {
    **STYLE,
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "svg.fonttype": "none",
}

_SUPERFLUOUS = re.compile(r'<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id="[^"]*"', re.S)
"""What a picture inside a page does without; ids of groups are the same in each."""

PIXELS_PER_POINT = 1.5
"""Pixels of a page, at 16 a letter of text, for a point of a picture: its letters are as large as those of tables."""


def draw_pictures(pictures: Sequence[Picture], *, progress: bool = False) -> list[str]:
    """Draw pictures and give their ``svg`` elements, whose ids differ."""
    shown = show_progress(iter(pictures), "draw", "pictures", shown=progress, total=len(pictures))
    return [_svg(picture, f"p{number}") for number, picture in enumerate(shown)]


def _svg(picture: Picture, name: str) -> str:
    """Draw a picture in the style of a page, whatever the process has set, so wide without the names beside it."""
    from matplotlib import figure as figures
    from matplotlib import style

    with style.context(["default", _STYLE | {"svg.hashsalt": name}]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # the browser has other fonts
        figure = figures.Figure(figsize=(picture.width, picture.height), dpi=72)
        stream = io.StringIO()
        picture.draw(ax=figure.add_subplot())
        for ax in figure.axes:  # lines below are not much longer than the axes
            ax.set_xlabel(textwrap.fill(ax.get_xlabel(), int(1.2 * ax.bbox.width / MEAN_LETTER_WIDTH)))
        figure.savefig(
            stream,
            format="svg",
            bbox_inches="tight",
            pad_inches=2 / 72,
            metadata={"Date": None},
            transparent=True,
        )
    head, _, body = stream.getvalue().partition("<svg ")[2].partition(">")
    [(area, width)] = re.findall(r'(viewBox="0 0 ([\d.]+) [\d.]+")', head)
    body = re.sub(r' (?:d|x|y|transform|points)="[^"]*"', _cut_coordinates, _SUPERFLUOUS.sub("", body))
    text = f'<svg style="width: {float(width) * PIXELS_PER_POINT / 16:z.2f}rem" {area}>{body}'
    return re.sub(r"\n\s*", "", text)


def _cut_coordinates(attribute: re.Match[str]) -> str:
    """Keep a tenth of a point of coordinates; a dot is one point of its path."""
    short = re.sub(r"(\.\d)\d+", r"\1", attribute[0])
    return re.sub(r"M ([\d. -]+)\s*L \1", r"M\1h0", short)


MEAN_LETTER_WIDTH = 4.8
"""Points that a letter takes on average, at 9 points a letter."""
