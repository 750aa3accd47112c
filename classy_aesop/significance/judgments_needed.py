"""How precise would estimates be from more judged topics? From a pilot, with what the pilot leaves uncertain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import FloatArray, IntArray, Result
from classy_aesop.significance.estimation import EstimatedMeans
from classy_aesop.significance.pilot import ENDS, variance_draws
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
    left = np.maximum(1 - n / found.n_topics, 0) if found.finite else np.ones(len(n))
    v = variance[:, None] * left / n
    mse = v
    if pilot.method in ("hierarchical", "fay-herriot"):
        X = found.design
        tau2 = tau2_draws(found.mean, found.covariance, X, rng, N_DRAWS, weight=pilot.weight)[:, None]
        gain = np.divide(v, tau2 + v, out=np.zeros_like(v), where=v > 0)
        mse = v * (1 - gain) + gain * v * X.shape[1] / n_systems
    df = np.maximum((n_systems - 1) * (n - 1), 1)
    t, reach = stats.t.ppf(1 - alpha / 2, df), stats.t.ppf(power, df)
    plain = np.maximum(pilot.plain.variance + rater_variance, 0) * left / n
    return PlannedPrecision(
        n_topics=n,
        width=2 * t[:, None] * _root_of_mean_and_ends(mse),
        difference=(t + reach)[:, None] * _root_of_mean_and_ends(2 * v),
        plain_width=2 * t * np.sqrt(plain),
    )


def _root_of_mean_and_ends(squares: FloatArray) -> FloatArray:
    ends = np.quantile(squares, ENDS, axis=0)
    return np.asarray(np.sqrt(np.column_stack([squares.mean(axis=0), *ends])))
