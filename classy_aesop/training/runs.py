"""Step two: the runs that the data allow, and what was left out and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.config import PRESETS, Config, Run, RunTable
from classy_aesop.corpus.leaks import find_leaks
from classy_aesop.errors import InputError, listed
from classy_aesop.features.columns import units
from classy_aesop.fitters import FITTERS, RobustRegression
from classy_aesop.scores import JACKKNIFED, named
from classy_aesop.search import KERNELS
from classy_aesop.search.subsets import check_number
from classy_aesop.training.extract import YearData


def plan_runs(config: Config, years: Sequence[YearData]) -> tuple[tuple[Run, ...], tuple[str, ...]]:
    """List the runs that the data allow, with a note for whatever is left out.

    Returns
    -------
    runs : tuple of Run
    notes : tuple of str

    Raises
    ------
    InputError
        The training years share no human measure, or no run is left.
    """
    wanted = PRESETS[config.preset] if config.preset else ()
    wanted += tuple(_expand(config, years))
    runs, notes = [], []
    for run in wanted:
        why = _missing(run, config, years)
        if why is None:
            runs.append(run)
        else:
            notes.append(f"run {run.label} is left out: {why}")
    if not runs:
        raise InputError("no run is left: " + "; ".join(notes or ["none was asked for"]))
    return tuple(runs), (*notes, *_cautions(runs, config, years))


def units_of(run: Run, config: Config, years: Sequence[YearData]) -> dict[str, tuple[str, ...]]:
    """Give what a run chooses from: units, features first, then imported metrics in the order of their table.

    Returns
    -------
    dict of str to tuple of str
        The names of each unit; a single one where all are fitted together.

    Raises
    ------
    InputError
        For a name that is neither, if there is none, or more units than a search can take.
    """
    imported, kind = years[0].imported, config.search.units
    if run.names is None:
        found = units(config.search.names, kind) | {name: (name,) for name in imported}
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
    try:
        check_number(len(found))
    except ValueError as error:
        raise InputError(f"run {run.name}: {error}") from None
    return found


def training_years(years: Sequence[YearData]) -> Sequence[YearData]:
    """Give the years that are learned from: all but the last, or the only one."""
    return years[:-1] or years


def measure_columns(year: YearData, peers: str) -> dict[str, str]:
    """Map each human measure of a year to its column for a peer set.

    Among all peers a measure's jackknifed twin (``pyramid_jackknifed``) stands for it; among systems alone the twin is
    not used.
    """
    columns = [str(column) for column in year.judgments if year.judgments[column].notna().any()]
    plain = [column for column in columns if not column.endswith(JACKKNIFED)]
    if peers == "no_models":
        return {column: column for column in plain}
    return {column: column + JACKKNIFED if column + JACKKNIFED in columns else column for column in plain}


def common_measures(config: Config, years: Sequence[YearData], peers: str) -> list[str]:
    """List the human measures that all training years share (of those that the configuration names).

    Raises
    ------
    InputError
        There is none.
    """
    found = [measure_columns(year, peers) for year in training_years(years)]
    common = [name for name in found[0] if all(name in other for other in found)]
    if config.measures is not None:
        common = [name for name in config.measures if name in common]
    if not common:
        listing = "; ".join(
            f"{year.name} has {list(names)}" for year, names in zip(years, found, strict=False)
        )
        raise InputError(f"the training years have no common human measure: {listing}")
    return common


def _expand(config: Config, years: Sequence[YearData]) -> Iterable[Run]:
    for table in config.runs:
        for peers in table.peers or config.peers:
            for task in table.tasks or config.tasks or _tasks(years):
                yield _run(table, task, peers)


def _run(table: RunTable, task: str, peers: str) -> Run:
    how = (table.fitter, table.calibrate, table.names, table.whole, table.among)
    return Run(table.name, table.target, task, peers, *how)


def _tasks(years: Sequence[YearData]) -> list[str]:
    """List the tasks of any year, in order."""
    return sorted({topic.task for year in years for topic in year.corpus.topics})


def _missing(run: Run, config: Config, years: Sequence[YearData]) -> str | None:
    """Say what a run needs and the data or the configuration do not give; None if all is there."""
    if run.peers not in config.peers:
        return f"the configuration asks for peers {list(config.peers)}"
    if config.tasks is not None and run.task not in config.tasks:
        return f"the configuration asks for tasks {list(config.tasks)}"
    for year in years:
        rows = year.features[year.features["task"] == run.task]
        if rows.empty:
            return f"year {year.name} has no task {run.task!r}"
        if run.peers == "all_peers" and not rows["human"].any():
            return f"year {year.name} has no human summarizers"
    if run.target not in (measures := common_measures(config, years, run.peers)):
        return f"no measure {run.target!r} in all training years; common are {measures}"
    return None


def _cautions(runs: Sequence[Run], config: Config, years: Sequence[YearData]) -> Iterable[str]:
    """Say what is true of the data at hand and easily misread in the results."""
    if len(years) < 3:
        yield {
            2: "two years: subsets are selected by topic-grouped folds of the first",
            1: "one year: subsets are selected and predictions made by topic-grouped folds of the same year",
        }[len(years)]
    slow = [run for run in runs if FITTERS.get(run.fitter, RobustRegression) not in KERNELS and not run.whole]
    for run in slow:
        n_subsets = 2 ** len(units_of(run, config, years)) - 1
        yield f"run {run.label}: {run.fitter} fits {n_subsets} subsets one by one; whole = true fits one"
    for run in runs:
        if run.fitter == "nested":
            yield f"run {run.label}: learner chosen by topic-grouped folds of all training years together"
    if len(years) > 3 and config.search.protocol == config.search.refit == "latest":
        yield f"protocol latest: nothing is learned from {listed([year.name for year in years[:-3]])}"
    for peers in dict.fromkeys(run.peers for run in runs):
        if len(common_measures(config, years, peers)) == 1:
            yield f"{peers}: one human measure, so canonical correlation is least squares"
    for year in years:
        yield from year.notes
        leaks = (
            []
            if year.notes
            else [
                named((year.name, leak.topic, leak.task, leak.summarizer)) for leak in find_leaks(year.corpus)
            ]
        )
        if leaks:
            yield f"{len(leaks)} summaries repeat a reference: {listed(leaks)}"
    counts = pd.concat([year.features["n_references"] for year in years])
    if (counts == 1).all():
        yield (
            "one reference a topic: bigrams_p2p and coverage_p2p repeat bigrams and coverage, "
            "and jackknifing is not possible"
        )
