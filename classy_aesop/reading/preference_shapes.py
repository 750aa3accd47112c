"""The shapes of preferences: two outputs a row, and which one people prefer, or a score of each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from classy_aesop.errors import join_names
from classy_aesop.reading.column_groups import base_of_pair
from classy_aesop.reading.column_names import (
    MAX_EVIDENCE,
    MEASURE_NAME_NAMES,
    SCORE_NAMES,
    spell_name,
    system_evidence,
    words_of,
)
from classy_aesop.reading.judged_tables import JudgedColumn, JudgedTable
from classy_aesop.reading.key_columns import KEY_ROLES, KeyColumns, find_key_columns
from classy_aesop.reading.readings import BY_ORDER, Reading
from classy_aesop.reading.winners import SIGNED, coding_of, is_tie, side_of, split_pair
from classy_aesop.reading.word_scales import number_in

WINNER_NAMES = frozenset(
    [
        "winner",
        "preference",
        "preferred",
        "choice",
        "chosen",
        "vote",
        "better",
        "result",
        "verdict",
        "human_preference",
        "outcome",
        "win",
        "best",
        "label",
        "annotation",
        "judgment",
        "judgement",
        "answer",
        "preferred_output",
        "preferred_model",
        "rating",
        "human_label",
        "prefer",
        "which_is_better",
        "pick",
        "selection",
    ]
)


NO_PREFERENCES = frozenset({"system", "measures", "scores", "ratings", "systems", "cells", "score"})
"""Roles of columns that preferences do not have."""


SURE_WINNER_NAMES = frozenset(
    [
        "winner",
        "preference",
        "preferred",
        "better",
        "vote",
        "human_preference",
        "which_is_better",
        "preferred_model",
        "preferred_output",
        "prefer",
    ]
)
"""Names that say alone that a column holds winners."""


CHOSEN_SIDES = (("chosen", "rejected"), ("preferred", "rejected"), ("winner", "loser"), ("better", "worse"))
"""Names of two sides, the first of which is preferred in every row."""

MAX_ASPECTS = 20
MAX_OPPONENTS = 60

_SIDES = (
    ("a", "b"),
    ("1", "2"),
    ("left", "right"),
    ("first", "second"),
    ("0", "1"),
    ("x", "y"),
    *CHOSEN_SIDES,
)


def find_preference_readings(
    table: JudgedTable, requested: Mapping[str, tuple[str, ...]]
) -> Iterator[Reading]:
    """Two outputs a row, and which one people prefer."""
    if "winner" in requested:
        winners = [*requested["winner"]]
        pairs = (
            [(requested["first"][0], requested["second"][0])]
            if "first" in requested
            else side_pairs(table.columns)
        )
    elif requested.keys() & NO_PREFERENCES or not may_name_preferences(table.columns):
        return
    else:
        pairs = side_pairs(table.columns)
        winners = _chosen_systems(table, pairs) or _winner_columns(table, pairs)
    if (
        len(winners) == 2
        and "first" in requested
        and all(table[name].numbers is not None for name in winners)
        and tuple(winners) in side_pairs(table.columns)
    ):
        winners = []
    if not winners:
        yield from _scores_of_two(table, side_pairs(table.columns), requested)
        return
    pair_column = requested["pair"][0] if "pair" in requested else _pair_column(table, pairs)
    name_pairs = [
        pair
        for pair in pairs
        if not {*winners} >= {*pair}
        and all(not table[name].is_text and table[name].numbers is None for name in pair)
        and (
            "first" in requested
            or system_evidence(base_of_pair(pair))
            or system_evidence(pair[0])
            or set(table[pair[0]].words) & set(table[pair[1]].words)
        )
    ]
    doubts = []
    sides: tuple[str, ...] = name_pairs[0] if name_pairs else ()
    constant_side = ""
    if not sides and not pairs and not pair_column:
        sides, constant_side = _opponents(table, winners, requested)
    if not sides and not pairs and not pair_column:
        values = {str(word) for name in winners for word in table[name].words} - {
            *filter(is_tie, (str(word) for name in winners for word in table[name].words))
        }
        if len(values) != 2 or any(side_of(value, ()) in (0, 1) for value in values):
            return
    if not sides and pairs and not pair_column and "first" not in requested:
        doubts.append(
            f"no column names the systems of {pairs[0][0]} and {pairs[0][1]}: the sides are taken as systems, "
            "which is right only if each side is always the same system"
        )
    words = {str(word).strip() for name in winners for word in table[name].words}
    coding = coding_of(table[winners[0]])
    if coding:
        doubts.append(_doubt_of_coding(table[winners[0]], coding, sides or (pairs[0] if pairs else ())))
    aspects = [
        name
        for name, column in table.columns.items()
        if spell_name(name) in MEASURE_NAME_NAMES and 1 < column.n_distinct <= MAX_ASPECTS
    ]
    doubts += [
        f"{name} has {join_names(table[name].words, most=6)}: their preferences are counted together"
        for name in aspects
    ]
    with_role = [
        *winners,
        *sides,
        *(name for pair in pairs for name in pair),
        *((pair_column,) if pair_column else ()),
    ]
    other_columns = replace(
        table, columns={name: column for name, column in table.columns.items() if name not in with_role}
    )
    keys = (
        find_key_columns(
            other_columns,
            {
                **{role: names for role, names in requested.items() if role in KEY_ROLES},
                "system": (),
                **({"rater": ()} if len(winners) > 1 else {}),
            },
        )[0]
        if other_columns.columns
        else KeyColumns((), None, None)
    )
    if not keys.topic:
        doubts.append("no column names the topic: every row is one of its own")
    option = {
        **({"topic": keys.topic} if keys.topic else {"topic": (BY_ORDER,)}),
        **({"rater": (keys.rater,)} if keys.rater else {}),
        **({"attempt": keys.attempt} if keys.attempt else {}),
        **(
            {"second": sides}
            if constant_side
            else {"first": (sides[0],), "second": (sides[1],)}
            if sides
            else {"pair": (pair_column,)}
            if pair_column
            else {}
        ),
        "winner": tuple(winners),
    }
    why = (
        f"{', '.join(winners)} says which of two is preferred ({join_names(sorted(words), most=6)})",
        *((f"{constant_side or sides[0]} and {sides[-1]} name the two systems",) if sides else ()),
    )
    texts = next((pair for pair in pairs if pair != sides), ("first", "second"))
    reading = Reading(
        "preferences",
        keys,
        roles=option,
        why=why,
        doubts=tuple(doubts),
        sides=tuple(sides),
        winners=tuple(winners),
        side_names=(constant_side, "") if constant_side else texts,
        pair_column=None if sides else pair_column,
    )
    yield reading
    if coding and len(sides) == 2 and "first" not in requested:
        swapped = (sides[1], sides[0])
        doubt_of_sides = _doubt_of_coding(table[winners[0]], coding, sides)
        doubt_of_swapped = _doubt_of_coding(table[winners[0]], coding, swapped)
        yield replace(
            reading,
            sides=swapped,
            doubts=tuple(doubt_of_swapped if doubt == doubt_of_sides else doubt for doubt in doubts),
            roles={**option, "first": (sides[1],), "second": (sides[0],)},
        )


def _chosen_systems(table: JudgedTable, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Find the column of the preferred system beside that of the other one: ``chosen_model``, ``rejected_model``."""
    for pair in pairs:
        words = [{*words_of(name)} for name in pair]
        has_sides = any(chosen in words[0] and rejected in words[1] for chosen, rejected in CHOSEN_SIDES)
        are_names = all(table[name].numbers is None and not table[name].is_text for name in pair)
        if has_sides and are_names and system_evidence(pair[0]):
            return [pair[0]]
    return []


