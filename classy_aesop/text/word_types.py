"""Distinct words as they are written, and what depends on a word alone, computed once for each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.known_words import IntArray, KnownWords, Words

Values = NDArray[np.float64]


class WordTypes(dict[str, int]):
    """The number of each distinct word, in the order of their first occurrence; shared by many topics.

    Attributes
    ----------
    words : list of str
        The distinct words.
    known : KnownWords
        A second index of most words, which finds those of a whole text at once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.known = KnownWords()
        self._values: dict[Callable[[str], float], Values] = {}
        self._n_values: dict[Callable[[str], float], int] = {}

    def __missing__(self, word: str) -> int:
        self.words.append(word)
        return self.setdefault(word, len(self))

    def numbers(self, words: Words) -> IntArray:
        """Number of each word."""
        return self.known.numbers(words, self.__getitem__)

    def values_of(self, function: Callable[[str], float]) -> Values:
        """Value of a function for each distinct word so far; it is called once for each of them.

        Examples
        --------
        >>> types = WordTypes()
        >>> types["seven"], types["up"], types["seven"], types.values_of(len).tolist()
        (0, 1, 0, [5.0, 2.0])
        """
        held, n_held = self._values.get(function, np.zeros(0)), self._n_values.get(function, 0)
        if len(self) > held.size:
            held = np.append(held[:n_held], np.zeros(2 * len(self) - n_held))
            self._values[function] = held
        if len(self) > n_held:
            held[n_held : len(self)] = list(map(function, self.words[n_held:]))
            self._n_values[function] = len(self)
        return held[: len(self)]
