"""The protocol of 2011, each change to it alone, and all changes together, compared over many seeds.

All settings predict the same held-out year, and share searches where possible. On each seed's held-out year, a
setting's gain over the first one (the faithful protocol, that of 2011, or the default before) is tested by PERM-BOTH,
which exchanges every cell independently (Deutsch et al. 2021, Algorithm 2). If the seeds are cuts of one corpus, they
share topics and summarizers, so their p-values are not independent and are only counted. Made-up samples are
independent; there, the mean gain is also tested by a sign flip test.
"""

from __future__ import annotations

import dataclasses
import itertools
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import FloatArray
from classy_aesop.config import Config, RunTable, Year
from classy_aesop.corpus.generator import Sizes
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.features.columns import ordered
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.significance.base import is_significant
from classy_aesop.studies.samples import TAC_SIZE, YEARS, made_years
from classy_aesop.studies.settings import FAITHFUL, SETS, SETTINGS, Setting
from classy_aesop.studies.some_systems import with_other_systems
from classy_aesop.training.assess import RIVAL, assess, permuted
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.extract import extract
from classy_aesop.training.predict import PredictedRun, baselines, predict
from classy_aesop.training.search import Searches, search
from classy_aesop.training.task import TrainingTask, plan_runs, training_tasks
from classy_aesop.training.years import YearData

LEVELS = ("system", "input")
"""The levels at which gains are tested."""

ROWS = ["task", "peers", "target", "run", "setting", "level", "coefficient"]
"""The columns that identify a row of the result."""


