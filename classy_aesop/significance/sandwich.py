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

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.direct_means import DirectMeans

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
    share = np.sqrt(direct.topics_df / (direct.topics_df + PRIOR))
    moves = np.asarray(np.linalg.solve(direct.covariance, covariance).mT * share[..., None, :])
    rest, told = covariance - _around(moves, direct.covariance), _around(moves, direct.by_topics)
    roots, axes = np.linalg.eigh((rest + rest.mT) / 2)
    return told + (axes * np.maximum(roots, 0)[..., None, :]) @ axes.mT, told


def _around(A: FloatArray, C: FloatArray) -> FloatArray:
    return np.asarray(A @ C @ A.mT)
