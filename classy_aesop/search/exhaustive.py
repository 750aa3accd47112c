"""The search of every subset of names: fit on one set of rows, predict another, correlate."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from sklearn.base import clone

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import declared
from classy_aesop.search.design import Array, Integers, Mask
from classy_aesop.search.kernels import kernel_of
from classy_aesop.search.resample import MOST_SUBSETS, Resamples
from classy_aesop.search.result import TOO_FEW, SearchResult
from classy_aesop.search.scoring import Scores, Scoring, SubsetScorer
from classy_aesop.search.subsets import Groups, Splits, all_masks
from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.correlation import check_names
from classy_aesop.work.memory import keep_freed_memory
from classy_aesop.work.progress import ended_quietly

_LOG = logging.getLogger(__name__)

FIT_LEVELS = ("summary", "system")


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
    resamples: Resamples | None = None,
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
        scored together (a canonical fitter then rescales to the target, so that folds share a scale).
    groups : sequence of lists of int
        The columns that each name brings.
    target : int
        Column of Y to be predicted.
    names : sequence of str
        One for each group, at most 20.
    level : {"system", "input", "global", "centred"}
        What is correlated, see `classy_aesop.search.levels`.
    coefficient : str
        What the score is: ``pearson``, or another name of ``ALL_COEFFICIENTS`` of
        `classy_aesop.significance.coefficients`. Of equal scores the higher Pearson's correlation wins.
    fit_level : {"summary", "system"}
        Whether the rows of the fit are summaries or the means of each summarizer over its existing cells.
    resamples : Resamples, optional
        Of the topics and summarizers of the rows to predict; every subset is scored on each, too. The fitter has
        to be linear, and there are at most 2^16 subsets.
    n_jobs : int, optional
        Batches at a time, through joblib: threads, or what ``joblib.parallel_config`` says. Results do not
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
        For unknown levels, more than 20 names (16 with resamples), or when no subset can be fitted.
    """
    return search_targets(
        fitter,
        splits,
        groups,
        targets=[target],
        names=names,
        level=level,
        coefficient=coefficient,
        fit_level=fit_level,
        resamples=resamples,
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
    coefficient: str = "pearson",
    fit_level: str = "summary",
    resamples: Resamples | None = None,
    n_jobs: int | None = 1,
    progress: bool = False,
) -> tuple[SearchResult, ...]:
    """Do the search of `search_subsets` for several columns of Y; return a result for each.

    Where a fit does not depend on the target (canonical directions do not), one of each subset serves all targets.
    Other fitters are searched for one target after the other, and so are these where targets are missing in
    different held-out rows, or over folds, whose predictions have to be on the target's scale.
    """
    _check(groups, names, level, coefficient, fit_level, splits)
    keep_freed_memory()
    if fit_level == "system":
        splits = [(train.means(), select) for train, select in splits]
    together = [tuple(targets)] if _share_fits(fitter, splits, targets) else [(target,) for target in targets]
    masks, found, who = all_masks(len(names)), [], type(fitter).__name__
    _LOG.info("%d subsets of %s are fitted by %s", masks.size, ", ".join(names), who)
    _check_resamples(fitter, masks, resamples)
    criteria = (coefficient,) if coefficient == "pearson" else (coefficient, "pearson")
    for part in together:
        fitters = _aimed(fitter, part, folds=len(splits) > 1)
        batches = Scoring(fitters, splits, groups, part, level, resamples, criteria).batches(masks)
        found += _collect(_run(batches, n_jobs, progress, masks.size, who), masks, len(part))
    if any(np.all(notes & TOO_FEW) for _, _, notes, _ in found):
        raise ValueError(f"no subset can be fitted: {_rows(splits)} rows are too few for any")
    tie = kernel_of(fitter).tie
    return tuple(
        SearchResult(
            tuple(names),
            masks,
            scores[0],
            converged,
            notes,
            tie,
            None if resamples is None else on_resamples,
            scores[1] if len(scores) > 1 else None,
        )
        for scores, converged, notes, on_resamples in found
    )


def _check_resamples(fitter: Any, masks: Integers, resamples: Resamples | None) -> None:
    if resamples is None:
        return
    if masks.size > MOST_SUBSETS:
        raise ValueError(
            f"{masks.size} subsets on {len(resamples)} resamples; with resamples a search takes at most {MOST_SUBSETS} "
            "(16 names)"
        )
    if not declared(fitter, "linear"):
        raise ValueError(
            f"{type(fitter).__name__} is not a linear fitter of this package; expected one when resamples are given"
        )


def _share_fits(fitter: Any, splits: Splits, targets: Sequence[int]) -> bool:
    """Whether one solution of each subset can be scored against all targets."""
    missing = [np.isnan(select.Y[:, list(targets)]) for _, select in splits]
    alike = all(np.all(rows == rows[:, :1]) for rows in missing)
    return kernel_of(fitter).any_target and len(splits) == 1 and len(targets) > 1 and alike


def _collect(
    found: Iterator[tuple[Integers, Scores]], masks: Integers, n_targets: int
) -> list[tuple[Array, Mask, Integers, Array]]:
    """Put the batches together: for each target scores, convergence, notes and scores on resamples of all masks."""
    notes, converged = np.zeros((n_targets, masks.size), dtype=np.uint8), np.ones(masks.size, dtype=bool)
    scores = np.zeros((1, n_targets, masks.size))
    on_resamples = np.zeros((2, n_targets, 0, masks.size))
    for part, (score, settled, note, resampled) in found:
        scores = scores if len(scores) == len(score) else np.zeros((*score.shape[:2], masks.size))
        if on_resamples.shape[:3] != resampled.shape[:3]:
            on_resamples = np.zeros((*resampled.shape[:3], masks.size))
        scores[..., part - 1], converged[part - 1], notes[:, part - 1] = score, settled, note
        on_resamples[..., part - 1] = resampled
    return [(scores[:, at], converged, notes[at], on_resamples[:, at]) for at in range(n_targets)]


def _check(
    groups: Groups, names: Sequence[str], level: str, coefficient: str, fit_level: str, splits: Splits
) -> None:
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; expected one of {', '.join(LEVELS)}")
    check_names(level, coefficient)
    if fit_level not in FIT_LEVELS:
        raise ValueError(f"fit_level is {fit_level!r}; expected one of {', '.join(FIT_LEVELS)}")
    if len(groups) != len(names):
        raise ValueError(f"{len(groups)} groups of columns for {len(names)} names; expected one each")
    if not splits:
        raise ValueError("no splits; expected at least one pair of rows to fit and rows to predict")


def _rows(splits: Splits) -> str:
    return " and ".join(str(len(train.X)) for train, _ in splits)


def _aimed(fitter: Any, targets: Sequence[int], *, folds: bool) -> tuple[Any, ...]:
    """Return a clone for each target: on the target's scale over folds, on any scale for several targets."""
    if not declared(fitter, "many_targets"):
        return tuple(clone(fitter) for _ in targets)
    on_scale = True if folds else None if len(targets) == 1 else False
    return tuple(fitter.aimed_at(target, on_scale=on_scale) for target in targets)


def _score_batch(scorer: SubsetScorer, masks: Integers) -> tuple[Integers, Scores]:
    with blas().limit(limits=1):
        return masks, scorer.score(masks)


@cache
def blas() -> Any:
    """Return the thread pools of this process; to look for them costs more than a search."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


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
        for part, found in ended_quietly(done):
            bar.update(part.size)
            yield part, found
