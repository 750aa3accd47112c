"""Step three: all subsets searched, once for all runs that choose from the same; what of them is used.

Three years: fit on the first, select on the second, refit on the second. Two: select by topic folds of the first.
One: the same, and the predictions that are assessed come from the folds too. Rankel (2016), sections 5.3 and 5.5.
More training years, and what else may be used beside the best subset: docs/prediction.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from classy_aesop.errors import about_data
from classy_aesop.fitters import FITTERS, Fitter
from classy_aesop.search import (
    Design,
    ResampleCounts,
    SearchResult,
    SelectedSubsets,
    mean_result,
    search_targets,
    select_subsets,
    stack,
)
from classy_aesop.training.learners import AllColumns, Learner, SubsetAverage, mixture
from classy_aesop.training.plan import SearchSpace, TrainingTask, make_fitter
from classy_aesop.work.records import seeded_rng

Searches = Mapping[tuple[SearchSpace, str], Mapping[str, SearchResult]]
"""For each search space and fitter: the search of each target."""


def search(tasks: Sequence[TrainingTask], *, n_jobs: int = 1, progress: bool = False) -> Searches:
    """Search once for each search space and fitter; give the result of each target that a task there has."""
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
    found = []
    for held_out, splits in _splits(task):
        resamples = None  # all fitters and targets of a place share those of its topics and summarizers
        if task.options.n_resamples and not task.run.whole:
            rng = seeded_rng(task.config.seed, "selection", *task.space.place)
            resamples = ResampleCounts.draw(held_out, task.options.n_resamples, rng)
        of_year = search_targets(
            make_fitter(task, fitter, on_scale=True),
            splits,
            task.arrays.groups,
            targets=[task.arrays.measures.index(target) for target in targets],
            names=[unit for unit, _ in task.space.units],
            level=task.options.level,
            coefficient=task.options.coefficient,
            fit_level=task.options.fit_level,
            resamples=resamples,
            n_jobs=n_jobs,
            progress=progress,
        )
        found.append(of_year)
    return {target: mean_result(years) for target, *years in zip(targets, *found, strict=True)}


def _splits(task: TrainingTask) -> list[tuple[Design, list[tuple[Design, Design]]]]:
    """Give each held-out year, and what is fitted on and what is scored on: two years, or the folds of one."""
    years, effects = task.arrays.scaled, task.options.effects
    if len(years) > 1:
        held_out = held_out_years(task.options.protocol, len(years))
        return [
            (years[at], [(stack([years[k] for k in others]).for_fit(effects, "summary"), years[at])])
            for at, others in held_out.items()
        ]
    [only] = years
    folds = ((only.take(~held).for_fit(effects, "summary"), only.take(held)) for held in task.arrays.folds)
    return [(only, list(folds))]


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


NO_SUBSETS = SelectedSubsets((), float("nan"))
"""What a mixture without a search has of one."""


@dataclass(frozen=True)
class Selection:
    """What a predictor is made of."""

    learner: Learner  # what is fitted again to all rows
    fitters: Mapping[str, Fitter]  # those in it, by name
    subsets: SelectedSubsets  # those of the search with their weights, and how much of the best score is luck
    names: tuple[str, ...]  # the features and imported metrics that are used
    positions: tuple[int, ...]  # where their columns are among those of the task's arrays
    searches: Mapping[str, SearchResult] = field(default_factory=dict)  # each fitter that was tried


def select(task: TrainingTask, searches: Searches) -> tuple[Selection | None, tuple[str, ...]]:
    """Choose among the subsets of all fitters of a task, or mix learners; notes say which fitters found none."""
    if not task.fitters:
        every = (*(name for _, names in task.space.units for name in names), *(task.space.peers or ()))
        return Selection(mixture(task), {}, NO_SUBSETS, every, tuple(range(len(task.arrays.columns)))), ()
    found = {fitter: searches[task.space, fitter][task.run.target] for fitter in task.fitters}
    varying = {fitter: result for fitter, result in found.items() if result.has_winner}
    notes = []
    for fitter in (name for name in found if name not in varying):
        why = f"; {FITTERS[fitter].fails_where}" if FITTERS[fitter].fails_where else ""
        outcome = "is left out" if task.run.fitter == fitter else "goes on without it"
        notes.append(
            f"run {task.run.label} {outcome}: with {fitter} the predictions of every subset are constant{why}"
        )
    if not varying:
        return None, tuple(notes)
    subsets = select_subsets(varying, task.rule)
    # the names and columns that any of them uses, in the task's order
    used = {unit for member in subsets.members for unit in member.subset.names}
    of_units = zip(task.space.units, task.arrays.groups, strict=True)
    positions = [at for (unit, _), group in of_units if unit in used for at in group]
    groups = tuple(
        tuple(positions.index(at) for at in group if at in positions) for group in task.arrays.groups
    )
    fitters = {name: make_fitter(task, name, on_scale=task.is_on_scale) for name in subsets.fitters}
    learner: Learner = SubsetAverage("search", subsets.members, groups, fitters)
    if len(subsets.members) == 1:
        [name] = subsets.fitters
        learner = AllColumns(name, fitters[name])
    names = tuple(name for unit, of_unit in task.space.units if unit in used for name in of_unit)
    return Selection(learner, fitters, subsets, names, tuple(positions), varying), tuple(notes)
