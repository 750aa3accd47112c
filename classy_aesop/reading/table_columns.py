"""The roles of a table's columns, by their names and by what they hold, or as the user says.

Every column of numbers without a role is a human measure, unless its name is that of something else
(`roles.is_doubtful`), or the user says that it holds the ``scores`` of a metric, such as an LLM judge. The user names
columns of raters by the role ``ratings``, with names or patterns such as ``rating_*``.
"""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from classy_aesop.data.cells import Fields, Key, format_value, is_missing, read_identifier, split_instance
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, NoTextError, UsageError, join_names
from classy_aesop.reading.column_kinds import Kind, settle_marks
from classy_aesop.reading.column_names import numbers_attempts
from classy_aesop.reading.roles import (
    IDENTIFIERS,
    OF_TEXTS,
    OWN,
    ROLES,
    SELDOM_ROLE_NAMES,
    SEVERAL,
    Raters,
    is_counter,
    is_doubtful,
    named_raters,
    plain,
    recognized_raters,
    role_of,
)

_TEXTS = ("text", "references", "documents", "earlier_references")


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are: those of each role, columns that are not used, raters, and what each holds."""

    roles: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    raters: Raters = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    def __getitem__(self, role: str) -> tuple[str, ...]:
        return self.roles.get(role, ())

    def only(self, role: str) -> str | None:
        """Give the column of a role that at most one has."""
        return next(iter(self[role]), None)

    def __str__(self) -> str:
        return ", ".join(
            f"{role} = {join_names(self[role], most=20, by=' + ')}" for role in ROLES if self[role]
        )

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers that are used."""
        return (*self["measures"], *self["scores"], *self["ratings"])

    def name(self, row: Mapping[str, Any], role: str, where: Where, default: str | None = None) -> str:
        """Give an identifier of a row; ``default`` where no column has its role, or the cell is empty."""
        column = self.only(role)
        if column is None or (default is not None and is_missing(row.get(column))):
            return default or ""
        return read_identifier(row.get(column), column, where, may_be_empty=default is not None, is_cell=True)

    def key(
        self, row: Mapping[str, Any], where: Where, year: str, *, topic: str = "", summarizer: str = ""
    ) -> Key:
        """Give year, topic, task and summarizer of a row; where no column has a role, the given ones."""
        topic = self.name(row, "topic", where) or topic
        summarizer = self.name(row, "summarizer", where) or summarizer
        task = self.name(row, "task", where, "")
        if plain(self.only("topic") or "") == "instance_id":  # it may end with the task
            topic, task = split_instance(topic, task or None)
        return self.name(row, "year", where, "") or year, topic, task, summarizer

    def cell(self, row: Mapping[str, Any], column: str, where: Where) -> Any:
        """Give the score in a cell; one that is written as text has a decimal point."""
        value = row.get(column)
        return self.kinds[column].write_plainly(value, column, where) if isinstance(value, str) else value

    def describe_unused(self, reason: str, advice: str, path: str | None) -> Iterator[str]:
        """Name the columns of a file that are not used: why doubtful ones are not, and how they are asked for."""
        unread = [name or "a column without a name" for name in self.unread]
        for position, name in enumerate(self.unread[:20]):
            if name in self.kinds and (strange := self.kinds[name].strange):
                where, value = strange
                place = where.describe_within(path)
                unread[position] = f"{name} (numbers, but {format_value(value)} in {place})"
        if unread:
            yield f"ignored columns: {join_names(unread, most=20)}"
        if self.doubtful:
            yield f"{reason}: {join_names(self.doubtful, most=20)}; {advice} (columns={{...}} in Python)"


