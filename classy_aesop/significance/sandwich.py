"""Errors of estimates as the topics tell them: what goes together on a topic, and who varies more than others.

The model of :mod:`classy_aesop.significance.direct_means` gives all systems one variance, and independent errors. In
truth some vary more, systems of one kind err on the same topics, and some topics tell all systems apart more than
others (Mandel, 1961). So the covariance of direct means is also taken from the residuals of each topic: White's (1980)
and Liang and Zeger's (1986) sandwich, with topics as clusters. An estimate with the covariance ``P`` moves with the
direct means by ``P V^-1`` (Efron, 2015, for posterior means). Hence ``P + P V^-1 (C - V) V^-1 P``: as before if topics
tell what the model says, ``C = V``; and ``C`` for means that are not drawn to anything, ``P = V``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.direct_means import DirectMeans
from classy_aesop.significance.symmetric import eigh

PRIOR = 2.0
"""Topics that the model's covariance counts for beside the judged ones."""


def sandwiched(covariance: FloatArray, direct: DirectMeans) -> tuple[FloatArray, FloatArray]:
    """Give the covariance of estimates' errors, as far as topics tell it.

    Parameters
    ----------
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of the errors of estimates, by the model.
    direct : DirectMeans
        What they were made of.

    Returns
    -------
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of the errors.
    told : ndarray, shape (..., n_systems, n_systems)
        The part of it that topics tell; of a system it has one degree of freedom less than it has judgments.
    """
    share = np.sqrt(share_of_topics(direct.topics_df))
    moves = np.asarray(np.linalg.solve(direct.covariance, covariance).mT * share[..., None, :])
    rest, told = covariance - _around(moves, direct.covariance), _around(moves, direct.by_topics)
    roots, axes = eigh((rest + rest.mT) / 2)
    return told + (axes * np.maximum(roots, 0)[..., None, :]) @ axes.mT, told


def share_of_topics(topics_df: ArrayLike) -> FloatArray:
    """Share of the direct means' covariance that is taken from topics, by their degrees of freedom."""
    df = np.asarray(topics_df, dtype=np.float64)
    return np.asarray(df / (df + PRIOR))


def half_widths(
    confidence: float,
    total: FloatArray,
    told: FloatArray,
    spread: FloatArray,
    *,
    topics_df: ArrayLike,
    df: ArrayLike,
    shares_topics: ArrayLike = True,
) -> FloatArray:
    """Give half the width of intervals, by Student's t.

    Satterthwaite's rule gives the degrees of freedom of a sum of variances. Where the variance itself is open, the
    error is a mixture of normal ones, and t has its kurtosis: ``4 + 2 total^2 / spread`` degrees of freedom. Such a t
    is wider than the mixture, and is taken back to its variance. It is left wider where systems share topics: what they
    err together tells less of the variance than was made of it.

    Parameters
    ----------
    confidence : float
        Of each interval.
    total, told, spread : ndarray
        The variance of the error, the part of it that topics tell, and the variance of the variance over what the
        judgments leave open.
    topics_df, df : array_like
        Degrees of freedom of what topics tell, and of the common variance.
    shares_topics : array_like of bool
        Whether systems share their topics.
    """
    total = np.maximum(total, np.sqrt(np.finfo(float).tiny))
    told, of_mixture = np.minimum(told / total, 1), spread / (4 * spread + 2 * total**2)
    inverse = told**2 / np.maximum(topics_df, 1) + (1 - told) ** 2 / np.asarray(df) + of_mixture
    wider = np.where(shares_topics, 0.0, 2 * of_mixture)
    return np.asarray(stats.t.ppf((1 + confidence) / 2, 1 / inverse) * np.sqrt(total * (1 - wider)))


def _around(A: FloatArray, C: FloatArray) -> FloatArray:
    return np.asarray(A @ C @ A.mT)
