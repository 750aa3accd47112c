"""Steps three to five, run by run: select, measure the errors on held-out rows, and refit."""

from __future__ import annotations

from collections.abc import Sequence

from classy_aesop.errors import value_errors_as_input_errors
from classy_aesop.training.few_systems import fit_few_systems, learns_from_groups
from classy_aesop.training.forms import fit_forms, rescale_to_latest
from classy_aesop.training.held_out_errors import HeldOutErrors, measure_errors
from classy_aesop.training.hold_out import predict_by_folds
from classy_aesop.training.learners import MIXTURE, MeanOfLearners, make_learners
from classy_aesop.training.plan import PlannedRun
from classy_aesop.training.predictors import TrainedRun, make_predictor
from classy_aesop.training.search import (
    LearnerSelection,
    Searches,
    drop_constant_searches,
    fitters_of,
    search_runs,
    select_from_searches,
    select_mixture,
)
from classy_aesop.training.shares import learner_shares
from classy_aesop.training.year_rows import YearRows, stack_years
from classy_aesop.work.workers import progress_bar


def train_runs(
    planned_runs: Sequence[PlannedRun],
    *,
    with_intervals: bool = True,
    n_jobs: int = 1,
    progress: bool = False,
) -> tuple[tuple[TrainedRun, ...], tuple[str, ...]]:
    """Train a predictor for each run."""
    searches = search_runs(planned_runs, n_jobs=n_jobs, progress=progress)
    trained: list[TrainedRun] = []
    notes: list[str] = []
    with progress_bar("runs", len(planned_runs), "runs", shown=progress) as advance:
        for planned in planned_runs:
            advance(0, f"run {planned.run.label}")
            trained_run, notes_of_run = _train_run(planned, searches, with_intervals=with_intervals)
            notes += notes_of_run
            if trained_run is not None:
                trained.append(trained_run)
            advance()
    return tuple(trained), tuple(notes)


def _train_run(
    planned: PlannedRun, searches: Searches, *, with_intervals: bool
) -> tuple[TrainedRun | None, tuple[str, ...]]:
    """Train the predictor of a run; None, and notes on the reason, if no subset has predictions that vary."""
    stacked = stack_years(planned.rows.years[-len(planned.refit_years) :])
    with value_errors_as_input_errors():
        selection, notes = _select(planned, stacked, searches)
    if selection is None:
        return None, notes
    selected = stacked.select_columns(selection.positions)
    errors = HeldOutErrors()
    if with_intervals and selection.learner.is_on_scale:
        errors = measure_errors(planned, selection.learner, selected)
    with value_errors_as_input_errors():
        return _refit(planned, selection, selected, errors), notes


def _select(
    planned: PlannedRun, stacked: YearRows, searches: Searches
) -> tuple[LearnerSelection | None, tuple[str, ...]]:
    """Choose among the subsets of all fitters of a run, or mix learners.

    Notes say which fitters had no subset whose predictions vary; if none had one, there is no selection.
    """
    rows = planned.rows
    run = planned.run
    options = planned.options
    if run.fitter == MIXTURE:
        imported = planned.years[0].imported
        learners = make_learners(
            planned.config.search.learners,
            rows.columns,
            options,
            imported=imported,
            run=run.name,
        )
        shares = learner_shares(
            learners,
            stacked,
            options.target,
            relative=options.relative,
            imported=imported,
            same_summarizers=planned.same_summarizers,
            seed=options.seed,
        )
        return select_mixture(planned, MeanOfLearners(MIXTURE, tuple(learners), shares)), ()
    of_target = {fitter: searches[planned.space, fitter, run.target] for fitter in fitters_of(run)}
    varying, notes = drop_constant_searches(run, of_target)
    if not varying:
        return None, notes
    return select_from_searches(planned, varying), notes


def _refit(
    planned: PlannedRun, selection: LearnerSelection, selected: YearRows, errors: HeldOutErrors
) -> TrainedRun:
    """Fit what was selected to all rows of its columns, and make the predictor."""
    config = planned.config
    run = planned.run
    options = planned.options
    tables = [year.data_by_task_and_peers[run.task_and_peers].features for year in planned.refit_years]
    rescaled = rescale_to_latest(selected, options.search.scale)
    forms = fit_forms(selection.learner, rescaled, options)
    if forms.within is not None and learns_from_groups(planned):
        forms = forms._replace(within=fit_few_systems(planned, forms.within, selection.learner, tables))
    predictor = make_predictor(planned, selection, forms, errors, selected, tables)
    held_out = None
    if len(config.years) == 1:
        folds = planned.rows.topic_folds(config.search.folds, config.seed)
        held_out = predict_by_folds(selection.learner, selected, folds, options)
    return TrainedRun(run, predictor, selection.searches, selection.subset, held_out)
