"""What the columns of a table hold: numbers, nothing, or anything else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

from classy_aesop.data.opening import Where
from classy_aesop.data.score_rows import Row, is_missing, is_missing_number

_COMMA = re.compile(r"[+-]?([0-9]*),([0-9]+)")
"""A number with a comma, which may separate decimals or thousands."""

_SHORT = 30

_STRANGE = 0.1
"""Largest share of cells (at least one) without a number in a column of numbers; they are refused one by one."""


@dataclass(frozen=True)
class Kind:
    """What a column holds.

    Parameters
    ----------
    kind : str
        ``numbers``; ``mixed``: numbers, but for some cells; ``places``: whole numbers beyond those of a scale,
        each once, as of rows; ``nothing``; or ``text``: anything else.
    strange : (Where, object), optional
        Where there are numbers, the first cell that is none.
    missing : tuple of str
        Words for a missing number, for each cell that has one.
    has_commas : bool
        Whether its numbers are written with decimal commas.
    """

    kind: str
    strange: tuple[Where, Any] | None = None
    missing: tuple[str, ...] = ()
    has_commas: bool = False

    @classmethod
    def of(cls, cells: Iterable[tuple[Where, Any]], *, written: bool = False) -> Kind:
        """Look through the cells of a column; with ``written`` a number may be written as text."""
        found: dict[str, list[Any]] = {"text": [], "comma": [], "numbers": [], "nothing": []}
        first: dict[str, tuple[Where, Any]] = {}
        for where, value in cells:
            kind = _kind(value, written)
            found[kind].append(value)
            if kind not in first:
                first[kind] = where, value
        n_texts, n_numbers = len(found["text"]), len(found["numbers"]) + len(found["comma"])
        has_commas = _are_decimal(found["comma"], found["numbers"])
        strange = first.get("text") or (None if has_commas else first.get("comma"))
        missing = tuple(value.strip() for value in found["nothing"] if isinstance(value, str) and value)
        if not n_numbers:
            return cls("text" if strange else "nothing")
        few = max(1 if n_numbers > 1 else 0, _STRANGE * (n_numbers + n_texts))
        kind = "numbers" if strange is None else "mixed" if n_texts <= few else "text"
        if kind == "numbers" and not has_commas and _only_tell_apart(found["numbers"]):
            kind = "places"
        return cls(kind, strange, missing, has_commas)


def kinds_of(rows: Sequence[Row], columns: Iterable[str], *, written: bool = False) -> dict[str, Kind]:
    """Give the kind of each column of a table."""
    return {
        name: Kind.of(((where, row[name]) for where, row in rows if name in row), written=written)
        for name in columns
    }


_FEW = 20
_LONGEST_SCALE = 100


def _only_tell_apart(values: Sequence[Any]) -> bool:
    """Whether numbers are whole, never equal, and beyond any scale: identifiers, not judgments."""
    if len(values) < _FEW or any(isinstance(value, list | tuple | Mapping) for value in values):
        return False
    numbers = [float(value) for value in values]
    return (
        max(numbers) > _LONGEST_SCALE
        and len(set(numbers)) == len(numbers)
        and all(number.is_integer() for number in numbers)
    )


def with_point(text: str) -> str:
    """Write a number with a decimal comma with a point; anything else stays."""
    return text.replace(",", ".") if _COMMA.fullmatch(text.strip()) else text


def _are_decimal(commas: Sequence[str], numbers: Sequence[Any]) -> bool:
    """Whether the commas of a column can only be decimal: 1,234 may be a thousand, and 3.5 has a point."""
    parts = [found.groups() for value in commas if (found := _COMMA.fullmatch(value.strip()))]
    can_be_thousands = all(0 < len(left) < 4 and len(right) == 3 and left != "0" for left, right in parts)
    return not can_be_thousands and not any("." in str(value) for value in numbers)


_DEEPEST = 10
"""Most levels of nested named numbers; deeper ones hold no measures."""


def _kind(value: Any, written: bool, level: int = 0) -> str:
    if isinstance(value, str):
        return (_kind_of_short if len(value) < _SHORT else _kind_of_text)(value, written)
    if isinstance(value, bool):
        return "text"
    if isinstance(value, Real):
        return "nothing" if value != value else "numbers"
    if isinstance(value, list | tuple | Mapping):
        if level == _DEEPEST:
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
    return "numbers" if written and _is_number(text) else "text"


_kind_of_short = lru_cache(2**14)(_kind_of_text)  # numbers are short, and the same ones come again


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
