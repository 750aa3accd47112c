"""Student's t on many rows of paired scores at once: paired, and unpaired over the same topics.

Rankel (2016), sections 3.7 and 4.2; Rankel et al. (2011), section 2. The two sections differ: by default the
unpaired t pools the variances, as in 4.2; with equally many topics the statistic is the same number, and only
the degrees of freedom are those of Welch in 3.7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result
from classy_aesop.significance.near_ties import settled, slack_of_pairs
from classy_aesop.significance.recipes import Recipe


@dataclass(frozen=True, slots=True)
class MeanDifference(Result):
    """The mean difference of rows of paired scores and its standard error; arrays of shape (n_pairs,).

    Attributes
    ----------
    n : ndarray of int
        Topics that both have.
    mean : ndarray
        Mean of x less mean of y; NaN without a shared topic.
    error : ndarray
        Standard error of it; 0 when nothing varies, NaN for fewer than two topics.
    df : ndarray
        Degrees of freedom.
    spread : ndarray
        Standard deviation that an effect size divides the mean by.
    """

    n: IntArray
    mean: FloatArray
    error: FloatArray
    df: FloatArray
    spread: FloatArray


def paired_difference(x: FloatArray, y: FloatArray) -> MeanDifference:
    """Mean and spread of the differences ``x - y`` of each row, NaN left out; (n_pairs, n_topics)."""
    shared = ~np.isnan(x + y)
    n = np.count_nonzero(shared, axis=1)
    mean, square = moments(x - y, shared, n, slack_of_pairs(x, y)[:, 0])
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(square / np.where(n > 1, n - 1, np.nan))
        return MeanDifference(n, mean, spread / np.sqrt(n), n - 1.0, spread)


def unpaired_difference(x: FloatArray, y: FloatArray, recipe: Recipe) -> MeanDifference:
    """Difference of the row means with the spread of both, over shared topics; (n_pairs, n_topics)."""
    shared = ~np.isnan(x + y)
    n, slack = np.count_nonzero(shared, axis=1), slack_of_pairs(x, y)[:, 0]
    (mean_x, square_x), (mean_y, square_y) = (moments(z, shared, n, slack) for z in (x, y))
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt((square_x + square_y) / np.where(n > 1, 2 * (n - 1), np.nan))
        df = 2.0 * (n - 1)
        if recipe.variance == "welch":
            df = df / 2 * (square_x + square_y) ** 2 / (square_x**2 + square_y**2)
        return MeanDifference(n, settled(mean_x - mean_y, slack), spread * np.sqrt(2 / n), df, spread)


def t_statistic(found: MeanDifference) -> FloatArray:
    """Mean over standard error: infinite if a difference never varies, 0 if there is none, else NaN."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((found.error == 0) & (found.mean == 0), 0.0, found.mean / found.error)


def t_p(t: FloatArray, df: FloatArray, recipe: Recipe, alternative: str) -> FloatArray:
    """P-value of each t; 1 where there is none."""
    from scipy.special import ndtr, stdtr

    at = {"two-sided": -np.abs(t), "greater": -t, "less": t}[alternative]
    below = ndtr(at) if recipe.reference == "normal" else _at_infinity(stdtr(df, at), at)
    p = 2 * below if alternative == "two-sided" else below
    return np.asarray(np.where(np.isnan(t), 1.0, np.minimum(p, 1.0)))


def t_interval(found: MeanDifference, recipe: Recipe, level: float) -> tuple[FloatArray, FloatArray]:
    """Two-sided confidence interval of the mean difference; NaN for fewer than two topics."""
    from scipy.special import ndtri, stdtrit

    upper = (1 + level) / 2
    df, which = np.unique(np.where(found.df > 0, found.df, np.nan), return_inverse=True)
    quantile = ndtri(upper) if recipe.reference == "normal" else stdtrit(df, upper)[which]
    half = np.where(found.error == 0, 0.0, quantile * found.error)
    return found.mean - half, found.mean + half


def moments(
    z: FloatArray, shared: BoolArray, n: IntArray, slack: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean by row over the ``n`` shared cells and the sum of squares around it; 0 where ``slack`` explains them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(shared, z, 0.0).sum(axis=1) / n
    rest = np.where(shared, z - mean[:, None], 0.0)
    square = np.einsum("ij,ij->i", rest, rest)
    return settled(mean, slack), np.where(square <= n * slack**2, 0.0, square)


def _at_infinity(chance: FloatArray, t: FloatArray) -> FloatArray:
    return np.where(np.isinf(t), t > 0, chance)
