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

MIN_PRIOR_DF = 4.0
"""Degrees of freedom of the inverse gamma distribution below which its own variance is infinite."""


def moderate_variances(
    squares: FloatArray, df: FloatArray, own_df: FloatArray, variance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Variance of each system, shrunk toward the pooled one.

    Shapes: ``squares``, ``df`` and ``own_df`` (..., n_systems), ``variance`` (...); gives ``own_variance``
    (..., n_systems), ``own_df`` (..., n_systems).

    Examples
    --------
    >>> own_variance, df = moderate_variances(
    ...     np.array([9.0, 1, 1, 1]), np.full(4, 3.0), np.full(4, 2.0), np.array(1.0)
    ... )
    >>> own_variance.round(3).tolist(), df.round(3).tolist()
    ([1.818, 0.727, 0.727, 0.727], [7.333, 7.333, 7.333, 7.333])
    """
    pooled = variance[..., None]
    excess = np.maximum(squares / pooled - df, -own_df)
    n_systems = excess.shape[-1]
    variance_of_excess = (excess**2).sum(axis=-1) * n_systems / (n_systems - 1)
    unexplained = variance_of_excess - 2 * own_df.sum(axis=-1)
    moment = (own_df * (own_df + 2)).sum(axis=-1)
    systems_differ = (unexplained > 0) & (moment > 0)
    own_prior_df = np.where(systems_differ, 2 * moment / np.where(systems_differ, unexplained, 1.0), np.inf)
    prior_df = (MIN_PRIOR_DF + own_prior_df)[..., None]
    return pooled * (1 + excess / (own_df + prior_df)), own_df + prior_df
