"""Step three: all subsets searched, once for all runs that choose from the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classy_aesop.errors import about_data
from classy_aesop.search import Design, Resamples, SearchResult, mean_result, search_targets, stack
from classy_aesop.training.task import SearchSpace, TrainingTask, make_fitter
from classy_aesop.work.seeding import seeded_rng

Searches = Mapping[tuple[SearchSpace, str], Mapping[str, SearchResult]]
"""For each search space and fitter: the search of each target."""


def search(tasks: Sequence[TrainingTask], *, n_jobs: int = 1, progress: bool = False) -> Searches:
    """Search once for each search space and fitter; give the result of each target that a task there has.

    Raises
    ------
    InputError
        If the data allow no subset, or there are more subsets than a search takes.
    """
    first = {task.space: task for task in reversed(tasks)}
    targets: dict[tuple[SearchSpace, str], dict[str, None]] = {}
    for task in tasks:
        for fitter in task.fitters:
            targets.setdefault((task.space, fitter), {})[task.run.target] = None
    with about_data():
        return {
            (space, fitter): _search(first[space], fitter, list(wanted), n_jobs=n_jobs, progress=progress)
            for (space, fitter), wanted in targets.items()
        }


def _search(
    task: TrainingTask, fitter: str, targets: Sequence[str], *, n_jobs: int, progress: bool
) -> dict[str, SearchResult]:
    """Score all subsets for each target: on each held-out year, fitted on others, or by folds of the only one."""
    found = [
        search_targets(
            make_fitter(task, fitter, on_scale=True),
            splits,
            task.arrays.groups,
            targets=[task.arrays.measures.index(target) for target in targets],
            names=[unit for unit, _ in task.space.units],
            level=task.options.level,
            coefficient=task.options.coefficient,
            fit_level=task.options.fit_level,
            resamples=_resamples(task, held_out),
            n_jobs=n_jobs,
            progress=progress,
        )
        for held_out, splits in _splits(task)
    ]
    return {target: mean_result(years) for target, *years in zip(targets, *found, strict=True)}


def _splits(task: TrainingTask) -> list[tuple[Design, list[tuple[Design, Design]]]]:
    """Give each held-out year, and what is fitted on and what is scored on: two years, or the folds of one."""
    years, effects = task.arrays.scaled, task.options.effects
    if len(years) > 1:
        held_out = held_out_years(task.options.protocol, len(years))
        return [
            (
                years[at],
                [(stack([years[k] for k in others]).for_fit(effects=effects, level="summary"), years[at])],
            )
            for at, others in held_out.items()
        ]
    [only] = years
    folds = task.arrays.folds
    splits = [(only.take(~held).for_fit(effects=effects, level="summary"), only.take(held)) for held in folds]
    return [(only, splits)]


def held_out_years(protocol: str, n_years: int) -> dict[int, Sequence[int]]:
    """Give for each held-out training year the years that are fitted on; ``n_years`` are two or more.

    Examples
    --------
    >>> held_out_years("latest", 4)
    {3: [2]}
    >>> held_out_years("rolling", 3)
    {1: [0], 2: [0, 1]}
    >>> held_out_years("leave-one-year-out", 3)
    {0: [1, 2], 1: [0, 2], 2: [0, 1]}
    """
    every = range(n_years)
    if protocol == "latest":
        return {n_years - 1: [n_years - 2]}
    if protocol == "rolling":
        return {held: list(every[:held]) for held in every[1:]}
    return {held: [year for year in every if year != held] for held in every}


def _resamples(task: TrainingTask, held_out: Design) -> Resamples | None:
    """Resample topics and summarizers of a held-out year; all fitters and targets of a place share the resamples.

    None if no resamples are configured, or there is only one subset.
    """
    if task.run.whole or not task.options.n_resamples:
        return None
    rng = seeded_rng(task.config.seed, "selection", *task.space.place)
    return Resamples.of(held_out, task.options.n_resamples, rng)
