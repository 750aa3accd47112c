"""The variance of each system, shrunk toward the pooled variance.

Residuals of systems and topics estimate each system's variance (Grubbs, 1948): ``variance + (squares - df * variance)
/ own_df``, where ``squares`` are expected to be ``df * variance`` if all systems have one variance. With few topics
it is poorly estimated, so it is shrunk toward the pooled variance, with an inverse gamma distribution of variances as
the prior, as Smyth (2004) does for genes. The prior's degrees of freedom are estimated from the variance of the
variances, not of their logarithms: near the end of a scale some systems have equal judgments, and the logarithm of
their variance of 0 would explain all other differences as chance.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray

_LEAST_DF = 4.0
"""Degrees of freedom of the inverse gamma distribution, whose own variance has no end there."""


def moderate_variances(
    squares: FloatArray, df: FloatArray, own_df: FloatArray, variance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the variance of each system, drawn to the common one, and its degrees of freedom beside those of the latter.

    They are infinite where chance explains how far systems differ.

    Parameters
    ----------
    squares, df : ndarray, shape (..., n_systems)
        Sums of squared residuals, and what they are expected to be, as multiples of the common variance, if all systems
        vary alike.
    own_df : ndarray, shape (..., n_systems)
        How much of a system's own variance is in them.
    variance : ndarray, shape (...)
        The common variance.

    Examples
    --------
    >>> found, df = moderate_variances(np.array([9.0, 1, 1, 1]), np.full(4, 3.0), np.full(4, 2.0), np.array(1.0))
    >>> found.round(3).tolist(), df.round(3).tolist()
    ([1.818, 0.727, 0.727, 0.727], [7.333, 7.333, 7.333, 7.333])
    """
    common = variance[..., None]
    more = np.maximum(squares / common - df, -own_df)
    n = more.shape[-1]
    beyond = (more**2).sum(axis=-1) * n / (n - 1) - 2 * own_df.sum(axis=-1)  # what chance does not explain
    found = (own_df * (own_df + 2)).sum(axis=-1)
    some = (beyond > 0) & (found > 0)
    prior = (_LEAST_DF + np.where(some, 2 * found / np.where(some, beyond, 1.0), np.inf))[..., None]
    return common * (1 + more / (own_df + prior)), own_df + prior
