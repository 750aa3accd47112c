"""Means of systems from the judged part of a matrix of systems x topics: the plain mean and the control variate.

A judged cell is modelled as ``y = system + topic + slope * f + error``. Here ``f`` is the score that is known for every
cell, less its topic's mean over systems. Topics are random effects, so that they cancel where all systems share their
topics, and count as noise where they do not. The mean of a system is then the mean of its judgments, moved by the slope
times what the judged topics' scores differ from those of all topics: the regression estimator of survey sampling, the
control variate of Chaganty, Mussmann and Liang (2018), and PPI++ (Angelopoulos, Duchi and Zrnic, 2023), whose weight
``slope / (1 + n / N)`` on N further topics is the same estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, score_matrix

UNKNOWN = 1e5
"""A system without a judgment has a variance this many times all that is known of the others."""

SURE = 1e-12
"""Share of its variance that stays with a mean of which nothing is open, so that it can be divided by."""

_LEAST = 1e-8
"""Least variance of the errors as a share of that of the judgments: scores that equal them leave rounding alone."""


@dataclass(frozen=True, slots=True)
class DirectMeans(Result):
    """Means of systems, each from its own judgments.

    Attributes
    ----------
    mean : ndarray, shape (n_systems,)
        The means; without any judgment the mean of the others, with a variance that is practically infinite.
    covariance : ndarray, shape (n_systems, n_systems)
        Of their errors; what all systems share is the error of the topics.
    score_mean : ndarray, shape (n_metrics, n_systems)
        Means of the scores over all topics, less those of all systems.
    slope : ndarray, shape (n_metrics,)
        What a judgment rises with each metric, within systems and topics.
    variance, df : float
        Of a judgment around its system, its topic and the slope; its degrees of freedom.
    topic_variance : float
        Of topics.
    n_judged : ndarray of int
        Judged topics of each system.
    n_topics : int
        All topics.
    n_judged_topics : int
        Topics with a judgment.
    finite : bool
        Whether the means are those over the topics at hand.
    products : ndarray, shape (n_systems, n_systems)
        Sums over topics of the products of two systems' residuals.
    """

    mean: FloatArray
    covariance: FloatArray
    score_mean: FloatArray
    slope: FloatArray
    variance: float
    df: float
    topic_variance: float
    n_judged: IntArray
    n_topics: int
    n_judged_topics: int
    finite: bool
    products: FloatArray

    @property
    def shares_topics(self) -> bool:
        """Whether all judged systems are judged on the same topics, so that their errors go together."""
        return set(self.n_judged.tolist()) <= {0, self.n_judged_topics}

    @property
    def level_variance(self) -> float:
        """Variance of what the errors of all systems share: the error of the judged topics."""
        left = 1 - self.n_judged_topics / self.n_topics if self.finite else 1.0
        return self.topic_variance / self.n_judged_topics * left


def direct_means(y: ArrayLike, f: ArrayLike | None = None, *, finite: bool = True) -> DirectMeans:
    """Estimate the mean of each system from its own judgments, with scores as control variates.

    Parameters
    ----------
    y : array_like, shape (n_systems, n_topics)
        Judgments; NaN where nobody judged.
    f : array_like, shape (n_systems, n_topics) or (n_metrics, n_systems, n_topics), optional
        Scores of every cell. Without them the means are the plain ones, less the topics' effects.
    finite : bool
        Whether the means over these topics are wanted, or else those over topics like them. Of the first, variances
        are less by the share of a system's topics that are judged; to the second comes the variance of the scores'
        own means.

    Returns
    -------
    DirectMeans

    Raises
    ------
    ValueError
        The shapes do not fit, a score is missing, or there are too few judgments to tell their variance.

    Examples
    --------
    >>> found = direct_means([[3, 5, None], [2, 4, None], [1, 1, None]], finite=False)
    >>> found.mean.round(2).tolist(), round(found.variance, 2)
    ([4.0, 3.0, 1.0], 0.67)
    """
    Y = score_matrix(y, "y")
    F = _scores(f, Y.shape)
    judged = ~np.isnan(Y)
    ways = _TwoWays(judged)
    rest, scores = ways.residuals(Y), np.array([ways.residuals(one) for one in F]).reshape(F.shape)
    if ways.df <= len(F):
        raise ValueError(
            f"{judged.sum()} judgments of {judged.any(axis=1).sum()} systems on {judged.any(axis=0).sum()} topics "
            f"tell nothing of their error beside {len(F)} metrics; expected more systems that share more topics"
        )
    slope = linalg.lstsq(scores.reshape(len(F), -1).T, rest.ravel())[0] if len(F) else np.empty(0)
    rest = rest - np.tensordot(slope, scores, axes=1)
    variance = max(float((rest**2).sum() / ways.df), _LEAST * (float(np.nanvar(Y)) or 1.0))
    moved = Y - np.tensordot(slope, F, axes=1)
    topic_variance = ways.topic_variance(moved, float((rest**2).sum()))
    mean, covariance = ways.fitted(moved, variance, topic_variance)
    score_mean = F.mean(axis=2)
    n_judged = judged.sum(axis=1)
    if finite:
        left = np.sqrt(np.maximum(1 - n_judged / Y.shape[1], SURE))
        covariance = covariance * left[:, None] * left
    else:
        covariance = covariance + np.eye(len(Y)) * _variance_of_scores(F, slope)
    mean, covariance = _with_unjudged(mean + slope @ score_mean, covariance, n_judged > 0)
    return DirectMeans(
        mean=mean,
        covariance=covariance,
        score_mean=score_mean,
        slope=slope,
        variance=variance,
        df=float(ways.df),
        topic_variance=topic_variance,
        n_judged=n_judged,
        n_topics=Y.shape[1],
        n_judged_topics=int(judged.any(axis=0).sum()),
        finite=finite,
        products=rest @ rest.T,
    )


def _scores(f: ArrayLike | None, shape: tuple[int, ...]) -> FloatArray:
    """Give the scores as (n_metrics, n_systems, n_topics), each less its topic's mean."""
    if f is None:
        return np.empty((0, *shape))
    F = np.asarray(f, dtype=np.float64)
    F = F[None] if F.ndim == 2 else F
    if F.shape[1:] != shape:
        raise ValueError(f"f has the shape {np.shape(f)}; expected scores of {shape}, as y")
    if not np.isfinite(F).all():
        raise ValueError("f lacks a score; expected one for every system and topic")
    return np.asarray(F - F.mean(axis=1, keepdims=True))


