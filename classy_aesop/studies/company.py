"""What references add to predictions, and what they lose in small company: groups of the systems of the last year.

A predictor is learned three times from the same years: with all references, with the first of each topic, and without.
The systems of the last year are dealt at random into groups, each of which is predicted as if there were no others.
Beside the predictors stand ROUGE-2, the divergence from the source documents where there are some, and each feature of
the consensus of peers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from classy_aesop.baselines import js_documents
from classy_aesop.config import Config, Place, RunTable, Year
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.data import Topic
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.features.columns import ordered
from classy_aesop.running.progress import counted
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.scores import KEYS
from classy_aesop.scores.correlations import joined_matrices
from classy_aesop.significance.base import is_significant
from classy_aesop.significance.correlation import correlation
from classy_aesop.studies.samples import TAC_SIZE, YEARS, made_years
from classy_aesop.studies.some_systems import only_systems, systems_of, with_other_systems
from classy_aesop.training.assess import permuted
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.extract import extract, extract_year
from classy_aesop.training.groups import SIZES, dealt
from classy_aesop.training.predict import PredictedRun, baselines, predict
from classy_aesop.training.task import plan_runs, training_tasks
from classy_aesop.training.trained import TrainedRun
from classy_aesop.training.years import YearData

ALL = "all"
"""The company of all systems."""

LEVELS = ("system", "input")
"""The levels of correlation."""

WITH, ONE, WITHOUT = "all references", "one reference", "no reference"
"""What a predictor is learned with, and compares with."""

CONSENSUS = tuple(ordered(["consensus"]))
"""The features that depend on who else is there."""

BEST = "best of consensus"
"""The feature of the consensus that does best on the very data."""

ROWS = ["task", "peers", "target", "scorer", "company", "level"]
"""The columns that identify a row of the result."""


def company(
    config: Config | None = None,
    *,
    seeds: int = 10,
    other_systems: bool = False,
    tac_size: bool = False,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare predictions with, with one and without references, in groups of 3, 5, 8 and 16 systems and of all.

    Parameters
    ----------
    config : Config, optional
        Two years or more, divided by the seed; what learns is the default method. Without it each seed makes years.
    seeds : int
        How many, from 1.
    other_systems : bool
        Whether the systems of the last year are left out of the others (`with_other_systems`).
    tac_size : bool
        Whether made-up years have the size of TAC's.
    n_jobs, progress
        As for `train`.

    Returns
    -------
    DataFrame
        A row for each of `ROWS`: ``mean`` over the seeds of Pearson's correlation with the human scores, itself the
        mean over groups; ``std`` (n - 1), ``n_seeds``, ``n_groups`` (a seed); ``gain`` over the predictor without
        references; ``better`` and ``worse``, on how many seeds with a p-value of at most .05 (PERM-BOTH, two-sided, 999
        resamples, all systems); ``metric``, what the scorer is: `BEST` names a feature for each level and company.

    Raises
    ------
    UsageError
        If other systems are wanted without a configuration, or years of TAC's size with one, or there is one year.
    """
    if config is None and other_systems:
        raise UsageError("--other-systems is for a CONFIG; made-up years have other systems anyway")
    if config is not None and tac_size:
        raise UsageError("--tac-size is for made-up years; expected no CONFIG")
    tables = []
    with counted("company", seeds, "seeds", shown=progress) as advance:
        for seed in range(1, seeds + 1):
            corpora = made_years(seed, TAC_SIZE if tac_size else None) if config is None else {}
            tables.append(of_seed(learning(config, seed), corpora, other_systems, n_jobs).assign(seed=seed))
            advance()
    return summarized(pd.concat(tables, ignore_index=True))


def learning(config: Config | None, seed: int) -> Config:
    """Let the default method learn each target once, from texts alone."""
    if config is None:
        runs = tuple(RunTable(name, name, tasks=("A",)) for name in ("responsiveness", "pyramid"))
        return Config(tuple(map(Year, YEARS)), runs=runs, seed=seed)
    if len(config.years) < 2:
        raise UsageError("found one year; expected two or more, of which the last is predicted")
    targets = dict.fromkeys((run.target, run.tasks, run.peers) for run in config.runs)
    runs = tuple(RunTable(target, target, tasks=tasks, peers=peers) for target, tasks, peers in targets)
    search = replace(config.search.learning_by("classy2027"), extra=())
    return replace(config, runs=runs, search=search, seed=seed, preset=None)


def of_seed(config: Config, corpora: Mapping[str, Corpus], other_systems: bool, n_jobs: int) -> pd.DataFrame:
    """Learn in each way, and assess on groups of the systems of the last year."""
    years = extract(config, corpora, n_jobs=n_jobs)
    learned = []
    for name, changed, given in _ways(config, years, n_jobs):
        part = with_other_systems(given, config.seed) if other_systems else given
        tasks = training_tasks(changed, part, plan_runs(changed, part)[0])
        learned.append(_Learned(name, train_runs(tasks, n_jobs=n_jobs, with_intervals=False)[0], part[-1]))
    rows = list(_assessed(learned, config.seed))
    return pd.DataFrame(rows)