def _doubt_of_coding(column: JudgedColumn, coding: str, sides: Sequence[str]) -> str:
    """Say which number is taken for which side, which only the user can know."""
    first, second = (sides[0], sides[-1]) if sides else ("the first", "the second")
    if coding == SIGNED:
        low, high = column.ends
        return (
            f"{column.name} holds numbers from {low:g} to {high:g}: no name says which side a negative one prefers; "
            f"here it is {first}, and a positive one prefers {second}"
        )
    codes = ", ".join(sorted(column.words))
    return f"{column.name} holds {codes}: it does not say which side is meant; here 0 is {first} and 1 is {second}"


def _opponents(
    table: JudgedTable, winners: Sequence[str], requested: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], str]:
    """Find a column that names the second system of each row, where the first is always the same one."""
    words = {word for name in winners for word in table[name].words if not is_tie(word)}
    names = requested.get("second", ()) or [
        name
        for name, column in table.columns.items()
        if name not in winners and not column.is_text and 1 < column.n_distinct <= MAX_OPPONENTS
    ]
    for name in names:
        other_words = words - {*table[name].words}
        if len(other_words) == 1 and words - other_words:
            first = other_words.pop()
            rows = zip(table[name].cells, *(table[winner].cells for winner in winners), strict=True)
            if all(
                cell is None or is_tie(str(cell)) or str(cell) in (first, str(opponent))
                for opponent, *cells in rows
                for cell in cells
            ):
                return (name,), first
    return (), ""


