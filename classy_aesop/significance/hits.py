"""Recall and precision of significant differences, and test statistics of a correlation, as in Lin and Hovy.

All pairs of peers are tested twice with a z-test on their scores by topic, once by human scores and once
by the metric's. A hit is a pair that is significant for both: recall is the share of human significant
pairs that are hits, precision that of the metric's.

Lin and Hovy (2003), sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    Result,
    is_significant,
    same_shape,
    score_matrix,
)
from classy_aesop.significance.near_ties import settled, slack_of
from classy_aesop.significance.t_tests import moments

#: Levels of the paper; its table says .25 where the order asks for .025.
ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)


@dataclass(frozen=True, slots=True)
class Hits(Result):
    """Significant pairs at one level.

    Attributes
    ----------
    alpha : float
        A pair is significant if p <= alpha, two-sided.
    n_pairs : int
        All pairs of peers.
    n_human, n_metric, n_hits : int
        Significant by human scores, by the metric's, by both.
    n_contradictions : int
        Hits with opposite directions.
    recall, precision : float
        Hits over human pairs, NaN if there are none; over the metric's pairs, 0 if there are none.
    """

    alpha: float
    n_pairs: int
    n_human: int
    n_metric: int
    n_hits: int
    n_contradictions: int
    recall: float
    precision: float


def hits(X: ArrayLike, Z: ArrayLike, *, alphas: Sequence[float] = ALPHAS) -> tuple[Hits, ...]:
    """Recall and precision of a metric's significant differences at several levels.

    Parameters
    ----------
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of the metric and of humans; NaN where missing.
    alphas : sequence of float
        Levels.

    Returns
    -------
    tuple of Hits
        One for each level.

    Examples
    --------
    >>> Z = [[1, 2, 1, 2], [5, 6, 5, 6], [5, 5, 6, 7]]
    >>> [(found.recall, found.precision) for found in hits(Z, Z, alphas=[0.05])]
    [(1.0, 1.0)]
    """
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    same_shape(X=X, Z=Z)
    (z_metric, metric), (z_human, human) = z_tests(X), z_tests(Z)
    opposite = z_metric * z_human < 0
    return tuple(
        _hits(alpha, is_significant(metric, alpha), is_significant(human, alpha), opposite)
        for alpha in alphas
    )


def z_tests(X: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """z and two-sided p of all pairs of rows, in the order of ``numpy.triu_indices(n, k=1)``.

    z = (mean X - mean Y) / sqrt(s_X^2/n_X + s_Y^2/n_Y) over all topics that each has, shared or not.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores; NaN where missing.

    Returns
    -------
    tuple of two ndarrays, shape (n_pairs,)
        z is 0 and p 1 for fewer than two topics or equal means, z infinite and p 0 for different means
        without spread.
    """
    from scipy.special import ndtr

    X = score_matrix(X)
    first, second = np.triu_indices(len(X), k=1)
    n, slack = (~np.isnan(X)).sum(axis=1), slack_of(X, axis=1)[:, 0]
    mean, square = moments(X, ~np.isnan(X), n, slack)
    away = settled(mean[first] - mean[second], np.maximum(slack[first], slack[second]))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = square / (n - 1.0) / n
        z = away / np.sqrt(error[first] + error[second])
    testable = (n[first] > 1) & (n[second] > 1) & (away != 0)
    z = np.where(testable, z, 0.0)
    return z, np.minimum(2 * ndtr(-np.abs(z)), 1.0)


def determination(r: float) -> float:
    """Coefficient of determination CD: the share of variance that a line explains, r squared."""
    return r * r


def regression_t(r: float, n: int) -> float:
    """t of a correlation of n points with n - 2 degrees of freedom, LR_t: infinite if r is 1 or -1, NaN if n < 3.

    Examples
    --------
    >>> round(regression_t(0.907, 13), 3)
    7.143
    """
    if n < 3:
        return float("nan")
    with np.errstate(divide="ignore"):
        return float(r * np.sqrt((n - 2) / np.float64(1 - r * r)))


def _hits(alpha: float, metric: BoolArray, human: BoolArray, opposite: BoolArray) -> Hits:
    both = metric & human
    n_hits, n_human, n_metric = int(both.sum()), int(human.sum()), int(metric.sum())
    return Hits(
        alpha=alpha,
        n_pairs=len(metric),
        n_human=n_human,
        n_metric=n_metric,
        n_hits=n_hits,
        n_contradictions=int((both & opposite).sum()),
        recall=n_hits / n_human if n_human else float("nan"),
        precision=n_hits / n_metric if n_metric else 0.0,
    )