def _variance_of_scores(F: FloatArray, slope: FloatArray) -> float:
    """Variance of the mean over topics of what the slopes make of the scores."""
    moved = np.tensordot(slope, F, axes=1)
    n_systems, n_topics = moved.shape
    rest = moved - moved.mean(axis=1, keepdims=True)
    return float((rest**2).sum() / ((n_systems - 1) * (n_topics - 1)) / n_topics)


def _with_unjudged(
    mean: FloatArray, covariance: FloatArray, judged: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Give systems without a judgment a mean of which nothing is known."""
    known = covariance.diagonal()[judged].max() + mean[judged].var()
    covariance[~judged, ~judged] = UNKNOWN * known
    return np.where(judged, mean, mean[judged].mean()), covariance


class _TwoWays:
    """Least squares of judged cells on systems and topics, by the systems' normal equations."""

    def __init__(self, judged: BoolArray) -> None:
        self.judged = judged
        self.cells = judged.astype(float)
        self.of_system, self.of_topic = self.cells.sum(axis=1), self.cells.sum(axis=0)
        self.systems, self.within = self._equations(0.0)
        self.inverse = linalg.pinvh(self.systems)
        self.rank = int(np.linalg.matrix_rank(self.systems, hermitian=True))
        self.df = int(judged.sum()) - int((self.of_topic > 0).sum()) - self.rank

    def _equations(self, ridge: float) -> tuple[FloatArray, FloatArray]:
        """Information on systems, topics taken out; and what takes them out of sums over topics."""
        taken = np.divide(self.cells, self.of_topic + ridge, out=np.zeros_like(self.cells), where=self.judged)
        return np.diag(self.of_system) - taken @ self.cells.T, taken

    def residuals(self, Z: FloatArray) -> FloatArray:
        """What systems and topics leave of the judged cells; 0 elsewhere."""
        Z = np.where(self.judged, Z, 0.0)
        system = self.inverse @ (Z.sum(axis=1) - self.within @ Z.sum(axis=0))
        topic = (Z.sum(axis=0) - self.cells.T @ system) / np.maximum(self.of_topic, 1)
        return np.where(self.judged, Z - system[:, None] - topic, 0.0)

    def topic_variance(self, Z: FloatArray, left: float) -> float:
        """Variance of topics by Henderson's method 3: what they explain beyond systems; 0 at least."""
        Z = np.where(self.judged, Z, 0.0)
        own = np.where(self.judged, Z - (Z.sum(axis=1) / np.maximum(self.of_system, 1))[:, None], 0.0)
        n_judged_systems = int((self.of_system > 0).sum())
        df = int((self.of_topic > 0).sum()) + self.rank - n_judged_systems
        per_unit = self.judged.sum() - n_judged_systems
        explained = float((own**2).sum()) - left - df * left / self.df
        return max(0.0, explained / per_unit) if per_unit else 0.0

    def fitted(self, Z: FloatArray, variance: float, topic_variance: float) -> tuple[FloatArray, FloatArray]:
        """Generalized least squares of systems with random topics: their values and the covariance of these."""
        ratio = variance / topic_variance if topic_variance > variance * 1e-9 else 1e9
        information, taken = self._equations(ratio)
        Z, some = np.where(self.judged, Z, 0.0), self.of_system > 0
        inverse = np.zeros_like(information)
        inverse[np.ix_(some, some)] = linalg.inv(information[np.ix_(some, some)])
        return inverse @ (Z.sum(axis=1) - taken @ Z.sum(axis=0)), inverse * variance
