"""Key columns of a table with what is doubtful of them, and why each was chosen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from classy_aesop.errors import join_names
from classy_aesop.reading.column_names import (
    MAX_EVIDENCE,
    SCORE_OR_RATER_NAMES,
    TEXT_NAMES,
    TOTAL_NAMES,
    rater_evidence,
    spell_name,
    system_evidence,
    words_of,
)
from classy_aesop.reading.judged_tables import JudgedTable
from classy_aesop.reading.key_columns import EVIDENCE_BY_DATA, KeyColumns, find_key_columns
from classy_aesop.reading.readings import BY_FILE, BY_ORDER

MAX_EVIDENCE_BY_PLACE = 1.0
"""Evidence of a system that its data or its place in JSON give; more is given by a name only."""


WORDS_OF_OUTPUTS = TEXT_NAMES | {
    *("outputs", "summaries", "responses", "predictions", "completions", "generations", "candidates"),
    *("systems", "models", "translations"),
}
"""Words in names of what systems give, which raters do not."""


class CheckedKeys(NamedTuple):
    """Key columns, with what is said of them."""

    keys: KeyColumns
    doubts: tuple[str, ...]
    why: tuple[str, ...]


def find_checked_keys(
    table: JudgedTable,
    other_columns: JudgedTable,
    fixed: Mapping[str, tuple[str, ...]],
    extra: Sequence[str] = (),
) -> Iterator[CheckedKeys]:
    """Find key columns and say what is doubtful of them.

    Parameters
    ----------
    table : JudgedTable
        All columns.
    other_columns : JudgedTable
        Those among which key columns are looked for.
    fixed : mapping of str to tuple of str
        The columns of a role that the user names.
    extra : sequence of str
        Further columns by which rows must differ.
    """
    requested = {
        role: names for role, names in fixed.items() if not any(name in (BY_ORDER, BY_FILE) for name in names)
    }
    not_columns = {role: () for role in fixed if role not in requested}
    columns = other_columns.columns
    if not columns:
        yield CheckedKeys(KeyColumns(fixed.get("topic", ()), None, None), (), ())
        return
    choices = find_key_columns(other_columns, {**requested, **not_columns})
    are_alternatives = len(choices) > 1
    may_be_raters = not {"system", "rater"} & fixed.keys() and _may_be_raters(table, choices[0])
    if may_be_raters:
        choices.insert(1, replace(choices[0], system=None, rater=choices[0].system))
    for number, choice in enumerate(choices):
        keys = choice
        doubts: list[str] = []
        if may_be_raters and number < 2:
            doubts.append(f"no name says whether {choices[0].system} names systems or raters")
        if keys.system is None and "system" not in fixed:
            constants = [
                name
                for name, column in columns.items()
                if column.n_distinct == 1
                and column.n_filled == table.n_rows
                and system_evidence(name) == 3
                and not column.is_text
            ]
            keys = replace(keys, system=constants[0]) if constants else keys
        if keys.rater is None and "rater" not in fixed:
            raters = [name for name in columns if _is_only_rater(table, name)]
            keys = replace(keys, rater=raters[0]) if raters else keys
        if "topic" in not_columns:
            keys = replace(keys, topic=(BY_ORDER,))
        if "system" in not_columns:
            keys = replace(keys, system=BY_FILE)
        if "rater" in not_columns:
            keys = replace(keys, rater=BY_ORDER)
        if "attempt" in not_columns:
            keys = replace(keys, attempt=(BY_ORDER,))
        if are_alternatives:
            doubts.append("other columns fit nearly as well")
        if (
            keys.system is None
            and keys.rater is None
            and "topic" not in fixed
            and keys.topic
            and table.share_distinct(keys.topic) < 1
        ):
            keys = replace(keys, topic=())
        if not keys.topic and keys.attempt and "topic" not in fixed:
            attempts = " + ".join(keys.attempt)
            doubts.append(
                f"no column names the topic: rows of a system differ in {attempts}, which numbers attempts at one "
                f"topic; expected topic=NAME, or topic={keys.attempt[0]} if each is a topic of its own"
            )
        elif not keys.topic and keys.system and "topic" not in fixed:
            doubts.append(
                "no column names the topic: only if the rows of each system stand in the same order can they "
                "be paired, by topic=#"
            )
            keys = replace(keys, topic=(BY_ORDER,))
        doubts += _key_doubts(table, keys, extra, fixed)
        why = _key_reasons(table, keys)
        yield CheckedKeys(keys, tuple(doubts), tuple(why))


def _may_be_raters(table: JudgedTable, keys: KeyColumns) -> bool:
    """Whether the systems of a choice may be raters as well: no name says what they are, and no rater is there."""
    return (
        keys.system is not None
        and keys.rater is None
        and keys.shared > 0
        and keys.evidence[1] <= MAX_EVIDENCE_BY_PLACE
        and not system_evidence(keys.system)
        and not {*words_of(keys.system)} & WORDS_OF_OUTPUTS
        and keys.system not in table.places_of_systems
    )


def _is_only_rater(table: JudgedTable, name: str) -> bool:
    """Whether a column names one rater, who rated every row."""
    column = table[name]
    is_full = column.n_distinct == 1 and column.n_filled == table.n_rows
    is_score = spell_name(name) in SCORE_OR_RATER_NAMES and column.numbers is not None
    return is_full and rater_evidence(name) == MAX_EVIDENCE and not is_score


def _key_reasons(table: JudgedTable, keys: KeyColumns) -> Iterator[str]:
    if keys.topic and keys.topic != (BY_ORDER,):
        is_one = keys.system is None or (keys.system in table.columns and table[keys.system].n_distinct == 1)
        by = keys.rater if is_one else keys.system
        share = f", {keys.shared:.0%} of them with two or more of {by}" if by and by in table.columns else ""
        n_topics = round(table.share_distinct(keys.topic) * table.n_rows)
        yield f"{' + '.join(keys.topic)} is the topic: {n_topics} of {table.n_rows} rows differ in it{share}"
    if keys.system and keys.system in table.columns:
        yield f"{keys.system} is the system: {join_names(table[keys.system].words, most=6)}"
    if keys.rater and keys.rater in table.columns:
        yield f"{keys.rater} is the rater: {table[keys.rater].n_distinct} of them"
    if keys.attempt and keys.attempt != (BY_ORDER,):
        yield f"{' + '.join(keys.attempt)} numbers attempts: rows are else equal; their scores are averaged"
    if keys.subset:
        subsets = join_names(table[keys.subset].words, most=6)
        yield f"{keys.subset} divides the data: {subsets}; systems are compared within each"


def _key_doubts(
    table: JudgedTable, keys: KeyColumns, extra: Sequence[str], fixed: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    topic_score, system_score, _ = keys.evidence
    if (
        keys.system
        and keys.system in table.columns
        and system_score <= 1
        and "system" not in fixed
        and table[keys.system].n_distinct > 1
    ):
        yield f"no name says that {keys.system} is the system; its values are few and come with many topics"
    if (
        keys.rater
        and keys.rater in table.columns
        and keys.evidence[2] == EVIDENCE_BY_DATA
        and "rater" not in fixed
    ):
        yield f"no name says that {keys.rater} is the rater; it tells rows apart that are else equal"
    if keys.topic and keys.topic != (BY_ORDER,) and topic_score == EVIDENCE_BY_DATA and "topic" not in fixed:
        yield f"no name says that {' + '.join(keys.topic)} is the topic"
    is_alone = keys.system is not None and keys.system in table.columns and table[keys.system].n_distinct == 1
    if (
        keys.topic
        and keys.topic != (BY_ORDER,)
        and keys.system in table.columns
        and keys.shared == 0
        and not is_alone
    ):
        yield (
            f"no two systems share a value of {' + '.join(keys.topic)}; "
            "a column of what was summarized (a document or prompt id) would pair them"
        )
    yield from _total_doubts(table, keys)
    names = [name for name in (*keys.names, *extra) if name in table.columns]
    if BY_ORDER in (*keys.topic, keys.rater, *keys.attempt) or not keys.topic:
        return
    share = table.share_distinct(names)
    if share < 1:
        n_again = table.n_rows - round(share * table.n_rows)
        differing = _differing_columns(table, names)
        yield f"{n_again} rows are given again: equal in {', '.join(names)}; they differ in {differing}"


def _total_doubts(table: JudgedTable, keys: KeyColumns) -> Iterator[str]:
    """Name rows of totals or means among topics, systems and raters."""
    for name in keys.names:
        if name in table.columns:
            totals = [word for word in table[name].words if spell_name(word) in TOTAL_NAMES]
            if totals and table[name].n_distinct > 2:
                yield (
                    f"{join_names(totals)} in {name} looks like a row of totals, which would be counted; "
                    "leave such rows out of the file"
                )


def _differing_columns(table: JudgedTable, names: Sequence[str]) -> str:
    """Name the columns in which rows differ that are equal in others."""
    codes = table.key_codes(names)
    counts = Counter(codes.tolist())
    repeated = [row for row, code in enumerate(codes.tolist()) if counts[code] > 1][:2000]
    by_code: dict[int, list[int]] = defaultdict(list)
    for row in repeated:
        by_code[int(codes[row])].append(row)
    differing = [
        name
        for name, column in table.columns.items()
        if name not in names
        and any(len({int(column.codes[row]) for row in rows}) > 1 for rows in by_code.values())
    ]
    return join_names(differing, most=6) or "nothing"


def key_roles(keys: KeyColumns) -> dict[str, tuple[str, ...]]:
    """Give the roles of key columns, as ``--columns`` names them."""
    option: dict[str, tuple[str, ...]] = {}
    if keys.subset:
        option["task"] = (keys.subset,)
    if keys.topic:
        option["topic"] = keys.topic
    if keys.system:
        option["system"] = (keys.system,)
    if keys.rater:
        option["rater"] = (keys.rater,)
    if keys.attempt:
        option["attempt"] = keys.attempt
    return option
