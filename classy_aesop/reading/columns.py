"""A table by columns, and what the cells of each are like: the one form in which every file is looked at."""

from __future__ import annotations

import fnmatch
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from classy_aesop.data.cells import (
    Row,
    format_value,
    is_missing,
    is_missing_number,
    read_identifier,
    read_number,
)
from classy_aesop.data.where import Where
from classy_aesop.errors import UsageError, join_names
from classy_aesop.reading.column_names import spell
from classy_aesop.reading.memory_tables import cells_of, convert_to_pandas
from classy_aesop.reading.sides import side_of
from classy_aesop.reading.written_cells import (
    NUMBER,
    WITH_SPREAD,
    WrittenCell,
    number_in,
    place_on_scale,
    read_cell,
)

MAX_SCALE_WORDS = 12
LEFT_OUT = "#left out"
"""The field in which a row that is none of judgments has the reason why."""
MAX_NAME_CHARACTERS = 80
MIN_SHARE_OF_NUMBERS = 0.3
"""A column with fewer numbers holds texts; in one with more, a cell that is none is refused with its line."""
MIN_SHARE_OF_COUNTS = 0.5
"""The same of a column with numbers of things, such as ``4 stars``, as answers in words have too."""
MAX_SHARE_OF_ODD_CELLS = 0.1
"""In a column with fewer cells that are no numbers these are mistakes, and its numbers no names."""

COMMA = re.compile(r"[+-]?(?:\d*|[1-9]\d{0,2}(?:\.\d{3})+),\d+", re.ASCII)
THOUSANDS = re.compile(r"[+-]?(?!0[.,])\d{1,3}[.,]\d{3}", re.ASCII)
TIME = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) |\d{1,2}:\d\d"
    r"|https?://|\$\d|\d+\.\d+\.\d+\.\d+$"
)
MAX_SIDES = 12
"""Different words for sides, with degrees and ties."""
MIN_SIDES = 0.9
"""Share of cells that say a side in a column of votes; one that does not is refused with its line."""
MIN_COMPUTED = 12
"""Cells by which a column looks computed, if most of them differ."""
MIN_DIFFERENT = 0.8
MIN_COUNTED = 12
"""Fewest numbers by which a column counts rows: a scale from 0 to 10 has 11."""
EPOCH = (1.0e9, 2.1e9)
"""Seconds since 1970 from 2001 to 2036."""


