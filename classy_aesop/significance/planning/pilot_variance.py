"""What does a pilot say of differences by topic? Which variances are plausible, and how they lie around another mean.

The sum of squares is the true variance times chi-squared, if scores are normal (Browne, 1995, for planning by it).
Where differences are mostly small and sometimes large, their variance is known less well: the degrees of freedom are
those of the variance of a variance with their kurtosis. Plans are made again for both ends of the 95 % interval of
the variance.

Differences of whole numbers stay whole: their shares are changed, not their sizes. The least change that gives
another mean multiplies them by the exponential of the size ("tilting", Efron 1981).
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray

PLAUSIBLE_QUANTILES = (0.025, 0.975)
"""Quantiles between which a variance is plausible."""


def variance_limits(df: float) -> FloatArray:
    """The least and the greatest plausible variance, as multiples of the pilot's with these degrees of freedom.

    Examples
    --------
    >>> variance_limits(9).round(2).tolist()
    [0.47, 3.33]
    """
    from scipy import stats

    return np.asarray(df / stats.chi2.ppf(PLAUSIBLE_QUANTILES[::-1], df))


def degrees_of_freedom(differences: FloatArray) -> float:
    """Degrees of freedom of the variance of differences, by their kurtosis; at least 1, at most one less than they are.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        Not all equal.

    Examples
    --------
    >>> degrees_of_freedom(np.array([0.0, 1, 2, 3])), degrees_of_freedom(np.repeat([0.0, 1], [39, 1]))
    (3.0, 2.1576763485477173)
    """
    n = len(differences)
    squares = np.square(differences - differences.mean())
    kurtosis = n * np.square(squares).sum() / squares.sum() ** 2
    return float(np.clip(2 * n / max(kurtosis - (n - 3) / (n - 1), 0.1), 1.0, n - 1.0))


def tilt_differences(differences: FloatArray, mean: float) -> FloatArray | None:
    """Give differences weights, exponential in their size, so that their mean is another one.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        As observed.
    mean : float
        The wanted mean.

    Returns
    -------
    ndarray, shape (n,), or None
        Of sum 1; None if the mean is not between the least and the greatest difference.

    Examples
    --------
    >>> tilt_differences(np.array([-1.0, 0, 1]), 0.5).round(3).tolist()
    [0.116, 0.268, 0.616]
    """
    from scipy.optimize import brentq

    if not differences.min() < mean < differences.max():
        return None
    sizes = (differences - mean) / np.ptp(differences)

    def weights(slope: float) -> FloatArray:
        powers = np.exp(slope * sizes - np.max(slope * sizes))
        return np.asarray(powers / powers.sum())

    reach = 1.0
    while weights(reach) @ sizes < 0 or weights(-reach) @ sizes > 0:
        reach *= 2
    return weights(brentq(lambda slope: float(weights(slope) @ sizes), -reach, reach))


def variance_of_passes(differences: FloatArray, mean: float) -> float:
    """Variance of differences of scores that pass or fail, if their mean were another one.

    One topic more is counted with each sign, so that a pilot without a difference leads to a plan.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        -1, 0 or 1.
    mean : float
        Wanted; between -1 and 1.

    Examples
    --------
    >>> round(variance_of_passes(np.zeros(38), 0.2), 3)
    0.165
    """
    n = len(differences)
    more = np.concatenate([np.tile(differences, 2), [1.0, -1.0]])  # half a topic of each sign to each n
    weights = tilt_differences(more, mean)
    if weights is None:
        raise ValueError(f"mean is {mean}; expected between -1 and 1")
    return float((weights @ np.square(more) - mean**2) * n / (n - 1))
