"""Step five: what was selected is fitted again, on the latest training year or on all; the predictor and its record.

The record is the predictor's ``training``: how it was made, for human readers.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.config import Run
from classy_aesop.errors import listed
from classy_aesop.features.registry import FEATURES, needs_references
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.checks import TrainingRange, reference_counts
from classy_aesop.predictor.within import least_company
from classy_aesop.search import SearchResult, SelectedSubsets
from classy_aesop.training.arrays import StackedYears
from classy_aesop.training.forms import fit_few, fit_forms
from classy_aesop.training.intervals import Errors
from classy_aesop.training.plan import MIXTURE, TrainingTask
from classy_aesop.training.search import Selection

_LOG = logging.getLogger(__name__)
_MOST = 5


@dataclass(frozen=True)
class TrainedRun:
    """What one run gave.

    Parameters
    ----------
    run : Run
        As planned; its fitter may be ``best`` or ``mixture``.
    predictor : Predictor
        What was selected, refitted.
    searches : mapping of str to SearchResult
        Each fitter that was tried, with every subset's score.
    subsets : SelectedSubsets
        What of the searches the predictor is made of, and how much of the best score is luck.
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    """

    run: Run
    predictor: Predictor
    searches: Mapping[str, SearchResult]
    subsets: SelectedSubsets
    held_out: NDArray[np.float64] | None = None


def trained_run(task: TrainingTask, selection: Selection, errors: Errors) -> TrainedRun:
    """Fit what was selected, make the predictor with its errors, and keep beside it what it came from."""
    run, subsets = task.run, selection.subsets
    stacked = task.stacked().columns(selection.positions)
    known = stacked.design.complete([task.target])
    scaled = stacked if task.options.scale == "none" else stacked.on_latest_scale()
    forms = fit_forms(selection.learner, task.for_fit(scaled.design), task.target, task.arrays.relative)
    on_scale = all(fitter.on_scale for fitter in selection.fitters.values())
    plain = [at for at in selection.positions if task.arrays.columns[at] not in task.arrays.relative]
    columns = tuple(task.arrays.columns[at] for at in plain)
    tables = task.arrays.tables[-task.n_refit_years :]
    met = reference_counts(pd.concat(tables)) if any(map(needs_references, columns)) else {}
    predictor = Predictor(
        name=run.label,
        target=run.target,
        task=run.task,
        peers=run.peers,
        fitter=run.fitter if run.fitter == MIXTURE else "+".join(subsets.fitters),
        columns=columns,
        imported=tuple(name for name in selection.names if name not in FEATURES),
        formula=forms.formula,
        features=task.config.features if met else replace(task.config.features, references="none"),
        references=met,
        training={**record(task, selection), **({"worth": errors.worth} if errors.worth else {})},
        grades=_ends(stacked, known, task.target) if on_scale else None,
        training_range=TrainingRange.of(stacked.design.X[known][:, : len(plain)]),
        calibration=errors.calibration,
        within=forms.within
        and replace(forms.within, calibration_alone=errors.alone, **fit_few(task, selection)),
    )
    held_out = _held_out(task, selection) if task.predicts_own_year else None
    return TrainedRun(run, predictor, selection.searches, subsets, held_out)


def _ends(stacked: StackedYears, known: NDArray[np.bool_], target: int) -> tuple[float, float]:
    """Give the lowest and the highest judgment of the latest year, whose scale the predictions have."""
    judged = stacked.design.Y[known & (stacked.years == stacked.years.max()), target]
    judged = judged if judged.size else stacked.design.Y[known, target]
    return float(judged.min()), float(judged.max())


def _held_out(task: TrainingTask, selection: Selection) -> NDArray[np.float64]:
    """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing."""
    only = task.arrays.scaled[0].columns(list(selection.positions))
    predictions = np.full(len(only.X), np.nan)
    for held in task.arrays.folds:
        forms = fit_forms(
            selection.learner, task.for_fit(only.take(~held)), task.target, task.arrays.relative
        )
        predictions[held], _ = forms.predict(only.take(held))
    return predictions


def record(task: TrainingTask, selection: Selection) -> dict[str, Any]:
    """Describe what a predictor was made from, and how it was selected."""
    subsets, fitters = selection.subsets, list(selection.fitters.values())
    last = slice(-task.n_refit_years, None)
    found: dict[str, Any] = {
        "years": [year.name for year in task.used_years],
        "refitted_on": "+".join(year.name for year in task.years[last]),
        "protocol": task.protocol,
        "n_summaries": sum(map(len, task.arrays.tables[last])),
        "least_company": min(map(least_company, task.arrays.tables[last])),
        "measures": list(task.arrays.measures),
        "subset": list(selection.names),
    }
    if selection.searches:
        found["selection_score"] = _none_for_nan(subsets.score)
    found |= {
        **selection.learner.record(),
        "level": task.options.level,
        "fit_level": task.options.fit_level,
        "fitter_options": fitters[0].get_params()
        if fitters
        else {name: dict(given) for name, given in task.options.fitter_options.items()},
        "seed": task.config.seed,
    }
    if task.config.about:
        found["about"] = dict(task.config.about)
    found |= task.options.changed(whole=task.run.whole or not task.fitters)
    if subsets.n_resamples:
        found |= {
            "optimism": _none_for_nan(subsets.optimism),
            "corrected_score": _none_for_nan(subsets.corrected),
            "standard_error": subsets.error,
            "stability": dict(subsets.stability),
        }
        if task.rule == "average":
            found["average"] = [
                {"fitter": one.fitter, "subset": list(one.subset.names), "weight": one.weight}
                for one in subsets.members
            ]
    return found


def _none_for_nan(value: float) -> float | None:
    """Give a number as JSON can hold it."""
    return None if np.isnan(value) else value


def log_run(trained: TrainedRun) -> None:
    """Log what a run's predictor is made of."""
    label, subsets = trained.run.label, trained.subsets
    if subsets.members:
        _LOG.info("run %s: %d subsets used, best score %.3f", label, len(subsets.members), subsets.score)
    for member in subsets.members[:_MOST]:
        names, weight = "+".join(member.subset.names), member.weight
        _LOG.info("run %s: subset %s by %s, weight %.3f", label, names, member.fitter, weight)
    learners = trained.predictor.training.get("learners", [])
    if learners:
        shares = (f"{one['name']} {one['share']:.0%}" for one in learners if one["share"])
        _LOG.info("run %s: learners: %s", label, listed(shares, most=len(learners)))
    columns = listed(trained.predictor.columns, most=20)
    _LOG.info("run %s: %d columns: %s", label, len(trained.predictor.columns), columns)
