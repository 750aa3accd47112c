"""Guards of estimates: scores that are far from all others, and judged cells that scores show to be special.

A control variate takes the mean of a metric over all topics, so that one absurd score of an unjudged cell moves a mean
by as much as it likes. Scores are therefore limited before they are used. Effects of topics and of systems are taken
out by medians (Tukey's median polish), so that a metric that shifts a topic or a system is not touched. What is left is
limited to `REACH` times the median of its absolute values. A limited score is still a score that is known for every
cell, so estimates stay unbiased; scores of which none is beyond the limit stay as they are to the last digit.

Where judged cells have scores beyond `NEAR` times the median, and their judgments follow these scores significantly
better than limited ones, such scores are large, not wrong: the limit is then `BEYOND_JUDGED` times the farthest of
them, over the root of the share of the judgments' variance that the scores leave, if that is more. Otherwise a score
beyond `FAR` times the median, and a gap, tells nothing: it counts as what its system and topic have.

Whether judged cells are a random part is tested by the scores too: their judged cells' mean against that of all cells,
system by system, by permutations of topics, of which the statistic's mean and variance are known (Hoeffding, 1951).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, Result
from classy_aesop.significance.few_judgments.two_way_fit import TwoWayFit

REACH = 8.0
"""Residual scores are limited to this many times the median of their absolute values: 5.4 standard deviations of normal
ones."""

NEAR = 3.0
"""Judged cells whose scores are beyond this many times the median show whether judgments follow large scores."""

BEYOND_JUDGED = 3.0
"""Where they do, scores up to this many times the farthest of a judged cell are used as they are, and farther ones the
more the scores explain."""

LEAST_F = 4.0
"""Judgments follow large scores if limiting these adds so many times the variance of the errors to their squares."""

FAR = 25.0
GAP = 3.0
"""Scores beyond `FAR` times the median and the limit, and `GAP` times the next one below, are out of place and named;
those of a skewed metric have no such gap."""

ROUNDING_OF_SCORES = 1e-9
"""Share of the median absolute score, or of the largest residual, below which a residual is rounding."""

N_POLISHES = 3
"""Rounds of the median polish."""


@dataclass(frozen=True, slots=True)
class LimitedScores(Result):
    """Scores that are limited.

    Attributes
    ----------
    scores : ndarray, shape (n_metrics, n_systems, n_topics)
        The scores; as given where none is beyond its limit.
    is_limited, is_far : ndarray of bool, shape (n_metrics, n_systems, n_topics)
        Which ones were limited, and which of these are so far that they are named.
    """

    scores: FloatArray
    is_limited: BoolArray
    is_far: BoolArray


@dataclass(frozen=True, slots=True)
class JudgedPart(Result):
    """Scores of judged cells beside those of all; arrays of shape (n_metrics,).

    Attributes
    ----------
    shift : ndarray
        Mean score of judged cells less that of all cells of the same systems, in standard deviations of a system's
        cells.
    p : ndarray
        Two-sided p-value of no shift, topics permuted; 1 where nothing can be tested.
    """

    shift: FloatArray
    p: FloatArray


def limit_scores(y: FloatArray, f: FloatArray) -> LimitedScores:
    """Limit scores that are far from what their system and topic have.

    Parameters
    ----------
    y : ndarray, shape (n_systems, n_topics)
        Judgments; NaN where nobody judged.
    f : ndarray, shape (n_metrics, n_systems, n_topics)
        Scores of every cell.

    Examples
    --------
    >>> f = np.arange(12.0).reshape(1, 3, 4) ** 2 % 7
    >>> f[0, 1, 2] = 10_000
    >>> limited = limit_scores(np.full((3, 4), np.nan), f)
    >>> bool(limited.scores[0].max() < 40), int(limited.is_far.sum())
    (True, 1)
    """
    scores = f.copy()
    is_limited = np.zeros(f.shape, dtype=bool)
    is_far = np.zeros(f.shape, dtype=bool)
    judged = ~np.isnan(y)
    for number, metric in enumerate(f):
        residuals = polish_by_medians(metric)
        size = _typical_size(residuals, metric)
        if not np.abs(residuals).max() > REACH * size:
            continue
        reach = REACH * size
        farthest = float(np.abs(residuals[judged]).max(initial=0.0))
        follows = False
        if farthest > NEAR * size:
            unexplained, total, df = _unexplained(y, judged, metric)
            of_limited, _, _ = _unexplained(y, judged, _limit(metric, residuals, NEAR * size))
            follows = of_limited - unexplained > LEAST_F * unexplained / df
            share = unexplained / total if total > 0 else 1.0
            if follows:
                reach = max(reach, BEYOND_JUDGED * farthest / max(np.sqrt(share), ROUNDING_OF_SCORES))
        is_limited[number] = np.abs(residuals) > reach
        is_far[number] = np.abs(residuals) >= _start_of_far(np.abs(residuals), max(FAR * size, reach))
        scores[number] = _limit(metric, residuals, reach)
        if not follows:
            scores[number] = np.where(is_far[number], metric - residuals, scores[number])
    return LimitedScores(scores, is_limited, is_far)


def polish_by_medians(scores: FloatArray) -> FloatArray:
    """Take the effects of topics and systems out by medians.

    Examples
    --------
    >>> polish_by_medians(np.array([[1.0, 2, 3], [2, 3, 4], [3, 4, 95]])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 90.0]]
    """
    residuals = scores
    for _ in range(N_POLISHES):
        residuals = residuals - np.median(residuals, axis=0, keepdims=True)
        residuals = residuals - np.median(residuals, axis=1, keepdims=True)
    return residuals


def _typical_size(residuals: FloatArray, scores: FloatArray) -> float:
    """Median absolute residual of those that are not 0 by rounding; infinite if all are."""
    sizes = np.abs(residuals)
    floor = ROUNDING_OF_SCORES * float(np.median(np.abs(scores)))
    varying = sizes[sizes > floor]
    return float(np.median(varying)) if varying.size else np.inf


def _start_of_far(sizes: FloatArray, least: float) -> float:
    """Give the size from which residuals are out of place: beyond the least, and a gap; infinite if none is."""
    ordered = np.sort(sizes, axis=None)
    is_start = (ordered[1:] > least) & (ordered[1:] >= GAP * ordered[:-1])
    return float(ordered[1:][is_start.argmax()]) if is_start.any() else np.inf


def _limit(scores: FloatArray, residuals: FloatArray, reach: float) -> FloatArray:
    return np.asarray(scores + (np.clip(residuals, -reach, reach) - residuals))


def _unexplained(y: FloatArray, judged: BoolArray, scores: FloatArray) -> tuple[float, float, float]:
    """Sums of squares of the judgments that systems, topics and the scores leave, and without scores; their df."""
    fit = TwoWayFit(judged)
    centred = scores - scores.mean(axis=0, keepdims=True)
    of_judgments, of_scores = fit.residuals(np.stack([np.where(judged, y, 0.0), centred]))
    squares = (of_scores**2).sum()
    slope = (of_scores * of_judgments).sum() / squares if squares > 0 else 0.0
    left = ((of_judgments - slope * of_scores) ** 2).sum()
    return float(left), float((of_judgments**2).sum()), float(max(fit.df - 1, 1))


def compare_judged_part(y: FloatArray, f: FloatArray) -> JudgedPart:
    """Test by the scores whether judged cells are a random part.

    Each system's scores are centred at its mean, so that only the choice of topics counts. Their sum over judged cells
    is compared with that of permuted topics: all cells of a topic stay together.

    Parameters
    ----------
    y, f
        As for :func:`limit_scores`.

    Examples
    --------
    >>> f = np.tile(np.arange(20.0), (1, 4, 1))
    >>> y = np.where(np.arange(20) < 5, 1.0, np.nan) * np.ones((4, 1))
    >>> part = compare_judged_part(y, f)
    >>> part.shift.round(2).tolist(), bool(part.p[0] < 0.01)
    ([-1.3], True)
    """
    from scipy.special import ndtr

    judged = (~np.isnan(y)).astype(np.float64)
    n_topics = y.shape[1]
    n_judged = judged.sum(axis=1, keepdims=True)
    shift = np.zeros(len(f))
    p = np.ones(len(f))
    if not judged.sum() or judged.all():
        return JudgedPart(shift, p)
    away = judged - n_judged / n_topics
    for number, metric in enumerate(f):
        centred = metric - metric.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean())
        if not spread > ROUNDING_OF_SCORES * np.abs(metric).max(initial=0.0):
            continue
        products = away.T @ centred  # topic of the judgments x topic of the scores
        total = float(np.trace(products))
        doubly = products - products.mean(axis=0) - products.mean(axis=1, keepdims=True) + products.mean()
        expected = float(products.sum()) / n_topics
        variance = float((doubly**2).sum()) / (n_topics - 1)
        shift[number] = total / judged.sum() / spread
        if variance > 0:
            p[number] = 2 * ndtr(-abs(total - expected) / np.sqrt(variance))
    return JudgedPart(shift, p)