@dataclass(frozen=True)
class WordScale:
    """Words of grades in ascending order; words of one level are synonyms."""

    levels: tuple[tuple[str, ...], ...]
    first_number: int = 1

    @classmethod
    def from_text(cls, text: str, first_number: int = 1) -> WordScale:
        """Read a scale as a user writes it: ``Poor<Fair/OK<Good``."""
        levels = (tuple(map(_plain_word, level.split("/"))) for level in text.split("<"))
        return cls(tuple(levels), first_number)

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers of its least and its greatest words."""
        return float(self.first_number), float(self.first_number + len(self.levels) - 1)

    def number_of(self, word: Any) -> float | None:
        """Give the number of a word; None for an unknown one, NaN for a missing one."""
        plain = _plain_word(str(word))
        for number, words in enumerate(self.levels, self.first_number):
            if plain in words:
                return float(number)
        return math.nan if read_cell(word).kind == "missing" else None

    def covers(self, words: Iterable[Any]) -> bool:
        """Whether each word is on the scale, or missing."""
        return all(self.number_of(word) is not None for word in words)


def _plain_word(word: str) -> str:
    return re.sub(r"[\s_]+", " ", word.strip().strip("\ufe0f").lower())


def _is_best(words: str) -> bool:
    """Whether words are the greatest of a known scale."""
    return any(_plain_word(words) in scale.levels[-1] for scale in KNOWN_SCALES)


_NEUTRAL = "neutral/neither agree nor disagree/undecided"
KNOWN_SCALES = tuple(
    WordScale.from_text(text, first)
    for first, texts in {
        0: (
            "no/n/nein/non<yes/y/ja/oui/sí/si",
            "false/f/incorrect/wrong<true/t/correct",
            "unfaithful<faithful",
            "fail/failed/failure/❌/✗/✘<pass/passed/success/✅/✓/✔",
            "👎/thumbs down<👍/thumbs up",
            "not support/no support<partial support<support/full support",
            "no<partially/partly/somewhat/maybe<yes",
            "none/no-error/no error/neutral<minor<major<critical",
        ),
        1: (
            f"disagree<{_NEUTRAL}<agree",
            "strongly disagree/completely disagree/totally disagree<disagree/somewhat disagree<"
            f"{_NEUTRAL}/neither<agree/somewhat agree<strongly agree/completely agree/totally agree",
            f"strongly disagree<disagree<somewhat disagree<{_NEUTRAL}<somewhat agree<agree<strongly agree",
            "schlecht<mittel<gut",
            "sehr schlecht<schlecht<mittel/mittelmäßig/befriedigend<gut<sehr gut",
            "très mauvais/très mauvaise<mauvais/mauvaise<moyen/moyenne/correct/correcte/acceptable<bon/bonne"
            "<très bon/très bonne",
            "muy malo/muy mala<malo/mala<regular/aceptable<bueno/buena<muy bueno/muy buena",
            "muito ruim/péssimo/péssima<ruim<regular/razoável<bom/boa<muito bom/muito boa/ótimo/ótima",
            "pessimo/pessima<scarso/scarsa<sufficiente/discreto/discreta<buono/buona<ottimo/ottima",
            "很差/非常差<差/较差<一般/中等<好/较好<很好/非常好",
            "とても悪い/非常に悪い<悪い<普通/ふつう<良い/よい<とても良い/非常に良い",
            "poor/bad<fair/ok/okay/average/acceptable<good",
            "poor<fair/average/acceptable/ok/okay<good<excellent/very good",
            "poor<fair<good<very good<excellent",
            "bad/very poor/terrible/very bad<poor/bad<fair/average/acceptable/ok/okay<good<excellent/very good/great",
            "low<medium/moderate<high",
            "very low<low<medium/moderate<high<very high",
            "not at all<a little<somewhat<quite a bit<very much/a lot",
            "below expectations<meets expectations<exceeds expectations",
            "incorrect/wrong<partially correct/partly correct/partial<correct",
            "never<rarely/seldom<sometimes<often/usually<always",
            "not at all<slightly/a little<moderately/somewhat<very/mostly<extremely/completely",
            "very unlikely<unlikely<neutral<likely<very likely",
            "very dissatisfied<dissatisfied<neutral<satisfied<very satisfied",
            "stimme gar nicht zu/stimme überhaupt nicht zu<stimme eher nicht zu<teils teils/teils, teils/neutral"
            "<stimme eher zu<stimme voll zu/stimme voll und ganz zu",
            "trifft gar nicht zu/trifft überhaupt nicht zu/trifft nicht zu<trifft eher nicht zu"
            "<teils teils/teils, teils/teils-teils/neutral<trifft eher zu"
            "<trifft voll zu/trifft voll und ganz zu/trifft zu",
            "pas du tout d'accord<plutôt pas d'accord<plutôt d'accord<tout à fait d'accord",
            "pas du tout d'accord<plutôt pas d'accord<neutre/ni d'accord ni pas d'accord"
            "<plutôt d'accord<tout à fait d'accord",
            "muy en desacuerdo<en desacuerdo<neutral/ni de acuerdo ni en desacuerdo<de acuerdo<muy de acuerdo",
        ),
        -1: ("worse<same/equal/similar<better",),
        -2: ("much worse<worse<same/equal/similar<better<much better",),
    }.items()
    for text in texts
)
PUNCTUATION = "fluency/punctuation"
"""A kind of errors that weigh less."""
ERROR_WEIGHTS = {"minor": 1.0, "major": 5.0, "critical": 25.0, f"minor {PUNCTUATION}": 0.1} | dict.fromkeys(
    ("no-error", "no error", "none", "neutral"), 0.0
)
"""Weights of MQM's severities (Freitag et al. 2021)."""


