"""Attempts: outputs of one system on one topic (samples, runs, seeds), whose mean is the score of the cell."""

from __future__ import annotations

from collections.abc import Mapping
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
    """The attempts of a measure that were averaged.

    Attributes
    ----------
    cells : SharedLists
        ``n_attempts`` of each cell, and of each table ``is_pass_or_fail``, whether every score was 0 or 1.
    scores : SharedLists
        The columns of their scores, with what names the cell; empty where raters gave them.
    """

    cells: SharedLists
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
    >>> attempts["passed"]["cells"]["n_attempts"], attempts["passed"]["scores"]["score"]
    ([2, 1], [1.0, 0.0, 1.0])
    """
    keys = [name for name in ratings.columns if name not in (ATTEMPT, "score")]
    scores = ratings.groupby(keys, sort=False)["score"]
    cells = scores.mean().reset_index()
    n_attempts = scores.count().to_numpy()
    attempts: dict[str, Attempts] = {}
    for measure, rows in cells[n_attempts > 0].groupby("metric", sort=False).groups.items():
        if n_attempts[rows].max() > 1:
            scored = ratings[ratings["metric"] == measure].dropna(subset="score")
            is_pass_or_fail = bool(scored["score"].isin([0.0, 1.0]).all())
            names = [] if "assessor" in keys else [*keys, "score"]
            attempts[str(measure)] = {
                "cells": SharedLists(n_attempts=n_attempts[rows].tolist(), is_pass_or_fail=[is_pass_or_fail]),
                "scores": SharedLists({name: scored[name].tolist() for name in names}),
            }
    return cells, attempts


def describe_attempts(attempts: Mapping[str, Attempts]) -> str:
    """Say how many attempts a topic has; ``""`` if none were averaged."""
    counts = [n for parts in attempts.values() for n in parts["cells"]["n_attempts"]]
    return describe_counts(min(counts), max(counts)) if counts else ""


def describe_counts(min_attempts: int, max_attempts: int) -> str:
    """Say how many attempts a topic has."""
    return f"{max_attempts if min_attempts == max_attempts else f'{min_attempts} to {max_attempts}'} attempts a topic"
