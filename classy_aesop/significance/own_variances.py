"""A variance for each system: its own as far as systems differ, and the common one as far as chance explains that.

Residuals of systems and topics tell each system's variance (Grubbs, 1948): ``variance + (squares - df * variance) /
own_df``, where ``squares`` are expected to be ``df * variance`` if all systems vary alike. Few topics tell little of
it, so it is drawn to the common variance by an inverse gamma distribution of variances, as Smyth (2004) does for genes.
Its degrees of freedom follow from the variance of the variances, not from their logarithms: near the end of a scale
some systems have equal judgments, and logarithms of nothing say that all else is luck.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray

_LEAST_DF = 4.0
"""Degrees of freedom of the inverse gamma distribution, whose own variance has no end there."""


def moderated(
    squares: FloatArray, df: FloatArray, own_df: FloatArray, variance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the variance of each system, drawn to the common one.

    Parameters
    ----------
    squares : ndarray, shape (..., n_systems)
        Sums of squared residuals.
    df : ndarray, shape (..., n_systems)
        What they are expected to be, as multiples of the common variance, if all systems vary alike.
    own_df : ndarray, shape (..., n_systems)
        How much of a system's own variance is in them.
    variance : ndarray, shape (...)
        The common variance.

    Returns
    -------
    variances, df : ndarray, shape (..., n_systems)
        The variances and their degrees of freedom; infinite where chance explains how far systems differ.

    Examples
    --------
    >>> found, df = moderated(np.array([9.0, 1, 1, 1]), np.full(4, 3.0), np.full(4, 2.0), np.array(1.0))
    >>> found.round(3).tolist(), df.round(3).tolist()
    ([1.818, 0.727, 0.727, 0.727], [7.333, 7.333, 7.333, 7.333])
    """
    common = variance[..., None]
    more = np.maximum(squares / common - df, -own_df)
    prior = prior_df(more, own_df)[..., None]
    return common * (1 + more / (own_df + prior)), own_df + prior


def prior_df(more: FloatArray, own_df: FloatArray) -> FloatArray:
    """Degrees of freedom of the distribution of variances, by its variance beyond that of chance.

    Parameters
    ----------
    more : ndarray, shape (..., n_systems)
        What residuals' squares are more than expected, as multiples of the common variance.
    own_df : ndarray, shape (..., n_systems)
        As for :func:`moderated`.
    """
    n = more.shape[-1]
    beyond = (more**2).sum(axis=-1) * n / (n - 1) - 2 * own_df.sum(axis=-1)
    found = (own_df * (own_df + 2)).sum(axis=-1)
    some = (beyond > 0) & (found > 0)
    return _LEAST_DF + np.where(some, 2 * found / np.where(some, beyond, 1.0), np.inf)