def recognize(kinds: Mapping[str, Kind], fields: Fields | None = None) -> Columns:
    """Find the role of each column of a table of summaries, by what the user says, its name and what it holds."""
    requested = requested_columns(kinds, fields or {}, OF_TEXTS)
    requested_names = {name for names in requested.values() for name in names}
    free = [name for name in kinds if name not in requested_names]
    roles = {
        role: requested[role] if role in requested else columns_of_role(role, free, kinds)
        for role in OF_TEXTS
    }
    if "human" not in requested:  # a measure may be called human
        marks = marks_of_humans(kinds)
        roles["human"] = tuple(name for name in roles["human"] if name in marks)
    used = {name for names in roles.values() for name in names}
    doubtful: tuple[str, ...] = ()
    raters = named_raters(requested.get("ratings", ()))
    if "measures" not in requested:
        used_otherwise = used - {*roles["measures"]}
        kind_of = {
            name: kinds[name].kind for name in free if name not in used_otherwise and not is_counter(name)
        }
        numbers = [name for name, kind in kind_of.items() if kind in ("numbers", "mixed", "places")]
        is_doubted = {name for name in numbers if is_doubtful(name) or kind_of[name] == "places"} - used
        doubtful = tuple(name for name in numbers if name in is_doubted)
        measures = [name for name in numbers if name not in is_doubted]
        if "ratings" not in requested and not roles["assessor"]:
            raters = recognized_raters(measures, of_humans=True)
            roles["ratings"] = tuple(
                name for column_of_rater in raters.values() for name in column_of_rater.values()
            )
        single = {*roles["ratings"]}
        roles["measures"] = tuple(name for name in measures if name not in single)
        used |= {*roles["measures"], *single, *doubtful}
    check_raters(raters, roles["measures"], roles["assessor"])
    if not roles["text"]:
        raise NoTextError(
            f"no column for the text of a summary among {join_names(kinds, most=20) or 'none'}; "
            f"expected {', '.join(ROLES['text'][:7])}, or its name: {describe_option('text')}; "
            "evaluate, compare, power and assessors take scores without texts"
        )
    if roles["summarizer"] and not roles["topic"]:
        raise InputError(
            f"no column for the topic among {join_names(kinds, most=20)}; expected {', '.join(ROLES['topic'][:5])}, "
            f"or its name: {describe_option('topic')}"
        )
    unread = tuple(name for name in kinds if name not in used and kinds[name].kind != "nothing")
    of_scores = {name: kinds[name] for name in Columns(roles).numbers}
    return Columns(roles, unread, doubtful, raters, {**kinds, **settle_marks(of_scores)})


def marks_of_humans(kinds: Mapping[str, Kind]) -> list[str]:
    """Find the columns that say who is human: by their names, unless they hold other numbers than 0 and 1, or texts."""
    return [
        name
        for name, kind in kinds.items()
        if plain(name) in ROLES["human"] and not (kind.is_scale or kind.is_prose)
    ]


def check_raters(raters: Raters, measures: Collection[str], assessors: Sequence[str]) -> None:
    """Refuse what would give one rating two raters, or one measure two meanings."""
    rated = [measure for measure in raters if not numbers_attempts(measure)]
    if rated and assessors:
        raise UsageError(
            f"ratings of {join_names(rated)} are columns of raters, and the column {assessors[0]} names the "
            "rater of a row; expected one of the two"
        )
    if repeated := [name for name in raters if name in measures]:
        raise UsageError(
            f"columns of raters share the name {join_names(repeated)} with another column; expected one of them renamed"
        )


def columns_of_role(role: str, free: Iterable[str], kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Find the columns that have a role by their names; several for a role of one are an `InputError`."""

    def stem(name: str) -> str:
        """Give the name that is looked up: without the number at its end where a role has several."""
        return re.sub("_?[0-9]+$", "", plain(name)) if role in SEVERAL else plain(name)

    for usual_names in (ROLES[role], SELDOM_ROLE_NAMES.get(role, ())):
        names = [name for name in free if stem(name) in usual_names]
        if role in _TEXTS:
            names = [name for name in names if kinds[name].kind not in ("numbers", "places")]
        if names:
            break
    names = [name for name in names if kinds[name].kind != "nothing"] or names
    if role in IDENTIFIERS:
        names = [role] if role in names else [name for name in names if plain(name) in OWN] or names
    if len({stem(name) if role in SEVERAL else name for name in names}) > 1 and role != "measures":
        raise InputError(
            f"{role} could be {join_names(names, by=' or ')}; name the one that is meant: {describe_option(role)}"
        )
    return tuple(names)


def describe_option(role: str) -> str:
    """Describe how the user names the column of a role."""
    return f"--columns {role}=NAME, or columns={{{role!r}: NAME}} in Python"


def requested_columns(
    columns: Collection[str], fields: Fields, roles: Collection[str] = ROLES
) -> dict[str, tuple[str, ...]]:
    """Give the columns of each role that the user names; a pattern with ``*`` and ``?`` is all that it fits."""
    columns_of: dict[str, tuple[str, ...]] = {}
    present = {*columns}
    for name, value in fields.items():
        role = role_of(name, roles)
        matches: list[str] = []
        unknown: list[str] = []
        for pattern in dict.fromkeys((value,) if isinstance(value, str) else value):
            if pattern in present:
                names = [pattern]
            else:
                names = fnmatch.filter(columns, pattern) if {*pattern} & {*"*?"} else []
            matches += names
            if not names:
                unknown.append(pattern)
        if unknown:
            raise UsageError(
                f"no column {join_names(unknown)} among {join_names(columns, most=20)} to use as {name}"
            )
        columns_of[role] = (*columns_of.get(role, ()), *matches)
        if len(columns_of[role]) > 1 and role not in SEVERAL:
            raise UsageError(f"{name} is one column; found {join_names(columns_of[role])}")
    counts = Counter(name for names in columns_of.values() for name in names)
    repeated = sorted(name for name, count in counts.items() if count > 1)
    if repeated:
        raise UsageError(f"column {join_names(repeated)} is named twice; expected one role a column")
    return columns_of
