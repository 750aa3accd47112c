"""Which columns say of what a row is: the topic, the system, the rater; found by data and names together.

A topic is what several systems share (or, without systems, several raters); a rater is what separates rows that are
else given again. Every combination of candidates is scored by its names and by its data, and the best ones are kept:

    score = evidence(topic) + evidence(system) + evidence(rater) + 4 * shared * sqrt(distinct) + 3 * distinct

with the evidence of names from 0 to 3, the share of topics that two systems have, and the share of rows that the three
columns distinguish. An identifier of rows has a good name and shares nothing; a shared column of another name wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    MAX_EVIDENCE,
    MEASURE_NAME_NAMES,
    REFERENCE_NAMES,
    SCORE_NAMES,
    SUBSET_NAMES,
    TEXT_NAMES,
    TOPIC_TEXT_NAMES,
    are_measures,
    are_people,
    is_administration,
    rater_evidence,
    spell_name,
    system_evidence,
    topic_evidence,
)
from classy_aesop.reading.judged_tables import MAX_NAME_CHARACTERS, JudgedColumn, JudgedTable
from classy_aesop.reading.unfolding import KEY, LIST, POSITION

KEY_ROLES = ("topic", "system", "rater", "attempt", "task")
"""The roles of key columns that the user can name."""

MAX_TOPIC_CANDIDATES = 6
MAX_SYSTEM_CANDIDATES = 4
MAX_RATER_CANDIDATES = 3
MAX_SYSTEMS_WITHOUT_A_NAME = 60
MIN_ROWS_OF_A_NAME = 3
MIN_ITEMS = 8
"""Whole numbers without a name are those of items if they have as many values; fewer may be grades."""
MAX_KEY_SUBSETS = 40
WEIGHT_OF_SHARED = 4.0
WEIGHT_OF_SHARED_BY_RATERS = 2.0
WEIGHT_OF_DISTINCT = 3.0
EVIDENCE_BY_DATA = 0.25
EVIDENCE_OF_AN_ID = 1.0
"""Evidence of a topic in a name that is an identifier of something: ``app_id``."""
SCORE_OR_COUNT_NAMES = frozenset(
    {
        *("judge", "human", "expert", "evaluator"),
        *("annotators", "raters", "workers", "evaluators", "judges", "experts"),
    }
)
"""Names that are no rater's where they hold numbers that separate no rows: a score's, or of several people a count."""
CLOSE_SCORES = 0.75
"""Choices whose scores differ by less are alternatives."""


@dataclass(frozen=True)
class KeyColumns:
    """The columns of topic, system, rater and attempt, and how well they fit the data."""

    topic: tuple[str, ...]
    system: str | None
    rater: str | None
    subset: str | None = None
    score: float = 0.0
    shared: float = 0.0
    distinct: float = 1.0
    evidence: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attempt: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        single = (name for name in (self.system, self.rater, self.subset) if name)
        return (*self.topic, *single, *self.attempt)


def find_key_columns(table: JudgedTable, requested: Mapping[str, Sequence[str]]) -> list[KeyColumns]:
    """Find the likeliest columns of topic, system and rater, the best choice first, then close ones.

    Parameters
    ----------
    table : JudgedTable
        Rows of one kind.
    requested : mapping of str to sequence of str
        Columns that the user named, by role (``topic``, ``system``, ``rater``, ``attempt``, ``task``); they are fixed.
    """
    requested = {
        role: tuple(name for name in names if name in table.columns) for role, names in requested.items()
    }
    requested_names = {name for names in requested.values() for name in names}
    free = {
        name: column
        for name, column in table.columns.items()
        if name not in requested_names and column.n_distinct > 1
    }
    attempts = requested.get("attempt", tuple(name for name in free if spell_name(name) in ATTEMPT_NAMES))
    topics = _topic_candidates(free, requested, table.keys)
    numbered = numbered_names(free) - {*table.keys}
    systems = _candidates(
        requested.get("system"),
        {name: _system_evidence(table, column) for name, column in free.items()},
        MAX_SYSTEM_CANDIDATES,
    )
    raters = _candidates(
        requested.get("rater"),
        {name: _rater_evidence(table, column) for name, column in free.items() if name not in numbered},
        MAX_RATER_CANDIDATES,
    )
    choices = []
    for topic, topic_score in topics.items():
        for system, system_score in systems.items():
            shared = table.share_shared(topic, system) if topic and system else 0.0
            for rater, rater_score in raters.items():
                names = [*topic, *(name for name in (system, rater) if name)]
                if len({*names}) < len(names):
                    continue
                if rater and "rater" not in requested and _is_score_by_data(table, topic, system, rater):
                    continue
                if rater and topic and rater_score <= EVIDENCE_OF_AN_ID and _is_of_topic(table, topic, rater):
                    continue
                if system is None and topic and rater:
                    shared_by_raters = table.share_shared(topic, rater)
                    choices.append(
                        _score_choice(
                            table,
                            topic,
                            system,
                            rater,
                            (topic_score, system_score, rater_score),
                            shared_by_raters,
                            attempts,
                        )
                    )
                else:
                    choices.append(
                        _score_choice(
                            table,
                            topic,
                            system,
                            rater,
                            (topic_score, system_score, rater_score),
                            shared,
                            attempts,
                        )
                    )
    choices.sort(key=lambda choice: (-choice.score, len(choice.names)))
    best = choices[0]
    alternatives = [
        choice
        for choice in choices[1:]
        if best.score - choice.score < CLOSE_SCORES and not _is_same(table, best, choice)
    ]
    alternatives = [
        choice
        for choice in alternatives
        if choice.distinct >= best.distinct and not _is_worse_topic(table, best, choice)
    ]
    return [_add_subset(table, choice, requested) for choice in (best, *alternatives[:2])]


def _is_of_topic(table: JudgedTable, topic: tuple[str, ...], rater: str) -> bool:
    """Whether each topic has one value of a column only, which then names no raters: they would differ in none."""
    is_place = re.fullmatch(rf"{POSITION}\d?", rater) is not None
    is_repeated = table.share_distinct(topic) < 1
    return (
        is_repeated and not is_place and table.share_distinct([*topic, rater]) == table.share_distinct(topic)
    )


def _is_worse_topic(table: JudgedTable, best: KeyColumns, other: KeyColumns) -> bool:
    """Whether a choice differs by a topic only that is a text, or that shares no more than the best one's."""
    if (best.system, best.rater) != (other.system, other.rater) or not (best.topic and other.topic):
        return False
    are_texts = all(table[name].is_text for name in other.topic)
    return (
        are_texts
        or set(best.topic) < set(other.topic)
        or (other.shared == 0 and best.evidence[0] > other.evidence[0])
    )


