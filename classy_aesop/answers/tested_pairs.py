"""Tables of tested pairs, by scores or by preferences: the columns and rows that both have, of pairs and of systems."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.data import natural
from classy_aesop.errors import UsageError, join_names, warn
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
UNSEEN = setting(
    "unseen", "the difference that the tests would show with a power of 0.8", "float", shown="never"
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
LIMITS_OF_SYSTEM = (
    estimate("p_least", "least corrected p that the data allow one of the differences", shown="never"),
    count("n_used", "most topics, or nonzero differences, that a test used", shown="never"),
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


def check_baselines(
    baselines: Iterable[str],
    names_by_stratum: Iterable[tuple[str, Collection[str]]],
    noun: str = "summarizer",
) -> None:
    """Raise UsageError for a baseline that is none of the names; warn where some strata lack it."""
    strata = list(names_by_stratum)
    for baseline in baselines:
        lacking = [stratum for stratum, names in strata if baseline not in names]
        if len(lacking) == len(strata):
            all_names = sorted({name for _, names in strata for name in names}, key=natural)
            raise UsageError(f"no {noun} {baseline!r}; expected one of {join_names(all_names, limit=20)}")
        if lacking:
            warn(f"left out: no scores of the baseline {baseline!r} in {join_names(dict.fromkeys(lacking))}")


def all_pairs(n: int) -> IntArray:
    """Pair every one of some systems with every later one, (n_pairs, 2)."""
    return np.stack(np.triu_indices(n, k=1), axis=1)


def pair_with_baselines(names: Sequence[str], baselines: Iterable[str]) -> list[tuple[int, int]]:
    """Pair every other name with each baseline that is among the names, by their positions; two baselines once.

    Examples
    --------
    >>> pair_with_baselines(["a", "b", "c"], ["b", "a"])
    [(0, 1), (2, 1), (2, 0)]
    """
    numbers = [names.index(name) for name in baselines if name in names]
    return [
        (row, number)
        for position, number in enumerate(numbers)
        for row in range(len(names))
        if row not in numbers[: position + 1]
    ]


def system_columns(tests: Differences, n_systems: int) -> dict[str, NDArray[Any]]:
    """Give how many differences of each system no test decides and why, and what limits p: the least, and topics."""
    directed = tests.both_ways()
    untested = np.flatnonzero(directed.is_untested)
    reasons: list[dict[str, None]] = [{} for _ in range(n_systems)]
    for pair in untested:
        reasons[directed.first[pair]][str(directed.flag[pair])] = None
    flags = np.array(["; ".join(names) for names in reasons], dtype=object)
    return {
        "untested": np.bincount(directed.first[untested], minlength=n_systems),
        "flag": flags,
        "p_least": np.full(n_systems, tests.p_least.min()),
        "n_used": np.full(n_systems, tests.n_used.max()),
    }
