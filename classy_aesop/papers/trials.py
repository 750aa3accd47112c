"""How often do intervals of a correlation cover it, and tests of two metrics detect that one was made worse?

*Coverage.* A trial shuffles summarizers and topics. The interval is computed on the first half of both and should cover
the correlation of the rest of both, which shares neither with it. Both correlations vary, so even a correct interval
for one sample may cover less often than its level here: the simulation compares methods.

*Power.* A metric is compared with a degraded version of itself, a new one in each trial: ROUGE-1 on a random share of a
summary's tokens, for example. A test's power is the share of trials with p <= alpha.

Deutsch et al. (2021), sections 5.1 and 5.2, Table 1 and Figure 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import FloatArray, score_matrices
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.draws import RESAMPLED_UNITS
from classy_aesop.significance.metrics.metric_tests import BOOT, PERM_BOTH, WILLIAMS, MetricTest

COVERAGE_METHODS = ("fisher", *RESAMPLED_UNITS)
"""Fisher's interval, and percentiles of what is resampled."""


def interval_coverage(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> list[dict[str, float | str]]:
    """Share of 95 % intervals of Pearson's correlation on half of the data that cover that of the other half.

    A row a method; trials without an interval or without a held-out value are counted as undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(20, 30)) + np.arange(20)[:, None]
    >>> X = Z + 5 * rng.normal(size=Z.shape)
    >>> fisher, systems, inputs, both = interval_coverage(X, Z, n_trials=20, n_resamples=99, rng=rng)
    >>> inputs["coverage"] < both["coverage"]
    True
    """
    X, Z = score_matrices(X=X, Z=Z)
    is_covered = np.full((len(COVERAGE_METHODS), n_trials), np.nan)
    for trial, (half, other_half) in enumerate(random_halves(X.shape, n_trials, rng)):
        truth = correlation(X[other_half], Z[other_half], level=level).value
        for row, method in enumerate(COVERAGE_METHODS):
            if method == "fisher":
                interval = fisher_interval(X[half], Z[half], level=level)
            else:
                interval = bootstrap_interval(
                    X[half], Z[half], level=level, resample=method, n_resamples=n_resamples, rng=rng
                )
            if not np.isnan(interval.low + interval.high + truth):
                is_covered[row, trial] = interval.low <= truth <= interval.high
    return [
        {"method": method, **share_of_trials("coverage", of_method)}
        for method, of_method in zip(COVERAGE_METHODS, is_covered, strict=True)
    ]


def share_of_trials(name: str, successes: FloatArray) -> dict[str, float]:
    """Share of the trials that are successes (NaN: undefined), its Monte Carlo standard error, and counts of trials."""
    defined = successes[~np.isnan(successes)]
    share = float(defined.mean()) if len(defined) else np.nan
    error = float(np.sqrt(share * (1 - share) / max(len(defined), 1)))
    n_undefined = len(successes) - len(defined)
    return {name: share, "error": error, "n_trials": len(successes), "n_undefined": n_undefined}


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


POWER_TESTS: dict[str, MetricTest] = {"permutation": PERM_BOTH, "bootstrap": BOOT, "williams": WILLIAMS}
"""The tests compared, under the names that the results use."""


def metric_power(
    X: ArrayLike,
    Z: ArrayLike,
    degraded: Iterable[ArrayLike],
    *,
    level: str = "system",
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> list[dict[str, float | str]]:
    """Share of trials in which each test finds metric X significantly better than a degraded version of it, one-sided.

    A row a test; trials without both correlations, or without Williams' t, never count.

    Shapes: ``degraded`` (n_summarizers, n_topics).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None] / 4
    >>> X = Z + rng.normal(size=Z.shape)
    >>> degraded = (X + 4 * rng.normal(size=Z.shape) for _ in range(30))
    >>> metric_power(X, Z, degraded, n_resamples=199, rng=rng)[0]["power"] > 0.05
    True
    """
    trials = [
        [
            test(X, Y, Z, level=level, alternative="greater", n_resamples=n_resamples, rng=rng)
            for test in POWER_TESTS.values()
        ]
        for Y in degraded
    ]
    powers: list[dict[str, float | str]] = []
    for name, comparisons in zip(POWER_TESTS, zip(*trials, strict=True), strict=True):
        is_undefined = np.array([comparison.flag != "" for comparison in comparisons])
        p = np.array([comparison.p for comparison in comparisons])
        successes = np.asarray(is_significant(p) & ~is_undefined, dtype=float)
        row = {**share_of_trials("power", successes), "n_undefined": int(is_undefined.sum())}
        powers.append({"test": name, **row})
    return powers
