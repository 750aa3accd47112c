"""The question that tells close readings of a table apart, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from classy_aesop.errors import join_names
from classy_aesop.reading.shapes import Reading

_KEYS = ("system", "topic", "rater", "attempt", "task", "winner", "metric", "score")
"""Roles of one column, in the order in which readings are told apart by them."""

_KINDS = {
    "systems": "systems",
    "topics": "topics",
    "ratings": "raters",
    "measures": "measures",
    "scores": "metrics",
    "": "not used",
}
"""What columns of a role are, of which there may be several."""


def ask_which(readings: Sequence[Reading]) -> str:
    """Ask in one sentence which of several readings of a table is meant."""
    sides = [(*reading.roles.get("first", ()), *reading.roles.get("second", ())) for reading in readings]
    winners = [reading.roles.get("winner", ()) for reading in readings]
    if len(readings) == 2 and sides[0] and sides[0] == sides[1][::-1] and winners[0] == winners[1]:
        return f"do higher values of {join_names(winners[0])} prefer {sides[0][-1]} or {sides[1][-1]}?"
    for role in (*_KEYS, "cells"):
        is_named = role == "cells" and "cells" in readings[0].roles
        columns = {
            " + ".join(reading.roles.get(role, ())) or reading.shape * is_named: None for reading in readings
        }
        if len(columns) > 1 and "" not in columns:
            name = next(iter(readings[0].cells)) if role == "cells" else f"the {role}"
            return f"is {name} {'named as ' * (role == 'cells')}{' or '.join(columns)}?"
    role_of = [
        {name: role for role, names in reading.roles.items() for name in names} for reading in readings
    ]
    columns_by_roles: dict[tuple[str, ...], list[str]] = {}
    for name in {name: None for roles in role_of for name in roles}:
        roles_of_column = tuple(dict.fromkeys(roles.get(name, "") for roles in role_of))
        if len(roles_of_column) > 1 and {*roles_of_column} <= {*_KINDS, *_KEYS, "cluster"}:
            columns_by_roles.setdefault(roles_of_column, []).append(name)
    if not columns_by_roles:
        return f"is it {' or '.join(reading.columns_option() for reading in readings)}?"
    moved, names = min(columns_by_roles.items(), key=lambda item: ("" in item[0], -len(item[1])))
    are_several = len(names) > 1
    kinds = " or ".join(_name_kind(role, are_several=are_several) for role in moved)
    return f"{'are' if are_several else 'is'} {join_names(names, limit=6)} {kinds}?"


def _name_kind(role: str, *, are_several: bool) -> str:
    kind = _KINDS.get(role, f"the {role}")
    return kind if are_several or not role or role not in _KINDS else f"a {kind[:-1]}"
