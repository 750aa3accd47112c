"""How far each column may be the topic, the system or the rater: by its name, by its values, and by the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from shlex import quote

from classy_aesop.errors import join_names
from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    CONTROLS,
    MARKS_OF_CONTROLS,
    MARKS_OF_PASSING,
    MEASURE_COLUMNS,
    MODEL,
    NUMBERED_OUTPUT,
    NUMBERS_OR_TEXTS,
    PLACE_OF_KEY,
    POSITION,
    REFERENCES,
    ROW_IDS,
    SCORES,
    SOURCES,
    SUBSETS,
    SURE,
    TEXTS,
    VERSION,
    are_measures,
    are_people,
    base_of_numbered,
    group_numbered,
    is_administration,
    is_measure,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
    words_of,
)  # fmt: skip
from classy_aesop.reading.columns import MAX_NAME_CHARACTERS, MIN_COUNTED, Table, TableColumn

Roles = Mapping[str, tuple[str, ...]]
MAX_DIFFERENT_NAMES = 60
"""Different values of a column that may name systems or raters, if its own name does not say so."""
MAX_TEXTS_OF_SYSTEMS = 12
"""Different texts that may describe systems, if the name of their column says so."""
MAX_KINDS = 6
"""Kinds of rows, some of which are of quality control, or data sets."""
MIN_ITEMS = 8
ITEMS_IF_MANY = ("sample", "samples", "task", "tasks", "trial", "trial_id")
"""Names of attempts or of subsets, and of items where there are many of them."""
EVIDENCE_OF_MANY = 0.9
EVIDENCE_OF_CROSSING = 2.0
MIN_CROSSED = 0.98
"""Share of rows that differ in the number of an item and the system."""
MIN_SHARED = 0.75
"""Share of the numbers of items that several systems have."""
BY_DATA = 0.25
BY_NUMBERED_VALUES = 2.75
"""Evidence of values that say what they are: ``doc1, doc2`` or ``system A, system B``."""
OF_NUMBERS = 0.2
"""Evidence of numbers that may be raters', beside a topic that has a name."""
OF_VERSIONS = 1.5
OF_MODELS = 2.0
"""Evidence of a column whose values are versions, or names of language models."""
OWN_NAMES = ("topic", "summarizer", "instance_id", "summarizer_id")
"""The names in our own files, which are taken at their word."""
FILE_OF_ITEM = re.compile(r".+\.(?:wav|mp3|flac|ogg|png|jpe?g|gif|webp|mp4|webm|avi)", re.IGNORECASE)
"""The name of a file of what was judged: of no system and no person."""
HASH = re.compile(r"(?=\D*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*", re.IGNORECASE)
"""A code that a program made of a text, or at random: of no system."""


def names_in(table: Table, names: Iterable[str | None]) -> list[str]:
    """Give the names that are columns of a table."""
    return [name for name in names if name in table.columns]


Evidence = dict[str, dict[str, float]]
"""How far each column may have each role."""


def weigh_evidence(table: Table, free: Mapping[str, TableColumn], fixed: Roles) -> Evidence:
    """Say of each column how far it may be the topic, the system or the rater: by its name, its values, the others."""
    groups = group_numbered(free).values()
    numbered = {name for group in groups for name in group.values()} - {*table.made_keys}
    are_respondents = fixed.get("topic") == ()
    topics = {name: _topic_evidence(table, column) for name, column in free.items()}
    systems = {
        name: _system_evidence(table, column)
        for name, column in free.items()
        if name not in numbered or not column.is_number
    }
    raters = {
        name: _rater_evidence(table, column, are_respondents=are_respondents)
        for name, column in free.items()
        if name not in numbered
    }
    if any(column.n_distinct == 1 and rater_evidence(name) > 1 for name, column in table.columns.items()):
        raters = _drop_weak(raters)  # a column names the only one
    requested_raters = names_in(table, fixed.get("rater", ()))
    if requested_raters and table.n_different(requested_raters) == table.n_rows:
        topics = _drop_weak(topics)  # what else a row says is of its rater
    for name in filter(partial(_crosses_texts, table), systems):
        systems[name] = max(systems[name], OF_VERSIONS)
        topics[name] = 0.0
    if BY_NUMBERED_VALUES in systems.values():
        systems = _drop_weak(systems)  # the values of one say what they are
    for name in topics:
        if _crosses_systems(table, name):
            topics[name] = max(topics[name], EVIDENCE_OF_CROSSING)
    evidence = {"topic": topics, "system": systems, "rater": raters}
    if all(value <= BY_DATA for of_role in evidence.values() for value in of_role.values()):
        for name, of_role in product(_crossed_numbers(table, free), evidence.values()):
            of_role[name] = BY_DATA
    for name in fixed.get("cluster", ()):  # with another column it may name the topic
        systems.pop(name, None)
        raters.pop(name, None)
    return evidence


