"""A reading says which column of a judged table has which role; here its rows become tidy ones."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data.where import Where
from classy_aesop.errors import UsageError
from classy_aesop.reading.judged_tables import JudgedColumn, JudgedTable
from classy_aesop.reading.key_columns import KeyColumns
from classy_aesop.reading.winners import coding_of, is_tie, side_of, side_of_code, split_pair
from classy_aesop.reading.word_scales import ERROR_WEIGHTS, WordScale, labelled_number, number_in

AnyArray = NDArray[Any]

ONLY_SYSTEM = "system"
"""The system of a table that names none."""


BY_ORDER = "#"
"""In place of a column: the number of a row among those that are else alike."""


SHEET = "sheet"
"""In place of a role: the sheet of a workbook that is read."""

SCALE = "scale"
"""In place of a role: words of ratings in order."""

BY_FILE = "#file"
"""In place of a column: the name of the file."""


class Cell(NamedTuple):
    """What a column of scores holds; a ``system_column`` names the system in each row."""

    measure: str
    system: str | None = None
    rater: str | None = None
    system_column: str | None = None
    topic: str | None = None
    attempt: str | None = None

    @property
    def names_system(self) -> bool:
        """Whether the system of its scores is known from the column."""
        return bool(self.system or self.system_column)


@dataclass(frozen=True)
class Reading:
    """One way to read a table."""

    shape: str
    keys: KeyColumns
    cells: Mapping[str, Cell] = field(default_factory=dict)
    metrics: frozenset[str] = frozenset()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    why: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    measure_column: str | None = None
    sides: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    side_names: tuple[str, str] = ("first", "second")
    pair_column: str | None = None
    has_scores: bool = False
    scale: WordScale | None = None
    adds_up: bool = False

    @property
    def is_preference(self) -> bool:
        """Whether its rows are preferences."""
        return bool(self.winners)

    def used_columns(self) -> frozenset[str]:
        """Give the columns that have a role."""
        names = {*self.keys.names, *self.cells, *self.sides, *self.winners}
        names |= {cell.system_column for cell in self.cells.values() if cell.system_column}
        return frozenset(names | {name for name in (self.measure_column, self.pair_column) if name})

    def columns_option(self) -> str:
        """Write the roles as ``--columns`` takes them."""
        return ",".join(
            _written_role(role, names) for role, names in self.roles.items() if names and role != SCALE
        )

    def flags(self) -> str:
        """Write what a command takes to read a table in this way: ``--columns``, and ``--scale`` if there is one."""
        scales = "".join(f" --scale {quote(scale)}" for scale in self.roles.get(SCALE, ()))
        return f"--columns {quote(self.columns_option())}{scales}"


def _written_role(role: str, names: Sequence[str]) -> str:
    """Write the columns of a role; a name with a comma is quoted, one with ``=`` has its role before it."""
    written = [
        f"{role}={column}" if number == 0 or "=" in column else column for number, column in enumerate(names)
    ]
    return ",".join(f'"{name}"' if "," in name else name for name in written)


def parse_columns_option(option: str) -> dict[str, list[str]]:
    """Read roles as ``--columns`` has them: ``topic=doc_id,measures=fluency,relevance``."""
    roles: dict[str, list[str]] = {}
    role = ""
    for written in re.findall(r'(?:"[^"]*"|\([^()]*\)|[^,])+', option):
        role_or_name, separator, name = written.strip().strip('"').partition("=")
        role, name = (role_or_name.strip(), name.strip()) if separator else (role, role_or_name.strip())
        roles.setdefault(role, [])
        if name:
            roles[role].append(name)
    return roles


class TidyRow(NamedTuple):
    """One score."""

    place: Where
    task: str
    topic: str
    system: str
    measure: str
    rater: str
    value: float
    attempt: str = ""


@dataclass(frozen=True)
class ScoreArrays:
    """The scores of a table as arrays of one length, in the order of its rows and, within a row, of its columns.

    Attributes
    ----------
    places : sequence of Where
        The place of each row of the table.
    row : ndarray of int, shape (n_scores,)
        The row of each score.
    task, topic, system, measure, rater, attempt : ndarray of str, each (n_scores,)
        Whose score it is; ``""`` where nothing is named.
    value : ndarray of float, shape (n_scores,)
        The scores, NaN where one is missing.
    """

    places: Sequence[Where]
    row: AnyArray
    task: AnyArray
    topic: AnyArray
    system: AnyArray
    measure: AnyArray
    rater: AnyArray
    attempt: AnyArray
    value: AnyArray

    @classmethod
    def from_rows(cls, rows: Sequence[TidyRow]) -> ScoreArrays:
        """Make arrays of single scores."""
        names = {
            name: np.array([getattr(row, name) for row in rows], object)
            for name in ("task", "topic", "system", "measure", "rater", "attempt")
        }
        values = np.array([row.value for row in rows], float)
        return cls([row.place for row in rows], np.arange(len(rows)), value=values, **names)

    def __len__(self) -> int:
        return len(self.value)

    def place(self, number: int) -> Where:
        """Give the place of a score."""
        return self.places[int(self.row[number])]

    def rows(self) -> Iterator[TidyRow]:
        """Give the scores one by one."""
        places = map(self.places.__getitem__, self.row.tolist())
        names = (self.task, self.topic, self.system, self.measure, self.rater)
        values = (self.value.tolist(), self.attempt.tolist())
        yield from map(TidyRow, places, *(name.tolist() for name in names), *values)


def tidy_rows(table: JudgedTable, reading: Reading) -> Iterator[TidyRow]:
    """Give the scores of a table, one a row."""
    return score_arrays(table, reading).rows()


def score_arrays(table: JudgedTable, reading: Reading) -> ScoreArrays:
    """Give the scores of a table as arrays.

    Parameters
    ----------
    table : JudgedTable
        The table.
    reading : Reading
        What its columns are.

    Raises
    ------
    InputError
        A row lacks its topic or system; with file and line.
    UsageError
        A cell holds neither a number nor a word of the scale.
    """
    if reading.is_preference:
        return ScoreArrays.from_rows(list(_wins(table, reading)))
    if reading.adds_up:
        return ScoreArrays.from_rows(list(_error_sums(table, reading)))
    return _score_arrays(table, reading)


def scales_of_words(table: JudgedTable, reading: Reading) -> dict[str, list[float]]:
    """Give the ends of the scale of each measure whose cells are all words of one scale."""
    if reading.is_preference or reading.adds_up or reading.measure_column is not None:
        return {}
    scales: dict[str, set[WordScale | None]] = defaultdict(set)
    for name, cell in reading.cells.items():
        column = table[name]
        scale = reading.scale or column.scale
        is_of_words = column.numbers is None and scale is not None and scale.covers(column.words)
        scales[cell.measure].add(scale if is_of_words else None)
    known = {measure: next(iter(values)) for measure, values in scales.items() if len(values) == 1}
    return {measure: [*scale.ends] for measure, scale in known.items() if scale is not None}


class RowNames(NamedTuple):
    """Task, topic, system, rater and attempt of each row, as arrays of text."""

    task: AnyArray
    topic: AnyArray
    system: AnyArray
    rater: AnyArray
    attempt: AnyArray


def names_of_rows(table: JudgedTable, reading: Reading) -> RowNames:
    """Give task, topic, system, rater and attempt of each row."""
    keys = reading.keys
    names = {"system": keys.system, "rater": keys.rater, "task": keys.subset}
    texts = {
        role: _texts(table[name])
        for role, name in names.items()
        if name is not None and name in table.columns
    }
    nothing = np.full(table.n_rows, "", object)
    by_file = Path(table.name).stem if keys.system == BY_FILE else ONLY_SYSTEM
    system = texts.get("system", np.full(table.n_rows, by_file, object))
    task = texts.get("task", nothing)
    rater = texts.get("rater", nothing)
    attempt = _joined_texts(table, keys.attempt)
    if any(name in table.columns for name in keys.topic):
        topic = _joined_texts(table, keys.topic)
    elif keys.system:
        topic = _running_numbers(task, system, rater)
    else:
        topic = np.array([str(number) for number in range(1, table.n_rows + 1)], object)
    if keys.rater == BY_ORDER:
        rater = _running_numbers(task, topic, system, attempt)
    if keys.attempt == (BY_ORDER,):
        attempt = _running_numbers(task, topic, system, rater)
    empty = np.flatnonzero((system == "") | (topic == ""))
    if empty.size:
        row = int(empty[0])
        name = "/".join(keys.topic) if system[row] else keys.system
        raise table.places[row].error(f"{name} is empty; expected text or a whole number")
    return RowNames(task, topic, system, rater, attempt)


def _joined_texts(table: JudgedTable, names: Sequence[str]) -> AnyArray:
    """Join the cells of several columns in each row; ``""`` where none of them is there."""
    texts = [_texts(table[name]) for name in names if name in table.columns]
    joined = texts[0] if texts else _repeat(table, "")
    for part in texts[1:]:
        joined = joined + "/" + part
    return joined


def _running_numbers(*names: AnyArray) -> AnyArray:
    """Number the rows that have the same names: 1, 2, ..."""
    counts: Counter[tuple[str, ...]] = Counter()
    numbers = []
    for key in zip(*(name.tolist() for name in names), strict=True):
        counts[key] += 1
        numbers.append(str(counts[key]))
    return np.array(numbers, object)


def _texts(column: JudgedColumn) -> AnyArray:
    """Give the cells of a column as text, ``""`` where there is none."""
    words: AnyArray = np.array([*map(_cell_text, column.distinct), ""], object)
    texts: AnyArray = words[column.codes]
    return texts


def _names_of(table: JudgedTable, reading: Reading) -> Iterator[tuple[int, str, str, str, str, str]]:
    """Give row, task, topic, system, rater and attempt of each row."""
    names = names_of_rows(table, reading)
    return zip(range(table.n_rows), *(array.tolist() for array in names), strict=True)


def _cell_text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)


def _score_arrays(table: JudgedTable, reading: Reading) -> ScoreArrays:
    names = names_of_rows(table, reading)
    measures = None if reading.measure_column is None else _texts(table[reading.measure_column])
    by_column: dict[str, list[AnyArray]] = defaultdict(list)
    for name, cell in reading.cells.items():
        column = table[name]
        numbers = _numbers_of(column, reading.scale)
        values = np.array([*(numbers[value] for value in column.distinct), np.nan], float)
        is_first = _first_of_objects(table, name)
        by_column["is_filled"].append((column.codes >= 0) & is_first)
        by_column["value"].append(values[column.codes])
        by_column["measure"].append(_repeat(table, cell.measure) if measures is None else measures)
        by_column["topic"].append(_repeat(table, cell.topic) if cell.topic else names.topic)
        by_column["rater"].append(_raters_of(table, reading, name, names.rater))
        by_column["task"].append(names.task)
        by_column["attempt"].append(_attempts_of(table, cell, names.attempt))
        if cell.system_column:
            by_column["system"].append(_texts(table[cell.system_column]))
        else:
            by_column["system"].append(_repeat(table, cell.system) if cell.system else names.system)
    matrices = {name: np.column_stack(arrays) for name, arrays in by_column.items()}
    is_filled = matrices.pop("is_filled")
    scores = {name: matrix[is_filled] for name, matrix in matrices.items()}
    return ScoreArrays(table.places, np.nonzero(is_filled)[0], **scores)


def _first_of_objects(table: JudgedTable, name: str) -> AnyArray:
    """Mark the first row of each object that a column's cells are of; all rows of a column without objects."""
    if name not in table.objects:
        return np.ones(table.n_rows, bool)
    is_first = np.zeros(table.n_rows, bool)
    is_first[np.unique(table.objects[name], return_index=True)[1]] = True
    return is_first


