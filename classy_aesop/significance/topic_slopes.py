"""Errors that follow the scores: some topics tell systems apart more than others.

Where good systems are better by much on one topic and by little on the next, the mean over a few topics errs along the
true differences, and so along the scores, more than in other directions: Mandel's (1961) model of rows as lines, in
which each topic has its own slope, after Tukey's (1949) one degree of freedom for non-additivity. An estimate that is
drawn to the line of the scores keeps all of this error, and less of the rest. So the two variances are told apart.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.direct_means import DirectMeans


def errors_along_scores(direct: DirectMeans) -> tuple[FloatArray, FloatArray]:
    """Give the covariance of direct means with a variance of its own along the scores.

    Parameters
    ----------
    direct : DirectMeans
        Of systems that share their topics; where they do not, topics' slopes cancel over many topics, and the
        covariance is left as it is.

    Returns
    -------
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of the errors.
    along : ndarray, shape (..., n_systems)
        The part of each variance that is along the scores, with as many degrees of freedom as there are judged
        topics less one.
    """
    basis = _basis(direct)
    n_axes = (basis**2).sum(axis=(-2, -1))
    n_systems = (direct.n_judged > 0).sum(axis=-1)
    n = direct.n_judged_topics
    C = direct.products / np.maximum(n - 1, 1)[..., None, None]
    own = basis.mT @ C @ basis
    trace = np.trace(C, axis1=-2, axis2=-1)
    free = (trace - np.trace(own, axis1=-2, axis2=-1)) / np.maximum(n_systems - 1 - n_axes, 1)
    told = direct.shares_topics & (n_axes > 0) & (n_systems - 1 > n_axes)
    free = np.where(told, np.maximum(free, direct.variance / 100), direct.variance)
    left = np.where(told, 1 - n / direct.n_topics if direct.finite else 1.0, 0.0) / n
    more, axes = np.linalg.eigh(own - free[..., None, None] * np.eye(own.shape[-1]))
    turned = basis @ axes
    line = (turned * (np.maximum(more, 0) * left[..., None])[..., None, :]) @ turned.mT
    less = ((direct.variance - free) * left)[..., None, None] * np.eye(line.shape[-1])
    both = np.maximum(more, 0) + free[..., None]
    along = (turned**2 * (both * left[..., None])[..., None, :]).sum(axis=-1)
    return direct.covariance + line - less, along


def _basis(direct: DirectMeans) -> FloatArray:
    """Give orthonormal columns that span the judged systems' scores, less their mean; 0 for those there are not."""
    judged = (direct.n_judged > 0)[..., None]
    scores = np.where(judged, direct.score_mean.mT, 0.0)
    middle = scores.sum(axis=-2, keepdims=True) / judged.sum(axis=-2, keepdims=True)
    scores = np.where(judged, scores - middle, 0.0)
    length = np.sqrt((scores**2).sum(axis=-2, keepdims=True))
    units = np.divide(scores, length, where=length > 0, out=np.zeros_like(scores))
    vectors, sizes, _ = np.linalg.svd(units, full_matrices=False)
    return np.asarray(vectors * (sizes > 1e-10)[..., None, :])
