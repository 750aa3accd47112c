"""What kind each character of a text is, looked up for a whole text at once."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LETTER, MARK, DIGIT, OF_WORD, KNOWN = (np.uint8(1 << bit) for bit in range(5))
"""Kinds, as bits: neither a blank nor a mark; punctuation or a symbol; a decimal digit; ``\\w`` of `re`; looked up."""

_N_CHARACTERS = 0x110000
_PLANE = 0x10000  # above it only pictographs are marks
_PICTOGRAPHS = range(0x1F000, 0x1FB00)


def code_points(text: str) -> NDArray[np.uint32]:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def kinds_of(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The kinds of characters, given as code points, as sums of bits."""
    table = _table()
    kinds = table.take(points)
    if kinds.min(initial=KNOWN) < KNOWN:
        new = np.unique(points[kinds < KNOWN])
        table[new] = [_kind(int(point)) for point in new]
        kinds = table.take(points)
    return kinds


def _kind(point: int) -> int:
    character = chr(point)
    is_mark = unicodedata.category(character)[0] in "PS" if point < _PLANE else point in _PICTOGRAPHS
    found = {
        LETTER: not is_mark and not character.isspace(),
        MARK: is_mark,
        DIGIT: character.isdecimal(),
        OF_WORD: character.isalnum() or character == "_",
        KNOWN: True,
    }
    return sum(int(bit) for bit, is_so in found.items() if is_so)


@lru_cache(maxsize=1)
def _table() -> NDArray[np.uint8]:
    """The kinds of all characters, 0 for those that were not looked up yet."""
    return np.zeros(_N_CHARACTERS, np.uint8)
