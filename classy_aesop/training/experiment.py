"""The whole way: from a configuration to predictors, predictions and their assessment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from classy_aesop.config import Config, check_config
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import InputError
from classy_aesop.training.assess import assess, baselines, predict
from classy_aesop.training.extract import extract
from classy_aesop.training.learn import Learned, learn
from classy_aesop.training.protocols import guard, protocol_of
from classy_aesop.training.runs import plan


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
    learned : tuple of Learned
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
    learned: tuple[Learned, ...]
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
    shared = guard(config, years, corpora)
    runs, notes = plan(config, years)
    learned, without = learn(config, years, runs, n_jobs=n_jobs, progress=progress)
    if not learned:
        raise InputError("no run is left: " + "; ".join(without))
    last = years[-1]
    predictions = predict(learned, last)
    assessment = assess(learned, predictions, baselines([one.run for one in learned], last), last)
    return Experiment(
        config, protocol_of(config, len(years)), learned, predictions, assessment, (*shared, *notes, *without)
    )
