"""A page as one HTML file that needs no network, and its numbers as files beside it.

A page holds sections of sentences, pictures and tables. The numbers lie in a folder of the page's name, ``report.data``
beside ``report.html``: each table as TSV and JSON with every row and digit, and as LaTeX in the arrangement of the
page. Pictures are SVG inside the page: coloured by its style sheet, compact, the same bytes each time.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from classy_aesop.answers.declared import answer_of
from classy_aesop.pages.formats import save_result
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
from classy_aesop.version import __version__
from classy_aesop.work.files import atomic_file, atomic_folder, check_file, is_special
from classy_aesop.work.workers import show_progress


@dataclass(frozen=True, eq=False)
class Table:
    """A table to read, sort and download: what its files are called, all of it with its notes, what it shows."""

    name: str
    result: Result
    caption: str


@dataclass(frozen=True)
class Section:
    """A part of a page: paragraphs, a list below them (``points``), pictures above tables, and code."""

    title: str
    text: Sequence[str] = ()
    items: Sequence[Picture | Table] = ()
    points: Sequence[str] = ()
    code: str = ""
    folded: bool | None = None

    @property
    def pictures(self) -> list[Picture]:
        """Its pictures, which stand above its tables."""
        return [item for item in self.items if isinstance(item, Picture)]

    @property
    def tables(self) -> list[Table]:
        """Its tables."""
        return [item for item in self.items if isinstance(item, Table)]


@dataclass(frozen=True)
class Page:
    """A page: its title, the sentences that come first, its sections, and the files it is made of with signatures."""

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    foot: Sequence[tuple[str, str]] = ()


FORMATS = {"tsv": "TSV", "json": "JSON", "tex": "LaTeX"}
"""The formats of a table's files, by their ending."""

_MOST_LATEX = 500  # nobody typesets more rows


def check_report() -> None:
    """Check that the packages a report needs are installed."""
    require_packages("matplotlib", "jinja2")


def write_page(page: Page, path: str | Path, *, progress: bool = False) -> None:
    """Write a page, and beside it (not beside a pipe) the folder of its numbers, each completely or not at all."""
    path = Path(path)
    check_file(path)
    folder = None if is_special(path) else path.with_name(f"{path.stem}.data")
    text = html(page, folder.name if folder else "", progress=progress)
    if folder:
        with atomic_folder(folder, replaced=rf"[^/]+\.({'|'.join(FORMATS)})") as place:
            for name, table in named_tables(page):
                for ending, format in formats(table).items():
                    save_result(table.result, place / f"{name}.{ending}", format.lower())
    with atomic_file(path) as stream:
        stream.write(text)


def html(page: Page, folder: str = "", *, progress: bool = False) -> str:
    """Give a page as HTML; ``folder`` is where the links to its numbers lead."""
    check_report()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("classy_aesop.pages", "")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.undefined = StrictUndefined
    environment.finalize = lambda value: (
        replace_control(value) if type(value) is str else value
    )  # not of what is escaped
    environment.filters |= {one.__name__: one for one in (answer_of, arranged, cell_text, formats, is_number)}
    pictures = [one for section in page.sections for one in section.pictures]
    script = environment.get_template("page.js").render().encode()
    return environment.get_template("page.html.j2").render(
        page=page,
        folder=folder,
        version=__version__,
        script_hash=base64.b64encode(hashlib.sha256(script).digest()).decode(),
        svg=dict(zip(pictures, drawn(pictures, progress=progress), strict=True)),
        file_names={table: name for name, table in named_tables(page)},
    )


def arranged(result: Result) -> tuple[pd.DataFrame, str]:
    """Arrange a table for a narrow screen, the columns that matter first; say what is the same in every row."""
    answer = answer_of(result)
    shown = lay_out(result.table, answer)
    names = dict.fromkeys((*answer.needs, *shown.best))
    first = [name for name in names if name in shown.table]
    return shown.table[[*first, *shown.table.columns.drop(first)]], shown.shared_text()


