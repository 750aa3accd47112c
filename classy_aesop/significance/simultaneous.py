"""Differences of estimated means that hold together: simultaneous intervals, and ranks with intervals.

All differences lie within their intervals at once where the largest of their t-statistics is below its quantile. It
is found by drawing errors with the covariance of the means: Tukey's intervals for all pairs, Dunnett's against a
baseline, for any covariance. Ranks are counted in the same draws (Goldstein and Spiegelhalter, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, is_significant

N_DRAWS = 5_000
"""Draws of errors, from which quantiles are taken."""

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Differences(Result):
    """Differences of means, first less second, arrays of shape (n_pairs,).

    Attributes
    ----------
    first, second : ndarray of int
        Rows of the two.
    difference, low, high : ndarray
        The difference and its interval; all intervals hold together.
    p : ndarray
        Of no difference, corrected for all pairs.
    alpha : float
        The chance that any interval fails.
    """

    first: IntArray
    second: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    alpha: float

    def better(self, n: int) -> BoolArray:
        """Which of ``n`` is shown to be better than which: row better than column."""
        found = np.zeros((n, n), dtype=bool)
        surely = is_significant(self.p, self.alpha)
        above = surely & (self.difference > 0)
        below = surely & (self.difference < 0)
        found[self.first[above], self.second[above]] = True
        found[self.second[below], self.first[below]] = True
        return found


def differences(
    mean: ArrayLike,
    covariance: ArrayLike,
    rng: np.random.Generator,
    *,
    df: float = np.inf,
    baseline: int | None = None,
    alpha: float = 0.05,
    n_draws: int = N_DRAWS,
) -> Differences:
    """Give the differences of all pairs of means, or from one of them.

    Parameters
    ----------
    mean, covariance : array_like, shapes (n,) and (n, n)
        The means and the covariance of their errors.
    rng : Generator
        Of the draws.
    df : float
        Degrees of freedom of the scale of the covariance.
    baseline : int, optional
        Only the differences of the others from this one.
    alpha : float
        The chance that any interval fails.
    n_draws : int
        Number of draws.

    Examples
    --------
    >>> found = differences([0, 0.2, 3], 0.1 * np.eye(3), np.random.default_rng(0))
    >>> found.better(3).sum(axis=1).tolist()
    [0, 0, 2]
    """
    means, V = np.asarray(mean, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    first, second = _pairs(len(means), baseline)
    variance = V[first, first] + V[second, second] - 2 * V[first, second]
    error = np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    largest = _largest(V, first, second, error, df, n_draws, rng)
    difference = means[first] - means[second]
    half = np.quantile(largest, 1 - alpha, method="higher") * error
    reached = n_draws - np.searchsorted(np.sort(largest), np.abs(difference) / error)
    return Differences(
        first,
        second,
        difference,
        difference - half,
        difference + half,
        (reached + 1) / (n_draws + 1),
        alpha,
    )


def _pairs(n: int, baseline: int | None) -> tuple[IntArray, IntArray]:
    if baseline is None:
        first, second = np.triu_indices(n, k=1)
        return first, second
    others = np.delete(np.arange(n), baseline)
    return others, np.full(n - 1, baseline)


def _largest(
    V: FloatArray,
    first: IntArray,
    second: IntArray,
    error: FloatArray,
    df: float,
    n_draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Draw the largest absolute t-statistic of the pairs when no means differ."""
    spread = _root(V)
    found = []
    for start in range(0, n_draws, _CHUNK):
        size = min(_CHUNK, n_draws - start)
        errors = rng.standard_normal((size, len(V))) @ spread
        scale = np.sqrt(rng.chisquare(df, size) / df) if np.isfinite(df) else np.ones(size)
        found.append((np.abs(errors[:, first] - errors[:, second]) / error).max(axis=1) / scale)
    return np.concatenate(found)


def rank_intervals(
    mean: ArrayLike,
    covariance: ArrayLike,
    rng: np.random.Generator,
    *,
    alpha: float = 0.05,
    n_draws: int = N_DRAWS,
) -> tuple[IntArray, IntArray]:
    """Give the first and the last rank of each mean, 1 for the greatest, but for the extreme ``alpha`` of draws.

    Parameters
    ----------
    mean, covariance, rng, alpha, n_draws
        As for :func:`differences`; each interval holds by itself.
    """
    V = np.asarray(covariance, dtype=np.float64)
    drawn = np.asarray(mean) + rng.standard_normal((n_draws, len(V))) @ _root(V)
    ranks = np.sort(len(V) - drawn.argsort(axis=1).argsort(axis=1), axis=0)
    outside = int(n_draws * alpha / 2)
    return ranks[outside], ranks[n_draws - 1 - outside]


def _root(V: FloatArray) -> FloatArray:
    """Give the factor that draws of unit variance are multiplied by; a little is added where there is no variance."""
    values, vectors = np.linalg.eigh(V)
    V = (vectors * np.maximum(values, 0)) @ vectors.T  # rounding may leave a variance below 0
    least = 1e-8 * (V.diagonal() + np.median(V.diagonal())) + np.finfo(float).tiny
    return np.asarray(np.linalg.cholesky(V + np.diag(least)).T, dtype=np.float64)