class TableColumn:
    """The cells of a column, None where there is no value, and what they are like.

    ``numbers`` maps each different value to its number, where the column is one of numbers or of words of a known
    scale; a value that it lacks is ``strange`` and is refused where it is used.
    """

    def __init__(self, name: str, cells: Sequence[Any]) -> None:
        self.name = name
        if list in map(type, cells):
            cells = _open_lists_of_grades(cells) or cells
        self.codes, self.distinct = _factorize(cells)
        self.n_distinct = len(self.distinct)
        self.n_filled = int((self.codes >= 0).sum())
        self.words = [str(value).strip() for value in self.distinct]
        self.has_commas = any(COMMA.fullmatch(word) and not THOUSANDS.fullmatch(word) for word in self.words)
        self.has_points = any(
            NUMBER.fullmatch(word) and "." in word and not THOUSANDS.fullmatch(word) for word in self.words
        )
        self.has_decimal_commas = False
        self.scale: WordScale | None = None
        self.numbers: dict[Any, float] | None = None
        self.doubtful_marks: set[Any] = set()
        self.is_lower_better = False
        self.note = ""

    @cached_property
    def counts(self) -> np.ndarray:
        """How many cells have each of its different values."""
        return np.bincount(self.codes[self.codes >= 0], minlength=self.n_distinct)

    @property
    def is_balanced(self) -> bool:
        """Whether each of several values comes again equally often, as in a design, and as scores do not."""
        return 1 < self.n_distinct < self.n_filled and bool(self.counts.min() == self.counts.max())

    @cached_property
    def has_lists(self) -> bool:
        """Whether any of its cells is a list or an object."""
        return any(isinstance(value, list | tuple | Mapping) for value in self.distinct)

    @cached_property
    def cells(self) -> list[Any]:
        """Its cells, None where there is no value."""
        values = [*self.distinct, None]
        return [values[code] for code in self.codes.tolist()]

    def spread(self, of_values: Iterable[Any], of_empty: Any, kind: type = object) -> np.ndarray:
        """Give each cell what belongs to its value, and an empty one what belongs to none."""
        return np.array([*of_values, of_empty], kind).take(self.codes)

    def is_among(self, values: Collection[Any]) -> np.ndarray:
        """Whether each cell holds one of some values."""
        return self.spread((value in values for value in self.distinct), False, bool)

    def settle(self, *, commas: bool, points: bool) -> None:
        """Find its numbers, given whether other columns of the table have decimal commas, and decimal points."""
        if self.has_lists:
            return
        numbers: dict[Any, float] = {}
        written: dict[Any, WrittenCell] = {}
        for value in self.distinct:
            text = value.strip() if isinstance(value, str) else ""
            number = number_in(value)
            if number is not None and commas and THOUSANDS.fullmatch(text):
                if points:
                    self.doubtful_marks.add(value)
                    continue
                number = float(text.replace(".", ""))
            elif number is None and commas and COMMA.fullmatch(text) and not self.has_points:
                number = float(text.replace(".", "").replace(",", "."))
                self.has_decimal_commas = True
            if number is not None and not math.isinf(number):
                numbers[value] = number
            elif (cell := read_cell(value)).kind in ("share", "count", "label"):
                written[value] = cell
        if any(map(WITH_SPREAD.fullmatch, self.words)):
            self.note = f"of {self.name} the means are read, and not their spreads"
        if self.name.lower().endswith(("rank", "ranks")) and any(number < 0 for number in numbers.values()):
            numbers = {value: math.nan if number < 0 else number for value, number in numbers.items()}
            self.note = f"negative ranks in {self.name} are read as missing"
        if written:
            numbers |= self._place_written(numbers.values(), written)
        values = [number for number in numbers.values() if number == number]
        units = [value for value, cell in written.items() if cell.kind != "label"]
        n_numbers = self.is_among({*numbers, *self.doubtful_marks, *units}).sum()
        are_counts = any(cell.kind == "count" for cell in written.values())
        least_share = MIN_SHARE_OF_COUNTS if are_counts else MIN_SHARE_OF_NUMBERS
        if (values or self.doubtful_marks) and n_numbers >= least_share * self.n_filled:
            self.numbers = numbers
        elif not values and 2 <= self.n_distinct <= MAX_SCALE_WORDS and (scale := find_scale(self.words)):
            self.use_scale(scale)

    def _place_written(
        self, plain: Collection[float], written: Mapping[Any, WrittenCell]
    ) -> dict[Any, float]:
        """Give the numbers of cells with a unit or a meaning, and note it where several units became shares of 1."""
        placed = place_on_scale(plain, written)
        units = sorted({cell.unit for cell in written.values() if placed and cell.kind == "share"})
        lowest_label = min(written.values(), key=lambda cell: cell.number)
        highest_label = max(written.values(), key=lambda cell: cell.number)
        if _is_best(lowest_label.words) and not _is_best(highest_label.words):
            self.is_lower_better = True
            advice = "lower is better (--lower-is-better METRIC says so)"
            self.note = f"of {self.name} {lowest_label.number:g} is {lowest_label.words!r}: {advice}"
        if len(units) > 1:
            names = join_names([f"{unit:g}" for unit in units])
            self.note = f"{self.name} holds shares of {names}: each is read as a share of 1"
        return placed

    def use_scale(self, scale: WordScale) -> None:
        """Take its words as grades."""
        self.scale = scale
        scaled = {value: scale.number_of(value) for value in self.distinct}
        self.numbers = {value: number for value, number in scaled.items() if number is not None}

    @cached_property
    def strange(self) -> list[Any]:
        """The values that are no numbers, of a column of numbers."""
        return [] if self.numbers is None else [value for value in self.distinct if value not in self.numbers]

    @property
    def has_severities(self) -> bool:
        """Whether its cells are severities of errors, as of MQM."""
        words = {word.lower() for word in self.words}
        return words <= ERROR_WEIGHTS.keys() and any(map(ERROR_WEIGHTS.get, words))

    @property
    def missing_words(self) -> list[str]:
        """The words that say that a number is missing, of a column of numbers."""
        numbers = self.numbers or {}
        return [
            value for value in self.distinct if isinstance(value, str) and math.isnan(numbers.get(value, 0))
        ]

    def describe_missing(self) -> str:
        """Say how many cells say in words that a number is missing, and in which words."""
        words = self.missing_words
        return f"{self.name} {self.is_among(words).sum()} ({join_names(words)})"

    @property
    def may_be_truth_value(self) -> bool:
        """Whether its cells may say true or false: no numbers but 0 and 1, and no texts."""
        return {*self.values} <= {0.0, 1.0} and not any(" " in word for word in self.words)

    @cached_property
    def is_empty(self) -> bool:
        """Whether all cells are missing."""
        return all(map(is_missing_number, self.words))

    @cached_property
    def share_of_sides(self) -> float:
        """The share of its cells that are not missing which say which of two sides is better, or neither."""
        counts = np.bincount(self.codes[self.has_vote], minlength=self.n_distinct)
        say_sides = [side_of(value) is not None for value in self.distinct]
        return float(counts[say_sides].sum() / max(1, counts.sum()))

    @cached_property
    def is_stated(self) -> np.ndarray:
        """Whether each cell says anything: ``NULL`` and ``n/a`` say nothing."""
        return self.spread((read_cell(word).kind != "missing" for word in self.words), False, bool)

    @cached_property
    def has_vote(self) -> np.ndarray:
        """Whether each cell says anything, as a vote: ``none`` is a tie."""
        say_something = (word == "none" or read_cell(word).kind != "missing" for word in self.words)
        return self.spread(say_something, False, bool)

    @cached_property
    def are_sides(self) -> bool:
        """Whether it says which of two sides is better, nearly everywhere: votes, and no names."""
        if not 2 <= self.n_distinct <= MAX_SIDES or self.is_number:
            return False
        sides = {side_of(word) for word in self.words if not word.isdigit()}
        return sides >= {0.0, 1.0} and self.share_of_sides >= MIN_SIDES

    @property
    def is_continuous(self) -> bool:
        """Whether nearly all its values differ and are no whole numbers, as those that were computed."""
        is_varied = self.n_filled >= MIN_COMPUTED and self.n_distinct >= MIN_DIFFERENT * self.n_filled
        return is_varied and not self.is_whole

    @property
    def is_number(self) -> bool:
        """Whether all cells are numbers."""
        return self.numbers is not None and self.scale is None and not self.strange

    @property
    def is_name(self) -> bool:
        """Whether it holds neither numbers nor grades."""
        return not self.is_number and self.scale is None

    @cached_property
    def values(self) -> list[float]:
        """Its different numbers that are not missing, sorted."""
        return sorted({number for number in (self.numbers or {}).values() if number == number})

    @property
    def has_odd_cells(self) -> bool:
        """Whether it holds grades but for a few cells that are none, such as ``4-5``: scores, and no names."""
        n_odd = int(self.is_among(self.strange).sum())
        return 0 < n_odd <= MAX_SHARE_OF_ODD_CELLS * self.n_filled

    @property
    def is_whole(self) -> bool:
        """Whether its cells are whole numbers."""
        return self.is_number and all(map(float.is_integer, self.values))

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest value."""
        return max(map(len, self.words), default=0)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether its numbers count rows, or groups of them, from 0 or 1 in their order, and too far for a scale."""
        if not self.is_whole or self.n_distinct < MIN_COUNTED or self.n_filled < len(self.codes):
            return False
        numbers = np.array([self.numbers[value] for value in self.distinct])[self.codes]  # type: ignore[index]
        return numbers[0] in (0, 1) and {*np.diff(numbers)} <= {0, 1}

    @cached_property
    def is_text(self) -> bool:
        """Whether it holds texts: values of several words."""
        n_blanks = sum(word.count(" ") for word in self.words)
        is_long = n_blanks >= 2 * len(self.words) or self.longest > MAX_NAME_CHARACTERS
        return self.numbers is None and not self.is_list and is_long and not self.are_sides

    @cached_property
    def is_list(self) -> bool:
        """Whether its values are lists or objects."""
        return bool(self.distinct) and all(isinstance(value, list | dict) for value in self.distinct)

    @cached_property
    def is_time(self) -> bool:
        """Whether its values are times (also in seconds or milliseconds since 1970), addresses or money."""
        are_seconds = len(self.values) > 1 and any(
            EPOCH[0] * unit <= self.values[0] and self.values[-1] <= EPOCH[1] * unit for unit in (1, 1000)
        )
        return are_seconds or (bool(self.words) and all(map(TIME.match, self.words[:50])))

    def identifiers(self, places: Sequence[Where]) -> np.ndarray:
        """Give its cells as identifiers, ``""`` where there is none; a cell that is none is an error with its place."""
        first_rows = np.unique([-1, *self.codes], return_index=True)[1][1:] - 1
        texts = [
            read_identifier(value, self.name, places[row], may_be_empty=True, is_cell=True)
            for value, row in zip(self.distinct, first_rows, strict=True)
        ]
        return self.spread(texts, "")

    def texts(self) -> np.ndarray:
        """Give its cells as text, ``""`` where there is none; 7.0 is ``7``."""
        words = [
            str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
            for value in self.distinct
        ]
        return self.spread(words, "")

    def scores(self, places: Sequence[Where]) -> np.ndarray:
        """Give the numbers of its cells, NaN where one is missing; a strange cell is an error with its place."""
        numbers = []
        for code, value in enumerate(self.distinct):
            number = None if self.is_list else (self.numbers or {}).get(value)
            if number is None:
                place = places[int(np.argmax(self.codes == code))]
                message = f"{self.name} is {format_value(value)}"
                if self.scale or (self.numbers is None and self.n_distinct > 1 and _is_word(value)):
                    advice = "--scale 'LEAST<...<MOST' gives the order of words"
                    raise place.error(f"{message}; expected a number", advice=advice)
                if self.is_list:
                    expected = "a row of each item with a column error_type, or a column of their number"
                    raise place.error(f"{message}, a list of no scores; expected {expected}")
                if value in self.doubtful_marks:
                    message += ", and others have decimal commas and decimal points"
                    raise place.error(f"{message}; expected one of the two")
                kind = read_cell(value).kind
                if kind == "date":
                    message += ", a date, which a spreadsheet may have made of a score"
                    raise place.error(f"{message}; expected a number")
                if kind == "share" and self.values:
                    raise place.error(f"{message}, and other cells have no unit; expected one scale")
                number = read_number(value, self.name, place, may_be_text=True)
            numbers.append(number)
        return self.spread(numbers, np.nan, float)