def numbered_names(names: Iterable[str]) -> set[str]:
    """Give names that differ by a number at their end only: ``rater_1``, ``rater_2``."""
    by_base: dict[str, list[str]] = {}
    for name in names:
        if match := re.fullmatch(r"(.*?[^\d])[ _.#-]*\d{1,3}", name):
            by_base.setdefault(match[1].rstrip(" _.#-").lower(), []).append(name)
    return {name for group in by_base.values() if len(group) > 1 for name in group}


def _is_score_by_data(table: JudgedTable, topic: tuple[str, ...], system: str | None, rater: str) -> bool:
    """Whether a column that may be a rater or its score (``judge``) holds numbers and separates no rows."""
    is_place = re.fullmatch(rf"{POSITION}\d?", rater) is not None
    is_score_name = spell_name(rater) in SCORE_OR_COUNT_NAMES and table[rater].numbers is not None
    is_by_data = not is_place and _rater_evidence(table, table[rater]) == EVIDENCE_BY_DATA
    if not (is_place or is_score_name or is_by_data):
        return False
    other_keys = [*topic, *((system,) if system else ())]
    if is_by_data:
        return (
            not other_keys
            or table.share_distinct(other_keys) == 1
            or table.share_distinct([*other_keys, rater]) < 1
        )
    return bool(other_keys) and table.share_distinct(other_keys) == table.share_distinct([*other_keys, rater])


def _score_choice(
    table: JudgedTable,
    topic: tuple[str, ...],
    system: str | None,
    rater: str | None,
    evidence: tuple[float, float, float],
    shared: float,
    attempts: Sequence[str],
) -> KeyColumns:
    names = [*topic, *(name for name in (system, rater) if name)]
    distinct = table.share_distinct(names) if names else 0.0
    attempt = tuple(name for name in attempts if name not in names) if names else ()
    distinct_attempts = table.share_distinct([*names, *attempt]) if attempt else distinct
    if distinct_attempts == distinct:  # nothing is an attempt that rows need not to differ
        attempt = ()
    distinct = distinct_attempts
    weight = WEIGHT_OF_SHARED if system else WEIGHT_OF_SHARED_BY_RATERS
    score = (
        sum(evidence)
        + weight * shared * distinct**0.5
        + WEIGHT_OF_DISTINCT * distinct
        - 0.6 * max(0, len(topic) - 1)
    )
    return KeyColumns(topic, system, rater, None, score, shared, distinct, evidence, attempt)