def _drop_weak(evidence: Mapping[str, float]) -> dict[str, float]:
    """Keep the columns for which there is more than data."""
    return {name: value for name, value in evidence.items() if value > BY_DATA}


def _may_number(table: Table, column: TableColumn) -> bool:
    """Whether numbers may be those of people or sessions, beside others that are scores."""
    may_be_score = is_measure(column.name) or is_administration(column.name) or column.may_be_truth_value
    are_numbers = column.is_whole and column.is_balanced and column.values[0] >= 0 and not may_be_score
    return are_numbers and any(
        other.values and not other.is_balanced for other in table.columns.values() if other is not column
    )


def _crossed_numbers(table: Table, free: Mapping[str, TableColumn]) -> list[str]:
    """Give columns of whole numbers whose combinations, with names that are as balanced, come once each."""
    balanced = {
        name: column
        for name, column in free.items()
        if not name.isdigit() and column.n_filled == table.n_rows > column.n_distinct and column.is_balanced
    }
    numbers = [name for name, column in balanced.items() if column.is_whole]
    is_design = prod(column.n_distinct for column in balanced.values()) == table.n_rows
    return numbers if len(balanced) > 1 and is_design and table.share_distinct([*balanced]) == 1 else []


def is_place(table: Table, name: str) -> bool:
    """Whether a column holds places in lists, or the numbers by which objects are called."""
    return bool(POSITION.fullmatch(name)) or (
        name in table.made_keys and all(map(str.isdigit, table[name].words))
    )


def _crosses_texts(table: Table, name: str) -> bool:
    """Whether each of some texts has one row of each of a few numbers or names called as identifiers: of systems."""
    column = table[name]
    if not (
        (column.is_whole or column.is_name)
        and 1 < column.n_distinct <= MAX_DIFFERENT_NAMES
        and spell(name) in ROW_IDS
    ):
        return False
    return any(
        other.is_text
        and other.n_distinct > 1
        and other.n_distinct * column.n_distinct == table.n_rows == table.n_different([name, text])
        for text, other in table.columns.items()
    )


def _crosses_systems(table: Table, name: str) -> bool:
    """Whether a column of whole numbers numbers what systems were judged on, perhaps by each rater.

    Each number has one row of a system, and most numbers have several systems: scores would come again, or differ.
    Names are of items where each has one row of every system.
    """
    column = table[name]
    if column.is_name:
        return (
            not (column.is_text or rater_evidence(name) or system_evidence(name))
            and column.n_distinct >= MIN_ITEMS
            and any(
                table.n_different([name, system]) == table.n_rows == column.n_distinct * other.n_distinct
                for system, other in table.columns.items()
                if system_evidence(system) == SURE and other.n_distinct > 1
            )
        )
    are_few = column.n_distinct < MIN_COUNTED and not column.is_balanced
    if not column.is_whole or are_few or is_measure(name) or is_administration(name):
        return False
    systems = [other for other in table.columns if system_evidence(other) == SURE and other != name]
    raters = [[other] for other in table.columns if rater_evidence(other) == SURE]
    kinds = [other for other, of_rows in table.columns.items() if controls_of(of_rows)]
    gave_each_once = column.n_distinct >= MIN_ITEMS and any(
        table.n_different([name, *by]) == table.n_rows == column.n_distinct * table.n_different(by)
        for by in raters
    )
    return gave_each_once or any(
        table.share_distinct([*by, name, system, *kinds]) >= MIN_CROSSED
        and table.share_shared([*by, name], system) >= MIN_SHARED
        for system in systems
        for by in ([], *raters)
    )


