"""Every way in which a table of judgments can be read, the likeliest first: which column has which role."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from os.path import commonprefix
from shlex import quote
from typing import NamedTuple

import numpy as np

from classy_aesop.data.attempts import ATTEMPT
from classy_aesop.data.scales import MAX_GRADES
from classy_aesop.data.scores import COLUMNS, KEYS, NO_METRICS
from classy_aesop.errors import UsageError, join_names
from classy_aesop.reading.column_names import (
    ADMINISTRATION,
    AGGREGATES,
    ATTEMPT_NAMES,
    COUNTERS,
    COUNTS,
    ERRORS,
    HUMAN,
    KINDS_OF_ERRORS,
    MARKS_OF_CONTROLS,
    MARKS_OF_PASSING,
    MEASURE_COLUMNS,
    MODEL,
    NUMBERS_OR_TEXTS,
    OF_PERSONS,
    POSITION,
    QUALITIES,
    RATERS,
    REFERENCES,
    ROW_IDS,
    RULES,
    SCORES,
    SCORES_OR_RATERS,
    SEPARATORS,
    SOURCES,
    SUBSETS,
    SURE,
    TEXTS,
    are_measures,
    are_raters,
    group_numbered,
    is_administration,
    is_computed,
    is_human,
    is_identifier,
    is_measure,
    is_metric,
    numbers_attempts,
    rater_evidence,
    role_of,
    spell,
    strip_container,
    system_evidence,
    topic_evidence,
    words_of,
)  # fmt: skip
from classy_aesop.reading.columns import Table, TableColumn, WordScale
from classy_aesop.reading.key_columns import BY_ORDER, KEY_ROLES, KeyColumns, add_cluster, find_keys
from classy_aesop.reading.key_evidence import MIN_ITEMS, Roles, are_versions, names_in
from classy_aesop.reading.votes import Votes, find_votes
from classy_aesop.reading.written_cells import NUMBER

SCORE_ROLES = ("measures", "scores", "ratings", "systems", "topics")
"""Roles of columns of scores, one a measure, a metric, a rater, a system or a topic."""
ROLES_OF_SHAPES = (
    *KEY_ROLES,
    *SCORE_ROLES,
    "year",
    "metric",
    "score",
    "cells",
    "first",
    "second",
    "pair",
    "winner",
    "errors",
    "scale",
)
SYNONYMS = {"summarizer": "system", "assessor": "rater"}
MAX_READINGS = 4
NO_KEYS = KeyColumns()
MIN_VALUES_OF_A_METRIC = 25
MIN_TOPICS_AS_COLUMNS = 3
MAX_WORDS_OF_A_PART = 3
"""Most words of a part of names that says what it is by its values alone; of more words are parts of sentences."""
MAX_PLACES = 12
"""Most outputs that stand side by side in a row; more are parts of a form."""
MIN_QUESTIONS = 8
"""Numbered questions from which on they are rather topics than measures."""
OF_RATERS = 1.5
"""Least evidence of a name of those who answered, one in each row."""
QUESTIONS = ("q", "question", "item")
"""What numbered items are called, and the questions of a form, too."""


class ScoreColumn(NamedTuple):
    """What a column of scores holds; a ``system_column`` names the system in each row."""

    measure: str
    system: str | None = None
    rater: str | None = None
    topic: str | None = None
    attempt: str | None = None
    system_column: str | None = None


@dataclass(frozen=True)
class Reading:
    """One way to read a table: what each column of scores holds, or its votes, and the columns that its rows go by."""

    shape: str
    keys: KeyColumns
    cells: Mapping[str, ScoreColumn] = field(default_factory=dict)
    other_roles: Roles = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    votes: Votes | None = None
    scale: str | None = None
    year: str | None = None

    @property
    def roles(self) -> Roles:
        """All columns by role, as ``--columns`` names them."""
        return self.votes.roles() if self.votes else {**self.keys.roles(), **self.other_roles}

    @property
    def metrics(self) -> Collection[str]:
        """The automatic metrics: of columns of scores, or of parts of names that are called so and were no rater's."""
        has_raters = self.keys.rater is not None or any(cell.rater for cell in self.cells.values())
        are_of_parts = "cells" in self.other_roles and not has_raters
        columns = self.other_roles.get("scores", self.cells if are_of_parts else ())
        return {
            self.cells[name].measure
            for name in columns
            if columns is not self.cells or is_metric(self.cells[name].measure)
        }

    @property
    def measure_column(self) -> str | None:
        """The column that names the measure of each row, if any."""
        return next(iter(self.other_roles.get("metric", ())), None)

    @property
    def adds_up(self) -> bool:
        """Whether its rows are errors, of which the sum is the score."""
        return "errors" in self.other_roles

    def used_columns(self) -> set[str]:
        """Give the columns that have a role."""
        return {name for names in self.roles.values() for name in names} | {*self.cells, *self.keys.names}

    def columns_option(self) -> str:
        """Write the roles as ``--columns`` takes them."""
        written = [
            f'"{text}"' if "," in text else text
            for role, names in self.roles.items()
            for number, name in enumerate(names)
            for text in [f"{role}={name}" if number == 0 or "=" in name else name]
        ]
        return ",".join(written)

    def flags(self, source: str = "") -> str:
        """Write what a command, or of a frame Python, takes to read a table in this way."""
        if source == "frame":
            return f"columns={self.columns_option()!r}"
        scale = f" --scale {quote(self.scale)}" if self.scale else ""
        return f"--columns {quote(self.columns_option())}{scale}"


def find_readings(table: Table, requested: Mapping[str, Sequence[str]] | None = None) -> list[Reading]:
    """Find how a table can be read, the likeliest way first; none if it holds no scores."""
    roles = match_roles(table, requested or {})
    scale = next(iter(roles.pop("scale", ())), None)
    year = next(iter(roles.get("year", ("year",))), None)
    words = WordScale.from_text(scale) if scale else None
    for column in table.columns.values() if words else ():
        if words and not column.is_number and column.n_distinct and words.covers(column.words):
            column.use_scale(words)
    is_ours = {*KEYS} <= table.columns.keys() and not roles
    for shape in (_ours,) if is_ours else (_votes, _slots, _errors, _long, _wide):
        if readings := list(shape(table, roles)):
            different = {
                reading.columns_option(): replace(reading, scale=scale, year=year)
                for reading in reversed(readings)
            }
            return list(reversed(different.values()))[:MAX_READINGS]
    return []


def role_by_name(name: str) -> str:
    """Give the role that a name stands for: itself, or one of its common names."""
    role = name if name in (*ROLES_OF_SHAPES, "sheet") else role_of(name)
    return SYNONYMS.get(role, role)


