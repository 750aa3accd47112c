"""Step three: all subsets searched, once for all runs that choose from the same, and the best of them.

Three years: fit on the first, select on the second, refit on the second. Two: select by topic folds of the first.
One: the same, and the predictions that are assessed come from the folds too. Rankel (2016), sections 5.3 and 5.5.
More training years, and what else may be used beside the best subset: docs/prediction.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from classy_aesop.config import Run, SearchOptions
from classy_aesop.errors import value_errors_as_input_errors
from classy_aesop.fitters import FITTERS, fitters_tried_by_best
from classy_aesop.search import (
    Rows,
    SearchResult,
    Subset,
    best_fitter,
    mean_result,
    search_subsets,
    stack,
)
from classy_aesop.training.learners import MIXTURE, AllColumns, Learner
from classy_aesop.training.plan import PlannedRun, SearchSpace
from classy_aesop.training.training_rows import TrainingRows

Searches = Mapping[tuple[SearchSpace, str, str], SearchResult]
"""The search of each search space, fitter and target."""


def fitters_of(run: Run) -> tuple[str, ...]:
    """Name the fitters whose subsets are searched; a mixture searches none."""
    return {MIXTURE: (), "best": fitters_tried_by_best()}.get(run.fitter, (run.fitter,))


def search_runs(planned_runs: Sequence[PlannedRun], *, n_jobs: int = 1, progress: bool = False) -> Searches:
    """Search once for each search space, fitter and target."""
    searches: dict[tuple[SearchSpace, str, str], SearchResult] = {}
    with value_errors_as_input_errors():
        for planned in planned_runs:
            for fitter in fitters_of(planned.run):
                key = planned.space, fitter, planned.run.target
                if key not in searches:
                    searches[key] = search_space(planned, fitter, n_jobs=n_jobs, progress=progress)
    return searches


def search_space(
    planned: PlannedRun, fitter: str, *, n_jobs: int = 1, progress: bool = False
) -> SearchResult:
    """Score all subsets for a run's target: on each held-out year, fitted on others, or by folds of the only one."""
    options = planned.config.search
    results = [
        search_subsets(
            planned.options.make_fitter(fitter, on_scale=True),
            splits,
            planned.rows.groups,
            target=planned.options.target,
            names=[unit for unit, _ in planned.space.units],
            level=options.level,
            coefficient=options.coefficient,
            fit_level=options.fit_level,
            n_jobs=n_jobs,
            progress=progress,
        )
        for splits in split_years(planned.rows, options, planned.config.seed)
    ]
    return mean_result(results)


def split_years(rows: TrainingRows, options: SearchOptions, seed: int) -> list[list[tuple[Rows, Rows]]]:
    """Return what is fitted on and scored on for each held-out year: two years, or the folds of the only one."""
    years = rows.rescale_years(options.scale)

    def make_split(fitted: Rows, held_out: Rows) -> tuple[Rows, Rows]:
        """Put what is fitted, less effects of topics if so configured, beside what is scored."""
        return fitted.prepare_for_fit(options.effects, "summary"), held_out

    if len(years) == 1:
        [year] = years
        folds = rows.topic_folds(options.folds, seed)
        return [[make_split(year.take(~fold), year.take(fold)) for fold in folds]]
    return [
        [make_split(stack([years[number] for number in fitted]), years[held_out])]
        for held_out, fitted in held_out_years(options.protocol, len(years)).items()
    ]


def held_out_years(protocol: str, n_years: int) -> dict[int, Sequence[int]]:
    """Give for each held-out training year the years that are fitted on; ``n_years`` are two or more.

    Examples
    --------
    >>> held_out_years("latest", 4)
    {3: [2]}
    >>> held_out_years("leave-one-year-out", 3)
    {0: [1, 2], 1: [0, 2], 2: [0, 1]}
    """
    years = range(n_years)
    if protocol == "latest":
        return {n_years - 1: [n_years - 2]}
    return {held_out: [year for year in years if year != held_out] for held_out in years}


@dataclass(frozen=True)
class LearnerSelection:
    """What a predictor is made of."""

    learner: Learner  # what is fitted again to all rows
    subset: Subset | None  # the best of the search; None for a mixture
    names: tuple[str, ...]  # the features and imported metrics that are used
    positions: tuple[int, ...]  # where their columns are among those of the run's rows
    searches: Mapping[str, SearchResult] = field(default_factory=dict)  # each fitter that was tried


def select_mixture(planned: PlannedRun, learner: Learner) -> LearnerSelection:
    """Select all columns of a run for a mean of learners."""
    names = [name for _, of_unit in planned.space.units for name in of_unit]
    return LearnerSelection(
        learner=learner,
        subset=None,
        names=(*names, *(planned.space.peers or ())),
        positions=tuple(range(len(planned.rows.columns))),
    )


def select_from_searches(planned: PlannedRun, searches: Mapping[str, SearchResult]) -> LearnerSelection:
    """Choose the best subset of several fitters."""
    name = best_fitter(searches)
    subset = searches[name].best()
    units = [
        (names, group)
        for (unit, names), group in zip(planned.space.units, planned.rows.groups, strict=True)
        if unit in subset.names
    ]
    fitter = planned.options.make_fitter(name, on_scale=planned.run.calibrate)
    return LearnerSelection(
        learner=AllColumns(name, fitter),
        subset=subset,
        names=tuple(name for names, _ in units for name in names),
        positions=tuple(position for _, group in units for position in group),
        searches=searches,
    )


def drop_constant_searches(
    run: Run, searches: Mapping[str, SearchResult]
) -> tuple[dict[str, SearchResult], tuple[str, ...]]:
    """Return the searches with a subset whose predictions vary, and notes on the others."""
    varying = {fitter: result for fitter, result in searches.items() if result.has_winner}
    notes = []
    for fitter in searches:
        if fitter not in varying:
            outcome = "is left out" if run.fitter == fitter else "goes on without it"
            reason = f"; {FITTERS[fitter].fails_where}" if FITTERS[fitter].fails_where else ""
            notes.append(
                f"run {run.label} {outcome}: with {fitter} the predictions of every subset are constant{reason}"
            )
    return varying, tuple(notes)
