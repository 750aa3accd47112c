"""Step two: the runs that the data allow, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from classy_aesop.config import PRESETS, Config, Place, Run
from classy_aesop.config.checks import check_file_name
from classy_aesop.errors import InputError, listed
from classy_aesop.training.years import YearData


def plan_runs(config: Config, years: Sequence[YearData]) -> tuple[tuple[Run, ...], tuple[str, ...]]:
    """List the runs that the data allow, with a note for whatever is left out.

    Returns
    -------
    runs : tuple of Run
    notes : tuple of str

    Raises
    ------
    InputError
        No run is left, or files of two runs would have one name.
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
    _check_labels(runs)
    return tuple(runs), tuple(notes)


def _check_labels(runs: Sequence[Run]) -> None:
    """Raise `InputError` for runs whose files would lie elsewhere or have one name."""
    for run in runs:
        check_file_name(f"run {run.name}: task", run.task, may_be_empty=True)  # it may come from a corpus
    again = sorted(label for label, count in Counter(run.label for run in runs).items() if count > 1)
    if again:
        raise InputError(
            f"runs: several are called {listed(again)} (run-task-peers); expected different names"
        )


def training_years(years: Sequence[YearData]) -> Sequence[YearData]:
    """Give the years that are learned from: all but the last, or the only one."""
    return years[:-1] or years


def common_measures(config: Config, years: Sequence[YearData], place: Place) -> list[str]:
    """List the human measures that all training years share at a place (of those that the configuration names).

    Raises
    ------
    InputError
        There is none.
    """
    found = [list(map(str, year.places[place].judgments)) for year in training_years(years)]
    common = [name for name in found[0] if all(name in other for other in found)]
    if config.measures is not None:
        common = [name for name in config.measures if name in common]
    if not common:
        listing = "; ".join(f"{year.name} has {names}" for year, names in zip(years, found, strict=False))
        raise InputError(f"the training years have no common human measure: {listing}")
    return common


def _expand(config: Config, years: Sequence[YearData]) -> Iterable[Run]:
    every = sorted({place.task for year in years for place in year.places})
    for one in config.runs:
        how = one.fitter_by(config.search.fitter), one.calibrate, one.names, one.whole, one.among
        for peers in one.peers or config.peers:
            for task in one.tasks or config.tasks or every:
                yield Run(one.name, one.target, task, peers, *how)


def _missing(run: Run, config: Config, years: Sequence[YearData]) -> str | None:
    """Say what a run needs and the data or the configuration do not give; None if all is there."""
    if run.peers not in config.peers:
        return f"the configuration asks for peers {list(config.peers)}"
    if config.tasks is not None and run.task not in config.tasks:
        return f"the configuration asks for tasks {list(config.tasks)}"
    for year in years:
        if run.place not in year.places:
            return f"year {year.name} has no task {run.task!r}"
        if run.peers == "all_peers" and not year.places[run.place].features["human"].any():
            return f"year {year.name} has no human summarizers"
    try:
        measures = common_measures(config, years, run.place)
    except InputError as error:
        return str(error)
    if run.target not in measures:
        return f"no measure {run.target!r} in all training years; common are {measures}"
    return None