def _raters_of(table: JudgedTable, reading: Reading, name: str, raters: AnyArray) -> AnyArray:
    """Give the rater of each score of a column; nobody's, if one score stands beside the ratings of several people."""
    rater = reading.cells[name].rater
    if rater:
        return _repeat(table, rater)
    is_of_all = reading.keys.rater in table.columns and not table.is_within_objects(
        name, [str(reading.keys.rater)]
    )
    return _repeat(table, "") if is_of_all else raters


def _attempts_of(table: JudgedTable, cell: Cell, attempts: AnyArray) -> AnyArray:
    """Give the attempt of each score of a column, which may be numbered itself."""
    if cell.attempt is None:
        return attempts
    numbered: AnyArray = np.array([f"{attempt}/{cell.attempt}".lstrip("/") for attempt in attempts], object)
    return numbered


def _repeat(table: JudgedTable, name: str) -> AnyArray:
    """Give a name for every row."""
    return np.full(table.n_rows, name, object)


def _numbers_of(column: JudgedColumn, scale: WordScale | None) -> dict[Any, float]:
    """Give the number of each value of a column."""
    if column.numbers is not None:
        return column.numbers
    scale_of_column = scale or column.scale
    numbers = {}
    for value in column.distinct:
        number = number_in(value)
        if number is None:
            number = scale_of_column.number_of(value) if scale_of_column else labelled_number(value)
        if number is None or (number != number and number_in(value) is None):
            raise UsageError(f"{column.name} holds {value!r}; expected a number, or --scale 'LEAST<...<MOST'")
        numbers[value] = number
    return numbers