def _is_same(table: JudgedTable, first: KeyColumns, second: KeyColumns) -> bool:
    """Whether two choices group the rows alike, under other names."""

    def are_alike(first_names: Sequence[str], second_names: Sequence[str]) -> bool:
        if bool(first_names) != bool(second_names):
            return False
        if not first_names:
            return True
        share = table.share_distinct([*first_names, *second_names])
        return share == table.share_distinct(first_names) == table.share_distinct(second_names)

    pairs = (
        (first.topic, second.topic),
        ((first.system,), (second.system,)),
        ((first.rater,), (second.rater,)),
    )
    return all(are_alike(list(filter(None, names)), list(filter(None, other))) for names, other in pairs)


def _topic_candidates(
    free: Mapping[str, JudgedColumn], requested: Mapping[str, Sequence[str]], keys: Sequence[str]
) -> dict[tuple[str, ...], float]:
    if "topic" in requested:
        return {tuple(requested["topic"]): 3.0}
    largest = max(keys, key=lambda name: free[name].n_distinct if name in free else 0, default="")
    evidence = {
        name: EVIDENCE_OF_AN_ID * (name == largest) if _is_made_key(name, keys) else _topic_evidence(column)
        for name, column in free.items()
        if not (are_people(column.words) or _are_numbered_outputs(column.words))
    }
    evidence |= {name: EVIDENCE_BY_DATA for name in keys if name in evidence and not evidence[name]}
    candidates = sorted((name for name in evidence if evidence[name] > 0), key=lambda name: -evidence[name])[
        :MAX_TOPIC_CANDIDATES
    ]
    singles: dict[tuple[str, ...], float] = {(name,): evidence[name] for name in candidates}
    name_candidates = [name for name in candidates if evidence[name] >= 1 and not free[name].is_text]
    turns = [
        name
        for name in free
        if spell_name(name) in ("turn", "seg", "segment", "sentence_index", "sent_idx", "round")
        or re.fullmatch(rf"{POSITION}\d?", name)
    ]
    pairs: dict[tuple[str, ...], float] = {
        pair: max(evidence.get(name, 0.0) for name in pair)
        for pair in combinations(dict.fromkeys((*name_candidates[:4], *turns)), 2)
    }
    return {(): 0.0, **singles, **pairs}


def _is_made_key(name: str, keys: Sequence[str]) -> bool:
    """Whether a column was made of names of JSON objects and named by us, so that its name says nothing."""
    return name in keys and re.fullmatch(rf"{KEY}\d*", name) is not None


def _topic_evidence(column: JudgedColumn) -> float:
    name = column.name
    if (
        column.is_list
        or column.is_time
        or (spell_name(name) in ATTEMPT_NAMES and not topic_evidence(name))
        or spell_name(name) in SUBSET_NAMES
        or spell_name(name) in MEASURE_NAME_NAMES
    ):
        return 0.0
    evidence = topic_evidence(name)
    if is_administration(name, but=("index", "position", "reference")) and evidence < 1.5:
        return 0.0
    if column.numbers is not None and not column.is_whole:
        return 0.0
    if (
        not evidence
        and name.isdigit()
        and column.is_whole
        and MIN_ITEMS <= column.n_distinct < column.n_filled
    ):
        return EVIDENCE_BY_DATA  # of a table without a header
    if evidence or column.numbers is not None or column.scale is not None:
        return evidence
    if system_evidence(name) or rater_evidence(name) or spell_name(name) in SCORE_NAMES:
        return 0.0
    return EVIDENCE_BY_DATA if column.n_distinct < column.n_filled else 0.0


