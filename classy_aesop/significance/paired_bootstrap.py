"""Paired bootstrap of two metrics: both are correlated with humans on the same resamples.

Deutsch et al. (2021), section 4.

Departs from the paper: p = (count + 1)/(n + 1), so that it is never 0; their code gives the plain share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import N_RESAMPLES, FloatArray
from classy_aesop.significance.bootstrap import Resamples, bootstrap_values, draw_resamples
from classy_aesop.significance.comparison import (
    MetricComparison,
    check_resampling,
    chunks,
    compared,
    shared_cells,
)
from classy_aesop.significance.correlation import correlation


def bootstrap_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    resample: str = "both",
    alternative: str = "greater",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison:
    """Paired bootstrap of the difference between two metrics' correlations.

    The resamples' differences scatter around the observed one, so their distance from it estimates the
    distance from 0 that arises by chance. Parameters as for :func:`permutation_test`, ``resample`` as for
    :func:`classy_aesop.significance.bootstrap.bootstrap_interval`.
    """
    check_resampling(alternative, n_resamples)
    X, Y, Z = shared_cells(X, Y, Z)
    options = {"level": level, "coefficient": coefficient}
    first, second = (correlation(S, Z, **options) for S in (X, Y))
    observed, values = first.value - second.value, np.full(n_resamples, np.nan)
    if not np.isnan(observed):
        drawn = (draw_resamples(X.shape, resample, size, rng) for size in chunks(n_resamples))
        values = np.concatenate([paired_values(X, Y, Z, part, **options) for part in drawn]) - observed
    return compared("bootstrap", resample, first, second, alternative, values)


def paired_values(
    X: FloatArray, Y: FloatArray, Z: FloatArray, resamples: Resamples, *, level: str, coefficient: str
) -> FloatArray:
    """Difference of the two correlations on each resample, shape (n_resamples,); NaN where undefined."""
    X, Y, Z = shared_cells(X, Y, Z)
    options = {"level": level, "coefficient": coefficient}
    return bootstrap_values(X, Z, resamples, **options) - bootstrap_values(Y, Z, resamples, **options)
