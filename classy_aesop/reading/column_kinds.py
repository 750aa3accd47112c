"""What a column of a table holds, by its cells: numbers, text, or places; and which comma or point is decimal."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import compress
from numbers import Real
from typing import Any

from classy_aesop.data.cells import TRUTH_WORDS, Row, format_value, is_missing, is_missing_number
from classy_aesop.data.where import Where

_COMMA = re.compile(r"[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+")
"""A number with a comma, which may separate decimals or, in `_THOUSANDS`, thousands."""


_THOUSANDS = re.compile(r"[+-]?(?!0[.,])[0-9]{1,3}[.,][0-9]{3}")


_CACHED_CHARACTERS = 30


MAX_STRANGE_SHARE = 0.1
"""Largest share of cells (at least one) without a number in a column of numbers; they are refused one by one."""


_MIN_IDENTIFIERS = 20


_MAX_OF_SCALE = 100

MIN_BLANKS_OF_PROSE = 2


@dataclass(frozen=True)
class Kind:
    """What a column holds: ``numbers``, ``nothing``, ``text``, ``mixed`` (numbers, but for some cells) or ``places``
    (whole numbers beyond those of a scale, each once, as of rows).

    ``strange`` is the first cell without a number among numbers, and ``missing`` has a word for each missing number. A
    comma or point in text is ``decimal``, ``either`` (it may as well be of thousands), or, by other columns,
    ``thousands`` or ``unclear``. A scale has numbers other than 0 and 1 (who is human); prose is text whose cells all
    have several words.
    """

    kind: str
    strange: tuple[Where, Any] | None = None
    missing: tuple[str, ...] = ()
    comma: str = ""
    point: str = ""
    has_numbers: bool = False
    is_scale: bool = False
    is_prose: bool = False

    @classmethod
    def from_cells(cls, cells: Sequence[Any], places: Sequence[Where], *, written: bool = False) -> Kind:
        """Look through the cells of a column; with ``written`` a number may be written as text."""
        values: dict[str, list[Any]] = {"text": [], "comma": [], "numbers": [], "nothing": []}
        n_cells = Counter[str]()
        first: dict[str, tuple[Where, Any]] = {}
        for row, value, count in _distinct_cells(cells):
            kind = _kind(value, written)
            values[kind].append(value)
            n_cells[kind] += count
            first.setdefault(kind, (places[row], value))
        numbers = values["numbers"]
        n_texts = n_cells["text"]
        n_numbers = n_cells["numbers"] + n_cells["comma"]
        if not n_numbers:
            is_prose = bool(n_texts) and all(
                isinstance(text, str) and text.count(" ") >= MIN_BLANKS_OF_PROSE for text in values["text"]
            )
            return cls("text" if n_texts else "nothing", has_numbers=not n_texts, is_prose=is_prose)
        comma = _kind_of_mark(values["comma"])
        point = _kind_of_mark([value for value in numbers if isinstance(value, str) and "." in value])
        if comma == "decimal" and any(
            "." in str(value) for value in numbers if not isinstance(value, str) or point == "decimal"
        ):
            comma = "unclear"
        strange = first.get("text") or (None if comma == "decimal" else first.get("comma"))
        missing = tuple(value.strip() for value in values["nothing"] if isinstance(value, str) and value)
        max_texts = max(1 if n_numbers > 1 else 0, MAX_STRANGE_SHARE * (n_numbers + n_texts))
        kind = "numbers" if strange is None else "mixed" if n_texts <= max_texts else "text"
        are_distinct = n_cells["numbers"] == len(numbers)
        if kind == "numbers" and not comma and are_distinct and _are_identifiers(numbers):
            kind = "places"
        has_numbers = kind != "text" or bool(numbers) or comma == "decimal"
        is_scale = any(str(value).strip() not in TRUTH_WORDS for value in (*numbers, *values["comma"]))
        return cls(kind, strange, missing, comma, point, has_numbers, is_scale)

    def write_plainly(self, text: str, name: str, where: Where) -> str:
        """Write a number of this column with a decimal point and without marks of thousands; anything else stays."""
        stripped = text.strip()
        if self.point == "unclear" and _THOUSANDS.fullmatch(stripped):
            raise where.error(
                f"{name} is {format_value(text)}, and others have decimal commas and decimal points; "
                "expected one of the two"
            )
        if self.comma == "decimal" and _COMMA.fullmatch(stripped):
            return stripped.replace(".", "").replace(",", ".")
        is_grouped = self.point == "thousands" and _THOUSANDS.fullmatch(stripped)
        return stripped.replace(".", "") if is_grouped else text


def _distinct_cells(cells: Sequence[Any]) -> Iterator[tuple[int, Any, int]]:
    """Give each different text with the row where it is first and how often it comes; other cells one by one."""
    if {*map(type, cells)} != {str}:
        yield from ((row, value, 1) for row, value in enumerate(cells))
        return
    counts = Counter(cells)
    first_rows = dict(zip(reversed(cells), range(len(cells) - 1, -1, -1), strict=True))
    for value, count in counts.items():
        yield first_rows[value], value, count


def _kind_of_mark(numbers: Sequence[str]) -> str:
    """Say whether the commas, or the points, of a column can only be decimal: 1,234 may be a thousand."""
    if not numbers:
        return ""
    return "either" if all(_THOUSANDS.fullmatch(number.strip()) for number in numbers) else "decimal"


def kinds_of(rows: Sequence[Row], columns: Iterable[str], *, written: bool = False) -> dict[str, Kind]:
    """Give the kind of each column of a table."""
    places = [where for where, _ in rows]
    kinds = {}
    for name in columns:
        has_cell = [name in row for _, row in rows]
        cells = [row[name] for _, row in rows if name in row]
        kinds[name] = Kind.from_cells(
            cells, places if all(has_cell) else list(compress(places, has_cell)), written=written
        )
    return kinds


def settle_marks(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Give the kinds of columns of numbers; what may be either mark is as in other columns of the file."""
    if not any(kind.comma == "decimal" for kind in kinds.values()):
        return dict(kinds)
    point = "unclear" if any(kind.point == "decimal" for kind in kinds.values()) else "thousands"
    return {
        name: replace(
            kind,
            comma="decimal" if kind.comma == "either" and point == "thousands" else kind.comma,
            point=point if kind.point == "either" else kind.point,
        )
        for name, kind in kinds.items()
    }


