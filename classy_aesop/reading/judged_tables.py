"""A table in memory by columns, and what the cells of each column are like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from classy_aesop.data.cells import Row
from classy_aesop.data.where import Where
from classy_aesop.reading.column_kinds import Kind, kinds_of, settle_marks
from classy_aesop.reading.column_names import spell_name
from classy_aesop.reading.word_scales import WordScale, can_mix_numbers, labelled_number, number_in, scale_of

MAX_SCALE_WORDS = 12
MAX_NAME_CHARACTERS = 80
MIN_EPOCH = 1.0e9
MAX_EPOCH = 2.1e9
"""Seconds since 1970 from 2001 to 2036."""
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) |\d{1,2}:\d\d"
)
_ADDRESS = re.compile(r"https?://|\$\d|\d+\.\d+\.\d+\.\d+$")


@dataclass(frozen=True)
class JudgedColumn:
    """A column: its name and its cells, None where there is no value."""

    name: str
    cells: Sequence[Any]
    kind: Kind = field(default_factory=lambda: Kind("text"))
    given_scale: WordScale | None = None

    @cached_property
    def codes(self) -> np.ndarray:
        """Number the values in order of first appearance; -1 where there is none."""
        values = self.cells
        if not {*map(type, values)} <= {str, int, float, bool, type(None)}:
            values = [
                cell if cell is None or isinstance(cell, str | int | float | bool) else repr(cell)
                for cell in values
            ]
        different = dict.fromkeys(values)
        different.pop(None, None)
        numbers = {None: -1, **{value: number for number, value in enumerate(different)}}
        return np.fromiter(map(numbers.__getitem__, values), np.int64, len(values))

    @cached_property
    def distinct(self) -> list[Any]:
        """The different values, in order of first appearance."""
        rows = np.flatnonzero(self.codes >= 0)[::-1]
        first = np.empty(self.n_distinct, np.int64)
        first[self.codes[rows]] = rows
        return [self.cells[row] for row in first.tolist()]

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each of the different values comes."""
        return np.bincount(self.codes[self.codes >= 0], minlength=self.n_distinct)

    @property
    def n_distinct(self) -> int:
        """The number of different values."""
        return int(self.codes.max(initial=-1)) + 1

    @cached_property
    def n_filled(self) -> int:
        """The number of cells with a value."""
        return int((self.codes >= 0).sum())

    @cached_property
    def words(self) -> list[str]:
        """The different values as text."""
        return [str(value).strip() for value in self.distinct]

    @cached_property
    def numbers(self) -> dict[Any, float] | None:
        """The numbers of the different values, NaN where one is missing; None if some are none."""
        numbers = {}
        for value in self.distinct:
            number = self.number_of(value)
            if number is None:
                return None
            numbers[value] = number
        if not can_mix_numbers(map(self._plain, self.distinct)):
            return None
        return numbers if any(number == number for number in numbers.values()) else None

    def number_of(self, value: Any) -> float | None:
        """Give the number of a cell, read as the others of its column; None if it is none."""
        if isinstance(value, str):
            plain = self._plain(value)
            number = number_in(plain)
            return labelled_number(plain) if number is None else number
        return number_in(value) if isinstance(value, int | float) else None

    def _plain(self, value: Any) -> Any:
        """Give a text as the kind of its column writes it; other values as they are."""
        return self.kind.write_plainly(value, self.name, Where()) if isinstance(value, str) else value

    @cached_property
    def scale(self) -> WordScale | None:
        """The scale of words that its values stand on: the one that the user gives, or a known one."""
        if self.given_scale is not None:
            return self.given_scale
        if self.numbers is not None or not 1 <= self.n_distinct <= MAX_SCALE_WORDS:
            return None
        numbers_of_words = {word: number_in(word) for word in self.words}
        if any(number is not None and number == number for number in numbers_of_words.values()):
            return None
        words = [word for word, number in numbers_of_words.items() if number is None]
        return scale_of(words) if words else None

    @property
    def n_numbers(self) -> int:
        """The number of different numbers that its cells hold, or that its words stand for."""
        if self.numbers is not None:
            values = {*self.numbers.values()}
        elif self.scale is not None:
            values = {self.scale.number_of(word) for word in self.words}
        else:
            values = set()
        return sum(1 for value in values if value == value)

    @property
    def has_scores(self) -> bool:
        """Whether its cells are numbers, or words of a known scale."""
        return self.numbers is not None or self.scale is not None

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest value, as text."""
        return max(map(len, self.words), default=0)

    @cached_property
    def is_text(self) -> bool:
        """Whether it holds texts: values of several words."""
        if self.numbers is not None or self.is_list:
            return False
        n_blanks = sum(word.count(" ") for word in self.words)
        return bool(self.words) and (n_blanks >= 2 * len(self.words) or self.longest > MAX_NAME_CHARACTERS)

    @cached_property
    def is_list(self) -> bool:
        """Whether its values are lists or objects."""
        return bool(self.distinct) and all(isinstance(value, list | dict) for value in self.distinct)

    @cached_property
    def is_time(self) -> bool:
        """Whether its values are times (also in seconds or milliseconds since 1970), addresses or amounts of money."""
        if self.numbers is not None and self.n_distinct > 1:
            low, high = self.ends
            if any(MIN_EPOCH * unit <= low and high <= MAX_EPOCH * unit for unit in (1, 1000)):
                return True
        words = self.words[:50]
        return bool(words) and all(_TIME.match(word) or _ADDRESS.match(word) for word in words)

    @cached_property
    def is_whole(self) -> bool:
        """Whether its numbers are whole."""
        return self.numbers is not None and all(
            value != value or value == int(value) for value in self.numbers.values()
        )

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest number."""
        numbers = [value for value in (self.numbers or {}).values() if value == value]
        return min(numbers), max(numbers)


