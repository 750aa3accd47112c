"""A page as one HTML file that needs no network and no other file, with its numbers inside.

A page holds sections of sentences, pictures and tables. The numbers are inside too, so that a page can be sent alone:
each table as TSV with every row and digit, and as LaTeX in the arrangement of the page. Pictures are SVG inside the
page: coloured by its style sheet, compact, the same bytes each time, and drawn once more for narrow screens.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from classy_aesop.answers.declared import answer_of
from classy_aesop.data import KEYS
from classy_aesop.pages.formats import TABLE_FORMATS, write_result
from classy_aesop.pages.terms import Terms
from classy_aesop.plots.base import (
    BLUE,
    CYCLE,
    GREEN,
    GREY,
    NAMES_OF_POINTS,
    STYLE,
    VERMILLION,
    replace_control,
    require_packages,
)
from classy_aesop.plots.captioned import Picture
from classy_aesop.tables.layout import cell_text, is_number, lay_out
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import Purpose
from classy_aesop.version import __version__
from classy_aesop.work.files import atomic_file, check_file
from classy_aesop.work.workers import show_progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    """A page: its title, the sentences that come first, its sections, and the files it is made of with signatures.

    Its own words are replaced by the reader's ``terms``, see `Terms`.
    """

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    foot: Sequence[tuple[str, str]] = ()
    terms: Mapping[str, str] = field(default_factory=dict)


MEDIA_TYPES = {"tsv": "text/tab-separated-values", "latex": "application/x-tex"}
"""The formats in which a page holds its tables, with their media types."""

MAX_ROWS_OF_LATEX = 500
"""Rows of a table that somebody may typeset."""

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
    """Give a page as HTML, with all its numbers inside; UsageError for terms that no page has."""
    terms = Terms(page.terms, frozenset(_names_in_tables(page)) if page.terms else frozenset())
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
        for function in (answer_of, arrange_table, cell_text, data_links, is_number)
    }
    environment.filters["in_terms"] = lambda text: terms.apply(replace_control(text))
    pictures = [picture for section in page.sections for picture in section.pictures]
    script = environment.get_template("page.js").render().encode()
    return environment.get_template("page.html.j2").render(
        page=page,
        version=__version__,
        script_hash=base64.b64encode(hashlib.sha256(script).digest()).decode(),
        svg=dict(
            zip(pictures, map(terms.apply_to_texts, draw_pictures(pictures, progress=progress)), strict=True)
        ),
        file_names={table: name for name, table in named_tables(page)},
    )


def arrange_table(result: Result) -> tuple[pd.DataFrame, str]:
    """Arrange a table for a narrow screen, the columns that matter first; say what is the same in every row."""
    answer = answer_of(result)
    shown = lay_out(result.table, answer)
    names = dict.fromkeys((*answer.needs, *shown.best))
    first = [name for name in names if name in shown.table]
    return shown.table[[*first, *shown.table.columns.drop(first)]], shown.shared_text()


def named_tables(page: Page) -> Iterator[tuple[str, PageTable]]:
    """Give every table with a name for its files that no other has: letters, digits and dashes."""
    tables = (table for section in page.sections for table in section.tables)
    for number, table in enumerate(tables, start=1):
        yield f"{number:03}-{re.sub(r'[^A-Za-z0-9._-]+', '_', table.name)[:60]}", table


def data_links(table: PageTable) -> Iterator[tuple[str, str, str]]:
    """Give the formats in which a page holds a table: the ending of its file, the name of the format, and the link."""
    n_rows = len(table.result.table)
    limits = {"tsv": MAX_ROWS_INSIDE, "latex": MAX_ROWS_OF_LATEX}
    for format, media_type in MEDIA_TYPES.items():
        if n_rows > limits[format]:
            continue
        stream = io.StringIO()
        write_result(table.result, stream, format)
        encoded = base64.b64encode(stream.getvalue().encode()).decode()
        [ending] = TABLE_FORMATS[format].endings
        shown = {"tsv": "TSV", "latex": "LaTeX"}[format]
        yield ending, shown, f"data:{media_type};charset=utf-8;base64,{encoded}"


def _names_in_tables(page: Page) -> Iterator[str]:
    """Give the names in the tables of a page, of systems, topics, metrics and other items, which no term changes."""
    for _, table in named_tables(page):
        rows = table.result.table
        columns = (column.name for column in answer_of(table.result).columns_of_purpose(Purpose.ITEM))
        for name in {*columns, *KEYS, "metric", "target"} & set(rows):
            yield from map(str, rows[name].dropna().unique())


# --- pictures ---

_INK = "#010101"
"""Drawn instead of black, which matplotlib does not write into the file."""

_VARIABLES = {BLUE: "blue", VERMILLION: "vermillion", GREEN: "green", GREY: "grey", _INK: "ink"}
_VARIABLES |= dict(zip(CYCLE[3:], ("purple", "orange", "sky"), strict=True))

_STYLE: dict[str, object] = {
    **STYLE,
    "svg.fonttype": "none",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK),
}

_SUPERFLUOUS = re.compile(
    r'<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id="[^"]*"| transform="rotate\(-0 [^"]*"',
    re.S,
)
"""What a picture inside a page does without; ids of groups are the same in each."""


def draw_pictures(pictures: Sequence[Picture], *, progress: bool = False) -> list[str]:
    """Draw pictures and give their ``svg`` elements, whose ids differ."""
    shown = show_progress(iter(pictures), "draw", "pictures", shown=progress, total=len(pictures))
    return [_svg(picture, f"p{number}") for number, picture in enumerate(shown)]


PIXELS_PER_POINT = 1.5
"""Pixels of a page, at 16 a letter of text, for a point of a picture: its letters are as large as those of tables."""

NARROW_WIDTH = 206.0
"""Points that fit beside the margins of a screen of 360 pixels, less the ends of labels."""

MIN_AXES_WIDTH = 60.0
"""Points that the axes of a picture keep on a narrow screen."""


def _svg(picture: Picture, name: str) -> str:
    """Draw a picture in the style of a page, whatever the process has set; for narrow screens once more, if needed."""
    text, width, axes_width = _draw_at_width(picture, picture.width, name)
    if width <= NARROW_WIDTH or picture.keeps_width:
        return text
    narrow = max(MIN_AXES_WIDTH, NARROW_WIDTH - (width - axes_width)) / axes_width * picture.width
    return _add_class("broad", text) + _add_class("narrow", _draw_at_width(picture, narrow, f"{name}n")[0])


def _add_class(name: str, svg: str) -> str:
    return svg.replace("<svg ", f'<svg class="{name}" ', 1)


def _draw_at_width(picture: Picture, inches: float, name: str) -> tuple[str, float, float]:
    """Draw a picture so wide without the names beside it; give what of its area is drawn on, and its axes' width."""
    from matplotlib import figure as figures
    from matplotlib import style

    with style.context(["default", _STYLE | {"svg.hashsalt": name}]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # the browser has other fonts
        figure = figures.Figure(figsize=(inches, picture.height), dpi=72)
        stream = io.StringIO()
        ax = figure.add_subplot()
        axes_width = float(ax.bbox.width)
        picture.draw(ax=ax)
        _fit_labels(figure)
        for patch in (figure.patch, *(ax.patch for ax in figure.axes)):
            patch.set_visible(False)
        points = figure.findobj(lambda artist: artist in NAMES_OF_POINTS)
        dots_by_id = {f"{name}-dots-{number}": dots for number, dots in enumerate(points)}
        for gid, dots in dots_by_id.items():
            dots.set_gid(gid)
        figure.savefig(stream, format="svg", bbox_inches="tight", pad_inches=2 / 72, metadata={"Date": None})
    text = _add_titles_to_dots(stream.getvalue(), dots_by_id)
    [(width, height)] = re.findall(r'<svg .*? viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    body = _SUPERFLUOUS.sub("", text[text.index("<svg") :].partition(">")[2])
    body = re.sub(r'style="[^"]*"', _use_colour_variables, body)
    body = re.sub(r' (?:d|x|y|transform|points)="[^"]*"', _round_coordinates, body)
    rem = float(width) * PIXELS_PER_POINT / 16
    area = f'style="width: {rem:z.2f}rem" viewBox="0 0 {float(width):z.1f} {float(height):z.1f}"'
    return re.sub(r"\n\s*", "", f"<svg {area}>{body}"), float(width), axes_width


MEAN_LETTER_WIDTH = 4.8
"""Points that a letter takes on average, at 9 points a letter."""


POINTS_OF_TICK = 32.0
"""Points that the label of a tick has, at least."""


def _fit_labels(figure: Figure) -> None:
    """Break what stands below axes into lines that are not much longer than the axes, with as many ticks as fit."""
    from matplotlib.ticker import MaxNLocator

    for ax in figure.axes:
        locator = ax.xaxis.get_major_locator()
        if isinstance(locator, MaxNLocator) and ax.bbox.width < 5 * POINTS_OF_TICK:
            locator.set_params(nbins=max(1, int(ax.bbox.width / POINTS_OF_TICK)))
        n_letters = max(16, int(1.2 * ax.bbox.width / MEAN_LETTER_WIDTH))
        ax.set_xlabel(textwrap.fill(ax.get_xlabel(), n_letters))


def _add_titles_to_dots(text: str, dots_by_id: Mapping[str, Any]) -> str:
    """Add a title to each dot of a picture, which a browser shows under the mouse."""
    for gid, dots in dots_by_id.items():
        start, group, rest_of_text = text.partition(f'<g id="{gid}">')
        for name in NAMES_OF_POINTS[dots]:
            head, use, rest_of_text = rest_of_text.partition("<use ")
            attributes, _, rest_of_text = rest_of_text.partition("/>")
            start += f"{group}{head}{use}{attributes}><title>{escape(name)}</title></use>"
            group = ""
        text = start + group + rest_of_text
    return text


def _use_colour_variables(style: re.Match[str]) -> str:
    """Replace colours by variables of the style sheet of the page, and drop the font, which it sets, too."""
    text = re.sub(r"font-family: [^;\"]*; ", "", style[0])
    for colour, name in _VARIABLES.items():
        text = text.replace(colour, f"var(--{name})")
    return text


def _round_coordinates(attribute: re.Match[str]) -> str:
    """Round coordinates to a tenth of a point; a path's spaces are those it needs, and a dot is one point."""
    short = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):z.1f}".removesuffix(".0"), attribute[0])
    tight = re.sub(r"(?<=[MLQCz\"]) | (?=[MLQCz\"])", "", " ".join(short.split()))
    return " " + re.sub(r"M([\d. -]+)L\1(?=[M\"])", r"M\1h0", tight)
