"""The search of every subset of names: fit on some rows, in batches or one by one, predict others, correlate."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import get_declaration
from classy_aesop.search.design import Array, Integers, Mask, needed_targets
from classy_aesop.search.fits import Predict, blas, fit_one, kernel_of
from classy_aesop.search.result import (
    BY_ITSELF,
    CONSTANT_COLUMN,
    CONSTANT_PREDICTION,
    TOO_FEW,
    TWINS,
    UNSETTLED,
    SearchResult,
)
from classy_aesop.search.scoring import COEFFICIENTS, MOST_SUBSETS, ResampleCounts, Resampled, Selection
from classy_aesop.search.subsets import (
    Groups,
    Kernel,
    Solutions,
    Splits,
    Training,
    all_masks,
    constant_columns,
    row_sets,
    twin_sets,
    without_gaps,
    without_twins,
)
from classy_aesop.significance.choices import LEVELS
from classy_aesop.work.workers import iterate_quietly, keep_freed_memory

Scores = tuple[Array, Mask, Integers, Array]
"""Scores by each criterion (n_criteria, n_targets, n), convergence (n,), notes (n_targets, n) of n subsets, and scores
on resamples: inside, outside, and inside by each further criterion."""


@dataclass(frozen=True)
class Scoring:
    """How subsets are fitted and scored; the fields are those of `search_targets`."""

    fitters: tuple[Any, ...]  # one for each target; the subsets of all are solved together
    splits: Splits
    groups: Groups
    targets: Sequence[int]
    level: str
    resamples: ResampleCounts | None = None
    criteria: tuple[str, ...] = ("pearson",)  # the score, and what ranks equal scores

    def batches(self, masks: Integers) -> Iterator[tuple[SubsetScorer, Integers]]:
        """Yield batches of subsets, each with its scorer; the batches depend on the data alone."""
        size = kernel_of(self.fitters[0]).chunk
        for part, names in row_sets(masks, self.splits, self.groups):
            scorer = self._scorer([column for name in names for column in self.groups[name]])
            # those with the same solution side by side, in ascending order of what is solved for them
            part = part[np.argsort(without_twins(part, scorer.twins), kind="stable")]
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
            twins=twin_sets(trainings) if get_declaration(fitter, "first_of_equals") else [],
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

    def score(self, masks: Integers) -> Scores:
        """Score subsets (n,), in any order."""
        notes = np.where(self._count(masks, self.constant) > 0, CONSTANT_COLUMN, 0).astype(np.uint8)
        # more rows than columns, by as many as the fitter asks for, and points to correlate
        n_needed = np.maximum(self._count(masks, ~self.constant), 1) + get_declaration(
            self.fitters[0], "spare_rows"
        )
        n_rows = min(len(training.X) for training in self.trainings)
        fits = (n_rows > n_needed) & (self.selections[0].n_points > 1)
        scores = np.full((len(self.selections), len(self.fitters), masks.size), -np.inf)
        converged = np.ones(masks.size, dtype=bool)
        notes[~fits] |= TOO_FEW
        reduced = without_twins(masks, self.twins)
        notes[reduced != masks] |= TWINS
        distinct, place = masks[fits], None
        if self.twins:
            distinct, place = np.unique(reduced[fits], return_inverse=True)
        found = self._score(distinct)
        scores[..., fits], converged[fits], alone, of_fits = (
            values if place is None else values[..., place] for values in found
        )
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

    def _score(self, masks: Integers) -> tuple[Array, Mask, Mask, Array]:
        if not masks.size:
            none = np.zeros(0, dtype=bool)
            scores = np.zeros((len(self.selections), len(self.fitters), 0))
            return scores, none, none, self._on_resamples((), 0)
        solved = [kernel.solve(masks) for kernel in self.kernels]
        hard = np.logical_or.reduce([s.hard for s in solved])
        converged = np.logical_and.reduce([s.converged[s.owner] for s in solved])
        if len(solved) == 1:
            scores = np.stack([one.score_linear(solved) for one in self.selections])[..., solved[0].owner]
        else:
            each = [_each(one) for one in solved]
            scores = np.stack([one.score_linear(each) for one in self.selections])
        on_resamples, alone = self._on_resamples(solved, masks.size), np.flatnonzero(hard)
        fits = []
        for at in alone:
            scores[..., at], converged[at], fitted = self._score_alone(int(masks[at]))
            fits.append(fitted)
        if self.resampled and fits:
            on_resamples[..., alone] = self._on_resamples_alone(fits)
        return scores, converged, hard, on_resamples

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
        n_columns, every = self.trainings[0].X.shape[1], np.arange(len(fits))
        rows = np.concatenate([np.zeros((1, n_columns)), np.eye(n_columns)])
        parts = []
        for place in range(len(self.fitters)):
            solved = []
            for predict in zip(*(fit[place] for fit in fits), strict=True):  # of a split; all are linear
                found = np.column_stack([function(rows) for function in predict])
                solved.append(Solutions(found[1:] - found[0], found[0], every >= 0, every < 0, every))
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


_LOG = logging.getLogger(__name__)

FIT_LEVELS = ("summary", "system")


def search_subsets(
    fitter: Any, splits: Splits, groups: Groups, *, target: int, **options: Any
) -> SearchResult:
    """Do the search of `search_targets`, which has the other options, for one column of Y."""
    return search_targets(fitter, splits, groups, targets=[target], **options)[0]


def search_targets(
    fitter: Any,
    splits: Splits,
    groups: Groups,
    *,
    targets: Sequence[int],
    names: Sequence[str],
    level: str = "system",
    coefficient: str = "pearson",
    fit_level: str = "summary",
    resamples: ResampleCounts | None = None,
    n_jobs: int | None = 1,
    progress: bool = False,
) -> tuple[SearchResult, ...]:
    """Fit every subset of names and score its held-out predictions (Rankel 2016, section 5.5).

    Where a fit does not depend on the target (canonical directions do not), one of each subset serves all targets.
    Other fitters are searched for one target after the other, and so are these where targets are missing in
    different held-out rows, or over folds, whose predictions have to be on the target's scale.

    Parameters
    ----------
    fitter : regressor
        A fitter of this package, searched in batches, or any scikit-learn regressor, searched one by one.
    splits : sequence of (Design, Design)
        Rows to fit and rows to predict. One pair for two years; several for folds, whose predictions are
        scored together (a canonical fitter then rescales to the target, so that folds share a scale).
    groups : sequence of lists of int
        The columns that each name brings.
    targets : sequence of int
        Columns of Y to be predicted.
    names : sequence of str
        One for each group, at most 20.
    level : {"system", "input", "global", "centred"}
        What is correlated, see `classy_aesop.search.scoring`.
    coefficient : str
        What the score is, one of `classy_aesop.search.scoring.COEFFICIENTS`. Of equal scores the higher Pearson's
        correlation wins.
    fit_level : {"summary", "system"}
        Whether the rows of the fit are summaries or the means of each summarizer over its existing cells.
    resamples : ResampleCounts, optional
        Of the topics and summarizers of the rows to predict; every subset is scored on each, too. The fitter has
        to be linear, and there are at most 2^16 subsets.
    n_jobs : int, optional
        Batches at a time, through joblib: threads, or what ``joblib.parallel_config`` says. Results do not
        depend on it.
    progress : bool
        Whether a bar is shown.

    Returns
    -------
    tuple of SearchResult
        One for each target, with every subset's score. Rows with NaN in a used column or measure are left out for that
        subset only. Columns that are constant in training get the weight 0; a subset with too few rows or a constant
        prediction has the score -inf; both are noted.

    Raises
    ------
    ValueError
        For unknown levels, more than 20 names (16 with resamples), or when no subset can be fitted.
    """
    _check(groups, names, level, coefficient, fit_level, splits)
    keep_freed_memory()
    if fit_level == "system":
        splits = [(train.means(), select) for train, select in splits]
    missing = [np.isnan(select.Y[:, list(targets)]) for _, select in splits]
    alike = all(np.all(rows == rows[:, :1]) for rows in missing)
    is_shared = kernel_of(fitter).any_target and len(splits) == 1 and len(targets) > 1 and alike
    together = [tuple(targets)] if is_shared else [(target,) for target in targets]
    masks, who = all_masks(len(names)), type(fitter).__name__
    found: list[SearchResult] = []
    _LOG.info("%d subsets of %s are fitted by %s", masks.size, ", ".join(names), who)
    if resamples is not None:
        _check_resamples(fitter, masks.size, len(resamples))
    criteria = (coefficient,) if coefficient == "pearson" else (coefficient, "pearson")
    for part in together:
        fitters = tuple(clone(fitter) for _ in part)
        if get_declaration(fitter, "many_targets"):
            # on the target's scale over folds, on any scale for several targets
            on_scale = True if len(splits) > 1 else None if len(part) == 1 else False
            fitters = tuple(fitter.for_target(target, on_scale=on_scale) for target in part)
        batches = Scoring(fitters, splits, groups, part, level, resamples, criteria).batches(masks)
        done = _run(batches, n_jobs, progress, masks.size, who)
        found += _collect(done, masks, names, len(part), kernel_of(fitter).tie)
    if any(np.all(one.notes & TOO_FEW) for one in found):
        n_rows = " and ".join(str(len(train.X)) for train, _ in splits)
        raise ValueError(f"no subset can be fitted: {n_rows} rows are too few for any")
    return tuple(found)


def _collect(
    done: Iterator[tuple[Integers, Scores]], masks: Integers, names: Sequence[str], n_targets: int, tie: float
) -> list[SearchResult]:
    """Put the batches together, a result a target."""
    notes, converged = np.zeros((n_targets, masks.size), dtype=np.uint8), np.ones(masks.size, dtype=bool)
    scores = np.zeros((1, n_targets, masks.size))
    drawn = np.zeros((2, n_targets, 0, masks.size))
    for part, (score, settled, note, resampled) in done:
        scores = scores if len(scores) == len(score) else np.zeros((*score.shape[:2], masks.size))
        if drawn.shape[:3] != resampled.shape[:3]:
            drawn = np.zeros((*resampled.shape[:3], masks.size))
        scores[..., part - 1], converged[part - 1], notes[:, part - 1] = score, settled, note
        drawn[..., part - 1] = resampled
    return [
        SearchResult(
            tuple(names),
            masks,
            scores[0, at],
            converged,
            notes[at],
            tie,
            on_resamples=drawn[:, at] if drawn.shape[2] else None,
            pearson=scores[1, at] if len(scores) > 1 else None,
        )
        for at in range(n_targets)
    ]


def _check(
    groups: Groups, names: Sequence[str], level: str, coefficient: str, fit_level: str, splits: Splits
) -> None:
    for name, given, known in (
        ("level", level, LEVELS),
        ("coefficient", coefficient, COEFFICIENTS),
        ("fit_level", fit_level, FIT_LEVELS),
    ):
        if given not in known:
            raise ValueError(f"{name} is {given!r}; expected one of {', '.join(known)}")
    if len(groups) != len(names):
        raise ValueError(f"{len(groups)} groups of columns for {len(names)} names; expected one each")
    if not splits:
        raise ValueError("no splits; expected at least one pair of rows to fit and rows to predict")


def _check_resamples(fitter: Any, n_subsets: int, n_resamples: int) -> None:
    if n_subsets > MOST_SUBSETS:
        raise ValueError(
            f"{n_subsets} subsets on {n_resamples} resamples; with resamples a search takes at most {MOST_SUBSETS} "
            "(16 names)"
        )
    if not get_declaration(fitter, "linear"):
        raise ValueError(
            f"{type(fitter).__name__} is not a linear fitter of this package; expected one when resamples are given"
        )


def _score_batch(scorer: SubsetScorer, masks: Integers) -> tuple[Integers, Scores]:
    with blas().limit(limits=1):
        return masks, scorer.score(masks)


def _run(
    batches: Iterator[tuple[SubsetScorer, Integers]], n_jobs: int | None, progress: bool, total: int, who: str
) -> Iterator[tuple[Integers, Scores]]:
    """Score the batches in parallel, with one BLAS thread each; give them back in order."""
    from joblib import Parallel, delayed
    from sklearn.exceptions import ConvergenceWarning
    from tqdm import tqdm

    with (
        blas().limit(limits=1),
        warnings.catch_warnings(),
        tqdm(total=total, desc=f"search by {who}", unit=" subsets", disable=not progress) as bar,
    ):
        for category in (ConvergenceWarning, DataWarning):  # the record of each subset says so
            warnings.simplefilter("ignore", category)
        parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        done = parallel(delayed(_score_batch)(scorer, masks) for scorer, masks in batches)
        for part, found in iterate_quietly(done):
            bar.update(part.size)
            yield part, found
