"""The columns that the user names for their roles, in every table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from classy_aesop.data import raters
from classy_aesop.errors import UsageError, listed

Fields = Mapping[str, str | Iterable[str]]
"""Maps roles, or common names of them, to the columns that have them; no column: nothing has this role."""


def asked_columns(
    columns: Collection[str], fields: Fields, *, role_of: Callable[[str], str], several: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Give the columns of each role that the user names.

    Parameters
    ----------
    columns : collection of str
        Those of the table.
    fields : mapping
        What the user says; patterns with ``*`` and ``?`` stand for all columns that they fit.
    role_of : callable
        Gives the role that a name stands for.
    several : collection of str
        Roles that several columns may have.

    Raises
    ------
    UsageError
        There is no such role or column, a column has two roles, or two columns one role that only one may have.

    Examples
    --------
    >>> asked_columns(["doc", "r1", "r2"], {"id": "doc", "ratings": "r*"}, role_of=str, several=["ratings"])
    {'id': ('doc',), 'ratings': ('r1', 'r2')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields.items():
        role = role_of(name)
        matches = {
            one: raters.matching(one, columns) for one in ((value,) if isinstance(value, str) else value)
        }
        unknown = [one for one, names in matches.items() if not names]
        if unknown:
            raise UsageError(
                f"no column {listed(unknown)} among {listed(columns, most=20)}; asked for as {name}"
            )
        found[role] = (*found.get(role, ()), *(one for names in matches.values() for one in names))
        if len(found[role]) > 1 and role not in several:
            raise UsageError(f"{name} is one column; found {listed(found[role])}")
    every = [name for names in found.values() for name in names]
    again = sorted({name for name in every if every.count(name) > 1})
    if again:
        raise UsageError(f"column {listed(again)} is asked for twice; expected one role a column")
    return found
