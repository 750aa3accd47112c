"""Arrays that texts are counted with: values in runs, distinct keys, and arrays that grow.

A run is what belongs to one text after that of another; keys are numbers of n-grams, whole and 0 or more.
"""

from __future__ import annotations

from math import prod
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

IntArray = NDArray[np.intp]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
SmallIntegers = NDArray[np.float32]
Counts = NDArray[np.signedinteger[Any]] | SmallIntegers
Scalar = TypeVar("Scalar", bound=np.generic)


class Growing(Generic[Scalar]):
    """Values one after another; room for as many again is made whenever it is needed."""

    def __init__(self, dtype: type[Scalar], values: ArrayLike = ()) -> None:
        self._held: NDArray[Scalar] = np.asarray(values, dtype)
        self._size = self._held.size

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Scalar]:
        """The values so far."""
        return self._held[: self._size]

    def extend(self, values: Any) -> None:
        """Append values."""
        size = self._size + len(values)
        if size > self._held.size:
            self._held = np.append(self.values, np.empty(2 * size - self._size, self._held.dtype))
        self._held[self._size : size] = values
        self._size = size


def run_starts(values: IntArray) -> IntArray:
    """Give the places where another value begins: 0, 2 and 3 of [4, 4, 0, 4]."""
    is_start = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)


def sorted_distinct(keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the distinct keys in ascending order, by a sort, which is faster than the hashes of `numpy.unique`."""
    ordered = np.sort(keys)
    return ordered.take(run_starts(ordered))


def run_ends(values: IntArray) -> Booleans:
    """Mark the values that another value follows, and the last one."""
    is_end = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=is_end[:-1])
    return is_end


def starts_of_runs(sizes: IntArray) -> IntArray:
    """Give the place where each run begins, given how many values each has: [0, 2, 2] of [2, 0, 1]."""
    starts: IntArray = np.cumsum(sizes) - sizes
    return starts


def places_in_runs(sizes: IntArray, first: IntArray) -> tuple[IntArray, IntArray]:
    """Give the run of each place and the place, of runs of so many consecutive places from their ``first`` ones on."""
    run = np.repeat(np.arange(sizes.size), sizes)
    place = np.repeat(first - starts_of_runs(sizes), sizes)
    place += np.arange(place.size)
    return run, place


def run_sizes(owner: IntArray, n_owners: int) -> IntArray:
    """Count the values of each owner, given the owner of each value, ascending: [2, 0, 1] of [0, 0, 2]."""
    return np.diff(np.searchsorted(owner, np.arange(n_owners + 1)))


def run_sums(values: NDArray[Any], sizes: IntArray) -> NDArray[Any]:
    """Sum the values of each run, given how many each has; marks are counted. An empty run has 0.

    Sums of whole numbers are exact. Others are added up in an order that hangs on the size of the run alone.
    """
    kind, starts = np.intp if values.dtype == bool else values.dtype, np.cumsum(sizes) - sizes
    if sizes.all():  # as mostly
        return np.add.reduceat(values, starts, dtype=kind) if sizes.size else np.zeros(0, kind)
    sums, some = np.zeros(sizes.size, kind), np.flatnonzero(sizes)
    if some.size:
        sums[some] = np.add.reduceat(values, starts.take(some), dtype=kind)
    return sums


_SPREAD_KEYS = np.uint64(0x9E3779B97F4A7C15)  # odd, with bits all over
_SLOTS_PER_KEY = 4


def spread(keys: NDArray[np.intp], bits: int) -> NDArray[np.intp]:
    """Hash keys to numbers of so many bits."""
    return (keys.view(np.uint64) * _SPREAD_KEYS >> np.uint64(64 - bits)).view(np.intp)


def one_of_each(keys: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Mark the first of each set of equal keys; keys are 0 or more."""
    marked: NDArray[np.bool_] = place_of_equal(keys) == np.arange(keys.size)
    return marked


def place_of_equal(keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the place of the first of all keys that equal each; keys are 0 or more.

    Every key puts its place in the slot that it hashes to, the first one last, so that it stays. A key whose slot holds
    the place of another key is one of few, which are sorted.
    """
    bits = max(1, (_SLOTS_PER_KEY * keys.size).bit_length())
    slot = spread(keys, bits)
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


def distinct_rows(keys: IntArray, wanted: IntArray, n_keys: int) -> tuple[IntArray, IntArray]:
    """Number each key by its rank among the distinct ``wanted`` keys, which are given too.

    Other keys get the number of these.
    """
    if n_keys > _LARGEST_TABLE:
        distinct = np.sort(wanted.compress(one_of_each(wanted)))
        row = np.searchsorted(distinct, keys)
        return np.where(np.append(distinct, -1)[row] == keys, row, distinct.size), distinct
    is_wanted = np.zeros(n_keys, bool)
    is_wanted[wanted] = True
    distinct = np.flatnonzero(is_wanted)
    small = np.uint16 if distinct.size <= np.iinfo(np.uint16).max else np.int32
    place = np.full(n_keys, distinct.size, small)
    place[distinct] = np.arange(distinct.size)
    return place.take(keys).astype(np.intp), distinct


_LARGEST_TABLE = 1 << 25
