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

from classy_aesop.significance.base import FloatArray, robust_eigh
from classy_aesop.significance.few_judgments.direct_means import DirectMeans

PRIOR_TOPICS = 2.0
"""The weight of the model's covariance, in judged topics."""


def sandwich_covariance(covariance: FloatArray, direct: DirectMeans) -> tuple[FloatArray, FloatArray]:
    """Covariance of the errors of estimates, by the model and by the residuals of topics.

    Shapes: ``covariance`` (..., n_systems, n_systems); gives ``covariance`` (..., n_systems, n_systems),
    ``clustered`` (..., n_systems, n_systems).
    """
    share = np.sqrt(empirical_share(direct.topics_df))
    influence = np.asarray(np.linalg.solve(direct.covariance, covariance).mT * share[..., None, :])
    clustered = influence @ direct.clustered_covariance @ influence.mT
    remainder = covariance - influence @ direct.covariance @ influence.mT
    values, vectors = robust_eigh((remainder + remainder.mT) / 2)
    positive_remainder = (vectors * np.maximum(values, 0)[..., None, :]) @ vectors.mT
    return clustered + positive_remainder, clustered


def empirical_share(topics_df: ArrayLike) -> FloatArray:
    """Share of the direct means' covariance that is estimated from topics, by their degrees of freedom."""
    df = np.asarray(topics_df, dtype=np.float64)
    return np.asarray(df / (df + PRIOR_TOPICS))


def half_widths(
    confidence: float,
    total: FloatArray,
    clustered: FloatArray,
    mse_variance: FloatArray,
    *,
    topics_df: ArrayLike,
    df: ArrayLike,
    shares_topics: ArrayLike = True,
    has_few_systems: bool = False,
) -> FloatArray:
    """Half the width of intervals, by Student's t.

    Satterthwaite's rule gives the degrees of freedom of a sum of variances. Where the variance itself is uncertain, the
    error is a mixture of normal ones, and t has its kurtosis: ``4 + 2 total^2 / mse_variance`` degrees of freedom. Such
    a t has a greater variance than the mixture, and is scaled to its variance; but not where systems share topics:
    their correlated errors estimate the variance less well than was assumed.

    Shapes: ``total``, ``clustered`` and ``mse_variance`` (..., n_systems); gives (..., n_systems).
    """
    from scipy.special import stdtrit

    total = np.maximum(total, np.sqrt(np.finfo(float).tiny))
    share = np.minimum(clustered / total, 1)
    inverse_mixture_df = mse_variance / (4 * mse_variance + 2 * total**2)
    pooled_df = np.asarray(df)
    inverse_df = share**2 / np.maximum(topics_df, 1) + (1 - share) ** 2 / pooled_df + inverse_mixture_df
    inverse_df = inverse_df + 2 * share * (1 - share) / pooled_df * has_few_systems
    excess_variance = np.where(shares_topics, 0.0, 2 * inverse_mixture_df)
    quantile = stdtrit(1 / inverse_df, (1 + confidence) / 2)
    return np.asarray(quantile * np.sqrt(total * (1 - excess_variance)))
