"""The shapes of preferences: two outputs a row, and which one people prefer, or a score of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, permutations

import numpy as np

from classy_aesop.data.cells import format_value
from classy_aesop.data.preference_records import Preferences
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.column_names import (
    BEST,
    MEASURE_COLUMNS,
    MODEL,
    OUTPUT_WORDS,
    SURE,
    SURE_WINNERS,
    SWAPS,
    TOTALS,
    WINNERS,
    WORST,
    are_measures,
    are_raters,
    is_doubtful,
    is_human,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
    words_of,
)
from classy_aesop.reading.columns import KNOWN_SCALES, MAX_NAME_CHARACTERS, MIN_SIDES, Table, TableColumn
from classy_aesop.reading.key_columns import BY_ORDER, KeyColumns, find_keys
from classy_aesop.reading.key_evidence import MAX_DIFFERENT_NAMES, Roles, are_outputs, automatic_judges
from classy_aesop.reading.output_lengths import is_length, measure_lengths
from classy_aesop.reading.sides import is_tie, side_of

SIDES = (
    ("a", "b"),
    ("1", "2"),
    ("left", "right"),
    ("first", "second"),
    ("one", "two"),
    ("0", "1"),
    ("x", "y"),
)
SIDE_WORDS = {side for pair in SIDES for side in pair}
BARE_SIDES = ("first", "left", "a")
"""Names of a first side that a column may have without any other word."""
CHOSEN = (("chosen", "rejected"), ("preferred", "rejected"), ("winner", "loser"), ("better", "worse"))
"""Names of two sides, the first of which is preferred in every row."""
NOT_CHOSEN = {second for _, second in CHOSEN}
VOTES = WINNERS | {"annotator", "rater"}
EXACT_WINNERS = {"winner", "preference", "preferred", "vote"}
"""Names of columns of winners, beside which others are none."""
WORDS_FOR_TIES = {"tie", "ties", "tied", "draw", "same", "equal", "both", "no_preference", "no_difference"}
"""Words that say nothing but that neither of two is preferred."""
MAX_EQUAL_SIDES = 0.2
"""Share of rows that may name one system twice by mistake: with more of them, the columns are of no pair."""
MAX_VOTED_MEASURES = 20
MAX_PAIRS = 2_000
GREATEST_GRADE = 20
"""Numbers beyond it are on a scale to 100."""
SEPARATORS_OF_PAIRS = (
    "_vs_",
    " vs ",
    " vs. ",
    "-vs-",
    " and ",
    " x ",
    ", ",
    ",",
    "|",
    "/",
    ";",
    "+",
    "&",
    "_",
    "-",
)
MAX_SHOWN_VOTES = 3
"""Readings of preferences from which on the other columns of winners are only named."""
NO_VOTES = {"system", "measures", "scores", "ratings", "systems", "topics", "cells", "score"}
"""Roles of columns that preferences do not have."""


@dataclass(frozen=True)
class Votes:
    """Which columns hold the winners, and the two sides, or a pair of names.

    ``are_places`` says that the names of the sides say no more than the place: ``response_a``.
    """

    winners: tuple[str, ...]
    sides: tuple[str, ...] = ()
    side_names: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    keys: KeyColumns = field(default_factory=KeyColumns)
    doubts: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    are_places: bool = False

    def roles(self) -> dict[str, tuple[str, ...]]:
        """Give its columns by role."""
        roles = {
            "topic": self.keys.topic or (BY_ORDER,),
            "rater": (self.keys.rater,) if self.keys.rater else (),
            "attempt": self.keys.attempt,
            "first": self.sides[:-1],
            "second": self.sides[-1:],
            "pair": self.pair,
            "winner": self.winners,
        }
        return {role: names for role, names in roles.items() if names}


def split_pairs(column: TableColumn) -> dict[str, tuple[str, str]]:
    """Split the values of a column that each name two systems: ``opt-7b_vs_llama-7b``; none of another column."""
    if column.has_lists or column.n_distinct > MAX_PAIRS or column.longest > MAX_NAME_CHARACTERS:
        return {}
    for separator in SEPARATORS_OF_PAIRS:
        if not all(separator in word for word in column.words):
            continue
        splits = {word: _split_in_two(word, separator) for word in column.words}
        counts = Counter(name for halves in splits.values() for name in {*chain(*halves)})
        pairs = {
            word: max(halves, key=lambda pair: min(counts[name] for name in pair))
            for word, halves in splits.items()
            if halves
        }
        firsts = {pair[0] for pair in pairs.values()}
        seconds = {pair[1] for pair in pairs.values()}
        is_closed = bool(firsts & seconds) or (len(pairs) < 3 and len(separator) > 1)
        if is_closed and len(pairs) == len(splits) >= len(firsts | seconds) - 1:
            return pairs
    return {}


def _split_in_two(word: str, separator: str) -> list[tuple[str, str]]:
    """Split a word in two names at each place of a separator."""
    parts = word.split(separator)
    halves = [
        (separator.join(parts[:n]).strip(), separator.join(parts[n:]).strip()) for n in range(1, len(parts))
    ]
    return [pair for pair in halves if all(any(map(str.isalpha, half)) for half in pair)]


def tie_of(column: TableColumn) -> float | None:
    """Give the number in the middle of a column, where it does not say which side the numbers below it prefer."""
    is_scale = column.scale is not None and not column.may_be_truth_value
    if is_scale or len(column.values) < 2 or not all(map(is_tie, column.strange)):
        return None
    lowest = column.values[0]
    highest = column.values[-1]
    if lowest < 0:
        return 0.0
    if highest <= 2:
        return 0.5 if highest <= 1 else None
    return 50.0 if GREATEST_GRADE < highest <= 100 else (lowest + highest) / 2


def side_pairs(columns: Collection[str]) -> list[tuple[str, str]]:
    """Find pairs of columns whose names differ by the side only: ``model_a``, ``model_b``; ``left x``, ``right x``."""
    names = {_spell_side(name): name for name in columns}
    pairs = []
    for spelled, name in names.items():
        words = spelled.split("_")
        may_be_bare = len(words) > 1 or words[0] in BARE_SIDES
        for first, second in (*SIDES, *CHOSEN) if may_be_bare else CHOSEN:
            opposite = {first: second, second: first}
            other = "_".join(opposite.get(word, word) for word in words)
            third = {"1": "2", "2": "3", "b": "c"}.get(second, "?")
            is_third = "_".join({first: third}.get(word, word) for word in words) in names
            if first in words and other in names and not is_third:
                pairs.append((name, names[other]))
    return pairs


def _spell_side(name: str) -> str:
    """Spell a name with its last number, A or B as a word: ``modelA`` is ``model_a``."""
    return spell(re.sub(r"(?<=[a-z])(?=\d|[AB]$)|(?<=\d)(?=[a-z])", "_", name))


def _base(pair: Sequence[str]) -> str:
    """Give what the names of two columns have in common."""
    words = _spell_side(pair[0]).split("_")
    return "_".join(word for word in words if word not in SIDE_WORDS)


def names_systems(table: Table, pair: Sequence[str], winners: Collection[str] = ()) -> bool:
    """Whether two columns name the systems of two sides: short names, or numbers under the name of a system."""
    first = table[pair[0]]
    second = table[pair[1]]
    are_shared = bool({*first.words} & {*second.words} or {*winners} & {*first.words, *second.words})
    is_named = bool(system_evidence(_base(pair)))
    if rater_evidence(_base(pair)) or "?" in pair[0] or (are_outputs(first.words) and not is_named):
        return False
    if first.is_name:
        n_equal = (first.texts() == second.texts()).sum()
        if n_equal > MAX_EQUAL_SIDES * table.n_rows:
            return False
        return not (first.is_text or second.is_text) and (is_named or are_shared)
    return is_named and are_shared


def find_systems(table: Table) -> tuple[str, ...]:
    """Find the columns of the systems of two sides; none if a row has no two."""
    return next((pair for pair in side_pairs(table.columns) if names_systems(table, pair)), ())


def _strip_number(name: str) -> str:
    return re.sub(r"_?\d+$", "", spell(name))


def _names_winner_twice(name: str) -> bool:
    """Whether a name has two words, each of winners: ``winner.pick``."""
    words = {*words_of(name)}
    return len(words) > 1 and words <= WINNERS


def may_be_votes(columns: Collection[str]) -> bool:
    """Whether names of columns may be those of preferences: of winners, or of two sides beside no column of systems."""
    pairs = side_pairs(columns)
    other_columns = {*columns} - {name for pair in pairs for name in pair}
    is_named = any(
        {_strip_number(name), *words_of(name)[-1:]} & SURE_WINNERS or _names_winner_twice(name)
        for name in columns
    )
    return is_named or (bool(pairs) and all(system_evidence(name) < SURE for name in other_columns))


def find_votes(table: Table, requested: Roles) -> Iterator[Votes]:
    """Find how a table can be read as preferences, by each measure that its columns of winners are of."""
    opponents = _opponent_pairs(table)
    pairs = [*side_pairs(table.columns), *opponents]
    winners: tuple[str, ...] = requested.get("winner", ())
    if "first" in requested:
        pairs = [(requested["first"][0], requested["second"][0])]
    if not winners and not requested.keys() & NO_VOTES:
        may_be_words = bool(opponents) or may_be_votes(table.columns)
        winners = _chosen_systems(table, pairs) or _list_winners(table, pairs, may_be_words)
        winners = winners or _choices_beside(table)
    if not winners:
        return
    are_of_measures = "winner" not in requested and not _are_of_raters(winners)
    by_measure = sorted(zip(winners), key=lambda names: not {*words_of(names[0])} & TOTALS)
    are_questions = any(is_human(name) or tie_of(table[name]) is not None for name in winners)
    may_be_raters = not are_questions and not any(map(rater_evidence, table.columns))
    groups = [winners] if may_be_raters or not are_of_measures else []
    if are_of_measures:
        groups += by_measure
    votes_of_measures = [
        votes
        for names in groups
        for votes in _votes_by(table.drop({*winners} - {*names}), requested, pairs, names)
    ]
    doubts: tuple[str, ...] = ()
    if len(votes_of_measures) > MAX_SHOWN_VOTES:
        doubts = (
            f"{join_names(winners, limit=10)} each say which of two is preferred: winner=NAME takes another",
        )
    for votes in votes_of_measures:
        yield replace(votes, doubts=(*votes.doubts, *doubts))


def _are_of_raters(winners: Sequence[str]) -> bool:
    """Whether several columns of winners are called alike, but for numbers or what stands before a word for votes."""
    endings = {_strip_number(name).split("_")[-1] for name in winners}
    are_alike = len({*map(_strip_number, winners)}) == 1 or endings <= SURE_WINNERS
    return are_raters(winners) or (are_alike and not any(map(_names_measure, winners)))


def _names_measure(name: str) -> bool:
    """Whether a column of winners is called by a measure: ``fluency``, ``fluency winner``."""
    words = words_of(name)
    return is_human(name) and (words[-1] in SURE_WINNERS or not {*words} & WINNERS)


def _votes_by(
    table: Table, requested: Roles, pairs: Sequence[tuple[str, str]], winners: tuple[str, ...]
) -> Iterator[Votes]:
    """Find the sides and the keys of preferences by the columns of their winners."""
    words = {word for name in winners for word in table[name].words}
    sides: tuple[str, ...] = next(
        (
            pair
            for pair in pairs
            if not {*winners} >= {*pair} and ("first" in requested or names_systems(table, pair, words))
        ),
        (),
    )
    pair: tuple[str, ...] = ()
    if not sides:
        pair, pairs_by_word = find_pairs(table)
        pair = requested.get("pair", pair if are_votes(words, names_in_pairs(pairs_by_word)) else ())
    side_names: tuple[str, ...] = () if sides or pair else next(iter(pairs), ())
    if not pairs and not pair:
        names_of_systems = sorted(word for word in words if not is_tie(word))
        sides = _opponent_column(table, winners, names_of_systems)
        opponents_words = table[sides[0]].words if sides else ()
        side_names = tuple(name for name in names_of_systems if name not in opponents_words)
        if not sides and (len(side_names) != 2 or any(side_of(word) in (0, 1) for word in side_names)):
            return
    doubts = []
    may_be_places = bool(side_names and pairs)
    are_places = may_be_places and not any(map(system_evidence, _base(side_names).split("_")))
    if may_be_places:
        doubts.append(
            f"no column names the systems of {' and '.join(side_names)}: the sides are taken as systems, "
            "which is right only if each side is always the same system"
        )
    for name, column in table.columns.items():
        if is_of_measures(column):
            measures = join_names(column.words, limit=6)
            doubts.append(f"{name} has {measures}: their preferences are counted together")
    why = [f"{', '.join(winners)} says which of two is preferred ({join_names(sorted(words), limit=6)})"]
    if sides:
        why.append(f"{' and '.join([*side_names[:1], *sides])} name the two systems")
    used = [*winners, *sides, *(name for pair in pairs for name in pair), *pair]
    rater: Roles = {"rater": ()} if len(winners) > 1 else {}
    keys = find_keys(table, {**requested, "system": (), **rater}, without=used, extra=sides)[0]
    if not keys.topic:
        doubts.append("no column names the topic: every row is one of its own")
    is_fixed = bool(sides) and all(
        table[name].n_distinct == 1 and table[name].words[0] not in words for name in sides
    )
    for name, column in table.columns.items() if is_fixed else ():
        if {*words_of(name)} & (SWAPS | {"order"}) and column.n_distinct == 2:
            doubts.append(
                f"{name} may say in which rows the two outputs were exchanged, and no side changes its system: "
                "here each row is read as it stands; exchange the winners of those rows in the file"
            )
    if "rater" not in requested:
        doubts += automatic_judges(table, keys.rater)
    may_be_reversed = tie_of(table[winners[0]]) is not None and len(sides) == 2 and "first" not in requested
    for ordered in [sides, sides[::-1]] if may_be_reversed else [sides]:
        names = ordered or next(iter(pairs), ("the first", "the second"))
        doubts_of_order = (*doubts, *_doubt_of_coding(table[winners[0]], names))
        yield Votes(winners, ordered, side_names, pair, keys, doubts_of_order, tuple(why), are_places)


def names_in_pairs(pairs: Mapping[str, tuple[str, str]]) -> set[str]:
    """Give the names, in small letters, of the systems of pairs."""
    return {name.casefold() for pair in pairs.values() for name in pair}


def are_votes(words: Iterable[str], names: Collection[str] = ()) -> bool:
    """Whether each word is one of a side or of a tie, or one of these names, in small letters."""
    return all(word.casefold() in names or side_of(word) is not None for word in words)


def is_of_measures(column: TableColumn) -> bool:
    """Whether a column names the measure of each row, and there are several."""
    may_name_measures = spell(column.name) in MEASURE_COLUMNS or are_measures(column.words)
    return may_name_measures and 1 < column.n_distinct <= MAX_VOTED_MEASURES


def _doubt_of_coding(column: TableColumn, sides: Sequence[str]) -> Iterator[str]:
    """Say which side is taken for which numbers, where the column does not say it."""
    tie = tie_of(column)
    if tie is None and column.values != [0.0, 1.0, 2.0]:
        return
    first = sides[0]
    second = sides[-1]
    lowest = f"{column.values[0]:g}"
    highest = f"{column.values[-1]:g}"
    if tie is None:
        numbers = "0, 1, 2"
        codes = f"1 is {first}, 2 is {second} and 0 a tie; if 0 is {first}, 1 {second} and 2 a tie, write a, b and tie"
    elif len(column.values) > 2:
        numbers = f"numbers from {lowest} to {highest}"
        codes = f"those below {tie:g} prefer {first}, those above {second}, and {tie:g} is a tie"
    else:
        numbers = f"{lowest}, {highest}"
        codes = f"{lowest} is {first} and {highest} is {second}"
    yield f"{column.name} holds {numbers}: it does not say which side is meant; here {codes}"


def _chosen_systems(table: Table, pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Find the column of the preferred system beside that of the other one: ``chosen_model``, ``rejected_model``."""
    chosen = (pair[:1] for pair in pairs if {*words_of(pair[1])} & NOT_CHOSEN and names_systems(table, pair))
    return next(chosen, ())


