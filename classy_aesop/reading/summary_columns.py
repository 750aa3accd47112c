"""The roles of the columns in a table of summaries, by their names and by what they hold, or as the user says.

Every column of numbers without a role is a human measure, unless its name is that of something else
(`column_names.is_doubtful`), or the user says that it holds the ``scores`` of a metric, such as an LLM judge. The user
names columns of raters by the role ``ratings``, with names or patterns such as ``rating_*``. Columns that differ by a
number only (``rating_1``, ``rating_2``; ``A1``, ``A2``) are raters of the measure that they have in common, unless
their name is that of something else: a metric, a question, a model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from classy_aesop.data.cells import Row, is_missing, is_missing_number
from classy_aesop.data.scores import UnnamedRater
from classy_aesop.errors import NoTextError, UsageError, join_names
from classy_aesop.reading.column_names import (
    COUNTERS,
    FURTHER_NAMES,
    IDENTIFIERS,
    OF_TEXTS,
    OWN_IDENTIFIERS,
    ROLES,
    SEVERAL,
    THINGS,
    group_numbered,
    is_doubtful,
    is_measure,
    numbers_attempts,
    role_of,
    spell,
    words_of,
)
from classy_aesop.reading.columns import COMMA, Table, TableColumn
from classy_aesop.reading.score_tables import MAX_NAME_LEVELS
from classy_aesop.reading.shapes import refuse_conflicts, split_measures
from classy_aesop.work.options import Fields

Raters = Mapping[str, Mapping[str, str]]
"""For each measure the columns of its raters, by the raters' names."""

_TEXTS = ("text", "references", "documents", "earlier_references")
_NAMES = ("summarizer", "assessor")
"""Roles whose columns hold names, and no texts."""
MAX_STRANGE_SHARE = 0.1
"""Largest share of cells (at least one) without a number in a column of numbers; they are refused one by one."""
_MIN_IDENTIFIERS = 20
_MAX_OF_SCALE = 100


