"""The page of tables that other commands wrote: each with the picture that fits it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from classy_aesop.errors import InputError, listed
from classy_aesop.report.files import check_columns, read_result
from classy_aesop.report.kinds import kind_of, pictures
from classy_aesop.report.page import Page, Section, Table

MOST_PICTURES = 24
"""Pictures of one table."""

Notes = Callable[[str, str], Sequence[str]]


def _none(kind: str, signature: str) -> tuple[()]:
    """Write nothing."""
    return ()


def table_page(paths: Sequence[str | Path], *, notes: Notes = _none) -> Page:
    """Read tables and build their page.

    Parameters
    ----------
    paths : sequence of path
        The tables.
    notes : callable
        From the kind and the signature of a table to what is written below it.

    Raises
    ------
    InputError
        A file is not a table.
    """
    found = [_section(Path(path), notes) for path in paths]
    titles = [section.title for section in found]
    sections = [
        replace(section, title=f"{section.title}: {Path(path).stem}")
        if titles.count(section.title) > 1
        else section
        for section, path in zip(found, paths, strict=True)
    ]
    if len(sections) == 1:
        [[first, *rest]] = [section.text for section in sections]
        return Page(titles[0], [first], [replace(sections[0], text=rest)])
    lead = [f"{section.title}: {section.text[0]}" for section in sections]
    return Page(listed(dict.fromkeys(titles), most=3), lead, sections)


def _section(path: Path, notes: Notes) -> Section:
    result = read_result(path)
    if result.table.empty:
        raise InputError("no rows; expected a table that a command wrote", path=path)
    kind = kind_of(result)
    check_columns(result, kind.columns.split(), path)
    drawn = list(pictures(result))
    left = len(drawn) - MOST_PICTURES
    text = [kind.sentence(result.table), f"The table is that of {path.name}."]
    text += [f"{left} more pictures are left out."] if left > 0 else []
    table = Table(path.stem, replace(result, notes=notes(result.kind, result.signature)), kind.caption)
    return Section(kind.caption, text, [*drawn[:MOST_PICTURES], table], code=result.signature)