def _list_winners(table: Table, pairs: Sequence[tuple[str, str]], may_be_words: bool) -> tuple[str, ...]:
    """Find the columns whose cells say a side or a tie, name one of the two systems of their row, or are degrees.

    Several are those of raters or measures; degrees without a name for votes count where there is nothing else.
    """
    pair, halves = find_pairs(table)
    systems = next((pair for pair in pairs if names_systems(table, pair)), ())
    pairs_of_names = (
        pair for pair in pairs if all(table[name].is_name and not table[name].is_text for name in pair)
    )
    sides_of_rows = _list_sides(table, systems or next(pairs_of_names, ()), pair)
    names_of_rows = [*map(_fold, zip(*sides_of_rows, strict=True))]
    has_sides = bool(pairs or halves)
    outputs = set() if has_sides else _names_of_outputs(table)
    sides = {name for pair in pairs for name in pair}
    candidates = []
    degrees = []
    for name, column in table.columns.items():
        spelled = _strip_number(name)
        ending = spelled.split("_")[-1]
        is_doubled = _names_winner_twice(name)
        is_sure = spelled in SURE_WINNERS or _names_measure(name) or is_doubled
        is_named = spelled in VOTES or ending in SURE_WINNERS or is_doubled
        is_side = name in sides and not (ending in SURE_WINNERS and column.share_of_sides == 1)
        if is_side or column.is_text or {*words_of(name)} & WORST or rater_evidence(name) == SURE:
            continue
        if column.is_number or tie_of(column) is not None:
            if may_be_words and is_named and has_sides:
                candidates.append(name)
            elif systems and _is_degree(column):
                degrees.append(name)
            continue
        if not (is_named or column.n_distinct <= MAX_DIFFERENT_NAMES) or column.is_list:
            continue
        words = _fold(column.texts())[column.has_vote]
        are_of_rows = [words == of_row[column.has_vote] for of_row in names_of_rows]
        of_sides = {word for word in {*words} if word in outputs or side_of(word) is not None}
        is_name = np.any([np.zeros(len(words), bool), *are_of_rows], axis=0)
        is_said = is_name | np.isin(words, [*of_sides])
        names_said = {*words[is_name]} | {*words} & outputs
        are_names = len(names_said) > 1 and (
            bool(halves or outputs) or all(is_of_row.any() for is_of_row in are_of_rows)
        )
        least_share = 0.5 if is_sure else MIN_SIDES
        is_by_word = (is_named and words.size and is_said.mean() >= least_share) or column.are_sides
        names_no_side = is_sure and not any(side_of(word) in (0, 1) for word in column.words)
        if (
            (are_names and is_said.all() and not system_evidence(name))
            or (has_sides and is_by_word and (may_be_words or halves))
            or (
                not has_sides
                and (names_no_side if may_be_words else is_named and _names_two_and_a_tie(column))
            )
        ):
            candidates.append(name)
    exact = [name for name in candidates if _strip_number(name) in EXACT_WINNERS]
    endings = {words_of(name)[-1:] for name in exact}
    best = [name for name in candidates if words_of(name)[-1:] in endings or (exact and _names_measure(name))]
    best = sorted(best, key=lambda name: name not in exact) or candidates or degrees
    return tuple([name for name in best if not MODEL.search(spell(name))] or best)


