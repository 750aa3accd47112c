"""One experiment over several seeds and both fit levels: mean and spread of every correlation.

With seeded cuts in the configuration (`cut`), each seed divides the topics into years differently, so the spread is
due to the choice of topics. It is not a standard error, since the cuts share topics.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.config import Config
from classy_aesop.studies.settings import learned_by
from classy_aesop.training.experiment import train

ROWS = ["task", "peers", "target", "metric", "fit_level", "level", "coefficient"]
"""The columns that identify a row of the result."""


def repeats(
    config: Config,
    *,
    method: str | None = None,
    seeds: int = 10,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Mean and spread of every correlation of an experiment with the seeds 1 to N, at both fit levels."""
    changed = learned_by(config, method)
    return mean_and_spread(over_seeds(changed, range(1, seeds + 1), n_jobs=n_jobs, progress=progress))


def over_seeds(
    config: Config,
    seeds: Iterable[int],
    *,
    fit_levels: Sequence[str] = ("summary", "system"),
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Train once per seed and fit level; return all assessments, with the columns ``seed`` and ``fit_level``."""
    from tqdm import tqdm

    jobs = [(seed, level) for seed in seeds for level in fit_levels]
    tables = []
    for seed, level in tqdm(jobs, disable=not progress, unit="experiment"):
        search = dataclasses.replace(config.search, fit_level=level)
        experiment = train(dataclasses.replace(config, seed=seed, search=search), n_jobs=n_jobs)
        tables.append(experiment.assessment.assign(seed=seed, fit_level=level))
    return pd.concat(tables, ignore_index=True)


def mean_and_spread(assessments: pd.DataFrame) -> pd.DataFrame:
    """Mean, standard deviation (n - 1), minimum and maximum of each correlation over the seeds.

    ROUGE does not depend on the fit level; it has one row, with the fit level ``-``.
    """
    rouge = assessments["metric"].str.startswith("ROUGE")
    distinct = assessments.assign(fit_level=assessments["fit_level"].mask(rouge, "-"))
    distinct = distinct.drop_duplicates([*ROWS, "seed"])
    values = distinct.groupby(ROWS, sort=False)["value"]
    return values.agg(["mean", "std", "min", "max", "count"]).reset_index()
