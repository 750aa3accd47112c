"""How often do tests of two metrics detect that one of them was made worse?

A metric is compared with a degraded version of itself, a new one in each trial: ROUGE-1 on
a random share of a summary's tokens, for example. A test's power is the share of trials with p <= alpha.

Deutsch et al. (2021), section 5.2, Figure 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import Result, check_choice, check_share, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.metrics.metric_tests import (
    BOOT,
    PERM_BOTH,
    WILLIAMS,
    MetricComparison,
    MetricTest,
)
from classy_aesop.significance.planning.trials import mean_or_nan, share_and_error

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
    tests: Iterable[str] = POWER_TESTS,
    level: str = "system",
    coefficient: str = "pearson",
    alpha: float = ALPHA,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[MetricPower, ...]:
    """Share of trials in which tests find metric X significantly better than a degraded version of it.

    Shapes: ``degraded`` (n_summarizers, n_topics).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None] / 4
    >>> X = Z + rng.normal(size=Z.shape)
    >>> degraded = (X + 4 * rng.normal(size=Z.shape) for _ in range(30))
    >>> (result,) = metric_power(X, Z, degraded, tests=["permutation"], n_resamples=199, rng=rng)
    >>> result.power > 0.05
    True
    """
    tests = tuple(tests)
    for test in tests:
        check_choice(test, POWER_TESTS, "test")
    check_share(alpha, "alpha")
    X = score_matrix(X, "X")
    Z = score_matrix(Z, "Z")
    comparisons: dict[str, list[MetricComparison]] = {test: [] for test in tests}
    for version in degraded:
        Y = score_matrix(version, "Y")
        for test in tests:
            comparison = POWER_TESTS[test](
                X,
                Y,
                Z,
                level=level,
                coefficient=coefficient,
                alternative="greater",
                n_resamples=n_resamples,
                rng=rng,
            )
            comparisons[test].append(comparison)
    return tuple(
        _summarize_power(test, comparisons[test], level, coefficient, alpha, n_resamples) for test in tests
    )


def _summarize_power(
    test: str,
    comparisons: Sequence[MetricComparison],
    level: str,
    coefficient: str,
    alpha: float,
    n_resamples: int,
) -> MetricPower:
    """Give the power of one test from its comparisons in all trials."""
    is_detected = [
        not comparison.flag and bool(is_significant(comparison.p, alpha)) for comparison in comparisons
    ]
    power, error = share_and_error(is_detected)
    differences = [comparison.difference for comparison in comparisons]
    return MetricPower(
        test=test,
        level=level,
        coefficient=coefficient,
        alpha=alpha,
        power=power,
        error=error,
        difference=mean_or_nan([difference for difference in differences if not np.isnan(difference)]),
        n_trials=len(comparisons),
        n_undefined=sum(bool(comparison.flag) for comparison in comparisons),
        n_resamples=n_resamples if POWER_TESTS[test].resamples else 0,
    )
