"""How often do intervals of a correlation cover that of held-out systems and topics?

A trial shuffles summarizers and topics. The interval is computed on the first half of both and should cover
the correlation of the rest of both, which shares neither with it. Both correlations vary, so even a correct
interval for one sample may cover less often than its level here: the simulation compares methods.

Deutsch et al. (2021), section 5.1, Table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import Result, check_choice, check_count, score_matrices
from classy_aesop.significance.correlations.correlation_intervals import (
    Interval,
    bootstrap_interval,
    fisher_interval,
)
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.draws import RESAMPLED_UNITS
from classy_aesop.significance.planning.trials import mean_or_nan, share_and_error

COVERAGE_METHODS = ("fisher", *RESAMPLED_UNITS)
"""Fisher's interval, and what is resampled."""


@dataclass(frozen=True, slots=True)
class Coverage(Result):
    """How often intervals of one method covered the correlation of the other half.

    Attributes
    ----------
    method : str
        One of `COVERAGE_METHODS`.
    confidence : float
        Nominal coverage of the intervals.
    coverage : float
        Share of the trials with an interval and a held-out value in which it covers it; NaN without any.
    error : float
        Monte Carlo standard error of the share.
    width : float
        Mean width of the intervals.
    n_trials, n_undefined : int
        Trials, and those without an interval or without a held-out value.
    n_resamples : int
        Resamples of each interval; 0 for Fisher's.
    """

    method: str
    level: str
    coefficient: str
    confidence: float
    coverage: float
    error: float
    width: float
    n_trials: int
    n_undefined: int
    n_resamples: int


def interval_coverage(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    methods: Iterable[str] = COVERAGE_METHODS,
    level: str = "system",
    coefficient: str = "pearson",
    confidence: float = 0.95,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[Coverage, ...]:
    """Share of intervals on half of the summarizers and topics that cover the correlation of the others.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(20, 30)) + np.arange(20)[:, None]
    >>> X = Z + 5 * rng.normal(size=Z.shape)
    >>> inputs, both = interval_coverage(X, Z, methods=["inputs", "both"], n_trials=20, n_resamples=99, rng=rng)
    >>> inputs.coverage < both.coverage
    True
    """
    X, Z = score_matrices(X=X, Z=Z)
    check_count(n_trials, "n_trials")
    methods = tuple(methods)
    for method in methods:
        check_choice(method, COVERAGE_METHODS, "method")

    def compute_interval(method: str, half: Block) -> Interval:
        """Compute the interval of a method on one half."""
        if method == "fisher":
            return fisher_interval(
                X[half], Z[half], level=level, coefficient=coefficient, confidence=confidence
            )
        return bootstrap_interval(
            X[half],
            Z[half],
            level=level,
            coefficient=coefficient,
            resample=method,
            confidence=confidence,
            n_resamples=n_resamples,
            rng=rng,
        )

    low = np.empty((n_trials, len(methods)))
    high = np.empty((n_trials, len(methods)))
    truth = np.empty((n_trials, 1))
    for trial, (half, other_half) in enumerate(random_halves(X.shape, n_trials, rng)):
        truth[trial] = correlation(X[other_half], Z[other_half], level=level, coefficient=coefficient).value
        for column, method in enumerate(methods):
            interval = compute_interval(method, half)
            low[trial, column] = interval.low
            high[trial, column] = interval.high
    is_defined = ~np.isnan(low + high + truth)
    covers = (low <= truth) & (truth <= high)
    width = high - low
    coverages = []
    for column, method in enumerate(methods):
        defined = is_defined[:, column]
        share, error = share_and_error(covers[defined, column])
        coverages.append(
            Coverage(
                method=method,
                level=level,
                coefficient=coefficient,
                confidence=confidence,
                coverage=share,
                error=error,
                width=mean_or_nan(width[defined, column]),
                n_trials=n_trials,
                n_undefined=int((~defined).sum()),
                n_resamples=0 if method == "fisher" else n_resamples,
            )
        )
    return tuple(coverages)


Block = tuple[NDArray[np.intp], ...]
"""An index of the rows and columns of a matrix, as of ``numpy.ix_``."""


def random_halves(
    shape: tuple[int, ...], n_trials: int, rng: np.random.Generator
) -> Iterator[tuple[Block, Block]]:
    """Shuffle rows and columns and index the first half of both, and the rest of both, trial by trial."""
    n_rows = shape[0] // 2
    n_columns = shape[1] // 2
    for _ in range(n_trials):
        rows = rng.permutation(shape[0])
        columns = rng.permutation(shape[1])
        yield np.ix_(rows[:n_rows], columns[:n_columns]), np.ix_(rows[n_rows:], columns[n_columns:])
