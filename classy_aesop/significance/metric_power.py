"""How often do tests find that a metric was made worse? The power of tests of two metrics.

A metric is compared with a spoilt version of itself, a new one in each trial: ROUGE-1 on a random share of a
summary's tokens, for example. A test's power is the share of trials with p <= alpha.

Deutsch et al. (2021), section 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import ALPHA, Result, is_significant, one_of, score_matrix
from classy_aesop.significance.metric_tests import BOOT, PERM_BOTH, WILLIAMS, MetricComparison, MetricTest

#: The tests compared, under the names that the results use.
TESTS: dict[str, MetricTest] = {"permutation": PERM_BOTH, "bootstrap": BOOT, "williams": WILLIAMS}


@dataclass(frozen=True, slots=True)
class MetricPower(Result):
    """How often one test found a metric better than spoilt versions of itself.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams``.
    level, coefficient : str
        As asked for.
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
    tests: Iterable[str] = TESTS,
    level: str = "system",
    coefficient: str = "pearson",
    alpha: float = ALPHA,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[MetricPower, ...]:
    """Share of trials in which tests find metric X better than a spoilt version of it.

    Parameters
    ----------
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of the metric and by humans; NaN where missing.
    spoilt : iterable of array_like, shape (n_summarizers, n_topics)
        One version of the metric for each trial; may be a generator.
    tests : iterable of {"permutation", "bootstrap", "williams"}
        Tests compared, on the same versions: exchange of cells (PERM-BOTH), resampling of summarizers and topics
        (BOOT-BOTH), Williams.
    level, coefficient : str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    alpha : float
        A trial counts if p <= alpha.
    n_resamples : int
        Of each test that resamples.
    rng : numpy.random.Generator
        Source of the resamples.

    Returns
    -------
    tuple of MetricPower
        In the order of ``tests``.

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
        one_of(test, TESTS, "test")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; expected between 0 and 1")
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "n_resamples": n_resamples, "rng": rng}
    trials = [[TESTS[test](X, score_matrix(Y, "Y"), Z, **how) for test in tests] for Y in spoilt]
    by_test = zip(*trials, strict=True) if trials else [() for _ in tests]
    return tuple(
        _summary(test, list(found), level, coefficient, alpha, n_resamples)
        for test, found in zip(tests, by_test, strict=True)
    )


def _summary(
    test: str, found: list[MetricComparison], level: str, coefficient: str, alpha: float, n_resamples: int
) -> MetricPower:
    defined = [one for one in found if not one.flag]
    power = sum(bool(is_significant(one.p, alpha)) for one in defined) / len(found) if found else float("nan")
    differences = [one.difference for one in found if not np.isnan(one.difference)]
    return MetricPower(
        test=test,
        level=level,
        coefficient=coefficient,
        alpha=alpha,
        power=power,
        error=float(np.sqrt(power * (1 - power) / max(len(found), 1))),
        difference=float(np.mean(differences)) if differences else float("nan"),
        n_trials=len(found),
        n_undefined=len(found) - len(defined),
        n_resamples=n_resamples if TESTS[test].resamples else 0,
    )