def _topic_evidence(table: Table, column: TableColumn) -> float:
    name = column.name
    is_label = column.are_sides or controls_of(column) or are_outputs(column.words)
    if are_people(column.words) or (is_label and not topic_evidence(name)):
        return 0.0
    if name in table.made_keys and PLACE_OF_KEY.fullmatch(name):
        return 1.0 if column.n_distinct == max(table[key].n_distinct for key in table.made_keys) else BY_DATA
    if name in table.made_keys and is_place(table, name) and column.n_distinct == table.n_rows:
        return 1.0
    is_person = rater_evidence(name) >= 2
    if name in table.made_keys:  # of objects in a field: ``questions_name``
        name = name.removesuffix("s_name")
    is_origin = _is_origin(column)
    evidence = SURE + 1 if name in OWN_NAMES else topic_evidence(name) * (not (is_person or is_origin))
    if spell(name) in ITEMS_IF_MANY and column.n_distinct >= MIN_ITEMS:
        return max(evidence, EVIDENCE_OF_MANY)
    if (
        (column.is_time and evidence < SURE)
        or (spell(name) in ATTEMPT_NAMES and not evidence)
        or spell(name) in SUBSETS | MEASURE_COLUMNS
        or (is_administration(name, but=("index", "order", "position", "reference")) and evidence < 1.5)
        or (column.is_number and (spell(name) in NUMBERS_OR_TEXTS or not column.is_whole))
    ):
        return BY_DATA * (name in table.made_keys)
    if (
        not evidence
        and (name.isdigit() or column.counts_rows)
        and column.is_whole
        and MIN_ITEMS <= column.n_distinct < column.n_filled
    ):
        return BY_DATA
    if evidence or not column.is_name or column.has_odd_cells:
        return evidence
    base = base_of_numbered(column.words)
    if _are_files_of_items(column):
        return 1.0
    if system_evidence(base) or rater_evidence(base):
        return 0.0
    if topic_evidence(base) >= 1 and not (system_evidence(name) or are_versions(column.words)):
        return BY_NUMBERED_VALUES
    is_named = (
        any(map(system_evidence, (name, *words_of(name)[-1:])))
        or rater_evidence(name)
        or spell(name) in SCORES
    )
    return BY_DATA * (not is_named and column.n_distinct < column.n_filled)


def _system_evidence(table: Table, column: TableColumn) -> float:
    name = column.name
    evidence = system_evidence(name)
    is_short = column.longest <= MAX_NAME_CHARACTERS and column.n_distinct <= min(
        MAX_DIFFERENT_NAMES, column.n_filled // 3
    )
    is_mark = column.is_number and {*column.values} <= {0.0, 1.0}
    if (
        column.is_time
        or all(map(HASH.fullmatch, column.words))
        or (evidence < SURE and _are_files_of_items(column))
        or (is_place(table, name) and not column.is_balanced)
        or (
            column.is_text
            and not (is_short and evidence == SURE)
            and not (evidence and column.n_distinct <= MAX_TEXTS_OF_SYSTEMS)
        )
        or are_people(column.words)
        or (evidence < SURE and (is_mark or are_measures(column.words)))
        or (not evidence and name not in table.made_keys and is_label(column))
    ):
        return 0.0
    if name in (*table.made_keys, *table.output_places):
        evidence = max(evidence, BY_DATA if is_place(table, name) else 1.0)
    if are_versions(column.words):
        evidence = max(evidence, OF_VERSIONS)
    if are_models(column.words) and not rater_evidence(name):
        evidence = max(evidence + 1, OF_MODELS)
    base = base_of_numbered(column.words)
    if system_evidence(base) and base not in (*ATTEMPT_NAMES, "group", "experiment"):
        evidence = max(evidence, BY_NUMBERED_VALUES)
    elif not evidence and topic_evidence(base) >= 1:
        return 0.0
    if evidence:
        return (
            evidence
            if column.n_distinct < column.n_filled or name in OWN_NAMES or spell(name) in ("system", "model")
            else 0.5
        )
    is_source = spell(name) in SOURCES and not _is_origin(column)
    is_other = topic_evidence(name) > 1 or is_source or rater_evidence(name)
    return BY_DATA * (_has_few_names(column) and not is_other)


def _is_origin(column: TableColumn) -> bool:
    """Whether few names say where outputs are from: ``human``, ``gpt``."""
    return spell(column.name) == "source" and _has_few_names(column) and column.n_distinct < MIN_ITEMS


def is_label(column: TableColumn) -> bool:
    """Whether a column says which of two sides is better, or which rows are of quality control."""
    return column.are_sides or bool(controls_of(column))


def _are_files_of_items(column: TableColumn) -> bool:
    """Whether values are names of several files of sounds or pictures."""
    return column.n_distinct >= MIN_ITEMS and all(map(FILE_OF_ITEM.fullmatch, column.words))


