"""Intervals of shares of topics that pass, within 0 and 1.

Wilson (1927), with Student's quantile and the number of topics of independent passes that would have the variance at
hand, as for shares of surveys: attempts of one topic, missing cells and raters count for what they are worth.

Korn and Graubard (1998); Brown, Cai and DasGupta (2001).
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray, IntArray


def share_interval(
    mean: FloatArray, error: FloatArray, n: IntArray, quantile: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the interval of each share, by Wilson's formula.

    Parameters
    ----------
    mean, error : ndarray, shape (n_systems,)
        Shares, from 0 to 1 or with the other sign, and their standard errors; NaN where nothing varies.
    n : ndarray of int, shape (n_systems,)
        Topics of each, which are the effective number where nothing varies.
    quantile : ndarray, shape (n_systems,)
        Of Student's distribution.

    Returns
    -------
    low, high : ndarray, shape (n_systems,)
        NaN with fewer than two topics.

    Examples
    --------
    >>> errors, n, quantiles = np.array([np.nan, 0.05]), np.array([20, 100]), np.array([2.09, 1.98])
    >>> low, high = share_interval(np.array([1.0, 0.5]), errors, n, quantiles)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.821, 0.403], [1.0, 0.597])
    """
    sign = np.where(mean < 0, -1.0, 1.0)
    share = np.clip(sign * mean, 0.0, 1.0)
    variance = share * (1 - share)
    with np.errstate(invalid="ignore", divide="ignore"):
        n_effective = np.where((error > 0) & (variance > 0), variance / error**2, n)
        square = np.where(n > 1, quantile, np.nan) ** 2 / n_effective
        center = (share + square / 2) / (1 + square)
        half = np.sqrt(square * (variance + square / 4)) / (1 + square)
    ends = np.sort([sign * (center - half), sign * (center + half)], axis=0)
    return ends[0], ends[1]
