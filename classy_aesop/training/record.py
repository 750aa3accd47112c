"""Step eight: what a predictor's file says of how it was made: its ``training``, for human readers."""

from __future__ import annotations

from typing import Any

import numpy as np

from classy_aesop.search import Chosen
from classy_aesop.training.learners import Learner, SuperLearner
from classy_aesop.training.select import Selection
from classy_aesop.training.task import TrainingTask


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
        **(selection.nested.to_dict() if selection.nested else {}),
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