def are_outputs(words: Sequence[str]) -> bool:
    """Whether values are places of outputs: ``output 1``, ``Summary B``."""
    return all(map(NUMBERED_OUTPUT.fullmatch, words))


def are_versions(words: Sequence[str]) -> bool:
    """Whether values are versions of one thing: ``prompt_v1``, ``prompt_v2``."""
    return len(words) > 1 and all(map(VERSION.fullmatch, words))


def are_models(words: Sequence[str]) -> bool:
    """Whether values are names of language models, but for few: ``openai/gpt-5``, ``llama-3``, ``human``."""
    return len(words) > 1 and 2 * sum(bool(MODEL.search(spell(word))) for word in words) > len(words)


def _has_few_names(column: TableColumn) -> bool:
    """Whether a column holds few names, each of which comes again, and has no name of another role."""
    is_other = not {spell(column.name), *words_of(column.name)[-1:]}.isdisjoint(
        SUBSETS | MEASURE_COLUMNS | SCORES | TEXTS | REFERENCES
    )
    has_few = 1 < column.n_distinct <= min(MAX_DIFFERENT_NAMES, column.n_filled // 2)
    is_other = is_other or column.has_odd_cells or is_administration(column.name)
    return column.is_name and has_few and not is_other


def _rater_evidence(table: Table, column: TableColumn, *, are_respondents: bool = False) -> float:
    """Say how far a column is that of raters; one that differs in every row is none, but of ``are_respondents``."""
    name = column.name
    evidence = rater_evidence(name)
    may_differ = are_respondents and evidence == SURE
    if (
        column.is_text
        or (column.is_number and not column.is_whole)
        or spell(name) in {*ATTEMPT_NAMES, "year"}
        or (not evidence and (is_label(column) or _are_files_of_items(column)))
        or (MIN_ITEMS < column.n_filled == column.n_distinct and not may_differ)
        or (is_place(table, name) and column.n_filled == column.n_distinct)
        or (evidence < SURE and are_outputs(column.words))
    ):
        return 0.0
    if POSITION.fullmatch(name):
        return 0.75 * (not any(spell(other) in ATTEMPT_NAMES for other in table.columns))
    may_be_key = name in table.made_keys and not all(map(HASH.fullmatch, column.words))
    evidence = max(evidence, 2.5 if column.is_name and are_people(column.words) else 0.5 * may_be_key)
    is_other = spell(name) in ("list", "category", "type") or topic_evidence(name) or system_evidence(name)
    by_data = BY_DATA if _has_few_names(column) else OF_NUMBERS * _may_number(table, column)
    return evidence or by_data * (not (is_other or column.is_time))


def controls_of(column: TableColumn) -> list[str]:
    """Give the values by which a column marks rows of quality control beside the usual kinds of row."""
    is_mark = spell(column.name) in MARKS_OF_CONTROLS
    is_passing = spell(column.name) in MARKS_OF_PASSING
    if not (is_mark or is_passing or column.is_name) or column.is_list or column.n_distinct > MAX_KINDS:
        return []
    names = {*CONTROLS, "true", "yes", "1"} if is_mark else {"false", "no", "0"} if is_passing else CONTROLS
    controls = [word for word in column.words if spell(word) in names]
    return controls if len(controls) < column.n_distinct else []


def options_without_controls(column: TableColumn) -> list[str]:
    """Give an option for each kind of rows beside those of quality control; none if there are no such rows."""
    controls = controls_of(column)
    return [f"--task {quote(word)}" for word in column.words if controls and word not in controls]


def describe_controls(column: TableColumn) -> str:
    """Say which rows are of quality control, and how they are left out; nothing if there are none."""
    options = " or ".join(options_without_controls(column))
    return (
        f"rows of quality control ({join_names(controls_of(column))}) are left out by {options}"
        if options
        else ""
    )


def automatic_judges(table: Table, rater: str | None) -> Iterator[str]:
    """Say which raters are called like language models, if others are not."""
    judges = table[rater].words if rater in table.columns else []
    models = [name for name in judges if MODEL.search(spell(name))]
    if 0 < len(models) < len(judges) and rater_evidence(str(rater)):
        yield (
            f"{join_names(models)} in {rater} looks like an automatic judge among people, "
            "whose scores would be pooled with theirs; leave such rows out of the file"
        )
