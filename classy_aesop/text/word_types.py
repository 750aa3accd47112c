"""Distinct words as they are written, and what depends on a word alone, computed once for each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.growing import Growing

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
        self._values: dict[Callable[[str], float], Growing[np.float64]] = {}

    def __missing__(self, word: str) -> int:
        self.spelled.append(word)
        return self.setdefault(word, len(self))

    def values_of(self, function: Callable[[str], float]) -> Values:
        """Value of a function for each distinct word so far; it is called once for each of them.

        Examples
        --------
        >>> types = WordTypes()
        >>> types["seven"], types["up"], types["seven"], types.values_of(len).tolist()
        (0, 1, 0, [5.0, 2.0])
        """
        held = self._values.setdefault(function, Growing(np.float64))
        if len(held) < len(self):
            held.extend(list(map(function, self.spelled[len(held) :])))
        return held.values
