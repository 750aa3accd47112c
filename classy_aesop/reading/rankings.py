"""Rankings, choices and votes between several systems in a row, laid out as a row or a column for each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

from classy_aesop.errors import join_names
from classy_aesop.reading.column_names import (
    BEST,
    SOURCES,
    SURE_WINNERS,
    WORST,
    group_numbered,
    spell,
    system_evidence,
    words_of,
)
from classy_aesop.reading.columns import LEFT_OUT, Table, TableColumn
from classy_aesop.reading.key_evidence import MAX_DIFFERENT_NAMES, are_outputs
from classy_aesop.reading.nesting import JsonObject, parse_written, spread_rows
from classy_aesop.reading.sides import is_tie, side_of
from classy_aesop.reading.votes import (
    find_pairs,
    find_systems,
    is_of_measures,
    side_pairs,
)
from classy_aesop.reading.written_cells import number_in

RANKINGS = frozenset({"rank", "ranks", "ranked", "ranking", "rankings", "order"})
"""Words for a column of names in their order."""
CellsOfRow = Mapping[str, Any]
"""The cells of a row by their columns."""
MAX_WORDS_OF_NAME = 3
"""Most words of a name among those that a cell orders; what has more is a text with a mark in it."""
MAX_SAMPLES = 50
"""Rows in which a choice is looked for among the texts."""
MIN_PLACES = 3
CHOICES = SURE_WINNERS | BEST | WORST | RANKINGS | {"choice", "chosen", "selected", "selection"}
"""Words in names of columns of choices."""
WORD_OF_PLACE = re.compile(
    r"(?:system|model|option|output|summary|response|candidate|answer|text|story|version)[ _#-]?"
)
NamesOfPlaces = Sequence[Mapping[str, str]]
"""Of each row the names that stand in it, by their places."""
PLACE = re.compile(r"(?:rank|ranked|ranking|place|top|position|choice)_?(\d{1,2})|(\d{1,2})_?(?:st|nd|rd|th)")
WORDS_OF_PLACES = ("best", "first", "second", "third", "fourth", "fifth", "last", "worst")
WORDS_OF_WINS = SURE_WINNERS | {"win", "wins", "won", "chosen", "pref", "selected"}
COUNTS_OF_VOTES = {"wins": 0, "win": 0, "losses": 1, "loss": 1, "ties": 2, "tie": 2, "draws": 2}
"""Names of columns that count for how many people the first of two won, lost or tied."""
MIN_CHOICES = 20
"""Fewest choices of a best and a worst by which numbers are names and no scores."""
MAX_EQUAL_CHOICES = 0.02
"""Share of choices in which, by mistake, one name is the best and the worst."""


def name_places(table: Table) -> Table:
    """Write what stands in the places that cells choose or order: ``B`` beside ``system_a``, ``system_b`` ..."""
    choices = [name for name in table.columns if {*words_of(name)} & CHOICES or _place_of(name)]
    for holders, places in _list_places(table, choices) if choices else ():
        cells_of_choices = {
            name: cells
            for name in choices
            if name not in holders and (cells := _name_cells(table[name], places))
        }
        if cells_of_choices:
            note = f"{join_names(cells_of_choices)} name places among {join_names(holders)}: what stands there is read"
            table = table.add_columns(cells_of_choices, note, without=cells_of_choices)
    return table


def _list_places(table: Table, choices: Collection[str]) -> Iterator[tuple[Collection[str], NamesOfPlaces]]:
    """Give columns of texts, which are places of the names of their columns; and those, or a list, of names at places.

    Three or more that end with letters or numbers are places, and those that choices name; no row has a name twice.
    """
    texts = [
        name
        for name, column in table.columns.items()
        if column.is_text and not column.has_lists and name not in choices
    ]
    rows = [*zip(*(table[name].cells for name in texts), strict=True)]
    samples = (zip(table[name].cells[:MAX_SAMPLES], rows) for name in choices)  # noqa: B905
    if any(cell is not None and cell in row for sample in samples for cell, row in sample):
        yield texts, [dict(zip(row, texts, strict=True)) for row in rows]
    names = [
        name
        for name, column in table.columns.items()
        if column.is_name and not (column.is_text or column.has_lists)
    ]
    words = {word: word for name in choices for word in table[name].words}
    columns_chosen = {name: name for name in names if name in words}
    for group in (*group_numbered(names).values(), columns_chosen):
        rows = [*zip(*(table[name].cells for name in group.values()), strict=True)]
        spelled = [*map(spell, group.values())]
        is_several = len(group) >= MIN_PLACES
        are_chosen = (
            group is columns_chosen
            and any(table[name].n_distinct > 1 for name in group)
            and (is_several or all(side_of(name) is None for name in group))
        )
        if are_chosen or (is_several and _are_different_names(rows)):
            own_words = words if are_chosen else {}
            places = (*spelled, *group)
            yield group.values(), [{**own_words, **dict(zip(places, row * 2, strict=True))} for row in rows]
    first = int(not any(re.search(r"\b0\b", word) for word in words))
    for name, column in table.columns.items():
        lists = [_names_in_list(cell) for cell in column.cells if column.is_list]
        if min(map(len, lists), default=0) > 1 and _are_different_names(lists):
            yield [name], [{str(place): item for place, item in enumerate(items, first)} for items in lists]


def _are_different_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row has different names, of which there are few."""
    n_names = len({*chain(*rows)})
    return n_names <= min(MAX_DIFFERENT_NAMES, len(rows)) and all(len({*row}) == len(row) for row in rows)


