"""Step nine: a predictor is made of what was selected, fitted and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.config import Run
from classy_aesop.features.base import FEATURES
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.search import Chosen, SearchResult
from classy_aesop.training.refit import RefitResult
from classy_aesop.training.select import Selection
from classy_aesop.training.task import SUPER_LEARNER, TrainingTask


@dataclass(frozen=True)
class TrainedRun:
    """What one run gave.

    Parameters
    ----------
    run : Run
        As planned; its fitter may be ``best`` or ``nested``.
    predictor : Predictor
        What was selected, refitted.
    searches : mapping of str to SearchResult
        Each fitter that was tried, with every subset's score; none for ``nested``.
    chosen : Chosen
        What of the searches the predictor is made of, and how much of the best score is luck; for ``nested`` all
        names, with the score of the learner that was chosen.
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
    record: Mapping[str, Any],
) -> TrainedRun:
    """Make the predictor, and keep beside it what it came from."""
    run, chosen = task.run, selection.chosen
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
        references=refitted.references,
        training=record,
        training_range=refitted.training_range,
        calibration=calibration,
    )
    return TrainedRun(run, predictor, selection.searches, chosen, refitted.held_out)
