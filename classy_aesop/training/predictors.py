"""Step five: what was selected is fitted to all of its years and becomes a predictor.

The record of a predictor is its ``training``: how it was made, for human readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.config import Run
from classy_aesop.features.registry import FEATURES, needs_references
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.table_checks import TrainingRange, reference_counts
from classy_aesop.predictor.within import count_fewest_systems
from classy_aesop.search import SearchResult, Subset
from classy_aesop.training.forms import Forms
from classy_aesop.training.held_out_errors import HeldOutErrors
from classy_aesop.training.learners import MIXTURE, AllColumns
from classy_aesop.training.plan import PlannedRun, protocol_of
from classy_aesop.training.search import LearnerSelection
from classy_aesop.training.year_rows import YearRows


@dataclass(frozen=True)
class TrainedRun:
    """The result of one run."""

    run: Run  # as planned; its fitter may be ``best`` or ``mixture``
    predictor: Predictor  # what was selected, refitted
    searches: Mapping[str, SearchResult]  # each fitter that was tried, with every subset's score
    subset: Subset | None  # the best one, of which the predictor is made; None for a mixture
    held_out: NDArray[np.float64] | None = None  # predictions (n_rows,) of the only year by folds


def make_predictor(
    planned: PlannedRun,
    selection: LearnerSelection,
    forms: Forms,
    errors: HeldOutErrors,
    selected: YearRows,
    tables: Sequence[pd.DataFrame],
) -> Predictor:
    """Make a predictor of formulas that were fitted to the selected columns of rows, and to their feature tables."""
    run = planned.run
    rows = planned.rows
    features = planned.config.features
    columns = tuple(
        rows.columns[position]
        for position in selection.positions
        if rows.columns[position] not in rows.relative
    )
    target = planned.options.target
    is_complete = selected.mark_complete_rows([target])
    is_latest = is_complete & (selected.years == selected.years.max())  # whose scale the predictions have
    judged = selected.Y[is_latest if is_latest.any() else is_complete, target]
    grades = (float(judged.min()), float(judged.max()))
    references = reference_counts(pd.concat(tables)) if any(map(needs_references, columns)) else {}
    within = forms.within
    if within is not None:
        within = replace(within, calibration_alone=errors.alone)
    training = describe_training(planned, selection, tables)
    return Predictor(
        name=run.label,
        target=run.target,
        task=run.task,
        peers=run.peers,
        fitter=selection.learner.name,
        columns=columns,
        imported=tuple(name for name in selection.names if name not in FEATURES),
        formula=forms.formula,
        features=features if references else replace(features, references="none"),
        references=references,
        training={**training, **({"worth": errors.accuracy} if errors.accuracy else {})},
        grades=grades if selection.learner.is_on_scale else None,
        training_range=TrainingRange.from_rows(selected.X[is_complete][:, : len(columns)]),
        calibration=errors.calibration,
        within=within,
    )


def describe_training(
    planned: PlannedRun, selection: LearnerSelection, tables: Sequence[pd.DataFrame]
) -> dict[str, object]:
    """Describe what a predictor was made from, and how it was selected."""
    config = planned.config
    search = config.search
    learner = selection.learner
    record: dict[str, object] = {
        "years": [year.name for year in planned.used_years],
        "refitted_on": "+".join(year.name for year in planned.refit_years),
        "protocol": protocol_of(config),
        "n_summaries": sum(map(len, tables)),
        "least_company": min(map(count_fewest_systems, tables)),
        "measures": list(planned.rows.measures),
        "subset": list(selection.names),
    }
    if selection.subset:
        record["selection_score"] = selection.subset.score
    fitter_options = {name: dict(options) for name, options in search.fitter_options.items()}
    record |= {
        **learner.record(),
        "level": search.level,
        "fit_level": search.fit_level,
        "fitter_options": learner.fitter.get_params() if isinstance(learner, AllColumns) else fitter_options,
        "seed": config.seed,
    }
    if config.about:
        record["about"] = dict(config.about)
    return record | search.changes_since_2011(whole=planned.run.whole or planned.run.fitter == MIXTURE)
