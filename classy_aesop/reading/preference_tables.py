"""The plain table of preferences: a comparison a row, with the two systems and the winner in named columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from classy_aesop.data.cells import Fields, format_value, is_missing
from classy_aesop.data.preference_records import FIRST, SECOND, TIE, Preferences
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import STANDARD_INPUT, Source
from classy_aesop.reading.column_names import ATTEMPT_NAMES
from classy_aesop.reading.documents import header_names
from classy_aesop.reading.judged_scores import list_names, select_sheet
from classy_aesop.reading.preference_readings import (
    find_judged_preferences,
    note_attempts,
    warn_of_missing_winners,
)
from classy_aesop.reading.preference_shapes import may_name_preferences
from classy_aesop.reading.roles import ROLES, plain
from classy_aesop.reading.table_files import TableFile, read_table_file

SYSTEM_PAIRS = (
    ("model_a", "model_b"),
    ("system_a", "system_b"),
    ("model_1", "model_2"),
    ("system_1", "system_2"),
    ("generator_1", "generator_2"),
    ("first", "second"),
)
"""Names of the two columns of systems."""

WINNERS = ("winner", "preference", "preferred")
"""Names of the column of winners."""

TIE_VALUES = frozenset({"tie", "ties", "both", "draw", "equal", "neither", "tie_bothbad", "tie_(bothbad)"})
"""Words for neither side."""

_RATERS = (*ROLES["assessor"], "judge")
_TOPICS = (*ROLES["topic"], "question_id")


def is_preference_table(columns: Collection[str]) -> bool:
    """Whether the names of columns are those of a plain table of preferences."""
    names = {plain(name) for name in columns}
    return bool(names & {*WINNERS}) and any(names.issuperset(pair) for pair in SYSTEM_PAIRS)


def find_preferences(
    path: str | Path | Source, *, columns: Fields | None = None, encoding: str | None = None
) -> Preferences | None:
    """Read a file if it is a table of preferences, by its columns or by what the user says of them; else None.

    Parameters
    ----------
    path, columns, encoding
        As for :func:`read_preferences`. Of a file that can be read once only (a named pipe) nothing is read.

    Returns
    -------
    Preferences or None
        What it holds.

    Raises
    ------
    InputError, UsageError
        As :func:`read_preferences`.
    """
    if not isinstance(path, Source) and str(path) != STANDARD_INPUT and not Path(path).is_file():
        return None
    source, roles = select_sheet(Source.from_path(path).select_encoding(encoding), columns)
    try:
        names = header_names(source)
    except InputError:  # said by whoever reads it as scores
        names = []
    if "winner" in roles or is_preference_table(names):
        return _read_plain_or_judged(source, roles)
    return find_judged_preferences(source, roles) if may_name_preferences(names) else None


def read_preferences(
    path: str | Path | Source, *, columns: Fields | None = None, encoding: str | None = None
) -> Preferences:
    """Read a table of preferences, a comparison a row.

    Parameters
    ----------
    path : path-like
        A table in any form that :func:`classy_aesop.reading.read_scores` reads.
    columns : mapping, optional
        The columns of ``topic, first, second, winner, rater`` where their names do not say so; ``pair`` for a column
        that names both systems; two columns of ``winner`` for the scores of the two sides.
    encoding : str, optional
        The encoding of a text table that is not in UTF-8.

    Returns
    -------
    Preferences
        The comparisons in the order of the rows; rows without a winner are left out.

    Raises
    ------
    InputError
        A column is missing, it is doubtful which side is meant, or a winner names neither side; with file and line.
    UsageError
        ``columns`` names a role or a column that is not known.

    Examples
    --------
    >>> judged = read_preferences("classy_aesop/sample/tutorial/preferences.csv")
    >>> len(judged), judged.systems, judged.raters
    (72, ('system-02', 'system-05', 'system-08'), ('ann', 'bob'))
    """
    return _read_plain_or_judged(*select_sheet(Source.from_path(path).select_encoding(encoding), columns))


def _read_plain_or_judged(source: Source, fields: Fields) -> Preferences:
    """Read a table with the usual columns; otherwise preferences in any columns, if only one reading is possible."""
    try:
        table = read_table_file(source)
        roles = _find_roles(table.columns, fields, table.header)
    except (InputError, UsageError) as error:
        judged = find_judged_preferences(source, fields)
        if judged is None:
            raise error from None
        return judged
    try:
        return preferences_of_table(table, roles)
    except InputError as error:
        with suppress(InputError, UsageError):
            if judged := find_judged_preferences(source, fields):
                return judged
        raise error from None


def preferences_of_table(table: TableFile, columns: Fields | None = None) -> Preferences:
    """Make preferences from a table, as `read_preferences` does."""
    roles = _find_roles(table.columns, columns or {}, table.header)
    rows = [(place, row) for place, row in table.rows if row.get(roles["winner"]) not in (None, "")]
    if not rows:
        raise table.header.error(f"no row with a {roles['winner']}; expected preferences")
    warn_of_missing_winners(len(table.rows) - len(rows), len(table.rows))
    places = [place for place, _ in rows]
    names = {role: [row.get(column) for _, row in rows] for role, column in roles.items()}
    winners = [_read_winner(row, roles, place) for place, row in rows]
    preferences = Preferences.from_names(
        names["topic"], names["first"], names["second"], winners, names.get("rater"), places=places
    )
    attempts = {"" if is_missing(cell) else str(cell) for cell in names.get("attempt", ())}
    note_attempts(preferences, attempts, table.header.path)
    return preferences


def _find_roles(columns: Collection[str], fields: Fields, header: Where) -> dict[str, str]:
    """Find the column of each role, by what the user says and by names; raise an error where one is missing."""
    role_names = {"topic", "first", "second", "winner", "rater", "attempt"}
    fields = {"rater" if role == "assessor" else role: value for role, value in fields.items()}
    if unknown := {*fields} - role_names:
        raise UsageError(
            f"no role {join_names(sorted(unknown))}; expected one of {join_names(sorted(role_names))}"
        )
    requested = {role: list_names(value) for role, value in fields.items()}
    if several := [role for role, names in requested.items() if len(names) > 1]:
        raise UsageError(
            f"{join_names(several)} is one column of a plain table of preferences; found several"
        )
    roles = {role: names[0] for role, names in requested.items() if names}
    if absent := {*roles.values()} - {*columns}:
        raise UsageError(f"no column {join_names(sorted(absent))} among {join_names(columns, most=20)}")
    spelled = {plain(name): name for name in reversed(list(columns))}
    pair = next((pair for pair in SYSTEM_PAIRS if spelled.keys() >= {*pair}), None)
    if pair is not None:
        roles.setdefault("first", spelled[pair[0]])
        roles.setdefault("second", spelled[pair[1]])
    names_by_role = {"winner": WINNERS, "topic": _TOPICS, "rater": _RATERS, "attempt": ATTEMPT_NAMES}
    for role, names in names_by_role.items():
        column = next((spelled[name] for name in names if name in spelled), None)
        if column is not None and role not in requested and column not in roles.values():
            roles.setdefault(role, column)
    if lacking := [role for role in ("topic", "first", "second", "winner") if role not in roles]:
        raise header.error(f"no column for {join_names(lacking)} among {join_names(columns, most=20)}")
    return roles


def _read_winner(row: Mapping[str, Any], roles: Mapping[str, str], place: Where) -> str:
    """Read which side wins in a row: `FIRST`, `SECOND` or `TIE`."""
    value = str(row[roles["winner"]]).strip()
    if value in (str(row.get(roles["first"])), roles["first"]):
        return FIRST
    if value in (str(row.get(roles["second"])), roles["second"]):
        return SECOND
    if plain(value) in TIE_VALUES:
        return TIE
    expected = f"{roles['first']}, {roles['second']}, a system of the row or tie"
    raise place.error(f"{roles['winner']} is {format_value(value)}; expected {expected}")