def unnamed_sides(table: JudgedTable) -> Iterator[tuple[str, list[str]]]:
    """Give the columns of winners of a table that names no sides, each with its words."""
    for name, column in table.columns.items():
        is_winner = spell_name(name) in WINNER_NAMES
        if (
            is_winner
            and {side_of(word, ()) for word in column.words} >= {0.0, 1.0}
            and column.numbers is None
        ):
            yield name, sorted(column.words)


def _pair_column(table: JudgedTable, pairs: Sequence[tuple[str, str]]) -> str | None:
    """Find a column whose values name both systems: ``opt-7b_vs_llama-7b``."""
    if not pairs:
        return None
    for name, column in table.columns.items():
        halves = [split_pair(word) for word in column.words]
        if column.n_distinct > 1 and not column.is_text and all(halves):
            firsts = {half[0] for half in halves if half}
            seconds = {half[1] for half in halves if half}
            if len(firsts | seconds) <= column.n_distinct + 1 and (len(firsts & seconds) or len(halves) < 3):
                return name
    return None


def _scores_of_two(
    table: JudgedTable, pairs: Sequence[tuple[str, str]], requested: Mapping[str, tuple[str, ...]]
) -> Iterator[Reading]:
    """Two systems a row with a score each: the higher one is preferred."""
    score_pairs = [pair for pair in pairs if all(table[name].numbers is not None for name in pair)]
    name_pairs = [
        pair
        for pair in pairs
        if pair not in score_pairs and system_evidence(base_of_pair(pair)) and not table[pair[0]].is_text
    ]
    if not score_pairs or not name_pairs or len(requested.get("system", ())) > 1:
        return
    with_role = {name for pair in pairs for name in pair}
    other_columns = replace(
        table, columns={name: column for name, column in table.columns.items() if name not in with_role}
    )
    keys = (
        find_key_columns(other_columns, {"system": ()})[0]
        if other_columns.columns
        else KeyColumns((), None, None)
    )
    names = [*keys.topic, *((keys.rater,) if keys.rater else ())]
    rows = table.key_codes(names).tolist() if names else list(range(table.n_rows))
    sides = [
        (row, system) for name in name_pairs[0] for row, system in zip(rows, table[name].cells, strict=True)
    ]
    if len(sides) == len(set(sides)):
        return  # every system once: a row is no comparison of two, but two scores
    option = {
        "topic": keys.topic or (BY_ORDER,),
        **({"rater": (keys.rater,)} if keys.rater else {}),
        **({"attempt": keys.attempt} if keys.attempt else {}),
        "first": (name_pairs[0][0],),
        "second": (name_pairs[0][1],),
        "winner": score_pairs[0],
    }
    why = (
        f"{join_names(name_pairs[0])} name the two systems, {join_names(score_pairs[0])} hold their scores: "
        "the higher one is preferred",
    )
    yield Reading(
        "preferences",
        keys,
        roles=option,
        why=why,
        sides=name_pairs[0],
        winners=score_pairs[0],
        has_scores=True,
    )


