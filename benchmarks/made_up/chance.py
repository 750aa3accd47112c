"""Random choices made from whole numbers, so that every platform makes the same ones.

All random numbers come from ``Generator.integers``. Calculations use only the four basic operations, whose
rounding is fixed, and ``math.fsum``, which rounds once (``sum`` of floats does so only since Python 3.12).
Logarithms and powers are avoided: their last bit differs between C libraries, and one bit can change a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")

_DICE = 12  # twelve uniform dice have variance 12/12 = 1
_FACES = 1 << 16


def happens(rng: np.random.Generator, percent: int) -> bool:
    """Return true with a probability of ``percent`` %."""
    return bool(rng.integers(100) < percent)


def one_of(rng: np.random.Generator, items: Sequence[Item]) -> Item:
    """Choose one of ``items``, all with the same probability."""
    return items[int(rng.integers(len(items)))]


def between(rng: np.random.Generator, low: int, high: int) -> int:
    """Choose a whole number from ``low`` to ``high``, both included."""
    return int(rng.integers(low, high + 1))


def shuffled(rng: np.random.Generator, items: Sequence[Item]) -> list[Item]:
    """Put ``items`` in random order: sorted by random keys, whose rare ties keep the old order."""
    keys = rng.integers(1 << 62, size=len(items))
    return [items[i] for i in np.argsort(keys, kind="stable")]


def bell(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Give nearly normal random numbers with mean 0 and variance 1, shape (size,), from -6 to 6."""
    dice = rng.integers(_FACES, size=(size, _DICE)).sum(axis=1)
    numbers: NDArray[np.float64] = (2 * dice - _DICE * (_FACES - 1)) / (2.0 * _FACES)
    return numbers