def _system_evidence(table: JudgedTable, column: JudgedColumn) -> float:
    name = column.name
    if column.is_list or column.is_time:
        return 0.0
    evidence = system_evidence(name)
    if column.is_text and (evidence < MAX_EVIDENCE or not _are_names_of_words(column)):
        return 0.0
    if are_people(column.words) or (evidence < MAX_EVIDENCE and are_measures(column.words)):
        return 0.0
    if name in table.keys or name in table.places_of_systems:
        evidence = max(evidence, 1.0)
    if evidence:
        return evidence if column.n_distinct < column.n_filled else 0.5
    is_other = (
        topic_evidence(name) > EVIDENCE_OF_AN_ID
        or spell_name(name) in TOPIC_TEXT_NAMES
        or rater_evidence(name)
        or is_administration(name)
        or spell_name(name) in SUBSET_NAMES | MEASURE_NAME_NAMES | SCORE_NAMES | TEXT_NAMES | REFERENCE_NAMES
    )
    is_few = 1 < column.n_distinct <= min(MAX_SYSTEMS_WITHOUT_A_NAME, column.n_filled // 2)
    is_name = column.numbers is None and column.scale is None
    return EVIDENCE_BY_DATA if is_few and is_name and not is_other else 0.0


def _are_names_of_words(column: JudgedColumn) -> bool:
    """Whether texts may be names of several words, ``Nucleus Decoding (p = 0.3)``: short ones, each given often."""
    return column.longest <= MAX_NAME_CHARACTERS and column.n_distinct <= min(
        MAX_SYSTEMS_WITHOUT_A_NAME, column.n_filled // MIN_ROWS_OF_A_NAME
    )


def _rater_evidence(table: JudgedTable, column: JudgedColumn) -> float:
    if column.is_list or column.is_text or (column.numbers is not None and not column.is_whole):
        return 0.0
    if column.name in table.places_of_systems or spell_name(column.name) in ATTEMPT_NAMES:
        return 0.0
    if re.fullmatch(rf"{POSITION}\d?", column.name):
        return 0.75
    if rater_evidence(column.name) < MAX_EVIDENCE and (
        are_measures(column.words) or _are_numbered_outputs(column.words)
    ):
        return 0.0
    evidence = 0.5 if column.name in table.keys else 0.0
    evidence = max(
        rater_evidence(column.name), 2.5 if column.numbers is None and are_people(column.words) else evidence
    )
    is_few = 1 < column.n_distinct <= MAX_SYSTEMS_WITHOUT_A_NAME and column.n_distinct <= column.n_filled // 2
    is_name = column.numbers is None and column.scale is None and not _has_other_name(column.name)
    return EVIDENCE_BY_DATA if not evidence and is_few and is_name and not column.is_time else evidence


_NUMBERED_OUTPUT = re.compile(
    r"(?:summary|output|response|candidate|answer|option|text|version|translation|story|reply)[ _.-]*(?:\d{1,3}|[a-z])",
    re.IGNORECASE,
)


def _are_numbered_outputs(words: Sequence[str]) -> bool:
    """Whether values are places of outputs, ``summary 1``, and so no people."""
    return bool(words) and all(_NUMBERED_OUTPUT.fullmatch(word) for word in words)


def _has_other_name(name: str) -> bool:
    """Whether a name is that of something else than a system or a rater."""
    spelled = spell_name(name)
    is_other_word = (
        spelled
        in SUBSET_NAMES
        | MEASURE_NAME_NAMES
        | SCORE_NAMES
        | TEXT_NAMES
        | REFERENCE_NAMES
        | {
            "list",
            "category",
            "type",
        }
    )
    return bool(topic_evidence(name) or is_administration(name) or is_other_word or system_evidence(name))


def _candidates(
    requested: Sequence[str] | None, evidence: Mapping[str, float], max_candidates: int
) -> dict[str | None, float]:
    if requested:
        return {requested[0]: 3.0}
    if requested is not None:
        return {None: 0.0}
    candidates = sorted((name for name in evidence if evidence[name] > 0), key=lambda name: -evidence[name])[
        :max_candidates
    ]
    return {None: 0.0, **{name: evidence[name] for name in candidates}}


def _add_subset(table: JudgedTable, choice: KeyColumns, requested: Mapping[str, Sequence[str]]) -> KeyColumns:
    """Add the column of data sets where their systems differ, or equal topics of theirs are other ones."""
    fields = dict(vars(choice))
    if "task" in requested:
        names = requested["task"]
        return KeyColumns(**{**fields, "subset": names[0] if names else None})
    if not choice.topic or not choice.system:
        return choice
    if LIST in table.columns and table[LIST].n_distinct > 1 and LIST not in choice.names and table.outer:
        names = [*choice.names, LIST]
        return KeyColumns(**{**fields, "subset": LIST, "distinct": table.share_distinct(names)})
    for name, column in table.columns.items():
        is_subset = (
            spell_name(name) in SUBSET_NAMES
            and 1 < column.n_distinct <= MAX_KEY_SUBSETS
            and name not in choice.names
        )
        if not is_subset or (column.numbers is not None and spell_name(name) != "year"):
            continue
        distinct = table.share_distinct([*choice.names, name])
        differ = distinct > choice.distinct or not _have_same_systems(table, name, choice.system)
        if differ and spell_name(name) != "year":
            return KeyColumns(**{**fields, "subset": name, "distinct": distinct})
    return choice


def _have_same_systems(table: JudgedTable, subset: str, system: str) -> bool:
    n_pairs = round(table.share_distinct([subset, system]) * table.n_rows)
    return n_pairs == table[subset].n_distinct * table[system].n_distinct
