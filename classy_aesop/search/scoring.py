"""Subsets to scores: they are fitted in batches or one by one, predict held-out rows, and are correlated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classy_aesop.fitters import declared
from classy_aesop.search.base import Kernel, Solutions, Training
from classy_aesop.search.design import Array, Integers, Mask, needed_targets
from classy_aesop.search.kernels import kernel_of
from classy_aesop.search.plain import Predict, fit_one
from classy_aesop.search.resample import Resampled, Resamples
from classy_aesop.search.result import (
    BY_ITSELF,
    CONSTANT_COLUMN,
    CONSTANT_PREDICTION,
    TOO_FEW,
    TWINS,
    UNSETTLED,
)
from classy_aesop.search.selection import Selection
from classy_aesop.search.subsets import Groups, Splits, constant_columns, row_sets, without_gaps
from classy_aesop.search.twins import twin_sets, without_twins

Scores = tuple[Array, Mask, Integers, Array]
"""Scores by each criterion (n_criteria, n_targets, n), convergence (n,), notes (n_targets, n) of n subsets, and scores
on resamples: inside, outside, and inside by each further criterion."""


@dataclass(frozen=True)
class Scoring:
    """How subsets are fitted and scored.

    Parameters
    ----------
    fitters : tuple of regressors
        One for each target; the subsets of all are solved together.
    splits, groups, targets, level, resamples
        As for `classy_aesop.search.search_targets`.
    criteria : tuple of str
        The coefficient that is the score, and those that rank equal scores.
    """

    fitters: tuple[Any, ...]
    splits: Splits
    groups: Groups
    targets: Sequence[int]
    level: str
    resamples: Resamples | None = None
    criteria: tuple[str, ...] = ("pearson",)

    def batches(self, masks: Integers) -> Iterator[tuple[SubsetScorer, Integers]]:
        """Yield batches of subsets, each with its scorer; the batches depend on the data alone."""
        size = kernel_of(self.fitters[0]).chunk
        for part, names in row_sets(masks, self.splits, self.groups):
            scorer = self._scorer([column for name in names for column in self.groups[name]])
            part = scorer.by_solution(part)
            for start in range(0, part.size, size):
                yield scorer, part[start : start + size]

    def _scorer(self, columns: Sequence[int]) -> SubsetScorer:
        """Prepare the rows that subsets of some columns can use."""
        fitter, target = self.fitters[0], self.targets[0]
        needed, only = needed_targets(fitter, target), slice(target, target + 1)
        train = [without_gaps(design, columns, needed) for design, _ in self.splits]
        select = [without_gaps(design, columns, only) for _, design in self.splits]
        constant = np.logical_or.reduce([constant_columns(design.X) for design in train])
        trainings = [Training.of(fitter, rows, self.groups, self.targets, constant) for rows in train]
        kernel, enough = kernel_of(fitter), min(len(design.X) for design in train) > 1
        selections = [Selection(select, self.targets, self.level, by) for by in self.criteria]
        return SubsetScorer(
            fitters=self.fitters,
            trainings=trainings,
            kernels=[kernel(fitter, training) for training in trainings] if enough else [],
            selections=selections,
            constant=constant,
            groups=self.groups,
            twins=twin_sets(trainings) if declared(fitter, "first_of_equals") else [],
            resampled=[]
            if self.resamples is None
            else [Resampled(selections[0].rows, self.level, self.resamples, by) for by in self.criteria],
        )


@dataclass(frozen=True)
class SubsetScorer:
    """Scores subsets that use the same rows, against one or more targets."""

    fitters: Sequence[Any]
    trainings: Sequence[Training]
    kernels: Sequence[Kernel]
    selections: Sequence[Selection]
    constant: Mask
    groups: Groups
    twins: Sequence[int]
    resampled: Sequence[Resampled] = ()

    def by_solution(self, masks: Integers) -> Integers:
        """Put subsets with the same solution side by side, in ascending order of what is solved for them."""
        return masks[np.argsort(without_twins(masks, self.twins), kind="stable")]

    def score(self, masks: Integers) -> Scores:
        """Score subsets (n,), in any order."""
        n_constant = self._count(masks, self.constant)
        notes = np.where(n_constant > 0, CONSTANT_COLUMN, 0).astype(np.uint8)
        fits = self._enough_rows(self._count(masks, ~self.constant))
        scores = np.full((len(self.selections), len(self.fitters), masks.size), -np.inf)
        converged = np.ones(masks.size, dtype=bool)
        notes[~fits] |= TOO_FEW
        reduced = without_twins(masks, self.twins)
        notes[reduced != masks] |= TWINS
        distinct, place = _distinct(reduced[fits]) if self.twins else (masks[fits], slice(None))
        found = self._score(distinct)
        scores[..., fits], converged[fits], alone, of_fits = (values[..., place] for values in found)
        on_resamples = np.full((*of_fits.shape[:-1], masks.size), -np.inf)
        on_resamples[..., fits] = of_fits
        notes[np.flatnonzero(fits)[alone]] |= BY_ITSELF
        notes[~converged] |= UNSETTLED
        of_targets: Integers = np.where(fits & (scores[0] == -np.inf), notes | CONSTANT_PREDICTION, notes)
        return scores, converged, of_targets, on_resamples

    def _count(self, masks: Integers, among: Mask) -> Integers:
        """Return how many of some columns each subset uses, (n,)."""
        numbers = [int(among[list(columns)].sum()) for columns in self.groups]
        counts = np.zeros(masks.size, dtype=np.int64)
        for number in set(numbers) - {0}:
            alike = sum(1 << name for name, of_name in enumerate(numbers) if of_name == number)
            counts += np.multiply(number, np.bitwise_count(masks & alike), dtype=np.int64)
        return counts

    def _enough_rows(self, n_columns: Integers) -> Mask:
        """Whether there are more rows than columns, by as many as the fitter asks for, and points to correlate."""
        rows = min(len(training.X) for training in self.trainings)
        needed = np.maximum(n_columns, 1) + declared(self.fitters[0], "spare_rows")
        enough: Mask = (rows > needed) & (self.selections[0].n_points > 1)
        return enough

    def _score(self, masks: Integers) -> tuple[Array, Mask, Mask, Array]:
        if not masks.size:
            none = np.zeros(0, dtype=bool)
            scores = np.zeros((len(self.selections), len(self.fitters), 0))
            return scores, none, none, self._on_resamples((), 0)
        solved = [kernel.solve(masks) for kernel in self.kernels]
        hard = np.logical_or.reduce([s.hard for s in solved])
        converged = np.logical_and.reduce([s.converged[s.owner] for s in solved])
        if len(solved) == 1:
            scores = self._score_linear(solved)[..., solved[0].owner]
        else:
            scores = self._score_linear([_each(s) for s in solved])
        on_resamples, alone = self._on_resamples(solved, masks.size), np.flatnonzero(hard)
        fits = []
        for at in alone:
            scores[..., at], converged[at], fitted = self._score_alone(int(masks[at]))
            fits.append(fitted)
        if self.resampled and fits:
            on_resamples[..., alone] = self._on_resamples_alone(fits)
        return scores, converged, hard, on_resamples

    def _score_linear(self, solved: Sequence[Solutions]) -> Array:
        return np.stack([selection.score_linear(solved) for selection in self.selections])

    def _score_alone(self, mask: int) -> tuple[Array, bool, list[list[Predict]]]:
        """Return scores (n_criteria, n_targets), convergence, and what predicts: for each target a function a split."""
        scores, settled, predict = np.zeros((len(self.selections), len(self.fitters))), True, []
        for place, fitter in enumerate(self.fitters):
            fits = [fit_one(fitter, training, mask) for training in self.trainings]
            predict.append([function for function, _ in fits])
            scores[:, place] = [one.score_any(predict[-1])[place] for one in self.selections]
            settled &= all(converged for _, converged in fits)
        return scores, settled, predict

    def _on_resamples_alone(self, fits: Sequence[Sequence[Sequence[Predict]]]) -> Array:
        """Return the scores on resamples (k, n_targets, n_resamples, n) of n subsets that were fitted one by one."""
        n_columns = self.trainings[0].X.shape[1]
        parts = []
        for place in range(len(self.fitters)):
            splits = zip(*(fit[place] for fit in fits), strict=True)
            solved = [_linear(predict, n_columns) for predict in splits]
            parts.append(self._on_resamples(solved, len(fits))[:, place])
        return np.stack(parts, axis=1)

    def _on_resamples(self, solutions: Sequence[Solutions], n: int) -> Array:
        """Return the scores (k, n_targets, n_resamples, n) on resamples, k as in `Scores`; 0 without any."""
        if not self.resampled or not n:
            n_resamples = len(self.resampled[0].resamples) if self.resampled else 0
            return np.zeros((1 + len(self.selections), len(self.fitters), n_resamples, n))
        each = solutions if len(solutions) == 1 else [_each(one) for one in solutions]
        first, *others = (resampled.score_linear(each) for resampled in self.resampled)
        scores = np.concatenate([first, *(inside[:1] for inside in others)])
        return scores[..., solutions[0].owner] if len(solutions) == 1 else scores


def _distinct(masks: Integers) -> tuple[Integers, Integers]:
    """Return each mask once, ascending, and the place of every one among them."""
    distinct, place = np.unique(masks, return_inverse=True)
    return distinct, place


def _linear(predict: Sequence[Predict], n_columns: int) -> Solutions:
    """Read the solutions of linear estimators from their predictions of 0 and of each unit row."""
    rows = np.concatenate([np.zeros((1, n_columns)), np.eye(n_columns)])
    predicted = np.column_stack([function(rows) for function in predict])
    every = np.arange(len(predict))
    return Solutions(predicted[1:] - predicted[0], predicted[0], every >= 0, every < 0, every)


def _each(solutions: Solutions) -> Solutions:
    """Write out the solution of every subset."""
    owner = solutions.owner
    return Solutions(
        solutions.coef[:, owner],
        solutions.intercept[owner],
        solutions.converged[owner],
        solutions.hard,
        np.arange(owner.size),
        None if solutions.signs is None else solutions.signs[:, owner],
    )
