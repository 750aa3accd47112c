"""The search of every subset of names: fit on some rows, in batches or one by one, predict others, correlate."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import get_declaration
from classy_aesop.formulas.base import Array
from classy_aesop.search.kernels.base import Kernel, Training, identical_names
from classy_aesop.search.row_arrays import Integers, Mask, needed_targets
from classy_aesop.search.search_result import (
    CONSTANT_COLUMN,
    CONSTANT_PREDICTION,
    FITTED_BY_ESTIMATOR,
    IDENTICAL_COLUMNS,
    NOT_CONVERGED,
    TOO_FEW_ROWS,
    SearchResult,
)
from classy_aesop.search.subset_fits import fit_subset, kernel_of
from classy_aesop.search.subset_scores import COMBINATION, HeldOutScorer
from classy_aesop.search.subsets import (
    Groups,
    Splits,
    all_masks,
    constant_columns,
    drop_missing_rows,
    keep_first_of_identical,
    split_by_rows,
)
from classy_aesop.work.workers import blas_controller, keep_freed_memory, map_workers


class BatchScores(NamedTuple):
    """The scores of n subsets."""

    scores: Array  # (n,)
    converged: Mask  # (n,)
    notes: Integers  # (n,)


@dataclass(frozen=True)
class Scoring:
    """How subsets are fitted and scored; the fields are those of `search_subsets`."""

    fitter: Any
    splits: Splits
    groups: Groups
    target: int
    level: str
    coefficient: str

    def batches(self, masks: Integers) -> Iterator[tuple[SubsetScorer, Integers]]:
        """Yield batches of subsets, each with its scorer; the batches depend on the data alone."""
        size = kernel_of(self.fitter).chunk
        for same_rows, names in split_by_rows(masks, self.splits, self.groups):
            scorer = self._make_scorer([column for name in names for column in self.groups[name]])
            # those with the same solution side by side, in ascending order of what is solved for them
            order = np.argsort(keep_first_of_identical(same_rows, scorer.identical), kind="stable")
            ordered = same_rows[order]
            for start in range(0, ordered.size, size):
                yield scorer, ordered[start : start + size]

    def _make_scorer(self, columns: Sequence[int]) -> SubsetScorer:
        """Prepare the rows that subsets of some columns can use."""
        fitter = self.fitter
        needed = needed_targets(fitter, self.target)
        train = [drop_missing_rows(design, columns, needed) for design, _ in self.splits]
        needed_to_score = (
            slice(None) if self.coefficient == COMBINATION else slice(self.target, self.target + 1)
        )
        select = [drop_missing_rows(design, columns, needed_to_score) for _, design in self.splits]
        constant = np.logical_or.reduce([constant_columns(design.X) for design in train])
        trainings = [Training.select(fitter, rows, self.groups, self.target, constant) for rows in train]
        can_fit = min(len(design.X) for design in train) > 1
        return SubsetScorer(
            fitter=fitter,
            trainings=trainings,
            kernels=[kernel_of(fitter)(fitter, training) for training in trainings] if can_fit else [],
            held_out=HeldOutScorer(select, self.target, self.level, self.coefficient),
            constant=constant,
            groups=self.groups,
            identical=identical_names(trainings) if get_declaration(fitter, "first_of_equals") else [],
        )


@dataclass(frozen=True)
class SubsetScorer:
    """Scores subsets that use the same rows."""

    fitter: Any
    trainings: Sequence[Training]
    kernels: Sequence[Kernel]
    held_out: HeldOutScorer
    constant: Mask
    groups: Groups
    identical: Sequence[int]

    def score(self, masks: Integers) -> BatchScores:
        """Score subsets (n,), in any order."""
        can_fit = self._can_fit(masks)
        reduced = keep_first_of_identical(masks, self.identical)
        distinct = masks[can_fit]
        position: Integers | slice = slice(None)
        if self.identical:
            distinct, position = np.unique(reduced[can_fit], return_inverse=True)
        fitted = self._score_distinct(distinct)
        scores = np.full(masks.size, -np.inf)
        scores[can_fit] = fitted.scores[position]
        converged = np.ones(masks.size, dtype=bool)
        converged[can_fit] = fitted.converged[position]

        has_constant = self._count_columns(masks, self.constant) > 0
        notes: Integers = np.where(has_constant, CONSTANT_COLUMN, 0).astype(np.uint8)
        notes[~can_fit] |= TOO_FEW_ROWS
        notes[reduced != masks] |= IDENTICAL_COLUMNS
        notes[can_fit] |= fitted.notes[position]
        notes[~converged] |= NOT_CONVERGED
        notes[can_fit & (scores == -np.inf)] |= CONSTANT_PREDICTION
        return BatchScores(scores, converged, notes)

    def _can_fit(self, masks: Integers) -> Mask:
        """Mark the subsets with more rows than columns, by as many as the fitter asks for, and points to correlate."""
        n_columns = np.maximum(self._count_columns(masks, ~self.constant), 1)
        n_needed = n_columns + get_declaration(self.fitter, "spare_rows")
        n_rows = min(len(training.X) for training in self.trainings)
        can_fit: Mask = (n_rows > n_needed) & (self.held_out.n_points > 1)
        return can_fit

    def _count_columns(self, masks: Integers, selected: Mask) -> Integers:
        """Return how many of the selected columns (n_columns,) each subset uses, (n,)."""
        numbers = [int(selected[list(columns)].sum()) for columns in self.groups]
        counts = np.zeros(masks.size, dtype=np.int64)
        for number in set(numbers) - {0}:
            names = sum(1 << name for name, number_of_name in enumerate(numbers) if number_of_name == number)
            counts += np.multiply(number, np.bitwise_count(masks & names), dtype=np.int64)
        return counts

    def _score_distinct(self, masks: Integers) -> BatchScores:
        """Score subsets with different solutions; the notes (n,) mark those that the estimator fitted."""
        if not masks.size:
            no_marks = np.zeros(0, dtype=bool)
            no_notes: Integers = no_marks.astype(np.uint8)
            return BatchScores(np.zeros(0), no_marks, no_notes)
        solutions = [kernel.solve(masks) for kernel in self.kernels]
        hard = np.logical_or.reduce([split.hard for split in solutions])
        converged = np.logical_and.reduce([split.converged[split.owner] for split in solutions])
        if len(solutions) == 1:
            scores = self.held_out.score_linear(solutions)[solutions[0].owner]
        else:
            scores = self.held_out.score_linear([split.expand() for split in solutions])
        for position in np.flatnonzero(hard):
            scores[position], converged[position] = self._score_by_estimator(int(masks[position]))
        notes: Integers = np.where(hard, FITTED_BY_ESTIMATOR, 0).astype(np.uint8)
        return BatchScores(scores, converged, notes)

    def _score_by_estimator(self, mask: int) -> tuple[float, bool]:
        """Return the score and convergence."""
        fits = [fit_subset(self.fitter, training, mask) for training in self.trainings]
        score = self.held_out.score_predictions([predict for predict, _ in fits])
        return score, all(converged for _, converged in fits)


def search_subsets(
    fitter: Any,
    splits: Splits,
    groups: Groups,
    *,
    target: int,
    names: Sequence[str],
    level: str = "system",
    coefficient: str = "pearson",
    fit_level: str = "summary",
    n_jobs: int | None = 1,
    progress: bool = False,
) -> SearchResult:
    """Fit every subset of names and score its held-out predictions (Rankel 2016, section 5.5).

    Parameters
    ----------
    fitter : regressor
        A fitter of this package, searched in batches, or any scikit-learn regressor, searched one by one.
    splits : sequence of (Rows, Rows)
        Rows to fit and rows to predict. One pair for two years; several for folds, whose predictions are
        scored together (a canonical fitter then rescales to the target, so that folds share a scale).
    groups : sequence of lists of int
        The columns that each name brings.
    target : int
        The column of Y to be predicted.
    names : sequence of str
        One for each group, at most 20.
    level : {"system", "input", "global", "centred"}
        What is correlated, see `classy_aesop.search.subset_scores`.
    coefficient : {"pearson", "combination"}
        What the score is: Pearson's correlation with the target, or with the best linear combination of all columns of
        Y.
    fit_level : {"summary", "system"}
        Whether the rows of the fit are summaries or the means of each summarizer over its existing cells.
    n_jobs : int, optional
        Batches at a time, through joblib: threads, or what ``joblib.parallel_config`` says. Results do not
        depend on it.
    progress : bool
        Whether a bar is shown.

    Returns
    -------
    SearchResult
        Every subset's score. Rows with NaN in a used column or measure are left out for that subset only. Columns that
        are constant in training get the weight 0; a subset with too few rows or a constant prediction has the score
        -inf; both are noted.

    Raises
    ------
    ValueError
        For more than 20 names, or when no subset can be fitted.
    """
    masks = all_masks(len(names))
    keep_freed_memory()
    if fit_level == "system":
        splits = [(train.means(), select) for train, select in splits]
    fitter_name = type(fitter).__name__
    prepared = clone(fitter)
    if get_declaration(fitter, "many_targets"):  # only folds need predictions on the target's scale
        prepared = fitter.for_target(target, on_scale=len(splits) > 1)
    batches = Scoring(prepared, splits, groups, target, level, coefficient).batches(masks)
    notes: Integers = np.zeros(masks.size, dtype=np.uint8)
    converged = np.ones(masks.size, dtype=bool)
    scores = np.zeros(masks.size)
    for batch_masks, batch in _score_batches(batches, n_jobs, progress, masks.size, fitter_name):
        positions = batch_masks - 1
        scores[positions] = batch.scores
        converged[positions] = batch.converged
        notes[positions] = batch.notes
    if np.all(notes & TOO_FEW_ROWS):
        n_rows = " and ".join(str(len(train.X)) for train, _ in splits)
        raise ValueError(f"no subset can be fitted: {n_rows} rows are too few for any")
    return SearchResult(tuple(names), masks, scores, converged, notes, kernel_of(fitter).tie)


def _score_batch(scorer: SubsetScorer, masks: Integers) -> tuple[Integers, BatchScores]:
    """Score a batch with one BLAS thread."""
    with blas_controller().limit(limits=1):
        return masks, scorer.score(masks)


def _score_batches(
    batches: Iterator[tuple[SubsetScorer, Integers]],
    n_jobs: int | None,
    progress: bool,
    n_subsets: int,
    fitter_name: str,
) -> Iterator[tuple[Integers, BatchScores]]:
    """Score the batches in parallel, with one BLAS thread each; yield them in order."""
    from sklearn.exceptions import ConvergenceWarning
    from tqdm import tqdm

    with (
        blas_controller().limit(limits=1),
        warnings.catch_warnings(),
        tqdm(total=n_subsets, desc=f"search by {fitter_name}", unit=" subsets", disable=not progress) as bar,
    ):
        for category in (ConvergenceWarning, DataWarning):  # the record of each subset says so
            warnings.simplefilter("ignore", category)
        for masks, scores in map_workers(_score_batch, batches, n_jobs=n_jobs, with_threads=True):
            bar.update(masks.size)
            yield masks, scores
