"""The coverage of confidence intervals of a metric's correlation, measured on score tables.

Deutsch et al. (2021), section 6, Table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.analysis.pairing import judged_grids
from classy_aesop.data import mean_ratings
from classy_aesop.errors import InputError
from classy_aesop.significance.simulations import INTERVALS as METHODS
from classy_aesop.significance.simulations import interval_coverage
from classy_aesop.studies.printed import with_printed
from classy_aesop.work.seeding import seeded_rng

TABLE = "Deutsch et al. (2021), Table 1"

IDS = ["year", "task", "metric", "target"]
"""The first columns of a row, before the attributes of `Coverage`."""


def table_coverage(
    tables: Sequence[pd.DataFrame],
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    levels: Iterable[str] = ("system", "input"),
    coefficient: str = "pearson",
    methods: Iterable[str] = METHODS,
    confidence: float = 0.95,
    year: str | None = None,
    task: str | None = None,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Share of intervals from one half of the summarizers and topics that contain the other half's correlation.

    Parameters
    ----------
    tables : sequence of DataFrame
        Scores and judgments.
    target, metrics, year, task
        As for :func:`classy_aesop.analysis.pairing.judged_grids`.
    levels : iterable of str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    coefficient, methods, confidence, n_trials, n_resamples
        As for :func:`classy_aesop.significance.simulations.interval_coverage`.
    seed : int
        Every metric and level has its own resamples, which depend on the seed and its name.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each metric, level and method: ``year, task, metric, target``, the attributes of `Coverage`, and
        ``seed``; with ``printed`` where the data are the paper's.

    Raises
    ------
    UsageError
        If the target, a metric, the year or the task does not exist.
    InputError
        If no instance is in both tables.
    """
    from tqdm import tqdm

    grids = judged_grids(tables[0], tables[1], target, metrics=metrics, year=year, task=task)
    jobs = [(grid, name, level) for grid in grids for name in grid.metrics for level in levels]
    if not jobs:
        raise InputError("no metric is left to study; expected one or more")
    rows = []
    for grid, name, level in tqdm(jobs, disable=not progress, unit="metric"):
        ids = dict(zip(IDS, (grid.year, grid.task, name, target), strict=True))
        found = interval_coverage(
            grid.metrics[name],
            grid.truth,
            methods=methods,
            level=level,
            coefficient=coefficient,
            confidence=confidence,
            n_trials=n_trials,
            n_resamples=n_resamples,
            rng=seeded_rng(seed, *ids.values(), level, coefficient),
        )
        rows += [{**ids, **one.to_dict(), "seed": seed} for one in found]
    keys = ["metric", "target", "coefficient", "method", "level"]
    printed, as_there = {"coverage": "printed"}, confidence == 0.95
    return with_printed(pd.DataFrame(rows), mean_ratings(tables[1]), TABLE, keys, printed, as_there=as_there)