def _names_in_list(cell: Any) -> Sequence[str]:
    """Give the names in a list, of objects those of their systems; none of another cell."""
    items = cell if isinstance(cell, list) else []
    names = [
        next((item[key] for key in item if system_evidence(key)), "") if isinstance(item, dict) else item
        for item in items
    ]
    return names if all(isinstance(name, str) and name for name in names) else []


def _name_cells(column: TableColumn, places: NamesOfPlaces) -> list[Any]:
    """Put names for the places that the cells of a column say; nothing if one says none.

    Numbers in a list are an order only where they begin with 0: others may be ranks.
    """

    def name_cell(cell: Any, names: Mapping[str, str]) -> Any:
        if isinstance(cell, list):
            return [name_cell(item, names) for item in cell]
        if cell is None or str(cell) in names:
            return names.get(str(cell))
        parts: list[str] = []
        for part in re.split("([>=,])", str(cell)):
            word = part.strip().lower()
            place = spell(word) if spell(word) in names else WORD_OF_PLACE.sub("", word).removesuffix(".0")
            is_word = place not in names and not place.isdigit() and is_tie(word)
            parts.append(part if is_word or part in ">=," else names[place])
        return "".join(parts)

    with suppress(KeyError):
        if not column.is_list or "0" in places[0]:
            return [name_cell(cell, names) for cell, names in zip(column.cells, places, strict=True)]
    return []


