"""What a whole cell says: a number, a number with its unit or its meaning, that it is missing, a date, or words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from classy_aesop.data.cells import LARGEST, is_missing, is_missing_number

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
RANK_ENDING = re.compile(r"(?<=\d)(?:=|st|nd|rd|th)$")
"""What follows the number of a rank: ``2=`` where ranks are tied, ``1st``."""
NUMBER_WITH_UNIT = re.compile(
    r"([+-]?\d+(?:[.,]\d+)?)\s*(?:(%)|(?:/|out\s+of|of)\s*(\d{1,9}))", re.ASCII | re.IGNORECASE
)
LABELLED = re.compile(
    r"[(\[]?([+-]?\d+(?:\.\d+)?)\s*(?:[-–—:=()\]]|\.\s)\s*([^\d\s].*)", re.ASCII | re.DOTALL
)
LABEL_FIRST = re.compile(r"^([^\W\d_][^\d]*?)\s*[(\[:=]\s*(-?\d\d?)[)\]]?$", re.ASCII)
"""A meaning before its number: ``Good (4)``."""
WITH_SPREAD = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*\(?(?:±|\+/-)\s*\d+(?:\.\d+)?\)?", re.ASCII)
"""A mean with its spread: ``4.1 ± 0.3``."""
NUMBER_OF_THINGS = re.compile(r"([+-]?\d+(?:\.\d+)?)(?:\s+([a-z]{3,})|\s*[★⭐])", re.ASCII | re.IGNORECASE)
"""A number of things: ``4 stars``."""
DURATIONS = frozenset({"second", "sec", "minute", "min", "hour", "day", "week", "month", "year"})
"""Things of which a number is a time, and no grade."""
STARS = re.compile("([★⭐]*)☆*")
"""Stars, filled ones before empty ones: ``★★★☆☆``."""
MISSING_WORDS = re.compile(
    r"[-–—?.]{1,3}|(not |un)sure|k\.\s*a\.|n\s*/?\s*a|n\.a\.|none|null|missing"
    r"|not (applicable|available|rated)|skip(ped)?"
    r"|no (opinion|answer|response|rating)|prefer not to (say|answer)|not enough information( to \w+)?"
    r"|(i )?(can ?not|can['’]?t|could not|couldn['’]?t|unable to|(do not|don['’]?t) want to)"
    r" (judge|say|tell|rate|assess|evaluate|answer|decide|choose|compare)"
    r"|(i )?(do not|don['’]?t) know"
    r"|keine (angabe|antwort|meinung)|wei(ß|ss) nicht|nicht (beurteilbar|zutreffend)"
    r"|sans (objet|avis|réponse)|ne sa(it|is) pas|non (applicable|renseigné)|nsp"
    r"|(n/a|not applicable)\s*[:(–—-].*"
    r"|no (aplica|sabe|contesta)|ns\s*/\s*nc|sin respuesta"
    r"|未回答|無回答|未評価|不明|不适用|无法判断|未作答",
    re.IGNORECASE,
)
"""Words by which a cell says that it has no value, in several languages; alone, or after a number."""
_MONTH = (
    r"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|(?:mai|mär|mrz|okt|dez|fév|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)\.?)"
)
DATE = re.compile(
    rf"\d{{1,2}}[ -./]{{1,2}}{_MONTH}(?:[ -./]\d{{2,4}})?|{_MONTH}[ -./]\d{{1,4}}"
    r"|\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?|\d{4}/\d\d?(?:/\d\d?)?|\d{1,2}([./])\d{1,2}\1\d{2,4}",
    re.IGNORECASE,
)
"""A date that a spreadsheet makes of a score, in several languages: ``05-May`` or ``05. Mai`` of 5/5."""
MAX_WRITTEN = 200
"""Longest cell that is a number with its unit or its meaning."""
MAX_LABELS_OF_A_NUMBER = 2
"""Different words after one number; with more of them they are remarks, and the number is only their beginning."""


class WrittenCell(NamedTuple):
    """What a cell says.

    ``kind`` is number, share (of ``unit``), count (of what ``words`` say), label (a number
    with ``words``), missing, date, or words alone.
    """

    kind: str
    number: float = math.nan
    unit: float = 1.0
    words: str = ""


MISSING_CELL = WrittenCell("missing")
WORDS_ONLY = WrittenCell("words")


def read_cell(value: Any) -> WrittenCell:
    """Read a cell whole: nothing is the number in front of something that was not read."""
    if not isinstance(value, str):
        return _read_plain(value)
    text = value.strip()
    number = RANK_ENDING.sub("", text)
    if NUMBER.fullmatch(number):
        return _limit_number(float(number))
    if len(text) > MAX_WRITTEN:
        return WORDS_ONLY
    if is_missing_number(text) or MISSING_WORDS.fullmatch(text.replace("_", " ")):
        return MISSING_CELL
    if mean := WITH_SPREAD.fullmatch(text):
        return _limit_number(float(mean[1]))
    if DATE.fullmatch(text):
        return WrittenCell("date")
    if share := NUMBER_WITH_UNIT.fullmatch(text):
        unit = 100.0 if share[2] else float(share[3])
        return WrittenCell("share", float(share[1].replace(",", ".")), unit) if unit else WORDS_ONLY
    if count := NUMBER_OF_THINGS.fullmatch(text):
        things = (count[2] or "").lower().removesuffix("s")
        return WORDS_ONLY if things in DURATIONS else WrittenCell("count", float(count[1]), words=things)
    if stars := STARS.fullmatch(text):
        return WrittenCell("count", float(len(stars[1])))
    if labelled := LABELLED.fullmatch(LABEL_FIRST.sub(r"\2 - \1", text)):
        label = labelled[2].strip(" )")
        if MISSING_WORDS.fullmatch(label):
            return MISSING_CELL
        if any(map(str.isalpha, label)):
            return WrittenCell("label", float(labelled[1]), words=label)
    return WORDS_ONLY


def _read_plain(value: Any) -> WrittenCell:
    if is_missing(value):
        return MISSING_CELL
    if not isinstance(value, bool | int | float | Decimal):
        return WORDS_ONLY
    try:
        return _limit_number(float(value))
    except OverflowError:  # a whole number beyond 1.8e308
        return WORDS_ONLY


def _limit_number(number: float) -> WrittenCell:
    return WrittenCell("number", number) if abs(number) <= LARGEST else WORDS_ONLY


def number_in(value: Any) -> float | None:
    """Give the number that a cell holds alone: NaN if it is missing, None if it holds something else."""
    cell = read_cell(value)
    return cell.number if cell.kind in ("number", "missing") else None


def place_on_scale(plain: Collection[float], written: Mapping[Any, WrittenCell]) -> dict[Any, float]:
    """Give the numbers of cells with a unit or a meaning, if all cells of the column are on one scale; else none.

    Shares of one unit keep their number, of several become shares of 1; beside plain numbers neither has a place.
    Counts are of one thing. A meaning goes with whole numbers, of which it has one, and
    each number with one meaning or two.
    """
    cells = written.values()
    [kind, *other_kinds] = {cell.kind for cell in cells}
    units = {cell.unit for cell in cells}
    if kind == "label":
        meanings = {(cell.number, cell.words.lower()) for cell in cells}
        n_meanings = max(Counter(number for number, _ in meanings).values())
        have_one_number = len({words for _, words in meanings}) == len(meanings)
        are_whole = all(number.is_integer() for number in plain if number == number)
        is_placed = are_whole and have_one_number and n_meanings <= MAX_LABELS_OF_A_NUMBER
    else:
        is_alone = all(number != number for number in plain)
        is_placed = kind in ("share", "count") and is_alone and len({cell.words for cell in cells}) == 1
    if other_kinds or not is_placed:
        return {}
    return {value: cell.number / (cell.unit if len(units) > 1 else 1) for value, cell in written.items()}
