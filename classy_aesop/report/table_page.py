"""The page of tables that other commands wrote: each with the picture that fits it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from classy_aesop.report.files import read_table, with_numbers
from classy_aesop.report.kinds import NUMBERS, kind_of
from classy_aesop.report.page import Page, Section, Table

MOST_PICTURES = 24
"""Pictures of one table."""


def table_page(paths: Sequence[str | Path], *, notes: Callable[[str], Sequence[str]] = lambda _: ()) -> Page:
    """Read tables and say what their page holds.

    Parameters
    ----------
    paths : sequence of path
        The tables.
    notes : callable
        From the name of a study or a command to what is written below its table.

    Raises
    ------
    InputError
        A file is not a table.
    """
    sections, lead = [], []
    for path in paths:
        rows, signed = read_table(path)
        kind = kind_of(rows)
        rows = with_numbers(rows, (NUMBERS & set(rows)) if kind.columns else (), path)
        sentence = kind.say(rows)
        lead.append(f"{Path(path).name}: {sentence}")
        pictures = list(kind.pictures(rows))
        left = len(pictures) - MOST_PICTURES
        text = [sentence, *([f"{left} more pictures are left out."] if left > 0 else [])]
        below = notes(_command(signed))
        table = Table(Path(path).stem, kind.what, rows, kind.wide(rows), signed, notes=below)
        sections.append(Section(Path(path).name, text, [*pictures[:MOST_PICTURES], table], code=signed))
    title = Path(paths[0]).stem if len(paths) == 1 else f"{len(paths)} tables"
    return Page(title, lead, sections)


def _command(signed: str) -> str:
    """Give the study or the command that wrote a table, as its signature names it."""
    found = re.match(r"(?:study:)?([a-z-]+)", signed)
    return found[1] if found else ""
