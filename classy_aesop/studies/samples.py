"""The main job on many made-up samples: how the predictor compares with ROUGE when only the seed changes."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.generator import generate
from classy_aesop.pipeline.experiment import train

YEARS = ("2021", "2022", "2023")


def over_samples(
    seeds: Iterable[int], *, fit_level: str = "summary", n_jobs: int = 1, progress: bool = False
) -> pd.DataFrame:
    """Make three years a seed and run 25 of 2011 on them (task A, all peers); give all assessments with ``seed``."""
    from tqdm import tqdm

    run = RunTable("25", "responsiveness", "canonical", tasks=("A",), peers=("all_peers",), calibrate=False)
    years = tuple(Year(name) for name in YEARS)
    config = Config(years=years, runs=(run,), search=SearchOptions(fit_level=fit_level))
    tables = []
    for seed in tqdm(list(seeds), disable=not progress, unit="sample"):
        experiment = train(config, made_years(seed), n_jobs=n_jobs)
        tables.append(experiment.assessment.assign(seed=seed, fit_level=fit_level))
    return pd.concat(tables, ignore_index=True)


def made_years(seed: int) -> dict[str, Corpus]:
    """Make three years of judged summaries, by name."""
    made = {name: generate(seed, year=name) for name in YEARS}
    return {name: Corpus.from_records(year.summaries, year.judgments) for name, year in made.items()}