def _is_word(value: Any) -> bool:
    """Whether a cell is a word: not missing, and no number that is written otherwise."""
    return isinstance(value, str) and value.isalpha() and not is_missing_number(value)


def find_scale(words: Iterable[str]) -> WordScale | None:
    """Find the first known scale on which each of some words has a number of its own."""
    plain_words = {_plain_word(word) for word in words if read_cell(word).kind != "missing"}
    scales = (*KNOWN_SCALES, *_scales_of_degrees(plain_words)) if plain_words else ()
    return next(
        (
            scale
            for scale in scales
            if scale.covers(plain_words) and len({*map(scale.number_of, plain_words)}) == len(plain_words)
        ),
        None,
    )


_DENIALS = ("not ", "non-", "non", "no ", "un", "in", "im", "il", "ir", "dis")
_OPPOSITES = {"bad": "good", "poor": "good", "low": "high", "negative": "positive", "difficult": "easy"}
_OPPOSITES |= {"hard": "easy", "worse": "better", "wrong": "right", "weak": "strong"}
_NEUTRAL_WORDS = frozenset({*_NEUTRAL.split("/"), "neither", "ok", "okay", "average", "fair", "acceptable"})
_DEGREES = re.compile(
    r"(?:((?:not|nicht)(?! very| really| fully| completely| entirely| sehr| ganz)(?: at all)?)"
    r"|((?:not|nicht) (?:very|really|fully|completely|entirely|sehr|ganz))|(barely|hardly|slightly|a little|a bit)"
    r"|(somewhat|partially|partly|rather|fairly|moderately|eher|etwas|plutôt|algo)|(mostly|quite|largely|ziemlich)"
    r"|(very|strongly|highly|sehr|très|muy|molto|muito)"
    r"|(extremely|completely|fully|totally|entirely|perfectly|völlig)) "
)
"""Degrees of a quality in ascending order; the first two deny it."""