def _are_identifiers(values: Sequence[Any]) -> bool:
    """Whether numbers are whole, never equal, and beyond any scale: identifiers, not judgments."""
    if len(values) < _MIN_IDENTIFIERS or any(isinstance(value, list | tuple | Mapping) for value in values):
        return False
    numbers = [float(value) for value in values]
    return (
        max(numbers) > _MAX_OF_SCALE
        and len(set(numbers)) == len(numbers)
        and all(number.is_integer() for number in numbers)
    )


_MAX_LEVELS = 10
"""Maximum levels of nested named numbers; deeper ones hold no measures."""


def _kind(value: Any, written: bool, level: int = 0) -> str:
    if isinstance(value, str):
        return (_kind_of_short if len(value) < _CACHED_CHARACTERS else _kind_of_text)(value, written)
    if isinstance(value, bool):
        return "text"
    if isinstance(value, Real | Decimal):
        return "nothing" if value != value else "numbers"
    if isinstance(value, list | tuple | Mapping):
        if level == _MAX_LEVELS:
            return "text"
        items = value.values() if isinstance(value, Mapping) else value
        kinds = {_kind(item, False, level + 1) for item in items}
        return "text" if "text" in kinds else "numbers" if "numbers" in kinds else "nothing"
    return "nothing" if is_missing(value) else "text"


def _kind_of_text(text: str, written: bool) -> str:
    if is_missing_number(text):
        return "nothing"
    if written and _COMMA.fullmatch(text.strip()):
        return "comma"
    try:
        return "numbers" if written and math.isfinite(float(text)) else "text"
    except ValueError:
        return "text"


_kind_of_short = lru_cache(2**14)(_kind_of_text)  # numbers are short, and the same ones come again
