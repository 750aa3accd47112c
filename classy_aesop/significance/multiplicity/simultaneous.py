"""Differences of means whose intervals hold together, the largest of several means, and intervals of ranks.

All differences lie within their intervals at once where the largest of their t-statistics is below its quantile. The
quantile is estimated by simulating errors with the covariance of the means, and the variances as they would be
estimated from such errors: Tukey's intervals for all pairs, Dunnett's against a baseline, for any covariance. Ranks are
counted in simulated means (Goldstein and Spiegelhalter, 1996).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, batch_slices, difference_forms, positive_part
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.differences import Differences

N_ERROR_DRAWS = 5_000
"""Simulated errors, from which quantiles are estimated."""

DIFFERENCES_PER_BATCH = 50_000
"""Simulated differences that are computed at once."""

RELATIVE_RIDGE = 1e-8
"""Share of the variances that is added to a covariance, so that it has a Cholesky factor."""


def simultaneous_differences(
    mean: FloatArray,
    covariance: FloatArray,
    rng: np.random.Generator,
    *,
    df: float = np.inf,
    own_variance: FloatArray | float = 0.0,
    own_df: FloatArray | float = np.inf,
    variance_inflation: float = 1.0,
    pairs: IntArray | None = None,
    alpha: float = ALPHA,
    n_draws: int = N_ERROR_DRAWS,
) -> Differences:
    """Compare all pairs of means, or some of them, by intervals that hold together.

    Shapes: ``mean`` (n,), ``covariance`` (n, n), ``pairs`` (n_pairs, 2), ``own_variance`` and ``own_df`` (n,).

    Examples
    --------
    >>> tests = simultaneous_differences(np.array([0, 0.2, 3]), 0.1 * np.eye(3), np.random.default_rng(0))
    >>> tests.better(3).sum(axis=1).tolist()
    [0, 0, 2]
    """
    n = len(mean)
    first, second = np.triu_indices(n, k=1) if pairs is None else pairs.T
    error = np.sqrt(np.maximum(difference_forms(covariance, first, second), np.finfo(float).tiny))
    errors = _covariance_root(_centre_errors(covariance)) @ rng.standard_normal((n, n_draws))
    common_scales = _simulate_variances(df, n_draws, rng)
    own_scales = _simulate_variances(np.broadcast_to(own_df, n), n_draws, rng)
    own_changes = np.broadcast_to(own_variance, n)[:, None] * (own_scales - 1)
    largest_t = _largest_t(errors, own_changes, first, second, error) / np.sqrt(common_scales)
    ascending = np.sort(largest_t)
    difference = mean[first] - mean[second]
    error = error * np.sqrt(variance_inflation)
    half_width = ascending[int(np.ceil((n_draws - 1) * (1 - alpha)))] * error
    n_as_large = n_draws - np.searchsorted(ascending, np.abs(difference) / error)
    p = (n_as_large + 1) / (n_draws + 1)
    low = difference - half_width
    high = difference + half_width
    return Differences(
        first=first,
        second=second,
        difference=difference,
        low=low,
        high=high,
        low_all=low,
        high_all=high,
        effect=difference,
        statistic=difference / error,
        p=p,
        p_adjusted=p,
        flag=np.full(p.shape, ""),
        test="largest_t",
        correction="largest_t",
        confidence=1 - alpha,
    )


def quantiles_of_largest_t(
    correlation: FloatArray,
    df: ArrayLike,
    level: float,
    rng: np.random.Generator,
) -> FloatArray:
    """Quantile of the largest of correlated t-statistics, at least that of one alone.

    A mean that is the best of several was chosen for being high: its lower end is this quantile times the error below.
    The statistics have one estimated variance; each system has a quantile by its own degrees of freedom.

    Shapes: ``correlation`` (n, n), ``df`` (n,); gives (n,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> quantiles_of_largest_t(np.ones((4, 4)), 19, 0.975, rng).round().tolist()
    [2.0, 2.0, 2.0, 2.0]
    >>> quantiles_of_largest_t(np.eye(4), 19, 0.975, rng).round().tolist()
    [3.0, 3.0, 3.0, 3.0]
    """
    from scipy.special import stdtrit

    largest = (_covariance_root(correlation) @ rng.standard_normal((len(correlation), N_ERROR_DRAWS))).max(
        axis=0
    )
    degrees = np.broadcast_to(df, len(correlation))
    quantiles = stdtrit(degrees, level)
    for number in np.unique(degrees[~np.isnan(degrees)]):
        largest_t = largest / np.sqrt(_simulate_variances(number, N_ERROR_DRAWS, rng))
        has_number = degrees == number
        quantiles[has_number] = np.maximum(quantiles[has_number], np.quantile(largest_t, level))
    return quantiles


def _simulate_variances(df: ArrayLike, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Simulate estimates of a variance of 1, (..., n_draws); with infinite degrees of freedom they are 1."""
    degrees = np.asarray(df, dtype=np.float64)[..., None]
    shape = (*degrees.shape[:-1], n_draws)
    is_estimated = np.isfinite(degrees)
    if not is_estimated.any():
        return np.ones(shape)
    finite_degrees = np.where(is_estimated, degrees, 1.0)
    return np.where(is_estimated, rng.chisquare(finite_degrees, shape) / finite_degrees, 1.0)


def _largest_t(
    errors: FloatArray, own_changes: FloatArray, first: IntArray, second: IntArray, error: FloatArray
) -> FloatArray:
    """Largest absolute t-statistic of the pairs when no means differ, (n_draws,); a batch of draws at once."""
    largest = np.empty(errors.shape[1])
    for draws in batch_slices(len(largest), max(1, DIFFERENCES_PER_BATCH // len(first))):
        batch = errors[:, draws]
        changes = own_changes[:, draws]
        squares = np.square(batch[first] - batch[second])
        squares /= changes[first] + changes[second] + np.square(error)[:, None]
        largest[draws] = np.sqrt(squares.max(axis=0))
    return largest


def rank_intervals(
    mean: FloatArray,
    covariance: FloatArray,
    rng: np.random.Generator,
    *,
    alpha: float = ALPHA,
) -> tuple[IntArray, IntArray]:
    """Interval of the rank of each mean, 1 for the greatest: the ranks of simulated means without the extreme ones.

    Goldstein and Spiegelhalter (1996).

    Shapes: ``mean`` (n,), ``covariance`` (n, n); gives ``best, worst`` (n,).

    Examples
    --------
    >>> best, worst = rank_intervals(np.array([0, 0.2, 3]), 0.1 * np.eye(3), np.random.default_rng(0))
    >>> best.tolist(), worst.tolist()
    ([2, 2, 1], [3, 3, 1])
    """
    n = len(mean)
    errors = rng.standard_normal((N_ERROR_DRAWS, n)) @ _covariance_root(_centre_errors(covariance)).T
    positions = (mean + errors).argsort(axis=1).argsort(axis=1)
    ranks = np.sort(n - positions, axis=0)
    n_outside = int(N_ERROR_DRAWS * alpha / 2)
    return ranks[n_outside], ranks[-1 - n_outside]


def _centre_errors(V: FloatArray) -> FloatArray:
    """Covariance of errors less their mean: what all means share changes no difference, and no draw of one."""
    row_means = V.mean(axis=1, keepdims=True)
    return V - row_means - row_means.T + row_means.mean()


def _covariance_root(V: FloatArray) -> FloatArray:
    """Cholesky factor of a covariance; a little is added where there is no variance."""
    positive = positive_part(V)
    variances = np.diag(positive)
    ridge = RELATIVE_RIDGE * (variances + np.median(variances)) + np.finfo(float).tiny
    return np.asarray(np.linalg.cholesky(positive + np.diag(ridge)))
