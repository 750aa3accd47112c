"""Error variances of estimated means from the residuals of topics, and the widths of intervals.

Direct means, and the small area estimates that are made of them, have one variance for all systems, and independent
errors. In fact some systems vary more, systems of one kind err on the same topics, and some topics separate all
systems more than others do (Mandel, 1961). So the covariance is also estimated from the residuals of each topic:
White's (1980) and Liang and Zeger's (1986) sandwich, with topics as clusters. An estimate with the covariance ``P``
changes with the direct means by ``P V^-1`` (Efron, 2015, for posterior means). Hence ``P + P V^-1 (C - V) V^-1 P``:
``P`` if the residuals of topics agree with the model, ``C = V``; and ``C`` for means that are not shrunk, ``P = V``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import FloatArray, robust_eigh
from classy_aesop.significance.few_judgments.direct_means import (
    DirectMeans,
)

PRIOR_TOPICS = 2.0
"""Topics that the model's covariance counts for beside the judged ones."""


def sandwich_covariance(covariance: FloatArray, direct: DirectMeans) -> tuple[FloatArray, FloatArray]:
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
    share = np.sqrt(empirical_share(direct.topics_df))
    moves = np.asarray(np.linalg.solve(direct.covariance, covariance).mT * share[..., None, :])
    told = moves @ direct.by_topics @ moves.mT
    rest = covariance - moves @ direct.covariance @ moves.mT
    roots, axes = robust_eigh((rest + rest.mT) / 2)
    return told + (axes * np.maximum(roots, 0)[..., None, :]) @ axes.mT, told


def empirical_share(topics_df: ArrayLike) -> FloatArray:
    """Share of the direct means' covariance that is taken from topics, by their degrees of freedom."""
    df = np.asarray(topics_df, dtype=np.float64)
    return np.asarray(df / (df + PRIOR_TOPICS))


def half_widths(
    confidence: float,
    total: FloatArray,
    told: FloatArray,
    spread: FloatArray,
    *,
    topics_df: ArrayLike,
    df: ArrayLike,
    shares_topics: ArrayLike = True,
    are_few: bool = False,
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
    are_few : bool
        Whether systems are so few that what topics tell and the common variance are much the same: of two systems, all.
    """
    total = np.maximum(total, np.sqrt(np.finfo(float).tiny))
    told, of_mixture = np.minimum(told / total, 1), spread / (4 * spread + 2 * total**2)
    inverse = told**2 / np.maximum(topics_df, 1) + (1 - told) ** 2 / np.asarray(df) + of_mixture
    inverse = inverse + 2 * told * (1 - told) / np.asarray(df) * are_few
    wider = np.where(shares_topics, 0.0, 2 * of_mixture)
    return np.asarray(stats.t.ppf((1 + confidence) / 2, 1 / inverse) * np.sqrt(total * (1 - wider)))
