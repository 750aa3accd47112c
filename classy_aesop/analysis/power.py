"""How many topics would show a difference between two summarizers? From scores that are already there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import FloatArray, in_place, only, places
from classy_aesop.data import matrix, mean_ratings, natural, tidied
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import UsageError
from classy_aesop.significance.choices import Preset, Test
from classy_aesop.significance.topics_needed import topics_needed
from classy_aesop.work.progress import by_workers, watched
from classy_aesop.work.seeding import seeded_rng

MOST_PAIRS = 10
"""Most pairs that are planned for by default: each takes a second or two."""

COLUMNS = ["year", "task", "metric", "first", "second", "n_observed", "observed", "difference"]
COLUMNS += ["n_topics", "low", "high", "power", "error", "flag"]
COLUMNS += ["test", "preset", "alpha", "wanted", "n_trials", "seed"]
"""The columns of `plan_topics`."""


def plan_topics(
    scores: pd.DataFrame,
    metric: str,
    difference: float,
    *,
    systems: Sequence[str] | None = None,
    power: float = 0.8,
    test: Test = "wilcoxon",
    preset: Preset = "standard",
    alpha: float = 0.05,
    year: str | None = None,
    task: str | None = None,
    max_topics: int = 2_000,
    n_trials: int = 2_000,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Say for pairs of summarizers how many topics show that their means differ.

    Parameters
    ----------
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    metric : str
        The metric or human measure that a future evaluation will use.
    difference : float
        Mean of the first less mean of the second that should be seen; not 0.
    systems : sequence of str, optional
        Summarizers whose pairs are planned for, two or more; by default all, if that makes few pairs.
    power : float
        Wanted share of evaluations that find the difference, between ``alpha`` and 1.
    test, preset, alpha, max_topics, n_trials
        As for :func:`classy_aesop.significance.topics_needed.topics_needed`; nothing is corrected for several pairs.
    seed : int
        Of the trials.
    year, task, n_jobs, progress
        As in all of :mod:`classy_aesop.analysis`.

    Returns
    -------
    DataFrame
        A row a year, task and pair: ``year, task, metric, first, second, n_observed`` (topics that both wrote),
        ``observed`` (their mean difference now), ``difference, n_topics, low, high`` (between which the number lies
        for 95 % of what so few topics leave possible, in spite of Monte Carlo error), ``power, error`` (at
        ``n_topics``, with its Monte Carlo standard error), ``flag, test, preset, alpha, wanted, n_trials, seed``.
        Without an answer ``n_topics`` is missing and ``flag`` says why.

    Raises
    ------
    UsageError
        There is no such metric, year, task or summarizer; too many pairs and none named; a difference of 0, or not
        0 < alpha < power < 1.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3, 4] * 2, "system": sorted("ab" * 4)})
    >>> table["quality"] = [5, 4, 5, 3, 3, 3, 4, 4]
    >>> found = plan_topics(table, "quality", difference=1, n_trials=200)
    >>> found[["first", "second", "observed", "n_topics"]].values.tolist()
    [['a', 'b', 0.75, 11]]
    """
    _check(difference, alpha, power)
    rows = in_place(only(mean_ratings(tidied(scores)), "metric", [metric]).dropna(), year, task)
    pairs = _pairs(rows, systems)
    how = _Plan(difference, power, test, preset, alpha, max_topics, n_trials, seed)
    work = [((*place, metric, *pair), group) for place, group in places(rows).items() for pair in pairs]
    done = by_workers(how.of, work, n_jobs=n_jobs)
    found = watched(done, "topics needed", "pairs", shown=progress, total=len(work))
    table = pd.DataFrame(list(found)).assign(preset=preset, seed=seed)
    types = dict.fromkeys(["n_topics", "low", "high"], "Int64")
    return without_empty_places(table.rename(columns={"target": "wanted"}).astype(types)[COLUMNS])


@dataclass(frozen=True)
class _Plan:
    """What should be seen, and how it is tested."""

    difference: float
    power: float
    test: str
    preset: str
    alpha: float
    max_topics: int
    n_trials: int
    seed: int

    def of(self, names: tuple[str, ...], rows: pd.DataFrame) -> dict[str, object]:
        """Plan for one pair of one year and task."""
        x, y = _scores_of(rows, names[2], names[3:])
        found = topics_needed(
            x,
            y,
            self.difference,
            target=self.power,
            test=self.test,
            preset=self.preset,
            alpha=self.alpha,
            max_topics=self.max_topics,
            n_trials=self.n_trials,
            rng=seeded_rng(self.seed, *names),
        )
        both = (x - y)[~np.isnan(x - y)]
        ids = dict(zip(("year", "task", "metric", "first", "second"), names, strict=True))
        return {**ids, **found.to_dict(), "observed": float(both.mean()) if len(both) else math.nan}


def _check(difference: float, alpha: float, power: float) -> None:
    if difference == 0 or not math.isfinite(difference):
        raise UsageError(f"difference is {difference}; expected a number that is not 0")
    if not 0 < alpha < power < 1:
        raise UsageError(f"alpha is {alpha} and power {power}; expected 0 < alpha < power < 1")


def _pairs(rows: pd.DataFrame, systems: Sequence[str] | None) -> list[tuple[str, str]]:
    """Give the pairs asked for, or all if they are few."""
    if systems is None:
        names = sorted(set(rows["summarizer"]), key=natural)
        n_pairs = math.comb(len(names), 2)
        if not 0 < n_pairs <= MOST_PAIRS:
            raise UsageError(
                f"{len(names)} summarizers make {n_pairs} pairs; name two or more to plan for (systems)"
            )
        return list(itertools.combinations(names, 2))
    if len(set(systems)) < max(2, len(systems)):
        raise UsageError(f"systems are {', '.join(systems)}; expected two or more different ones")
    only(rows, "summarizer", systems)
    return list(itertools.combinations(systems, 2))


def _scores_of(rows: pd.DataFrame, metric: str, pair: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """Give the scores of two summarizers on the same topics; NaN for one who is not there."""
    X, summarizers, topics = matrix(rows, metric)
    absent = np.full(len(topics), np.nan)
    x, y = (X[summarizers.index(name)] if name in summarizers else absent for name in pair)
    return x, y