@dataclass(frozen=True)
class JudgedTable:
    """A table of human judgments or scores: its columns, and how its file was turned into it.

    Attributes
    ----------
    name : str
        The file.
    columns : mapping of str to Column
        All of one length.
    places : sequence of Where
        Where each row was found.
    notes : tuple of str
        How the file was turned into a table, for readers.
    source : str
        The tool of an export, ``JSON`` or ``table``.
    keys : tuple of str
        Columns made of names of JSON objects.
    places_of_systems : tuple of str
        Columns made of places in lists of outputs.
    other_sheets : tuple of str
        Sheets of the workbook that are not read.
    outer : frozenset of str
        Columns whose cells are repeated for each item of a list in their row.
    objects : mapping of str to ndarray of int, each (n_rows,)
        For columns whose cells are repeated in several rows, the number of the object that each cell is of.
    """

    name: str
    columns: Mapping[str, JudgedColumn]
    places: Sequence[Where]
    notes: tuple[str, ...] = ()
    source: str = "table"
    keys: tuple[str, ...] = ()
    places_of_systems: tuple[str, ...] = ()
    other_sheets: tuple[str, ...] = ()
    outer: frozenset[str] = frozenset()
    objects: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def from_rows(
        cls,
        name: str,
        rows: Sequence[Row],
        kinds: Mapping[str, Kind] | None = None,
        *,
        notes: tuple[str, ...] = (),
        source: str = "table",
        keys: tuple[str, ...] = (),
        places_of_systems: tuple[str, ...] = (),
        other_sheets: tuple[str, ...] = (),
        outer: frozenset[str] = frozenset(),
        objects: Mapping[str, np.ndarray] | None = None,
    ) -> JudgedTable:
        """Make a table of rows with their places, some of which may lack cells.

        Parameters
        ----------
        name : str
            The file.
        rows : sequence of Row
            The cells by column, with their places.
        kinds : mapping of str to Kind, optional
            What each column holds, if that is known.
        notes, source, keys, places_of_systems, other_sheets, outer, objects
            As the attributes.
        """
        if kinds is None:
            names = list(dict.fromkeys(key for _, row in rows for key in row))
            kinds = kinds_of(rows, names, written=True)
        kinds_of_numbers = settle_marks(
            {key: kind for key, kind in kinds.items() if kind.kind in ("numbers", "places")}
        )
        columns = {
            key: JudgedColumn(key, _cells([row.get(key) for _, row in rows]), kinds_of_numbers.get(key, kind))
            for key, kind in kinds.items()
        }
        places = [where for where, _ in rows]
        return cls(
            name, columns, places, notes, source, keys, places_of_systems, other_sheets, outer, objects or {}
        )

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.places)

    def __getitem__(self, name: str) -> JudgedColumn:
        return self.columns[name]

    def rows(self) -> list[dict[str, object]]:
        """Give the rows as objects."""
        names = list(self.columns)
        cells = (self.columns[name].cells for name in names)
        return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]

    def key_codes(self, names: Sequence[str]) -> np.ndarray:
        """Number the combinations of the values of some columns."""
        codes = np.zeros(self.n_rows, np.int64)
        for name in names:
            column = self.columns[name].codes + 1
            codes = codes * (int(column.max(initial=0)) + 1) + column
            _, codes = np.unique(codes, return_inverse=True)
        return codes

    def share_distinct(self, names: Sequence[str]) -> float:
        """Give the number of different combinations over the number of rows."""
        if not self.n_rows:
            return 1.0
        return int(self.key_codes(names).max(initial=-1) + 1) / self.n_rows

    def share_shared(self, topics: Sequence[str], system: str) -> float:
        """Give the share of topics that two systems or more have."""
        topic_codes = self.key_codes(topics)
        pairs = np.unique(
            topic_codes * (self.columns[system].n_distinct + 1) + self.columns[system].codes + 1
        )
        counts = np.bincount(pairs // (self.columns[system].n_distinct + 1))
        counts = counts[counts > 0]
        return float((counts > 1).mean()) if len(counts) else 0.0

    def is_within_objects(self, name: str, keys: Sequence[str]) -> bool:
        """Whether each object that a column's cells are of has one combination of values of some columns.

        Of a column that is no part of a larger object this is always so.
        """
        if name not in self.objects or not keys:
            return True
        objects = self.objects[name]
        codes = self.key_codes(keys)
        n_pairs = len(np.unique(objects * (int(codes.max(initial=0)) + 1) + codes))
        return n_pairs == len(np.unique(objects))

    def determines(self, first: str, second: str) -> bool:
        """Whether a value of the first column always goes with the same of the second."""
        n_pairs = int(self.key_codes([first, second]).max(initial=-1)) + 1
        return n_pairs == len(np.unique(self.columns[first].codes))

    def find_column(self, name: str) -> str | None:
        """Find a column by its name, exactly or as it is spelled."""
        if name in self.columns:
            return name
        similar = [column for column in self.columns if spell_name(column) == spell_name(name)]
        return similar[0] if len(similar) == 1 else None


def _cells(values: list[Any]) -> list[Any]:
    """Give the cells of a column; an empty one is None."""
    if {*map(type, values)} != {str}:
        return [_cell(value) for value in values]
    cell_of_text = {text: text.strip() or None for text in {*values}}
    return list(map(cell_of_text.__getitem__, values))


def _cell(value: Any) -> Any:
    """Give a cell; an empty one is None."""
    if value is None or (isinstance(value, str) and not value.strip()) or value != value:
        return None
    if isinstance(value, str):
        return value.strip()
    return None if isinstance(value, list | dict) and not value else value
