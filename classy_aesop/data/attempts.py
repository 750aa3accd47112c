"""Attempts: outputs of one system on one topic (samples, runs, seeds), whose mean is the score of the cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    import pandas as pd

ATTEMPT = "attempt"
"""The column that numbers attempts, until they are averaged; ``""`` where a score is of no attempt."""


class SharedLists(dict[str, list[Any]]):
    """Lists by name. Copies of a table share them: pandas copies them often, and they can be long."""

    def __deepcopy__(self, _: dict[int, Any]) -> SharedLists:
        return self


def join_lists(*tables: Mapping[Any, list[Any]]) -> SharedLists:
    """Join the lists of several tables: of scores of attempts, of topics and their clusters, of lengths."""
    names = dict.fromkeys(name for table in tables for name in table)
    return SharedLists({name: [cell for table in tables for cell in table.get(name, ())] for name in names})


class Attempts(TypedDict):
    """How many attempts of a measure were averaged, whether each score was 0 or 1, and the scores.

    Attributes
    ----------
    fewest, most : int
        The fewest and the most scores of a cell.
    n_scores, n_cells : int
        Scores and cells in all.
    is_pass_or_fail : bool
        Whether every score was 0 or 1.
    scores : SharedLists
        The columns of their scores, with what names the cell; empty where raters gave them.
    """

    fewest: int
    most: int
    n_scores: int
    n_cells: int
    is_pass_or_fail: bool
    scores: SharedLists


def average_attempts(ratings: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Attempts]]:
    """Average the attempts of each topic, system, measure and rater, but for missing scores.

    Examples
    --------
    >>> import pandas as pd
    >>> ratings = pd.DataFrame({"topic": ["t", "t", "t"], "summarizer": ["a", "a", "b"], "metric": "passed",
    ...                         "attempt": ["1", "2", "1"], "score": [1.0, 0.0, 1.0]})
    >>> cells, attempts = average_attempts(ratings)
    >>> cells["score"].tolist()
    [0.5, 1.0]
    >>> attempts["passed"]["most"], attempts["passed"]["scores"]["score"]
    (2, [1.0, 0.0, 1.0])
    """
    keys = [name for name in ratings.columns if name not in (ATTEMPT, "score")]
    scores = ratings.groupby(keys, sort=False)["score"]
    cells = scores.mean().reset_index()
    n_attempts = scores.count().to_numpy()
    is_filled = n_attempts > 0
    attempts: dict[str, Attempts] = {}
    for measure, rows in cells[is_filled].groupby("metric", sort=False).indices.items():
        counts = n_attempts[is_filled][rows]
        if counts.max() > 1:
            scored = ratings[ratings["metric"] == measure].dropna(subset="score")
            attempts[str(measure)] = {
                "fewest": int(counts.min()),
                "most": int(counts.max()),
                "n_scores": int(counts.sum()),
                "n_cells": len(counts),
                "is_pass_or_fail": bool(scored["score"].isin([0.0, 1.0]).all()),
                "scores": SharedLists(
                    {name: scored[name].tolist() for name in (*keys, "score") if "assessor" not in keys}
                ),
            }
    return cells, attempts


def join_attempts(tables: Iterable[Mapping[str, Attempts]]) -> dict[str, Attempts]:
    """Join how many attempts were averaged in several tables."""
    joined: dict[str, Attempts] = {}
    for attempts in tables:
        for measure, counts in attempts.items():
            if measure not in joined:
                joined[measure] = counts
                continue
            earlier = joined[measure]
            joined[measure] = {
                "fewest": min(earlier["fewest"], counts["fewest"]),
                "most": max(earlier["most"], counts["most"]),
                "n_scores": earlier["n_scores"] + counts["n_scores"],
                "n_cells": earlier["n_cells"] + counts["n_cells"],
                "is_pass_or_fail": earlier["is_pass_or_fail"] and counts["is_pass_or_fail"],
                "scores": join_lists(earlier["scores"], counts["scores"]),
            }
    return joined


def describe_average(ratings: pd.DataFrame, attempts: Mapping[str, Attempts]) -> str:
    """Say which attempts of a table were averaged; ``""`` if no cell has two."""
    if not attempts:
        return ""
    return f"{describe_attempts(attempts)} were averaged{describe_labels(ratings[ATTEMPT].unique())}"


def describe_attempts(attempts: Mapping[str, Attempts]) -> str:
    """Say how many attempts a topic has, where any were averaged.

    Examples
    --------
    >>> counts = {"fewest": 2, "most": 5, "n_scores": 7, "n_cells": 2, "is_pass_or_fail": True}
    >>> describe_attempts({"passed": counts})
    '2 to 5 attempts a topic'
    """
    if not attempts:
        return ""
    fewest = min(counts["fewest"] for counts in attempts.values())
    return describe_counts(fewest, max(counts["most"] for counts in attempts.values()))


def describe_counts(min_attempts: int, max_attempts: int) -> str:
    """Say how many attempts a topic has."""
    return f"{max_attempts if min_attempts == max_attempts else f'{min_attempts} to {max_attempts}'} attempts a topic"


def describe_labels(labels: Iterable[str]) -> str:
    """Give the first and the last number of attempts in brackets; ``""`` where they are not numbers.

    Examples
    --------
    >>> describe_labels(["10", "9", ""]), describe_labels(["first", "second"])
    (' (9 to 10)', '')
    """
    filled = {label for label in labels if label}
    if not filled or not all(map(str.isdecimal, filled)):
        return ""
    numbers = sorted(map(int, filled))
    return f" ({numbers[0]} to {numbers[-1]})"
