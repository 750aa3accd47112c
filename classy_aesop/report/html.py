"""A page as one HTML file that needs no network, and its numbers as files beside it.

The numbers lie in a folder of the page's name, ``report.data`` beside ``report.html``: each table as TSV and JSON with
every row and digit, and as LaTeX in the arrangement of the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.plots.base import need, plain
from classy_aesop.report.cells import cell, is_number
from classy_aesop.report.files import save_result
from classy_aesop.report.kinds import kind_of, readable
from classy_aesop.report.page import Page, Table
from classy_aesop.report.result import Result
from classy_aesop.report.svg import drawn
from classy_aesop.report.wide import without_constants
from classy_aesop.version import __version__
from classy_aesop.work.atomic import atomic_file, atomic_folder, check_file, is_special

if TYPE_CHECKING:
    import pandas as pd

FORMATS = {"tsv": "TSV", "json": "JSON", "tex": "LaTeX"}
"""The formats of a table's files, by their ending."""

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
                for ending, format in formats(table).items():
                    save_result(table.result, place / f"{name}.{ending}", format.lower())
    with atomic_file(path) as stream:
        stream.write(text)


def html(page: Page, folder: str = "", *, n_jobs: int = 1, progress: bool = False) -> str:
    """Give a page as HTML; ``folder`` is where the links to its numbers lead."""
    check_report()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("classy_aesop.report", "")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.undefined, environment.finalize = StrictUndefined, _plain_text
    environment.filters |= {one.__name__: one for one in (arranged, cell, formats, is_number, kind_of)}
    pictures = [one for section in page.sections for one in section.pictures]
    script = environment.get_template("page.js").render().encode()
    return environment.get_template("page.html.j2").render(
        page=page,
        folder=folder,
        version=__version__,
        script_hash=base64.b64encode(hashlib.sha256(script).digest()).decode(),
        svg=dict(zip(pictures, drawn(pictures, n_jobs=n_jobs, progress=progress), strict=True)),
        file_names={table: name for name, table in named_tables(page)},
    )


def arranged(result: Result) -> tuple[pd.DataFrame, str]:
    """Arrange a table for a narrow screen, the columns that matter first; say what is the same in every row."""
    kind = kind_of(result)
    table, constants = without_constants(readable(result))
    first = [name for name in dict.fromkeys((*kind.columns.split(), *kind.best)) if name in table]
    shown = table[[*first, *table.columns.drop(first)]]
    return shown, ", ".join(f"{name} {cell(value)}" for name, value in constants.items())


def _plain_text(value: Any) -> Any:
    return plain(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def named_tables(page: Page) -> Iterator[tuple[str, Table]]:
    """Give every table with a name for its files that no other has: letters, digits and dashes."""
    tables = (table for section in page.sections for table in section.tables)
    for number, table in enumerate(tables, start=1):
        yield f"{number:03}-{re.sub(r'[^A-Za-z0-9._-]+', '_', table.name)[:60]}", table


def formats(table: Table) -> dict[str, str]:
    """Give those of `FORMATS` that a table is written in."""
    long = len(table.result.table) > _MOST_LATEX
    return {ending: format for ending, format in FORMATS.items() if not (long and ending == "tex")}
