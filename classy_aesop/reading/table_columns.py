"""The roles of a table's columns, by their names and by what they hold, or as the user says.

Every column of numbers without a role is a human measure, unless its name is that of something else
(`roles.is_doubtful`), or the user says that it holds the ``scores`` of a metric, such as an LLM judge. In a table of
scores it is a metric, unless its name is that of an identifier. The user names columns of raters by the role
``ratings``, with names or patterns such as ``rating_*``.
"""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from classy_aesop.data.cells import Fields, Key, format_value, identifier, is_missing, split_instance
from classy_aesop.data.scores import NO_METRICS
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, NoTextError, UsageError, listed, shortened
from classy_aesop.reading.column_kinds import Kind, settled
from classy_aesop.reading.roles import (
    IDENTIFIERS,
    LONG,
    OF_SCORES,
    OWN,
    ROLES,
    SELDOM,
    SEVERAL,
    Raters,
    is_counter,
    is_doubtful,
    named_raters,
    plain,
    recognized_raters,
    role_of,
    tells_rows_apart,
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

    def one(self, role: str) -> str | None:
        """Give the column of a role that at most one has."""
        return next(iter(self[role]), None)

    def __str__(self) -> str:
        return ", ".join(f"{role} = {listed(self[role], most=20, by=' + ')}" for role in ROLES if self[role])

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers that are used."""
        return (*self["measures"], *self["scores"], *self["ratings"])

    def name(self, row: Mapping[str, Any], role: str, where: Where, default: str | None = None) -> str:
        """Give an identifier of a row; ``default`` where no column has its role, or the cell is empty."""
        column = self.one(role)
        if column is None or (default is not None and is_missing(row.get(column))):
            return default or ""
        return identifier(row.get(column), column, where, empty=default is not None, cell=True)

    def key(
        self, row: Mapping[str, Any], where: Where, year: str, *, topic: str = "", summarizer: str = ""
    ) -> Key:
        """Give year, topic, task and summarizer of a row; where no column has a role, the given ones."""
        topic = self.name(row, "topic", where) or topic
        summarizer = self.name(row, "summarizer", where) or summarizer
        task = self.name(row, "task", where, "")
        if plain(self.one("topic") or "") == "instance_id":  # it may end with the task
            topic, task = split_instance(topic, task or None)
        return self.name(row, "year", where, "") or year, topic, task, summarizer

    def cell(self, row: Mapping[str, Any], column: str, where: Where) -> Any:
        """Give the score in a cell; one that is written as text has a decimal point."""
        value = row.get(column)
        return self.kinds[column].plain(value, column, where) if isinstance(value, str) else value

    def told(self, what: str, how: str, path: str | None) -> Iterator[str]:
        """Say which columns of a file are not used; ``what`` doubtful ones are not, and how they are asked for."""
        unread = list(self.unread)
        for at, name in enumerate(unread[:20]):
            if name in self.kinds and (strange := self.kinds[name].strange):
                unread[at] = (
                    f"{name} (numbers, but {format_value(strange[1])} in {strange[0].describe_within(path)})"
                )
        if unread:
            named = [name or "a column without a name" for name in unread]
            yield f"ignored columns: {listed(named, most=20)}"
        if self.doubtful:
            yield f"{what}: {listed(self.doubtful, most=20)}; {how} (columns={{...}} in Python)"


def recognize(kinds: Mapping[str, Kind], fields: Fields | None = None) -> Columns:
    """Find the role of each column of a table of summaries, by what the user says, its name and what it holds."""
    given = asked_columns(kinds, fields or {})
    taken = {name for names in given.values() for name in names}
    free = [name for name in kinds if name not in taken]
    roles = {role: given[role] if role in given else of_role(role, free, kinds) for role in ROLES}
    used = {name for names in roles.values() for name in names}
    doubtful: tuple[str, ...] = ()
    raters = named_raters(given.get("ratings", ()))
    if "measures" not in given:
        others = used - {*roles["measures"]}
        hold = {name: kinds[name].kind for name in free if name not in others and not is_counter(name)}
        numbers = [name for name, kind in hold.items() if kind in ("numbers", "mixed", "places")]
        is_other = {name for name in numbers if is_doubtful(name) or hold[name] == "places"} - used
        doubtful = tuple(name for name in numbers if name in is_other)
        measures = [name for name in numbers if name not in is_other]
        if "ratings" not in given and not roles["assessor"]:
            raters = recognized_raters(measures, of_humans=True)
            roles["ratings"] = tuple(name for one in raters.values() for name in one.values())
        single = {*roles["ratings"]}
        roles["measures"] = tuple(name for name in measures if name not in single)
        used |= {*roles["measures"], *single, *doubtful}
    check_raters(raters, roles["measures"], roles["assessor"])
    if not roles["text"]:
        raise NoTextError(
            f"no column for the text of a summary among {listed(kinds, most=20) or 'none'}; "
            f"expected {', '.join(ROLES['text'][:7])}, or its name: {how('text')}; "
            "evaluate, compare, compare-metrics, agreement, power and assessors take scores without texts"
        )
    if roles["summarizer"] and not roles["topic"]:
        raise InputError(
            f"no column for the topic among {listed(kinds, most=20)}; expected {', '.join(ROLES['topic'][:5])}, "
            f"or its name: {how('topic')}"
        )
    unread = tuple(name for name in kinds if name not in used and kinds[name].kind != "nothing")
    of_scores = {name: kinds[name] for name in Columns(roles).numbers}
    return Columns(roles, unread, doubtful, raters, {**kinds, **settled(of_scores)})


def recognize_scores(
    kinds: Mapping[str, Kind], header: Where, fields: Fields | None = None, *, of_humans: bool = False
) -> Columns:
    """Find what the columns of a table of scores are, long or wide; ``header`` is the place of their names."""
    every = list(kinds)
    given = asked_columns(every, fields or {}, OF_SCORES)
    roles = dict(identifiers(every, header, given).roles)
    if "" in every[1:]:
        raise header.error(f"a column of {listed(every, most=20)} has no name")
    taken = {name for names in roles.values() for name in names}
    kinds = {name: one for name, one in kinds.items() if name not in taken}
    named = [name for role in ("measures", "scores") for name in given.get(role, ())]
    doubtful: tuple[str, ...] = ()
    raters: Raters = {}
    others = (NO_METRICS - {"human"}) | {*marks_of_humans(kinds)}
    possible = [name for name in kinds if name not in others and not is_counter(name)]
    if long := _long(kinds, header):
        roles["metric"], numbers = (long[0],), [long[1]]
        free = [name for name in possible if plain(name) in LONG["score"]]
    else:
        free = [*named, *given.get("ratings", ())]
        if not named:
            doubtful = tuple(name for name in possible if tells_rows_apart(name) and kinds[name].has_numbers)
            left_out = {*doubtful}
            free = [name for name in possible if name not in left_out]
        numbers = [name for name in free if kinds[name].has_numbers] or free  # then each cell is refused
        if "ratings" in given:
            raters = named_raters(given["ratings"])
        elif not named and not roles["assessor"]:
            raters = recognized_raters(numbers, of_humans=of_humans)
    single = {column: None for one in raters.values() for column in one.values()}
    roles["ratings"], roles["scores"] = tuple(single), tuple(name for name in numbers if name not in single)
    if not numbers:
        raise header.error(f"no scores among the columns {listed(every)}")
    check_raters(raters, roles["scores"], roles["assessor"])
    used = {*numbers, *single}
    kinds = {**kinds, **settled({name: kinds[name] for name in used})}
    return Columns(roles, tuple(name for name in free if name not in used), doubtful, raters, kinds)


def marks_of_humans(kinds: Mapping[str, Kind]) -> list[str]:
    """Find the columns that say who is human: by their names, unless they hold other numbers than 0 and 1."""
    return [name for name, one in kinds.items() if plain(name) in ROLES["human"] and not one.is_scale]


def _long(kinds: Mapping[str, Kind], header: Where) -> tuple[str, str] | None:
    """Find the columns of metrics and of scores; None in a wide table."""
    names = [name for name in kinds if plain(name) in LONG["metric"]]
    metric = next(
        (name for name in names if name == "metric" or kinds[name].kind in ("text", "nothing")), None
    )
    if metric is None:
        return None
    scores = [name for name in kinds if plain(name) in LONG["score"]]
    numbers = [name for name, one in kinds.items() if one.kind in ("numbers", "mixed") and name != metric]
    found = ["score"] if "score" in kinds else scores or (numbers if len(numbers) == 1 else [])
    if not found:
        raise header.error(
            f"a column {metric}, and none of {', '.join(LONG['score'])}; expected both, or none"
        )
    return metric, found[0]


def check_raters(raters: Raters, measures: Collection[str], assessors: Sequence[str]) -> None:
    """Refuse what would give one rating two raters, or one measure two meanings."""
    if raters and assessors:
        raise UsageError(
            f"ratings of {listed(raters)} are columns of raters, and the column {assessors[0]} names the "
            "rater of a row; expected one of the two"
        )
    if again := [name for name in raters if name in measures]:
        raise UsageError(
            f"raters of {listed(again)}, and a column of this name; expected another name of one"
        )


def of_role(role: str, free: Iterable[str], kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Find the columns that have a role by their names; several for a role of one are an `InputError`."""

    def stem(name: str) -> str:
        """Give the name that is looked up: without the number at its end where a role has several."""
        return re.sub("_?[0-9]+$", "", plain(name)) if role in SEVERAL else plain(name)

    for known in (ROLES[role], SELDOM.get(role, ())):
        names = [name for name in free if stem(name) in known]
        if role in _TEXTS:
            names = [name for name in names if kinds[name].kind not in ("numbers", "places")]
        if names:
            break
    names = [name for name in names if kinds[name].kind != "nothing"] or names
    if role in IDENTIFIERS:
        names = [role] if role in names else [name for name in names if plain(name) in OWN] or names
    if len({stem(name) if role in SEVERAL else name for name in names}) > 1 and role != "measures":
        raise InputError(
            f"{role} could be {listed(names, by=' or ')}; name the one that is meant: {how(role)}"
        )
    return tuple(names)


def identifiers(
    columns: Collection[str], header: Where, given: Mapping[str, tuple[str, ...]] = {}
) -> Columns:
    """Find the columns of the identifiers in a table of scores, by their names unless they are ``given``."""
    taken = {name for names in given.values() for name in names}
    free = dict.fromkeys((name for name in columns if name not in taken), Kind("text"))
    try:
        roles = {role: given[role] if role in given else of_role(role, free, free) for role in IDENTIFIERS}
    except InputError as error:
        raise header.error(str(error)) from None
    lacking = [role for role in ("topic", "summarizer") if not roles[role]]
    if lacking:
        names = "; ".join(f"{role}: {', '.join(ROLES[role][:5])}" for role in lacking)
        there = listed([shortened(name, most=80) for name in columns])
        raise header.error(
            f"no column {listed(lacking)} among {there}; expected a header with it ({names})",
            advice=f"or its name: --columns {lacking[0]}=NAME",
        )
    return Columns(roles)


def how(role: str) -> str:
    """Describe how the user names the column of a role."""
    return f"--columns {role}=NAME, or columns={{{role!r}: NAME}} in Python"


def asked_columns(
    columns: Collection[str], fields: Fields, among: Collection[str] = ROLES
) -> dict[str, tuple[str, ...]]:
    """Give the columns of each role that the user names; a pattern with ``*`` and ``?`` is all that it fits."""
    found: dict[str, tuple[str, ...]] = {}
    there = {*columns}
    for name, value in fields.items():
        role = role_of(name, among)
        matches = {
            one: [one] if one in there else fnmatch.filter(columns, one) if {*one} & {*"*?"} else []
            for one in ((value,) if isinstance(value, str) else value)
        }
        unknown = [one for one, names in matches.items() if not names]
        if unknown:
            raise UsageError(
                f"no column {listed(unknown)} among {listed(columns, most=20)}; asked for as {name}"
            )
        found[role] = (*found.get(role, ()), *(one for names in matches.values() for one in names))
        if len(found[role]) > 1 and role not in SEVERAL:
            raise UsageError(f"{name} is one column; found {listed(found[role])}")
    counts = Counter(name for names in found.values() for name in names)
    again = sorted(name for name, count in counts.items() if count > 1)
    if again:
        raise UsageError(f"column {listed(again)} is asked for twice; expected one role a column")
    return found
