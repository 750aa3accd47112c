"""Step seven: how far a predictor is off on topics and summarizers that it did not learn from.

The topics and the summarizers of the years that it was refitted on are dealt into folds; each summary is predicted by
what was chosen, fitted without the summary's fold of topics and without its fold of summarizers. The choice is taken as
it is: what was lost by choosing on these very years is not seen here.

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

import numpy as np
from numpy.typing import NDArray

from classy_aesop.predictor.calibration import LEVELS, N_MEANS, Calibration
from classy_aesop.training.held_out import hold_out_of
from classy_aesop.training.learners import SuperLearner
from classy_aesop.training.pool import Pool
from classy_aesop.training.select import Selection
from classy_aesop.training.super_learner import mixture_residuals
from classy_aesop.training.task import TrainingTask

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

N_DRAWS = 500
"""Draws of topics for the half-widths of means."""


def intervals(task: TrainingTask, selection: Selection) -> Calibration | None:
    """Find the half-widths of a predictor's intervals; None if its scores are not on the target's scale.

    None too for fewer than three topics or summarizers, or where the rows left of a fold are too few to fit.
    """
    if not all(fitter.on_scale for fitter in selection.fitters.values()):
        return None
    found = _residuals(task, selection)
    return None if found is None else conformal(*found, seed=task.config.seed)


def _residuals(task: TrainingTask, selection: Selection) -> tuple[Floats, Pool] | None:
    """Give held-out judgments less predictions, and their rows; None if too little is left of a fold."""
    learner, held_out = selection.learner, selection.held_out
    if isinstance(learner, SuperLearner):
        return None if held_out is None else (mixture_residuals(learner, held_out), held_out.pool)
    held_out = hold_out_of(task, selection.positions, [learner])
    if held_out is None or np.isnan(held_out.predictions).any():
        return None
    return held_out.truth - held_out.predictions[:, 0], held_out.pool


def conformal(residuals: Floats, pool: Pool, *, seed: int) -> Calibration:
    """Find the half-widths of a predictor's intervals.

    Parameters
    ----------
    residuals : (n_rows,)
        Held-out judgments less predictions.
    pool : Pool
        The rows.
    seed : int
        Draws the topics of means.
    """
    topics, summarizers = (
        np.unique(codes, return_inverse=True)[1] for codes in (pool.design.topics, pool.design.summarizers)
    )
    n_topics, n_summarizers = int(topics.max()) + 1, int(summarizers.max()) + 1
    widths = covering_quantiles(np.abs(residuals), topics, LEVELS)
    kept = np.isfinite(widths) & (np.array(LEVELS) <= n_topics / (n_topics + 1))
    cells = np.full((n_summarizers, n_topics), np.nan)
    cells[summarizers, topics] = residuals
    rng = np.random.default_rng(seed)
    means = [mean_widths(cells, n, np.array(LEVELS)[kept], rng) for n in N_MEANS]
    return Calibration(
        levels=tuple(np.array(LEVELS)[kept].tolist()),
        summaries=tuple(widths[kept].tolist()),
        n_means=N_MEANS,
        means=tuple(tuple(map(float, row)) for row in np.minimum.accumulate(means)),
        n_topics=n_topics,
        n_summarizers=n_summarizers,
    )


def covering_quantiles(values: Floats, groups: Integers, levels: Sequence[float]) -> Floats:
    """Give for each level the quantile that covers a group left out, on average, as often as the level says.

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
        own = groups == group
        limits = _pooled_quantiles(values[~own], groups[~own], grid)
        covered += np.searchsorted(values[own], limits, side="right") / own.sum() / n_groups
    raised = np.searchsorted(np.maximum.accumulate(covered), np.array(levels) - 1e-9)
    pooled = np.append(_pooled_quantiles(values, groups, grid), np.nan)
    found: Floats = pooled[raised]
    return found


def _pooled_quantiles(values: Floats, groups: Integers, levels: Floats) -> Floats:
    """Give the least of ascending values that reach the levels of the mean of the groups' distributions."""
    weights = 1 / np.bincount(groups)[groups]
    reached = np.cumsum(weights) / weights.sum()
    return np.asarray(values[np.minimum(np.searchsorted(reached, levels - 1e-9), values.size - 1)])


def mean_widths(residuals: Floats, n_topics: int, levels: Floats, rng: np.random.Generator) -> Floats:
    """Give the half-widths (n_levels,) for the mean of a summarizer over new topics.

    The quantile of `drawn_means` that covers the draws of a summarizer left out, see `covering_quantiles`.

    Parameters
    ----------
    residuals : (n_summarizers, n_topics)
        NaN where there is none.
    n_topics : int
        Topics of a mean.
    levels : (n_levels,)
        Confidences; one that so few summarizers cannot support gets the largest draw.
    rng : Generator
        What draws.
    """
    drawn = np.abs(drawn_means(residuals, n_topics, rng))
    there = np.isfinite(drawn)
    groups = np.unique(np.nonzero(there)[1], return_inverse=True)[1]
    widths = covering_quantiles(drawn[there], groups, levels.tolist())
    return np.where(np.isfinite(widths), widths, drawn[there].max())


def drawn_means(residuals: Floats, n_topics: int, rng: np.random.Generator) -> Floats:
    """Draw by how much the mean over new topics of each summarizer is off, (n_draws, n_summarizers).

    It has three parts. A summarizer's own error is its mean residual, of which the share is taken that is not the noise
    of its topics: with residuals b_s + t_k + e_sk, the mean of K of them has the variance of b plus that of e over K.
    The new topics, drawn with replacement from those at hand, add the means of t and e. The topics of learning, drawn
    likewise, move the predictor's constant by the mean of t. A summarizer who wrote on none of the topics is NaN.

    Parameters
    ----------
    residuals : (n_summarizers, n_topics)
        NaN where there is none.
    n_topics : int
        Number of new topics.
    rng : Generator
        What draws.
    """
    n, there = residuals.shape[1], np.isfinite(residuals)
    of_topics = np.nanmean(residuals, axis=0)
    own = np.nanmean(residuals, axis=1)
    deviations = np.where(there, residuals - own[:, None], 0.0)
    noise = np.where(there, residuals - own[:, None] - of_topics + of_topics.mean(), 0.0)
    degrees = max(int(there.sum()) - len(own) - n + 1, 1)
    noise_of_means = float(np.square(noise).sum()) / degrees * float(np.mean(1 / there.sum(axis=1)))
    share = np.sqrt(max(0.0, 1.0 - noise_of_means / max(float(np.mean(own**2)), 1e-300)))
    even = np.full(n, 1 / n)
    new = rng.multinomial(n_topics, even, size=N_DRAWS)
    learned = rng.multinomial(n, even, size=N_DRAWS) / n
    sums, counts = new @ deviations.T, new @ there.T
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return np.asarray(share * own + means - (learned @ (of_topics - of_topics.mean()))[:, None])
