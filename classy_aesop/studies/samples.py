"""Training on many made-up samples: how the predictor compares with ROUGE when only the seed changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.generator import Sizes, generate
from classy_aesop.studies.repeats import mean_and_spread
from classy_aesop.training.experiment import train

YEARS = ("2021", "2022", "2023")


def samples(*, seeds: int = 20, n_jobs: int = 1, progress: bool = False) -> pd.DataFrame:
    """Mean and spread of every correlation of run 25 on the made-up samples of the seeds 1 to N."""
    return mean_and_spread(over_samples(range(1, seeds + 1), n_jobs=n_jobs, progress=progress))


def over_samples(
    seeds: Iterable[int],
    *,
    fit_levels: Sequence[str] = ("summary", "system"),
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Make three years for each seed, and train run 25 of 2011 on them (task A, all peers) at each fit level.

    Returns
    -------
    DataFrame
        All assessments, with the columns ``seed`` and ``fit_level``.
    """
    from tqdm import tqdm

    run = RunTable("25", "responsiveness", "canonical", tasks=("A",), peers=("all_peers",), calibrate=False)
    tables = []
    for seed in tqdm(list(seeds), disable=not progress, unit="sample"):
        corpora = made_years(seed)
        for level in fit_levels:
            config = Config(
                tuple(map(Year, YEARS)), runs=(run,), search=SearchOptions.of("classy2011", fit_level=level)
            )
            experiment = train(config, corpora, n_jobs=n_jobs)
            tables.append(experiment.assessment.assign(seed=seed, fit_level=level))
    return pd.concat(tables, ignore_index=True)


TAC_SIZE = Sizes(n_topics=44, n_systems=50, n_humans=8, n_references=4, tasks=("A",), enough=0.6)
"""Years of the size of TAC's, in which humans reach the top of the scale of responsiveness."""


def made_years(seed: int, sizes: Sizes | None = None) -> dict[str, Corpus]:
    """Make three years of judged summaries, by default of the sample's size; a dictionary by year."""
    made = {name: generate(seed, year=name, **(sizes or {})) for name in YEARS}
    return {name: Corpus.from_records(year.summaries, year.judgments) for name, year in made.items()}
