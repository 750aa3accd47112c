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
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import BoolArray, Result, check_choice, check_count, score_matrices
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.draws import RESAMPLED_UNITS
from classy_aesop.significance.metrics.metric_tests import BOOT, PERM_BOTH, WILLIAMS, MetricTest

COVERAGE_METHODS = ("fisher", *RESAMPLED_UNITS)
"""Fisher's interval, and percentiles of what is resampled."""


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
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[Coverage, ...]:
    """Share of 95 % intervals of Pearson's correlation on half of the data that cover that of the other half.

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
    low, high = np.empty((2, n_trials, len(methods)))
    truth = np.empty((n_trials, 1))
    for trial, (half, other_half) in enumerate(random_halves(X.shape, n_trials, rng)):
        truth[trial] = correlation(X[other_half], Z[other_half], level=level).value
        for column, method in enumerate(methods):
            if method == "fisher":
                interval = fisher_interval(X[half], Z[half], level=level)
            else:
                interval = bootstrap_interval(
                    X[half], Z[half], level=level, resample=method, n_resamples=n_resamples, rng=rng
                )
            low[trial, column] = interval.low
            high[trial, column] = interval.high
    is_defined = ~np.isnan(low + high + truth)
    coverages = []
    for column, method in enumerate(methods):
        trials = is_defined[:, column]
        ends = low[trials, column], high[trials, column]
        share, error = _share_and_error((ends[0] <= truth[trials, 0]) & (truth[trials, 0] <= ends[1]))
        coverages.append(
            Coverage(
                method=method,
                level=level,
                coefficient="pearson",
                confidence=0.95,
                coverage=share,
                error=error,
                width=_mean_or_nan(ends[1] - ends[0]),
                n_trials=n_trials,
                n_undefined=int((~trials).sum()),
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


POWER_TESTS: dict[str, MetricTest] = {"permutation": PERM_BOTH, "bootstrap": BOOT, "williams": WILLIAMS}
"""The tests compared, under the names that the results use."""


@dataclass(frozen=True, slots=True)
class MetricPower(Result):
    """How often one test found a metric significantly better than degraded versions of itself.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams``.
    alpha : float
        A trial counts if its p <= alpha; one-sided.
    power : float
        Share of trials that count; NaN without a trial.
    error : float
        Monte Carlo standard error of it.
    difference : float
        Mean difference of the correlations over the trials where both are defined; NaN without any.
    n_trials, n_undefined : int
        Trials, and those without both correlations (or without Williams' t), which never count.
    n_resamples : int
        Of each test; 0 if it does not resample.
    """

    test: str
    level: str
    coefficient: str
    alpha: float
    power: float
    error: float
    difference: float
    n_trials: int
    n_undefined: int
    n_resamples: int


def metric_power(
    X: ArrayLike,
    Z: ArrayLike,
    degraded: Iterable[ArrayLike],
    *,
    level: str = "system",
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[MetricPower, ...]:
    """Share of trials in which each test finds metric X significantly better than a degraded version of it.

    Shapes: ``degraded`` (n_summarizers, n_topics).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None] / 4
    >>> X = Z + rng.normal(size=Z.shape)
    >>> degraded = (X + 4 * rng.normal(size=Z.shape) for _ in range(30))
    >>> metric_power(X, Z, degraded, n_resamples=199, rng=rng)[0].power > 0.05
    True
    """
    trials = [
        [
            test(X, Y, Z, level=level, alternative="greater", n_resamples=n_resamples, rng=rng)
            for test in POWER_TESTS.values()
        ]
        for Y in degraded
    ]
    powers = []
    for column, (name, test) in enumerate(POWER_TESTS.items()):
        comparisons = [tests[column] for tests in trials]
        differences = np.array([comparison.difference for comparison in comparisons])
        is_undefined = np.array([comparison.flag != "" for comparison in comparisons], dtype=bool)
        p = np.array([comparison.p for comparison in comparisons])
        power, error = _share_and_error(is_significant(p) & ~is_undefined)
        powers.append(
            MetricPower(
                test=name,
                level=level,
                coefficient="pearson",
                alpha=ALPHA,
                power=power,
                error=error,
                difference=_mean_or_nan(differences[~np.isnan(differences)]),
                n_trials=len(trials),
                n_undefined=int(is_undefined.sum()),
                n_resamples=n_resamples if test.resamples else 0,
            )
        )
    return tuple(powers)


def _mean_or_nan(values: NDArray[Any]) -> float:
    """Mean of values; NaN without any."""
    return float(np.mean(values)) if len(values) else float("nan")


def _share_and_error(successes: BoolArray) -> tuple[float, float]:
    """Share of the trials that are successes, and its standard error."""
    share = _mean_or_nan(successes)
    return share, float(np.sqrt(share * (1 - share) / max(len(successes), 1)))
