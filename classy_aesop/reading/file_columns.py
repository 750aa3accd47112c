"""Which of the columns that the user names are those of a file or a table, where several are read together."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import RULES
from classy_aesop.work.options import Fields, GivenColumns, split_names, split_role

ColumnsByRole = Mapping[str, Sequence[str]]
"""The columns of each role; none: nothing has this role."""

_FLAGS = ("scale", "sheet")
_NO_COLUMNS = frozenset({"cells", *_FLAGS})
"""ColumnsByRole whose values are no names of columns."""


def group_by_role(columns: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Give the columns of each role; a name without a role has that of the one before."""
    roles: dict[str, tuple[str, ...]] = {}
    last = ""
    for role, name in columns:
        last = role or last
        if not last:
            raise UsageError(f"columns: {name!r}; expected ROLE=NAME, e.g. topic=story,text=out")
        if last in _FLAGS:
            raise UsageError(f"--columns: {last} is no role of a column; expected --{last}")
        roles[last] = (*roles.get(last, ()), *((name,) if name else ()))
    return roles


def columns_by_role(columns: GivenColumns | None) -> Fields | None:
    """Give the columns of each role that a caller names, by a mapping or by the text of ``--columns``.

    Examples
    --------
    >>> columns_by_role("topic=story, ratings=ann,bob")
    {'topic': ('story',), 'ratings': ('ann', 'bob')}
    """
    return group_by_role(map(split_role, split_names(columns))) if isinstance(columns, str) else columns


def divide_columns(columns: ColumnsByRole, names: Mapping[str, Collection[str]]) -> dict[str, ColumnsByRole]:
    """Give to each of several sources, with the names of its columns, those of the columns that it has.

    Examples
    --------
    >>> divide_columns({"topic": ("story",)}, {"scores": ["story", "bleu"], "judgments": ["doc"]})
    {'scores': {'topic': ['story']}, 'judgments': {}}
    """
    everywhere = {*chain(*names.values())}
    if unknown := [
        name for role in columns for name in columns[role] if not _is_there(role, name, everywhere)
    ]:
        raise UsageError(
            f"no column {join_names(unknown)} in any of {join_names(names, limit=20)} (named by columns)"
        )
    return {
        source: {
            role: existing_names
            for role, requested_names in columns.items()
            if (existing_names := [name for name in requested_names if _is_there(role, name, in_source)])
            or not requested_names
        }
        for source, in_source in names.items()
    }


_OF_TEXTS = ("text", "references", "documents", "earlier_references", "human")


def drop_text_roles(columns: ColumnsByRole) -> ColumnsByRole:
    """Leave out the roles of texts, which tables of scores do not have."""
    from classy_aesop.reading.shapes import role_by_name

    return {role: names for role, names in columns.items() if role_by_name(role) not in _OF_TEXTS}


def _is_there(role: str, name: str, names: Collection[str]) -> bool:
    """Whether a name, or a pattern with ``*`` and ``?``, is that of a column, or what a role has needs none."""
    return role in _NO_COLUMNS or name in {*names, *RULES} or bool(fnmatch.filter(names, name))


def names_in_file(source: Source) -> set[str]:
    """Give the names of the columns of a file, as it is written and as it is unfolded; none if it is no table."""
    from classy_aesop.reading.layouts import read_any_table
    from classy_aesop.reading.table_files import form_of, read_table_file

    names: set[str] = set()
    with suppress(InputError, UsageError, IsADirectoryError):
        names |= {*read_any_table(source).columns}
    with suppress(InputError, UsageError, IsADirectoryError):
        if form_of(source) in ("json", "jsonl"):
            names |= {*read_table_file(source).columns}
    return names
