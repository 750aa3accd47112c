"""Step five: what was selected is fitted, without held-out rows to see how far off it is, and to all of its years.

A predictor has up to three formulas: of each summary alone, within its topic, and in small company. What other systems
say is another thing among three systems than among fifty. So beside the formula that is learned from all systems
together, a predictor that needs no reference has one for few, learned from groups of several sizes: the systems of each
year are dealt into groups, which are compared among themselves. Few are less than half of those learned with.

Held-out rows are predicted without their topic and their summarizer: both are dealt into folds, and the rows of each
pair of folds are predicted by what was fitted without both. Where the summarizers that will be predicted are those
learned from, only topics are held out. Of several years, each is predicted from the others.

The record of a predictor is its ``training``: how it was made, for human readers.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.config import Run
from classy_aesop.data import KEYS
from classy_aesop.data.scores import with_places
from classy_aesop.errors import DataWarning, listed
from classy_aesop.features.registry import FEATURES, needs_references
from classy_aesop.features.table import feature_table
from classy_aesop.formulas import Formula
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.checks import TrainingRange, reference_counts
from classy_aesop.predictor.within import N_FEWEST, N_MANY, Within, least_company
from classy_aesop.search import Design, SearchResult, SelectedSubsets
from classy_aesop.search.design import Mask
from classy_aesop.training.arrays import StackedYears, moments, rescaled
from classy_aesop.training.learners import Floats, Learner
from classy_aesop.training.plan import MIXTURE, TrainingTask
from classy_aesop.training.search import Selection
from classy_aesop.training.years import PlaceData, YearData
from classy_aesop.work.records import seeded_rng

_LOG = logging.getLogger(__name__)
_MOST = 5


class Forms(NamedTuple):
    """What was learned from plain columns, and from relative ones if there are any."""

    formula: Formula
    within: Within | None

    def predict(self, rows: Design) -> tuple[Floats, Floats]:
        """Predict rows as a predictor does, each beside the others of its topic; and each by itself."""
        n_relative = len(self.within.columns) if self.within else 0
        plain, relative = np.hsplit(rows.X, [rows.X.shape[1] - n_relative])
        alone = self.formula.predict(plain)
        if self.within is None:
            return alone, alone
        differences = self.within.formula.predict(relative)
        return self.within.parts(alone[:, None], differences[:, None], rows.topics).score, alone


def fit_forms(task: TrainingTask, learner: Learner, rows: Design) -> Forms:
    """Fit a learner to the plain columns of rows and to the relative ones after them, if any, at the task's level.

    Raises ValueError for too few rows.
    """
    relative, rows = task.arrays.relative, _for_fit(task, rows)
    n_plain = rows.X.shape[1] - len(relative)
    formula = learner.fit(rows.columns(slice(n_plain)), task.target)
    if not relative:
        return Forms(formula, None)
    return Forms(formula, Within(relative, learner.fit(rows.columns(slice(n_plain, None)), task.target)))


def _for_fit(task: TrainingTask, rows: Design) -> Design:
    return rows.for_fit(task.options.effects, task.options.fit_level)


def on_latest_scale(task: TrainingTask, stacked: StackedYears, known: Mask | None = None) -> Design:
    """Bring the human measures of earlier years to the latest one's scale, if asked, by each year's ``known`` rows."""
    if task.options.scale == "none":
        return stacked.design
    known, Y = np.ones(len(stacked.years), bool) if known is None else known, stacked.design.Y.copy()
    each = [stacked.years == year for year in np.unique(stacked.years)]
    of_years = [moments(Y[rows & known if (rows & known).any() else rows]) for rows in each]
    for rows, present in zip(each[:-1], of_years, strict=False):
        Y[rows] = rescaled(Y[rows], present, of_years[-1])
    return replace(stacked.design, Y=Y)


SIZES = (3, 5, 8, 16)
"""Numbers of systems in a group; beside them all systems are learned from together."""


def fit_few(task: TrainingTask, selection: Selection) -> dict[str, Any]:
    """Learn the parts of `Within` for few systems; none if a column needs references or humans are compared."""
    needy = any(map(needs_references, task.arrays.compared))
    if not task.space.peers or needy or task.run.peers != "no_models":
        return {}
    n_plain = len(task.arrays.columns) - len(task.arrays.relative)
    rows = _for_fit(task, on_latest_scale(task, in_groups(task))).columns(slice(n_plain, None))
    n_many = max(N_MANY, min(map(least_company, task.arrays.tables[-task.n_refit_years :])) // 2)
    return {"few": selection.learner.fit(rows, task.target), "n_least": N_FEWEST, "n_many": n_many}


def in_groups(task: TrainingTask) -> StackedYears:
    """Give the rows of the years that a predictor is fitted to, once for each size of group, and for all systems."""
    plain = task.arrays.columns[: -len(task.arrays.relative)]
    parts = [_grouped(year, task) for year in task.years[-task.n_refit_years :]]
    designs = [part.design(plain, task.arrays.measures, compared=task.arrays.compared) for part in parts]
    return StackedYears.of(designs, [part.features for part in parts])


def dealt(systems: Sequence[str], size: int, seed: int, *what: str) -> list[list[str]]:
    """Deal systems into groups of one size at random; those that are left over are in none."""
    order = seeded_rng(seed, "company", *what, str(size)).permutation(sorted(systems)).tolist()
    return [order[at : at + size] for at in range(0, len(order) - size + 1, size)]


def _grouped(year: YearData, task: TrainingTask) -> PlaceData:
    """Make of a topic and a group one topic."""
    place = year.places[task.run.place]
    systems = place.features["summarizer"].unique().tolist()
    groups = {
        f"{size}.{at}": names
        for size in (*(one for one in SIZES if one < len(systems)), len(systems))
        for at, names in enumerate(dealt(systems, size, task.config.seed, year.name))
    }
    who = place.features["summarizer"]
    parts = (place.features[who.isin(names)].assign(group=group) for group, names in groups.items())
    features = pd.concat(parts)
    judgments = place.judgments.loc[features.index].reset_index(drop=True)
    features = features.assign(topic=features["topic"] + "/" + features.pop("group")).reset_index(drop=True)
    return PlaceData(_with_peers(features, year, groups, task), judgments)


def _with_peers(
    features: pd.DataFrame, year: YearData, groups: dict[str, list[str]], task: TrainingTask
) -> pd.DataFrame:
    """Compute what looks at the other summaries, within groups."""
    topics = [
        replace(
            topic,
            topic=f"{topic.topic}/{group}",
            summaries=tuple(one for one in topic.summaries if one.summarizer in names),
        )
        for topic in year.corpus.topics
        if topic.task == task.run.task
        for group, names in groups.items()
    ]
    peers = list(task.space.peers or ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the whole year has given the same warnings
        table = feature_table([one for one in topics if one.summaries], task.config.features, names=peers)
    values = with_places(table).set_index(KEYS)[peers].reindex(pd.MultiIndex.from_frame(features[KEYS]))
    return features.assign(**{name: values[name].to_numpy(float) for name in peers})


FEWEST = 3
"""Topics, and summarizers, that are needed at least."""


@dataclass(frozen=True)
class HeldOut:
    """The rows with every value that is needed, their judgments, and what was predicted of them, (n_rows,) each."""

    rows: StackedYears
    truth: Floats
    predictions: Floats  # NaN where the rows left of some fold are too few to fit
    alone: Floats  # the same of each row by itself, where predictions compare it with the others of its topic

    @property
    def residuals(self) -> Floats:
        """The judgments less what was predicted of them, (n_rows,)."""
        return self.truth - self.predictions


def hold_out(task: TrainingTask, learner: Learner, positions: Sequence[int]) -> HeldOut | None:
    """Predict the rows that a task's predictor is fitted to, without each row's folds of topics and of summarizers.

    If the same summarizers will be predicted, only topics are held out. Earlier years have the scale of each fold's
    known rows, if asked. Rows without a column at ``positions`` or the target are left out; None if few are left.
    """
    stacked, n_folds, seed = _complete(task, positions), task.options.folds, task.config.seed
    if _too_few(stacked):
        return None
    truth, predictions = np.empty(len(stacked.years)), np.full((2, len(stacked.years)), np.nan)
    by_topic = ((held, ~held) for held in stacked.topic_folds(n_folds, seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for held, known in by_topic if task.same_summarizers else stacked.crossed_folds(n_folds, seed):
            scaled = on_latest_scale(task, stacked, known)
            truth[held] = scaled.Y[held, task.target]
            topics = stacked.design.topics
            beside = np.isin(topics, topics[held]) if task.arrays.relative else held
            with contextlib.suppress(ValueError):  # complete rows are refused for one reason: too few
                forms = fit_forms(task, learner, scaled.take(known))
                predictions[:, held] = np.stack(forms.predict(stacked.design.take(beside)))[:, held[beside]]
    return HeldOut(stacked, truth, *predictions)


def hold_out_years(task: TrainingTask, learner: Learner, positions: Sequence[int]) -> HeldOut | None:
    """Predict each of several years by what was fitted to the others, brought to the scale of the latest of them.

    The judgments stay as they are, so residuals hold the distance between years. None if too few are left.
    """
    stacked = _complete(task, positions)
    every = [stacked.years == year for year in np.unique(stacked.years)]
    if len(every) < 2 or _too_few(stacked):
        return None
    predictions = np.empty((2, len(stacked.years)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows gives the same warnings
        for held in every:
            try:
                forms = fit_forms(task, learner, on_latest_scale(task, stacked.take(~held)))
            except ValueError:
                return None
            predictions[:, held] = forms.predict(stacked.design.take(held))
    return HeldOut(stacked, stacked.design.Y[:, task.target], *predictions)


def _complete(task: TrainingTask, positions: Sequence[int]) -> StackedYears:
    stacked = task.stacked().columns(positions)
    return stacked.take(stacked.design.complete([task.target]))


def _too_few(stacked: StackedYears) -> bool:
    return min(np.unique(names).size for names in (stacked.topics, stacked.summarizers)) < FEWEST


Worth = dict[str, float | None]
"""Mean absolute errors and correlations by name; None where undefined."""


class Errors(NamedTuple):
    """What held-out rows say of a predictor: of its scores, of summaries by themselves, and what one score is worth."""

    calibration: Calibration | None = None
    alone: Calibration | None = None
    worth: Worth | None = None


@dataclass(frozen=True)
class TrainedRun:
    """What one run gave."""

    run: Run  # as planned; its fitter may be ``best`` or ``mixture``
    predictor: Predictor  # what was selected, refitted
    searches: Mapping[str, SearchResult]  # each fitter that was tried, with every subset's score
    subsets: SelectedSubsets  # what the predictor is made of, and how much of the best score is luck
    held_out: NDArray[np.float64] | None = None  # predictions (n_rows,) of the only year by folds


def trained_run(task: TrainingTask, selection: Selection, errors: Errors) -> TrainedRun:
    """Fit what was selected, make the predictor with its errors, and keep beside it what it came from."""
    run, subsets = task.run, selection.subsets
    stacked = task.stacked().columns(selection.positions)
    known = stacked.design.complete([task.target])
    forms = fit_forms(task, selection.learner, on_latest_scale(task, stacked))
    on_scale = all(fitter.is_on_scale for fitter in selection.fitters.values())
    plain = [at for at in selection.positions if task.arrays.columns[at] not in task.arrays.relative]
    columns = tuple(task.arrays.columns[at] for at in plain)
    latest = known & (stacked.years == stacked.years.max())  # whose scale the predictions have
    judged = stacked.design.Y[latest if latest.any() else known, task.target]
    grades = float(judged.min()), float(judged.max())
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
        grades=grades if on_scale else None,
        training_range=TrainingRange.of(stacked.design.X[known][:, : len(plain)]),
        calibration=errors.calibration,
        within=forms.within
        and replace(forms.within, calibration_alone=errors.alone, **fit_few(task, selection)),
    )
    held_out = None
    if len(task.config.years) == 1:  # it is predicted by folds, NaN where a feature is missing
        only = task.arrays.scaled[0].columns(list(selection.positions))
        held_out = np.full(len(only.X), np.nan)
        for held in task.arrays.folds:
            forms = fit_forms(task, selection.learner, only.take(~held))
            held_out[held], _ = forms.predict(only.take(held))
    return TrainedRun(run, predictor, selection.searches, subsets, held_out)


def record(task: TrainingTask, selection: Selection) -> dict[str, Any]:
    """Describe what a predictor was made from, and how it was selected."""
    subsets, fitters = selection.subsets, list(selection.fitters.values())
    last = slice(-task.n_refit_years, None)
    n_selected = 2 if task.options.protocol == "latest" else len(task.years)
    used = task.years[-max(n_selected, task.n_refit_years) :]
    found: dict[str, Any] = {
        "years": [year.name for year in used],
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