def methods(
    config: Config | None = None,
    *,
    seeds: int = 10,
    n_resamples: int = 200,
    other_systems: bool = False,
    tac_size: bool = False,
    settings: Literal["all", "learners", "defaults"] = "all",
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare 2011's protocol with each part of honest learning, on a configuration or on made-up samples.

    Raises
    ------
    UsageError
        If other systems are wanted without a configuration, or years of TAC's size with one.
    """
    if config is None and other_systems:
        raise UsageError("--other-systems is for a CONFIG; made-up years have other systems anyway")
    if config is not None and tac_size:
        raise UsageError("--tac-size is for made-up years; expected no CONFIG")
    numbers = range(1, seeds + 1)
    how: dict[str, Any] = {"n_resamples": n_resamples, "n_jobs": n_jobs, "progress": progress}
    how["settings"] = {name: SETTINGS[name] for name in SETS[settings]}
    if config is None:
        found = over_made(numbers, sizes=TAC_SIZE if tac_size else None, **how)
    else:
        found = over_cuts(config, numbers, other_systems=other_systems, **how)
    return summarized(found, first=SETS[settings][0], independent=config is None)


def over_cuts(
    config: Config,
    seeds: Iterable[int],
    *,
    settings: Mapping[str, Setting] = SETTINGS,
    other_systems: bool = False,
    n_resamples: int = 200,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Train a configuration with each seed in every setting; the columns are those of `compared` and ``seed``.

    With ``other_systems`` the systems of the predicted year are left out of the training years
    (`with_other_systems`).
    """
    from tqdm import tqdm

    tables = []
    for seed in tqdm(list(seeds), disable=not progress, unit="seed"):
        one = dataclasses.replace(config, seed=seed)
        years = extract(with_names(one, settings))
        years = with_other_systems(years, seed) if other_systems else years
        tables.append(
            compared(one, years, settings, n_resamples=n_resamples, n_jobs=n_jobs).assign(seed=seed)
        )
    return pd.concat(tables, ignore_index=True)


def over_made(
    seeds: Iterable[int],
    *,
    settings: Mapping[str, Setting] = SETTINGS,
    sizes: Sizes | None = None,
    n_resamples: int = 200,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """As `over_cuts`, on made-up samples, task A: run 25 of 2011, and the best fitter for both peer sets.

    The samples have the size of the one that comes with the package, or ``sizes`` such as `TAC_SIZE`.
    """
    from tqdm import tqdm

    best = RunTable("best", "responsiveness", tasks=("A",))
    run = RunTable("25", "responsiveness", "canonical", tasks=("A",), peers=("all_peers",), calibrate=False)
    tables = []
    for seed in tqdm(list(seeds), disable=not progress, unit="sample"):
        config = Config(tuple(map(Year, YEARS)), runs=(run, best), seed=seed)
        years = extract(with_names(config, settings), made_years(seed, sizes))
        tables.append(
            compared(config, years, settings, n_resamples=n_resamples, n_jobs=n_jobs).assign(seed=seed)
        )
    return pd.concat(tables, ignore_index=True)


def with_names(config: Config, settings: Mapping[str, Setting]) -> Config:
    """Add the features of every setting to a configuration, so that `extract` computes them."""
    names_of_settings = [
        setting.run.get("names") or setting.search.get("names") or () for setting in settings.values()
    ]
    named = (name for names in (config.search.names, *names_of_settings) for name in ordered(names))
    more = tuple(dict.fromkeys(named))
    return dataclasses.replace(config, search=dataclasses.replace(config.search, names=more))


def compared(
    config: Config,
    years: Sequence[YearData],
    settings: Mapping[str, Setting],
    *,
    n_resamples: int = 200,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Train the runs of a configuration in every setting and assess them on the last year.

    Returns
    -------
    DataFrame
        A row for each run, setting (including ROUGE-2), level and coefficient: ``task, peers, target, run, setting,
        level, coefficient, value``; ``p``, the p-value of PERM-BOTH against the first setting (two-sided, 999
        resamples), for Pearson at the levels `LEVELS`; ``selected``, the best score on the selection years;
        ``corrected``, that score minus its optimism; and ``n_names``, the number of features used.

    Warns
    -----
    DataWarning
        For runs that the data do not allow, and for fitters and runs that a setting goes without.
    """
    plain = dataclasses.replace(config, search=config.search.learning_by("classy2011"))
    runs, left_out = plan_runs(plain, years)
    _warn(left_out)
    last = years[-1]
    rouges = baselines(runs, last)
    found: dict[Hashable, Searches] = {}
    tables: list[pd.DataFrame] = []
    first: dict[str, PredictedRun] = {}
    for name, setting in settings.items():
        options = {"n_resamples": n_resamples, **setting.search}
        variant = dataclasses.replace(plain.search, **options)
        changed = [dataclasses.replace(run, **setting.run) for run in runs]
        tasks = training_tasks(dataclasses.replace(config, search=variant), years, changed)
        shared = _searched(tasks)
        if shared not in found:
            found[shared] = search(tasks, n_jobs=n_jobs)
        trained, notes = train_runs(tasks, found[shared], with_intervals=False)
        _warn(f"{name}: {note}" for note in notes)
        if not trained:  # the predictions of no subset vary: too few rows for this learner
            continue
        predicted = predict(trained, last, rouges)
        if name == next(iter(settings)):
            first = {one.run.label: one for one in predicted}
        table = assess(predicted)
        table = _with_rouge_for_each_run(
            table.assign(setting=table["metric"].where(table["run"] == "", name))
        )
        gains = _gains(predicted, first, config.seed)
        tables.append(table.merge(gains.assign(setting=name), on=_JOIN, how="left"))
    if not tables:
        raise InputError("no setting learns anything from these years; expected more rows")
    every = pd.concat(tables, ignore_index=True).drop_duplicates(ROWS)
    every = every[~every["setting"].str.startswith("ROUGE") | (every["setting"] == RIVAL)]
    return every[[*ROWS, "value", "p", "selected", "corrected", "n_names"]]


def _warn(notes: Iterable[str]) -> None:
    for note in notes:
        warnings.warn(note, DataWarning, stacklevel=3)


def _searched(tasks: Sequence[TrainingTask]) -> Hashable:
    """Say what determines the searches of tasks with the same years: settings that agree in it share them."""
    options = tasks[0].options
    parts = ("names", "units", "fit_level", "effects", "protocol", "scale")
    of_runs = tuple((task.run.whole, task.run.names, task.fitters) for task in tasks)
    return tuple(getattr(options, name) for name in parts), of_runs


def _with_rouge_for_each_run(table: pd.DataFrame) -> pd.DataFrame:
    """Repeat ROUGE's rows for every run of their target, task and peers."""
    place = ["target", "task", "peers"]
    rouge = table["run"] == ""
    parts = []
    for (run, *names), group in table[~rouge].groupby(["run", *place], sort=False):
        parts += [group, table[rouge & (table[place] == names).all(axis=1)].assign(run=str(run))]
    return pd.concat(parts, ignore_index=True)


_JOIN = ["run", "task", "peers", "setting", "level", "coefficient"]


def _gains(predicted: Sequence[PredictedRun], first: Mapping[str, PredictedRun], seed: int) -> pd.DataFrame:
    """Give each run's p-value against the first setting at each level, and its scores of the selection."""
    rows = []
    for one, level in itertools.product(predicted, LEVELS):
        label = one.run.label
        p = np.nan
        if label in first and one is not first[label]:
            rng = seeded_rng(seed, label, level)
            found = permuted(one.scores, first[label].scores, one.truth, level=level, rng=rng)
            p = float(found.p) if found else np.nan
        place = one.run.name, *one.run.place, level, "pearson"
        chosen, made = one.trained.subsets, one.trained.predictor.training
        selection = chosen.score, chosen.corrected, len(made["subset"])
        rows.append((*place, p, *selection))
    names = ["run", "task", "peers", "level", "coefficient", "p", "selected", "corrected", "n_names"]
    return pd.DataFrame(rows, columns=names)


def summarized(table: pd.DataFrame, *, first: str = FAITHFUL, independent: bool = False) -> pd.DataFrame:
    """Average the results of `over_cuts` or `over_made` over the seeds, which may be ``independent`` samples.

    Returns
    -------
    DataFrame
        A row for each combination of `ROWS`: ``mean``, ``std`` (n - 1) and ``n_seeds``; ``gain``, the mean gain over
        the ``first`` setting on the seeds that have both; ``n_tested``, the number of seeds with a p-value;
        ``better`` and ``worse``, the numbers of seeds that are higher or lower with a p-value of at most .05;
        ``sign_flip``, the p-value of `sign_flip` with 9,999 resamples, or NaN if the seeds are not independent;
        ``selected``, ``corrected`` and ``n_names``, as means.
    """
    beside = table[table["setting"] == first].drop(columns="setting")
    keys = [name for name in ROWS if name != "setting"]
    joined = table.merge(
        beside[[*keys, "seed", "value"]], on=[*keys, "seed"], how="left", suffixes=("", "_of_first")
    )
    joined["gain"] = joined["value"] - joined["value_of_first"]
    significant = is_significant(joined["p"])
    joined["better"], joined["worse"] = significant & (joined["gain"] > 0), significant & (joined["gain"] < 0)
    groups = joined.groupby(ROWS, sort=False)
    averaged = groups.agg(
        mean=("value", "mean"),
        std=("value", "std"),
        n_seeds=("value", "count"),
        gain=("gain", "mean"),
        n_tested=("p", "count"),
        better=("better", "sum"),
        worse=("worse", "sum"),
        sign_flip=(
            "gain",
            lambda gains: sign_flip(gains.dropna().to_numpy()) if independent else float("nan"),
        ),
        selected=("selected", "mean"),
        corrected=("corrected", "mean"),
        n_names=("n_names", "mean"),
    )
    return averaged.reset_index()


def sign_flip(gains: FloatArray, *, n_resamples: int = 9_999, seed: int = 0) -> float:
    """Two-sided p-value of the mean of independent gains, by flipping their signs at random.

    NaN for fewer than two gains; 1 if all are 0.

    Examples
    --------
    >>> sign_flip(np.array([1.0, 1.0])) > 0.4
    True
    """
    if len(gains) < 2:
        return float("nan")
    signs = seeded_rng(seed, "sign_flip").choice([-1.0, 1.0], size=(n_resamples, len(gains)))
    at_least = np.abs(signs @ gains) >= abs(gains.sum()) * (1 - 1e-12)
    return float((at_least.sum() + 1) / (n_resamples + 1))
