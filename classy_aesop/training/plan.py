"""Step two: the runs that the data allow, each with all that it learns from; and what is easily misread.

Years that share topics or texts are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import NamedTuple

import pandas as pd

from classy_aesop.config import RUN_PRESETS, Config, Run, RunTable, SearchOptions, TaskPeers
from classy_aesop.data import format_key
from classy_aesop.data.doubts import find_doubts
from classy_aesop.data.leaks import find_leaks, find_shared_items
from classy_aesop.errors import InputError, join_names
from classy_aesop.features.registry import abridge_columns, is_peer_feature, needs_references, units_by_name
from classy_aesop.predictor.calibration import is_other_scale
from classy_aesop.reading.corpus import judged_tables
from classy_aesop.training.fit_options import FitOptions
from classy_aesop.training.learners import MIXTURE
from classy_aesop.training.training_rows import TrainingRows
from classy_aesop.training.years import TaskPeersData, YearData, training_years


class SearchSpace(NamedTuple):
    """What one search chooses from: where, and each unit with its features and imported metrics, or all ``whole``.

    Where columns are compared within topics too, ``peers`` are the features that look at the other summaries. They are
    in no unit, as units are computed from each summary alone.
    """

    task_and_peers: TaskPeers
    units: tuple[tuple[str, tuple[str, ...]], ...]
    whole: bool
    peers: tuple[str, ...] | None = None


@dataclass(frozen=True)
class PlannedRun:
    """One run, and what it learns from."""

    config: Config
    run: Run  # as planned; its fitter may be ``best`` or ``mixture``
    years: tuple[YearData, ...]  # those of training, the latest last
    same_summarizers: bool  # whether all that will be predicted were learned from
    space: SearchSpace  # what is searched; runs with the same space share their rows and searches
    rows: TrainingRows
    needs_references: tuple[str, ...] = ()  # features left out, as they need references that some years lack

    @property
    def options(self) -> FitOptions:
        """The options of every fit."""
        target = self.rows.measures.index(self.run.target)
        return FitOptions(target, self.config.search, self.config.seed, self.rows.relative)

    @property
    def refit_years(self) -> tuple[YearData, ...]:
        """The years that the predictor is fitted to at last: the latest or all."""
        return self.years if self.config.search.refit == "all" else self.years[-1:]

    @property
    def used_years(self) -> tuple[YearData, ...]:
        """The years that anything is learned from."""
        n_selected = 2 if self.config.search.protocol == "latest" else len(self.years)
        return self.years[-max(n_selected, len(self.refit_years)) :]


def protocol_of(config: Config) -> str:
    """Name what is done with the years, the predicted one among them."""
    n_years = len(config.years)
    if n_years < 3:
        return {2: "folds-predict", 1: "folds-only"}[n_years]
    return "fit-select-predict" if config.search.protocol == "latest" else config.search.protocol


class Plan(NamedTuple):
    """What `train` does."""

    runs: tuple[PlannedRun, ...]
    defaults: tuple[PlannedRun, ...]  # the default method on the targets of a preset's runs
    notes: tuple[str, ...]  # what is left out and why, and what is easily misread


def plan_experiment(config: Config, years: Sequence[YearData]) -> Plan:
    """Plan an experiment; raises as `check_years_differ` and `plan_runs`."""
    check_years_differ(years)
    planned, left_out = plan_runs(config, years)
    defaults: tuple[PlannedRun, ...] = ()
    if config.preset:
        targets = dict.fromkeys(
            (planned_run.run.target, *planned_run.run.task_and_peers) for planned_run in planned
        )
        runs = tuple(
            RunTable(target, target, tasks=(task,), peers=(peers,)) for target, task, peers in targets
        )
        options = SearchOptions(extra=config.search.extra)
        defaults, _ = plan_runs(replace(config, preset=None, runs=runs, search=options), years)
    return Plan(planned, defaults, (*left_out, *cautions(config, years, planned)))


def plan_runs(config: Config, years: Sequence[YearData]) -> tuple[tuple[PlannedRun, ...], tuple[str, ...]]:
    """Plan each run that the data allow, and note which are left out and why.

    The rows of a search space are made once.
    """
    allowed: list[tuple[Run, AllowedRun]] = []
    notes = []
    for run in list_runs(config, years):
        inputs = _find_inputs(run, config, years)
        if isinstance(inputs, str):
            notes.append(f"run {run.label} is left out: {inputs}")
        else:
            allowed.append((run, inputs))
    if not allowed:
        raise InputError("no run is left: " + "; ".join(notes or ["none was asked for"]))
    counts = Counter(run.label for run, _ in allowed)
    repeated = sorted(label for label, count in counts.items() if count > 1)
    if repeated:
        raise InputError(
            f"runs: several are called {join_names(repeated)} (run-task-peers); expected different names"
        )
    rows: dict[SearchSpace, TrainingRows] = {}
    training = tuple(training_years(years))
    planned = []
    for run, inputs in allowed:
        space = _search_space(
            run, inputs.units, compares_peers=config.search.relative and run.fitter == MIXTURE
        )
        if space not in rows:
            rows[space] = TrainingRows.build(
                [year.data_by_task_and_peers[run.task_and_peers] for year in training],
                [names for _, names in space.units],
                inputs.measures,
                update=_is_update(years, run.task),
                peers=space.peers,
            )
        planned.append(
            PlannedRun(
                config=config,
                run=run,
                years=training,
                same_summarizers=same_summarizers(years, run.task_and_peers),
                space=space,
                rows=rows[space],
                needs_references=inputs.needs_references,
            )
        )
    return tuple(planned), tuple(notes)


def list_runs(config: Config, years: Sequence[YearData]) -> list[Run]:
    """List the runs of the preset, and those of the tables for each of their tasks and peer sets."""
    runs = list(RUN_PRESETS[config.preset]) if config.preset else []
    all_tasks = sorted(
        {task_and_peers.task for year in years for task_and_peers in year.data_by_task_and_peers}
    )
    for table in config.runs:
        for peers, task in product(table.peers or config.peers, table.tasks or config.tasks or all_tasks):
            run = Run(
                name=table.name,
                target=table.target,
                task=task,
                peers=peers,
                fitter=table.fitter_by(config.search.fitter),
                calibrate=table.calibrate,
                names=table.names,
                whole=table.whole,
            )
            runs.append(run)
    return runs


Units = dict[str, tuple[str, ...]]
"""The features and imported metrics of each unit that a run chooses from."""


class AllowedRun(NamedTuple):
    """What a run that the data allow learns from."""

    measures: list[str]  # the human measures of its task and peers
    units: Units  # what it chooses from
    needs_references: tuple[str, ...]  # features that it goes without, as they need references


def _search_space(run: Run, units: Units, *, compares_peers: bool) -> SearchSpace:
    """Say what the search of a run chooses from; features of peers are in no unit if they are compared in topics."""
    peers = None
    if compares_peers:
        peers = tuple(name for names in units.values() for name in names if is_peer_feature(name))
    return SearchSpace(run.task_and_peers, tuple(_drop_names(units, peers or ()).items()), run.whole, peers)


def _drop_names(units: Units, names: Collection[str]) -> Units:
    """Leave out names, and units of which none remains."""
    remaining = {
        unit: tuple(name for name in of_unit if name not in names) for unit, of_unit in units.items()
    }
    return {unit: of_unit for unit, of_unit in remaining.items() if of_unit}


def _find_inputs(run: Run, config: Config, years: Sequence[YearData]) -> str | AllowedRun:
    """Find what a run learns from, or return why the run is not possible."""
    if run.peers not in config.peers:
        return f"the configuration asks for peers {list(config.peers)}"
    if config.tasks is not None and run.task not in config.tasks:
        return f"the configuration asks for tasks {list(config.tasks)}"
    for year in years:
        if run.task_and_peers not in year.data_by_task_and_peers:
            return f"year {year.name} has no task {run.task!r}"
        if (
            run.peers == "all_peers"
            and not year.data_by_task_and_peers[run.task_and_peers].features["human"].any()
        ):
            return f"year {year.name} has no human summarizers"
    judged = [
        list(map(str, year.data_by_task_and_peers[run.task_and_peers].judgments))
        for year in training_years(years)
    ]
    measures = [name for name in judged[0] if all(name in of_year for of_year in judged)]
    if config.measures is not None:
        measures = [name for name in config.measures if name in measures]
    if not measures:
        listing = "; ".join(f"{year.name} has {names}" for year, names in zip(years, judged, strict=False))
        return f"the training years have no common human measure: {listing}"
    if run.target not in measures:
        return f"no measure {run.target!r} in all training years; common are {measures}"
    units_of_run, left_out = _find_units(run, config, years)
    if not units_of_run:
        bare = join_names(years_without_references(years, run.task_and_peers))
        return f"all its columns need references, and {bare} has none"
    return AllowedRun(measures, units_of_run, left_out)


def years_without_references(years: Sequence[YearData], task_and_peers: TaskPeers) -> list[str]:
    """Name the years whose summaries are compared with no reference."""
    counts = {
        year.name: year.data_by_task_and_peers[task_and_peers].features[["n_references", "n_earlier"]]
        for year in years
    }
    return [name for name, of_year in counts.items() if not (of_year > 0).any(axis=None)]


def same_summarizers(years: Sequence[YearData], task_and_peers: TaskPeers) -> bool:
    """Whether the summarizers of the last year are those of the years before it: by source, and by name.

    What was learned about a summarizer then holds for it on other topics, so that only topics have to be held out.
    """
    *training, last = years
    if not training or any(year.source is None or year.source != last.source for year in training):
        return False
    summarizers = [set(year.data_by_task_and_peers[task_and_peers].features["summarizer"]) for year in years]
    return summarizers[-1] <= set().union(*summarizers[:-1])


def _find_units(run: Run, config: Config, years: Sequence[YearData]) -> tuple[Units, tuple[str, ...]]:
    """Return the units that a run chooses from, and the features that it goes without as a year has no references.

    Features come first, then imported metrics in the order of their table; all are one unit if fitted together. A name
    that is neither is an `InputError`.
    """
    imported = years[0].imported
    kind = config.search.units
    if run.names is None:
        of_run = units_by_name(config.search.names, kind) if years[0].has_texts else {}
        of_run |= {name: (name,) for name in imported}
    else:
        try:
            of_run = units_by_name([name for name in run.names if name not in imported], kind)
        except InputError as error:
            known_metrics = f"imported are {join_names(imported, limit=20) or 'none'}"
            raise InputError(f"run {run.name}: {error}; {known_metrics}") from None
        of_run |= {name: (name,) for name in imported if name in run.names}
    left_out: tuple[str, ...] = ()
    if years[0].has_texts and years_without_references(years, run.task_and_peers):
        left_out = tuple(name for names in of_run.values() for name in names if needs_references(name))
        of_run = _drop_names(of_run, left_out)
    if run.whole and of_run:
        all_names = tuple(name for names in of_run.values() for name in names)
        of_run = {"+".join(all_names): all_names}
    return of_run, left_out


def _is_update(years: Sequence[YearData], task: str) -> bool:
    """Whether a task's summaries meet earlier references too; some topics with and some without are an `InputError`."""
    rows = pd.concat([year.features[year.features["task"] == task] for year in years])
    bare = rows.loc[rows["n_earlier"] == 0, "topic"].unique()
    if len(bare) and (rows["n_earlier"] > 0).any():
        raise InputError(
            f"task {task!r}: no earlier references for the topics {join_names(bare)}; the others have them"
        )
    return len(bare) == 0


