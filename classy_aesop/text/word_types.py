"""Distinct words as they are written, and what depends on a word alone, computed once for each."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


class WordTypes(dict[str, int]):
    """The number of each distinct word, in the order of their first occurrence; shared by many topics.

    Attributes
    ----------
    spelled : list of str
        The distinct words.
    """

    def __init__(self) -> None:
        super().__init__()
        self.spelled: list[str] = []
        self._values: dict[Callable[[str], float], array[float]] = {}

    def __missing__(self, word: str) -> int:
        self.spelled.append(word)
        return self.setdefault(word, len(self))

    def values_of(self, function: Callable[[str], float]) -> Values:
        """Value of a function for each distinct word so far; it is called once for each of them.

        The result is to be read before new words get a value.

        Examples
        --------
        >>> types = WordTypes()
        >>> types["seven"], types["up"], types["seven"], types.values_of(len).tolist()
        (0, 1, 0, [5.0, 2.0])
        """
        held = self._values.setdefault(function, array("d"))
        if len(held) < len(self):
            held.extend(map(function, self.spelled[len(held) :]))
        return np.frombuffer(held)
