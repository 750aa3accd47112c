"""The question that tells close readings of a table apart, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from classy_aesop.errors import join_names
from classy_aesop.reading.shapes import Reading

_KEYS = ("system", "topic", "rater", "attempt", "task", "winner", "metric", "score")
"""Roles of one column, in the order in which readings are told apart by them."""

_KINDS = {
    "system": ("the system", "the systems"),
    "topic": ("the topic", "the topic"),
    "rater": ("the rater", "the rater"),
    "attempt": ("the attempt", "the attempt"),
    "cluster": ("the cluster", "the cluster"),
    "systems": ("a system", "systems"),
    "ratings": ("a rater", "raters"),
    "measures": ("a measure", "measures"),
    "scores": ("a metric", "metrics"),
    "": ("not used", "not used"),
}
"""What a column of a role is, and what several are."""


def ask_which(readings: Sequence[Reading]) -> str:
    """Ask in one sentence which of several readings of a table is meant."""
    for role in _KEYS:
        columns = {" + ".join(reading.roles.get(role, ())): None for reading in readings}
        if len(columns) > 1 and "" not in columns:
            return f"is the {role} {' or '.join(columns)}?"
    patterns = {reading.roles["cells"][0]: None for reading in readings if "cells" in reading.roles}
    if len(patterns) > 1:
        return f"is {next(iter(readings[0].cells))} named as {' or '.join(patterns)}?"
    roles = [{name: role for role, names in reading.roles.items() for name in names} for reading in readings]
    columns_by_roles: dict[tuple[str, ...], list[str]] = {}
    for name in {name: None for roles_of_reading in roles for name in roles_of_reading}:
        roles_of_column = tuple(dict.fromkeys(of_reading.get(name, "") for of_reading in roles))
        if len(roles_of_column) > 1 and {*roles_of_column} <= _KINDS.keys():
            columns_by_roles.setdefault(roles_of_column, []).append(name)
    if not columns_by_roles:
        return f"is it {' or '.join(reading.columns_option() for reading in readings)}?"
    moved, names = min(columns_by_roles.items(), key=lambda item: "" in item[0])
    are_several = len(names) > 1
    kinds = " or ".join(dict.fromkeys(_KINDS[role][are_several] for role in moved))
    return f"{'are' if are_several else 'is'} {join_names(names, most=6)} {kinds}?"
