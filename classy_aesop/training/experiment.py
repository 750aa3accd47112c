"""All steps in order: from a configuration to predictors, predictions and their assessment."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import pandas as pd

from classy_aesop.config import Config, TaskPeers, Year, check_config, make_config, measures_of
from classy_aesop.config.from_corpora import divide_years
from classy_aesop.data import KEYS
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import NOTE, InputError, UsageError, join_names
from classy_aesop.keywords import explain_keywords
from classy_aesop.predictor import Predictor
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.given_tables import CorpusData, ensure_corpus
from classy_aesop.training.assess import (
    add_intervals,
    assess,
    baseline_scores,
    compare_with_rival,
    contribution_spreads,
    predict_year,
    prediction_points,
)
from classy_aesop.training.plan import Plan, PlannedRun, plan_experiment, protocol_of
from classy_aesop.training.predictors import TrainedRun
from classy_aesop.training.runs import train_runs
from classy_aesop.training.years import YearData, extract
from classy_aesop.work.options import Fields, GivenColumns
from classy_aesop.work.workers import progress_bar

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Experiment:
    """All results of one experiment.

    Parameters
    ----------
    config : Config
        The configuration, defaults included.
    protocol : str
        ``fit-select-predict`` or ``leave-one-year-out`` (three years or more), ``folds-predict`` (two) or
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
    columns : mapping, optional
        What columns of the table are that was learned from, where their names do not say so.

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
    columns: GivenColumns | None = None

    @property
    def predictions(self) -> pd.DataFrame:
        """Score table of the predicted year."""
        return drop_empty_stratum_columns(self.points[[*KEYS, "metric", "score"]])

    @property
    def predictors(self) -> dict[str, Predictor]:
        """The predictors by their names, one a run."""
        return {trained.predictor.name: trained.predictor for trained in self.trained}

    def choose_predictor(self, target: str | None = None) -> Predictor:
        """Give the predictor of a target.

        Parameters
        ----------
        target : str, optional
            The human measure; by default the only one that was learned.

        Returns
        -------
        Predictor
            Of several for different peer sets that for systems alone.

        Raises
        ------
        UsageError
            There is none of this target, or there are several.
        """
        predictors = [trained.predictor for trained in self.trained]
        targets = list(dict.fromkeys(predictor.target for predictor in predictors))
        if target is None and len(targets) > 1:
            raise UsageError(f"target is missing; expected one of {join_names(targets, limit=20)}")
        if target is not None and target not in targets:
            raise UsageError(f"no predictor of {target!r}; expected one of {join_names(targets, limit=20)}")
        fitting = [predictor for predictor in predictors if target in (None, predictor.target)]
        of_systems = [predictor for predictor in fitting if predictor.peers == "no_models"] or fitting
        if len(of_systems) > 1:
            names = join_names((predictor.name for predictor in of_systems), limit=20)
            raise UsageError(
                f"several predictors: {names}; expected one of them, as experiment.predictors[NAME]"
            )
        return of_systems[0]

    def predict(
        self,
        data: CorpusData,
        *,
        target: str | None = None,
        columns: GivenColumns | None = None,
        confidence: float | None = None,
    ) -> pd.DataFrame:
        """Score summaries with the predictor of a target, see `Predictor.predict`.

        Parameters
        ----------
        data : DataFrame, Corpus or path-like
            The summaries.
        target : str, optional
            The human measure; by default the only one that was learned.
        columns : mapping, optional
            What columns of a table are, where their names do not say so; by default as `train` was told, if the table
            has such columns.
        confidence : float, optional
            That of an interval for each score.
        """
        if columns is None and self.columns is not None and hasattr(data, "columns"):
            columns = self._columns_in(data.columns)
        corpus = ensure_corpus(data, columns=columns)
        return self.choose_predictor(target).predict(corpus, confidence=confidence)

    def _columns_in(self, names: Collection[str]) -> Fields | None:
        """Give those of the named columns that a table has; None if it has none of them."""
        existing = {
            role: tuple(name for name in ([value] if isinstance(value, str) else value) if name in names)
            for role, value in (columns_by_role(self.columns) or {}).items()
        }
        return {role: columns for role, columns in existing.items() if columns} or None

    def save(self, path: str | Path, *, target: str | None = None) -> None:
        """Write the predictor of a target, see `Predictor.save`."""
        self.choose_predictor(target).save(path)

    def __repr__(self) -> str:
        """Write what was learned from which years, and how well it predicted the last one, in a few lines."""
        names = list(self.predictors)
        *learned, predicted = [year.name for year in self.config.years]
        by = f"{len(names)} predictor{'s' * (len(names) != 1)} ({join_names(names)})"
        head = f"Experiment({self.protocol}: {by}, learned on {', '.join(learned or [predicted])}"
        if self.verdict.empty:
            return f"{head}; {predicted} is not judged)"
        best = self.verdict.iloc[int(self.verdict["value"].argmax())]
        return (
            f"{head};\n    on {predicted} {best['metric']} correlates best with human means: {best['value']:z.3f}, "
            f"{best['against']} {best['rival']:z.3f})"
        )