def _scales_of_degrees(words: Collection[str]) -> Iterator[WordScale]:
    """Words of a quality and of its opposite are a scale by their degrees: ``not clear < partly clear < clear``."""
    qualities = {word: _DEGREES.sub("", word, count=1) for word in words}
    for best in {*qualities.values()}:
        signs = (
            dict.fromkeys([f"{no}{best}" for no in _DENIALS], -1)
            | dict.fromkeys(_NEUTRAL_WORDS, 0)
            | {best: 1}
        )
        signs |= {bad: -1 for bad, good in _OPPOSITES.items() if good == best}
        levels: dict[float, tuple[str, ...]] = defaultdict(tuple)
        for word, quality in qualities.items():
            degree = _DEGREES.match(word)
            number = degree.lastindex - 2.5 if degree and degree.lastindex else 3
            levels[signs.get(quality, math.nan) * number] += (word,)
        if len([*filter(None, levels)]) > 1 and not any(map(math.isnan, levels)):
            yield WordScale(tuple(levels[number] for number in sorted(levels)), int(len(levels) > 2))


def _open_lists_of_grades(cells: Sequence[Any]) -> list[Any]:
    """Give the words of lists of one word each, or none, if they are grades: ``["consistent"]``; else nothing."""
    opened = [(cell or [None])[0] if isinstance(cell, list) and len(cell) < 2 else cell for cell in cells]
    words = {*filter(None, opened)} if all(isinstance(cell, str | None) for cell in opened) else ()
    return opened if find_scale(words) else []


