"""Metric against metric, every ordered pair: does the first correlate better with humans than the second?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from classy_aesop.analysis.families import warn_of_few_resamples
from classy_aesop.analysis.pairing import Grid, judged_grids, measured, with_enough
from classy_aesop.errors import UsageError
from classy_aesop.running.progress import by_workers, counted
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.significance.base import N_RESAMPLES
from classy_aesop.significance.choices import Correction, TestOfMetrics
from classy_aesop.significance.metric_tests import TESTS, MetricTest
from classy_aesop.significance.multiplicity import adjusted_matrix

SAME = ("difference", "statistic", "n", "p", "flag", "n_resamples", "n_dropped")
"""Fields of `MetricComparison` that are columns here under their own names."""

COLUMNS = [
    "year",
    "task",
    "target",
    "level",
    "coefficient",
    "first",
    "second",
    "r_first",
    "r_second",
    "difference",
]
COLUMNS += ["statistic", "n", "p", "p_by_first", "p_overall", "flag", "test", "correction", "n_resamples"]
COLUMNS += ["n_dropped", "seed"]
"""The columns of a comparison."""

_AT_ONCE = 12  # pairs of metrics that a worker tests with the same exchanges


def compare_metrics(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    *,
    metric_test: TestOfMetrics = "perm-both",
    levels: Sequence[str] = ("system",),
    coefficients: Sequence[str] = ("pearson",),
    correction: Correction = "holm",
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Test every ordered pair of metrics: does the first correlate better with humans than the second?

    Parameters
    ----------
    scores, judgments, target, metrics, year, task
        As for :func:`classy_aesop.analysis.pairing.judged_grids`.
    metric_test : str
        A name of ``TESTS`` in :mod:`classy_aesop.significance.metric_tests`.
    levels, coefficients : sequence of str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    correction : str
        As for :func:`classy_aesop.significance.multiplicity.adjusted`, for both families below.
    n_resamples, seed : int
        Of the tests that resample. All pairs of a year, task, level and coefficient use the same resamples, both ways.
    n_jobs, progress
        As in all of :mod:`classy_aesop.analysis`.

    Returns
    -------
    DataFrame
        A row an ordered pair: ``year, task, target, level, coefficient, first, second, r_first, r_second,
        difference, statistic, n`` (points correlated), ``p`` (one-sided), ``p_by_first`` (corrected for the tests
        with the same first metric), ``p_overall`` (corrected for all pairs of the year, task, level and
        coefficient, of which only the direction with the smaller p is tested; else missing), ``flag, test,
        correction, n_resamples, n_dropped, seed`` (no seed where the test does not resample).

    Raises
    ------
    UsageError
        There is no such test, target, metric, year or task.
    InputError
        Fewer than two metrics, or no instance is in both tables.
    """
    if metric_test not in TESTS:
        raise UsageError(f"metric_test is {metric_test!r}; expected one of {', '.join(TESTS)}")
    grids = judged_grids(scores, judgments, target, metrics=metrics, year=year, task=task)
    enough = with_enough({(grid.year, grid.task): len(grid.metrics) for grid in grids}, 2, "metrics")
    kept = [grid for grid in grids if (grid.year, grid.task) in enough]
    test = TESTS[metric_test]
    if test.resamples:
        n_metrics = max(len(grid.metrics) for grid in kept)
        warn_of_few_resamples(n_resamples, n_metrics * (n_metrics - 1) // 2, correction=correction)
    places = [(grid, *which) for grid in kept for which in measured(levels, coefficients)]
    parts = [(place, pairs) for place, (grid, *_) in enumerate(places) for pairs in _parts(len(grid.metrics))]
    work = ((*places[place], pairs, test, n_resamples, seed) for place, pairs in parts)
    done = by_workers(_tested, work, n_jobs=n_jobs if len(parts) > 1 else 1)
    n_pairs = sum(len(pairs) for _, pairs in parts)
    rows: dict[tuple[int, int, int], dict[str, object]] = {}
    with counted("metrics", n_pairs, "pairs", shown=progress) as tell:
        for (place, pairs), found in zip(parts, done, strict=True):
            ordered = [(place, *way) for i, j in pairs for way in ((i, j), (j, i))]
            rows |= dict(zip(ordered, found, strict=True))
            tell(len(pairs))
    table = pd.DataFrame([rows[which] for which in sorted(rows)])
    return _corrected(table, correction).assign(target=target, test=metric_test)[COLUMNS]


def _parts(n_metrics: int) -> list[list[tuple[int, int]]]:
    """Cut the pairs of metrics into what a worker tests at once."""
    pairs = list(combinations(range(n_metrics), 2))
    return [pairs[start : start + _AT_ONCE] for start in range(0, len(pairs), _AT_ONCE)]


def _tested(
    grid: Grid,
    level: str,
    coefficient: str,
    pairs: list[tuple[int, int]],
    test: MetricTest,
    n_resamples: int,
    seed: int,
) -> list[dict[str, object]]:
    """Test pairs of metrics in one year and task, both ways; give the columns that need no other pair."""
    ids = {"year": grid.year, "task": grid.task, "level": level, "coefficient": coefficient}
    names = list(grid.metrics)
    found = test.both_ways(
        list(grid.metrics.values()),
        grid.truth,
        pairs,
        level=level,
        coefficient=coefficient,
        n_resamples=n_resamples,
        rng=seeded_rng(seed, *ids.values()),
    )
    used = seed if test.resamples else pd.NA
    return [
        {
            **ids,
            "first": names[first],
            "second": names[second],
            "r_first": one.first,
            "r_second": one.second,
            "seed": used,
        }
        | {name: getattr(one, name) for name in SAME}
        for both, (i, j) in zip(found, pairs, strict=True)
        for one, first, second in ((both[0], i, j), (both[1], j, i))
    ]


def _corrected(table: pd.DataFrame, correction: str) -> pd.DataFrame:
    """Correct the p-values of every year, task, level and coefficient, in both groupings."""
    table = table.astype({"seed": "Int64"}).assign(correction=correction, p_by_first=np.nan, p_overall=np.nan)
    for _, rows in table.groupby(["year", "task", "level", "coefficient"], sort=False):
        P = rows.pivot(index="first", columns="second", values="p")
        places = P.index.get_indexer(pd.Index(rows["first"])), P.columns.get_indexer(pd.Index(rows["second"]))
        for column, family in (("p_by_first", "rows"), ("p_overall", "smaller")):
            adjusted = adjusted_matrix(P.to_numpy(), family=family, correction=correction)
            table.loc[rows.index, column] = adjusted[places]
    return table
