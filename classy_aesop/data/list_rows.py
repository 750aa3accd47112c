"""Rows of one topic each, with lists over the systems, made into rows of one summary each.

Benchmarks publish them: ``machine_summaries`` holds a text a system, ``relevance`` and others a number a system, in the
same order, and ``human_summaries`` the references. The column ``text`` is the document there.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from classy_aesop.data.asked import Fields
from classy_aesop.data.columns import ROLES, role_of
from classy_aesop.data.opening import Where
from classy_aesop.data.score_rows import Row, shown
from classy_aesop.errors import DataWarning, UsageError

LISTS = ("machine_summaries", "system_summaries", "model_summaries", "system_outputs", "model_outputs")
"""Names of columns that hold the summaries of all systems."""

_SYSTEM = "system"


def unfolded(rows: Sequence[Row], fields: Fields | None) -> tuple[Sequence[Row], Fields | None]:
    """Give a row for each summary, and what the columns are; other rows are as they were.

    Systems without a column of names are numbered by their place in the list: ``system_01``.

    Raises
    ------
    InputError
        A list over the systems is missing, or is longer or shorter than that of the summaries.

    Warns
    -----
    DataWarning
        Systems are numbered.
    """
    names = [name for name in rows[0][1] if name.strip().lower() in LISTS]
    lists = [name for name in names if any(_is_list(row.get(name)) for _, row in rows)]
    asked = dict(fields or {})
    if len(lists) != 1 or "text" in map(_role, asked):
        return rows, fields
    (texts,) = lists
    asked["text"] = texts
    if "text" in rows[0][1] and "documents" not in map(_role, asked):
        asked["documents"] = "text"
    known = [name for name in rows[0][1] if name.strip().lower() in ROLES["summarizer"]]
    systems = _asked_for("summarizer", asked) or known
    parts = [name for name in rows[0][1] if _is_of_systems(name, rows, systems)]
    is_numbered = not systems
    if is_numbered:
        message = f"no column names the systems; they are numbered by their place in {texts}"
        warnings.warn(message, DataWarning, stacklevel=4)
    dealt = (one for where, row in rows for one in _summaries(where, row, texts, parts))
    return [
        (where, {_SYSTEM: f"{_SYSTEM}_{at:02}", **row} if is_numbered else row) for at, where, row in dealt
    ], asked


def _summaries(
    where: Where, row: Mapping[str, Any], texts: str, parts: Sequence[str]
) -> Iterator[tuple[int, Where, dict[str, Any]]]:
    """Distribute the lists of a row to its summaries."""
    if not (_is_list(row.get(texts)) and row[texts]):
        raise where.error(
            f"{texts} is {shown(row.get(texts))}; expected a list with a summary of each system"
        )
    n = len(row[texts])
    for name in parts:
        value: Any = row.get(name)
        if not _is_list(value) or len(value) != n:
            found = f"{len(value)} values" if _is_list(value) else "no list"
            raise where.error(f"{name} has {found}, {texts} has {n}; expected one for each system in both")
    for at in range(n):
        yield at + 1, where, {**row, **{name: row[name][at] for name in (texts, *parts)}}


def _is_of_systems(name: str, rows: Sequence[Row], systems: Sequence[str]) -> bool:
    """Whether a column holds the names of systems or numbers, in lists: other lists of texts are references."""
    values = [row[name] for _, row in rows if _is_list(row.get(name))]
    is_text = all(isinstance(one, str) for value in values for one in value)
    return bool(values) and (not is_text or name in systems)


def _asked_for(role: str, fields: Fields) -> list[str]:
    """Name the columns that the user says have a role."""
    given = [value for name, value in fields.items() if _role(name) == role]
    return [one for value in given for one in ((value,) if isinstance(value, str) else value)]


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _role(name: str) -> str:
    try:
        return role_of(name)
    except UsageError:  # it is refused where roles are given
        return name
