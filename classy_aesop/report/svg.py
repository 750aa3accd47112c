"""Pictures as SVG inside a page: coloured by the page's style sheet, compact, the same bytes each time."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from html import escape
from itertools import chain
from typing import Any

from classy_aesop.plots.base import BLUE, CYCLE, GREEN, GREY, NAMES, STYLE, VERMILLION
from classy_aesop.report.page import Picture
from classy_aesop.work.progress import watched
from classy_aesop.work.workers import in_order

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


def drawn(pictures: Sequence[Picture], *, n_jobs: int = 1, progress: bool = False) -> list[str]:
    """Draw pictures and give their ``svg`` elements, whose ids differ."""
    named = [(picture, f"p{number}") for number, picture in enumerate(pictures)]
    found = chain(
        map(_drawn, named[:1]), in_order(_drawn, named[1:], n_jobs)
    )  # workers begin with what was loaded
    return list(watched(found, "draw", "pictures", shown=progress, total=len(named)))


def _drawn(named: tuple[Picture, str]) -> str:
    """Draw a picture in the style of a page, whatever the process has set."""
    from matplotlib import style

    picture, name = named
    with style.context(["default", _STYLE | {"svg.hashsalt": name}]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # the browser has other fonts
        return _svg(picture)


def _svg(picture: Picture) -> str:
    """Draw a picture, and give what of its area is drawn on; it is drawn once, which ``savefig`` does not do."""
    from matplotlib.backends.backend_svg import RendererSVG
    from matplotlib.figure import Figure

    figure, stream = Figure(figsize=(picture.width, picture.height), dpi=72), io.StringIO()
    picture.draw(ax=figure.add_subplot())
    for patch in (figure.patch, *(ax.patch for ax in figure.axes)):
        patch.set_visible(False)
    renderer: Any = RendererSVG(*figure.bbox.size, stream, metadata={"Date": None})  # type: ignore[no-untyped-call]
    named = {f"dots-{at}": dots for at, dots in enumerate(figure.findobj(lambda artist: artist in NAMES))}
    for gid, dots in named.items():
        dots.set_gid(gid)
    figure.draw(renderer)
    drawn_on = figure.get_tightbbox(renderer)  # with the same renderer, as it remembers the sizes of texts
    renderer.finalize()
    left, top = 72 * drawn_on.x0 - 2, 72 * (picture.height - drawn_on.y1) - 2
    width, height = 72 * drawn_on.width + 4, 72 * drawn_on.height + 4
    area = f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" width="{width:.0f}pt" height="{height:.0f}pt"'
    text = stream.getvalue()
    for gid, dots in named.items():
        text = _titled(text, f'<g id="{gid}">', NAMES[dots])
    return f"<svg {area}>{_inside(text)}"


def _titled(text: str, start: str, names: list[str]) -> str:
    """Give the dots behind a place in the text of a picture their names, which a browser shows under the mouse."""
    before, found, after = text.partition(start)
    titles = iter(names)
    return (
        before
        + found
        + re.sub(r"<use ([^>]*)/>", lambda use: _with_title(use[1], next(titles)), after, count=len(names))
    )


def _with_title(attributes: str, name: str) -> str:
    return f"<use {attributes}><title>{escape(name)}</title></use>"


def _inside(text: str) -> str:
    """Take from an SVG file what a page needs, without the first tag."""
    body = _SUPERFLUOUS.sub("", text[text.index("<svg") :].partition(">")[2])
    body = re.sub(r'style="[^"]*"', _coloured, body)
    body = re.sub(r' (?:d|x|y|transform|points)="[^"]*"', _rounded, body)
    return re.sub(r"\n\s*", "", body)


def _coloured(style: re.Match[str]) -> str:
    """Name the colours of the style sheet, which has the font too."""
    without_font = re.sub(r"font-family: [^;\"]*; ", "", style[0])
    return re.sub(r"#[0-9a-f]{6}", _variable, without_font)


def _variable(colour: re.Match[str]) -> str:
    return f"var(--{_VARIABLES[colour[0]]})" if colour[0] in _VARIABLES else colour[0]


def _rounded(attribute: re.Match[str]) -> str:
    """Round coordinates to a tenth of a point; a path's spaces are those it needs, and a dot is one point."""
    short = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), attribute[0])
    tight = re.sub(r"(?<=[MLQCz\"]) | (?=[MLQCz\"])", "", " ".join(short.split()))
    return " " + re.sub(r"M([\d. -]+)L\1(?=[M\"])", r"M\1h0", tight)
