"""Step two: the runs that the data allow, each with all that it learns from; and what is easily misread.

Years that share topics or texts are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, product
from typing import NamedTuple

import pandas as pd

from classy_aesop.config import PRESETS, Config, Place, Run, RunTable, SearchOptions
from classy_aesop.data import named
from classy_aesop.data.checks import find_leaks, find_shared
from classy_aesop.errors import InputError, listed
from classy_aesop.features.registry import abridged, is_of_peers, needs_references, units
from classy_aesop.fitters import FITTERS, tried_by_best
from classy_aesop.fitters.base import Fitter
from classy_aesop.predictor.calibration import is_other_scale
from classy_aesop.search import KERNELS
from classy_aesop.training.arrays import Arrays, StackedYears
from classy_aesop.training.years import YearData, training_years

MIXTURE = "mixture"
"""The fitter of a run that is the mean of several learners (`classy_aesop.training.learners`)."""


class SearchSpace(NamedTuple):
    """What one search takes: where, and each unit with its features and imported metrics; or all of them together.

    ``peers`` are the features that look at the other summaries, which are compared within topics alone.
    """

    place: Place
    units: tuple[tuple[str, tuple[str, ...]], ...]
    together: bool
    peers: tuple[str, ...] | None = None


@dataclass(frozen=True)
class TrainingTask:
    """One run with all that it learns from."""

    config: Config
    run: Run  # as planned; its fitter may be ``best`` or ``mixture``
    years: tuple[YearData, ...]  # those of training, the latest last
    same_summarizers: bool  # whether all that will be predicted were learned from
    space: SearchSpace  # what is searched; runs with the same space share their arrays and searches
    arrays: Arrays
    needy: tuple[str, ...] = ()  # features that it goes without, as they need references that some years lack

    @property
    def options(self) -> SearchOptions:
        """How subsets are fitted and compared."""
        return self.config.search

    @property
    def protocol(self) -> str:
        """What is done with the years, the predicted one among them."""
        n_years, named = len(self.config.years), self.options.protocol
        if n_years < 3:
            return {2: "folds-predict", 1: "folds-only"}[n_years]
        return "fit-select-predict" if named == "latest" else named

    @property
    def target(self) -> int:
        """The column of ``Y`` that is predicted."""
        return self.arrays.measures.index(self.run.target)

    @property
    def fitters(self) -> tuple[str, ...]:
        """The fitters whose subsets are searched; a mixture searches none."""
        fitter = self.run.fitter
        return {MIXTURE: (), "best": tried_by_best()}.get(fitter, (fitter,))

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of what a mixture is of."""
        return self.run.among or self.options.learners

    @property
    def rule(self) -> str:
        """What is used of the searches, one of `classy_aesop.search.RULES`."""
        return "best" if self.run.whole else self.options.choose

    @property
    def is_on_scale(self) -> bool:
        """Whether scores have to be on the target's scale; an average needs one scale, and so do several learners."""
        return self.run.calibrate or self.rule == "average" or self.run.fitter == MIXTURE

    @property
    def n_refit_years(self) -> int:
        """How many of the latest years the predictor is fitted to at last: one or all."""
        return len(self.years) if self.options.refit == "all" else 1

    def stacked(self) -> StackedYears:
        """Return the rows of the years that the predictor is fitted to at last, each on its own human scale."""
        return StackedYears.of(
            self.arrays.designs[-self.n_refit_years :], self.arrays.tables[-self.n_refit_years :]
        )


class Plan(NamedTuple):
    """What `train` does."""

    tasks: tuple[TrainingTask, ...]  # one a run
    defaults: tuple[
        TrainingTask, ...
    ]  # of the default method on the same targets, if the runs are a preset's
    notes: tuple[str, ...]  # what is left out and why, and what is easily misread


def plan(config: Config, years: Sequence[YearData]) -> Plan:
    """Plan an experiment; raises as `guard` and `plan_tasks`."""
    guard(years)
    tasks, left_out = plan_tasks(config, years)
    defaults: tuple[TrainingTask, ...] = ()
    if config.preset:
        aims = dict.fromkeys((task.run.target, *task.run.place) for task in tasks)
        runs = tuple(RunTable(target, target, tasks=(task,), peers=(peers,)) for target, task, peers in aims)
        options = SearchOptions(extra=config.search.extra)
        defaults, _ = plan_tasks(replace(config, preset=None, runs=runs, search=options), years)
    return Plan(tasks, defaults, (*left_out, *cautions(config, years, tasks)))


