"""Every way in which a table of judgments can be read, the likeliest first."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from classy_aesop.errors import UsageError, join_names
from classy_aesop.reading.judged_tables import JudgedTable
from classy_aesop.reading.preference_shapes import find_preference_readings
from classy_aesop.reading.readings import BY_FILE, BY_ORDER, SHEET, Reading
from classy_aesop.reading.roles import plain, role_of
from classy_aesop.reading.score_shapes import error_spans, long_measures, system_slots, wide_scores
from classy_aesop.reading.word_scales import WordScale

SHAPES: tuple[Callable[[JudgedTable, Mapping[str, tuple[str, ...]]], Iterator[Reading]], ...] = (
    find_preference_readings,
    system_slots,
    error_spans,
    long_measures,
    wide_scores,
)
"""The shapes, the most particular first: the first that sees its form in a table reads it."""


def find_readings(table: JudgedTable, requested: Mapping[str, Sequence[str]] | None = None) -> list[Reading]:
    """Find how a table can be read, the likeliest way first; none if it holds no scores.

    Parameters
    ----------
    table : JudgedTable
        What `read_document` gives.
    requested : mapping of str to sequence of str, optional
        What the user says, by role: ``topic``, ``system``, ``rater``, ``task``; ``measures``, ``scores``, ``ratings``,
        ``systems``, ``cells``; ``metric`` and ``score``; ``first``, ``second``, ``winner``; ``errors``; ``scale``.
    """
    roles = _match_requested_columns(table, requested or {})
    scales = roles.pop("scale", ())
    scale = WordScale.from_text(scales[0]) if scales else None
    if scale is not None:
        table = _apply_scale(table, scale)
    for shape in SHAPES:
        readings = [
            reading
            if scale is None
            else replace(reading, scale=scale, roles={**reading.roles, "scale": tuple(scales)})
            for reading in shape(table, roles)
        ]
        if readings:
            return _drop_equal_readings(readings)
    return []


def _apply_scale(table: JudgedTable, scale: WordScale) -> JudgedTable:
    """Set a scale for the columns of words that it covers."""
    columns = {
        name: replace(column, given_scale=scale)
        if column.numbers is None and column.n_distinct > 0 and scale.covers(column.words)
        else column
        for name, column in table.columns.items()
    }
    return replace(table, columns=columns)


def _drop_equal_readings(readings: Sequence[Reading]) -> list[Reading]:
    seen: dict[str, Reading] = {}
    for reading in readings:
        seen.setdefault(reading.columns_option(), reading)
    return list(seen.values())[:4]


ROLES_BESIDE_SHAPES = {"summarizer": "system", "assessor": "rater"}
"""The names that roles of plain tables have here."""

ROLES_OF_SHAPES = (
    *(
        "topic",
        "system",
        "rater",
        "attempt",
        "task",
        "year",
        "measures",
        "scores",
        "ratings",
        "metric",
        "score",
        "systems",
        "cells",
    ),
    *("first", "second", "pair", "winner", "errors", "scale"),
)
"""The roles of columns of judgments."""


def role_by_name(name: str) -> str:
    """Find the role that a name means, one of shapes or of plain tables; a `UsageError` if there is none."""
    if plain(name) in (*ROLES_OF_SHAPES, SHEET):
        return plain(name)
    role = role_of(name)
    return ROLES_BESIDE_SHAPES.get(role, role)


def _match_requested_columns(
    table: JudgedTable, requested: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Match what the user names, with ``*`` and ``?``, with columns of a table; give the columns by role."""
    roles: dict[str, tuple[str, ...]] = {}
    for name_of_role, names in requested.items():
        role = role_by_name(name_of_role)
        columns: list[str] = []
        for name in names:
            if name in (BY_ORDER, BY_FILE) or role in ("cells", "scale"):
                columns.append(name)
            elif name in table.columns or not {*name} & {*"*?"}:
                columns.append(_match_column(table, name, name_of_role))
            else:
                columns += fnmatch.filter(table.columns, name)
        roles[role] = (*roles.get(role, ()), *columns)
    return {role: columns for role, columns in roles.items() if role in ROLES_OF_SHAPES}


def _match_column(table: JudgedTable, name: str, role: str) -> str:
    column = table.find_column(name)
    if column is None:
        raise UsageError(f"no column {name} among {join_names(table.columns, most=20)} to use as {role}")
    return column