TYPES_BY_VALUE = frozenset({str, int, float, type(None)})
"""Types of cells that are the same if they are equal, as a truth value and 1 are not."""


def _factorize(cells: Sequence[Any]) -> tuple[np.ndarray, list[Any]]:
    """Number the different values of cells without outer blanks, -1 where there is none; and give these values.

    Lists and objects differ by how they are written, and so do truth values, which are equal to 0 and 1.
    """
    by_form = not {*map(type, cells)} <= TYPES_BY_VALUE
    keys = [f"{type(cell).__name__} {_clean_cell(cell)!r}" for cell in cells] if by_form else cells
    cleaned = {key: _clean_cell(value) for key, value in dict(zip(keys, cells, strict=True)).items()}
    numbers: dict[Any, int] = {None: -1}
    distinct: list[Any] = []
    code_of = {}
    for key, value in cleaned.items():
        identity = key if by_form and value is not None else value
        if identity not in numbers:
            numbers[identity] = len(distinct)
            distinct.append(value)
        code_of[key] = numbers[identity]
    return np.fromiter(map(code_of.__getitem__, keys), np.int64, len(cells)), distinct


def _clean_cell(value: Any) -> Any:
    """Give a cell without outer blanks; an empty one is None."""
    if is_missing(value) or (isinstance(value, str | list | dict) and not value):
        return None
    return value.strip() or None if isinstance(value, str) else value


