"""Step five: how far a predictor is off on topics and summarizers that it did not learn from.

The topics and the summarizers of the years that it was refitted on are dealt into folds; each summary is predicted by
what was selected, fitted without the summary's fold of topics and without its fold of summarizers. The selection is
taken as it is: what was lost by selecting on these very years is not seen here.

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

import numpy as np
from numpy.typing import NDArray

from classy_aesop.predictor.calibration import LEVELS, N_MEANS, Calibration
from classy_aesop.training.arrays import StackedYears
from classy_aesop.training.components import Components
from classy_aesop.training.held_out import hold_out_of
from classy_aesop.training.learners import HeldOut, Learner
from classy_aesop.training.select import Selection
from classy_aesop.training.task import TrainingTask

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def intervals(task: TrainingTask, selection: Selection) -> tuple[Calibration | None, Calibration | None]:
    """Find the half-widths of a predictor's intervals, and those of summaries that it scores by themselves.

    None if its scores are not on the target's scale, for fewer than three topics or summarizers, or where the rows left
    of a fold are too few to fit.
    """
    learner = selection.learner
    if not all(fitter.on_scale for fitter in selection.fitters.values()):
        return None, None
    held_out = selection.held_out or hold_out_of(task, selection.positions, learner.parts)
    others = None  # summarizers that were not learned from, though those were that are predicted
    if task.same_summarizers:
        others = hold_out_of(replace(task, same_summarizers=False), selection.positions, [learner])
    if held_out is None:
        return None, None
    found = _calibration(learner, held_out, others)
    if not task.arrays.relative:
        return found, None
    others = others and replace(others, predictions=others.alone)
    return found, _calibration(learner, replace(held_out, predictions=held_out.alone), others)


def _calibration(learner: Learner, held_out: HeldOut, others: HeldOut | None) -> Calibration | None:
    """Calibrate by held-out predictions, and by those of summarizers that were held out too; None if one is missing."""
    residuals, of_others = learner.residuals(held_out), None
    if np.isnan(residuals).any():
        return None
    if others is not None and not np.isnan(others.predictions).any():
        of_others = Components.of(others.truth - others.predictions[:, 0], others.rows)
    return conformal(residuals, held_out.rows, of_others=of_others)


def conformal(
    residuals: Floats, stacked: StackedYears, *, of_others: Components | None = None
) -> Calibration:
    """Find the half-widths of a predictor's intervals.

    Parameters
    ----------
    residuals : (n_rows,)
        Held-out judgments less predictions.
    stacked : StackedYears
        The rows.
    of_others : Components, optional
        The variances of errors on other summarizers than those that are predicted, see `Components.between`.
    """
    topics = np.unique(stacked.design.topics, return_inverse=True)[1]
    n_topics = int(topics.max()) + 1
    widths = covering_quantiles(np.abs(residuals), topics, LEVELS)
    kept = np.isfinite(widths) & (np.array(LEVELS) <= n_topics / (n_topics + 1))
    components = Components.of(residuals, stacked)
    components = components if of_others is None else components.between(of_others)
    means = [components.half_widths(n, np.array(LEVELS)[kept].tolist()) for n in N_MEANS]
    return Calibration(
        levels=tuple(np.array(LEVELS)[kept].tolist()),
        summaries=tuple(widths[kept].tolist()),
        n_means=N_MEANS,
        means=tuple(tuple(map(float, row)) for row in np.minimum.accumulate(means)),
        n_topics=n_topics,
        n_summarizers=np.unique(stacked.design.summarizers).size,
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