def plan_tasks(config: Config, years: Sequence[YearData]) -> tuple[tuple[TrainingTask, ...], tuple[str, ...]]:
    """Make the task of each run that the data allow, and say which are left out and why; arrays are made once.

    No run, two files of one name, names that are not there, or topics with and without earlier references are errors.
    """
    allowed, notes = [], []
    every = sorted({place.task for year in years for place in year.places})
    runs = list(PRESETS[config.preset]) if config.preset else []
    for one in config.runs:
        how = one.fitter_by(config.search.fitter), one.calibrate, one.names, one.whole, one.among
        places = product(one.peers or config.peers, one.tasks or config.tasks or every)
        runs += [Run(one.name, one.target, task, peers, *how) for peers, task in places]
    for run in runs:
        found = _allowed(run, config, years)
        if isinstance(found, str):
            notes.append(f"run {run.label} is left out: {found}")
        else:
            allowed.append((run, *found))
    if not allowed:
        raise InputError("no run is left: " + "; ".join(notes or ["none was asked for"]))
    counts = Counter(run.label for run, *_ in allowed)
    again = sorted(label for label, count in counts.items() if count > 1)
    if again:
        raise InputError(
            f"runs: several are called {listed(again)} (run-task-peers); expected different names"
        )
    arrays: dict[SearchSpace, Arrays] = {}
    training, tasks = tuple(training_years(years)), []
    for run, measures, chosen, needy in allowed:
        place, of_peers = run.place, None
        if config.search.relative and run.fitter == MIXTURE:  # peers are looked at within topics alone
            of_peers = tuple(name for names in chosen.values() for name in names if is_of_peers(name))
        space = SearchSpace(place, tuple(_without(chosen, of_peers or ()).items()), run.whole, of_peers)
        if space not in arrays:
            arrays[space] = Arrays.of(
                [year.places[place] for year in training],
                [names for _, names in space.units],
                measures,
                config.search,
                config.seed,
                update=_is_update(years, place.task),
                peers=space.peers,
            )
        same = same_summarizers(years, place)
        tasks.append(TrainingTask(config, run, training, same, space, arrays[space], needy))
    return tuple(tasks), tuple(notes)


Units = dict[str, tuple[str, ...]]
"""The features and imported metrics of each unit that a run chooses from."""


def _without(chosen: Units, names: Collection[str]) -> Units:
    """Leave out names, and units of which none is left."""
    left = {unit: tuple(name for name in every if name not in names) for unit, every in chosen.items()}
    return {unit: every for unit, every in left.items() if every}


def _allowed(
    run: Run, config: Config, years: Sequence[YearData]
) -> str | tuple[list[str], Units, tuple[str, ...]]:
    """Give the human measures of a run's place and what `_units_of` gives; or why the run is not possible."""
    if run.peers not in config.peers:
        return f"the configuration asks for peers {list(config.peers)}"
    if config.tasks is not None and run.task not in config.tasks:
        return f"the configuration asks for tasks {list(config.tasks)}"
    for year in years:
        if run.place not in year.places:
            return f"year {year.name} has no task {run.task!r}"
        if run.peers == "all_peers" and not year.places[run.place].features["human"].any():
            return f"year {year.name} has no human summarizers"
    found = [list(map(str, year.places[run.place].judgments)) for year in training_years(years)]
    measures = [name for name in found[0] if all(name in other for other in found)]
    if config.measures is not None:
        measures = [name for name in config.measures if name in measures]
    if not measures:
        listing = "; ".join(f"{year.name} has {names}" for year, names in zip(years, found, strict=False))
        return f"the training years have no common human measure: {listing}"
    if run.target not in measures:
        return f"no measure {run.target!r} in all training years; common are {measures}"
    chosen, needy = _units_of(run, config, years)
    if not chosen:
        return f"all its columns need references, and {listed(without_references(years, run.place))} has none"
    return measures, chosen, needy


def without_references(years: Sequence[YearData], place: Place) -> list[str]:
    """Name the years whose summaries are compared with no reference."""
    counts = {year.name: year.places[place].features[["n_references", "n_earlier"]] for year in years}
    return [name for name, found in counts.items() if not (found > 0).any(axis=None)]


def same_summarizers(years: Sequence[YearData], place: Place) -> bool:
    """Whether the summarizers of the last year are those of the years before it: by source, and by name.

    What was learned about a summarizer then holds for it on other topics, so that only topics have to be held out.
    """
    *training, last = years
    if not training or any(year.source is None or year.source != last.source for year in training):
        return False
    *known, predicted = (set(year.places[place].features["summarizer"]) for year in years)
    return predicted <= set().union(*known)


def make_fitter(task: TrainingTask, name: str, *, on_scale: bool) -> Fitter:
    """Make a fitter with the options of the configuration."""
    return FITTERS[name].from_options(
        target=task.target,
        calibrate=on_scale,
        random_state=task.config.seed,
        **task.options.fitter_options.get(name, {}),
    )


def _units_of(run: Run, config: Config, years: Sequence[YearData]) -> tuple[Units, tuple[str, ...]]:
    """Give the units that a run chooses from, features first, and the features that it goes without references."""
    imported, kind = years[0].imported, config.search.units
    bare, needy = years[0].has_texts and without_references(years, run.place), tuple[str, ...]()
    if run.names is None:
        of_features = units(config.search.names, kind) if years[0].has_texts else {}
        found = of_features | {name: (name,) for name in imported}
    else:
        try:
            found = units([name for name in run.names if name not in imported], kind)
        except InputError as error:
            there = f"imported are {listed(imported, most=20) or 'none'}"
            raise InputError(f"run {run.name}: {error}; {there}") from None
        found |= {name: (name,) for name in imported if name in run.names}
    if bare:
        needy = tuple(name for names in found.values() for name in names if needs_references(name))
        found = _without(found, needy)
    if run.whole and found:
        every = tuple(name for names in found.values() for name in names)
        found = {"+".join(every): every}
    return found, needy