def spread_rankings(table: Table) -> Table:
    """Make a row for each system of a ranking, the best first, or of several, each with its ranks.

    One stands in a cell, ``a > b > c`` or a list of names, or in columns of places: ``best, second, worst``.
    """
    columns = {name: column for name, column in table.columns.items() if not column.is_number}
    places = {
        name: _place_of(name) for name, column in columns.items() if not (column.is_text or column.has_lists)
    }
    candidates: list[tuple[str, ...]] = [
        (name,)
        for name, column in columns.items()
        if column.distinct and all(_order_in({name: value}, (name,)) for value in column.distinct)
    ]
    candidates.append(tuple(sorted(filter(places.get, places), key=lambda name: places[name])))
    if candidates == [()] or {"system", "rank"} & {*table.columns} - {*chain(*candidates)}:
        return table
    rows = [row for _, row in table.rows()]
    systems_of = {names: _systems_in([_order_in(row, names) for row in rows]) for names in candidates}
    systems = next(filter(None, systems_of.values()), frozenset())
    rankings = [names for names, ordered in systems_of.items() if ordered and ordered == systems]
    if not rankings:
        return table
    measures = ["rank"] if len(rankings) == 1 else [*map(join_names, rankings)]

    def rank_systems(row: CellsOfRow) -> Iterator[JsonObject]:
        ranks = [_rank_names(_order_in(row, names)) for names in rankings]
        if not any(ranks):
            yield {LEFT_OUT: f"{join_names(rankings[0])} is empty"}
        for system in dict.fromkeys(chain(*ranks)):
            of_system = (of_measure.get(system) for of_measure in ranks)
            yield {"system": system, **dict(zip(measures, of_system, strict=True))}

    used = {*chain(*rankings), *(name for name, column in columns.items() if {*column.words} <= systems)}
    note = (
        f"{join_names([*chain(*rankings)])} orders {join_names(sorted(systems))}: their places became ranks"
    )
    return spread_rows(table, used, map(rank_systems, rows), note)


def _order_in(row: CellsOfRow, names: Sequence[str]) -> list[list[str]]:
    """Give the groups of equal names that columns of places, or a cell, order, the best first; none if none is."""
    if len(names) != 1:
        return [[row[name]] for name in names] if len(names) >= MIN_PLACES else []
    value = parse_written(row[names[0]])
    is_ranking = bool({*words_of(names[0])} & RANKINGS)
    if isinstance(value, list):
        groups = [part if isinstance(part, list) else [part] for part in value if is_ranking]
    else:
        parts = re.split("[>,;]" if is_ranking else ">", str(value))
        groups = [[name.strip() for name in part.split("=")] for part in parts]
    ordered = [*chain(*groups)]
    are_names = all(isinstance(name, str) and 0 < len(name.split()) <= MAX_WORDS_OF_NAME for name in ordered)
    return groups if are_names and len({*ordered}) == len(ordered) >= MIN_PLACES else []


def _systems_in(orders: Sequence[Sequence[Sequence[str]]]) -> frozenset[str]:
    """Give the names that orders rank: all rank the same, or each of few stands in several; none of one order."""
    ranked = {frozenset(chain(*order)) for order in orders if order}
    systems = frozenset(chain(*ranked))
    are_few = len(ranked) == 1 or 2 * len(systems) <= len(orders)
    is_varied = len({str(order) for order in orders if order}) > 1
    return systems if are_few and is_varied and None not in systems else frozenset()


def _rank_names(order: Sequence[Sequence[str]]) -> dict[str, float]:
    """Give the ranks of names, equal ones the mean of theirs."""
    ends = np.cumsum([len(group) for group in order])
    return {
        name: float(end - (len(group) - 1) / 2)
        for end, group in zip(ends, order, strict=True)
        for name in group
    }


def _place_of(name: str) -> int:
    """Give the place that a column is called by: ``rank_2``, ``2nd choice``, ``second``; 0 if by none."""
    spelled = re.sub(r"(?<=.)_(place|choice|rank|preference)$", "", spell(name))
    if match := PLACE.fullmatch(spelled):
        return int(match[1] or match[2])
    return WORDS_OF_PLACES.index(spelled) + 1 if spelled in WORDS_OF_PLACES else 0