def side_pairs(columns: Iterable[str]) -> list[tuple[str, str]]:
    """Find pairs of columns whose names differ by the side only: ``model_a``, ``model_b``; ``left x``, ``right x``."""
    names = {spell_name(re.sub(r"(?<=[a-z])(?=\d|[AB]$)", "_", name)): name for name in columns}
    pairs = []
    for spelled, name in names.items():
        words = spelled.split("_")
        for position, word in enumerate(words):
            for first, second in _SIDES:
                other = "_".join([*words[:position], second, *words[position + 1 :]])
                third = {"2": "3", "b": "c"}.get(second)
                is_third = third and "_".join([*words[:position], third, *words[position + 1 :]]) in names
                if word == first and other in names and len(words) > 1 and not is_third:
                    pairs.append((name, names[other]))
    return list(dict.fromkeys(pairs))


def may_name_preferences(columns: Collection[str]) -> bool:
    """Whether names of columns may be those of preferences: of winners, or of two sides beside no column of systems."""
    if any(_strip_number(name) in SURE_WINNER_NAMES for name in columns):
        return True
    pairs = side_pairs(columns)
    sides = {name for pair in pairs for name in pair}
    names_systems = any(system_evidence(name) == MAX_EVIDENCE for name in columns if name not in sides)
    return bool(pairs) and not names_systems


def _strip_number(name: str) -> str:
    return re.sub(r"_?\d+$", "", spell_name(name))


def _are_of_sides(table: JudgedTable, pair: Sequence[str]) -> bool:
    """Whether two columns called like sides hold winners themselves, as of one comparison shown in both orders."""
    words = {word for name in pair for word in table[name].words}
    are_called_so = all(spell_name(name).split("_")[-1] in SURE_WINNER_NAMES for name in pair)
    return are_called_so and all(side_of(word, ()) is not None for word in words)


def _winner_columns(table: JudgedTable, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Find the columns that say which of two sides is preferred; several are those of raters."""
    sides = {name for pair in pairs if not _are_of_sides(table, pair) for name in pair}
    names_of_sides = {
        str(value)
        for pair in pairs
        for name in pair
        if not table[name].is_text
        for value in table[name].words
    }
    candidates = []
    for name, column in table.columns.items():
        spelled = _strip_number(name)
        is_signed = coding_of(column) == SIGNED
        words = [str(word) for word in column.words]
        are_sides = all(side_of(word, ()) is not None for word in words)
        if (
            name in sides
            or column.is_text
            or not words
            or (column.n_distinct > 60 and not are_sides)
            or not (
                spelled in WINNER_NAMES | {"annotator", "rater", "winner"}
                or spelled.split("_")[-1] in SURE_WINNER_NAMES
                or (is_signed and spelled in SCORE_NAMES)
            )
        ):
            continue
        is_named = names_of_sides and all(word in names_of_sides or is_tie(word) for word in words)
        is_number = column.numbers is not None
        is_name_enough = spelled in SURE_WINNER_NAMES
        if (
            pairs
            and (
                is_named
                or is_signed
                or (
                    are_sides
                    and (
                        not is_number
                        or is_name_enough
                        or {float(word) for word in words if number_in(word) is not None}
                        <= {0.0, 1.0, 2.0, 1.5}
                    )
                )
            )
        ) or (not pairs and is_name_enough and not is_number and not are_sides):
            candidates.append(name)
    best = [
        name for name in candidates if _strip_number(name) in ("winner", "preference", "preferred", "vote")
    ]
    if len(best) > 1 and len({_strip_number(name) for name in best}) > 1:
        best = best[:1]
    last_words = {_strip_number(name).split("_")[-1] for name in candidates}
    are_alike = len(last_words) == 1 and last_words <= SURE_WINNER_NAMES
    return best or (
        candidates
        if len(candidates) == 1 or are_alike or len({_strip_number(name) for name in candidates}) == 1
        else candidates[:1]
    )