def _is_update(years: Sequence[YearData], task: str) -> bool:
    """Whether a task's summaries meet earlier references too; some topics with and some without are an `InputError`."""
    rows = pd.concat([year.features[year.features["task"] == task] for year in years])
    bare = rows.loc[rows["n_earlier"] == 0, "topic"].unique()
    if len(bare) and (rows["n_earlier"] > 0).any():
        raise InputError(
            f"task {task!r}: no earlier references for the topics {listed(bare)}; the others have them"
        )
    return len(bare) == 0


def guard(years: Sequence[YearData]) -> None:
    """Refuse years that share a topic or a text, by an `InputError` with the names of the topics.

    A topic is the same if its name is and both years are parts of one corpus; a text wherever it comes from.
    """
    sources = {year.name: year.source for year in years}
    found = find_shared({year.name: year.corpus.topics for year in years}, sources=sources)
    if found:
        keys = [["/".join(filter(None, key)) for key in (one.first, one.second)] for one in found]
        pairs = listed(
            [f"{first} and {second} ({one.what})" for (first, second), one in zip(keys, found, strict=True)]
        )
        raise InputError(f"years share topics or texts: {pairs}; expected none in two years")


def cautions(config: Config, years: Sequence[YearData], tasks: Sequence[TrainingTask]) -> Iterator[str]:
    """Note what is true of the data and the runs at hand and easily misread in the results."""
    if len(years) < 3:
        yield {
            2: "two years: training holds out topics of the first by cross-validation",
            1: "one year: predictions are cross-validated over its topics",
        }[len(years)]
    for task in tasks:
        run = task.run
        if run.fitter in FITTERS and FITTERS[run.fitter] not in KERNELS and not run.whole:
            n_subsets = 2 ** len(task.space.units) - 1
            yield f"run {run.label}: {run.fitter} fits {n_subsets} subsets one by one; whole = true fits one"
    if len(years) > 3 and config.search.protocol == config.search.refit == "latest":
        yield f"protocol latest: nothing is learned from {listed([year.name for year in years[:-3]])}"
    if config.features.references != "none":
        for place, needy in dict.fromkeys((task.run.place, task.needy) for task in tasks if task.needy):
            bare, where = without_references(years, place), "-".join(filter(None, place))
            yield f"{where}: no references in {listed(bare)}; trained without {listed(abridged(needy), most=30)}"
    for target, place in dict.fromkeys((task.run.target, task.run.place) for task in tasks):
        yield from chain(*(_other_scale(target, place, *two) for two in pairwise(years[-2:])))
    for place, measures in {task.run.place: task.arrays.measures for task in tasks}.items():
        if len(measures) == 1:
            yield f"{'-'.join(filter(None, place))}: one human measure, so canonical correlation is least squares"
    for year in years:
        yield from (f"{year.name}: {note}" for note in year.corpus.notes)
        yield from year.notes
        leaks = [] if year.notes else find_leaks(year.corpus)
        if leaks:
            keys = [named((year.name, leak.topic, leak.task, leak.summarizer)) for leak in leaks]
            yield f"{len(leaks)} summaries repeat a reference: {listed(keys)}"
    counts = pd.concat([year.features["n_references"] for year in years])
    if (counts == 1).all():
        yield (
            "one reference a topic: bigrams_p2p and coverage_p2p equal bigrams and coverage, "
            "and jackknifing is not possible"
        )


OTHER_SCALE = 1.5
"""Ratio of the ranges of judgments of two years from which their scales are taken to differ."""


def _other_scale(target: str, place: Place, known: YearData, last: YearData) -> Iterator[str]:
    """Note that the last year is judged on another scale than the one before it, which predictions have."""
    ends, grades = [], []
    for year in (last, known):
        rows = year.places[place]
        judged = rows.judgments.get(target, pd.Series(dtype=float)).groupby(rows.features["topic"])
        ends.append(judged.agg(["min", "max"]).dropna())
        grades.append((float(ends[-1]["min"].min()), float(ends[-1]["max"].max())))
    (low, high), (least, most) = grades
    ranges = high - low, most - least
    is_other = low > most or least > high or max(ranges) >= OTHER_SCALE * min(ranges) > 0
    for one, other in ((0, 1), (1, 0)):
        is_other = is_other or is_other_scale(ends[one].T, grades[other], len(ends[other]))
    if is_other:
        yield (
            f"{target} is judged {low:g} to {high:g} in {last.name} and {least:g} to {most:g} in {known.name}: "
            f"predictions are on the scale of {known.name}, so errors and intervals do not hold for {last.name}"
        )
