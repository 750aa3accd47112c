"""A page as one HTML file that needs no network, and its numbers as files beside it.

The numbers lie in a folder of the page's name, ``report.data`` beside ``report.html``: each table as TSV and JSON with
every row and digit, and as LaTeX in the arrangement of the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from classy_aesop.files.atomic import atomic_file, atomic_folder, check_file, is_special
from classy_aesop.plots.base import need, plain
from classy_aesop.report.files import write_result
from classy_aesop.report.kinds import readable
from classy_aesop.report.page import Page, Picture, Table
from classy_aesop.report.svg import drawn
from classy_aesop.report.table import cell, is_number
from classy_aesop.version import __version__

FORMATS = {"tsv": "TSV", "json": "JSON", "tex": "LaTeX"}
"""The files of a table, by their ending."""

_MOST_LATEX = 500  # nobody typesets more rows


def check_report() -> None:
    """Check that the packages a report needs are installed.

    Raises
    ------
    UsageError
        One is missing; says how to install it.
    """
    need("matplotlib", "jinja2")


def write_page(page: Page, path: str | Path, *, n_jobs: int = 1, progress: bool = False) -> None:
    """Write a page, and beside it the folder of its numbers; each completely or not at all.

    Beside a device or a pipe there is no such folder.
    ``n_jobs`` processes draw its pictures, with a bar if ``progress``.
    """
    path = Path(path)
    check_file(path)
    folder = None if is_special(path) else path.with_name(f"{path.stem}.data")
    text = html(page, folder.name if folder else "", n_jobs=n_jobs, progress=progress)
    if folder:
        with atomic_folder(folder) as place:
            for name, table in named_tables(page):
                _write(table, place, name)
    with atomic_file(path) as stream:
        stream.write(text)


def html(page: Page, folder: str = "", *, n_jobs: int = 1, progress: bool = False) -> str:
    """Give a page as HTML; ``folder`` is where the links to its numbers lead."""
    import jinja2
    from markupsafe import Markup

    check_report()
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: (
            plain(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
        ),
    )
    source = resources.files("classy_aesop.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    script = resources.files("classy_aesop.report").joinpath("page.js").read_text(encoding="utf-8")
    style = resources.files("classy_aesop.report").joinpath("page.css").read_text(encoding="utf-8")
    names = {id(table): name for name, table in named_tables(page)}
    pictures = [item for section in page.sections for item in section.items if isinstance(item, Picture)]
    svg = dict(zip(map(id, pictures), drawn(pictures, n_jobs=n_jobs, progress=progress), strict=True))
    return environment.from_string(source).render(
        page=page,
        folder=folder,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        svg=lambda item: Markup(svg[id(item)]),
        files=lambda item: _files(item, names[id(item)], folder),
        rows=_shown,
    )


def named_tables(page: Page) -> Iterator[tuple[str, Table]]:
    """Give every table with a name for its files that no other has: letters, digits and dashes."""
    tables = (item for section in page.sections for item in section.items if isinstance(item, Table))
    for number, table in enumerate(tables, start=1):
        yield f"{number:03}-{re.sub(r'[^A-Za-z0-9._-]+', '_', table.name)[:60]}", table


def _files(table: Table, name: str, folder: str) -> list[tuple[str, str]]:
    """Give the label and the address of each file of a table."""
    return (
        [(label, f"{folder}/{name}.{ending}") for ending, label in _formats(table).items()] if folder else []
    )


def _formats(table: Table) -> dict[str, str]:
    long = len(table.result.table) > _MOST_LATEX
    return {ending: label for ending, label in FORMATS.items() if not (long and ending == "tex")}


def _write(table: Table, place: Path, name: str) -> None:
    for ending in _formats(table):
        with (place / f"{name}.{ending}").open("w", encoding="utf-8", newline="\n") as stream:
            write_result(table.result, stream, {"tex": "latex"}.get(ending, ending))


def _shown(table: Table) -> dict[str, Any]:
    """Give the cells that a page shows, each with whether it is a number."""
    rows = readable(table.result)
    head = rows.head(table.most)
    numeric = [is_number(head[name]) for name in head]
    cells = [[cell(value) for value in head[name].tolist()] for name in head]
    return {
        "names": list(zip(map(str, head.columns), numeric, strict=True)),
        "lines": [list(zip(line, numeric, strict=True)) for line in zip(*cells, strict=True)],
        "left": len(rows) - len(head),
    }
