"""Which columns say of what a row is: the topic, the system, the rater; found together, by data and names.

The column of the cluster that topics lie in is looked for last, among what is left and the columns of a joint topic.

A topic is what several systems share (or, without systems, several raters); a rater is what separates rows that are
else given again. Every combination of candidates has a score, and the best one is taken, with those that come close:

    evidence(topic) + evidence(system) + evidence(rater) + 4 * shared * sqrt(distinct) + 3 * distinct
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from classy_aesop.errors import join_names
from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    CLUSTERS,
    CLUSTERS_IF_MANY,
    COUNTS_OF_PEOPLE,
    OF_OUTPUTS,
    OUTPUT_WORDS,
    RULES,
    SCORES_OR_RATERS,
    SOURCES,
    SUBSETS,
    SURE,
    TEXTS,
    TOTALS,
    is_administration,
    is_measure,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
    words_of,
)  # fmt: skip
from classy_aesop.reading.columns import Table, TableColumn
from classy_aesop.reading.key_evidence import (
    BY_DATA,
    MIN_ITEMS,
    MIN_SHARED,
    OF_NUMBERS,
    OWN_NAMES,
    Roles,
    automatic_judges,
    controls_of,
    describe_controls,
    is_label,
    is_place,
    names_in,
    weigh_evidence,
)

KEY_ROLES = ("topic", "system", "rater", "attempt", "task", "cluster")
"""The roles of key columns that the user can name."""
BY_ORDER = "#"
"""In place of a column: the number of a row among those that are else alike."""
MAX_CANDIDATES = {"topic": 6, "system": 4, "rater": 3}
MAX_SUBSETS = 40
MIN_FILLED = 0.75
"""Share of rows that have a cell of a key column, if its name does not say what it is."""
OF_TOTALS = "looks like a row of totals"
"""What is said of names of totals; whether their scores are totals is checked when they are read."""
PAIRS_NOTHING = "so that no paired test can be made"
"""What is said of systems that share no topic: their scores are read, and their means are no comparison."""
COST_OF_PART = 0.6
"""What each further column of a topic costs; of a turn or a place, a quarter."""
CLOSE = 0.75
"""Choices whose scores differ by less are alternatives."""


@dataclass(frozen=True)
class KeyColumns:
    """The columns of topic, system, rater, attempt, task and cluster, how well they fit, what is doubtful, and why."""

    topic: tuple[str, ...] = ()
    system: str | None = None
    rater: str | None = None
    task: str | None = None
    score: float = 0.0
    shared: float = 0.0
    distinct: float = 1.0
    evidence: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attempt: tuple[str, ...] = ()
    cluster: str | None = None
    doubts: tuple[str, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        names = (*self.topic, self.system, self.rater, self.task, *self.attempt, self.cluster)
        return tuple(dict.fromkeys(filter(None, names)))

    def roles(self) -> dict[str, tuple[str, ...]]:
        """Give them by role, as ``--columns`` names them."""
        order = ("task", "cluster", "topic", "system", "rater", "attempt")
        roles = {role: getattr(self, role) for role in order}
        return {role: (names,) if isinstance(names, str) else names for role, names in roles.items() if names}

    def replace_column(self, role: str, name: str) -> KeyColumns:
        """Give them with a column of a role."""
        column: Any = (name,) if role in ("topic", "attempt") else name
        return replace(self, **{role: column})


def find_keys(
    table: Table, requested: Roles, *, without: Sequence[str] = (), extra: Sequence[str] = ()
) -> list[KeyColumns]:
    """Find the likeliest key columns, the best choice first, then close ones, with doubts and reasons.

    ``without`` are columns with another role; rows must differ in the ``extra`` ones, too.
    """
    fixed = {role: names for role, names in requested.items() if role in KEY_ROLES}
    by_rule = {role: names[0] for role, names in fixed.items() if {*names[:1]} & RULES}
    key_table = table.drop(without)
    choices = _rank(table.drop({*without} - {*extra}), fixed | dict.fromkeys(by_rule, ()), extra)
    close = ["other columns fit nearly as well"] * (len(choices) > 1)
    doubts_of = [close] * len(choices)
    best = choices[0]
    if not {"system", "rater"} & fixed.keys() and _may_be_raters(best):
        doubt = f"no name says whether {best.system} names systems or raters"
        choices.insert(1, replace(best, system=None, rater=best.system))
        doubts_of = [[doubt, *close], [doubt, *close], *doubts_of[1:]]
    checked = []
    for choice, doubts in zip(choices, doubts_of, strict=True):
        keys = _add_constants(key_table, choice, fixed)
        for role, name in by_rule.items():
            keys = keys.replace_column(role, name)
        if not (keys.system or keys.rater or {"topic", "system"} & fixed.keys()) and keys.topic:
            keys = _keep_topic_of_raters(table, keys)
        doubts_of_topic: list[str] = []
        if not keys.topic and "topic" not in fixed and (keys.attempt or keys.system):
            keys, doubts_of_topic = _replace_missing_topic(table, keys)
        keys = add_cluster(key_table, keys, fixed)
        other_doubts = _doubts(table, keys, extra, without if extra else (), fixed)
        reasons = tuple(_reasons(table, keys))
        checked.append(replace(keys, doubts=(*doubts, *doubts_of_topic, *other_doubts), why=reasons))
    return checked


def _complete_topic(table: Table, keys: KeyColumns, fixed: Roles, extra: Sequence[str]) -> KeyColumns:
    """Join one or two columns to a topic that comes again without them: they have the same values for all systems.

    The errors are clustered by the topic that came again, unless they name other texts.
    """
    sharer = keys.system or keys.rater
    if "topic" in fixed or not keys.topic or sharer is None or keys.distinct == 1:
        return keys
    names = names_in(table, (*keys.names, *extra))
    possible = [
        name
        for name, column in table.columns.items()
        if name not in names
        and 1 < column.n_distinct <= column.n_filled / 2
        and column.n_filled == table.n_rows
        and not (column.is_text or column.is_list or column.scale or is_label(column))
        and (column.is_name or (column.is_whole and column.counts.min() == column.counts.max()))
        and not (is_measure(name) or rater_evidence(name) or spell(name) in (*SUBSETS, *ATTEMPT_NAMES))
    ]
    for columns in (columns for n in (1, 2) for columns in combinations(possible, n)):
        topic = (*keys.topic, *columns)
        if (
            table.share_distinct([*names, *columns]) == 1
            and table.share_shared(topic, sharer) == 1
            and table.n_different(topic) >= MIN_ITEMS
        ):
            are_other_texts = any(
                column.is_text and table.determines(topic, text) and not table.determines(keys.topic, text)
                for text, column in table.columns.items()
            )
            finest = max(keys.topic, key=lambda name: table[name].n_distinct)
            is_cluster = table[finest].n_distinct >= MIN_ITEMS and not are_other_texts
            cluster = finest if is_cluster else None
            return replace(keys, topic=topic, distinct=1.0, shared=1.0, cluster=cluster)
    return keys


def _keep_topic_of_raters(table: Table, keys: KeyColumns) -> KeyColumns:
    """Keep a topic that each row has one of; or it, or a finer one, that people without names rated equally often."""
    names = names_in(table, (*keys.topic, keys.task))
    if table.share_distinct(names) == 1:
        return keys
    if not any(map(topic_evidence, keys.topic)) and _names_rows(table):
        return replace(keys, topic=())
    finer_topics = (
        (name,) for name in table.columns if table.n_different([*names, name]) == table[name].n_distinct
    )
    for topic in (keys.topic, *finer_topics):
        counts = np.bincount(table.codes(names_in(table, topic)))
        if len(counts) >= MIN_ITEMS and 1 < counts.min() == counts.max():
            return replace(keys, topic=topic, rater=BY_ORDER)
    return replace(keys, topic=())


def _replace_missing_topic(table: Table, keys: KeyColumns) -> tuple[KeyColumns, list[str]]:
    """Pair scores by a rater who gave each system one, else by the order of rows; and say what is doubtful."""
    message = "no column names the topic: "
    if keys.attempt:
        message += (
            f"rows of a system differ in {' + '.join(keys.attempt)}, which numbers attempts at one topic; "
        )
        return keys, [
            f"{message}expected topic=NAME, or topic={keys.attempt[0]} if each is a topic of its own"
        ]
    people = (name for name in table.columns if rater_evidence(name) == SURE)
    for rater in names_in(table, (keys.rater, *people)):
        gave_each_once = table.share_distinct([rater, *names_in(table, [keys.system])]) == 1
        if keys.system and gave_each_once:
            is_once = table[rater].n_distinct == table.n_rows
            shared = _share_of_topics(table, [rater], names_in(table, [keys.system]))
            keys = replace(keys, topic=(rater,), rater=None, shared=shared)
            return keys, [f"{message}{rater} gave each system one score, and pairs them"] * (not is_once)
    keys = replace(keys, topic=(BY_ORDER,))
    if table.share_distinct(names_in(table, [keys.system])) == 1:  # nothing is to be paired
        return keys, []
    if not has_equal_groups(table, keys):
        return keys, [
            f"{message}systems have unequal numbers of rows, so that their order pairs nothing either"
        ]
    order = "only if the rows of each system stand in the same order can they be paired, by topic=#"
    return keys, [f"{message}{order}"]


def has_equal_groups(table: Table, keys: KeyColumns) -> bool:
    """Whether all systems have as many rows."""
    columns = [table[name] for name in names_in(table, [keys.system])]
    return all(column.counts.min() == column.counts.max() for column in columns)


class Candidate(NamedTuple):
    """Columns that may have a role together, or none, and how far."""

    columns: tuple[str, ...] = ()
    evidence: float = 0.0


def _rank(table: Table, fixed: Roles, extra: Sequence[str]) -> list[KeyColumns]:
    """Rank all choices of a topic, a system and a rater: the best, and up to two that come close to it."""
    free = _list_free_columns(table, fixed, extra)
    evidence = weigh_evidence(table, free, fixed)
    candidates = [_list_candidates(table, free, fixed, role, of_role) for role, of_role in evidence.items()]
    attempts = fixed.get("attempt", tuple(_list_attempts(free)))
    choices = [
        _score_choice(table, topic, system, rater, fixed, extra, attempts)
        for topic, system, rater in product(*candidates)
        if _is_possible(table, topic, system, rater, fixed, extra)
    ]
    choices.sort(key=lambda choice: (-choice.score, len(choice.names)))
    best_choice, *close = [
        _complete_topic(table, choice, fixed, extra)
        for choice in choices
        if choices[0].score - choice.score < CLOSE
    ]
    close = [choice for choice in close if _is_alternative(table, best_choice, choice)]
    return [_add_subset(table, choice, fixed) for choice in (best_choice, *close[:2])]


def _list_free_columns(table: Table, fixed: Roles, extra: Sequence[str]) -> dict[str, TableColumn]:
    """Give the columns that may be keys: nearly filled or called so, of several values, and not named otherwise."""
    requested = {name for role, names in fixed.items() for name in names if role != "cluster"} | {*extra}
    return {
        name: column
        for name, column in table.columns.items()
        if name
        and "?" not in name
        and name not in requested
        and not column.is_list
        and (
            column.n_distinct + (column.n_filled < table.n_rows and rater_evidence(name) == SURE) > 1
            or name in OWN_NAMES
            or topic_evidence(name) == SURE
        )
        and (
            _is_of_rows(table, column)
            or max(topic_evidence(name), system_evidence(name), rater_evidence(name)) >= 1
        )
    }


def _list_attempts(free: Mapping[str, TableColumn]) -> Iterator[str]:
    """Give the columns that may number attempts: by their names, or those of systems where there are several."""
    yield from (name for name, column in free.items() if spell(name) in ATTEMPT_NAMES and not column.scale)
    systems = [name for name in free if system_evidence(name) == SURE and spell(name) not in ATTEMPT_NAMES]
    yield from systems[: MAX_CANDIDATES["system"] * (len(systems) > 1)]


def _list_candidates(
    table: Table, free: Mapping[str, TableColumn], fixed: Roles, role: str, evidence: Mapping[str, float]
) -> list[Candidate]:
    """Give the columns that may have a role, the best of them, or what the user names; topics may be two together."""
    if role in fixed:
        return [Candidate(tuple(names_in(table, fixed[role])), SURE if fixed[role] else 0.0)]
    best = sorted((name for name, value in evidence.items() if value > 0), key=lambda name: -evidence[name])
    best = best[: MAX_CANDIDATES[role]]
    candidates = [Candidate(), *(Candidate((name,), evidence[name]) for name in best)]
    if role != "topic":
        return candidates
    pairs = _pairs_of_topics(table, free, evidence, best)
    halves = {name for pair in pairs if _complete_each_other(table, pair) for name in pair}
    candidates += (Candidate(pair, of_pair) for pair, of_pair in pairs.items())
    return [candidate for candidate in candidates if not {*candidate.columns} < halves]


def _is_possible(
    table: Table,
    topic: Candidate,
    system: Candidate,
    rater: Candidate,
    fixed: Roles,
    extra: Sequence[str],
) -> bool:
    """Whether columns can be the topic, the system and the rater together."""
    names = [*topic.columns, *system.columns, *rater.columns]
    if len({*names}) < len(names) or (topic.columns == fixed.get("cluster") and "topic" not in fixed):
        return False
    if rater.columns and "rater" not in fixed:
        is_number = rater.evidence == OF_NUMBERS and topic.evidence < SURE
        other_names = [*topic.columns, *system.columns, *extra]
        if is_number or _is_no_rater(table, other_names, topic.columns, rater.columns[0], rater.evidence):
            return False
    is_by_data = bool(system.columns) and topic.evidence == BY_DATA
    if is_by_data and _pairs_by_chance(table, topic.columns, system.columns):
        return False
    if topic.evidence < SURE and _is_of_measure(table, topic.columns, extra):
        return False
    is_shared = _share_of_topics(table, topic.columns, system.columns or rater.columns) > 0
    is_output = topic.evidence == OF_OUTPUTS and system.evidence == SURE and not (is_shared or rater.columns)
    is_property = system.evidence == BY_DATA and (
        (not is_shared and table.share_distinct([*topic.columns, *rater.columns, *extra]) == 1)
        or (not topic.columns and "topic" not in fixed and _names_rows(table))
        or _is_of_measure(table, system.columns, extra)
    )
    return not (is_output or is_property)


def _share_of_topics(table: Table, topic: Sequence[str], sharers: Sequence[str]) -> float:
    """Give the share of topics that two systems, or raters, have; 0 without either."""
    return table.share_shared(topic, sharers[0]) if topic and sharers else 0.0


def _score_choice(
    table: Table,
    topic: Candidate,
    system: Candidate,
    rater: Candidate,
    fixed: Roles,
    extra: Sequence[str],
    attempts: Sequence[str],
) -> KeyColumns:
    """Give the key columns of a choice with their score, and the attempts that tell rows apart with them."""
    names = [*topic.columns, *system.columns, *rater.columns]
    shared = _share_of_topics(table, topic.columns, system.columns or rater.columns)
    distinct = table.share_distinct([*names, *extra]) if names else 0.0
    attempt = tuple(name for name in attempts if name not in names) if names else ()
    by_attempt = table.share_distinct([*names, *extra, *attempt]) if attempt else distinct
    if by_attempt == distinct and "attempt" not in fixed:  # it tells no rows apart
        attempt = ()
    is_of_turns = any(words_of(name)[:1] == ("turn",) or is_place(table, name) for name in topic.columns)
    is_of_rater = system.evidence == BY_DATA and bool(system.columns and rater.columns)
    score = (
        topic.evidence
        + system.evidence
        + rater.evidence
        + (4 if system.columns else 2) * shared * by_attempt**0.5
        + 3 * by_attempt
        - (is_of_rater and table.determines(rater.columns, system.columns[0]))
        - COST_OF_PART * max(0, len(topic.columns) - 1) * (0.25 if is_of_turns else 1)
    )
    return KeyColumns(
        topic.columns,
        next(iter(system.columns), None),
        next(iter(rater.columns), None),
        score=score,
        shared=shared,
        distinct=by_attempt,
        evidence=(topic.evidence, system.evidence, rater.evidence),
        attempt=attempt,
    )


def _complete_each_other(table: Table, names: Sequence[str]) -> bool:
    """Whether each row has a cell in just one of two columns, which name items of two kinds."""
    n_filled = np.sum([table[name].codes >= 0 for name in names], axis=0)
    return len(names) == 2 and bool((n_filled == 1).all())


def _pairs_by_chance(table: Table, topic: Sequence[str], system: Sequence[str]) -> bool:
    """Whether few systems have the topics of a column, so that its values come again by chance."""
    n_pairs = table.n_different([*topic, *system])
    return n_pairs < MIN_SHARED * table.n_different(topic) * table.n_different(system)


def _is_of_measure(table: Table, names: Sequence[str], measures: Sequence[str]) -> bool:
    """Whether columns have one value for each measure of a long table, some of which share it."""
    n_measures = table.n_different(measures) if names and measures else 0
    return n_measures == table.n_different([*names, *measures]) > table.n_different(names)


def _has_several_sources(table: Table, topic: Sequence[str]) -> bool:
    """Whether rows of one topic have several texts as their source, so that it is not the whole topic."""
    n_topics = table.n_different(topic)
    return any(
        table[name].is_text
        and table[name].n_filled == table.n_rows
        and table.n_different([*topic, name]) > n_topics
        for name in table.columns
        if spell(name) in SOURCES
    )


def _is_of_rows(table: Table, column: TableColumn) -> bool:
    """Whether nearly all rows have a cell of a column, and it is none of answers beside what was asked."""
    has_inputs = any(name.startswith("Input.") for name in table.columns)
    is_answer = "?" in column.name or (has_inputs and column.name.startswith("Answer."))
    return column.n_filled >= MIN_FILLED * table.n_rows and not is_answer


def _names_rows(table: Table) -> bool:
    """Whether a column has a short name for each row."""
    return any(
        column.is_name and not (column.is_text or column.is_list) and column.n_distinct == table.n_rows
        for column in table.columns.values()
    )


def _pairs_of_topics(
    table: Table, free: Mapping[str, TableColumn], evidence: Mapping[str, float], best: Sequence[str]
) -> dict[tuple[str, ...], float]:
    """Give pairs of columns that may name a topic together: of identifiers, or with the number of a turn."""
    identifiers = [
        name
        for name in best
        if evidence[name] >= 1 and not free[name].is_text and 1 < free[name].n_distinct < free[name].n_filled
    ][:4]
    turns = [
        name
        for name in free
        if is_place(table, name)
        or words_of(name)[:1] == ("turn",)
        or spell(name) in ("seg", "segment", "sentence_index", "sent_idx", "round")
    ]
    return {
        pair: max(evidence[name] for name in pair)
        for pair in combinations(dict.fromkeys((*identifiers, *turns)), 2)
    }


def _is_alternative(table: Table, best: KeyColumns, other: KeyColumns) -> bool:
    """Whether a choice groups the rows otherwise than the best one, and no worse."""
    roles = (best.roles(), other.roles())
    pairs = [[of.get(role, ()) for of in roles] for role in ("topic", "system", "rater")]
    is_same = all(
        table.n_different(a) == table.n_different(b) == table.n_different([*a, *b]) for a, b in pairs
    )
    if is_same or other.distinct < best.distinct:
        return False
    is_of_rows = (best.system, best.rater) != (other.system, other.rater)
    is_worse = {*best.topic} < {*other.topic} or (not other.shared and best.evidence[0] > other.evidence[0])
    return is_of_rows or not is_worse


def _is_no_rater(
    table: Table, other_keys: Sequence[str], topic: Sequence[str], rater: str, evidence: float
) -> bool:
    """Whether a column separates no rows, so that it is a score or a property of the topic instead of a rater."""
    if evidence <= BY_DATA and (
        _has_several_sources(table, topic)
        or table.share_distinct(other_keys) == 1
        or table.share_distinct([*other_keys, rater]) < 1
    ):
        return True
    has_places = is_place(table, rater)
    if has_places and _has_own_texts(table, other_keys, topic, rater):
        return True
    if has_places or (spell(rater) in COUNTS_OF_PEOPLE and table[rater].is_number):
        return table.n_different([*other_keys, rater]) == table.n_different(other_keys)
    is_of_topic = (
        topic
        and table.share_distinct(topic) < 1
        and table.n_different([*topic, rater]) == table.n_different(topic)
    )
    return bool(is_of_topic) and evidence <= 1


def _has_own_texts(table: Table, other_keys: Sequence[str], topic: Sequence[str], place: str) -> bool:
    """Whether places have texts of their own: one output each, or one in several rows, as a turn of a dialogue has.

    Beside a score of all places together they may be facts, of which an output has some: its score is read then.
    """
    places = [*topic, place]
    n_places = table.n_different(places)
    has_scores_of_all = any(
        table[name].values and not (is_administration(name) or topic_evidence(name))
        for name in names_in(table, table.objects)
    )
    texts = [name for name, column in table.columns.items() if column.is_text and not is_administration(name)]
    has_own_outputs = any(
        table[text].n_distinct == table.n_different([*other_keys, place]) > table.n_different(other_keys)
        for text in texts
        if spell(text) in TEXTS
    )
    return has_own_outputs or any(
        table.n_different([*places, text]) == n_places < table.n_rows
        and table.n_different([*topic, text]) > table.n_different(topic)
        for text in texts
        if not has_scores_of_all
    )


def _may_be_raters(keys: KeyColumns) -> bool:
    """Whether the systems of a choice may be raters as well: no name says what they are, and no rater is there."""
    name = keys.system
    if name is None or keys.rater or not keys.shared or keys.evidence[1] > 1:
        return False
    return not {*words_of(name)} & OUTPUT_WORDS


def _add_constants(table: Table, keys: KeyColumns, fixed: Roles) -> KeyColumns:
    """Add columns with one value in all rows that name the only system, rater or topic."""
    constants = [
        name
        for name, column in table.columns.items()
        if column.n_distinct == 1
        and column.n_filled == table.n_rows
        and not (column.is_text or column.is_list)
    ]
    evidence = {"system": system_evidence, "rater": rater_evidence, "topic": topic_evidence}
    for role, evidence_of in evidence.items():
        names = [
            name
            for name in constants
            if evidence_of(name) == SURE
            and not (role == "rater" and spell(name) in SCORES_OR_RATERS and table[name].is_number)
        ]
        if names and not (role in fixed or getattr(keys, role)):
            keys = keys.replace_column(role, names[0])
    return keys


def _add_subset(table: Table, keys: KeyColumns, fixed: Roles) -> KeyColumns:
    """Add the column of data sets where their systems differ, or equal topics of theirs are other ones."""
    if "task" in fixed:
        return replace(keys, task=next(iter(fixed["task"]), None))
    for name, column in table.columns.items():
        if not keys.topic or name in keys.names or not 1 < column.n_distinct <= MAX_SUBSETS:
            continue
        distinct = table.share_distinct([*keys.names, name])
        is_subset = spell(name) in SUBSETS - {"year"}
        separates = distinct > keys.distinct
        if not keys.system:
            is_task = is_subset and separates
        else:
            n_pairs = table[keys.system].n_distinct * column.n_distinct
            differ = separates or table.n_different([name, keys.system]) != n_pairs
            is_of_system = table.determines([keys.system], name) and table.n_different(
                [*keys.topic, name]
            ) > table.n_different(keys.topic)
            is_task = (distinct != keys.distinct or not is_of_system) and bool(
                (name == "list" and table.outer)
                or (is_subset and differ)
                or (controls_of(column) and not table.determines([keys.system], name))
            )
        if is_task:
            return replace(keys, task=name, distinct=distinct)
    return keys


def add_cluster(table: Table, keys: KeyColumns, fixed: Roles) -> KeyColumns:
    """Add the column of what several topics lie in; numbers of topics that begin anew in each are joined with it.

    Without one that is named it is the finest whose name says so.
    """
    task = names_in(table, [keys.task])
    topic = [*names_in(table, keys.topic), *task]
    if "cluster" in fixed:
        cluster = next(iter(fixed["cluster"]), None)
        if cluster in table.columns and "topic" not in fixed and keys.topic:
            names = names_in(table, keys.names)
            if table.n_different([*names, cluster]) > table.n_different(names):
                keys = replace(keys, topic=(cluster, *keys.topic))
        return replace(keys, cluster=cluster)
    if keys.cluster or not keys.topic or BY_ORDER in keys.topic:
        return keys
    n_topics = table.n_different(topic)
    other_names = {keys.system, keys.rater, keys.task, *keys.attempt}
    n_clusters = {
        name: table.n_different([name, *task])
        for name, column in table.columns.items()
        if name not in other_names
        and column.n_filled == table.n_rows
        and column.n_distinct >= _least_clusters(name)
        and table.n_different([*topic, name]) == n_topics
    }
    n_clusters = {
        name: n
        for name, n in n_clusters.items()
        if n < n_topics and not any(_numbers_within(table, name, other) for other in n_clusters)
    }
    return replace(keys, cluster=max(n_clusters, key=lambda name: n_clusters[name], default=None))


def _numbers_within(table: Table, name: str, other: str) -> bool:
    """Whether a column numbers what lies in another one, anew in each: the segments of a document."""
    return table[name].is_whole and table[other].is_name and not table.determines([name], other)


def _least_clusters(name: str) -> float:
    """Give from how many values on a column of this name is one of clusters."""
    if spell(name) in CLUSTERS:
        return 2
    return MIN_ITEMS if spell(name) in CLUSTERS_IF_MANY else math.inf


def _reasons(table: Table, keys: KeyColumns) -> Iterator[str]:
    if topic := names_in(table, keys.topic):
        is_one = not keys.system or (keys.system in table.columns and table[keys.system].n_distinct == 1)
        by = keys.rater if is_one else keys.system
        share = f", {keys.shared:.0%} of them with two or more of {by}" if by in table.columns else ""
        yield f"{' + '.join(topic)} is the topic: {table.n_different(topic)} of {table.n_rows} rows differ in it{share}"
    if keys.system in table.columns:
        yield f"{keys.system} is the system: {join_names(table[keys.system].words, limit=6)}"
    if keys.rater in table.columns:
        yield f"{keys.rater} is the rater: {table[keys.rater].n_distinct} of them"
    if keys.attempt and keys.attempt != (BY_ORDER,):
        yield f"{' + '.join(keys.attempt)} numbers attempts: rows are else equal; their scores are averaged"
    if keys.cluster in table.columns:
        n_clusters = table[keys.cluster].n_distinct
        yield f"{keys.cluster} is the cluster: topics lie in {n_clusters} of them, by which errors are clustered"
    if keys.task:
        names = join_names(table[keys.task].words, limit=6)
        yield f"{keys.task} divides the data: {names}; systems are compared within each"
        if controls := describe_controls(table[keys.task]):
            yield controls


def _doubts(
    table: Table, keys: KeyColumns, extra: Sequence[str], scores: Sequence[str], fixed: Roles
) -> Iterator[str]:
    import pandas as pd

    of_topic, of_system, of_rater = keys.evidence
    groups = [names_in(table, names) for names in (keys.topic, [keys.system], [keys.rater])]
    n_cells = prod(table.n_different(names) for names in groups if names)
    other_names = [name for name in table.columns if name not in keys.names]
    is_crossed = (
        bool(groups[0])
        and of_system == SURE
        and keys.distinct == 1
        and n_cells == table.n_rows
        and not table[groups[0][0]].is_text
        and not any(map(topic_evidence, other_names))
    )
    by_data = {
        "system": (of_system <= 1, "its values are few and come with many topics"),
        "rater": (0 < of_rater <= BY_DATA, "it tells rows apart that are else equal"),
        "topic": (of_topic == BY_DATA and not is_crossed, "several rows share each of its values"),
    }
    for role, (is_weak, reason) in by_data.items():
        names = names_in(table, keys.roles().get(role, ()))
        if names and is_weak and table[names[0]].n_distinct > 1:
            yield f"no name says that {' + '.join(names)} is the {role}; {reason}"
    if "rater" not in fixed:
        yield from automatic_judges(table, keys.rater)
    topic = names_in(table, keys.topic)
    if (
        topic
        and keys.system in table.columns
        and table[keys.system].n_distinct > 1
        and not keys.shared
        and "topic" not in fixed
        and not {*topic} & {*OWN_NAMES}
    ):
        yield (
            f"no two systems share a topic ({' + '.join(topic)} is another for each), {PAIRS_NOTHING}; it needs "
            "scores of several systems on the same topics, and a column that names these (a document or prompt id)"
        )
    for name in names_in(table, keys.names):
        totals = [word for word in table[name].words if spell(word) in TOTALS]
        if totals and table[name].n_distinct > 2:
            yield f"{join_names(totals)} in {name} {OF_TOTALS}, which would be counted; leave such rows out of the file"
    names = names_in(table, dict.fromkeys((*keys.names, *extra, "year")))
    is_named = np.all([table[name].codes >= 0 for name in (*topic, *names_in(table, [keys.system]))], axis=0)
    named_codes = table.codes(names)[is_named & ~table.equal_rows()]
    n_again = len(named_codes) - len(np.unique(named_codes)) if topic else 0
    if BY_ORDER not in (keys.rater, *keys.attempt) and n_again:
        codes = table.codes(names)
        differing = [
            n for n in table.columns if n not in names and table.n_different([*names, n]) > codes.max() + 1
        ]
        if not {*differing} - {*scores}:
            return  # whoever reads them names the line, or uses equal rows once
        repeated_row = int(np.flatnonzero(pd.Series(codes).duplicated() & is_named)[0])
        first = int(np.flatnonzero(codes == codes[repeated_row])[0])
        places = " after ".join(
            table.places[row].describe_within(table.name) for row in (repeated_row, first)
        )
        yield (
            f"{n_again} rows are given again ({places}): equal in {', '.join(names)}; "
            f"they differ in {join_names(differing, limit=6)}"
        )
