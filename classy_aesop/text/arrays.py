"""Arrays that texts are counted with: values in runs, distinct keys, and arrays that grow.

A run is what belongs to one text after that of another; keys are numbers of n-grams, whole and 0 or more.
"""

from __future__ import annotations

from math import prod
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

IndexArray = NDArray[np.intp]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
SmallIntegers = NDArray[np.float32]
Counts = NDArray[np.signedinteger[Any]] | SmallIntegers
Scalar = TypeVar("Scalar", bound=np.generic)


class GrowingArray(Generic[Scalar]):
    """An array that values are appended to; its buffer is doubled whenever it is full."""

    def __init__(self, dtype: type[Scalar], values: ArrayLike = ()) -> None:
        self._buffer: NDArray[Scalar] = np.asarray(values, dtype)
        self._size = self._buffer.size

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Scalar]:
        """The values so far."""
        return self._buffer[: self._size]

    def extend(self, values: Any) -> None:
        """Append values."""
        size = self._size + len(values)
        if size > self._buffer.size:
            self._buffer = np.append(self.values, np.empty(2 * size - self._size, self._buffer.dtype))
        self._buffer[self._size : size] = values
        self._size = size


def run_starts(values: IndexArray) -> IndexArray:
    """Find the places where another value begins: 0, 2 and 3 of [4, 4, 0, 4]."""
    is_start = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)


def sorted_distinct(keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the distinct keys in ascending order, by a sort, which is faster than the hashes of `numpy.unique`."""
    ordered = np.sort(keys)
    return ordered.take(run_starts(ordered))


def run_ends(values: IndexArray) -> Booleans:
    """Mark the values that another value follows, and the last one."""
    is_end = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=is_end[:-1])
    return is_end


def starts_from_sizes(sizes: IndexArray) -> IndexArray:
    """Give the place where each run begins, from how many values each has: [0, 2, 2] of [2, 0, 1]."""
    starts: IndexArray = np.cumsum(sizes) - sizes
    return starts


def places_in_runs(sizes: IndexArray, first: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Give the run of each place and the place, of runs of so many consecutive places from their ``first`` ones on."""
    run = np.repeat(np.arange(sizes.size), sizes)
    place = np.repeat(first - starts_from_sizes(sizes), sizes)
    place += np.arange(place.size)
    return run, place


def run_sizes(owner: IndexArray, n_owners: int) -> IndexArray:
    """Count the values of each owner, given the owner of each value, ascending: [2, 0, 1] of [0, 0, 2]."""
    return np.diff(np.searchsorted(owner, np.arange(n_owners + 1)))


def run_sums(values: NDArray[Any], sizes: IndexArray) -> NDArray[Any]:
    """Sum the values of each run, given how many each has; marks are counted. An empty run has 0.

    Sums of whole numbers are exact. Others are added up in an order that depends on the size of the run alone.
    """
    dtype = np.intp if values.dtype == bool else values.dtype
    starts = np.cumsum(sizes) - sizes
    if sizes.all():  # as mostly
        return np.add.reduceat(values, starts, dtype=dtype) if sizes.size else np.zeros(0, dtype)
    sums = np.zeros(sizes.size, dtype)
    nonempty = np.flatnonzero(sizes)
    if nonempty.size:
        sums[nonempty] = np.add.reduceat(values, starts.take(nonempty), dtype=dtype)
    return sums


HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""Factor of a hash of 64 bits: odd, with bits all over."""

_SLOTS_PER_KEY = 4


def hash_keys(keys: NDArray[np.intp], bits: int) -> NDArray[np.intp]:
    """Hash keys to numbers of so many bits."""
    return (keys.view(np.uint64) * HASH_MULTIPLIER >> np.uint64(64 - bits)).view(np.intp)


def mark_first_occurrences(keys: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Mark the first of each set of equal keys; keys are 0 or more."""
    is_first: NDArray[np.bool_] = find_first_equal(keys) == np.arange(keys.size)
    return is_first


def find_first_equal(keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Find the place of the first of all keys that equal each; keys are 0 or more.

    Every key puts its place in the slot that it hashes to, the first one last, so that it stays. A key whose slot holds
    the place of another key is one of few, which are sorted.
    """
    bits = max(1, (_SLOTS_PER_KEY * keys.size).bit_length())
    slot = hash_keys(keys, bits)
    holder = np.empty(1 << bits, np.int32)  # only slots that were set are read
    holder[slot[::-1]] = np.arange(keys.size - 1, -1, -1, dtype=np.int32)
    places: NDArray[np.intp] = holder.take(slot).astype(np.intp)
    colliding = np.flatnonzero(keys.take(places) != keys)
    if colliding.size:
        _, first, number = np.unique(keys[colliding], return_index=True, return_inverse=True)
        places[colliding] = colliding[first[number]]
    return places


def exact_product(counts: Booleans | Counts, weights: Booleans | Counts) -> SmallIntegers:
    """Sum each row of counts with each row of weights: whole numbers, for which single precision is exact."""
    *shape, n = counts.shape
    rows = counts.reshape(prod(shape), n).astype(np.float32, copy=False)
    # Unlike `matmul` it does not look for errors, which some kernels of OpenBLAS report by mistake.
    product: SmallIntegers = np.dot(rows, weights.astype(np.float32, copy=False).T)
    return product.reshape(*shape, len(weights))


_MAX_TABLE_SIZE = 1 << 25
"""Keys below this are ranked with a table instead of a sort."""


def rank_keys(keys: IndexArray, known_keys: IndexArray, n_keys: int) -> tuple[IndexArray, IndexArray]:
    """Give each key its rank among the distinct known keys, and the distinct known keys in ascending order.

    Shapes: ``known_keys`` (n,); gives ``distinct`` (n_distinct,).

    Examples
    --------
    >>> ranks, distinct = rank_keys(np.array([5, 3, 9]), np.array([9, 5, 9]), 10)
    >>> ranks.tolist(), distinct.tolist()
    ([0, 2, 1], [5, 9])
    """
    if n_keys > _MAX_TABLE_SIZE:
        distinct = np.sort(known_keys.compress(mark_first_occurrences(known_keys)))
        place = np.searchsorted(distinct, keys)
        return np.where(np.append(distinct, -1)[place] == keys, place, distinct.size), distinct
    is_known = np.zeros(n_keys, bool)
    is_known[known_keys] = True
    distinct = np.flatnonzero(is_known)
    small_integer = np.uint16 if distinct.size <= np.iinfo(np.uint16).max else np.int32
    rank_of_key = np.full(n_keys, distinct.size, small_integer)
    rank_of_key[distinct] = np.arange(distinct.size, dtype=small_integer)
    return rank_of_key.take(keys).astype(np.intp), distinct