@dataclass(frozen=True)
class SummaryColumns:
    """What the columns of a table are: those of each role, columns that are not used, and raters.

    ``table`` is the table, or its first part, by which the rest is read too.
    """

    table: Table
    roles: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    raters: Raters = field(default_factory=dict)

    def __getitem__(self, role: str) -> tuple[str, ...]:
        return self.roles.get(role, ())

    def only(self, role: str) -> str | None:
        """Give the column of a role that at most one has."""
        return next(iter(self[role]), None)

    def __str__(self) -> str:
        return ", ".join(
            f"{role} = {join_names(self[role], limit=20, by=' + ')}" for role in ROLES if self[role]
        )

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers that are used."""
        return (*self["measures"], *self["scores"], *self["ratings"])

    def table_of_part(self, rows: Sequence[Row]) -> Table:
        """Make a table of the identifiers and numbers of further rows, with the scales and marks of the first ones."""
        used = [*(name for role in IDENTIFIERS for name in self[role]), *self.numbers]
        cells = {name: [row.get(name) for _, row in rows] for name in used}
        return Table.from_cells(self.table.name, cells, [where for where, _ in rows], like=self.table)

    def identifiers(self, table: Table, role: str, *, may_be_empty: bool = False) -> list[str]:
        """Give an identifier of each row, which may be empty where it may be."""
        name = self.only(role)
        if name is None:
            return [""] * table.n_rows
        names = table[name].identifiers(table.places)
        if not may_be_empty and "" in names:
            place = table.places[int(np.argmax(names == ""))]
            raise place.error(f"{name} is empty; expected text or a whole number")
        return names.tolist()  # type: ignore[no-any-return]


def find_columns(table: Table, fields: Fields | None = None) -> SummaryColumns:
    """Find the role of each column of a table of summaries, by what the user says, its name and what it holds."""
    requested = _match_columns(table, fields or {})
    requested_names = {name for names in requested.values() for name in names}
    free = {name: spell(name) for name in table.columns if name not in requested_names}
    unnumbered = {name: re.sub("_?[0-9]+$", "", spelled) for name, spelled in free.items()}
    roles = {
        role: requested[role]
        if role in requested
        else _columns_of_role(table, role, unnumbered if role in SEVERAL else free)
        for role in OF_TEXTS
    }
    refuse_conflicts(requested, OF_TEXTS, roles["assessor"])
    if "human" not in requested:  # a measure may be called human
        roles["human"] = tuple(name for name in roles["human"] if table[name].may_be_truth_value)
    used = {name for names in roles.values() for name in names}
    doubtful: tuple[str, ...] = ()
    raters: Raters = split_measures(requested.get("ratings", ()))
    if "measures" not in requested:
        used_otherwise = used - {*roles["measures"]}
        numbers = [
            name
            for name, spelled in free.items()
            if name not in used_otherwise and spelled not in COUNTERS and _holds_numbers(table[name])
        ]
        doubtful = tuple(
            name for name in numbers if name not in used and (is_doubtful(name) or _counts_rows(table[name]))
        )
        measures = [name for name in numbers if name not in doubtful]
        if "ratings" not in requested and not roles["assessor"]:
            raters = find_raters(measures)
            roles["ratings"] = tuple(name for columns in raters.values() for name in columns.values())
        roles["measures"] = tuple(name for name in measures if name not in roles["ratings"])
        used |= {*numbers}
    if shared := [name for name in raters if name in roles["measures"]]:
        raise UsageError(
            f"columns of raters share the name {join_names(shared)} with another column; expected one of them renamed"
        )
    if not roles["text"]:
        message = f"no column for the text of a summary {_describe_expected(table, 'text')}"
        advice = "evaluate, compare, power and assessors take scores without texts"
        raise NoTextError(f"{message}; {advice}", path=table.name or None)
    if roles["summarizer"] and not roles["topic"]:
        raise table.place.error(f"no column for the topic {_describe_expected(table, 'topic')}")
    unread = tuple(name for name in table.columns if name not in used and not table[name].is_empty)
    return SummaryColumns(table, roles, unread, doubtful, raters)


def _describe_expected(table: Table, role: str) -> str:
    """Say which columns a table has, and which of a role were expected."""
    names = join_names(table.columns, limit=20)
    return f"among {names}; expected {', '.join(ROLES[role][:7])}, or its name: {describe_option(role)}"


def _match_columns(table: Table, fields: Fields) -> dict[str, tuple[str, ...]]:
    """Give the columns of each role that the user names."""
    columns_of: dict[str, tuple[str, ...]] = {}
    for name, value in fields.items():
        role = role_of(name, OF_TEXTS)
        patterns = dict.fromkeys((value,) if isinstance(value, str) else value)
        columns = [column for pattern in patterns for column in table.match(pattern, name)]
        columns_of[role] = (*columns_of.get(role, ()), *columns)
        if len(columns_of[role]) > 1 and role not in SEVERAL:
            raise UsageError(f"{name} is one column; found {join_names(columns_of[role])}")
    return columns_of


def _columns_of_role(table: Table, role: str, stems: Mapping[str, str]) -> tuple[str, ...]:
    """Find the columns that have a role by their names; several for a role of one are an `InputError`."""
    if role in _TEXTS:
        stems = {name: stem for name, stem in stems.items() if not table[name].is_number}
    names = [name for name, stem in stems.items() if stem in ROLES[role]]
    if not names:
        names = [name for name, stem in stems.items() if stem in FURTHER_NAMES.get(role, ())]
        names = [name for name in names if not (role in _NAMES and table[name].is_text)]
    names = [name for name in names if not table[name].is_empty] or names
    if role in IDENTIFIERS:
        names = (
            [role] if role in names else [name for name in names if spell(name) in OWN_IDENTIFIERS] or names
        )
    if len({stems[name] if role in SEVERAL else name for name in names}) > 1 and role != "measures":
        candidates = join_names(names, by=" or ")
        raise table.place.error(
            f"{role} could be {candidates}; name the one that is meant: {describe_option(role)}"
        )
    return tuple(names)


def _holds_numbers(column: TableColumn) -> bool:
    """Whether a column holds numbers, or lists or names of numbers, nearly everywhere; no truth values, no words."""
    if column.has_lists:
        return all(map(_is_of_numbers, column.distinct))
    if column.scale or any(isinstance(value, bool) for value in column.distinct):
        return False
    if (
        column.numbers is None
    ):  # numbers that are refused: too large, or all with a comma that may be of thousands
        return bool(column.words) and all(COMMA.fullmatch(word) or word.isdigit() for word in column.words)
    n_strange = int(column.is_among(column.strange).sum())
    n_numbers = column.n_filled - n_strange
    return n_strange <= max(n_numbers > 1, MAX_STRANGE_SHARE * column.n_filled)


def _is_of_numbers(value: Any, level: int = 0) -> bool:
    """Whether a value is a number or a missing one, or all that it holds are."""
    if isinstance(value, list | tuple | Mapping):
        items = value.values() if isinstance(value, Mapping) else value
        return level < MAX_NAME_LEVELS and all(_is_of_numbers(item, level + 1) for item in items)
    if isinstance(value, str):
        return is_missing_number(value)
    return is_missing(value) or (isinstance(value, int | float | Decimal) and not isinstance(value, bool))


def _counts_rows(column: TableColumn) -> bool:
    """Whether numbers count or name rows: in order, or whole, never equal, and beyond any scale."""
    are_identifiers = (
        _MIN_IDENTIFIERS <= column.n_distinct == column.n_filled
        and column.is_whole
        and column.values[-1] > _MAX_OF_SCALE
    )
    return are_identifiers or (column.counts_rows and not is_measure(column.name))


def find_raters(measures: Sequence[str]) -> dict[str, dict[str, str]]:
    """Find the columns of raters, or attempts, among columns of human measures, by their names."""
    other_names = {name.strip().lower() for name in measures}
    raters: dict[str, dict[str, str]] = {}
    for measure, columns in group_numbered(measures).items():
        if not all(map(str.isdigit, columns)) or measure.lower() in other_names:
            continue
        numbers = sorted(map(int, columns))
        are_counted = numbers in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])
        if numbers_attempts(measure) or (are_counted and THINGS.isdisjoint(words_of(measure))):
            raters[measure] = {UnnamedRater(number): name for number, name in columns.items()}
    return raters


def describe_raters(raters: Raters) -> str:
    """Say what is taken as raters, or attempts, of what."""
    return "; ".join(
        f"{measure} is the mean of {len(columns)} {'attempts' if numbers_attempts(measure) else 'raters'} "
        f"({join_names(columns.values(), limit=20)})"
        for measure, columns in raters.items()
    )


def describe_option(role: str) -> str:
    """Describe how the user names the column of a role."""
    return f"--columns {role}=NAME, or columns={{{role!r}: NAME}} in Python"
