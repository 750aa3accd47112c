"""Values in runs, as those of one text after those of another: how many each run has, and their sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.intp]


def run_starts(values: IntArray) -> IntArray:
    """Give the places where another value begins.

    Examples
    --------
    >>> run_starts(np.array([4, 4, 0, 4])).tolist()
    [0, 2, 3]
    """
    is_start = np.ones(values.size, bool)
    np.not_equal(values[1:], values[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)


def run_sizes(owner: IntArray, n_owners: int) -> IntArray:
    """Count the values of each owner, given the owner of each value, ascending.

    Examples
    --------
    >>> run_sizes(np.array([0, 0, 2]), 4).tolist()
    [2, 0, 1, 0]
    """
    return np.diff(np.searchsorted(owner, np.arange(n_owners + 1)))


def run_sums(values: NDArray[Any], sizes: IntArray) -> NDArray[Any]:
    """Sum the values of each run, given how many each has; marks are counted. An empty run has 0.

    Sums of whole numbers are exact. Others are added up in an order that hangs on the size of the run alone.

    Examples
    --------
    >>> run_sums(np.array([1, 2, 3]), np.array([2, 0, 1])).tolist()
    [3, 0, 3]
    """
    kind, starts = np.intp if values.dtype == bool else values.dtype, np.cumsum(sizes) - sizes
    if sizes.all():  # as mostly
        return np.add.reduceat(values, starts, dtype=kind) if sizes.size else np.zeros(0, kind)
    sums, some = np.zeros(sizes.size, kind), np.flatnonzero(sizes)
    if some.size:
        sums[some] = np.add.reduceat(values, starts.take(some), dtype=kind)
    return sums
