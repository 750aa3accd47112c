"""A hash table of known words that looks up all words of a text at once, without a Python object for each.

A word of at most 16 bytes of UTF-8 is stored exactly, as two 64-bit integers. These determine its slot in the table,
and the slot stores them again, so two words are never confused. A slot belongs to the first word that gets it. Words
that are longer, or whose slot is taken, are looked up in Python each time. The table grows with the number of words,
with 16 slots for each up to a limit, so few slots are taken.

What it saves: with a dictionary that is asked for every word instead, the features of the benchmark's made-up year took
1.41 times as long, those of REALSumm 1.15 times and those of SummEval, whose summaries share few words, as long (CPU
time, median of seven paired runs).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.intp]

_N_BYTES = 16
_FIRST_BITS, _MOST_BITS = 10, 16  # of the number of a slot
_SLOTS_PER_WORD = 16
_SPREAD, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, with bits all over

_OWN_BYTES = np.frombuffer(
    b"".join((b"\xff" * n).ljust(_N_BYTES, b"\0") for n in (*range(_N_BYTES + 1), 0)), np.uint64
).reshape(-1, 2)
"""Masks of the bytes that belong to a word of 0 to 16 bytes; the last row, for longer words, masks all bytes out."""


@dataclass(frozen=True)
class Words:
    """The positions of the words of a text, which are separated by characters up to the blank (U+0020).

    Parameters
    ----------
    coded : bytes
        The text in UTF-8, with one blank before it and 16 after it.
    edges : array of int, shape (2 * n_words,)
        Positions of the first byte of each word and of the first byte after it, alternating.
    """

    coded: bytes
    edges: IntArray

    @classmethod
    def of(cls, blanked: str) -> Words:
        """Find the words of a text that was blanked by a tokenizer of `tokens.TOKENIZERS`."""
        coded = f" {blanked}{' ' * _N_BYTES}".encode("utf-8", "surrogatepass")
        is_word = np.frombuffer(coded, np.uint8) > ord(" ")
        edges = np.flatnonzero(is_word[1:] != is_word[:-1]) + 1
        return cls(coded, edges)

    @property
    def line_lengths(self) -> IntArray:
        """Number of words of each line that ends with a line feed."""
        line_feeds = np.flatnonzero(np.frombuffer(self.coded, np.uint8) == ord("\n"))
        return np.diff(np.searchsorted(self.edges, line_feeds, "right") // 2, prepend=0)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """Bytes of each word as two integers, shape (n_words, 2); zeros for a word of more than 16 bytes."""
        start, stop = self.edges[::2], self.edges[1::2]
        n_windows = len(self.coded) - _N_BYTES + 1
        window = np.ndarray(n_windows, f"V{_N_BYTES}", self.coded, strides=(1,))[start]
        own = _OWN_BYTES.take(np.minimum(stop - start, _N_BYTES + 1), axis=0)
        keys: NDArray[np.uint64] = window.view(np.uint64).reshape(-1, 2) & own
        return keys

    def spelled(self, which: IntArray) -> list[str]:
        """Give some of the words as text."""
        places = self.edges.reshape(-1, 2)[which].tolist()
        return [self.coded[start:stop].decode("utf-8", "surrogatepass") for start, stop in places]


class KnownWords:
    """The hash table, from words to their numbers."""

    def __init__(self) -> None:
        self._bits, self._n_words = _FIRST_BITS, 0
        self._clear()

    def _clear(self) -> None:
        self._keys = np.zeros((1 << self._bits, 2), np.uint64)
        self._numbers = np.zeros(1 << self._bits, np.intp)

    def numbers(self, words: Words, ask: Callable[[str], int]) -> IntArray:
        """Give the number of each word; ``ask`` is called for the numbers of unknown words."""
        self._grow()
        slot = self._slots(words.keys)
        numbers, is_known = self._held(words.keys, slot)
        unknown = np.flatnonzero(~is_known)
        if unknown.size:
            self._learn(words, unknown, slot[unknown], ask)
            numbers[unknown], is_known = self._held(words.keys[unknown], slot[unknown])
            left = unknown[~is_known]
            numbers[left] = list(map(ask, words.spelled(left)))
        return numbers

    def _grow(self) -> None:
        """Add slots if there are few; two words with different slots never get the same new slot."""
        while self._bits < _MOST_BITS and self._n_words * _SLOTS_PER_WORD > len(self._keys):
            held = np.flatnonzero(self._keys[:, 0])
            keys, numbers = self._keys[held], self._numbers[held]
            self._bits += 2
            self._clear()
            slot = self._slots(keys)
            self._keys[slot], self._numbers[slot] = keys, numbers

    def _slots(self, keys: NDArray[np.uint64]) -> IntArray:
        """The slot of each word: the highest bits of a product, which depend on all bytes."""
        mixed = (keys[:, 0] ^ keys[:, 1] * _MIX) * _SPREAD
        slots: IntArray = (mixed >> np.uint64(64 - self._bits)).astype(np.intp)
        return slots

    def _held(self, keys: NDArray[np.uint64], slot: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
        """Numbers in the slots of words, and whether each slot belongs to the word."""
        held, numbers = self._keys.take(slot, axis=0), self._numbers.take(slot)
        return numbers, (held[:, 0] == keys[:, 0]) & (held[:, 1] == keys[:, 1]) & (keys[:, 0] != 0)

    def _learn(self, words: Words, new: IntArray, slot: IntArray, ask: Callable[[str], int]) -> None:
        """Give each free slot to one of the new words that hash to it."""
        is_free = (self._keys[slot, 0] == 0) & (words.keys[new, 0] != 0)
        new, slot = new[is_free], slot[is_free]
        self._numbers[slot] = new
        is_last = self._numbers[slot] == new  # of several words for one slot
        new, slot = new[is_last], slot[is_last]
        self._numbers[slot] = list(map(ask, words.spelled(new)))
        self._keys[slot] = words.keys[new]
        self._n_words += new.size
