"""Step five: how far a predictor is off on years, topics and summarizers that it did not learn from.

Of several years, each is predicted by what was selected, fitted to the others: the distance between years is in the
residuals. Of one year the topics and the summarizers are dealt into folds; each summary is predicted by what was
selected, fitted without the summary's fold of topics and without its fold of summarizers. The selection is taken as it
is: what was lost by selecting on these very years is not seen here.

Summaries of one topic are alike, so topics count, not summaries, and each topic has the same weight. The half-width
of confidence c is a quantile of the absolute residuals of all topics, at the level at which, topic by topic, the other
topics' quantile covers the one left out as often as c. If topics (new ones and these) are exchangeable and the
residuals came from one split, a quantile at level t covers t K / (K + 1) at least with K topics: Lee, Barber and
Willett (2023), "Distribution-free inference with hierarchical data", for groups; Vovk, Gammerman and Shafer (2005) and
Lei et al. (2018) for single rows; Dunn, Wasserman and Ramdas (2022) pool groups without the correction. With residuals
of folds and the weights refitted on all, it holds as far as the fits without a fold are like that on all (Barber et
al., 2021). A confidence above K / (K + 1) is not given: even the greatest residual of K topics supports no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.predictor.calibration import LEVELS, N_MEANS, Calibration
from classy_aesop.training.arrays import Mask, StackedYears
from classy_aesop.training.components import Components
from classy_aesop.training.held_out import FEWEST, hold_out, hold_out_years
from classy_aesop.training.select import Selection
from classy_aesop.training.task import TrainingTask
from classy_aesop.training.worth import Worth, ratings_of, worth_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Errors(NamedTuple):
    """What held-out rows say of a predictor: of its scores, of summaries by themselves, and what one score is worth."""

    calibration: Calibration | None = None
    alone: Calibration | None = None
    worth: Worth | None = None


def intervals(task: TrainingTask, selection: Selection) -> Errors:
    """Find the half-widths of a predictor's intervals, and those of summaries that it scores by themselves.

    Nothing if its scores are not on the target's scale, for fewer than three topics or summarizers, or where the rows
    left of a fold are too few to fit.
    """
    learner, positions = selection.learner, selection.positions
    if not all(fitter.on_scale for fitter in selection.fitters.values()):
        return Errors()
    by_year = hold_out_years(task, learner, positions)
    held_out = by_year or hold_out(task, learner, positions)
    if held_out is None:
        return Errors()
    residuals, rows = held_out.residuals, held_out.rows
    if np.isnan(residuals).any():
        return Errors()
    human, unknown, unknown_alone = _humans(task, selection), None, None
    if task.same_summarizers and by_year is None:
        others = hold_out(replace(task, same_summarizers=False), learner, positions)
        if others is not None and np.isfinite(others.predictions).all():
            unknown, unknown_alone = others.residuals, others.truth - others.alone
    n_years = 1 if by_year is None else np.unique(rows.years).size
    found = by_group(residuals, rows, human, n_years=n_years, of_others=unknown)
    worth = worth_of(held_out.truth, residuals, rows.design.topics, ratings_of(task))
    if not task.arrays.relative:
        return Errors(found, worth=worth)
    calibration = by_group(
        held_out.truth - held_out.alone, rows, human, n_years=n_years, of_others=unknown_alone
    )
    return Errors(found, calibration, worth)


def _humans(task: TrainingTask, selection: Selection) -> Mask:
    """Mark the complete rows that are by humans."""
    complete = task.stacked().columns(selection.positions).design.complete([task.target])
    tables = pd.concat(task.arrays.tables[-task.n_refit_years :])
    return tables["human"].to_numpy(bool)[complete]


def by_group(
    residuals: Floats,
    stacked: StackedYears,
    human: Mask,
    *,
    n_years: int = 1,
    of_others: Floats | None = None,
) -> Calibration:
    """Calibrate humans and systems apart, as `conformal` does; all together where a group is too small.

    A group needs three summarizers, and topics enough for all confidences that there are of all together.

    Parameters
    ----------
    residuals, stacked, n_years
        As `conformal`.
    human : (n_rows,) bool
        Which rows are by humans.
    of_others : (n_rows,), optional
        Residuals of summarizers that were held out too, where they are not in ``residuals``.
    """

    def of(rows: Mask) -> Calibration:
        part = stacked.take(rows)
        others = None if of_others is None else Components.of(of_others[rows], part)
        return conformal(residuals[rows], part, n_years=n_years, of_others=others)

    together = of(np.ones(human.size, bool))
    if min(np.unique(stacked.summarizers[rows]).size for rows in (human, ~human)) < FEWEST:
        return together
    systems, humans = of(~human), of(human)
    if not systems.levels == humans.levels == together.levels:
        return together
    return replace(systems, humans=humans)


def conformal(
    residuals: Floats,
    stacked: StackedYears,
    *,
    n_years: int = 1,
    of_others: Components | None = None,
) -> Calibration:
    """Find the half-widths of a predictor's intervals.

    Parameters
    ----------
    residuals : (n_rows,)
        Held-out judgments less predictions.
    stacked : StackedYears
        The rows.
    n_years : int
        How many years were held out as a whole; 1 if only topics and summarizers were.
    of_others : Components, optional
        The variances of errors on other summarizers than those that are predicted, see `Components.between`.
    """
    topics = np.unique(stacked.design.topics, return_inverse=True)[1]
    n_topics = int(topics.max()) + 1
    widths = covering_quantiles(np.abs(residuals), topics, LEVELS)
    kept = np.isfinite(widths) & (np.array(LEVELS) <= n_topics / (n_topics + 1))
    components = Components.of(residuals, stacked)
    components = components if of_others is None else components.between(of_others)
    means = [components.half_widths(n, np.array(LEVELS)[kept].tolist()) for n in reversed(N_MEANS)]
    means = np.maximum.accumulate(means)[
        ::-1
    ].tolist()  # Satterthwaite's may be less for fewer topics; the error is not
    return Calibration(
        levels=tuple(np.array(LEVELS)[kept].tolist()),
        summaries=tuple(widths[kept].tolist()),
        n_means=N_MEANS,
        means=tuple(map(tuple, means)),
        n_topics=n_topics,
        n_summarizers=np.unique(stacked.design.summarizers).size,
        n_years=n_years,
    )


def covering_quantiles(values: Floats, groups: Integers, levels: Sequence[float]) -> Floats:
    """Give for each level the quantile that covers a group left out, on average, as often as the level asks.

    Parameters
    ----------
    values : (n,)
        Absolute residuals.
    groups : (n,) integers from 0
        Which group each belongs to; groups have equal weights, whatever their sizes.
    levels : sequence of float
        Each between 0 and 1.

    Returns
    -------
    ndarray of shape (n_levels,)
        Quantiles of all values; NaN where even the other groups' greatest value covers too little.
    """
    grid = np.linspace(0, 1, 1001)
    order = np.argsort(values, kind="stable")
    values, groups = values[order], groups[order]
    n_groups = int(groups.max()) + 1
    covered = np.zeros(grid.size)
    for group in range(n_groups):
        left_out = groups == group
        limits = _pooled_quantiles(values[~left_out], groups[~left_out], grid)
        covered += np.searchsorted(values[left_out], limits, side="right") / left_out.sum() / n_groups
    raised = np.searchsorted(np.maximum.accumulate(covered), np.array(levels) - 1e-9)
    pooled = np.append(_pooled_quantiles(values, groups, grid), np.nan)
    found: Floats = pooled[raised]
    return found


def _pooled_quantiles(values: Floats, groups: Integers, levels: Floats) -> Floats:
    """Give the least of ascending values that reach the levels of the mean of the groups' distributions."""
    weights = 1 / np.bincount(groups)[groups]
    reached = np.cumsum(weights) / weights.sum()
    return np.asarray(values[np.minimum(np.searchsorted(reached, levels - 1e-9), values.size - 1)])
