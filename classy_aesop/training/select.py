"""Step four: what of a run's searches the predictor is made of.

Three years: fit on the first, select on the second, refit on the second. Two: select by topic folds of the first.
One: the same, and the predictions that are assessed come from the folds too. Rankel (2016), sections 5.3 and 5.5.
More training years, and what else may be used beside the best subset: docs/prediction.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classy_aesop.config import Run
from classy_aesop.fitters import FITTERS, Fitter
from classy_aesop.search import SearchResult, SelectedSubsets, select_subsets
from classy_aesop.training.learners import AllColumns, Learner, SubsetAverage, mixture
from classy_aesop.training.search import Searches
from classy_aesop.training.task import TrainingTask, make_fitter

NO_SUBSETS = SelectedSubsets((), float("nan"))
"""What a mixture without a search has of one."""


@dataclass(frozen=True)
class Selection:
    """What a predictor is made of.

    Parameters
    ----------
    learner : Learner
        What is fitted again to all rows.
    fitters : mapping of str to Fitter
        The fitters in it, by name.
    subsets : SelectedSubsets
        The subsets of the search with their weights, and how much of the best score is luck.
    names : tuple of str
        The features and imported metrics that are used.
    positions : tuple of int
        Where their columns are among those of the task's arrays.
    searches : mapping of str to SearchResult
        Each fitter that was tried, with every subset's score.
    """

    learner: Learner
    fitters: Mapping[str, Fitter]
    subsets: SelectedSubsets
    names: tuple[str, ...]
    positions: tuple[int, ...]
    searches: Mapping[str, SearchResult] = field(default_factory=dict)


def select(task: TrainingTask, searches: Searches) -> tuple[Selection | None, tuple[str, ...]]:
    """Choose among the subsets of all fitters of a task, or mix learners.

    Returns
    -------
    selection : Selection, optional
        None where the predictions of no subset vary, whatever the fitter.
    notes : tuple of str
        Which fitters found no subset whose predictions vary, and what that means for the run.
    """
    if not task.fitters:
        names = [name for _, names in task.space.units for name in names]
        return Selection(
            mixture(task),
            {},
            NO_SUBSETS,
            names=(*names, *(task.space.peers or ())),
            positions=tuple(range(len(task.arrays.columns))),
        ), ()
    found = {fitter: searches[task.space, fitter][task.run.target] for fitter in task.fitters}
    varying = {fitter: result for fitter, result in found.items() if result.has_winner}
    notes = tuple(_without_winner(task.run, fitter) for fitter in found if fitter not in varying)
    if not varying:
        return None, notes
    subsets = select_subsets(varying, task.rule)
    return _subsets(task, subsets, varying), notes


def _subsets(task: TrainingTask, subsets: SelectedSubsets, searches: Mapping[str, SearchResult]) -> Selection:
    """Take the selected subsets, with the names and columns that any of them uses, in the task's order."""
    used = {unit for member in subsets.members for unit in member.subset.names}
    kept = [unit in used for unit, _ in task.space.units]
    positions = [
        at for group, is_used in zip(task.arrays.groups, kept, strict=True) if is_used for at in group
    ]
    groups = tuple(
        tuple(positions.index(at) for at in group if at in positions) for group in task.arrays.groups
    )
    average = _average(task, subsets, groups)
    [first, *others] = subsets.members
    return Selection(
        average if others else AllColumns(first.fitter, average.fitters[first.fitter]),
        average.fitters,
        subsets,
        names=tuple(name for unit, names in task.space.units if unit in used for name in names),
        positions=tuple(positions),
        searches=searches,
    )


def _average(
    task: TrainingTask, subsets: SelectedSubsets, groups: tuple[tuple[int, ...], ...]
) -> SubsetAverage:
    """Make the learner of the subsets; each unit's columns are those of its group."""
    fitters = {name: make_fitter(task, name, on_scale=task.on_scale) for name in subsets.fitters}
    return SubsetAverage("search", subsets.members, groups, fitters)


def _without_winner(run: Run, fitter: str) -> str:
    why = f"; {FITTERS[fitter].fails_where}" if fitter in FITTERS and FITTERS[fitter].fails_where else ""
    outcome = "is left out" if run.fitter == fitter else "goes on without it"
    return f"run {run.label} {outcome}: with {fitter} no subset's predictions vary{why}"
