"""Guards of estimates: scores that are far from all others, and judged cells that scores show to differ from the rest.

A control variate uses the mean of a metric over all topics, so that a single absurd score of an unjudged cell moves a
mean as far as it likes. Scores are therefore limited first. Medians take the effects of topics and systems out (Tukey's
median polish), so that a metric that shifts a whole topic or system is not touched; what is left is limited to
`MAX_RESIDUAL` medians of its absolute values. A limited score is still a score that is known for every cell, so
estimates stay unbiased; if none is beyond the limit, all scores stay as they are to the last digit.

Where judgments follow the large scores of judged cells significantly better than they follow limited ones, such scores
are large, not wrong. The limit is then raised to `MAX_RATIO_TO_JUDGED` times the largest residual of a judged cell, and
by the more, the less of the judgments' variance the scores leave. Otherwise a score beyond `FAR_RESIDUAL` medians and a
gap counts as a missing one: as its system and topic let expect.

Whether judged cells are a random part shows in the scores too: in the mean score of each system's judged cells less
that of all. It is tested by permutations of topics, of which the mean and the variance are known (Hoeffding, 1951).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.additive.two_way_fit import TwoWayFit
from classy_aesop.significance.base import BoolArray, FloatArray, divide

MAX_RESIDUAL = 8.0
"""Medians of the absolute residuals to which residuals are limited: 5.4 standard deviations of normal ones."""

LARGE_RESIDUAL = 3.0
"""Medians beyond which scores of judged cells show whether judgments follow large scores."""

MIN_F = 4.0
"""Judgments follow large scores if limiting these adds so many variances of the errors to their squares."""

MAX_RATIO_TO_JUDGED = 3.0
"""Where judgments follow large scores, those up to this many times the largest of a judged cell stay as they are."""

FAR_RESIDUAL = 25.0
"""Medians beyond which a score may be far from all others."""

MIN_GAP_RATIO = 3.0
"""It is if it is also this many times the next smaller one: the large scores of a skewed metric have no such gap."""

MIN_SHARE_OF_SIZE = 1e-9
"""Share of the median absolute score below which a residual is rounding; least root of a share of variance."""

N_POLISHES = 3
"""Rounds of the median polish."""


@dataclass(frozen=True, slots=True)
class LimitedScores:
    """Scores within limits, and which ones were far from all others, both (n_metrics, n_systems, n_topics)."""

    scores: FloatArray
    is_far: BoolArray


def limit_scores(y: FloatArray, f: FloatArray) -> LimitedScores:
    """Limit scores (n_metrics, n_systems, n_topics) that are far from what their system and topic let expect.

    Judgments (n_systems, n_topics) are NaN where there is none.

    Examples
    --------
    >>> f = np.arange(12.0).reshape(1, 3, 4) ** 2 % 7
    >>> f[0, 1, 2] = 10_000
    >>> limited = limit_scores(np.full((3, 4), np.nan), f)
    >>> bool(limited.scores[0].max() < 40), int(limited.is_far.sum())
    (True, 1)
    """
    scores = f.copy()
    is_far = np.zeros(f.shape, dtype=bool)
    for number, metric in enumerate(f):
        residuals = polish_by_medians(metric)
        sizes = np.abs(residuals)
        varying = sizes[sizes > MIN_SHARE_OF_SIZE * np.median(np.abs(metric))]
        median = float(np.median(varying)) if varying.size else np.inf
        if not sizes.max(initial=0.0) > MAX_RESIDUAL * median:
            continue
        large_limit = _limit_of_large_scores(y, metric, residuals, median)
        limit = max(MAX_RESIDUAL * median, large_limit)
        is_far[number] = sizes >= _start_of_far(sizes, max(FAR_RESIDUAL * median, limit))
        scores[number] = _limit_residuals(metric, residuals, limit)
        if not large_limit:
            scores[number] = np.where(is_far[number], metric - residuals, scores[number])
    return LimitedScores(scores, is_far)


def polish_by_medians(scores: FloatArray) -> FloatArray:
    """Take the effects of topics and systems out by medians.

    Examples
    --------
    >>> polish_by_medians(np.array([[1.0, 2, 3], [2, 3, 4], [3, 4, 95]])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 90.0]]
    """
    residuals = scores
    for _ in range(N_POLISHES):
        if len(scores) > 1:  # the scores of a single system are those of its topics
            residuals = residuals - np.median(residuals, axis=0, keepdims=True)
        residuals = residuals - np.median(residuals, axis=1, keepdims=True)
    return residuals


def _limit_of_large_scores(y: FloatArray, scores: FloatArray, residuals: FloatArray, median: float) -> float:
    """Limit of residuals where judgments follow large scores; 0 where they do not, or nothing shows it."""
    largest = float(np.abs(residuals[~np.isnan(y)]).max(initial=0.0))
    if not largest > LARGE_RESIDUAL * median:
        return 0.0
    fit = TwoWayFit(~np.isnan(y))
    limited_scores = _limit_residuals(scores, residuals, LARGE_RESIDUAL * median)
    of_judgments, *of_scores = fit.residuals(np.stack([y, scores, limited_scores]))
    squares = [
        np.square(
            of_judgments - np.vdot(values, of_judgments) / (np.square(values).sum() or np.inf) * values
        ).sum()
        for values in of_scores
    ]
    if not squares[1] - squares[0] > MIN_F * squares[0] / max(fit.df - 1, 1):
        return 0.0
    root = float(np.sqrt(squares[0] / np.square(of_judgments).sum()))
    return MAX_RATIO_TO_JUDGED * largest / max(root, MIN_SHARE_OF_SIZE)


def _start_of_far(sizes: FloatArray, min_size: float) -> float:
    """Find the size above a smallest one, and above a gap, from which residuals are far; infinite if none is."""
    ordered = np.sort(sizes, axis=None)
    is_start = (ordered[1:] > min_size) & (ordered[1:] >= MIN_GAP_RATIO * ordered[:-1])
    return float(ordered[1:][is_start.argmax()]) if is_start.any() else np.inf


def _limit_residuals(scores: FloatArray, residuals: FloatArray, limit: float) -> FloatArray:
    """Change scores so that no residual is beyond the limit."""
    return scores + (np.clip(residuals, -limit, limit) - residuals)


def compare_judged_part(y: FloatArray, f: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Test by scores (n_metrics, n_systems, n_topics) whether judged cells are a random part.

    Each system's scores are centred at its mean, so that only the choice of topics counts. Their sum over judged cells
    is compared with those of permuted topics: all cells of a topic stay together.

    Gives the mean score of judged cells less that of all, in standard deviations, and its two-sided p, both
    (n_metrics,).

    Examples
    --------
    >>> f = np.tile(np.arange(20.0), (1, 4, 1))
    >>> y = np.where(np.arange(20) < 5, 1.0, np.nan) * np.ones((4, 1))
    >>> shift, p = compare_judged_part(y, f)
    >>> shift.round(2).tolist(), bool(p[0] < 0.01)
    ([-1.3], True)
    """
    from scipy.special import ndtr

    judged = (~np.isnan(y)).astype(np.float64)
    centred = f - f.mean(axis=2, keepdims=True)
    spread = np.sqrt(np.square(centred).mean(axis=(1, 2)))
    # of each metric, topics of the judgments x topics of the scores; all rows and columns have the mean 0
    products = (judged - judged.mean(axis=1, keepdims=True)).T @ centred
    total = np.trace(products, axis1=1, axis2=2)
    deviation = np.sqrt(np.square(products).sum(axis=(1, 2)) / max(y.shape[1] - 1, 1))
    is_varying = spread > MIN_SHARE_OF_SIZE * np.abs(f).max(axis=(1, 2), initial=0.0)
    shift = np.where(is_varying, divide(total, judged.sum() * spread, 0.0), 0.0)
    return shift, np.where(is_varying, 2 * ndtr(-divide(np.abs(total), deviation, 0.0)), 1.0)
