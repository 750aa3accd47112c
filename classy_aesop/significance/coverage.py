"""Do intervals of a correlation have their nominal coverage? Does one half's interval hold the other's value?

A trial shuffles summarizers and topics. The interval is computed on the first half of both and should hold
the correlation of the rest of both, which shares neither with it. Both correlations scatter, so even a right
interval for one sample may fall below its level here: the simulation compares methods.

Deutsch et al. (2021), section 6, Table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    Result,
    check_number,
    one_of,
    same_shape,
    score_matrix,
)
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import Interval, bootstrap_interval, fisher_interval
from classy_aesop.significance.resampling import RESAMPLES

METHODS = (
    "fisher",
    *RESAMPLES,
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
        One of `METHODS`.
    level, coefficient : str
        Of the correlation.
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
    methods: Iterable[str] = METHODS,
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
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of a metric and of humans; NaN where missing. Odd numbers leave the larger part held out.
    methods : iterable of str
        Intervals compared, on the same trials; of `METHODS`.
    level, coefficient, confidence
        As for :func:`classy_aesop.significance.intervals.bootstrap_interval`; Fisher's interval knows the
        coefficients Pearson, Spearman and Kendall only.
    n_trials, n_resamples : int
        Trials, and bootstrap resamples in each.
    rng : numpy.random.Generator
        Source of shuffles and resamples.

    Returns
    -------
    tuple of Coverage
        In the order of ``methods``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(20, 30)) + np.arange(20)[:, None]
    >>> X = Z + 5 * rng.normal(size=Z.shape)
    >>> found = interval_coverage(X, Z, methods=["inputs", "both"], n_trials=20, n_resamples=99, rng=rng)
    >>> found[0].coverage < found[1].coverage
    True
    """
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    same_shape(X=X, Z=Z)
    check_number(n_trials, "n_trials")
    methods = tuple(methods)
    for method in methods:
        one_of(method, METHODS, "method")
    ends, truth = np.empty((n_trials, len(methods), 2)), np.empty((n_trials, 1))
    for trial, (near, far) in enumerate(halves(X.shape, n_trials, rng)):
        truth[trial] = correlation(X[far], Z[far], level=level, coefficient=coefficient).value
        for which, method in enumerate(methods):
            own = deepcopy(rng) if "_" in method else rng  # quantiles have the draws that they have alone
            found = _interval(X[near], Z[near], method, level, coefficient, confidence, n_resamples, own)
            ends[trial, which] = found.low, found.high
    low, high = ends[:, :, 0], ends[:, :, 1]
    defined = ~np.isnan(low + high + truth)
    holds = defined & (low <= truth) & (truth <= high)
    return tuple(
        Coverage(
            method,
            level,
            coefficient,
            confidence,
            *_share(holds[defined[:, which], which]),
            width=_mean((high - low)[defined[:, which], which]),
            n_trials=n_trials,
            n_undefined=int((~defined[:, which]).sum()),
            n_resamples=0 if method == "fisher" else n_resamples,
        )
        for which, method in enumerate(methods)
    )


Block = tuple[NDArray[np.intp], ...]


def halves(shape: tuple[int, ...], n_trials: int, rng: np.random.Generator) -> Iterator[tuple[Block, Block]]:
    """Shuffle rows and columns and index the first half of both, and the rest of both, trial by trial."""
    n, m = shape[0] // 2, shape[1] // 2
    for _ in range(n_trials):
        rows, columns = rng.permutation(shape[0]), rng.permutation(shape[1])
        yield np.ix_(rows[:n], columns[:m]), np.ix_(rows[n:], columns[m:])


def _interval(
    X: FloatArray,
    Z: FloatArray,
    method: str,
    level: str,
    coefficient: str,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Interval:
    if method == "fisher":
        return fisher_interval(X, Z, level=level, coefficient=coefficient, confidence=confidence)
    resample, _, kind = method.partition("_")
    return bootstrap_interval(
        X,
        Z,
        level=level,
        coefficient=coefficient,
        resample=resample,
        kind=kind or "percentile",
        confidence=confidence,
        n_resamples=n_resamples,
        rng=rng,
    )


def _share(holds: BoolArray) -> tuple[float, float]:
    share = _mean(holds)
    return share, float(np.sqrt(share * (1 - share) / max(len(holds), 1)))


def _mean(values: FloatArray | BoolArray) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
