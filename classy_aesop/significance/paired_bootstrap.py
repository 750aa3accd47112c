"""Paired bootstrap of two metrics: both are correlated with humans on the same resamples.

Deutsch et al. (2021), section 4.

Departs from the paper: p = (count + 1)/(n + 1), so that it is never 0; their code gives the plain share.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import N_RESAMPLES, FloatArray, check_number, one_of
from classy_aesop.significance.bootstrap import RESAMPLES, Resamples, bootstrap_values, draw_resamples
from classy_aesop.significance.comparison import (
    Correlations,
    MetricComparison,
    Resampled,
    chunks,
    shared_cells,
)
from classy_aesop.significance.correlation import Correlation, correlation


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
    options = {"level": level, "coefficient": coefficient, "resample": resample}
    (found,) = bootstrap_differences([X, Y], Z, [(0, 1)], **options, n_resamples=n_resamples, rng=rng)
    return found.compared(alternative)


def bootstrap_differences(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    resample: str = "both",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> list[Resampled]:
    """Resample pairs of metrics, all of them on the same resamples.

    Parameters as for :func:`classy_aesop.significance.permutation.permutation_differences`, ``resample`` as for
    :func:`classy_aesop.significance.bootstrap.bootstrap_interval`. The values are the differences of the resamples less
    the observed one.
    """
    one_of(resample, RESAMPLES, "resample")
    check_number(n_resamples, "n_resamples")
    rows, columns = np.shape(Z)
    drawn = [draw_resamples((rows, columns), resample, n, rng) for n in chunks(n_resamples) if rows * columns]
    known, found = _OnResamples(level, coefficient, drawn, n_resamples), []
    for i, j in pairs:
        X, Y, human = shared_cells(metrics[i], metrics[j], Z)
        (first, of_first), (second, of_second) = known.of(i, X, human), known.of(j, Y, human)
        values = (of_first - of_second) - (first.value - second.value)
        found.append(Resampled("bootstrap", resample, first, second, values))
    return found


class _OnResamples(Correlations):
    """Each metric's correlation with humans, and those on the resamples; none where it is undefined."""

    def __init__(self, level: str, coefficient: str, drawn: Sequence[Resamples], n_resamples: int) -> None:
        super().__init__(level, coefficient)
        self.drawn, self.n_resamples = drawn, n_resamples

    def compute(self, S: FloatArray, human: FloatArray) -> tuple[Correlation, FloatArray]:
        found = correlation(S, human, **self.options)
        if np.isnan(found.value):
            return found, np.full(self.n_resamples, np.nan)
        values = [bootstrap_values(S, human, part, **self.options) for part in self.drawn]
        return found, np.concatenate(values)