def spread_counts(table: Table) -> Table:
    """Make a row for each vote where columns count the wins, losses and ties of a pair of systems."""
    whole = [name for name, column in table.columns.items() if column.is_whole and column.values]
    counts = {
        name: COUNTS_OF_VOTES[word] for name in whole for word in words_of(name) if word in COUNTS_OF_VOTES
    }
    pair, pairs = find_pairs(table)
    sides = find_systems(table)
    is_once = bool(sides) and table.n_different(sides) == table.n_rows
    pairs_of_counts = (
        names
        for names in side_pairs(whole)
        if (is_once or {*words_of(names[0])} & {"wins", "votes"})
        and names != sides
        and max(table[name].values[-1] for name in names) > 1
    )
    counts |= {name: side for side, name in enumerate(next(pairs_of_counts, ()))}
    if not (pair or sides) or not {*counts.values()} >= {0, 1}:
        return table

    def list_votes(row: CellsOfRow) -> Iterator[JsonObject]:
        winners = (*([row[name] for name in sides] or pairs[row[pair[0]]]), "tie")
        for name, side in counts.items():
            yield from [{"winner": winners[side]}] * int(number_in(row[name]) or 0)

    names = join_names(sides or pair)
    note = f"{join_names(counts)} count the votes on {names}: a row became one of each vote, with the column 'winner'"
    return spread_rows(table, counts, (list_votes(row) for _, row in table.rows()), note)


def compare_sides(table: Table) -> Table:
    """Make a column of winners where each row has the ranks of two systems, or says of both whether they won."""
    ranks = [name for name, column in table.columns.items() if column.is_whole and "rank" in name.lower()]
    wins = [
        name
        for name, column in table.columns.items()
        if {*words_of(name)} & WORDS_OF_WINS and column.numbers and column.may_be_truth_value
    ]
    pair = next(iter([*side_pairs(ranks), *side_pairs(wins)]), ())
    if not pair or not find_systems(table) or "winner" in table.columns:
        return table
    best_first = pair[::-1] if pair[0] in ranks else pair
    first = table[best_first[0]].scores(table.places)
    second = table[best_first[1]].scores(table.places)
    if pair[0] in wins and (first + second > 1).any():
        return table
    winners = np.select([first > second, first < second, first == second], ["first", "second", "tie"], "")
    note = f"{join_names(pair)} became the column 'winner': the side that is better, or a tie"
    return table.add_columns({"winner": winners.tolist()}, note, without=pair)


def spread_votes(table: Table) -> Table:
    """Make a column of winners for each measure where another column names the measure of each row."""
    measures = next((name for name, column in table.columns.items() if is_of_measures(column)), None)
    names = [*table.columns]
    winners = [name for name in names if spell(name) in SURE_WINNERS and table[name].is_name]
    by_value = [name for name in names if table[name].are_sides and find_systems(table)]
    winner = next(iter([*winners, *by_value]), None)
    if measures is None or winner is None:
        return table
    kinds = table[measures].texts()
    votes = np.array(table[winner].cells, object)
    cells = {
        f"{kind} {winner}": np.where(kinds == kind, votes, np.array(None)).tolist()
        for kind in sorted({*kinds} - {""})
    }
    note = f"{winner} became {join_names(cells)}, by {measures}"
    return table.add_columns(cells, note, without=(measures, winner))


