"""The whole way: from a configuration to predictors, predictions and their assessment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from classy_aesop.config import Config, Run, check_config
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import InputError
from classy_aesop.training.assess import assess, baselines, predict
from classy_aesop.training.cautions import cautions, guard
from classy_aesop.training.extract import YearData, extract
from classy_aesop.training.intervals import intervals
from classy_aesop.training.record import TrainedRun, trained_run
from classy_aesop.training.refit import refit
from classy_aesop.training.runs import plan_runs
from classy_aesop.training.search import Searches, search
from classy_aesop.training.select import select
from classy_aesop.training.task import TrainingTask, protocol_of, training_tasks


@dataclass(frozen=True)
class Experiment:
    """All results of one experiment.

    Parameters
    ----------
    config : Config
        What was asked for, defaults included.
    protocol : str
        ``fit-select-predict``, ``rolling`` or ``leave-one-year-out`` (three years or more), ``folds-predict`` (two) or
        ``folds-only`` (one).
    trained : tuple of TrainedRun
        One a run.
    predictions : DataFrame
        Score table of the predicted year.
    assessment : DataFrame
        Correlations with the judgments of the predicted year, ROUGE's beside each run's; empty if it is not judged.
    notes : tuple of str
        What was left out and why, and what is easily misread.
    """

    config: Config
    protocol: str
    trained: tuple[TrainedRun, ...]
    predictions: pd.DataFrame
    assessment: pd.DataFrame
    notes: tuple[str, ...]


def train(
    config: Config,
    corpora: Mapping[str, Corpus] | None = None,
    *,
    n_jobs: int = 1,
    progress: bool = False,
) -> Experiment:
    """Do the whole experiment.

    Parameters
    ----------
    config : Config
        From `read_config`, or made in Python.
    corpora : mapping of str to Corpus, optional
        Years that come from memory, by name; the others are read from their paths.
    n_jobs : int
        Workers; the results do not depend on it.
    progress : bool
        Show progress bars on standard error.

    Raises
    ------
    InputError
        Data that cannot be read or that allow no run.
    """
    check_config(config)
    years = extract(config, corpora, n_jobs=n_jobs, progress=progress)
    shared = guard(config, years)
    runs, left_out = plan_runs(config, years)
    trained, without = train_predictors(config, years, runs, n_jobs=n_jobs, progress=progress)
    if not trained:
        raise InputError("no run is left: " + "; ".join(without))
    predictions = predict(trained, years[-1])
    rouge = baselines([one.run for one in trained], years[-1])
    assessment = assess(trained, predictions, rouge, years[-1])
    notes = (*shared, *left_out, *cautions(config, years, runs), *without)
    return Experiment(config, protocol_of(config, len(years)), trained, predictions, assessment, notes)


def train_predictors(
    config: Config, years: Sequence[YearData], runs: Sequence[Run], *, n_jobs: int = 1, progress: bool = False
) -> tuple[tuple[TrainedRun, ...], tuple[str, ...]]:
    """Train a predictor for each run; a search that several runs share is done once, for all their targets.

    Returns
    -------
    trained : tuple of TrainedRun
    notes : tuple of str
        Which fitters, and so which runs, found no subset whose predictions vary.
    """
    tasks = training_tasks(config, years, runs)
    return train_runs(tasks, search(tasks, n_jobs=n_jobs, progress=progress))


def train_runs(
    tasks: Iterable[TrainingTask], searches: Searches, *, with_intervals: bool = True
) -> tuple[tuple[TrainedRun, ...], tuple[str, ...]]:
    """Select, refit and measure, run by run.

    ``searches`` are those of `search` for the same data and options, of which ``choose`` and ``refit`` alone may
    differ. Without intervals nothing is refitted on folds.

    Returns
    -------
    trained : tuple of TrainedRun
    notes : tuple of str
        As for `train_predictors`.
    """
    trained: list[TrainedRun] = []
    notes: list[str] = []
    for task in tasks:
        selection, without = select(task, searches)
        notes += without
        if selection is None:
            continue
        refitted = refit(task, selection)
        calibration = intervals(task, selection) if with_intervals else None
        trained.append(trained_run(task, selection, refitted, calibration))
    return tuple(trained), tuple(notes)