@explain_keywords(
    features="train(Config(years, runs=(RunTable(NAME, TARGET, names=FEATURES),)))",
    fitter="train(Config(years, runs=(RunTable(NAME, TARGET, fitter=...),)))",
    metric="target=",
)
def train(
    data: Config | CorpusData,
    corpora: Mapping[str, Corpus] | None = None,
    *,
    target: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    task: str | None = None,
    peers: str | None = None,
    seed: int | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Experiment:
    """Run an experiment: learn from all years but the last, and predict and assess the last.

    Parameters
    ----------
    data : Config, DataFrame, Corpus or path-like
        A configuration, from `read_config` or made in Python; or judged summaries, for which one is made: a table with
        a row a summary, a corpus, or what `read_corpus` reads. The last of several years is predicted; a single one is
        predicted by folds of its topics.
    corpora : mapping of str to Corpus, optional
        Years of a configuration that come from memory, by name; the others are read from their paths.
    target : str, or sequence of str, optional
        The human measures to predict; by default the only one. A configuration names its own.
    columns : mapping, optional
        What columns of a table are, where their names do not say so, see `Corpus.from_rows`.
    task, peers : str, optional
        Only this task and this peer set.
    seed : int, optional
        Of whatever is random; by default 0. A configuration has its own.
    n_jobs : int
        Workers; the results do not depend on it.
    progress : bool
        Show progress bars on standard error.

    Raises
    ------
    InputError
        Data that cannot be read or that allow no run.
    UsageError
        It is no data; or a target, a task or a peer set is not there, or is named beside a configuration.

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
    if isinstance(data, Config):
        if any(value is not None for value in (target, columns, task, peers, seed)):
            raise UsageError("a configuration has its own target, columns, task, peers and seed")
        config = data
    else:
        config, corpora = _configure(data, target, columns, task=task, peers=peers, seed=seed or 0)
    check_config(config)
    years = extract(config, corpora, n_jobs=n_jobs, progress=progress)
    measures = dict.fromkeys(chain(*(year.judgments for year in years)))
    _LOG.log(NOTE, "human measures: %s", join_names(measures, limit=20))
    plan = plan_experiment(config, years)
    trained, notes = train_runs(plan.runs, n_jobs=n_jobs, progress=progress)
    if not trained:
        raise InputError("no run is left: " + "; ".join(notes))
    notes = (*plan.notes, *notes)
    return _assess_runs(config, plan, trained, years[-1], notes, columns, n_jobs=n_jobs, progress=progress)


def _configure(
    data: CorpusData,
    target: str | Sequence[str] | None,
    columns: GivenColumns | None,
    *,
    task: str | None,
    peers: str | None,
    seed: int,
) -> tuple[Config, dict[str, Corpus]]:
    """Make a configuration for judged summaries, as the command does for a corpus."""
    corpus = ensure_corpus(data, columns=columns)
    years, corpora = divide_years(corpus, Year)
    measures = measures_of(corpora.values())
    targets = [target] if isinstance(target, str) else target
    if targets is None:
        if len(measures) != 1:
            expected = f"one of {join_names(measures, limit=20)}" if measures else "judged summaries"
            raise UsageError(f"target is missing; expected {expected}")
        targets = measures
    config = make_config(
        years,
        corpora,
        targets,
        tasks=None if task is None else (task,),
        peers=None if peers is None else (peers,),
        seed=seed,
    )
    return config, corpora


def _assess_runs(
    config: Config,
    plan: Plan,
    trained: tuple[TrainedRun, ...],
    last_year: YearData,
    notes: tuple[str, ...],
    columns: GivenColumns | None,
    *,
    n_jobs: int,
    progress: bool,
) -> Experiment:
    """Predict the last year, and compare the predictions with its judgments, ROUGE-2 and the runs for comparison."""
    with progress_bar("predict", 4, "steps", shown=progress) as advance:
        advance(0, "ROUGE of the predicted year")
        rouge_scores = baseline_scores([trained_run.run for trained_run in trained], last_year)
        advance(1, "predict")
        predicted = predict_year(trained, last_year, rouge_scores)
        advance(1, "assess")
        assessment = add_intervals(assess(predicted))
        advance(1, "compare with ROUGE-2")
        verdict = compare_with_rival(predicted, assessment, seed=config.seed)
        advance()
    by_default = train_default_runs(plan.defaults, last_year, rouge_scores, seed=config.seed, n_jobs=n_jobs)
    return Experiment(
        config=config,
        protocol=protocol_of(config),
        trained=trained,
        points=prediction_points(predicted),
        assessment=assessment,
        verdict=verdict,
        contributions=contribution_spreads(predicted),
        notes=notes,
        by_default=by_default,
        columns=columns,
    )


def train_default_runs(
    planned_runs: Sequence[PlannedRun],
    last_year: YearData,
    rouge_scores: Mapping[TaskPeers, pd.DataFrame],
    *,
    seed: int,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Train the default method beside a preset, and compare its predictions with ROUGE-2."""
    if not planned_runs:
        return pd.DataFrame()
    try:
        trained, _ = train_runs(planned_runs, with_intervals=False, n_jobs=n_jobs)
    except InputError:
        return pd.DataFrame()
    if not trained:
        return pd.DataFrame()
    predicted = predict_year(trained, last_year, rouge_scores)
    return compare_with_rival(predicted, assess(predicted), seed=seed)