@dataclass
class Table:
    """Columns of one length with the places of their rows, and how a file became them.

    ``made_keys`` are columns made of names of JSON objects, ``output_places`` of places in lists of outputs; ``outer``
    columns are repeated for each item of a list; ``objects`` numbers the object of each cell of repeated columns.
    ``is_laid_out`` says that columns or rows were made of others.
    ``left_out`` are rows that were read and are none of it, with the reason; ``short_rows`` has the number of cells
    of rows that were shorter than the header.
    """

    name: str
    columns: dict[str, TableColumn]
    places: Sequence[Where]
    notes: tuple[str, ...] = ()
    source: str = "table"
    made_keys: tuple[str, ...] = ()
    output_places: tuple[str, ...] = ()
    other_sheets: tuple[str, ...] = ()
    outer: frozenset[str] = frozenset()
    objects: Mapping[str, np.ndarray] = field(default_factory=dict)
    header: Where | None = None
    is_laid_out: bool = False
    left_out: tuple[tuple[str, Where], ...] = ()
    short_rows: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_flat(self) -> bool:
        """Whether its rows are those of a text, a workbook or a DataFrame, where each row has a cell of each column."""
        return self.source in ("table", "frame")

    @property
    def prefix(self) -> str:
        """What messages on it begin with: the name of its file, if it has one."""
        return f"{self.name}: " if self.name else ""

    @property
    def place(self) -> Where:
        """The place of its header, for messages."""
        return self.header or Where(self.name or None)

    @classmethod
    def from_memory(cls, data: object) -> Table:
        """Make a table of one in memory; an ordered Categorical has the scale of its categories."""
        frame = convert_to_pandas(data)
        cells = cells_of(frame)
        n_rows = len(next(iter(cells.values()), ()))
        places = [Where(line=number) for number in range(1, n_rows + 1)]
        table = replace(cls.from_cells("", cells, places), source="frame")
        dtypes: Mapping[Any, Any] = getattr(frame, "dtypes", {})
        for column, dtype in dtypes.items():
            if getattr(dtype, "ordered", False) is True and not table[str(column)].is_number:
                scale = WordScale(tuple((_plain_word(str(word)),) for word in dtype.categories))
                table[str(column)].use_scale(scale)
        return table

    @classmethod
    def from_rows(cls, name: str, rows: Sequence[Row]) -> Table:
        """Make a table of rows, some of which may lack cells; those that say why they are `LEFT_OUT` are counted."""
        left_out = tuple((row[LEFT_OUT], where) for where, row in rows if LEFT_OUT in row)
        rows = [(where, row) for where, row in rows if LEFT_OUT not in row]
        names = dict.fromkeys(key for _, row in rows for key in row)
        columns = {key: [row.get(key) for _, row in rows] for key in names}
        return replace(cls.from_cells(name, columns, [where for where, _ in rows]), left_out=left_out)

    @classmethod
    def from_cells(
        cls,
        name: str,
        cells: Mapping[str, Sequence[Any]],
        places: Sequence[Where],
        *,
        like: Table | None = None,
    ) -> Table:
        """Make a table of the cells of its columns and the places of its rows, with the scales and marks of another."""
        columns = {key: TableColumn(key, of_column) for key, of_column in cells.items()}
        all_columns = [*columns.values(), *(like.columns.values() if like else ())]
        commas = any(column.has_commas for column in all_columns)
        points = any(column.has_points for column in all_columns)
        for column in columns.values():
            scale = None if like is None else like[column.name].scale
            if scale is None:
                column.settle(commas=commas, points=points)
            else:
                column.use_scale(scale)
        scaled = sorted(
            (c for c in columns.values() if c.scale and like is None), key=lambda column: -column.n_distinct
        )
        for column in columns.values():  # words count by one scale of all columns that have some of them
            words = {*column.words} if column.scale or column.numbers is None else set()
            related = [other for other in scaled if words & {*other.words}]
            joined = find_scale(words.union(*(other.words for other in related))) if related else None
            scales = filter(None, (joined, *(other.scale for other in related)))
            if scale := next((scale for scale in scales if scale.covers(words)), None):
                column.use_scale(scale)
        return cls(name, columns, places)

    def replace_rows(self, rows: Sequence[Row], note: str) -> Table:
        """Make a table of other rows that its own became."""
        table = Table.from_rows(self.name, rows)
        return replace(
            table,
            notes=(*self.notes, note),
            source=self.source,
            other_sheets=self.other_sheets,
            is_laid_out=True,
            left_out=(*self.left_out, *table.left_out),
        )

    def add_columns(
        self, cells: Mapping[str, Sequence[Any]], note: str, *, without: Iterable[str] = ()
    ) -> Table:
        """Make a table with further columns, in place of some, and say so."""
        columns = Table.from_cells(self.name, cells, self.places).columns
        columns = self.drop(without).columns | columns
        return replace(self, columns=columns, notes=(*self.notes, note), is_laid_out=True)

    def leave_out(self, is_left_out: np.ndarray, reason: str) -> Table:
        """Make a table without some of its rows, which are counted by the reason."""
        kept_rows = np.flatnonzero(~is_left_out).tolist()
        cells = {name: [column.cells[row] for row in kept_rows] for name, column in self.columns.items()}
        table = Table.from_cells(self.name, cells, [self.places[row] for row in kept_rows], like=self)
        left_out = ((reason, self.places[row]) for row in np.flatnonzero(is_left_out).tolist())
        return replace(
            self,
            columns=table.columns,
            places=table.places,
            left_out=(*self.left_out, *left_out),
            objects={name: codes[kept_rows] for name, codes in self.objects.items()},
            short_rows={
                new: self.short_rows[row] for new, row in enumerate(kept_rows) if row in self.short_rows
            },
        )

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.places)

    def __getitem__(self, name: str) -> TableColumn:
        return self.columns[name]

    def describe_column(self, name: str) -> str:
        """Name a column, with the first cell that is no number if others are."""
        column = self[name]
        if not column.strange or column.scale:
            return name or "a column without a name"
        place = self.places[column.cells.index(column.strange[0])].describe_within(self.name)
        return f"{name} (numbers, but {format_value(column.strange[0])} in {place})"

    def drop(self, names: Iterable[str]) -> Table:
        """Give the table without some columns."""
        dropped = {*names}
        columns = {name: column for name, column in self.columns.items() if name not in dropped}
        return replace(self, columns=columns)

    def rows(self) -> list[Row]:
        """Give the rows as objects, with their places."""
        cells = zip(*(column.cells for column in self.columns.values()), strict=True)
        return [
            (where, dict(zip(self.columns, row, strict=True)))
            for where, row in zip(self.places, cells, strict=True)
        ]

    def find(self, name: str) -> str | None:
        """Find a column by its name, exactly or as it is spelled."""
        similar = [column for column in self.columns if spell(column) == spell(name)]
        return name if name in self.columns else similar[0] if len(similar) == 1 else None

    def match(self, name: str, role: str) -> list[str]:
        """Give the columns that a user names, all that a pattern with ``*`` and ``?`` fits; none is a `UsageError`."""
        column = self.find(name)
        if column != name and (columns := fnmatch.filter(self.columns, name)):
            return columns
        if column is None:
            raise UsageError(f"no column {name} among {join_names(self.columns, limit=20)} to use as {role}")
        return [column]

    def codes(self, names: Sequence[str]) -> np.ndarray:
        """Number the combinations of the values of some columns."""
        codes = np.zeros(self.n_rows, np.int64)
        for number, name in enumerate(names):
            column = self[name]
            values = column.codes + (column.n_filled < self.n_rows)
            joint = codes * (column.n_distinct + 1) + values
            codes = np.unique(joint, return_inverse=True)[1] if number else values
        return codes

    def n_different(self, names: Sequence[str]) -> int:
        """Count the combinations of the values of some columns."""
        return int(self.codes(names).max(initial=-1)) + 1

    def share_distinct(self, names: Sequence[str]) -> float:
        """Give the number of combinations over the number of rows."""
        return self.n_different(names) / self.n_rows

    def weigh_errors(self, name: str) -> tuple[np.ndarray, dict[str, float]]:
        """Give the error of each row, and the weight of each: of a severity, a number, or 1; of none it is 0."""
        errors = np.char.lower(self[name].texts().astype(str))
        for column in self.columns.values():
            is_punctuation = column.spread(
                (word.lower() == PUNCTUATION for word in column.words), False, bool
            )
            errors = np.where(is_punctuation & (errors == "minor"), f"minor {PUNCTUATION}", errors)
        numbers = {error: number_in(error) for error in np.unique(errors).tolist()}
        return errors, {
            error: ERROR_WEIGHTS.get(error, 1.0) if number is None else float(np.nan_to_num(number))
            for error, number in numbers.items()
        }

    def equal_rows(self) -> np.ndarray:
        """Mark the rows that are equal in every cell to one before them."""
        is_first = np.zeros(self.n_rows, bool)
        codes = self.codes([name for name in self.columns if name])
        is_first[np.unique(codes, return_index=True)[1]] = True
        return ~is_first

    def share_shared(self, topics: Sequence[str], system: str) -> float:
        """Give the share of topics that two systems or more have."""
        first_rows = np.unique(self.codes([*topics, system]), return_index=True)[1]
        counts = np.bincount(self.codes(topics)[first_rows])
        return float((counts > 1).mean())

    def determines(self, names: Sequence[str], other: str) -> bool:
        """Whether a combination of values of some columns always goes with the same of another one."""
        return self.n_different([*names, other]) == self.n_different(names)

    def is_within_objects(self, name: str, keys: Sequence[str]) -> bool:
        """Whether each object that a column's cells are of has one combination of values of some columns."""
        if name not in self.objects:
            return True
        pairs = np.unique(np.column_stack([self.objects[name], self.codes(keys)]), axis=0)
        return len(pairs) == len(np.unique(self.objects[name]))
