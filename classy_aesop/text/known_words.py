"""A hash table of known words that looks up all words of a text at once, without a Python object for each.

A word of at most 16 bytes of UTF-8 is stored exactly, as two 64-bit integers. These determine its slot in the table,
and the slot stores them again, so two words are never confused. A slot belongs to the first word that gets it. Words
that are longer, or whose slot is taken, are looked up in Python each time. The table grows with the number of words,
with 64 slots for each up to a limit, so few slots are taken.

What it saves: with a dictionary that is asked for every word instead, the features of classic, readability and form
took 1.5 times as long on the benchmark's made-up year, and 1.3 times on REALSumm and SummEval (CPU time, median of nine
paired runs).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.distinct import one_of_each
from classy_aesop.text.growing import Growing

IntArray = NDArray[np.intp]
Keys = NDArray[np.uint64]

_N_BYTES = 16
_FIRST_BITS, _MOST_BITS = 10, 18  # of the number of a slot
_SLOTS_PER_WORD = 64
_SPREAD, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, with bits all over

_MASKS = b"".join((b"\xff" * n).ljust(_N_BYTES, b"\0") for n in (*range(_N_BYTES + 1), 0))
_FIRST_BYTES, _SECOND_BYTES = np.frombuffer(_MASKS, np.uint64).reshape(-1, 2).T.copy()
"""Masks of the bytes that belong to a word of 0 to 16 bytes; the last ones, for longer words, mask all bytes out."""

_NOBODY = 0xFFFFFFFFFFFFFFFF  # no bytes of UTF-8

_CLEANED = {code: " " if chr(code).isspace() else "\x7f" for code in range(ord(" "))}
"""Control characters: those that are white space separate words, and the others become one above the blank."""


@dataclass(frozen=True)
class Words:
    """The positions of the words of lines, which are separated by blanks (U+0020) and controls that are white space.

    Parameters
    ----------
    coded : bytes
        The lines in UTF-8, each between two line feeds, and 16 blanks.
    start, length : array of int, shape (n_words,)
        Position of the first byte of each word, and how many it has.
    line_stops : array of int, shape (n_lines,)
        Number of words before the end of each line.
    """

    coded: bytes
    start: IntArray
    length: IntArray
    line_stops: IntArray

    @classmethod
    def of(cls, lines: Sequence[str]) -> Words:
        """Find the words of lines; a line feed in one is a blank."""
        coded = "\n".join(["", *lines, " " * _N_BYTES]).encode("utf-8", "surrogatepass")
        codes = np.frombuffer(coded, np.uint8, len(coded) - _N_BYTES)
        gap = np.flatnonzero(codes <= ord(" "))
        is_line_feed = codes.take(gap) < ord(" ")
        if np.count_nonzero(is_line_feed) > len(lines) + 1:
            return cls.of([line.translate(_CLEANED) for line in lines])
        start, line_stops = gap[:-1] + 1, np.flatnonzero(is_line_feed[1:]) + 1
        length = gap[1:] - start
        is_word = length > 0
        if not is_word.all():
            line_stops = np.cumsum(is_word, dtype=np.intp)[line_stops - 1]
            start, length = start[is_word], length[is_word]
        return cls(coded, start, length, line_stops)

    @cached_property
    def keys(self) -> tuple[Keys, Keys]:
        """The first and the second eight bytes of each word; zeros for a word of more than 16 bytes."""
        n_windows = len(self.coded) - _N_BYTES + 1
        window = np.ndarray(n_windows, f"V{_N_BYTES}", self.coded, strides=(1,))[self.start]
        first, second = window.view(np.uint64).reshape(-1, 2).T
        length = np.minimum(self.length, _N_BYTES + 1)
        return first & _FIRST_BYTES.take(length), second & _SECOND_BYTES.take(length)

    def spelled(self, which: IntArray) -> list[str]:
        """Give some of the words as text."""
        start = self.start[which]
        places = zip(start.tolist(), (start + self.length[which]).tolist(), strict=True)
        return [self.coded[first:stop].decode("utf-8", "surrogatepass") for first, stop in places]


class KnownWords:
    """The hash table, from words to their numbers."""

    def __init__(self) -> None:
        self._bits = _FIRST_BITS
        self._place = np.zeros(1 << self._bits, np.int32)  # of the word that has the slot in the lists below
        self._first, self._second = Growing(np.uint64, [_NOBODY]), Growing(np.uint64, [0])
        self._numbers = Growing(np.intp, [0])

    def numbers(self, words: Words, ask: Callable[[str], int]) -> IntArray:
        """Give the number of each word; ``ask`` is called for the numbers of unknown words."""
        self._grow()
        first, second = words.keys
        slot = self._slots(first, second)
        numbers, is_known = self._held(first, second, slot)
        unknown = np.flatnonzero(~is_known)
        if unknown.size:
            if self._learn(words, unknown, slot[unknown], ask):
                numbers[unknown], is_known = self._held(first[unknown], second[unknown], slot[unknown])
                unknown = unknown[~is_known]
            numbers[unknown] = list(map(ask, words.spelled(unknown)))
        return numbers

    def _grow(self) -> None:
        """Add slots if there are few; two words with different slots never get the same new slot."""
        while self._bits < _MOST_BITS and len(self._numbers) * _SLOTS_PER_WORD > self._place.size:
            self._bits += 2
            self._place = np.zeros(1 << self._bits, np.int32)
            slot = self._slots(self._first.values, self._second.values)
            self._place[slot[1:]] = np.arange(1, slot.size)

    def _slots(self, first: Keys, second: Keys) -> IntArray:
        """The slot of each word: the highest bits of a product, which depend on all bytes."""
        mixed = (first ^ second * _MIX) * _SPREAD
        return (mixed >> np.uint64(64 - self._bits)).view(np.intp)

    def _held(self, first: Keys, second: Keys, slot: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
        """Numbers in the slots of words, and whether each slot belongs to the word."""
        place = self._place.take(slot).astype(np.intp)
        is_same = self._first.values.take(place) == first
        is_same &= self._second.values.take(place) == second
        return self._numbers.values.take(place), is_same

    def _learn(self, words: Words, new: IntArray, slot: IntArray, ask: Callable[[str], int]) -> bool:
        """Give each free slot to one of the new words that hash to it, and say whether there was one."""
        first, second = (keys[new] for keys in words.keys)
        free = np.flatnonzero((self._place[slot] == 0) & (first != 0))
        if not free.size:
            return False
        free = free.compress(one_of_each(slot[free]))
        numbers = list(map(ask, words.spelled(new[free])))
        self._place[slot[free]] = np.arange(len(self._numbers), len(self._numbers) + free.size)
        self._first.extend(first[free])
        self._second.extend(second[free])
        self._numbers.extend(numbers)
        return True