def spread_choices(table: Table) -> Table:
    """Make a row for each system where the best of three or more in a row is named, and perhaps the worst.

    The mean score of a system is the share of its rows in which it is best, less that in which it is worst
    (Orme 2009, counting analysis of best-worst scaling). All have a share of a tie. In blocks, ``Best1, Worst1, Best2``
    ..., it is how often it was best, less how often worst: which names a block showed is not in the file.
    """
    columns = {
        name: column
        for name, column in table.columns.items()
        if column.n_distinct <= MAX_DIFFERENT_NAMES and not (column.is_text or column.has_lists)
    }
    chosen = {
        name: {word for word in map(str, map(_write_choice, column.distinct)) if not is_tie(word)}
        for name, column in columns.items()
    }
    outputs = [
        name for name, column in table.columns.items() if column.is_text and spell(name) not in SOURCES
    ]
    by_value = [name for name, words in chosen.items() if words <= {*outputs} and len(words) > 1]
    kinds = _list_choices(columns) or {"": (by_value[:1], [])}
    picks = [name for sides in kinds.values() for name in chain(*sides)]
    if not picks or "system" in table.columns:
        return table
    choices = {word for name in picks for word in chosen[name]}
    are_blocks = len(kinds) == 1 and len(picks) > 2
    holders = [name for name in columns if name not in picks and choices & chosen[name] and not are_blocks]
    compared = (
        outputs if choices <= {*outputs} else holders or sorted(choices, key=lambda name: (len(name), name))
    )
    rows = [{name: _write_choice(row[name]) for name in (*picks, *holders)} for _, row in table.rows()]
    if are_blocks:
        [(bests, worsts)] = kinds.values()
        pairs = [(row[best], row[worst]) for row in rows for best, worst in zip(bests, worsts, strict=True)]
        filled = [pair for pair in pairs if None not in pair]
        n_equal = sum(best == worst for best, worst in filled)
        is_read = len(filled) >= MIN_CHOICES and n_equal <= MAX_EQUAL_CHOICES * len(filled)
    elif holders:
        is_read = all(
            {row[name] for name in picks} & choices <= {row[name] for name in holders} for row in rows
        )
    else:
        are_shared = any(worsts and chosen[bests[0]] & chosen[worsts[0]] for bests, worsts in kinds.values())
        are_names = min(map(len, choices), default=0) > 1 and not are_outputs([*choices])
        is_read = compared is outputs or (are_names and (are_shared or all(map(system_evidence, picks))))
    if not is_read or len(compared) < MIN_PLACES:
        return table
    usual = "best_worst" if any(worsts for _, worsts in kinds.values()) else "chosen"
    if len(kinds) == 1:
        kinds = dict(zip([usual], kinds.values(), strict=True))

    def score_systems(row: Mapping[str, str | None]) -> Iterator[JsonObject]:
        for place in compared:
            system = row[place] if holders else place
            scores: JsonObject = {}
            for kind, (bests, worsts) in kinds.items():
                marks = [row[name] for name in (*bests, *worsts)]
                gains = [
                    1 / len(compared) if mark and mark not in choices else float(mark == system)
                    for mark in marks
                ]
                is_said = any(marks) if are_blocks else None not in marks and len({*marks}) == len(marks)
                score = sum(gains[: len(bests)]) - sum(gains[len(bests) :])
                scores[kind] = score if is_said else None
            yield {"system": system, **scores}

    meaning = "best, less how often it was the worst" if usual == "best_worst" else "best"
    note = (
        f"{join_names(picks, limit=4)} choose among {join_names(compared)}: "
        f"a row became one of each system, with how often it was the {meaning} in the column {join_names(kinds)}"
    )
    return spread_rows(table, {*picks, *compared}, map(score_systems, rows), note)


def _list_choices(names: Collection[str]) -> dict[str, tuple[list[str], list[str]]]:
    """Give the columns of the best, and those of the worst, by what else they are called; numbered ones are blocks.

    They are called so, or by first letters B and W before a number.
    """
    kinds: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for name in names:
        stem = name.rstrip("0123456789")
        words = words_of(stem)
        partner = name[:1].translate(str.maketrans("BWbw", "WBwb")) + name[1:]
        if stem != name and partner != name and partner in names:
            words = ("best" if stem[0] in "Bb" else "worst", stem[1:])
        for side, marks in enumerate((BEST, WORST)):
            if marks & {*words}:
                kinds["_".join(word for word in words if word not in marks)][side].append(name)
    return {
        kind: (bests, worsts)
        for kind, (bests, worsts) in kinds.items()
        if len(bests) == len(worsts) or (len(bests), len(worsts)) == (1, 0)
    }


def _write_choice(cell: Any) -> str | None:
    """Write the name that a cell chooses; a number as a whole one."""
    number = number_in(cell)
    return None if cell is None else str(cell) if number is None else f"{number:g}"
