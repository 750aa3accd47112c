"""How often do intervals of a correlation cover that of held-out systems and topics?

A trial shuffles summarizers and topics. The interval is computed on the first half of both and should cover
the correlation of the rest of both, which shares neither with it. Both correlations vary, so even a correct
interval for one sample may cover less often than its level here: the simulation compares methods.

Deutsch et al. (2021), section 5.1, Table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import Result, check_choice, check_count, score_matrices
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.planning.trials import mean_or_nan, share_and_error
from classy_aesop.significance.resampling.resamples import RESAMPLED_UNITS

COVERAGE_METHODS = (
    "fisher",
    *RESAMPLED_UNITS,
    *("systems_bca", "inputs_bca"),
    *("systems_normal", "inputs_normal", "both_normal"),
)
"""Fisher's interval, and what is resampled with the kind of the interval, unless that is plain quantiles."""


@dataclass(frozen=True, slots=True)
class Coverage(Result):
    """How often intervals of one method held the correlation of the other half.

    Attributes
    ----------
    method : str
        One of `COVERAGE_METHODS`.
    confidence : float
        What the intervals promise.
    coverage : float
        Share of the trials with an interval and a held-out value in which it holds it; NaN without any.
    error : float
        Monte Carlo standard error of the share.
    width : float
        Mean width of the intervals.
    n_trials, n_undefined : int
        Trials, and those without an interval or without a held-out value.
    n_resamples : int
        Replicates behind each interval; 0 for Fisher's.
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
    """Share of intervals on half of the summarizers and topics that hold the correlation of the others.

    Parameters
    ----------
    X, Z, level, coefficient, confidence, n_resamples, rng
        As for :func:`classy_aesop.significance.correlations.correlation_intervals.bootstrap_interval`; odd numbers of
        rows or columns leave the larger part held out. Fisher's interval knows the coefficients Pearson, Spearman and
        Kendall only.
    methods : iterable of str
        Intervals compared, on the same trials; of `COVERAGE_METHODS`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(20, 30)) + np.arange(20)[:, None]
    >>> X = Z + 5 * rng.normal(size=Z.shape)
    >>> found = interval_coverage(X, Z, methods=["inputs", "both"], n_trials=20, n_resamples=99, rng=rng)
    >>> found[0].coverage < found[1].coverage
    True
    """
    X, Z = score_matrices(X=X, Z=Z)
    check_count(n_trials, "n_trials")
    methods = tuple(methods)
    for method in methods:
        check_choice(method, COVERAGE_METHODS, "method")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "confidence": confidence}
    ends, truth = np.empty((n_trials, len(methods), 2)), np.empty((n_trials, 1))
    for trial, (near, far) in enumerate(random_halves(X.shape, n_trials, rng)):
        truth[trial] = correlation(X[far], Z[far], level=level, coefficient=coefficient).value
        for which, method in enumerate(methods):
            resample, _, kind = method.partition("_")
            if method == "fisher":
                one = fisher_interval(X[near], Z[near], **how)
            else:  # quantiles have the draws that they have alone
                drawn = {"n_resamples": n_resamples, "rng": deepcopy(rng) if kind else rng, **how}
                one = bootstrap_interval(
                    X[near], Z[near], resample=resample, kind=kind or "percentile", **drawn
                )
            ends[trial, which] = one.low, one.high
    low, high = ends[:, :, 0], ends[:, :, 1]
    defined = ~np.isnan(low + high + truth)
    holds, found = (low <= truth) & (truth <= high), []
    for method, kept, held, width in zip(methods, defined.T, holds.T, (high - low).T, strict=True):
        share, error = share_and_error(held[kept])
        counts = n_trials, int((~kept).sum()), 0 if method == "fisher" else n_resamples
        mean = mean_or_nan(width[kept])
        found.append(Coverage(method, level, coefficient, confidence, share, error, mean, *counts))
    return tuple(found)


Block = tuple[NDArray[np.intp], ...]


def random_halves(
    shape: tuple[int, ...], n_trials: int, rng: np.random.Generator
) -> Iterator[tuple[Block, Block]]:
    """Shuffle rows and columns and index the first half of both, and the rest of both, trial by trial."""
    n, m = shape[0] // 2, shape[1] // 2
    for _ in range(n_trials):
        rows, columns = rng.permutation(shape[0]), rng.permutation(shape[1])
        yield np.ix_(rows[:n], columns[:m]), np.ix_(rows[n:], columns[m:])
