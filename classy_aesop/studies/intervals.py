"""The coverage of a predictor's intervals on a year that it was not trained on."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

from classy_aesop.config import Config, Run, RunTable, Year
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import groups_of
from classy_aesop.scores.places import with_places
from classy_aesop.studies.samples import YEARS, made_years
from classy_aesop.studies.settings import learned_by
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.extract import extract
from classy_aesop.training.task import plan_runs, training_tasks
from classy_aesop.training.years import YearData

ROWS = ["task", "peers", "target", "metric", "group", "of"]
"""The columns that identify a row of the result."""

SAMPLE = Config(
    years=tuple(map(Year, YEARS)),
    runs=tuple(RunTable(name, name) for name in ("responsiveness", "pyramid", "readability")),
)
"""The configuration for made-up samples: each measure, tasks A and B, with and without humans."""


def intervals(
    config: Config | None = None,
    *,
    seeds: int = 10,
    confidence: float = 0.9,
    method: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Say how often intervals of predictions hold the judgments of the last year, with the seeds 1 to N."""
    numbers = range(1, seeds + 1)
    found = over_cuts(config, numbers, confidence=confidence, method=method, n_jobs=n_jobs, progress=progress)
    return mean_coverage(found)


def over_cuts(
    config: Config | None,
    seeds: Iterable[int],
    *,
    confidence: float = 0.9,
    method: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Train once per seed, and count how many judgments of the last year lie in their intervals.

    Parameters
    ----------
    config : Config, optional
        Two or three years, divided by the seed. Without it, each seed makes its own sample, with `SAMPLE`.
    seeds : iterable of int
        The seeds, which replace that of the configuration.
    confidence : float
        Confidence of the intervals, 0 to 1.
    method : str, optional
        A key of `METHODS`; by default the method of the configuration.
    n_jobs : int
        Number of parallel workers.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each seed, predictor, ``group`` (``systems`` or ``humans``) and ``of``, which is ``summaries`` or
        ``means`` (of summarizers): ``count``, the number of judgments; ``covered``, the share in their intervals;
        ``width``, the mean width; and ``outside``, the share of summaries with a feature outside the predictor's
        training range.

    Raises
    ------
    InputError
        If there is only one year, or no predictor has both intervals and judgments to compare with.
    """
    from tqdm import tqdm

    rows: list[dict[str, object]] = []
    for seed in tqdm(list(seeds), disable=not progress, unit="seed"):
        corpora = made_years(seed) if config is None else {}
        changed = learned_by(dataclasses.replace(config or SAMPLE, seed=seed), method)
        rows.extend({"seed": seed, **row} for row in _covered(changed, corpora, confidence, n_jobs))
    if not rows:
        raise InputError("no predictor has intervals and judgments of the last year; expected one or more")
    return pd.DataFrame(rows)


def mean_coverage(found: pd.DataFrame) -> pd.DataFrame:
    """Average over seeds for each predictor; ``std`` is the standard deviation (n - 1) of the coverage."""
    groups = found.groupby(ROWS, sort=False)
    return groups.agg(
        seeds=("seed", "nunique"),
        covered=("covered", "mean"),
        std=("covered", "std"),
        width=("width", "mean"),
        outside=("outside", "mean"),
    ).reset_index()


def _covered(
    config: Config, corpora: Mapping[str, Corpus], confidence: float, n_jobs: int
) -> Iterator[dict[str, object]]:
    years = extract(config, corpora, n_jobs=n_jobs)
    if len(years) < 2:
        raise InputError("found one year; expected two or three, of which the last is predicted")
    tasks = training_tasks(config, years, plan_runs(config, years)[0])
    trained, _ = train_runs(tasks, n_jobs=n_jobs)
    for one in trained:
        judged = _judged(one.predictor, one.run, years[-1], confidence)
        about = {
            "task": one.run.task,
            "peers": one.run.peers,
            "target": one.run.target,
            "metric": one.run.name,
        }
        if judged is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DataWarning)  # the year is another one on purpose
                means = _means(one.predictor, judged, confidence)
            for group in judged["group"].unique():
                for of, table in (("summaries", judged), ("means", means)):
                    yield {**about, "group": group, "of": of, **_counted(table[table["group"] == group])}


def _judged(predictor: Predictor, run: Run, year: YearData, confidence: float) -> pd.DataFrame | None:
    """Predict a year's judged summaries, with intervals; None without intervals or judgments."""
    part = year.places[run.place]
    if predictor.calibration is None or predictor.training_range is None or run.target not in part.judgments:
        return None
    predictor.calibrated().of_summary(confidence)
    found = with_places(predictor.score(part.features, unmet=year.unmet))
    found = found.assign(group=groups_of(part.features["human"]))
    half = predictor.half_widths(found, confidence)
    values = part.features[list(predictor.columns)].to_numpy(float)
    found = found.assign(
        truth=part.judgments[run.target].to_numpy(),
        low=found["score"] - half,
        high=found["score"] + half,
        outside=np.asarray(predictor.training_range.beyond(values).any(axis=1)),
    )
    return found.dropna(subset=["truth", "score"])


def _means(predictor: Predictor, judged: pd.DataFrame, confidence: float) -> pd.DataFrame:
    found = with_places(predictor.means(judged, interval=confidence))
    groups = ["year", "task", "summarizer"]
    truth = judged.groupby(groups, sort=False).agg(truth=("truth", "mean"), outside=("outside", "mean"))
    return found.merge(truth.reset_index(), on=groups, validate="one_to_one")


def _counted(table: pd.DataFrame) -> dict[str, object]:
    return {
        "count": len(table),
        "covered": float(table["truth"].between(table["low"], table["high"]).mean()),
        "width": float((table["high"] - table["low"]).mean()),
        "outside": float(np.mean(table["outside"])),
    }
