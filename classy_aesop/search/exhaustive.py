"""Score every subset of names: fit on one set of rows, predict another, correlate."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import (
    CanonicalRegression,
    LinearFitter,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
)
from classy_aesop.memory import keep_freed_memory
from classy_aesop.search.base import Kernel, Solutions, Training
from classy_aesop.search.canonical import CanonicalKernel
from classy_aesop.search.design import Array, Integers, Mask, needed_targets
from classy_aesop.search.nonnegative import NonNegativeKernel
from classy_aesop.search.plain import NoKernel, Predict, fit_one
from classy_aesop.search.resample import MOST_SUBSETS, Draws, Resampled
from classy_aesop.search.result import (
    BY_ITSELF,
    CONSTANT_COLUMN,
    CONSTANT_PREDICTION,
    TOO_FEW,
    TWINS,
    UNSETTLED,
    SearchResult,
)
from classy_aesop.search.ridge import RidgeKernel
from classy_aesop.search.robust import RobustKernel
from classy_aesop.search.score import LEVELS, Selection
from classy_aesop.search.subsets import Groups, Splits, all_masks, row_sets, without_gaps
from classy_aesop.search.twins import twin_sets, without_twins

KERNELS: dict[type, type[Kernel]] = {
    CanonicalRegression: CanonicalKernel,
    NonNegativeRegression: NonNegativeKernel,
    RidgeRegression: RidgeKernel,
    RobustRegression: RobustKernel,
}
"""The batched kernel of each fitter; any other regressor is searched by a plain loop."""

USE_BOTH_TWINS: set[type] = {RidgeRegression}
"""Fitters for which a column and its equal are not one column: two share a weight at a lower price."""

FIT_LEVELS = ("summary", "system")


@dataclass(frozen=True)
class Bench:
    """All that is needed to score subsets that use the same rows, against one or more targets."""

    fitters: tuple[Any, ...]
    trainings: tuple[Training, ...]
    kernels: tuple[Kernel, ...]
    selection: Selection
    constant: Mask
    groups: Groups
    twins: Sequence[int]
    spare_rows: int
    resampled: Resampled | None = None

    def by_solution(self, masks: Integers) -> Integers:
        """Put subsets with the same solution side by side, in ascending order of what is solved for them."""
        return masks[np.argsort(without_twins(masks, self.twins), kind="stable")]

    def score(self, masks: Integers) -> tuple[Array, Mask, Integers, Array]:
        """Return scores (n_targets, n), convergence (n,), notes (n_targets, n) of n subsets, and scores on draws."""
        n_constant = self._count(masks, self.constant)
        notes = np.where(n_constant > 0, CONSTANT_COLUMN, 0).astype(np.uint8)
        fits = self._enough_rows(self._count(masks, ~self.constant))
        scores = np.full((len(self.fitters), masks.size), -np.inf)
        converged = np.ones(masks.size, dtype=bool)
        notes[~fits] |= TOO_FEW
        reduced = without_twins(masks, self.twins)
        notes[reduced != masks] |= TWINS
        distinct, place = _distinct(reduced[fits]) if self.twins else (masks[fits], slice(None))
        found = self._score(distinct)
        scores[:, fits], converged[fits], alone, drawn_fits = (values[..., place] for values in found)
        drawn = np.full((*drawn_fits.shape[:-1], masks.size), -np.inf)
        drawn[..., fits] = drawn_fits
        notes[np.flatnonzero(fits)[alone]] |= BY_ITSELF
        notes[~converged] |= UNSETTLED
        told: Integers = np.where(fits & (scores == -np.inf), notes | CONSTANT_PREDICTION, notes)
        return scores, converged, told, drawn

    def _count(self, masks: Integers, among: Mask) -> Integers:
        """Return how many of some columns each subset uses, (n,)."""
        numbers = [int(among[list(columns)].sum()) for columns in self.groups]
        counts = np.zeros(masks.size, dtype=np.int64)
        for number in set(numbers) - {0}:
            alike = sum(1 << name for name, of_name in enumerate(numbers) if of_name == number)
            counts += np.multiply(number, np.bitwise_count(masks & alike), dtype=np.int64)
        return counts

    def _enough_rows(self, n_columns: Integers) -> Mask:
        """A fit needs more rows than columns and constant; robust regression spares one more."""
        rows = min(len(training.X) for training in self.trainings)
        needed = np.maximum(n_columns, 1) + self.spare_rows
        enough: Mask = (rows > needed) & (self.selection.n_rows > 1)
        return enough

    def _score(self, masks: Integers) -> tuple[Array, Mask, Mask, Array]:
        if not masks.size:
            none = np.zeros(0, dtype=bool)
            return np.zeros((len(self.fitters), 0)), none, none, self._drawn((), 0)
        solved = [kernel.solve(masks) for kernel in self.kernels]
        hard = np.logical_or.reduce([s.hard for s in solved])
        converged = np.logical_and.reduce([s.converged[s.owner] for s in solved])
        if len(solved) == 1:
            scores = self.selection.score_linear(solved)[:, solved[0].owner]
        else:
            scores = self.selection.score_linear([_each(s) for s in solved])
        drawn, alone = self._drawn(solved, masks.size), np.flatnonzero(hard)
        fits = []
        for at in alone:
            scores[:, at], converged[at], fitted = self._score_alone(int(masks[at]))
            fits.append(fitted)
        if self.resampled and fits:
            drawn[..., alone] = self._drawn_alone(fits)
        return scores, converged, hard, drawn

    def _score_alone(self, mask: int) -> tuple[Array, bool, list[list[Predict]]]:
        """Return scores (n_targets,), convergence, and what predicts: for each target a function a split."""
        scores, settled, predict = np.zeros(len(self.fitters)), True, []
        for place, fitter in enumerate(self.fitters):
            fits = [fit_one(fitter, training, mask) for training in self.trainings]
            predict.append([function for function, _ in fits])
            scores[place] = self.selection.score_any(predict[-1])[place]
            settled &= all(converged for _, converged in fits)
        return scores, settled, predict

    def _drawn_alone(self, fits: Sequence[Sequence[Sequence[Predict]]]) -> Array:
        """Return the scores on draws (2, n_targets, n_draws, n) of n subsets that were fitted one by one."""
        n_columns = self.trainings[0].X.shape[1]
        parts = []
        for place in range(len(self.fitters)):
            splits = zip(*(fit[place] for fit in fits), strict=True)
            solved = [_linear(predict, n_columns) for predict in splits]
            parts.append(self._drawn(solved, len(fits))[:, place])
        return np.stack(parts, axis=1)

    def _drawn(self, solutions: Sequence[Solutions], n: int) -> Array:
        """Return the scores (2, n_targets, n_draws, n) on draws; without draws there are none."""
        if self.resampled is None or not n:
            n_draws = 0 if self.resampled is None else len(self.resampled.draws)
            return np.zeros((2, len(self.fitters), n_draws, n))
        if len(solutions) == 1:
            return self.resampled.score_linear(solutions)[..., solutions[0].owner]
        return self.resampled.score_linear([_each(one) for one in solutions])


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


def search_subsets(
    fitter: Any,
    splits: Splits,
    groups: Groups,
    *,
    target: int,
    names: Sequence[str],
    level: str = "system",
    fit_level: str = "summary",
    draws: Draws | None = None,
    n_jobs: int | None = 1,
    progress: bool = False,
) -> SearchResult:
    """Fit every subset of names and score its held-out predictions (Rankel 2016, section 5.5).

    Parameters
    ----------
    fitter : regressor
        A fitter of this package, searched in batches, or any scikit-learn regressor, searched one by one.
    splits : sequence of (Design, Design)
        Rows to fit and rows to predict. One pair for two years; several for folds, whose predictions are
        scored together (a canonical fitter is then calibrated, so that folds share a scale).
    groups : sequence of lists of int
        The columns that each name brings.
    target : int
        Column of Y to be predicted.
    names : sequence of str
        One for each group, at most 20.
    level : {"system", "input", "global", "centred"}
        What the score is, see `classy_aesop.search.score`.
    fit_level : {"summary", "system"}
        Whether the rows of the fit are summaries or the means of each summarizer over its existing cells.
    draws : Draws, optional
        Of the topics and summarizers of the rows to predict: every subset is scored on each draw too. The fitter has
        to be linear, and there are at most 2^16 subsets.
    n_jobs : int, optional
        Chunks at a time, through joblib: threads, or what ``joblib.parallel_config`` says. Results do not
        depend on it.
    progress : bool
        Whether a bar is shown.

    Returns
    -------
    SearchResult
        With every subset's score. Rows with NaN in a used column or measure are left out for that subset
        only. Columns that are constant in training get the weight 0; a subset with too few rows or a constant
        prediction has the score -inf; both are noted.

    Raises
    ------
    ValueError
        For unknown levels, more than 20 names (16 with draws), or when no subset can be fitted.
    """
    return search_targets(
        fitter,
        splits,
        groups,
        targets=[target],
        names=names,
        level=level,
        fit_level=fit_level,
        draws=draws,
        n_jobs=n_jobs,
        progress=progress,
    )[0]


def search_targets(
    fitter: Any,
    splits: Splits,
    groups: Groups,
    *,
    targets: Sequence[int],
    names: Sequence[str],
    level: str = "system",
    fit_level: str = "summary",
    draws: Draws | None = None,
    n_jobs: int | None = 1,
    progress: bool = False,
) -> tuple[SearchResult, ...]:
    """Do the search of `search_subsets` for several columns of Y; return a result for each.

    Canonical directions do not depend on the target, so one fit of each subset serves all targets. Other
    fitters are searched for one target after the other, and so are canonical ones where targets are missing
    in different held-out rows, or over folds, whose predictions have to be on the target's scale.
    """
    _check(groups, names, level, fit_level, splits)
    keep_freed_memory()
    if fit_level == "system":
        splits = [(train.means(), select) for train, select in splits]
    together = [tuple(targets)] if _share_fits(fitter, splits, targets) else [(target,) for target in targets]
    masks, found = all_masks(len(names)), []
    _check_draws(fitter, masks, draws)
    for part in together:
        fitters = _towards(fitter, part, folds=len(splits) > 1)
        work = _work(masks, fitters, splits, groups, part, level, draws)
        found += _collect(_run(work, n_jobs, progress, masks.size), masks, len(part))
    if any(np.all(notes & TOO_FEW) for _, _, notes, _ in found):
        raise ValueError(f"no subset can be fitted: {_rows(splits)} rows are too few for any")
    tie = KERNELS.get(type(fitter), NoKernel).tie
    return tuple(
        SearchResult(tuple(names), masks, scores, converged, notes, tie, None if draws is None else drawn)
        for scores, converged, notes, drawn in found
    )


def _check_draws(fitter: Any, masks: Integers, draws: Draws | None) -> None:
    if draws is None:
        return
    if masks.size > MOST_SUBSETS:
        raise ValueError(
            f"{masks.size} subsets on {len(draws)} draws; with draws a search takes at most {MOST_SUBSETS} (16 names)"
        )
    if not isinstance(fitter, LinearFitter):
        raise ValueError(
            f"{type(fitter).__name__} is no linear fitter of this package; only those take draws"
        )


def _share_fits(fitter: Any, splits: Splits, targets: Sequence[int]) -> bool:
    """Whether one solution of each subset can be scored against all targets."""
    missing = [np.isnan(select.Y[:, list(targets)]) for _, select in splits]
    alike = all(np.all(rows == rows[:, :1]) for rows in missing)
    return isinstance(fitter, CanonicalRegression) and len(splits) == 1 and len(targets) > 1 and alike


def _collect(
    found: Iterator[Any], masks: Integers, n_targets: int
) -> list[tuple[Array, Mask, Integers, Array]]:
    """Put the chunks together: for each target scores, convergence, notes and scores on draws of all masks."""
    scores, notes = np.zeros((n_targets, masks.size)), np.zeros((n_targets, masks.size), dtype=np.uint8)
    converged, drawn = np.ones(masks.size, dtype=bool), np.zeros((2, n_targets, 0, masks.size))
    for part, (score, settled, note, on_draws) in found:
        scores[:, part - 1], converged[part - 1], notes[:, part - 1] = score, settled, note
        if drawn.shape[2] != on_draws.shape[2]:
            drawn = np.zeros((*on_draws.shape[:3], masks.size))
        drawn[..., part - 1] = on_draws
    return [(scores[at], converged, notes[at], drawn[:, at]) for at in range(n_targets)]


def _check(groups: Groups, names: Sequence[str], level: str, fit_level: str, splits: Splits) -> None:
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; expected one of {', '.join(LEVELS)}")
    if fit_level not in FIT_LEVELS:
        raise ValueError(f"fit_level is {fit_level!r}; expected one of {', '.join(FIT_LEVELS)}")
    if len(groups) != len(names):
        raise ValueError(f"{len(groups)} groups of columns for {len(names)} names; expected one each")
    if not splits:
        raise ValueError("no splits; expected at least one pair of rows to fit and rows to predict")


def _rows(splits: Splits) -> str:
    return " and ".join(str(len(train.X)) for train, _ in splits)


def _towards(fitter: Any, targets: Sequence[int], *, folds: bool) -> tuple[Any, ...]:
    """Return a clone for each target; over folds, and nowhere else, the scale of predictions counts."""
    from sklearn.base import clone

    clones = tuple(clone(fitter) for _ in targets)
    if isinstance(fitter, CanonicalRegression):
        for copy, target in zip(clones, targets, strict=True):
            calibrate = folds or (fitter.calibrate and len(targets) == 1)
            copy.set_params(target=target, calibrate=calibrate)
    return clones


def _work(
    masks: Integers,
    fitters: tuple[Any, ...],
    splits: Splits,
    groups: Groups,
    targets: Sequence[int],
    level: str,
    draws: Draws | None,
) -> Iterator[tuple[Bench, Integers]]:
    """Yield chunks of subsets, each with what scores it; the chunks depend on the data alone."""
    for part, held in row_sets(masks, splits, groups):
        columns = [column for name in held for column in groups[name]]
        bench = _bench(fitters, splits, groups, columns, targets, level, draws)
        size, part = KERNELS.get(type(fitters[0]), NoKernel).chunk, bench.by_solution(part)
        for start in range(0, part.size, size):
            yield bench, part[start : start + size]


def _bench(
    fitters: tuple[Any, ...],
    splits: Splits,
    groups: Groups,
    columns: Sequence[int],
    targets: Sequence[int],
    level: str,
    draws: Draws | None,
) -> Bench:
    fitter, target = fitters[0], targets[0]
    needed, only = needed_targets(fitter, target), slice(target, target + 1)
    train = [without_gaps(design, columns, needed) for design, _ in splits]
    select = [without_gaps(design, columns, only) for _, design in splits]
    constant = np.logical_or.reduce([_constant(design.X) for design in train])
    varying = [[column for column in group if not constant[column]] for group in groups]
    first, *others = targets if needed == slice(None) else [0]
    trainings = tuple(Training(one.X, one.Y[:, needed], first, varying, others, one.topics) for one in train)
    kernel = KERNELS.get(type(fitter), NoKernel)
    enough = min(len(design.X) for design in train) > 1
    return Bench(
        fitters=fitters,
        trainings=trainings,
        kernels=tuple(kernel(fitter, training) for training in trainings) if enough else (),
        selection=Selection(select, targets, level),
        constant=constant,
        groups=groups,
        twins=twin_sets(trainings) if type(fitter) in KERNELS.keys() - USE_BOTH_TWINS else (),
        spare_rows=1 if isinstance(fitter, RobustRegression) else 0,
        resampled=None if draws is None else Resampled(select, targets, level, draws),
    )


def _constant(X: Array) -> Mask:
    constant: Mask = np.ptp(X, axis=0) == 0 if len(X) else np.ones(X.shape[1], dtype=bool)
    return constant


def _score_chunk(bench: Bench, masks: Integers) -> tuple[Integers, tuple[Array, Mask, Integers, Array]]:
    with blas().limit(limits=1):
        return masks, bench.score(masks)


@cache
def blas() -> Any:
    """Return the thread pools of this process; to look for them costs more than a search."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _run(work: Iterator[Any], n_jobs: int | None, progress: bool, total: int) -> Iterator[Any]:
    """Score the chunks in parallel, with one BLAS thread each; give them back in order."""
    from joblib import Parallel, delayed
    from sklearn.exceptions import ConvergenceWarning
    from tqdm import tqdm

    with (
        blas().limit(limits=1),
        warnings.catch_warnings(),
        tqdm(total=total, unit="subset", disable=not progress) as bar,
    ):
        for category in (ConvergenceWarning, DataWarning):  # each subset's own record says it
            warnings.simplefilter("ignore", category)
        parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        for part, found in parallel(delayed(_score_chunk)(bench, masks) for bench, masks in work):
            bar.update(part.size)
            yield part, found
