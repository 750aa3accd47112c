"""What two score tables share, laid out for tests: a year and task at a time, never pooled."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import KEYS, matrix, mean_ratings, named, natural, of_scored_tasks, tidied
from classy_aesop.errors import DataWarning, InputError, UsageError, listed
from classy_aesop.significance.correlation import has

_LOG = logging.getLogger(__name__)

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Grid:
    """One year and task: human scores and those of several metrics, on the same rows and columns.

    Attributes
    ----------
    year, task : str
    summarizers, topics : tuple of str
        The names of rows and columns, in natural order: those of the instances that both tables score.
    truth : ndarray, shape (n_summarizers, n_topics)
        Human scores; NaN where missing.
    metrics : dict of str to ndarray, shape (n_summarizers, n_topics)
        Scores by each metric that has some here, the names in natural order.
    """

    year: str
    task: str
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    truth: FloatArray
    metrics: dict[str, FloatArray]


def judged_grids(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
) -> list[Grid]:
    """Lay metrics out beside one human measure.

    Parameters
    ----------
    scores, judgments : DataFrame
        Score tables, joined by ids; ratings by several assessors are averaged. Instances that only one of them
        scores are left out with a `DataWarning`.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Those wanted; by default all.
    year, task
        As in all of :mod:`classy_aesop.analysis`.

    Raises
    ------
    UsageError
        There is no such target, metric, year or task.
    InputError
        No instance is in both tables.
    """
    scores, judgments = mean_ratings(tidied(scores)), mean_ratings(tidied(judgments, of_humans=True))
    truth = only(judgments, "metric", [target], what="target").dropna()
    selected = of_scored_tasks(in_place(only(scores, "metric", metrics), year, task))
    truth = in_place(truth, year, task)
    check_pairing(selected, truth)
    shared = truth.merge(selected[KEYS].drop_duplicates(), on=KEYS)
    scores_by_place = places(selected.merge(shared[KEYS], on=KEYS))
    return [_grid(place, rows, scores_by_place[place]) for place, rows in places(shared).items()]


def _grid(place: tuple[str, str], truth: pd.DataFrame, scores: pd.DataFrame) -> Grid:
    values, summarizers, topics = matrix(truth.assign(metric=""), "")
    names = sorted(set(scores["metric"]), key=natural)
    laid = {name: _on(summarizers, topics, *matrix(scores, name)) for name in names}
    return Grid(*place, summarizers, topics, values, laid)


def _on(
    summarizers: tuple[str, ...],
    topics: tuple[str, ...],
    values: FloatArray,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
) -> FloatArray:
    """Place a matrix with its own rows and columns on a larger grid; NaN elsewhere."""
    grid = np.full((len(summarizers), len(topics)), np.nan)
    at = [summarizers.index(name) for name in rows], [topics.index(name) for name in columns]
    grid[np.ix_(*at)] = values
    return grid


def measured(levels: Sequence[str], coefficients: Sequence[str]) -> list[tuple[str, str]]:
    """Give every level with every coefficient that it has; UsageError for a coefficient that none of them has."""
    found = [(level, name) for level in levels for name in coefficients if has(level, name)]
    for name in coefficients:
        if name not in {coefficient for _, coefficient in found}:
            raise UsageError(f"no {name} at level {listed(list(levels))}; expected level system")
    return found


def places(frame: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Part a table by year and task, in natural order."""
    groups = {(str(year), str(task)): rows for (year, task), rows in frame.groupby(["year", "task"])}
    return {place: groups[place] for place in sorted(groups, key=lambda place: tuple(map(natural, place)))}


def only(
    frame: pd.DataFrame, column: str, wanted: Sequence[str] | None, *, what: str | None = None
) -> pd.DataFrame:
    """Keep the rows whose column holds one of the wanted values (None: all); UsageError lists the known."""
    if wanted is None:
        return frame
    known = sorted(set(frame[column]), key=natural)
    for name in wanted:
        if name not in known:
            raise UsageError(f"no {what or column} {name!r}; known: {listed(known, most=40) or 'none'}")
    return frame[frame[column].isin(wanted)]


def in_place(frame: pd.DataFrame, year: str | None, task: str | None) -> pd.DataFrame:
    """Keep one year, one task or both (None: all); UsageError lists the known."""
    frame = only(frame, "year", None if year is None else [year])
    return only(frame, "task", None if task is None else [task])


def with_enough(parts: Mapping[tuple[str, str], int], least: int, what: str) -> set[tuple[str, str]]:
    """Give the years and tasks that hold enough of something to compare; a `DataWarning` names the others.

    Parameters
    ----------
    parts : mapping of (year, task) to int
        How many there are.
    least : int
        The smallest number that is enough.
    what : str
        What is counted, for the message.

    Raises
    ------
    InputError
        None does.
    """
    few = [f"{_place(place)} {n}" for place, n in parts.items() if n < least]
    message = f"too few {what} to compare ({listed(few) or 'none'}); expected {least} or more"
    if len(few) == len(parts):
        raise InputError(message)
    if few:
        warnings.warn(f"left out: {message}", DataWarning, stacklevel=3)
    return {place for place, n in parts.items() if n >= least}


def _place(place: tuple[str, str]) -> str:
    return f"{'-'.join(filter(None, place))}:" if any(place) else "there:"


def check_pairing(scores: pd.DataFrame, judgments: pd.DataFrame) -> None:
    """Say which instances only one of two tables has; InputError if they share none."""
    ours, theirs = (set(table[KEYS].itertuples(index=False, name=None)) for table in (scores, judgments))
    if not ours & theirs:
        raise InputError(
            f"no instance is in both tables: scores have {_ids(ours)}; judgments have {_ids(theirs)} "
            "(year, topic, task, summarizer)"
        )
    _LOG.info("%d instances are in both tables", len(ours & theirs))
    for kind, rest in (
        ("scores without a judgment", ours - theirs),
        ("judgments without a score", theirs - ours),
    ):
        if rest:
            warnings.warn(f"{len(rest)} {kind} are left out: {_ids(rest)}", DataWarning, stacklevel=3)


def check_once(ratings: pd.DataFrame) -> None:
    """Raise InputError if an assessor rates a summary twice by one measure."""
    again = ratings[ratings.duplicated([*KEYS, "metric", "assessor"])]
    if len(again):
        one = again.iloc[0]
        raise InputError(
            f"{named(one[KEYS])}: {one['metric']} is given twice by assessor {one['assessor']!r}; expected once"
        )


def _ids(keys: set[tuple[str, ...]]) -> str:
    return listed(["/".join(key) for key in sorted(keys)], most=3)