def _names_two_and_a_tie(column: TableColumn) -> bool:
    """Whether the words of a column are two names, of no scale and no side, and one that says: a tie."""
    names = [word for word in column.words if not is_tie(word)]
    ties = {spell(word) for word in column.words if is_tie(word)}
    are_grades = any(scale.covers([name]) for scale in KNOWN_SCALES for name in names)
    return len(names) == 2 and bool(ties & WORDS_FOR_TIES) and not (are_grades or any(map(side_of, names)))


def _is_degree(column: TableColumn) -> bool:
    """Whether a column holds how far one of two systems is preferred: numbers on a scale, and none of the row's item.

    A number of an item stands as often as any other, or counts the rows.
    """
    is_scale = tie_of(column) is not None or (len(column.values) > 2 and column.share_of_sides == 1)
    is_item = column.counts_rows or len({*column.counts.tolist()}) == 1
    may_be_judged = not (is_doubtful(column.name) or topic_evidence(column.name))
    return is_scale and may_be_judged and (column.values[0] < 0 or not is_item)


def _fold(texts: Iterable[str]) -> np.ndarray:
    return np.array([*map(str.casefold, texts)], object)


def _opponent_column(table: Table, winners: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Find a column that names all systems but one, which is the first of each row."""
    columns = (
        (name,)
        for name, column in table.columns.items()
        if name not in winners and len({*names} - {*column.words}) == 1 < len(names) and column.n_distinct > 1
    )
    return next(columns, ())


def find_pairs(table: Table) -> tuple[tuple[str, ...], dict[str, tuple[str, str]]]:
    """Find a column whose values name both systems, and these by its values: ``opt-7b_vs_llama-7b``."""
    for name, column in table.columns.items():
        if column.n_distinct > 1 and (pairs := split_pairs(column)):
            return (name,), pairs
    return (), {}


def _opponent_pairs(table: Table) -> list[tuple[str, str]]:
    """Give the columns of a system and of its opponent, or two of the same names that differ in every row."""
    opponents = [name for name in table.columns if words_of(name)[:1] == ("opponent",)]
    systems = [name for name in table.columns if system_evidence(name) == SURE]
    if len(opponents) == len(systems) == 1:
        return [(systems[0], opponents[0])]
    names = {
        name: cells
        for name, cells in _casefold_names(table).items()
        if not (
            {*words_of(name)} & (BEST | WORST | WINNERS) or rater_evidence(name) or table[name].share_of_sides
        )
    }
    pairs = [
        (first, second)
        for first, second in combinations(names, 2)
        if {*names[first]} & {*names[second]} and (names[first] != names[second]).all()
    ]
    return pairs if len(pairs) == 1 and {*systems} <= {*pairs[0]} else []


def _names_of_outputs(table: Table) -> set[str]:
    """Give the words by which names of columns of texts differ, and the names: ``baseline_en``, ``tuned_en``."""
    names = [words_of(name) for name, column in table.columns.items() if column.is_text]
    return {
        name
        for first, second in permutations(names, 2)
        for word, other in zip(first, second)  # noqa: B905
        if word not in SIDE_WORDS and second == tuple(other if part == word else part for part in first)
        for name in (word, "_".join(first))
    }


def _casefold_names(table: Table) -> dict[str, np.ndarray]:
    """Give the cells, in small letters, of the columns of a few short names: of systems, and of choices."""
    return {
        name: _fold(column.texts())
        for name, column in table.columns.items()
        if column.is_name
        and not (column.is_text or column.is_list)
        and column.n_distinct <= min(MAX_DIFFERENT_NAMES, column.n_filled // 2)
    }


def _choices_beside(table: Table) -> tuple[str, ...]:
    """Find the column whose cells each are the name in another column, one system that is not in it, or a tie.

    A kind of row, such as ``REF`` beside the system ``ref``, is none: no name has it in some rows only.
    """
    names = _casefold_names(table)
    for name, other in permutations(names, 2):
        is_other = (names[name] == names[other]) & (names[name] != "")
        words = {word for word in {*names[name][~is_other]} if word and not is_tie(word)}
        wins_and_loses = {*names[other][is_other]} & {*names[other][~is_other]}
        if table[other].n_distinct > 1 and wins_and_loses and len(words) == 1 and not words & {*names[other]}:
            return (name,)
    return ()


def preferences_of(
    table: Table, votes: Votes, topics: np.ndarray, raters: np.ndarray, account: RowAccount
) -> Preferences:
    """Make preferences of a table; a winner that is neither side nor a tie is an error with its place."""
    has_winner = np.any([table[name].has_vote for name in votes.winners], axis=0)
    words = {word for name in votes.winners for word in table[name].words}
    says_tie = any(side_of(word) == 0.5 for word in words)
    hint = "" if says_tie or 2 * has_winner.sum() <= table.n_rows else "; write a tie as tie"
    reason = f"no winner in {join_names(votes.winners)}{hint}"
    account.leave_out(~has_winner, reason)
    for name in votes.sides or votes.pair:
        account.leave_out(table[name].codes < 0, f"{name} is empty")
    constant = votes.side_names[: 2 - len(votes.sides)]
    sides = [(*constant, *names) for names in _list_sides(table, votes.sides, votes.pair)]
    wins = np.array([_list_wins(table[name], sides, table.places, account.is_used) for name in votes.winners])
    account.leave_out(np.isnan(wins).all(axis=0), reason)
    row, number = np.nonzero(~np.isnan(wins.T))
    if not row.size:
        raise InputError("no row with a winner; expected preferences", path=table.name or None)
    first, second = np.array(sides, object)[row].T
    return Preferences.from_names(
        topics[row].tolist(),
        first.tolist(),
        second.tolist(),
        wins[number, row].tolist(),
        (raters[row] if len(votes.winners) == 1 else number + 1).tolist(),
        places=[table.places[position] for position in row.tolist()],
        is_order_shown=not {*votes.winners} & {*votes.sides} and not words & {*votes.side_names},
        lengths=_lengths_of_outputs(table, votes, row),
    )


def _lengths_of_outputs(table: Table, votes: Votes, rows: np.ndarray) -> np.ndarray | None:
    """Give the lengths of the outputs of both sides, (2, n_rows), by their columns, else of their texts in characters.

    None where no pair of columns, or several, have them.
    """
    pairs = side_pairs(table.columns)
    by_number = [pair for pair in pairs if all(is_length(table[name]) for name in pair)]
    by_text = [
        pair
        for pair in pairs
        if spell(_base(pair)) in OUTPUT_WORDS and all(table[name].is_text for name in pair)
    ]
    if len(by_number or by_text) != 1 or not {votes.sides, votes.sides[::-1]} & {*pairs}:
        return None
    [columns] = by_number or by_text
    lengths = [measure_lengths(table[name], table.places)[rows] for name in columns]
    return np.array(lengths if votes.sides in pairs else lengths[::-1])


def _list_sides(table: Table, sides: Sequence[str], pair: Sequence[str]) -> list[tuple[str, ...]]:
    """List the names of the systems of each row in columns of sides, or else in a column of pairs; none without."""
    if pair and not sides:
        pairs = split_pairs(table[pair[0]])
        return [pairs.get(word, ("", "")) for word in table[pair[0]].texts().tolist()]
    return list(zip(*(table[name].texts().tolist() for name in sides), strict=True)) or [()] * table.n_rows


def _list_wins(
    column: TableColumn, sides: Sequence[tuple[str, ...]], places: Sequence[Where], is_used: np.ndarray
) -> np.ndarray:
    """List what the first side gains in each row by a column of winners, NaN where it says nothing."""
    tie = tie_of(column)
    numbers = column.numbers or {}
    wins = np.full(len(sides), np.nan)
    for row in np.flatnonzero(is_used & column.has_vote).tolist():
        value = column.distinct[column.codes[row]]
        side = side_of(value, sides[row])
        if tie is not None and value in numbers:
            number = numbers[value]
            side = number if tie == 0.5 else 0.5 + 0.5 * float(np.sign(number - tie))
        if side is None:
            expected = join_names(dict.fromkeys(sides[row]))
            raise places[row].error(f"{column.name} is {format_value(value)}; expected {expected} or a tie")
        wins[row] = 1 - side
    return wins


def unnamed_sides(table: Table) -> Iterator[tuple[str, list[str]]]:
    """Give the columns of winners of a table that names no sides, each with its words."""
    for name, column in table.columns.items():
        if spell(name) in WINNERS and not column.is_number and {*map(side_of, column.words)} >= {0.0, 1.0}:
            yield name, sorted(column.words)