def match_roles(table: Table, requested: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Match what the user names, with ``*`` and ``?``, with columns of a table; give the columns by role."""
    roles: dict[str, tuple[str, ...]] = {}
    for name_of_role, names in requested.items():
        role = role_by_name(name_of_role)
        for name in names if role in ROLES_OF_SHAPES else ():
            is_no_column = role in ("cells", "scale") or name in RULES
            columns = [name] if is_no_column else table.match(name, name_of_role)
            roles[role] = (*roles.get(role, ()), *columns)
        if not names and role in (*KEY_ROLES, "year"):
            roles[role] = ()
    rows = [role for role in KEY_ROLES if role != "cluster"]  # it may be of the columns of the topic
    refuse_conflicts(roles, (*rows, *SCORE_ROLES), roles.get("rater", ()))
    return roles


def refuse_conflicts(columns_of_role: Roles, roles: Iterable[str], raters: Sequence[str]) -> None:
    """Refuse a column of two roles, and two ways to name raters."""
    columns = [name for role in roles for name in columns_of_role.get(role, ())]
    for name, count in Counter(columns).items():
        if count > 1 and name not in RULES:
            raise UsageError(f"column {name} is named twice; expected one role a column")
    rated = [name for name in columns_of_role.get("ratings", ()) if not numbers_attempts(name)]
    if rated and raters:
        raise UsageError(
            f"{join_names(rated)} are columns of raters, and the column {raters[0]} names the rater of a row; "
            "expected one of the two"
        )


# --- shapes: each gives its readings, none if a table has another form ---


def _ours(table: Table, _: Roles) -> Iterator[Reading]:
    """A table that this package wrote: each name says what it is, whatever else it could mean."""
    keys = KeyColumns(
        topic=("topic",),
        system="summarizer",
        rater="assessor" if "assessor" in table.columns else None,
        task="task",
        attempt=(ATTEMPT,) if ATTEMPT in table.columns else (),
        evidence=(SURE, SURE, SURE),
    )
    keys = add_cluster(table, keys, {})
    names = [
        name
        for name, column in table.columns.items()
        if name not in (*NO_METRICS, *keys.names) and (column.numbers is not None or column.is_empty)
    ]
    if {*COLUMNS} <= table.columns.keys():
        roles = {"metric": ("metric",), "score": ("score",)}
        yield Reading("a row a measure", keys, {"score": ScoreColumn("")}, roles)
    elif names:
        metrics = tuple(filter(is_metric, names))
        measures = tuple(name for name in names if name not in metrics)
        yield _arrange_roles({"measures": measures, "scores": metrics}, keys=keys)


def _votes(table: Table, requested: Roles) -> Iterator[Reading]:
    for votes in find_votes(table, requested):
        yield Reading("preferences", votes.keys, doubts=votes.doubts, why=votes.why, votes=votes)


def _slots(table: Table, requested: Roles) -> Iterator[Reading]:
    """Several systems a row, in changing order: ``sys1, sys2, quality1, quality2``."""
    columns = requested.get("system", ())
    measures = requested.get("measures", ())
    cells: dict[str, ScoreColumn] = {}
    of_slots: set[str] = set()
    if len(columns) > 1:
        base_of = {name: base for base, group in group_numbered(measures).items() for name in group.values()}
        for number, name in enumerate(measures):
            first = measures[number - number % len(columns)]
            cells[name] = ScoreColumn(
                _strip_slot(base_of.get(first, first)), system_column=columns[number % len(columns)]
            )
    elif not requested.keys() & {"system", "winner", "score", "cells", *SCORE_ROLES}:
        letters = {name.lower(): name for name in table.columns if name in ("A", "B", "C", "D")}
        groups = {**group_numbered(table.columns), "": letters}
        are_systems = (
            group
            for base, group in groups.items()
            if (system_evidence(base) or _have_common_words(table, group.values()))
            and all(table[n].is_name and not table[n].is_text for n in group.values())
        )
        slots = next(are_systems, {})
        columns = tuple(slots.values())
        of_slots = {
            name for group in groups.values() if group.keys() == slots.keys() for name in group.values()
        }
        cells = {
            group[number]: ScoreColumn(_strip_slot(base), system_column=slots[number])
            for base, group in groups.items()
            if group.keys() == slots.keys()
            and not is_administration(base)
            and not _is_of_systems(table, slots, group)
            and any(table[column].n_distinct > 1 for column in group.values())
            and all(table[column].numbers for column in group.values())
            for number in slots
        }
    if not cells:
        return
    keys = find_keys(table, {**requested, "system": ()}, without=(*columns, *cells, *of_slots))[0]
    doubts: tuple[str, ...] = ()
    if not keys.topic:
        doubts = ("no column names the topic: every row is one of its own",)
        keys = replace(keys, topic=(BY_ORDER,))
    names = names_in(table, (*keys.topic, keys.rater))
    judged = {
        tuple(row) for name in columns for row in zip(table.codes(names), table[name].texts(), strict=True)
    }
    if not keys.attempt and len(judged) < len(columns) * table.n_rows:
        keys = replace(keys, attempt=(BY_ORDER,))
        doubts += ("an output was judged again: attempt=# numbers its scores, and they are averaged",)
    why = f"{join_names(columns)} name the systems, {join_names(cells)} hold their scores"
    roles = {"system": columns, "measures": tuple(cells)}
    yield Reading("k systems a row", keys, cells, roles, doubts, (why,))


def _have_common_words(table: Table, names: Collection[str]) -> bool:
    """Whether columns named by letters have words in common, as of systems at several places."""
    words = [{*table[name].words} for name in names if len(name) == 1]
    return 1 < len(words) == len(names) and bool(set.intersection(*words))


def _is_of_systems(table: Table, slots: Mapping[str, str], group: Mapping[str, str]) -> bool:
    """Whether columns beside those of systems have one value of each system, such as its number."""
    pairs = [
        pair
        for number, name in group.items()
        for pair in zip(table[slots[number]].texts(), table[name].texts(), strict=True)
    ]
    n_systems = len({system for system, _ in pairs})
    return len({*pairs}) == n_systems < len(pairs) / 2


def _strip_slot(base: str) -> str:
    """Strip the system off the name that measures of several systems a row share: ``systemrank``."""
    measure = re.sub(r"^(system|model|sys|output)[ _.-]*", "", base, flags=re.IGNORECASE)
    return measure if is_measure(measure) else base


def _errors(table: Table, requested: Roles) -> Iterator[Reading]:
    """A row an error: weights of severities (MQM), or numbers of spans, are added up for each output.

    Of kinds of errors beside rows without one it counts whether there is any.
    """
    if requested.keys() - {*KEY_ROLES, "errors"}:
        return
    ends = [n for n in table.columns if words_of(n)[-1:] in (("start",), ("end",)) and table[n].is_whole]
    kinds = [n for n in table.columns if spell(n) in ERRORS or (ends and {*words_of(n)} & KINDS_OF_ERRORS)]
    kinds.sort(key=lambda n: spell(n) != "severity")
    severities = [n for n in table.columns if table[n].has_severities]
    for name in (*requested.get("errors", ()), *severities, *kinds)[:1]:
        column = table[name]
        of_errors = ERRORS | {"category", "correction"}
        of_spans = {"span", "position", "token", "annotation"}
        no_keys = {n for n in table.columns if spell(n) in of_errors or {*words_of(n)} & of_spans}
        no_keys |= {*severities, *kinds, *ends, name}
        unnamed: Roles = {} if any(map(system_evidence, table.columns)) else {"system": ()}
        keys = find_keys(table, {**unnamed, **requested}, without=[*no_keys])[0]
        are_again = keys.distinct < 1
        has_none = column.is_name and not column.is_stated.all()
        has_measures = any(is_measure(n) and table[n].is_number and n not in no_keys for n in table.columns)
        has_weights = name in severities and (are_again or spell(name) == "severity")
        are_errors = are_again and not has_measures and (has_none or len(ends) > 1)
        if not (has_weights or are_errors or "errors" in requested):
            return
        is_sum = has_weights or (are_again and len(ends) > 1 and not has_none)
        weights = table.weigh_errors(name)[1]
        why = f"{name} holds kinds of errors: an output has 1 where there is one, else 0; lower is better"
        if is_sum:
            sums = ", ".join(f"{error or 'none'} {weight:g}" for error, weight in weights.items())
            why = f"{name} holds severities or kinds of errors, which are summed: {sums}; lower is better"
        doubts = [] if keys.topic and keys.system else ["no column names the topic or the system"]
        if is_sum and all(weights.values()):
            doubts.append("no row says that an output has no error: those without one are missing, and not 0")
        cells = {name: ScoreColumn("errors" if is_sum else "has_error")}
        yield Reading("a row an error", keys, cells, {"errors": (name,)}, tuple(doubts), (why,))


def _long(table: Table, requested: Roles) -> Iterator[Reading]:
    """A row a measure: ``aspect, score``."""
    measures = requested.get("metric") or [name for name in table.columns if names_measures(table, name)]
    if not measures or requested.keys() & {*SCORE_ROLES, "cells", "winner"}:
        return
    name = measures[0]
    scores = requested.get("score") or [
        other for other, column in table.columns.items() if spell(other) in SCORES and column.numbers
    ]
    is_own = "score" in table.columns and {*measures} <= {"metric"}
    scores = ["score"] if is_own else scores or score_columns(table, measures)
    if not scores:
        return
    score = scores[0]
    same = filter(POSITION.fullmatch, table.columns)
    doubts = [] if len(scores) == 1 else [f"the score could be {join_names(scores, by=' or ')}"]
    roles = {"metric": (name,), "score": (score,)}
    for keys in find_keys(table, requested, without=[name, score, *same], extra=[name]):
        why = (f"{name} names the measure, {score} holds its score", *keys.why)
        yield Reading("a row a measure", keys, {score: ScoreColumn("")}, roles, (*doubts, *keys.doubts), why)


def names_measures(table: Table, name: str) -> bool:
    """Whether a column holds names of measures, by its own name or, if that is vague, by its few values."""
    column = table[name]
    spelled = spell(name)
    is_vague = spelled.split("_")[-1] in ("name", "key", "question", "item", "label", "category")
    if spelled in MEASURE_COLUMNS:
        is_several = column.n_distinct > 1 or spelled in ("metric", "measure")
        return is_several and (column.is_name or spelled.endswith("id"))
    are_questions = all("?" in word for word in column.words) and any(map(is_human, column.words))
    return (
        is_vague
        and column.scale is None
        and 1 < column.n_distinct <= min(30, column.n_filled // 2)
        and (are_questions or (not column.is_text and are_measures(column.words)))
    )


def _wide(table: Table, requested: Roles) -> Iterator[Reading]:
    """A row an output, and columns of scores: of measures, raters, systems, topics, or two of these."""
    if requested.keys() & {"winner", "metric", "score", "errors"} or len(requested.get("system", ())) > 1:
        return
    requested_scores = {role: requested[role] for role in SCORE_ROLES if role in requested}
    if not requested.keys() & {"topic", "cells", *SCORE_ROLES} and (topics := _find_topics(table)):
        by_topics = next(_wide(table, {**requested, "topics": topics}))
        bases = {spell(name).rstrip("_0123456789") for name in topics}
        are_questions = bool(bases & {*QUESTIONS}) or len(bases) > 1
        are_few = len(topics) < MIN_QUESTIONS
        if not are_questions or not (by_topics.keys.system or are_few):
            yield by_topics
            return
        doubt = (
            f"no name says whether {join_names(topics, limit=6)} are topics, or questions about each of them"
        )
        by_measures = _wide(table, {**requested, "measures": topics})
        readings = [by_topics, *by_measures]
        for reading in reversed(readings) if are_few else readings:
            yield replace(reading, doubts=(doubt, *reading.doubts))
        return
    used = [name for names in requested_scores.values() for name in names]
    pattern = next(iter(requested.get("cells", ())), "")
    in_names = {role: () for role in ("system", "rater", "topic") if f"{{{role}}}" in pattern}
    if "topics" in requested:
        in_names["topic"] = ()
    crossing = (
        find_crossing(score_columns(table, ())) if requested.keys() <= {*KEY_ROLES} - {"system"} else {}
    )
    kinds = {_kind_of_part([*dict.fromkeys(part)]) for part in zip(*crossing.values(), strict=True)}
    if kinds == {"system", "measure"} and not any(system_evidence(name) == SURE for name in table.columns):
        in_names["system"] = ()
    for keys in find_keys(_leave_out_events(table), {**in_names, **requested}, without=used):
        for arrangement in (
            _arrangements(table, keys, requested)
            if requested_scores.keys() <= {"scores"}
            else [_arrange_roles(requested_scores)]
        ):
            are_topics = any(cell.topic for cell in arrangement.cells.values())
            names_systems = keys.system or any(cell.system for cell in arrangement.cells.values())
            doubts = [
                doubt
                for doubt in (*keys.doubts, *arrangement.doubts)
                if "topic" not in doubt or (names_systems and not are_topics)
            ]
            outputs = [
                name for name, column in table.columns.items() if column.is_text and spell(name) in TEXTS
            ]
            names = names_in(table, keys.names)
            have_own_outputs = any(
                table.n_different([*names, text]) > table.n_different(names) for text in outputs
            )
            are_bare_measures = arrangement.shape == "measures as columns" and keys.system and not keys.rater
            are_attempts = "cells" in arrangement.other_roles or (are_bare_measures and have_own_outputs)
            by = keys if arrangement.keys is NO_KEYS else arrangement.keys
            for number, doubt in enumerate(doubts):
                if "given again" in doubt and are_bare_measures and not are_attempts:
                    by = replace(keys, rater=BY_ORDER)
                    doubts[number] = (
                        f"{doubt}. If these are ratings by people without names, rater=# numbers them; "
                        "attempts of a system are averaged by attempt=#"
                    )
                elif "given again" in doubt and keys.system and are_attempts:
                    by = replace(by, attempt=(BY_ORDER,))
                    doubts[number] = f"{doubt}; attempt=# numbers them, and they are averaged"
            if are_topics:
                by = replace(by, topic=())
                is_each_once = by.rater or table.share_distinct(names_in(table, by.names)) == 1
                by = by if is_each_once else replace(by, rater=BY_ORDER)
            why = tuple(reason for reason in keys.why if not (are_topics and "topic" in reason))
            if arrangement.cells:
                yield replace(arrangement, keys=by, doubts=tuple(doubts), why=why)


def _leave_out_events(table: Table) -> Table:
    """Leave out rows without any score beside others: a log of events has kinds of rows, of which one is judged."""
    scores = [] if table.is_flat else score_columns(table, ())
    has_score = np.any([table[name].codes >= 0 for name in scores] or True, axis=0)
    return table if has_score.all() or not has_score.any() else table.leave_out(~has_score, "no score")


def _find_topics(table: Table) -> tuple[str, ...]:
    """Find columns of topics on one scale, numbered or many, in a table with a row a rater or a system."""
    groups = [
        tuple(group.values())
        for base, group in group_numbered(table.columns).items()
        if spell(base) in QUESTIONS or topic_evidence(base) >= 1
    ]
    groups.append(tuple(filter(str.isdigit, table.columns)))
    raters = [name for name in table.columns if rater_evidence(name) == SURE]
    systems = [name for name in table.columns if system_evidence(name) == SURE]
    scores = score_columns(table, [*raters, *systems]) if raters and systems else []
    unknown = tuple(name for name in scores if table[name].is_whole and not is_measure(name))
    is_each_once = table.share_distinct([*raters, *systems]) == 1
    groups += [unknown] if len(unknown) >= MIN_QUESTIONS and is_each_once else []
    for columns in (group for group in groups if len(group) >= MIN_TOPICS_AS_COLUMNS):
        other_names = [name for name in table.columns if name and name not in columns]
        are_known = any(rater_evidence(name) == SURE or system_evidence(name) for name in other_names)
        has_topic = any(topic_evidence(name) == SURE for name in other_names)
        is_alone = not other_names and not columns[0].isdigit()  # as a file without a header is named
        if (are_known or is_alone) and not has_topic:
            return columns if _are_of_one_scale(table, columns) else ()
    return ()


def _arrange_roles(requested: Roles, doubts: Iterable[str] = (), *, keys: KeyColumns = NO_KEYS) -> Reading:
    """Interpret columns by their roles: each a measure, a metric, a rater or a system."""
    roles = {role: tuple(names) for role, names in requested.items() if names}
    cells = {name: ScoreColumn(name) for role in ("measures", "scores") for name in roles.get(role, ())}
    for measure, owners in split_measures(roles.get("ratings", ())).items():
        kind = "attempt" if numbers_attempts(measure) else "rater"
        cells |= {name: ScoreColumn(measure)._replace(**{kind: owner}) for owner, name in owners.items()}
    for measure, owners in split_measures(roles.get("systems", ()), of_systems=True).items():
        cells |= {name: ScoreColumn(measure, system=owner) for owner, name in owners.items()}
    cells |= {name: ScoreColumn("score", topic=name) for name in roles.get("topics", ())}
    kinds = {"topics": "topics", "systems": "systems", "ratings": "raters"}
    kind = next((kinds[role] for role in kinds if role in roles), "measures")
    return Reading(f"{kind} as columns", keys, cells, roles, tuple(doubts))


def _arrangements(table: Table, keys: KeyColumns, requested: Roles) -> Iterator[Reading]:
    """Find the possible interpretations of the columns of scores, the likeliest first."""
    outputs = [name for name in (*keys.topic, keys.system) if name and name in table.columns]
    names = [name for name in score_columns(table, keys.names) if table.is_within_objects(name, outputs)]
    numbered = group_numbered(names)
    names = [name for name in names if not _is_mean_of(table, name, [*numbered.get(name, {}).values()])]
    if "cells" in requested:
        yield _cross(names, requested["cells"][0])
        return
    properties = {name for name in names if _is_property(table, keys, name)}
    may_be_graded = not (keys.system and any(map(is_human, {*names} - properties)))
    names = [name for name in names if name not in properties or (may_be_graded and is_human(name))] or names
    metrics = _find_metrics(table, names, requested.get("scores", ()), keys)
    measures = sorted((name for name in names if name not in metrics), key=lambda name: not is_human(name))
    systems = () if requested.keys() & {*SCORE_ROLES} else _mixed_systems(table, keys)
    texts = group_numbered(name for name, column in table.columns.items() if column.is_text)
    numbers_of_texts = [group.keys() for group in texts.values()] if keys.system else []
    parts_of = [group for group in group_numbered(measures).values() if group.keys() in numbers_of_texts]
    if totals := [*filter(None, (_find_total(table, [*parts.values()]) for parts in parts_of))]:
        in_parts = {*totals, *(name for parts in parts_of for name in parts.values())}
        measures = [*totals, *(name for name in measures if name not in in_parts)]
    crossing = find_crossing(measures)
    are_of_persons = any({*words_of(name)} & OF_PERSONS for name in table.columns)
    respondents = [
        name
        for name, column in table.columns.items()
        if (rater_evidence(name) >= OF_RATERS or (are_of_persons and spell(name) in ROW_IDS))
        and column.n_distinct == table.n_rows
        and name not in crossing
    ]
    names_items = not {*map(spell, {*keys.topic} - {*respondents})} <= ROW_IDS
    by = keys if names_items or not respondents else replace(keys, topic=(), rater=respondents[0])
    is_crossed = len(crossing) >= max(4, len(measures) / 2) and {*systems} <= crossing.keys()
    possible = [find_double_crossing(measures), *[crossing] * is_crossed]
    crossed = next(filter(None, ([*_crossings(by, parts)] for parts in possible)), [])
    if crossed:
        yield from crossed[:2] if systems else crossed
    if systems and len(crossed) != 1:
        doubt = f"no name says whether {join_names(systems)} are systems, or measures and metrics"
        yield _arrange_roles({"systems": systems}, [doubt])
        if not crossed:
            yield _arrange_roles({"measures": tuple(measures), "scores": tuple(metrics)}, [doubt])
    if systems or crossed:
        return
    groups = _groups_of_raters(table, keys, measures)
    sides = [group.keys() for group in groups.values()]
    outputs = [name for group in texts.values() if group.keys() in sides for name in group.values()]
    rated = [name for name in names if any(name in group.values() for group in groups.values())]
    plain: Roles = {"measures": tuple(measures), "scores": tuple(metrics)}
    if keys.system is None and not metrics and are_versions(measures):
        yield _arrange_roles({"systems": tuple(measures)})
    elif outputs and keys.system is None and max(map(len, groups.values())) > MAX_PLACES:
        yield _arrange_roles(
            plain, [f"{join_names(rated, limit=6)} number parts of a form, and nothing names them"]
        )
    elif outputs and keys.system is None:
        yield _arrange_roles(
            {"systems": tuple(rated)},
            [
                f"no column names the systems of {join_names(outputs)}: "
                "their numbers are systems only if they are so in every row"
            ],
        )
    elif rated and (total := _total_of_rows(table, rated)):
        doubt = f"{join_names(rated)} add up to {total:g} in every row: they look like counts, and not like raters"
        yield _arrange_roles(plain, [doubt])
    elif rated:
        kinds = {"attempts" if numbers_attempts(base) else "raters" for base in groups}
        is_sure = all(are_raters([base]) or is_measure(base) or numbers_attempts(base) for base in groups)
        doubts = [] if is_sure else [f"{join_names(rated)} are taken as {join_names(sorted(kinds))}"]
        other_measures = tuple(
            name for name in measures if name not in rated and not _is_mean_of(table, name, rated)
        )
        yield _arrange_roles({"ratings": tuple(rated), **plain, "measures": other_measures}, doubts)
        if doubts:
            yield _arrange_roles(plain if keys.system else {"systems": tuple(rated)}, doubts)
    else:
        yield from _single_columns(table, keys, plain)


def _mixed_systems(table: Table, keys: KeyColumns) -> tuple[str, ...]:
    """Give columns of grades, whole or half, on one scale that may be systems though some have another name.

    ``Ours, Baseline, Human`` or ``BART, T5, GPT, Reference``: none is called as a quality.
    """
    names = tuple(
        name
        for name, column in table.columns.items()
        if name not in (*keys.names, keys.cluster)
        and not (is_identifier(name) or POSITION.fullmatch(name))
        and 2 - bool(MODEL.search(spell(name))) < column.n_distinct <= 2 * MAX_GRADES
        and column.values
        and _has_halves(column)
        and not column.counts_rows
    )
    are_known = any(
        is_measure(name) or is_administration(name) or spell(name) in TEXTS | REFERENCES | SOURCES
        for name in names
    )
    are_qualities = any({*words_of(name)} & QUALITIES for name in names)
    is_mixed = are_known and len(names) > 1 + any(map(is_human, names)) and not are_qualities
    is_possible = keys.system is None and is_mixed and not are_raters(names)
    return names if is_possible and _are_of_one_scale(table, names) else ()


def _is_property(table: Table, keys: KeyColumns, name: str) -> bool:
    """Whether a column has one value for each of many topics, or of many raters, some of which have several rows."""
    groups = [names_in(table, names) for names in (keys.topic, (keys.rater,))]
    n_different = [(group, table.n_different(group)) for group in groups if group]
    return any(
        table[name].n_distinct <= n < table.n_rows
        and n >= MIN_ITEMS
        and table.n_different([*group, name]) == n
        for group, n in n_different
    )


def _find_metrics(
    table: Table, names: Sequence[str], requested: Sequence[str], keys: KeyColumns
) -> list[str]:
    """Find the automatic metrics among columns of scores: by their names, or by their values beside human measures.

    Such values are many fractions, or many numbers beyond all human grades. Whole numbers that differ between
    raters of an output are these people's; where each row orders the same ranks, columns are what is ranked.
    """
    if keys.system is None and _are_ranks(table, names):
        return []
    no_metrics = {name for name in names if _is_grade_of_rater(table[name]) or _is_graded(table[name])}
    crossing = find_double_crossing(names) or find_crossing(names)
    if 2 * len(crossing) >= len(names) and _is_family(crossing):
        no_metrics |= {*crossing}
    called_human = {name for name in names if is_human(name) and "human" in words_of(name)}
    of_humans = called_human or {
        name
        for name in names
        if is_human(name) or (spell(name) in SCORES and not _has_fractions(table[name]))
    }
    others_are_called = [{*words_of(name)} - {"human"} for name in called_human]
    humans = [table[name] for name in of_humans if table[name].values]
    graded = [column for column in humans if column.n_distinct <= 2 * MAX_GRADES]
    grades = {value for column in graded if 2 * len(graded) > len(humans) for value in column.values}
    computed = set()
    for name in names if of_humans else ():
        column = table[name]
        is_called_alike = any(words <= {*words_of(name)} for words in others_are_called)
        beyond = _values_beyond(column, grades)
        is_like_others = bool(grades) and _has_halves(column) and not beyond
        if (
            is_computed(name)
            or (name not in of_humans and _has_fractions(column))
            or (called_human and not is_human(name) and (is_called_alike or not is_like_others))
            or (len(beyond) > 2 * MAX_GRADES and (not is_human(name) or _has_fractions(column)))
        ):
            computed.add(name)
    return [
        name
        for name in names
        if name in requested
        or (
            name not in no_metrics
            and (is_metric(name) or name in computed)
            and not _is_of_raters(table, keys, name)
        )
    ]


def _is_family(crossing: Crossing) -> bool:
    """Whether names combine models with something, or some that are no metrics with what is not metrics only."""
    are_metrics = [
        [is_metric(name) and not MODEL.search(spell(name)) for name in names]
        for names in zip(*crossing.values(), strict=True)
    ]
    has_models = any(MODEL.search(spell(name)) for parts in crossing.values() for name in parts)
    return has_models or not (all(map(any, are_metrics)) or any(map(all, are_metrics)))


def _is_of_raters(table: Table, keys: KeyColumns, name: str) -> bool:
    """Whether a column holds whole numbers, of no model, in which raters of one output differ."""
    if keys.rater not in table.columns or not table[name].is_whole or MODEL.search(spell(name)):
        return False
    outputs = names_in(table, (*keys.topic, keys.system))
    return table.n_different([*outputs, name]) > table.n_different(outputs)


def _groups_of_raters(table: Table, keys: KeyColumns, measures: Sequence[str]) -> dict[str, dict[str, str]]:
    """Find numbered columns of raters, or of attempts, by their names or else by one scale."""
    no_owners: tuple[str, ...] = ("system", "model", "prompt", "version", "variant", "-v", "_v")
    no_owners += ("summary", "output", "question", "q", "item")
    groups = {}
    for base, group in group_numbered(measures).items():
        is_attempt = numbers_attempts(base)
        is_named = is_attempt or are_raters([base])
        is_continuous = all(table[name].is_continuous for name in group.values())
        are_grades = all(table[name].values[-1] <= 100 for name in group.values() if table[name].values)
        is_of_scale = are_grades and not is_continuous and _are_of_one_scale(table, group.values())
        if (
            (is_attempt or not keys.rater)
            and (is_named or (spell(base) in SCORES and not is_continuous) or is_of_scale)
            and not base.lower().endswith(no_owners)
        ):
            groups[base] = group
    return groups


def _is_graded(column: TableColumn) -> bool:
    """Whether a column holds words of a scale of three or more."""
    return column.scale is not None and len(column.scale.levels) > 2


def _is_grade_of_rater(column: TableColumn) -> bool:
    """Whether a column that is called like ROUGE (``r1``) holds grades: whole numbers."""
    return bool(re.fullmatch(r"[rR]_?\d", column.name)) and column.is_whole


def _sort_numbers_of_rows(table: Table, names: Sequence[str]) -> np.ndarray:
    """Sort the numbers of each row, shape (rows, names), of three or more columns of whole numbers; else no row."""
    columns = [table[name] for name in names]
    are_whole = all(column.is_whole and column.n_filled == table.n_rows for column in columns)
    if len(names) < 3 or not are_whole:
        return np.empty((0, len(names)))
    return np.sort(np.column_stack([column.scores(table.places) for column in columns]), axis=1)


def _total_of_rows(table: Table, names: Sequence[str]) -> float:
    """Give what columns of whole numbers add up to in every row, unless each row orders the same ranks; else 0."""
    counts = _sort_numbers_of_rows(table, names)
    totals = {*counts.sum(axis=1).tolist()}
    has_total = len(totals) == 1 and bool((counts != counts[:1]).any())
    return totals.pop() if has_total else 0.0


def _find_total(table: Table, names: Sequence[str]) -> str | None:
    """Find the column that holds the sum, or the mean, of others, as of questions that were answered rightly."""
    possible = (name for name in table.columns if name not in names and _is_mean_of(table, name, names))
    return next(possible, None)


def _is_mean_of(table: Table, name: str, names: Sequence[str]) -> bool:
    """Whether a column holds the mean, or the sum, of other columns in each row, but for rounding."""
    columns = [table[column] for column in (name, *names)]
    if not names or any(column.numbers is None or column.strange for column in columns):
        return False
    values = table[name].scores(table.places)
    rated = np.column_stack([table[other].scores(table.places) for other in names])
    is_whole = ~np.isnan(rated).any(axis=1) & ~np.isnan(values)
    sums = rated[is_whole].sum(axis=1)
    return any(
        sums.size > 2 and bool((np.abs(sums / divisor - values[is_whole]) < 0.051).all())
        for divisor in (1, len(names))
    )


def _are_ranks(table: Table, names: Sequence[str]) -> bool:
    """Whether each row of three or more columns has the numbers from 1 to theirs, each once."""
    numbers = _sort_numbers_of_rows(table, names)
    return len(numbers) > 0 and bool((numbers == np.arange(1, len(names) + 1)).all())


def _has_fractions(column: TableColumn) -> bool:
    """Whether a column has many different fractions, as a metric has."""
    return column.is_number and not column.is_whole and column.n_distinct >= MIN_VALUES_OF_A_METRIC


def _has_halves(column: TableColumn) -> bool:
    """Whether a column has whole or half numbers only, as grades are."""
    return all((2 * value).is_integer() for value in column.values)


def _values_beyond(column: TableColumn, grades: Collection[float]) -> list[float]:
    """Give the different values of a column that lie beyond the grades of others, if half or more do."""
    beyond = [value for value in column.values if grades and not min(grades) <= value <= max(grades)]
    return beyond if 2 * len(beyond) >= len(column.values) else []


def _are_of_one_scale(table: Table, names: Iterable[str]) -> bool:
    """Whether columns hold words of scales, or numbers each of which spans much of their common range."""
    columns = [table[name] for name in names]
    if not all(column.values for column in columns):
        return False
    width = max(column.values[-1] for column in columns) - min(column.values[0] for column in columns)
    are_wide = (
        column.values[-1] - column.values[0] >= width / 3 or column.n_distinct < 3 for column in columns
    )
    return width > 0 and all(are_wide)


def _single_columns(table: Table, keys: KeyColumns, plain: Roles) -> Iterator[Reading]:
    """Interpret columns without common parts of names: as measures, raters or systems, those that the data allow."""
    measures = plain["measures"]
    rated = tuple(name for name in measures if not {*words_of(name)} & AGGREGATES)
    if not keys.rater and 1 < len(rated) < len(measures) and are_raters(rated):
        yield _arrange_roles({"ratings": rated, "scores": plain["scores"]})
        return
    unknown = tuple(name for name in measures if not is_human(name) and spell(name) not in SCORES)
    measure, owners = _common_measure(measures)
    is_shared = keys.system is None and bool(measure)
    columns = measures if is_shared else unknown
    possible = {
        "systems": {"systems": columns},
        "raters": {"ratings": columns, "scores": plain["scores"]},
        "measures": plain,
    }
    if unknown and all(map(str.isdigit, unknown)):  # the file has no header
        possible = {kind: possible[kind] for kind in ("raters", "systems", "measures")}
    if unknown and all({*table[name].values} <= {0.0, 1.0} for name in unknown):  # marks of one output
        possible = {kind: possible[kind] for kind in ("measures", "raters", "systems")}
    if keys.system:
        del possible["systems"]
    are_quantities = any({*words_of(name)} & (ADMINISTRATION | {"num"}) for name in unknown)
    if keys.rater or are_quantities or any("?" in name for name in unknown):
        del possible["raters"]
    are_grades = all(table[name].is_whole or table[name].scale for name in unknown)
    has_numbers = table.source == "JSON" and any(map(str.isdigit, unknown))  # which call no measure
    is_ambiguous = (
        len(measures) == len(unknown) > 1
        and len(possible) > 1
        and (are_grades or not keys.system)
        and not {*keys.names} >= {"topic", "summarizer"}
        and table.source in ("table", "JSON")
        and (_are_of_one_scale(table, unknown) or has_numbers)
    )
    if is_shared and _are_ranks(table, columns):
        possible = {"systems": possible["systems"]}
        doubts = []
    elif is_shared:
        kinds = f"{join_names(owners)} are systems, each with its {measure}, or something else"
        doubts = [f"no name says whether {kinds}"]
    elif not is_ambiguous:
        possible = {"measures": plain}
        doubts = []
    elif not keys.rater and are_raters(unknown):
        possible = {"raters": possible["raters"]}
        doubts = []
    else:
        *first, last = possible
        doubts = [f"no name says what {join_names(unknown)} are: {', '.join(first)} or {last}"]
        if _are_ranks(table, unknown):
            doubts.append(
                f"each row has {join_names(unknown)} at 1 to {len(unknown)}, each once: if 1 is the best rank, "
                "--lower-is-better METRIC says so"
            )
    yield from (_arrange_roles(roles, doubts) for roles in possible.values())


# --- columns of scores, and what their names have in common ---


def score_columns(table: Table, keys: Sequence[str]) -> list[str]:
    """Give the columns of scores: numbers, or words of a known scale, that are no identifiers and no administration.

    A column that is called like administration is a measure where there is no other, if it holds grades in words or
    is one of several attempts.
    """
    possible = [name for name in table.columns if name not in keys and _may_be_score(table, name)]
    codes = {
        name
        for name in possible
        if spell(name) in MEASURE_COLUMNS and (table[name].is_whole or table[name].scale)
    }
    possible = [name for name in possible if name not in table.outer | codes] or possible
    may_be_counts = [
        name
        for name in possible
        if (spell(name) not in ATTEMPT_NAMES or table[name].scale)
        and words_of(name)[-1:] not in (("start",), ("end",))
    ]
    texts = (TEXTS | REFERENCES) - NUMBERS_OR_TEXTS
    measures_by_name = [
        name
        for name in may_be_counts
        if (is_measure(name) and not _is_count_or_output(table[name]))
        or not (is_administration(name) or spell(name) in texts)
    ]
    ranges = [
        (table[name].values[0], table[name].values[-1]) for name in measures_by_name if table[name].values
    ]
    scores = [name for name in possible if name in measures_by_name or _is_graded_within(table[name], ranges)]
    varying = {
        name for name in scores if len(table[name].values) > 1 or is_measure(name) or numbers_attempts(name)
    }
    for group in group_numbered(scores).values():
        varying |= {*group.values()} if varying.intersection(group.values()) else set()
    scores = [name for name in possible if name in (varying or scores)]
    scores = [name for name in scores if not table[name].is_empty and name != "N"] or scores
    are_named = all(
        any(evidence(name) == SURE for name in keys) for evidence in (topic_evidence, system_evidence)
    )
    graded = [
        name
        for name in may_be_counts
        if numbers_attempts(name)
        or not all(map(NUMBER.fullmatch, table[name].words))
        or (spell(name) in texts and table[name].is_whole and 2 < table[name].n_distinct <= MAX_GRADES)
    ]
    return scores or graded or (_columns_without_numbers(table, keys) if are_named else [])


def _is_count_or_output(column: TableColumn) -> bool:
    """Whether a column called as a measure has times, or outputs that are numbers: ``rating_time``, ``answer``."""
    words = {*words_of(column.name)}
    is_count = bool(words & COUNTS) and words - COUNTS <= SCORES
    return (
        (is_count or spell(column.name) in TEXTS) and column.is_number and column.n_distinct > 2 * MAX_GRADES
    )


def _is_graded_within(column: TableColumn, ranges: Iterable[tuple[float, float]]) -> bool:
    """Whether a column has grades on the scale of a measure, unlike a count some more often, and no name of a count."""
    if {*words_of(column.name)} <= COUNTS or not (column.is_whole and 2 < column.n_distinct <= MAX_GRADES):
        return False
    first, *_, last = column.values
    is_uneven = column.counts.min() < column.counts.max()
    return is_uneven and any(low <= first < last <= high <= low + 2 * (last - first) for low, high in ranges)


def _columns_without_numbers(table: Table, keys: Sequence[str]) -> list[str]:
    """Give the columns that may be scores beside a topic and a system, and are of no known numbers; none if labels."""
    other_roles = RATERS | SUBSETS | TEXTS
    names = [
        name
        for name, column in table.columns.items()
        if name not in keys
        and spell(name) not in other_roles
        and topic_evidence(name) < 1
        and not column.is_text
        and "metric" not in table.columns
    ]
    labels = [table[name] for name in names if table[name].is_name and not table[name].is_list]
    has_labels = any(1 < column.n_distinct <= min(MAX_GRADES, column.n_filled / 2) for column in labels)
    return [] if has_labels else names


def _may_be_score(table: Table, name: str) -> bool:
    """Whether a column holds numbers or graded words and has no name of another role."""
    column = table[name]
    spelled = spell(name)
    is_mark = spelled in ("human", "is_human") and {*column.values} <= {0.0, 1.0}
    is_empty_measure = column.is_empty and is_measure(name) and not is_administration(name)
    counts = spelled in COUNTERS or (
        column.counts_rows and (column.n_distinct == table.n_rows or not is_measure(name))
    )
    is_rater = spelled in RATERS and spelled not in SCORES_OR_RATERS
    n_words = sum(value not in column.doubtful_marks for value in column.strange)
    return not (
        is_mark
        or (column.numbers is None and not is_empty_measure)
        or (n_words > len(column.values) and not (column.has_odd_cells or is_measure(name)))
        or column.is_time
        or counts
        or is_rater
        or spelled in SUBSETS | MARKS_OF_CONTROLS | MARKS_OF_PASSING
        or (name.startswith("Input.") and any(other.startswith("Answer.") for other in table.columns))
        or name in {*NO_METRICS, *table.made_keys} - {"human"}
        or POSITION.fullmatch(name)
        or (topic_evidence(name) >= 1 and spelled not in SCORES | NUMBERS_OR_TEXTS)
    )


def split_measures(names: Sequence[str], *, of_systems: bool = False) -> dict[str, dict[str, str]]:
    """Give the measures of columns that are of a rater, or a system, each: the columns by their owners."""
    groups = group_numbered(names)
    if (
        names
        and sum(map(len, groups.values())) == len(names)
        and (not of_systems or is_measure(next(iter(groups))))
    ):
        return groups
    measure, owners = _common_measure(names) if of_systems else _common_start(names)
    measure = measure or ("score" if of_systems else "rating")
    return {measure: dict(zip(owners, names, strict=True))} if names else {}


def _common_start(names: Sequence[str]) -> tuple[str, list[str]]:
    start = re.match(r"(.*[ _.#-]|)", commonprefix(names))[0]  # type: ignore[index]  # noqa: RUF071
    return start.strip(" _.-#"), [name[len(start) :].strip() for name in names]


def _common_measure(names: Sequence[str]) -> tuple[str, list[str]]:
    """Split the measure off names that share it as their first or last word: ``rank_lead, rank_bart``."""
    for pattern in (r"(?P<m>[^ _.:|/-]+)[ _.:|/-]+(?P<o>.+)", r"(?P<o>.+)[ _.:|/-]+(?P<m>[^ _.:|/-]+)"):
        parts = [part for part in (re.fullmatch(pattern, strip_container(name)) for name in names) if part]
        owners = [part["o"] for part in parts]
        measures = {part["m"] for part in parts}
        if not 1 < len(names) == len(parts) == len({*owners}) or len(measures) > 1:
            continue
        measure = measures.pop()
        is_score = spell(measure) in SCORES or {*words_of(measure)} <= HUMAN - {"human", "annotation"}
        if is_score and not any({*words_of(owner)} & QUALITIES for owner in owners):
            return measure, owners
    return "", [*names]


Crossing = dict[str, tuple[str, ...]]
"""Columns whose names are all combinations of two or three parts."""


def find_crossing(names: Sequence[str]) -> Crossing:
    """Find the most columns whose names are all combinations of two parts: ``delta_fluency``."""
    best: Crossing = {}
    name_of = {re.sub(r"\s*_\s*", "_", name): name for name in names}
    if len(name_of) < len(names):  # two differ by blanks alone
        name_of = {name: name for name in names}
    outside_brackets = {separator: rf"{re.escape(separator)}(?![^\[]*\])" for separator in SEPARATORS[::-1]}
    for separator, pattern in ((" ", r" (?=\[)"), *outside_brackets.items(), ("", r"(?<=\d)(?=[A-Za-z])")):
        firsts_of: dict[str, dict[str, None]] = defaultdict(dict)
        for name in name_of:
            parts = re.split(pattern, name)
            for n in range(1, len(parts)):
                firsts_of[separator.join(parts[n:])][separator.join(parts[:n])] = None
        seconds_of: dict[frozenset[str], list[str]] = defaultdict(list)
        for second, firsts in firsts_of.items():
            seconds_of[frozenset(firsts)].append(second)
        for common, seconds in seconds_of.items():
            if min(len(common), len(seconds)) > 1 and len(common) * len(seconds) > len(best):
                all_parts = product(firsts_of[seconds[0]], seconds)
                best = {name_of[separator.join(parts)]: parts for parts in all_parts}
    return best


def find_double_crossing(names: Sequence[str]) -> Crossing:
    """Find columns whose names are all combinations of three parts: ``delta_fluency_r1``."""
    crossing = find_crossing(names)
    for number in (1, 0):
        halves = {parts[number] for parts in crossing.values()}
        numbered = group_numbered(sorted(halves))
        inner = find_crossing(sorted(halves))
        measure, owners = _common_measure(sorted(halves))
        if not inner and len(numbered) > 1:
            inner = {name: (base, n) for base, group in numbered.items() for n, name in group.items()}
        elif not inner and measure:
            inner = {name: (measure, owner) for name, owner in zip(sorted(halves), owners, strict=True)}
        if inner and len(inner) == len(halves):
            return {
                name: (*parts[:number], *inner[parts[number]], *parts[number + 1 :])
                for name, parts in crossing.items()
            }
    return {}


def _kind_of_part(names: Sequence[str]) -> str:
    """Give what one part of names is by its words, or nothing; questions that differ in a number are of topics."""
    numbers = [int(name) for name in names if name.isdecimal()]
    if are_raters(names) or (len(numbers) == len(names) and max(numbers) <= len(names)):
        return "rater"
    if len(numbers) == len(names):  # some are missing, as of items that were chosen
        return "topic"
    if all(map(numbers_attempts, names)):
        return "attempt"
    bases = [*map(_strip_last_number, names)]
    is_long = len({re.sub(r"\d+", "", name) for name in names}) == 1 and len(names[0].split()) > 2
    are_topics = len({*bases}) == 1 and names[0][-1:].isdigit() and topic_evidence(bases[0]) >= 1
    if is_long or are_topics:
        return "topic"
    if all(map(system_evidence, bases)) or any(MODEL.search(spell(name)) for name in names):
        return "system"
    n_measures = sum(bool({*words_of(name)} & HUMAN - {"human"}) or is_metric(name) for name in names)
    return "measure" if 2 * n_measures >= len(names) else ""


def _strip_last_number(name: str) -> str:
    return re.sub(r"[ _-]?(\d+|[A-Za-z])$", "", name)


def _crossings(keys: KeyColumns, crossing: Crossing) -> Iterator[Reading]:
    """Interpret columns whose names combine two or three of a system, a rater, a topic and a measure."""
    parts = [[*map(_strip_brackets, dict.fromkeys(part))] for part in zip(*crossing.values(), strict=True)]
    orders = _orders_of_parts(keys, parts) if crossing else []
    separator = " "
    for name, (first, *_, last) in crossing.items() if len(parts) == 2 else ():
        separator = name.removeprefix(first).removesuffix(last)
    doubts = [f"no name says which part of {join_names(crossing, limit=3)} is which"] * (len(orders) > 1)
    for order in orders:
        numbered = [
            f"{join_names(names)} are taken as the same system in every row"
            for kind, names in zip(order, parts, strict=True)
            if kind == "system" and _are_numbered_owners(names)
        ]
        pattern = separator.join(f"{{{kind}}}" for kind in order)
        yield replace(_cells_of(crossing, pattern, [*doubts, *numbered]), keys=keys)


def _orders_of_parts(keys: KeyColumns, parts: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Give what the parts of names can be, the likeliest first: what no column names, and a measure.

    In a table with a row a respondent they are topics and systems rather than unknown measures.
    """
    possible = [role for role in ("system", "rater") if not keys.roles().get(role)]
    names_rows = {*map(spell, keys.topic)} <= ROW_IDS and not keys.rater and keys.distinct == 1
    possible += ["topic"] * (names_rows or not keys.topic) + ["measure"]
    is_of_respondents = bool(keys.rater) and {"system", "topic"} <= {*possible}
    are_codes = all(map(_are_numbered_owners, parts))
    known_kinds = [
        "measure" if are_codes and _are_questions(names) else _kind_of_part(names) for names in parts
    ]
    is_attempt = keys.system and "attempt" in known_kinds
    possible += ["attempt"] * bool(is_attempt)
    kinds = [kind if kind in possible and known_kinds.count(kind) == 1 else "" for kind in known_kinds]
    n_unknown = 0 if "measure" in kinds else kinds.count("")
    are_unknown = len(parts) == n_unknown == 2
    are_of_sentences = any(len(name.split()) > MAX_WORDS_OF_A_PART for names in parts for name in names)
    if n_unknown > 2 or (are_unknown and are_of_sentences):
        return []
    costs_of_parts = [
        {kind: 0}
        if kind
        else _costs_of_kinds(names, is_of_respondents=is_of_respondents, are_unknown=are_unknown)
        for names, kind in zip(parts, kinds, strict=True)
    ]
    cost_of = {
        order: sum(costs[role] for role, costs in zip(order, costs_of_parts, strict=True))
        for order in permutations(possible, len(parts))
        if all(role in costs for role, costs in zip(order, costs_of_parts, strict=True))
        and ("topic" not in order or keys.rater or "system" in order)
    }
    return sorted(cost_of, key=cost_of.__getitem__)


def _costs_of_kinds(names: Sequence[str], *, is_of_respondents: bool, are_unknown: bool) -> dict[str, int]:
    """Give what a part of names can be, each with how unlikely: a number is of a topic, else of a measure."""
    are_alike = len({*map(_strip_last_number, names)}) == 1
    is_numbered = _are_numbered_owners(names)
    costs = {"system": 2 * is_numbered, "topic": 1 - is_numbered, "rater": 2, "measure": 1}
    if not is_of_respondents:
        costs["topic"] = 3 - 2 * is_numbered
    elif (are_unknown or are_alike) and not _are_questions(names):
        del costs["measure"]
    return costs


def _are_questions(names: Sequence[str]) -> bool:
    """Whether names are numbers of questions: ``Q1, Q2``."""
    return all(re.fullmatch(r"[qQ]\d+", name) for name in names)


def _are_numbered_owners(owners: Sequence[str]) -> bool:
    """Whether the owners of scores are numbered, by no name of a system."""
    are_numbered = all(re.fullmatch(r"[a-zA-Z]{0,6}[ _-]?\d{1,3}", owner) for owner in owners)
    return are_numbered and not all(system_evidence(_strip_last_number(owner)) for owner in owners)


def _strip_brackets(part: str) -> str:
    """Strip brackets around a part and a dash: a grid of Google Forms has ``Text 1 - fluency [alpha]``."""
    bare = part.strip().lstrip("- ")
    return bare[1:-1].strip() if re.fullmatch(r"\[[^\[]*\]|\([^(]*\)", bare) else bare


def _cells_of(crossing: Crossing, pattern: str, doubts: Iterable[str] = ()) -> Reading:
    kinds = re.findall(r"\{(\w+)\}", pattern)
    cells = {}
    for name, parts in crossing.items():
        of_kinds = dict(zip(kinds, map(_strip_brackets, parts), strict=True))
        cells[name] = ScoreColumn(**{"measure": "rating"} | of_kinds)
    shape = " x ".join(f"{kind}s" for kind in kinds) + " as columns"
    return Reading(shape, NO_KEYS, cells, {"cells": (pattern,)}, tuple(doubts))


def _cross(names: Sequence[str], pattern: str) -> Reading:
    crossing = find_double_crossing(names) if pattern.count("{") > 2 else find_crossing(names)
    kinds = "system|rater|attempt|measure|topic"
    if not re.fullmatch(rf"\{{({kinds})\}}(.?\{{({kinds})\}}){{1,2}}", pattern):
        raise UsageError(f"cells={pattern}; expected a pattern such as {{system}}_{{measure}}")
    if not crossing:
        raise UsageError(f"cells={pattern}: no columns have such names")
    return _cells_of(crossing, pattern)