def _error_sums(table: JudgedTable, reading: Reading) -> Iterator[TidyRow]:
    [(name, cell)] = reading.cells.items()
    sums: dict[tuple[str, ...], float] = defaultdict(float)
    places: dict[tuple[str, ...], Where] = {}
    for row, *key_names in _names_of(table, reading):
        key = tuple(key_names)
        sums[key] += ERROR_WEIGHTS[str(table[name].cells[row] or "none").lower()]
        places.setdefault(key, table.places[row])
    for key, total in sums.items():
        task, topic, system, rater, attempt = key
        yield TidyRow(places[key], task, topic, system, cell.measure, rater, total, attempt)


class Preference(NamedTuple):
    """One comparison: 1 if the first side is preferred, 0 if the second, 0.5 for a tie."""

    place: Where
    topic: str
    first: str
    second: str
    rater: str
    first_wins: float


def preference_rows(table: JudgedTable, reading: Reading) -> Iterator[Preference]:
    """Give the preferences of a table, one a row."""
    values = {word for name in reading.winners for word in table[name].words}
    names = tuple(sorted(word for word in values if not is_tie(word))) if not reading.sides else ()
    fixed = (
        names if len(names) == 2 and all(side_of(name, ()) is None for name in names) else reading.side_names
    )
    by_rater = len(reading.winners) > 1
    codings = {name: coding_of(table[name]) for name in reading.winners}
    numbers = [_numbers_of(table[name], None) for name in reading.winners] if reading.has_scores else []
    for row, _, topic, _, rater, _ in _names_of(table, reading):
        if reading.has_scores:
            cells = [table[name].cells[row] for name in reading.winners]
            first_name, second_name = [_cell_text(table[name].cells[row]) for name in reading.sides]
            if None not in cells:
                first_score = numbers[0][cells[0]]
                second_score = numbers[1][cells[1]]
                wins = 0.5 + 0.5 * ((first_score > second_score) - (first_score < second_score))
                yield Preference(table.places[row], topic, first_name, second_name, rater, wins)
            continue
        sides = [_cell_text(table[name].cells[row]) for name in reading.sides] or [*fixed]
        if len(reading.sides) == 1:
            sides = [reading.side_names[0], *sides]
        if reading.pair_column:
            sides = [*(split_pair(_cell_text(table[reading.pair_column].cells[row])) or fixed)]
        for number, name in enumerate(reading.winners, 1):
            value = table[name].cells[row]
            if value is None:
                continue
            side = side_of(value if not isinstance(value, str) else value.strip(), sides)
            if codings[name] and (number_of_value := table[name].number_of(value)) is not None:
                side = side_of_code(number_of_value, codings[name])
            if side is None:
                raise table.places[row].error(
                    f"{name} is {value!r}; expected {sides[0]}, {sides[1]} or a tie"
                )
            yield Preference(
                table.places[row], topic, sides[0], sides[1], str(number) if by_rater else rater, 1.0 - side
            )


def _wins(table: JudgedTable, reading: Reading) -> Iterator[TidyRow]:
    """Give the share of opponents that each system beats on each topic, by rater: the mean over opponents equally."""
    wins: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    places: dict[tuple[str, str, str], Where] = {}
    for preference in preference_rows(table, reading):
        for system, opponent, win in (
            (preference.first, preference.second, preference.first_wins),
            (preference.second, preference.first, 1.0 - preference.first_wins),
        ):
            key = preference.topic, system, preference.rater
            wins[key][opponent].append(win)
            places.setdefault(key, preference.place)
    for (topic, system, rater), by_opponent in wins.items():
        means = [sum(values) / len(values) for values in by_opponent.values()]
        yield TidyRow(places[topic, system, rater], "", topic, system, "win", rater, sum(means) / len(means))
