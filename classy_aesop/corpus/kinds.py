"""What the columns of a table hold: numbers, nothing, or anything else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from classy_aesop.corpus.columns import meant
from classy_aesop.corpus.rows import Row, is_missing
from classy_aesop.scores.rows import MISSING, Where, shown


@dataclass(frozen=True)
class Kinds:
    """The kind of each column: ``numbers``, ``nothing`` or ``text``.

    ``broken`` holds, for a column that begins with numbers, the first cell that is none.
    """

    kinds: Mapping[str, str]
    broken: Mapping[str, tuple[Where, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[Row], *, written: bool = False) -> Kinds:
        """Look through the rows; with ``written`` a number may be written as text."""
        kinds: dict[str, str] = {}
        broken = {}
        for name in dict.fromkeys(name for _, row in rows for name in row):
            kinds[name] = "nothing"
            for where, value in _values(rows, name):
                kind = _kind(value, written)
                if kind == "text":
                    if kinds[name] == "numbers":
                        broken[name] = where, value
                    kinds[name] = "text"
                    break
                kinds[name] = "numbers" if kind == "numbers" else kinds[name]
        return cls(kinds, broken)

    def described(self, name: str) -> str:
        """Name a column that nothing reads, with what may be the reason."""
        if name in self.broken:
            where, value = self.broken[name]
            return f"{name} (numbers, but {shown(value)} in {where})"
        like = meant(name)
        return f"{name or 'a column without a name'}{f' (meant as {like}?)' if like else ''}"


def _values(rows: Sequence[Row], name: str) -> Iterator[tuple[Where, Any]]:
    return ((where, row[name]) for where, row in rows if name in row)


_DEEPEST = 10
"""Levels of named numbers inside each other; what is deeper holds no measures."""


def _kind(value: Any, written: bool, level: int = 0) -> str:
    if isinstance(value, str):
        if not value or (written and value.lower() in MISSING):
            return "nothing"
        return "numbers" if written and _is_number(value) else "text"
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


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
