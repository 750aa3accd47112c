"""Columns and an encoding that the user names for several tables: each table is read by what fits it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from classy_aesop.data.columns import matching
from classy_aesop.data.score_files import TABLES, recognize_format
from classy_aesop.data.sources import Source
from classy_aesop.data.table_files import TEXT_FORMS, read_table_file
from classy_aesop.errors import UsageError, listed


def shared_out(
    fields: Mapping[str, Sequence[str]], encoding: str | None, paths: Iterable[str]
) -> dict[str, tuple[Mapping[str, Sequence[str]], str | None]]:
    """Give each of several tables those of the named columns that it has, and the encoding if it is text.

    Raises
    ------
    UsageError
        No table has one of the columns, or none is text.
    """
    if not (fields or encoding):
        return dict.fromkeys(paths, ({}, None))
    heads = {path: _head(path, encoding) for path in paths}
    every = list(dict.fromkeys(name for _, there in heads.values() for name in there))
    for role, name in ((role, name) for role, names in fields.items() for name in names):
        if not matching(name, every):
            where = f"{listed(every, most=20)} of {listed(heads)}"
            raise UsageError(f"no column {name} among {where}; asked for as {role}")
    if encoding and not any(is_text for is_text, _ in heads.values()):
        raise UsageError(f"an encoding is of a text table (CSV, TSV); found {listed(heads)}")
    found: dict[str, tuple[Mapping[str, Sequence[str]], str | None]] = {}
    for path, (is_text, there) in heads.items():
        own = {role: [name for name in names if matching(name, there)] for role, names in fields.items()}
        own = {role: names for role, names in own.items() if names or not fields[role]}
        found[path] = own, encoding if is_text else None
    return found


def _head(path: str, encoding: str | None) -> tuple[bool, list[str]]:
    """Say whether a file is a text table, and which columns it has."""
    form = recognize_format(path, encoding)
    is_text = form in TEXT_FORMS
    if form not in TABLES:
        return False, []
    return is_text, read_table_file(Source(path, encoding=encoding if is_text else None), form).columns
