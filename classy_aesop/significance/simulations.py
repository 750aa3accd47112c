"""How well intervals hold, and how often tests find a difference: trials on shuffled and spoilt scores.

*Coverage*: a trial shuffles summarizers and topics. The interval is computed on the first half of both and should hold
the correlation of the rest of both, which shares neither with it. Both correlations scatter, so even a right
interval for one sample may fall below its level here: the simulation compares methods.

*Power of tests of metrics*: a metric is compared with a spoilt version of itself, a new one in each trial: ROUGE-1 on
a random share of a summary's tokens, for example. A test's power is the share of trials with p <= alpha.

Deutsch et al. (2021), section 6 and Table 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    ALPHA,
    BoolArray,
    FloatArray,
    Result,
    check_number,
    check_share,
    is_significant,
    one_of,
    score_matrices,
    score_matrix,
)
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.counted import RESAMPLES
from classy_aesop.significance.intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.metric_tests import BOOT, PERM_BOTH, WILLIAMS, MetricTest

INTERVALS = (
    "fisher",
    *RESAMPLES,
    *("systems_bca", "inputs_bca"),
    *("systems_normal", "inputs_normal", "both_normal"),
)
"""Fisher's interval, and what is resampled with the kind of the interval, unless that is plain quantiles."""


@dataclass(frozen=True, slots=True)
class Coverage(Result):
    """How often intervals of one method, of `INTERVALS`, held the correlation of the other half.

    ``coverage`` is the share of the trials with an interval and a held-out value in which it holds it, NaN without any;
    ``error`` its Monte Carlo standard error; ``width`` the mean width. ``n_undefined`` trials have no interval or no
    held-out value. Fisher's has 0 ``n_resamples``.
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
    methods: Iterable[str] = INTERVALS,
    level: str = "system",
    coefficient: str = "pearson",
    confidence: float = 0.95,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[Coverage, ...]:
    """Share of intervals on half of the summarizers and topics that hold the correlation of the others.

    Odd numbers of rows or columns leave the larger part held out. ``methods``, of `INTERVALS`, are compared on the same
    trials; Fisher's interval knows the coefficients Pearson, Spearman and Kendall only.
    """
    X, Z = score_matrices(X=X, Z=Z)
    check_number(n_trials, "n_trials")
    methods = tuple(methods)
    for method in methods:
        one_of(method, INTERVALS, "method")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "confidence": confidence}
    ends, truth = np.empty((n_trials, len(methods), 2)), np.empty((n_trials, 1))
    for trial, (near, far) in enumerate(halves(X.shape, n_trials, rng)):
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
        share, error = _share(held[kept])
        counts = n_trials, int((~kept).sum()), 0 if method == "fisher" else n_resamples
        mean = _mean_of(width[kept])
        found.append(Coverage(method, level, coefficient, confidence, share, error, mean, *counts))
    return tuple(found)


Block = tuple[NDArray[np.intp], ...]


def halves(shape: tuple[int, ...], n_trials: int, rng: np.random.Generator) -> Iterator[tuple[Block, Block]]:
    """Shuffle rows and columns and index the first half of both, and the rest of both, trial by trial."""
    n, m = shape[0] // 2, shape[1] // 2
    for _ in range(n_trials):
        rows, columns = rng.permutation(shape[0]), rng.permutation(shape[1])
        yield np.ix_(rows[:n], columns[:m]), np.ix_(rows[n:], columns[m:])


def _mean_of(values: FloatArray | BoolArray | list[float] | list[bool]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _share(counted: BoolArray | list[bool]) -> tuple[float, float]:
    """Give the share of the trials that count, and its standard error."""
    share = _mean_of(counted)
    return share, float(np.sqrt(share * (1 - share) / max(len(counted), 1)))


# --- how often do tests find that a metric was made worse ---


#: The tests compared, under the names that the results use.
POWER_TESTS: dict[str, MetricTest] = {"permutation": PERM_BOTH, "bootstrap": BOOT, "williams": WILLIAMS}


@dataclass(frozen=True, slots=True)
class MetricPower(Result):
    """How often a test, ``permutation``, ``bootstrap`` or ``williams``, found a metric better than spoilt ones.

    ``power`` is the share of trials with p <= alpha, one-sided, NaN without a trial; ``error`` its Monte Carlo standard
    error. ``difference`` is the mean difference of the correlations over the trials where both are defined, NaN without
    any. ``n_undefined`` trials lack a correlation or Williams' t, and never count. A test that does not resample has 0
    ``n_resamples``.
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
    spoilt: Iterable[ArrayLike],
    *,
    tests: Iterable[str] = POWER_TESTS,
    level: str = "system",
    coefficient: str = "pearson",
    alpha: float = ALPHA,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[MetricPower, ...]:
    """Share of trials in which tests find metric X better than a spoilt version of it.

    There is one of ``spoilt``, (n_summarizers, n_topics) each, for each trial; it may be a generator. All ``tests``
    have the same versions: exchange of cells (PERM-BOTH), resampling of summarizers and topics (BOOT-BOTH), Williams.
    """
    tests = tuple(tests)
    for test in tests:
        one_of(test, POWER_TESTS, "test")
    check_share(alpha, "alpha")
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "n_resamples": n_resamples, "rng": rng}
    how["alternative"] = "greater"
    trials = [[POWER_TESTS[test](X, score_matrix(Y, "Y"), Z, **how) for test in tests] for Y in spoilt]
    powers = []
    for which, test in enumerate(tests):
        found = [of_tests[which] for of_tests in trials]
        power, error = _share([not one.flag and bool(is_significant(one.p, alpha)) for one in found])
        difference = _mean_of([one.difference for one in found if not np.isnan(one.difference)])
        n_drawn = n_resamples if POWER_TESTS[test].resamples else 0
        counts = len(found), sum(bool(one.flag) for one in found), n_drawn
        powers.append(MetricPower(test, level, coefficient, alpha, power, error, difference, *counts))
    return tuple(powers)
