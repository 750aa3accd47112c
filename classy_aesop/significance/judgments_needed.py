"""How precise would estimates be from more judged topics? From a pilot, with what the pilot leaves uncertain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import FloatArray, IntArray, Result
from classy_aesop.significance.estimation import SHRUNKEN, EstimatedMeans
from classy_aesop.significance.pilot import ENDS, variance_draws
from classy_aesop.significance.sandwich import half_widths, share_of_topics
from classy_aesop.significance.small_areas import tau2_draws

N_DRAWS = 2_000
"""Draws of the variances that the pilot leaves possible."""


@dataclass(frozen=True, slots=True)
class PlannedPrecision(Result):
    """Precision by the number of judged topics; arrays of shape (n_plans,), or (n_plans, 3).

    Attributes
    ----------
    n_topics : ndarray of int
        Topics judged for every system.
    width : ndarray
        Width of the interval of a system's effect, expected over what the pilot leaves possible, and the ends of
        95 % of it.
    difference : ndarray
        Difference of two systems that is found with the wanted power, and its ends.
    plain_width : ndarray
        Width with plain means.
    """

    n_topics: IntArray
    width: FloatArray
    difference: FloatArray
    plain_width: FloatArray


def planned_precision(
    pilot: EstimatedMeans,
    n_topics: ArrayLike,
    rng: np.random.Generator,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    rater_variance: float = 0.0,
) -> PlannedPrecision:
    """Foresee the precision of estimates.

    Parameters
    ----------
    pilot : EstimatedMeans
        Of the judgments that there are.
    n_topics : array_like of int
        Numbers of judged topics, 2 or more.
    rng : Generator
        Of the draws.
    power : float
        Wanted chance to find a difference of two systems, by a two-sided test of level ``alpha``, not corrected.
    alpha : float
        Error of intervals and tests.
    rater_variance : float
        What is added to the variance of a judgment where fewer raters judge than in the pilot; below 0 where more do.
    """
    n = np.asarray(n_topics, dtype=np.int64)
    found, n_systems = pilot.direct, len(pilot.mean)
    variance = np.maximum(found.variance * variance_draws(pilot.df, rng, N_DRAWS) + rater_variance, 0)
    of_topics = (np.maximum(1 - n / found.n_topics, 0) if found.finite else np.ones(len(n))) / n
    v = variance[:, None] * of_topics
    mse, spread = v, np.zeros(len(n))
    if pilot.method in SHRUNKEN:
        X = found.design
        tau2 = tau2_draws(found.mean, found.covariance, X, rng, N_DRAWS, weight=pilot.weight)[:, None]
        mse = _shrunken(v, tau2, X.shape[1] / n_systems)
        if pilot.spread.any():
            spread = _shrunken(v.mean(axis=0), tau2, X.shape[1] / n_systems).var(axis=0)
    df = np.maximum((n_systems - 1) * (n - 1), 1)
    plain = np.maximum(pilot.plain.variance + rater_variance, 0) * of_topics
    return PlannedPrecision(
        n_topics=n,
        width=_widths(1 - alpha, _mean_and_ends(mse), v.mean(axis=0), spread, n - 1, df),
        difference=(stats.t.ppf(1 - alpha / 2, df) + stats.t.ppf(power, df))[:, None]
        * np.sqrt(_mean_and_ends(2 * v)),
        plain_width=_widths(1 - alpha, plain[:, None], plain, np.zeros(len(n)), n - 1, df)[:, 0],
    )


def _shrunken(v: FloatArray, tau2: FloatArray, line: float) -> FloatArray:
    """Mean squared errors of means of variance ``v`` that are drawn to a line, which has a share of all contrasts."""
    gain = np.divide(v, tau2 + v, out=np.zeros(np.broadcast_shapes(v.shape, tau2.shape)), where=v > 0)
    return np.asarray(v * (1 - gain) + gain * v * line)


def _widths(
    confidence: float, mse: FloatArray, v: FloatArray, spread: FloatArray, topics_df: IntArray, df: IntArray
) -> FloatArray:
    """Give the widths of intervals, for the first of each row of errors and in proportion for the others.

    An estimate moves with its direct mean by the ratio of their variances.
    """
    middle = mse[:, 0]
    told = share_of_topics(topics_df) * np.divide(middle**2, v, out=np.zeros_like(v), where=v > 0)
    half = half_widths(confidence, middle, told, spread, topics_df=topics_df, df=df)
    ratio = np.divide(mse, middle[:, None], out=np.zeros_like(mse), where=middle[:, None] > 0)
    return np.asarray(2 * half[:, None] * np.sqrt(ratio))


def _mean_and_ends(squares: FloatArray) -> FloatArray:
    return np.column_stack([squares.mean(axis=0), *np.quantile(squares, ENDS, axis=0)])
