"""Pictures as SVG inside a page: coloured by the page's style sheet, compact, the same bytes each time."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from classy_aesop.plots.base import BLUE, CYCLE, GREEN, GREY, VERMILLION
from classy_aesop.report.page import Picture
from classy_aesop.running.progress import watched
from classy_aesop.running.workers import in_order

_INK = "#010101"
"""Drawn instead of black, which matplotlib does not write into the file."""

_VARIABLES = {BLUE: "blue", VERMILLION: "vermillion", GREEN: "green", GREY: "grey", _INK: "ink"}
_VARIABLES |= dict(zip(CYCLE[3:], ("purple", "orange", "sky"), strict=True))

_PIXELS = 4 / 3
"""CSS pixels of a point."""

_SUPERFLUOUS = (
    r"<!--.*?-->\s*",
    r"<metadata>.*?</metadata>\s*",
    r"<style.*?</style>\s*",
    r"font-family: [^;\"]*; ",
    r' transform="rotate\(-0 [^"]*"',
)
"""What a picture inside a page does without: the font is the style sheet's."""

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK),
}


def drawn(pictures: Sequence[Picture], *, n_jobs: int = 1, progress: bool = False) -> list[str]:
    """Draw pictures and give their ``svg`` elements, whose ids differ."""
    named = [(picture, f"p{number}") for number, picture in enumerate(pictures)]
    found = in_order(_drawn, named, n_jobs) if n_jobs > 1 else map(_drawn, named)
    return list(watched(found, "draw", "pictures", shown=progress, total=len(named)))


def _drawn(named: tuple[Picture, str]) -> str:
    """Draw a picture in the style of a page."""
    with _style():
        return _svg(*named)


@contextmanager
def _style() -> Iterator[None]:
    """Draw in the style of a page, whatever the process has set."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # the browser has other fonts
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)  # type: ignore[arg-type]  # its names are literals
        yield


def _svg(picture: Picture, name: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import RendererSVG
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = name
    figure, stream = Figure(figsize=(picture.width, picture.height), dpi=72), io.StringIO()
    picture.draw(ax=figure.add_subplot())
    for patch in (figure.patch, *(ax.patch for ax in figure.axes)):
        patch.set_visible(False)
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    size = 72 * picture.width, 72 * picture.height
    renderer: Any = RendererSVG(*size, stream, metadata=nothing)  # type: ignore[no-untyped-call]
    figure.draw(renderer)
    tight = figure.get_tightbbox(renderer)  # with the same renderer, as it remembers the sizes of texts
    renderer.finalize()
    left, top = 72 * tight.x0 - 2, 72 * (picture.height - tight.y1) - 2
    box = (left, top, 72 * tight.width + 4, 72 * tight.height + 4)
    return _inline(stream.getvalue(), name, box)


def _inline(text: str, name: str, box: tuple[float, float, float, float]) -> str:
    """Take from a whole SVG file what a page needs, and of its area the box: left, top, width and height."""
    body = text[text.index("<svg") :]
    for superfluous in _SUPERFLUOUS:
        body = re.sub(superfluous, "", body, flags=re.S)
    body = _with_own_ids(body.partition(">")[2], name)
    body = re.sub(r'style="[^"]*"', _coloured, body)
    body = re.sub(r' (?:d|x|y|transform|points)="[^"]*"', _rounded, body)
    shown = " ".join(f"{end:.1f}" for end in box)
    body = re.sub(r"\n\s*", "", body)
    return f'<svg viewBox="{shown}" width="{box[2] * _PIXELS:.0f}" height="{box[3] * _PIXELS:.0f}">{body}'.strip()


def _with_own_ids(body: str, name: str) -> str:
    """Keep the ids that something refers to, with the picture's name in front."""
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', body))
    body = re.sub(
        r' id="([^"]*)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", body
    )
    return re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", body)


def _coloured(found: re.Match[str]) -> str:
    return re.sub(r"#[0-9a-f]{6}", _variable, found[0])


def _variable(found: re.Match[str]) -> str:
    return f"var(--{_VARIABLES[found[0]]})" if found[0] in _VARIABLES else found[0]


def _rounded(found: re.Match[str]) -> str:
    """Round coordinates to a tenth of a point; a path's spaces are those it needs, and a dot is one point."""
    parts = _DECIMAL.split(found[0])
    parts[1::2] = [f"{float(number):.1f}".removesuffix(".0") for number in parts[1::2]]
    tight = _SPACE.sub("", " ".join("".join(parts).split()))
    return " " + _DOT.sub(r"M\1h0", tight)


_DECIMAL = re.compile(r"(\d+\.\d+)")

_SPACE = re.compile(r"(?<=[MLQCz\"]) | (?=[MLQCz\"])")
"""Spaces that nothing needs."""

_DOT = re.compile(r"M([\d. -]+)L\1(?=[M\"])")
"""A line without a length."""