def _ways(
    config: Config, years: Sequence[YearData], n_jobs: int
) -> Iterator[tuple[str, Config, Sequence[YearData]]]:
    """Give years with all references, with one where some topic has more, and without."""

    def again(given: Callable[[Topic], Topic], changed: Config) -> tuple[YearData, ...]:
        whole: dict[str, Any] = {"topics": None, "pattern": None, "cut": None, "references": None}
        return tuple(
            extract_year(
                one.corpus.with_topics(tuple(map(given, one.corpus.topics))),
                replace(year, **whole, exclude_peers=()),
                changed,
                one.source,
                n_jobs=n_jobs,
            )
            for one, year in zip(years, config.years, strict=True)
        )

    yield WITH, config, years
    if any(len(topic.references) > 1 for year in years for topic in year.corpus.topics):
        yield ONE, config, again(lambda topic: replace(topic, references=topic.references[:1]), config)
    bare = replace(config, features=replace(config.features, references="none"))
    yield WITHOUT, bare, again(lambda topic: topic, bare)


@dataclass(frozen=True)
class _Learned:
    """Predictors that were learned in one way, and the year that they predict."""

    name: str
    trained: Sequence[TrainedRun]
    year: YearData

    def predict(self, systems: Sequence[str]) -> tuple[PredictedRun, ...]:
        """Predict some systems, and the humans, as if there were no others."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # that the company is small is what is asked
            return predict(self.trained, only_systems(self.year, systems))


def _assessed(learned: Sequence[_Learned], seed: int) -> Iterator[dict[str, Any]]:
    """Correlate what each scorer says of each group, with p-values among all systems."""
    year = learned[-1].year
    systems = systems_of(year)
    metrics = _metrics(learned[0].trained, year)
    sizes: dict[str, int] = {str(size): size for size in SIZES if size < len(systems)}
    for name, size in (sizes | {ALL: len(systems)}).items():
        groups = dealt(systems, size, seed)
        found = [row for group in groups for row in _of_group(learned, group, metrics, seed, name == ALL)]
        table = pd.DataFrame(found).groupby(
            [one for one in (*ROWS, "metric") if one != "company"], sort=False
        )
        means = table.agg(value=("value", "mean"), p=("p", "first"), n_groups=("value", "count"))
        for row in means.reset_index().to_dict("records"):
            yield {**{str(key): value for key, value in row.items()}, "company": name}


def _metrics(trained: Sequence[TrainedRun], year: YearData) -> dict[Place, dict[str, pd.DataFrame]]:
    """Score a year by ROUGE-2, and by the divergence from the documents of the topics that have some."""
    topics = [topic for topic in year.corpus.topics if topic.documents]
    of_documents = js_documents(topics, jackknife=False).groupby("metric") if topics else ()
    divergences = {str(name): scores for name, scores in of_documents}
    rouges = baselines([one.run for one in trained], year)
    return {
        place: {"ROUGE-2": found[found["metric"] == "ROUGE-2"], **divergences}
        for place, found in rouges.items()
    }


def _of_group(
    learned: Sequence[_Learned],
    systems: Sequence[str],
    metrics: Mapping[Place, Mapping[str, pd.DataFrame]],
    seed: int,
    tested: bool,
) -> Iterator[dict[str, Any]]:
    """Give a row for each target, scorer and level."""
    every = {one.name: one.predict(systems) for one in learned}
    for at, without in enumerate(every[WITHOUT]):
        run, keys = without.run, without.features[KEYS]
        scorers = {name: (name, runs[at].scores) for name, runs in every.items()}
        scorers |= {name: (name, scores) for name, scores in metrics[run.place].items()}
        scorers |= {name: (BEST, keys.assign(score=without.features[name])) for name in CONSENSUS}
        for metric, (scorer, scores) in scorers.items():
            ids = {"task": run.task, "peers": run.peers, "target": run.target, "scorer": scorer}
            for level in LEVELS:
                p = _p(scores, without, level, seed) if tested and scorer not in (WITHOUT, BEST) else None
                value = _correlation(scores, without.truth, level)
                yield {**ids, "metric": metric, "level": level, "value": value, "p": p}


def _correlation(scores: pd.DataFrame, truth: pd.DataFrame, level: str) -> float:
    both = joined_matrices(scores, truth)
    return float("nan") if both is None else float(correlation(*both, level=level).value)


def _p(scores: pd.DataFrame, without: PredictedRun, level: str, seed: int) -> float | None:
    """Test whether a scorer and the predictor without references correlate with humans equally well."""
    rng = seeded_rng(seed, "company", without.run.label, level)
    found = permuted(scores, without.scores, without.truth, level=level, rng=rng)
    return None if found is None else float(found.p)


def summarized(table: pd.DataFrame) -> pd.DataFrame:
    """Average over the seeds; the columns are those of `company`."""
    by = [one for one in ROWS if one != "scorer"]
    plain = table[table["scorer"] == WITHOUT].set_index([*by, "seed"])["value"]
    gain = table["value"] - plain.reindex(pd.MultiIndex.from_frame(table[[*by, "seed"]])).to_numpy()
    significant = is_significant(table["p"].astype(float))
    counted_ = table.assign(gain=gain, better=significant & (gain > 0), worse=significant & (gain < 0))
    means = counted_.groupby([*ROWS, "metric"], sort=False).agg(
        mean=("value", "mean"),
        std=("value", "std"),
        n_seeds=("value", "count"),
        n_groups=("n_groups", "mean"),
        gain=("gain", "mean"),
        n_tested=("p", "count"),
        better=("better", "sum"),
        worse=("worse", "sum"),
    )
    best = means.reset_index().sort_values("mean", ascending=False, kind="stable").drop_duplicates(ROWS)
    return best.sort_index(ignore_index=True)
