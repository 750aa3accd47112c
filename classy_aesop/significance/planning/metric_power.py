"""How often do tests of two metrics detect that one of them was made worse?

A metric is compared with a degraded version of itself, a new one in each trial: ROUGE-1 on
a random share of a summary's tokens, for example. A test's power is the share of trials with p <= alpha.

Deutsch et al. (2021), section 5.2, Figure 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import Result, check_choice, check_share, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.metrics.metric_tests import BOOT, PERM_BOTH, WILLIAMS, MetricTest
from classy_aesop.significance.planning.trials import mean_or_nan, share_and_error

#: The tests compared, under the names that the results use.
POWER_TESTS: dict[str, MetricTest] = {"permutation": PERM_BOTH, "bootstrap": BOOT, "williams": WILLIAMS}


@dataclass(frozen=True, slots=True)
class MetricPower(Result):
    """How often one test found a metric better than spoilt versions of itself.

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

    Parameters
    ----------
    X, Z, level, coefficient, n_resamples, rng
        As for :func:`classy_aesop.significance.metrics.metric_tests.permutation_test`.
    spoilt : iterable of array_like, shape (n_summarizers, n_topics)
        One version of the metric for each trial; may be a generator.
    tests : iterable of {"permutation", "bootstrap", "williams"}
        Tests compared, on the same versions: exchange of cells (PERM-BOTH), resampling of summarizers and topics
        (BOOT-BOTH), Williams.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None] / 4
    >>> X = Z + rng.normal(size=Z.shape)
    >>> spoilt = (X + 4 * rng.normal(size=Z.shape) for _ in range(30))
    >>> found = metric_power(X, Z, spoilt, tests=["permutation"], n_resamples=199, rng=rng)
    >>> found[0].power > 0.05
    True
    """
    tests = tuple(tests)
    for test in tests:
        check_choice(test, POWER_TESTS, "test")
    check_share(alpha, "alpha")
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "n_resamples": n_resamples, "rng": rng}
    how["alternative"] = "greater"
    trials = [[POWER_TESTS[test](X, score_matrix(Y, "Y"), Z, **how) for test in tests] for Y in spoilt]
    powers = []
    for which, test in enumerate(tests):
        found = [of_tests[which] for of_tests in trials]
        power, error = share_and_error([not one.flag and bool(is_significant(one.p, alpha)) for one in found])
        difference = mean_or_nan([one.difference for one in found if not np.isnan(one.difference)])
        n_drawn = n_resamples if POWER_TESTS[test].resamples else 0
        counts = len(found), sum(bool(one.flag) for one in found), n_drawn
        powers.append(MetricPower(test, level, coefficient, alpha, power, error, difference, *counts))
    return tuple(powers)
