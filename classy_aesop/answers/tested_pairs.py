"""Tables of tested pairs, by scores or by preferences: the columns and rows that both have, of pairs and of systems."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.data import natural
from classy_aesop.errors import UsageError, join_names
from classy_aesop.significance.base import IntArray
from classy_aesop.significance.differences import Differences
from classy_aesop.tables.result_columns import (
    MAIN,
    SELDOM,
    Column,
    count,
    estimate,
    interval,
    p_value,
    setting,
)

ENDS_OF_DIFFERENCE = (
    *interval("low", "high", "the interval of the test itself, of confidence 1 - alpha", cell="difference"),
    *interval("low_all", "high_all", "the interval that holds for all pairs together", shown="on request"),
)
CLUSTERED_BY = setting(
    "clustered_by", "what several topics lie in, by which errors are clustered", shown="never"
)
DECISION = (
    p_value("p", "of the test", priority=SELDOM, unless_equal="p_adjusted"),
    p_value("p_adjusted", "corrected for all pairs", is_corrected=True, priority=MAIN),
    estimate("significant", "whether p_adjusted is at most alpha", "bool", priority=MAIN),
)
P_LEAST_OF_PAIR = estimate(
    "p_least", "least corrected p that the data allow; 0 without a limit", shown="never"
)
UNDECIDED_OF_SYSTEM = (
    estimate(
        "comparable",
        "summarizers of one number can be compared; ranks are within it",
        "int",
        shown="if varying",
    ),
    count("untested", "differences of it that no test decides", shown="if varying"),
)
P_LEAST_OF_SYSTEM = estimate(
    "p_least", "least corrected p that the data allow one of the differences", shown="never"
)


def rank_columns(by: str) -> tuple[Column, ...]:
    """Declare the columns of :class:`classy_aesop.significance.differences.Ranking`, by what summarizers are ranked."""
    return (
        estimate(
            "cluster",
            "each summarizer of a lower one is significantly better than each one in it",
            "int",
            shown="on request",
        ),
        estimate("rank", by, "int", priority=MAIN),
        *interval(
            "best_rank",
            "worst_rank",
            "the ranks that the tests leave open: 1 + losses to the number of summarizers less wins",
            "int",
            cell="rank",
            priority=MAIN,
        ),
        estimate("wins", "summarizers that it is significantly better than", "int", shown="on request"),
        estimate("losses", "summarizers that it is significantly worse than", "int", shown="on request"),
    )


def pair_columns(tests: Differences, systems: Sequence[str], alpha: float) -> dict[str, ArrayLike]:
    """Give the columns of tested pairs, by name."""
    return {
        "first": [systems[number] for number in tests.first],
        "second": [systems[number] for number in tests.second],
        "n": tests.n,
        "n_used": tests.n_used,
        "difference": tests.difference,
        "low": tests.low,
        "high": tests.high,
        "low_all": tests.low_all,
        "high_all": tests.high_all,
        "effect": tests.effect,
        "statistic": tests.statistic,
        "p": tests.p,
        "p_adjusted": tests.p_adjusted,
        "flag": tests.flag,
        "p_least": tests.p_least,
        "significant": tests.significant(alpha),
    }


def check_baseline(baseline: str, systems: Collection[str]) -> None:
    """Raise UsageError if there is no such system."""
    if baseline not in systems:
        names = join_names(sorted(systems, key=natural), most=20)
        raise UsageError(f"no summarizer {baseline!r}; expected one of {names}")


def pair_with_baseline(systems: Sequence[str], baseline: str) -> IntArray:
    """Pair each other system with a baseline; gives (n_pairs, 2)."""
    number = systems.index(baseline)
    return np.array([(row, number) for row in range(len(systems)) if row != number], dtype=np.int64)


def system_columns(tests: Differences, n_systems: int) -> dict[str, NDArray[Any]]:
    """Give how many differences of each system no test decides and why, and the least p that any could have."""
    untested = np.zeros(n_systems, dtype=np.int64)
    reasons: list[dict[str, None]] = [{} for _ in range(n_systems)]
    for numbers in (tests.first, tests.second):
        np.add.at(untested, numbers, tests.is_untested)
    for pair in np.flatnonzero(tests.is_untested):
        for system in (tests.first[pair], tests.second[pair]):
            reasons[system][str(tests.flag[pair])] = None
    flags = np.array(["; ".join(names) for names in reasons], dtype=object)
    return {"untested": untested, "flag": flags, "p_least": np.full(n_systems, tests.p_least.min())}
