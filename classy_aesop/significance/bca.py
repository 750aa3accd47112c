"""Bootstrap intervals corrected for bias and acceleration: where to take the quantiles (Efron 1987)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, score_matrix
from classy_aesop.significance.correlation import correlation

_SLACK = 1e-12  # differences of correlations that rounding explains


def leave_one_out(X: ArrayLike, Z: ArrayLike, resample: str, *, level: str, coefficient: str) -> FloatArray:
    """Correlate without each summarizer (``systems``) or topic (``inputs``) in turn, shape (n,)."""
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    axis = {"systems": 0, "inputs": 1}[resample]
    left = [
        correlation(np.delete(X, i, axis), np.delete(Z, i, axis), level=level, coefficient=coefficient).value
        for i in range(X.shape[axis])
    ]
    return np.array(left)


def bca_shares(shares: FloatArray, values: FloatArray, observed: float, left_out: FloatArray) -> FloatArray:
    """Move the shares at which quantiles are taken for bias and acceleration; NaN where these are undefined.

    Parameters
    ----------
    shares : ndarray
        Shares of the plain interval's ends.
    values : ndarray
        Replicates.
    observed : float
        The correlation itself.
    left_out : ndarray
        The correlation without each item; undefined ones are left out.

    Notes
    -----
    Efron (1987), section 4. Replicates equal to the observed value count half.
    """
    from scipy.special import ndtr, ndtri

    if not len(values):
        return np.full_like(shares, np.nan)
    below = np.mean(values < observed - _SLACK) + np.mean(np.abs(values - observed) <= _SLACK) / 2
    influence = left_out[~np.isnan(left_out)]
    influence = influence.mean() - influence if len(influence) else influence
    square = float(influence @ influence)
    if not 0 < below < 1 or square == 0:
        return np.full_like(shares, np.nan)
    bias = ndtri(below)
    acceleration = float(np.sum(influence**3)) / (6 * square**1.5)
    z = bias + ndtri(shares)
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))