def check_years_differ(years: Sequence[YearData]) -> None:
    """Raise an `InputError`, with the names of the topics, for years that share a topic or a text.

    A topic counts as the same if its name is and both years are parts of one corpus (one path, or one object in
    memory); a text wherever it comes from.
    """
    sources = {year.name: year.source for year in years}
    shared = find_shared_items({year.name: year.corpus.topics for year in years}, sources=sources)
    if shared:
        pairs = []
        for pair in shared:
            first = "/".join(filter(None, pair.first))
            second = "/".join(filter(None, pair.second))
            pairs.append(f"{first} and {second} ({pair.kind})")
        raise InputError(f"years share topics or texts: {join_names(pairs)}; expected none in two years")


def cautions(config: Config, years: Sequence[YearData], planned_runs: Sequence[PlannedRun]) -> Iterator[str]:
    """Note what is true of the data and the runs at hand and easily misread in the results."""
    if len(years) < 3:
        yield {
            2: "two years: training holds out topics of the first by cross-validation",
            1: "one year: predictions are cross-validated over its topics",
        }[len(years)]
    if len(years) > 3 and config.search.protocol == config.search.refit == "latest":
        yield f"protocol latest: nothing is learned from {join_names([year.name for year in years[:-3]])}"
    if config.features.references != "none":
        left_out = {
            (planned.run.task_and_peers, planned.needs_references): None
            for planned in planned_runs
            if planned.needs_references
        }
        for task_and_peers, names in left_out:
            stratum = "-".join(filter(None, task_and_peers))
            bare = join_names(years_without_references(years, task_and_peers))
            columns = join_names(abridge_columns(names), limit=30)
            yield f"{stratum}: no references in {bare}; trained without {columns}"
    targets_in_places = [(planned.run.target, planned.run.task_and_peers) for planned in planned_runs]
    for target, task_and_peers in dict.fromkeys(targets_in_places):
        for earlier, last in pairwise(years[-2:]):
            yield from _note_other_scale(target, task_and_peers, earlier, last)
    for year in years:
        yield from (f"{year.name}: {note}" for note in year.corpus.notes)
        yield from year.notes
        targets = {planned.run.target for planned in planned_runs}
        yield from (f"{year.name}: {doubt}" for doubt in find_doubts(*judged_tables(year.corpus, targets)))
        leaks = [] if year.notes else find_leaks(year.corpus)
        if leaks:
            keys = [format_key((year.name, leak.topic, leak.task, leak.summarizer)) for leak in leaks]
            yield f"{len(leaks)} summaries repeat a reference: {join_names(keys)}"


