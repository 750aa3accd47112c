"""Step eight: the predictor of a run, and the record of how it was made: its ``training``, for human readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.config import Run
from classy_aesop.features.base import FEATURES
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.base import reference_counts
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.search import Chosen, SearchResult
from classy_aesop.training.learners import Learner, SuperLearner
from classy_aesop.training.refit import RefitResult
from classy_aesop.training.select import Selection
from classy_aesop.training.task import SUPER_LEARNER, TrainingTask


@dataclass(frozen=True)
class TrainedRun:
    """What one run gave.

    Parameters
    ----------
    run : Run
        As planned; its fitter may be ``best`` or ``super_learner``.
    predictor : Predictor
        What was selected, refitted.
    searches : mapping of str to SearchResult
        Each fitter that was tried, with every subset's score.
    chosen : Chosen
        What of the searches the predictor is made of, and how much of the best score is luck.
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    """

    run: Run
    predictor: Predictor
    searches: Mapping[str, SearchResult]
    chosen: Chosen
    held_out: NDArray[np.float64] | None = None


def trained_run(
    task: TrainingTask,
    selection: Selection,
    refitted: RefitResult,
    calibration: Calibration | None,
) -> TrainedRun:
    """Make the predictor, and keep beside it what it came from."""
    run, chosen, training = task.run, selection.chosen, record(task, selection)
    predictor = Predictor(
        name=run.label,
        target=run.target,
        task=run.task,
        peers=run.peers,
        fitter=run.fitter if run.fitter == SUPER_LEARNER else "+".join(chosen.fitters),
        columns=tuple(task.arrays.columns[at] for at in selection.positions),
        imported=tuple(name for name in selection.names if name not in FEATURES),
        formula=refitted.formula,
        features=task.config.features,
        references=reference_counts(pd.concat(task.arrays.tables[-task.n_refit_years :])),
        training=training,
        training_range=refitted.training_range,
        calibration=calibration,
    )
    return TrainedRun(run, predictor, selection.searches, chosen, refitted.held_out)


def record(task: TrainingTask, selection: Selection) -> dict[str, Any]:
    """Say what a predictor was made from, and how it was chosen."""
    chosen = selection.chosen
    return {
        "years": [year.name for year in task.used_years],
        "refitted_on": "+".join(year.name for year in task.years[-task.n_refit_years :]),
        "protocol": task.protocol,
        "n_summaries": sum(len(table) for table in task.arrays.tables[-task.n_refit_years :]),
        "measures": list(task.arrays.measures),
        "subset": list(selection.names),
        "selection_score": chosen.score,
        **_learners(selection.learner),
        "level": task.options.level,
        "fit_level": task.options.fit_level,
        "fitter_options": next(iter(selection.fitters.values())).get_params(),
        "seed": task.config.seed,
        **({"about": dict(task.config.about)} if task.config.about else {}),
        **task.options.changed(whole=task.run.whole),
        **_luck(chosen),
        **(_average(chosen) if chosen.n_resamples and task.rule == "average" else {}),
    }


def _learners(learner: Learner) -> dict[str, Any]:
    """Say what share of the prediction each learner of a mixture has."""
    if not isinstance(learner, SuperLearner):
        return {}
    pairs = zip(learner.learners, learner.shares, strict=True)
    return {"learners": [{"name": one.name, "share": share} for one, share in pairs]}


def _luck(chosen: Chosen) -> dict[str, Any]:
    """Say how much of the best score is luck, and how stable the choice is."""
    if not chosen.n_resamples:
        return {}
    return {
        "optimism": _none_for_nan(chosen.optimism),
        "corrected_score": _none_for_nan(chosen.corrected),
        "standard_error": chosen.error,
        "stability": dict(chosen.stability),
    }


def _average(chosen: Chosen) -> dict[str, Any]:
    """Say of what an average is made."""
    return {
        "average": [
            {"fitter": one.fitter, "subset": list(one.subset.names), "weight": one.weight}
            for one in chosen.members
        ]
    }


def _none_for_nan(value: float) -> float | None:
    """Give a number as JSON can hold it."""
    return None if np.isnan(value) else value
