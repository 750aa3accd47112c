"""Words that were met before, found without a Python object for each.

A word of at most 16 bytes of UTF-8 is two integers of 64 bits, exactly. They say which of many slots it may have,
and the slot holds them again: a word is known if both are equal, so no two words are ever taken for one. A slot
stays with the word that had it first; a word that is longer or finds its slot taken is asked for each time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.intp]

_N_BYTES = 16
_SLOT_BITS = 16
_SPREAD, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, with bits all over

_OWN_BYTES = np.frombuffer(
    b"".join((b"\xff" * n).ljust(_N_BYTES, b"\0") for n in (*range(_N_BYTES + 1), 0)), np.uint64
).reshape(-1, 2)
"""Masks of what belongs to a word of so many bytes; of a longer one, which the last row is for, nothing does."""


@dataclass(frozen=True)
class Words:
    """Where the words of a text stand, parted by characters up to the blank (U+0020).

    Parameters
    ----------
    coded : bytes
        The text in UTF-8, with a blank before and 16 behind.
    start, stop : array of int, shape (n_words,)
        First byte of each word, and the first after it.
    """

    coded: bytes
    start: IntArray
    stop: IntArray

    @classmethod
    def of(cls, blanked: str) -> Words:
        """Find the words of a text that a tokenizer of `tokens.TOKENIZERS` has blanked."""
        coded = f" {blanked}{' ' * _N_BYTES}".encode("utf-8", "surrogatepass")
        edges = np.flatnonzero(np.diff(np.frombuffer(coded, np.uint8) > ord(" "))) + 1
        return cls(coded, edges[::2], edges[1::2])

    @property
    def line_lengths(self) -> IntArray:
        """Number of words of each line that a line feed ends."""
        line_feeds = np.flatnonzero(np.frombuffer(self.coded, np.uint8) == ord("\n"))
        return np.diff(np.searchsorted(self.start, line_feeds), prepend=0)

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """Bytes of each word as two integers, shape (n_words, 2); zeros where there are more than 16."""
        n_windows = len(self.coded) - _N_BYTES + 1
        window = np.ndarray(n_windows, f"V{_N_BYTES}", self.coded, strides=(1,))[self.start]
        own = _OWN_BYTES.take(np.minimum(self.stop - self.start, _N_BYTES + 1), axis=0)
        return window.view(np.uint64).reshape(-1, 2) & own

    def spelled(self, which: IntArray) -> list[str]:
        """Give some of the words."""
        places = zip(self.start[which].tolist(), self.stop[which].tolist(), strict=True)
        return [self.coded[start:stop].decode("utf-8", "surrogatepass") for start, stop in places]


class KnownWords:
    """Numbers of words, kept where they are quickly found."""

    def __init__(self) -> None:
        self._keys = np.zeros((1 << _SLOT_BITS, 2), np.uint64)
        self._numbers = np.zeros(1 << _SLOT_BITS, np.intp)

    def numbers(self, words: Words, ask: Callable[[str], int]) -> IntArray:
        """Give the number of each word; ``ask`` is called for those that are not known, in their order."""
        first, second = words.keys.T
        slot = ((first ^ second * _MIX) * _SPREAD >> np.uint64(64 - _SLOT_BITS)).astype(np.intp)
        held, numbers = self._keys.take(slot, axis=0), self._numbers.take(slot)
        is_known = (held[:, 0] == first) & (held[:, 1] == second) & (first != 0)
        unknown = np.flatnonzero(~is_known)
        if unknown.size:
            numbers[unknown] = list(map(ask, words.spelled(unknown)))
            new = unknown[(held[unknown, 0] == 0) & (first[unknown] != 0)]
            new = new[np.unique(slot[new], return_index=True)[1]]
            self._keys[slot[new]], self._numbers[slot[new]] = words.keys[new], numbers[new]
        return numbers
