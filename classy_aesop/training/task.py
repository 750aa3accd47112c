"""Step three: each run with all that it learns from, its arrays made once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.config import Config, Place, Run, SearchOptions
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import columns, units
from classy_aesop.fitters import FITTERS, pool
from classy_aesop.fitters.base import Fitter
from classy_aesop.search import Design
from classy_aesop.training.pool import Pool, folds, on_scale_of
from classy_aesop.training.runs import common_measures, training_years
from classy_aesop.training.years import YearData

SUPER_LEARNER = "super_learner"
"""The fitter of a run that mixes learners (`classy_aesop.training.super_learner`), one of them the search."""


class Choice(NamedTuple):
    """What one search chooses from: where, and each unit with its features and imported metrics; or all as a whole."""

    place: Place
    units: tuple[tuple[str, tuple[str, ...]], ...]
    whole: bool


@dataclass(frozen=True)
class Arrays:
    """The numbers that a choice is made by.

    Parameters
    ----------
    columns : tuple of str
        The columns of ``X``, those of a unit side by side.
    groups : tuple of tuple of int
        The positions of each unit's columns.
    measures : tuple of str
        The human measures, which are the columns of ``Y``.
    tables : tuple of DataFrame
        The rows of each training year in its feature table.
    designs : tuple of Design
        The same as arrays, each year on its own human scale.
    scaled : tuple of Design
        The same arrays with earlier years on the latest one's human scale, if that is asked for.
    folds : tuple of (n_rows,) bool
        The folds of the topics of the only training year; none where there are several years.
    """

    columns: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    measures: tuple[str, ...]
    tables: tuple[pd.DataFrame, ...]
    designs: tuple[Design, ...]
    scaled: tuple[Design, ...]
    folds: tuple[NDArray[np.bool_], ...]


@dataclass(frozen=True)
class TrainingTask:
    """One run with all that it learns from.

    Parameters
    ----------
    config : Config
        The experiment that it is part of.
    run : Run
        As planned; its fitter may be ``best`` or ``super_learner``.
    years : tuple of YearData
        The training years, the latest last.
    same_summarizers : bool
        Whether all that will be predicted were learned from, see `same_summarizers`.
    protocol : str
        What is done with the years.
    choice : Choice
        What is chosen from; runs with the same choice share their arrays and searches.
    arrays : Arrays
        The numbers of the training years.
    """

    config: Config
    run: Run
    years: tuple[YearData, ...]
    same_summarizers: bool
    protocol: str
    choice: Choice
    arrays: Arrays

    @property
    def options(self) -> SearchOptions:
        """How subsets are fitted and compared."""
        return self.config.search

    @property
    def predicts_own_year(self) -> bool:
        """Whether there is but one year, which is predicted by folds."""
        return len(self.config.years) == 1

    @property
    def target(self) -> int:
        """The column of ``Y`` that is predicted."""
        return self.arrays.measures.index(self.run.target)

    @property
    def fitters(self) -> tuple[str, ...]:
        """The fitters whose subsets are searched."""
        fitter = self.run.fitter
        return pool(fitter) if fitter in ("best", SUPER_LEARNER) else (fitter,)

    @property
    def rule(self) -> str:
        """What is used of the searches, one of `classy_aesop.search.RULES`."""
        return "best" if self.run.whole else self.options.choose

    @property
    def on_scale(self) -> bool:
        """Whether scores have to be on the target's scale; an average needs one scale, and so do several learners."""
        return self.run.calibrate or self.rule == "average" or self.run.fitter == SUPER_LEARNER

    @property
    def n_refit_years(self) -> int:
        """How many of the latest years the predictor is fitted to at last: one or all."""
        return len(self.years) if self.options.refit == "all" else 1

    @property
    def used_years(self) -> tuple[YearData, ...]:
        """The years that anything is learned from."""
        selected_on = 2 if self.options.protocol == "latest" else len(self.years)
        return self.years[-max(selected_on, self.n_refit_years) :]

    def pool(self) -> Pool:
        """Return the rows of the years that the predictor is fitted to at last, each on its own human scale."""
        return Pool.of(self.arrays.designs[-self.n_refit_years :], self.arrays.tables[-self.n_refit_years :])


