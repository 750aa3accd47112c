"""Step three: each run with all that it learns from, its arrays made once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from classy_aesop.config import Config, Run, SearchOptions
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import columns
from classy_aesop.fitters import FITTERS, FITTERS_OF_2011
from classy_aesop.fitters.base import Fitter
from classy_aesop.search import Design
from classy_aesop.training.designs import Place, is_update, make_design, on_scale_of
from classy_aesop.training.extract import YearData
from classy_aesop.training.protocols import protocol_of
from classy_aesop.training.runs import common_measures, training_years, units_of

NESTED = "nested"
"""The fitter of a run that chooses among learners (`classy_aesop.training.nested`), not among subsets."""


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
    designs : tuple of Design
        The rows of each training year, each on its own human scale.
    scaled : tuple of Design
        The same with earlier years on the latest one's human scale, if that is asked for.
    """

    columns: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    measures: tuple[str, ...]
    designs: tuple[Design, ...]
    scaled: tuple[Design, ...]


@dataclass(frozen=True)
class TrainingTask:
    """One run with all that it learns from.

    Parameters
    ----------
    config : Config
        The experiment that it is part of.
    run : Run
        As planned; its fitter may be ``best`` or ``nested``.
    years : tuple of YearData
        The training years, the latest last.
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
        several: dict[str, tuple[str, ...]] = {"best": FITTERS_OF_2011, NESTED: ()}
        return several.get(self.run.fitter, (self.run.fitter,))

    @property
    def rule(self) -> str:
        """What is used of the searches, one of `classy_aesop.search.RULES`."""
        return "best" if self.run.whole else self.options.choose

    @property
    def calibrate(self) -> bool:
        """Whether scores have to be on the target's scale; an average needs one scale, and so do several learners."""
        return self.run.calibrate or self.rule == "average" or self.run.fitter == NESTED

    @property
    def refit_years(self) -> tuple[YearData, ...]:
        """The years that the predictor is fitted to at last: the latest or all."""
        return self.years if self.options.refit == "all" or self.run.fitter == NESTED else self.years[-1:]

    @property
    def used_years(self) -> tuple[YearData, ...]:
        """The years that anything is learned from."""
        return max(
            self.refit_years, self.years[-2:] if self.options.protocol == "latest" else self.years, key=len
        )


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
        units = units_of(run, config, years)
        choice = Choice(Place(run.task, run.peers), tuple(units.items()), run.whole)
        if choice not in arrays:
            arrays[choice] = _arrays(config, years, choice)
        protocol = NESTED if run.fitter == NESTED else protocol_of(config, len(years))
        tasks.append(
            TrainingTask(config, run, tuple(training_years(years)), protocol, choice, arrays[choice])
        )
    return tuple(tasks)


def make_fitter(task: TrainingTask, name: str, *, calibrate: bool) -> Fitter:
    """Make a fitter with the options of the configuration."""
    options: dict[str, dict[str, Any]] = {
        "robust": {"stop": task.options.stop},
        "canonical": {"target": task.target, "calibrate": calibrate},
        "boosting": {"random_state": task.config.seed},
        "forest": {"random_state": task.config.seed},
    }
    return FITTERS[name](**options.get(name, {}))


def _arrays(config: Config, years: Sequence[YearData], choice: Choice) -> Arrays:
    update = is_update(years, choice.place.task)
    measures = common_measures(config, years, choice.place.peers)
    of_units = [_columns(names, update) for _, names in choice.units]
    every = [column for own in of_units for column in own]
    designs = tuple(make_design(year, choice.place, every, measures) for year in training_years(years))
    latest = designs[-1]
    return Arrays(
        columns=tuple(every),
        groups=tuple(tuple(every.index(column) for column in own) for own in of_units),
        measures=tuple(measures),
        designs=designs,
        scaled=tuple(on_scale_of(latest, one) for one in designs)
        if config.search.scale != "none"
        else designs,
    )


def _columns(names: Sequence[str], update: bool) -> list[str]:
    """List the columns of features and imported metrics, these last."""
    own = [name for name in names if name in FEATURES]
    return [*columns(own, update=update), *(name for name in names if name not in FEATURES)]
