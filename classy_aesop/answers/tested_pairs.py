"""Rows of tables from tested pairs: a row a pair, and what the tests say of each system alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import IntArray
from classy_aesop.significance.differences import Differences

_COLUMNS = (
    *("n", "n_used", "difference", "low", "high", "low_all", "high_all", "effect", "statistic"),
    *("p", "p_adjusted", "flag", "p_least"),
)
"""What the tests of pairs and their tables have under one name."""


def pair_columns(tests: Differences, systems: Sequence[str], alpha: float) -> dict[str, ArrayLike]:
    """Give the columns of tested pairs, by name."""
    return {
        "first": [systems[number] for number in tests.first],
        "second": [systems[number] for number in tests.second],
        **{name: getattr(tests, name) for name in _COLUMNS},
        "significant": tests.significant(alpha),
    }


def system_columns(tests: Differences, n_systems: int) -> dict[str, NDArray[Any]]:
    """Give how many differences of each system no test decides and why, and the least p that one of them could have."""
    untested = np.zeros(n_systems, dtype=np.int64)
    p_least = np.ones(n_systems)
    reasons: list[dict[str, None]] = [{} for _ in range(n_systems)]
    for numbers in (tests.first, tests.second):
        np.add.at(untested, numbers, tests.is_untested)
        np.minimum.at(p_least, numbers, tests.p_least)
    for pair in np.flatnonzero(tests.is_untested):
        for system in (tests.first[pair], tests.second[pair]):
            reasons[system][str(tests.flag[pair])] = None
    flags = np.array(["; ".join(names) for names in reasons], dtype=object)
    return {"untested": untested, "flag": flags, "p_least": p_least}


def largest_of_systems(tests: Differences, values: IntArray, n_systems: int) -> IntArray:
    """Give the largest value of the pairs of each system."""
    largest = np.zeros(n_systems, dtype=np.int64)
    for numbers in (tests.first, tests.second):
        np.maximum.at(largest, numbers, values)
    return largest