def training_tasks(
    config: Config, years: Sequence[YearData], runs: Iterable[Run]
) -> tuple[TrainingTask, ...]:
    """Make the task of each run.

    Raises
    ------
    InputError
        A run names what is not there, or more than a search can take; or some topics of a task have earlier references
        and some have none.
    """
    arrays: dict[Choice, Arrays] = {}
    tasks = []
    for run in runs:
        same = same_summarizers(years, run.place)
        protocol = protocol_of(config, len(years))
        choice = Choice(run.place, tuple(units_of(run, config, years).items()), run.whole)
        if choice not in arrays:
            arrays[choice] = _arrays(config, years, choice)
        tasks.append(
            TrainingTask(config, run, tuple(training_years(years)), same, protocol, choice, arrays[choice])
        )
    return tuple(tasks)


def same_summarizers(years: Sequence[YearData], place: Place) -> bool:
    """Tell whether the summarizers of the last year are those of the years before it: by source, and by name.

    Years that are parts of one corpus have the same systems, those of different corpora others, whatever their names.
    What was learned about a summarizer then holds for it on other topics, so that only topics have to be held out.
    """
    *training, last = years
    if not training or any(year.source is None or year.source != last.source for year in training):
        return False
    *known, predicted = (set(year.places[place].features["summarizer"]) for year in years)
    return predicted <= set().union(*known)


def protocol_of(config: Config, n_years: int) -> str:
    """Name what is done with so many years, the predicted one among them."""
    if n_years < 3:
        return {2: "folds-predict", 1: "folds-only"}[n_years]
    return "fit-select-predict" if config.search.protocol == "latest" else config.search.protocol


def make_fitter(task: TrainingTask, name: str, *, on_scale: bool) -> Fitter:
    """Make a fitter with the options of the configuration."""
    return FITTERS[name].configured(
        stop=task.options.stop, target=task.target, calibrate=on_scale, random_state=task.config.seed
    )


def units_of(run: Run, config: Config, years: Sequence[YearData]) -> dict[str, tuple[str, ...]]:
    """Give what a run chooses from: units, features first, then imported metrics in the order of their table.

    Returns
    -------
    dict of str to tuple of str
        The names of each unit; a single one where all are fitted together.

    Raises
    ------
    InputError
        For a name that is neither.
    """
    imported, kind = years[0].imported, config.search.units
    if run.names is None:
        own = units(config.search.names, kind) if years[0].has_texts else {}
        found = own | {name: (name,) for name in imported}
    else:
        try:
            found = units([name for name in run.names if name not in imported], kind)
        except InputError as error:
            there = f"imported are {listed(imported, most=20) or 'none'}"
            raise InputError(f"run {run.name}: {error}; {there}") from None
        found |= {name: (name,) for name in imported if name in run.names}
    if run.whole and found:
        every = tuple(name for names in found.values() for name in names)
        found = {"+".join(every): every}
    return found


def _arrays(config: Config, years: Sequence[YearData], choice: Choice) -> Arrays:
    training, place, search = training_years(years), choice.place, config.search
    update = _is_update(years, place.task)
    of_units = [_columns(names, update) for _, names in choice.units]
    every = [column for own in of_units for column in own]
    measures = common_measures(config, years, place)
    parts = [year.places[place] for year in training]
    designs = tuple(part.design(every, measures) for part in parts)
    latest = designs[-1]
    return Arrays(
        columns=tuple(every),
        groups=tuple(tuple(every.index(column) for column in own) for own in of_units),
        measures=tuple(measures),
        tables=tuple(part.features for part in parts),
        designs=designs,
        scaled=designs if search.scale == "none" else tuple(on_scale_of(latest, one) for one in designs),
        folds=() if len(designs) > 1 else tuple(folds(latest.topics, search.folds, config.seed)),
    )


def _columns(names: Sequence[str], update: bool) -> list[str]:
    """List the columns of features and imported metrics, these last."""
    own = [name for name in names if name in FEATURES]
    return [*columns(own, update=update), *(name for name in names if name not in FEATURES)]


def _is_update(years: Sequence[YearData], task: str) -> bool:
    """Tell whether a task's summaries meet earlier references too.

    Raises
    ------
    InputError
        Some of its topics have earlier references and some have none.
    """
    rows = pd.concat([year.features[year.features["task"] == task] for year in years])
    bare = rows.loc[rows["n_earlier"] == 0, "topic"].unique()
    if len(bare) and (rows["n_earlier"] > 0).any():
        raise InputError(
            f"task {task!r}: no earlier references for the topics {listed(bare)}; the others have them"
        )
    return len(bare) == 0
