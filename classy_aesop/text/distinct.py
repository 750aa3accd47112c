"""The distinct keys among many, without sorting them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, with bits all over
_SLOTS_PER_KEY = 8


def one_of_each(keys: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Mark one of each set of equal keys; keys are 0 or more.

    Examples
    --------
    >>> one_of_each(np.array([7, 3, 7, 5])).tolist()
    [False, True, True, True]
    """
    marked: NDArray[np.bool_] = place_of_equal(keys) == np.arange(keys.size)
    return marked


def place_of_equal(keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the place of one key among those equal to each, the same for all of them; keys are 0 or more.

    Every key puts its place in the slot that it hashes to, and the last one stays. A key whose slot holds the place of
    another key is one of few, which are sorted.

    Examples
    --------
    >>> place_of_equal(np.array([7, 3, 7, 5])).tolist()
    [2, 1, 2, 3]
    """
    bits = max(1, (_SLOTS_PER_KEY * keys.size).bit_length())
    slot = (keys.view(np.uint64) * _SPREAD >> np.uint64(64 - bits)).view(np.intp)
    holder = np.empty(1 << bits, np.intp)  # only slots that were set are read
    holder[slot] = np.arange(keys.size)
    found: NDArray[np.intp] = holder.take(slot)
    others = np.flatnonzero(keys.take(found) != keys)
    if others.size:
        _, first, number = np.unique(keys[others], return_index=True, return_inverse=True)
        found[others] = others[first[number]]
    return found
