"""Step five where the fitter is ``nested``: learners are compared by folds of whole topics, and so is the choice.

Each learner is fitted on all names together and predicts each fold of topics from the others; the one whose held-out
predictions correlate best with the target is fitted on all topics. Its score is that of the best of several, so it
flatters. The *nested* score does not: for each outer fold the whole choice is made anew on the other topics, by inner
folds of those alone, and what it chose predicts the fold (Stone, 1974; Varma and Simon, 2006).

A fold holds a topic of every year and task with that name, so no topic is on both sides. Scores are computed within
each year and averaged: a summarizer of one year is nobody in another, and the years' scales need not agree.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import Fitter, pool
from classy_aesop.search import Design
from classy_aesop.search.selection import Selection
from classy_aesop.training.pool import Mask, Pool
from classy_aesop.training.task import TrainingTask, make_fitter

Array = NDArray[np.float64]
Fit = Callable[[Fitter, Design], Fitter]


def score(pool: Pool, predictions: Array, target: int, level: str) -> float:
    """Return the mean over years of the correlation of predictions (n_rows,) with the target, -inf if none."""
    predicted = replace(pool.design, X=predictions[:, None])
    there, scores = predicted.complete([target]), []
    for year in np.unique(pool.years):
        held_out = predicted.take(there & (pool.years == year))
        scores.append(Selection([held_out], [target], level).score_any([_column])[0])
    return float(np.mean(scores))


def _column(X: Array) -> Array:
    return X[:, 0]


@dataclass(frozen=True)
class Nested:
    """What the choice among learners gave.

    Parameters
    ----------
    name : str, optional
        The learner chosen on all topics, if the predictions of any vary.
    scores : mapping of str to float
        Each learner's score over the outer folds; -inf where its predictions do not vary.
    score : float
        The nested score, that of the choice itself.
    picks : tuple of str or None
        What was chosen without each outer fold.
    held_out : (n_rows,)
        Predictions of each outer fold by what was chosen and fitted without it; NaN where a feature is missing.
    """

    name: str | None
    scores: Mapping[str, float]
    score: float
    picks: tuple[str | None, ...]
    held_out: Array

    def to_dict(self) -> dict[str, Any]:
        """Give what a predictor's file says about the choice; a score that is none is null."""
        return {
            "nested_score": _number(self.score),
            "scores": {name: _number(score) for name, score in self.scores.items()},
            "picks": list(self.picks),
        }


def _number(score: float) -> float | None:
    return score if np.isfinite(score) else None


def nested(task: TrainingTask) -> Nested:
    """Choose among a task's learners on all names and training years."""
    return choose_nested(
        {name: make_fitter(task, name, on_scale=True) for name in task.run.among or pool("nested")},
        Pool.of(task.arrays.scaled, task.arrays.tables),
        lambda fitter, rows: rows.for_fit(effects=task.options.effects, level=task.options.fit_level).fit(
            fitter, task.target
        ),
        target=task.target,
        level=task.options.level,
        n_folds=task.options.folds,
        seed=task.config.seed,
    )


def choose_nested(
    fitters: Mapping[str, Fitter],
    pool: Pool,
    fit: Fit,
    *,
    target: int,
    level: str = "system",
    n_folds: int = 5,
    seed: int = 0,
) -> Nested:
    """Choose among learners by topic folds, and estimate by nested folds what the choice gives.

    Parameters
    ----------
    fitters : mapping of str to Fitter
        The learners; of equal ones the first is chosen.
    pool : Pool
        All rows that may be learned from.
    fit : callable
        Fits a clone of a fitter on rows.
    target : int
        Column of Y to be predicted.
    level : {"system", "input", "global", "centred"}
        What the score is, see `classy_aesop.search.levels`.
    n_folds : int
        Outer folds, and inner folds of each.
    seed : int
        Deals the topics.

    Raises
    ------
    InputError
        For fewer than three topics: an inner fold needs two beside the outer.
    """

    choice = _Choice(fitters, fit, target, level)
    folds, picks = pool.topic_folds(n_folds, seed), []
    held_out = np.full(len(pool.years), np.nan)
    with warnings.catch_warnings():
        for category in _quiet():
            warnings.simplefilter("ignore", category)
        for held in folds:
            rest = pool.take(~held)
            pick, _ = choice.best(rest, rest.topic_folds(n_folds, seed))
            picks.append(pick)
            if pick is not None:
                held_out[held] = fit(fitters[pick], rest.design).formula.predict(pool.design.X[held])
        name, scores = choice.best(pool, folds)
    return Nested(name, scores, score(pool, held_out, target, level), tuple(picks), held_out)


@dataclass(frozen=True)
class _Choice:
    """The choice among learners on some rows."""

    fitters: Mapping[str, Fitter]
    fit: Fit
    target: int
    level: str

    def best(self, pool: Pool, folds: Sequence[Mask]) -> tuple[str | None, dict[str, float]]:
        """Return the learner with the best score, None if there is none, and all scores."""
        scores = {
            name: score(pool, self.held_out(fitter, pool.design, folds), self.target, self.level)
            for name, fitter in self.fitters.items()
        }
        name = max(scores, key=lambda name: scores[name])
        return (name if np.isfinite(scores[name]) else None), scores

    def held_out(self, fitter: Fitter, design: Design, folds: Sequence[Mask]) -> Array:
        """Predict each fold from the others, (n_rows,); NaN where a feature is missing or there are too few rows."""
        predictions = np.full(len(design.X), np.nan)
        for held in folds:
            with contextlib.suppress(ValueError):  # complete rows are refused for one reason: too few
                predictions[held] = self.fit(fitter, design.take(~held)).formula.predict(design.X[held])
        return predictions


def _quiet() -> tuple[type[Warning], ...]:
    """Warnings of single fits: the learner that is chosen warns again when it is fitted at last."""
    from sklearn.exceptions import ConvergenceWarning

    return ConvergenceWarning, DataWarning
