"""Ordered scales of words, and the numbers that cells hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from classy_aesop.data.cells import LARGEST

MISSING_WORDS = frozenset({"", "-", "#n/a", "n/a", "na", "nan", "none", "null", "not applicable"})
"""Spellings of a missing number, in lower case."""


@dataclass(frozen=True)
class WordScale:
    """Words of grades in ascending order; words of one level are synonyms."""

    levels: tuple[tuple[str, ...], ...]
    first_number: int = 1

    def number_of(self, word: str) -> float:
        """Give the number of a word; NaN for an unknown one."""
        normalized = _normalize_word(word)
        for number, words in enumerate(self.levels, self.first_number):
            if normalized in words:
                return float(number)
        return math.nan

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers of its least and its greatest words."""
        return float(self.first_number), float(self.first_number + len(self.levels) - 1)

    def covers(self, words: Iterable[str]) -> bool:
        """Whether every word is on the scale."""
        return not any(math.isnan(self.number_of(word)) for word in words)

    @classmethod
    def from_text(cls, text: str) -> WordScale:
        """Read a scale as a user writes it: ``Poor<Fair<Good``."""
        return cls(tuple((_normalize_word(word),) for word in text.split("<")))


def _parse_levels(text: str) -> tuple[tuple[str, ...], ...]:
    """Parse levels: ``a/b < c`` has two, the first with two spellings."""
    return tuple(tuple(word.strip() for word in level.split("/")) for level in text.split("<"))


KNOWN_SCALES: tuple[WordScale, ...] = (
    WordScale(_parse_levels("no/n < yes/y"), 0),
    WordScale(_parse_levels("false/f/incorrect/wrong < true/t/correct"), 0),
    WordScale(_parse_levels("unfaithful < faithful"), 0),
    WordScale(_parse_levels("fail/failed < pass/passed"), 0),
    WordScale(_parse_levels("no < partially/partly/somewhat/maybe/unsure < yes"), 0),
    WordScale(_parse_levels("disagree < neutral/neither agree nor disagree/undecided < agree")),
    WordScale(
        _parse_levels(
            "strongly disagree/completely disagree/totally disagree < disagree/somewhat disagree < "
            "neutral/neither agree nor disagree/undecided/neither < agree/somewhat agree < "
            "strongly agree/completely agree/totally agree"
        )
    ),
    WordScale(
        _parse_levels(
            "strongly disagree < disagree < somewhat disagree < neutral/neither agree nor disagree < "
            "somewhat agree < agree < strongly agree"
        )
    ),
    WordScale(_parse_levels("poor/bad < fair/ok/okay/average/acceptable < good")),
    WordScale(_parse_levels("poor < fair/average/acceptable/ok/okay < good < excellent/very good")),
    WordScale(_parse_levels("poor < fair < good < very good < excellent")),
    WordScale(
        _parse_levels(
            "bad/very poor/terrible/very bad < poor/bad < fair/average/acceptable/ok/okay < good < "
            "excellent/very good/great"
        )
    ),
    WordScale(_parse_levels("low < medium/moderate < high")),
    WordScale(_parse_levels("very low < low < medium/moderate < high < very high")),
    WordScale(_parse_levels("never < rarely/seldom < sometimes < often/usually < always")),
    WordScale(
        _parse_levels(
            "not at all < slightly/a little < moderately/somewhat < very/mostly < extremely/completely"
        )
    ),
    WordScale(_parse_levels("very unlikely < unlikely < neutral < likely < very likely")),
    WordScale(_parse_levels("very dissatisfied < dissatisfied < neutral < satisfied < very satisfied")),
    WordScale(_parse_levels("worse < same/equal/similar < better"), -1),
    WordScale(_parse_levels("much worse < worse < same/equal/similar < better < much better"), -2),
    WordScale(_parse_levels("none/no-error/no error/neutral < minor < major < critical"), 0),
)
"""The scales that are known, shorter ones first: the first one that covers the words of a column is used."""

ERROR_WEIGHTS = {
    "no-error": 0.0,
    "no error": 0.0,
    "none": 0.0,
    "neutral": 0.0,
    "minor": 1.0,
    "major": 5.0,
    "critical": 25.0,
}
"""Weights of MQM's severities (Freitag et al. 2021: minor 1, major 5; critical as in MQM-core)."""

_LABELLED = re.compile(
    r"\s*([+-]?\d+(?:\.\d+)?)(?:\s*%\s*|\s*/\s*\d+\s*|\s*(?:[-–—:=()]|\.\s)[^0-9]*[^\W\d_].*)", re.DOTALL
)
"""A number with its meaning: ``4 - good``, ``4 (good)``, ``4. good``, ``4/5``, ``80 %``."""
_OUT_OF = re.compile(r"[^/]*/\s*\d+\s*|[^/]*%\s*")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d{1,2}")


def _normalize_word(word: str) -> str:
    return re.sub(r"\s+", " ", word.strip().lower().replace("_", " "))


def scale_of(words: Sequence[str]) -> WordScale | None:
    """Find the first known scale on which each of these words has a number of its own."""
    normalized = {_normalize_word(word) for word in words}
    for scale in KNOWN_SCALES:
        numbers = {scale.number_of(word) for word in normalized}
        if len(numbers) == len(normalized) and scale.covers(normalized):
            return scale
    return None


def number_in(value: object) -> float | None:
    """Give the number that a cell holds: NaN if it is missing, None if it holds something else."""
    if value is None:
        return math.nan
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value) if -LARGEST <= value <= LARGEST or value != value else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.lower() in MISSING_WORDS:
        return math.nan
    try:
        number = float(text)
    except ValueError:
        return float(text.replace(",", ".")) if _DECIMAL_COMMA.fullmatch(text) else None
    return number if -LARGEST <= number <= LARGEST and "_" not in text else None


def labelled_number(value: object) -> float | None:
    """Give the number before its meaning, as in ``4 - good``; None if there is none."""
    if not isinstance(value, str) or len(value) > 60:
        return None
    match = _LABELLED.fullmatch(value)
    return float(match[1]) if match else None


def can_mix_numbers(values: Iterable[object]) -> bool:
    """Whether labelled numbers (``4 - good``) agree with the other ones: all are like ``4/5``, or all are whole.

    Examples
    --------
    >>> can_mix_numbers(["1 - bad", "2", "3 - good"]), can_mix_numbers(["4/5", "3/5"])
    (True, True)
    >>> can_mix_numbers(["1/5", "3"]), can_mix_numbers(["1 - bad", "2.5"])
    (False, False)
    """
    plain = []
    labelled = []
    for value in values:
        number = number_in(value)
        if number is None:
            labelled.append(str(value))
        elif number == number:
            plain.append(number)
    if not labelled:
        return True
    n_out_of = sum(_OUT_OF.fullmatch(value) is not None for value in labelled)
    if n_out_of:
        return n_out_of == len(labelled) and not plain
    return all(number.is_integer() for number in plain)
