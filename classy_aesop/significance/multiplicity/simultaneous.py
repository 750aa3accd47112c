"""Differences of means whose intervals hold together, and intervals of ranks.

All differences lie within their intervals at once where the largest of their t-statistics is below its quantile. The
quantile is estimated by simulating errors with the covariance of the means, and the variances as they would be
estimated from such errors: Tukey's intervals for all pairs, Dunnett's against a baseline, for any covariance. Ranks
are counted in simulated means (Goldstein and Spiegelhalter, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, robust_eigh
from classy_aesop.significance.decisions import better_matrix, is_significant

N_ERROR_DRAWS = 5_000
"""Draws of errors, from which quantiles are taken."""

_CHUNK = 50_000
"""Differences that are drawn at once."""


@dataclass(frozen=True, slots=True)
class SimultaneousDifferences(Result):
    """Differences of means, first less second; arrays of shape (..., n_pairs), with the means' leading axes.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
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
        """Which of ``n`` is shown to be better than which: row better than column; without leading axes."""
        effect = np.where(is_significant(self.p, self.alpha), self.difference, 0.0)
        return better_matrix(self.first, self.second, effect, n)

    def ranks(self, n: int) -> tuple[IntArray, IntArray]:
        """Give the first and the last rank that each of ``n`` may have; all of them hold where all intervals do.

        A mean has at least those above it that are shown to be better, and below it those that are shown to be worse
        (Al Mohamad, van Zwet, Solari and Goeman, 2022). Without leading axes.
        """
        better = self.better(n)
        return 1 + better.sum(axis=0), n - better.sum(axis=1)


def simultaneous_differences(
    mean: ArrayLike,
    covariance: ArrayLike,
    rng: np.random.Generator,
    *,
    df: ArrayLike = np.inf,
    own: ArrayLike = 0.0,
    own_df: ArrayLike = np.inf,
    wider: ArrayLike = 1.0,
    baseline: int | None = None,
    alpha: float = 0.05,
    n_draws: int = N_ERROR_DRAWS,
) -> SimultaneousDifferences:
    """Give the differences of all pairs of means, or from one of them.

    Raises ValueError for fewer than two means.

    Parameters
    ----------
    mean, covariance : array_like, shapes (..., n) and (..., n, n)
        The means and the covariance of their errors.
    df : float or array_like, shape (...)
        Degrees of freedom of the scale of the covariance.
    own, own_df : float or array_like, shape (..., n)
        The part of each mean's variance that is estimated by itself, and the degrees of freedom of that.
    wider : float or array_like, shape (...)
        How many times as large all variances may be; where infinitely, intervals have no ends.
    baseline : int, optional
        Only the differences of the others from this one.
    alpha : float
        The chance that any interval fails.

    Examples
    --------
    >>> found = simultaneous_differences([0, 0.2, 3], 0.1 * np.eye(3), np.random.default_rng(0))
    >>> found.better(3).sum(axis=1).tolist()
    [0, 0, 2]
    """
    means, V = np.asarray(mean, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    if means.shape[-1] < 2:
        raise ValueError(f"{means.shape[-1]} means; expected two or more to compare")
    first, second = np.triu_indices(means.shape[-1], k=1)
    if baseline is not None:
        first = np.delete(np.arange(means.shape[-1]), baseline)
        second = np.full(len(first), baseline)
    variance = V[..., first, first] + V[..., second, second] - 2 * V[..., first, second]
    error = np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    errors = _root(V) @ rng.standard_normal((*means.shape, n_draws))
    common = _scales(np.broadcast_to(df, means.shape[:-1]), n_draws, rng)
    more = np.broadcast_to(own, means.shape)[..., None] * (
        _scales(np.broadcast_to(own_df, means.shape), n_draws, rng) - 1
    )
    largest = np.sort(_largest(errors, more, first, second, error) / np.sqrt(common), axis=-1)
    difference = means[..., first] - means[..., second]
    error = error * np.sqrt(wider)[..., None]
    half = largest[..., int(np.ceil((n_draws - 1) * (1 - alpha))), None] * error
    values = (np.abs(difference) / error).reshape(-1, len(first))
    below = [np.searchsorted(*row) for row in zip(largest.reshape(-1, n_draws), values, strict=True)]
    reached = n_draws - np.reshape(below, difference.shape)
    return SimultaneousDifferences(
        first, second, difference, difference - half, difference + half, (reached + 1) / (n_draws + 1), alpha
    )


def _scales(df: ArrayLike, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw estimates of variances of 1, (..., n_draws); sure ones are 1."""
    known = np.asarray(df, dtype=np.float64)[..., None]
    is_estimated = np.isfinite(known)
    if not is_estimated.any():
        return np.ones((*known.shape[:-1], n_draws))
    some = np.where(is_estimated, known, 1.0)
    return np.where(is_estimated, rng.chisquare(some, (*known.shape[:-1], n_draws)) / some, 1.0)


def _largest(
    errors: FloatArray, more: FloatArray, first: IntArray, second: IntArray, error: FloatArray
) -> FloatArray:
    """Give the largest absolute t-statistic of the pairs when no means differ, (..., n_draws); a few draws at once."""
    found = []
    n_parts = -(-errors.size // errors.shape[-2] * len(first) // _CHUNK)
    for part, added in zip(*(np.array_split(each, n_parts, axis=-1) for each in (errors, more)), strict=True):
        pairs = np.abs(part[..., first, :] - part[..., second, :])
        pairs /= np.sqrt(error[..., None] ** 2 + added[..., first, :] + added[..., second, :])
        found.append(pairs.max(axis=-2))
    return np.concatenate(found, axis=-1)


def rank_intervals(
    mean: ArrayLike,
    covariance: ArrayLike,
    rng: np.random.Generator,
    *,
    alpha: float = 0.05,
    n_draws: int = N_ERROR_DRAWS,
) -> tuple[IntArray, IntArray]:
    """Give the first and the last rank of each mean, 1 for the greatest, but for the extreme ``alpha`` of draws.

    Parameters
    ----------
    mean, covariance, rng, alpha, n_draws
        As for :func:`simultaneous_differences`; each interval holds by itself.
    """
    V = np.asarray(covariance, dtype=np.float64)
    errors = rng.standard_normal((*V.shape[:-2], n_draws, V.shape[-1])) @ _root(V).mT
    drawn = np.asarray(mean)[..., None, :] + errors
    ranks = np.sort(V.shape[-1] - drawn.argsort(axis=-1).argsort(axis=-1), axis=-2)
    outside = int(n_draws * alpha / 2)
    return ranks[..., outside, :], ranks[..., n_draws - 1 - outside, :]


def _root(V: FloatArray) -> FloatArray:
    """Give what draws of unit variance are multiplied by; a little is added where there is no variance."""
    values, vectors = robust_eigh(V)
    V = (vectors * np.maximum(values, 0)[..., None, :]) @ vectors.mT  # rounding may leave it below 0
    own = np.diagonal(V, axis1=-2, axis2=-1)
    least = 1e-8 * (own + np.median(own, axis=-1, keepdims=True)) + np.finfo(float).tiny
    return np.asarray(np.linalg.cholesky(V + least[..., None] * np.eye(V.shape[-1])))