def named_tables(page: Page) -> Iterator[tuple[str, Table]]:
    """Give every table with a name for its files that no other has: letters, digits and dashes."""
    tables = (table for section in page.sections for table in section.tables)
    for number, table in enumerate(tables, start=1):
        yield f"{number:03}-{re.sub(r'[^A-Za-z0-9._-]+', '_', table.name)[:60]}", table


def formats(table: Table) -> dict[str, str]:
    """Give those of `FORMATS` that a table is written in."""
    long = len(table.result.table) > _MOST_LATEX
    return {ending: format for ending, format in FORMATS.items() if not (long and ending == "tex")}


# --- pictures ---

_INK = "#010101"
"""Drawn instead of black, which matplotlib does not write into the file."""

_VARIABLES = {BLUE: "blue", VERMILLION: "vermillion", GREEN: "green", GREY: "grey", _INK: "ink"}
_VARIABLES |= dict(zip(CYCLE[3:], ("purple", "orange", "sky"), strict=True))

_STYLE: dict[str, Any] = {
    **STYLE,
    "svg.fonttype": "none",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK),
}

_SUPERFLUOUS = re.compile(
    r'<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id="[^"]*"| transform="rotate\(-0 [^"]*"',
    re.S,
)
"""What a picture inside a page does without; ids of groups are the same in each."""


def drawn(pictures: Sequence[Picture], *, progress: bool = False) -> list[str]:
    """Draw pictures and give their ``svg`` elements, whose ids differ."""
    shown = show_progress(iter(pictures), "draw", "pictures", shown=progress, total=len(pictures))
    return [_svg(picture, f"p{number}") for number, picture in enumerate(shown)]


def _svg(picture: Picture, name: str) -> str:
    """Draw a picture in the style of a page, whatever the process has set, and give what of its area is drawn on."""
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context(["default", _STYLE | {"svg.hashsalt": name}]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # the browser has other fonts
        figure, stream = Figure(figsize=(picture.width, picture.height), dpi=72), io.StringIO()
        picture.draw(ax=figure.add_subplot())
        for patch in (figure.patch, *(ax.patch for ax in figure.axes)):
            patch.set_visible(False)
        named = {
            f"dots-{at}": dots
            for at, dots in enumerate(figure.findobj(lambda artist: artist in NAMES_OF_POINTS))
        }
        for gid, dots in named.items():
            dots.set_gid(gid)
        how: dict[str, Any] = {"bbox_inches": "tight", "pad_inches": 2 / 72, "metadata": {"Date": None}}
        figure.savefig(stream, format="svg", **how)
    text = stream.getvalue()
    for gid, dots in named.items():  # a browser shows the names of dots under the mouse
        before, found, after = text.partition(f'<g id="{gid}">')
        for name in NAMES_OF_POINTS[dots]:
            head, use, after = after.partition("<use ")
            attributes, _, after = after.partition("/>")
            before, found = f"{before}{found}{head}{use}{attributes}><title>{escape(name)}</title></use>", ""
        text = before + found + after
    [area] = re.findall(r'<svg .*?( width=".*?" height=".*?" viewBox=".*?")', text)
    body = _SUPERFLUOUS.sub("", text[text.index("<svg") :].partition(">")[2])
    body = re.sub(r'style="[^"]*"', _coloured, body)
    body = re.sub(r' (?:d|x|y|transform|points)="[^"]*"', _rounded, body)
    return re.sub(r"\n\s*", "", f"<svg{area}>{body}")


def _coloured(style: re.Match[str]) -> str:
    """Name the colours of the style sheet, which has the font too."""
    text = re.sub(r"font-family: [^;\"]*; ", "", style[0])
    for colour, name in _VARIABLES.items():
        text = text.replace(colour, f"var(--{name})")
    return text


def _rounded(attribute: re.Match[str]) -> str:
    """Round coordinates to a tenth of a point; a path's spaces are those it needs, and a dot is one point."""
    short = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):z.1f}".removesuffix(".0"), attribute[0])
    tight = re.sub(r"(?<=[MLQCz\"]) | (?=[MLQCz\"])", "", " ".join(short.split()))
    return " " + re.sub(r"M([\d. -]+)L\1(?=[M\"])", r"M\1h0", tight)