MIN_RATIO_OF_RANGES = 1.5
"""Ratio of the ranges of judgments of two years from which their scales are taken to differ."""


def _note_other_scale(
    target: str, task_and_peers: TaskPeers, earlier: YearData, last: YearData
) -> Iterator[str]:
    """Note that the last year is judged on another scale than the one before it, whose scale predictions have."""
    earlier_ranges, earlier_grades = _topic_ranges(earlier.data_by_task_and_peers[task_and_peers], target)
    last_ranges, last_grades = _topic_ranges(last.data_by_task_and_peers[task_and_peers], target)
    low, high = last_grades
    earlier_low, earlier_high = earlier_grades
    widths = (high - low, earlier_high - earlier_low)
    is_other = (
        low > earlier_high
        or earlier_low > high
        or max(widths) >= MIN_RATIO_OF_RANGES * min(widths) > 0
        or is_other_scale(last_ranges.T, earlier_grades, len(earlier_ranges))
        or is_other_scale(earlier_ranges.T, last_grades, len(last_ranges))
    )
    if is_other:
        yield (
            f"{target} is judged {low:g} to {high:g} in {last.name} and {earlier_low:g} to {earlier_high:g} in "
            f"{earlier.name}: predictions are on the scale of {earlier.name}, so errors and intervals do not hold for "
            f"{last.name}"
        )


def _topic_ranges(rows: TaskPeersData, target: str) -> tuple[pd.DataFrame, tuple[float, float]]:
    """Return the lowest and highest judgment of each topic, and of all."""
    judgments = rows.judgments.get(target, pd.Series(dtype=float))
    ranges = judgments.groupby(rows.features["topic"]).agg(["min", "max"]).dropna()
    return ranges, (float(ranges["min"].min()), float(ranges["max"].max()))
