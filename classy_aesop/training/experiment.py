"""All steps in order: from a configuration to predictors, predictions and their assessment."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain

import pandas as pd

from classy_aesop.config import Config, check_config
from classy_aesop.data import KEYS
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import NOTE, InputError, about_data, listed
from classy_aesop.training.assess import (
    assess,
    baselines,
    contributions,
    points,
    predict,
    verdict,
    with_intervals,
)
from classy_aesop.training.fits import Errors, TrainedRun, log_run, trained_run
from classy_aesop.training.intervals import intervals
from classy_aesop.training.plan import TrainingTask, plan
from classy_aesop.training.search import Searches, search, select
from classy_aesop.training.years import extract
from classy_aesop.work.workers import progress_bar

_LOG = logging.getLogger(__name__)


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
    points : DataFrame
        Every prediction of the last year with its interval and the human score, see `classy_aesop.training.assess`.
    assessment : DataFrame
        Correlations with the judgments of the predicted year, ROUGE's beside each run's, with Fisher's 95 % intervals
        for system means; empty if it is not judged.
    verdict : DataFrame
        Each run against ROUGE-2, with a p-value, see `classy_aesop.training.assess`.
    contributions : DataFrame
        How much each column of a predictor moves its predictions.
    notes : tuple of str
        What was left out and why, and what is easily misread.
    by_default : DataFrame
        For the runs of a preset: the verdict of the default method on the same targets; else empty.

    Examples
    --------
    >>> from classy_aesop.config import RunTable, Year
    >>> rows = pd.read_csv("classy_aesop/sample/tutorial/spring.csv")
    >>> run = RunTable("one", "responsiveness", fitter="ridge", names=("r1",), whole=True)
    >>> config = Config((Year("early"), Year("late")), peers=("no_models",), runs=(run,))
    >>> found = train(config, {"early": Corpus.from_rows(rows[:48]), "late": Corpus.from_rows(rows[48:96])})
    >>> found.points[["topic", "summarizer", "score", "judged"]].head(2).round(2).values.tolist()
    [['D2105', 'system-01', 3.79, 3.0], ['D2105', 'system-02', 3.48, 3.0]]
    """

    config: Config
    protocol: str
    trained: tuple[TrainedRun, ...]
    points: pd.DataFrame
    assessment: pd.DataFrame
    verdict: pd.DataFrame
    contributions: pd.DataFrame
    notes: tuple[str, ...]
    by_default: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def predictions(self) -> pd.DataFrame:
        """Score table of the predicted year."""
        return without_empty_places(self.points[[*KEYS, "metric", "score"]])

    def _repr_html_(self) -> str:
        """Show a notebook what was predicted and how well, escaped."""
        shown = ["run", "target", "task", "peers", "value", "rival", "difference", "p_adjusted"]
        names = {"value": "correlation", "rival": "ROUGE-2", "p_adjusted": "p (Holm)"}
        table = self.verdict[shown].rename(columns=names)
        years = ", ".join(escape(year.name) for year in self.config.years)
        head = f"<p>{escape(self.protocol)} on {years}: system means against human scores (Pearson)</p>"
        return head + table.to_html(index=False, na_rep="-", float_format="{:.3f}".format, border=0)


def train(
    config: Config, corpora: Mapping[str, Corpus] | None = None, *, n_jobs: int = 1, progress: bool = False
) -> Experiment:
    """Run an experiment: learn from all years but the last, and predict and assess the last.

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

    Examples
    --------
    >>> from classy_aesop.config import RunTable, Year
    >>> place = "classy_aesop/sample/tutorial"
    >>> spring, autumn = (pd.read_csv(f"{place}/{name}.csv").head(60) for name in ("spring", "autumn"))
    >>> run = RunTable("three", "responsiveness", fitter="ridge", names=("r1", "r2", "su4"), whole=True)
    >>> config = Config((Year("spring"), Year("autumn")), peers=("no_models",), runs=(run,))
    >>> corpora = {"spring": Corpus.from_rows(spring), "autumn": Corpus.from_rows(autumn)}
    >>> found = train(config, corpora)
    >>> found.trained[0].predictor.columns
    ('r2', 'su4', 'r1')
    >>> found.verdict[["metric", "against", "value", "rival"]].round(3).values.tolist()
    [['three-no_models', 'ROUGE-2', 0.685, 0.585]]
    """
    check_config(config)
    years = extract(config, corpora, n_jobs=n_jobs, progress=progress)
    measures = dict.fromkeys(chain(*(year.judgments for year in years)))
    _LOG.log(NOTE, "human measures: %s", listed(measures, most=20))
    tasks, defaults, notes = plan(config, years)
    trained, without = train_runs(tasks, n_jobs=n_jobs, progress=progress)
    if not trained:
        raise InputError("no run is left: " + "; ".join(without))
    with progress_bar("predict", 4, "steps", shown=progress) as advance:
        advance(0, "ROUGE of the predicted year")
        rouges = baselines([one.run for one in trained], years[-1])
        advance(1, "predict")
        by_default = train_runs(defaults, with_intervals=False)[0] if defaults else ()
        predicted, others = predict(trained, years[-1], rouges), predict(by_default, years[-1], rouges)
        advance(1, "assess")
        assessment = with_intervals(assess(predicted))
        advance(1, "compare with ROUGE-2")
        found = verdict(predicted, assessment, seed=config.seed)
        of_defaults = verdict(others, assess(others), seed=config.seed) if others else pd.DataFrame()
        advance()
    return Experiment(
        config=config,
        protocol=tasks[0].protocol,
        trained=trained,
        points=points(predicted, years[-1].corpus.ratings),
        assessment=assessment,
        verdict=found,
        contributions=contributions(predicted),
        notes=(*notes, *without),
        by_default=of_defaults,
    )


def train_runs(
    tasks: Sequence[TrainingTask],
    searches: Searches | None = None,
    *,
    with_intervals: bool = True,
    n_jobs: int = 1,
    progress: bool = False,
) -> tuple[tuple[TrainedRun, ...], tuple[str, ...]]:
    """Train a predictor for each task: select, measure and refit, run by run.

    ``searches`` are those of `search` for the same data and options, of which ``choose`` and ``refit`` alone may
    differ; by default they are done here, and once where several runs share them. Without intervals nothing is refitted
    on folds. Notes say which fitters, and so which runs, found no subset whose predictions vary.
    """
    if searches is None:
        searches = search(tasks, n_jobs=n_jobs, progress=progress)
    trained: list[TrainedRun] = []
    notes: list[str] = []
    with progress_bar("runs", len(tasks), "runs", shown=progress) as advance:
        for task in tasks:
            advance(0, f"run {task.run.label}")
            with about_data():
                selection, without = select(task, searches)
            notes += without
            if selection is not None:
                errors = intervals(task, selection) if with_intervals else Errors()
                with about_data():
                    trained.append(trained_run(task, selection, errors))
                log_run(trained[-1])
            advance()
    return tuple(trained), tuple(notes)
