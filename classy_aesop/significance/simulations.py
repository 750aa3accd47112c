"""How well intervals hold, and how often tests find a difference: trials on shuffled, spoilt and made-up scores.

*Coverage*: a trial shuffles summarizers and topics. The interval is computed on the first half of both and should hold
the correlation of the rest of both, which shares neither with it. Both correlations scatter, so even a right
interval for one sample may fall below its level here: the simulation compares methods.

*Power of tests of metrics*: a metric is compared with a spoilt version of itself, a new one in each trial: ROUGE-1 on
a random share of a summary's tokens, for example. A test's power is the share of trials with p <= alpha.
Deutsch et al. (2021), section 5, Table 1 and Figure 3.

*Power of tests of summarizers*: scores are drawn from p_t = (1 - t) p_M + t p_H, between those of machines (t = 0) and
of humans (t = 1), and compared with scores from p_M on as many topics. A test's power at t is the share of trials
whose statistic exceeds the .95 quantile of those with t = 0: all three tests so have the same size. With topic effects,
each topic k has its own distribution p_k of all its scores, each trial draws topics with replacement, and a score comes
from p_t(v) p_k(v) / sum_v p_t(v) p_k(v). Rankel (2016), section 3.7.
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
from classy_aesop.significance.pair_tests import PAIRED_T, PRESETS, UNPAIRED_T
from classy_aesop.significance.resampling import chunks
from classy_aesop.significance.signed_ranks import signed_ranks

INTERVALS = (
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
        One of `INTERVALS`.
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
    methods: Iterable[str] = INTERVALS,
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
        As for :func:`classy_aesop.significance.intervals.bootstrap_interval`; odd numbers of rows or columns leave the
        larger part held out. Fisher's interval knows the coefficients Pearson, Spearman and Kendall only.
    methods : iterable of str
        Intervals compared, on the same trials; of `INTERVALS`.

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
        As for :func:`classy_aesop.significance.metric_tests.permutation_test`.
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


# --- how often do tests tell mixtures of the scores of machines and of humans from those of machines ---


STATISTICS = ("wilcoxon", "paired_t", "unpaired_t")

#: Shares of the human distribution that the dissertation plots.
SHARES = tuple(step / 20 for step in range(17))


@dataclass(frozen=True, slots=True)
class MixturePower(Result):
    """Power of three tests along the mixture.

    Attributes
    ----------
    tests : tuple of str
        ``wilcoxon`` (standardised), ``paired_t``, ``unpaired_t``; rows of ``power``.
    shares : ndarray, shape (n_shares,)
        Share t of the human distribution.
    power : ndarray, shape (n_tests, n_shares)
        Share of trials above the cutoff.
    error : ndarray, shape (n_tests, n_shares)
        Monte Carlo standard error of it, without that of the cutoff.
    cutoffs : ndarray, shape (n_tests,)
        Smallest statistic that at least 1 - alpha of the trials at t = 0 do not exceed.
    n_topics, n_null, n_trials, topic_effects, alpha
        As asked for; whether topics had their own distributions.
    """

    tests: tuple[str, ...]
    shares: FloatArray
    power: FloatArray
    error: FloatArray
    cutoffs: FloatArray
    n_topics: int
    n_null: int
    n_trials: int
    topic_effects: bool
    alpha: float


def mixture_power(
    machine: ArrayLike,
    human: ArrayLike,
    *,
    values: ArrayLike = (1, 2, 3, 4, 5),
    topics: ArrayLike | None = None,
    n_topics: int = 60,
    shares: ArrayLike = SHARES,
    alpha: float = ALPHA,
    n_null: int = 50_000,
    n_trials: int = 10_000,
    rng: np.random.Generator,
) -> MixturePower:
    """Simulate the power of signed ranks, paired and unpaired t on mixtures of two score distributions.

    Raises ValueError if something is no distribution over ``values``, or a topic has no score that a mixture
    can give.

    Parameters
    ----------
    machine, human : array_like, shape (n_values,)
        Probability of each score for machines and for humans, see :func:`score_shares`.
    values : array_like, shape (n_values,)
        The scores.
    topics : array_like, shape (any, n_values), optional
        Distribution of all scores of each topic: trials then draw topics with their effects.
    n_topics : int
        Topics of a trial.
    shares : array_like
        Shares t of the human distribution, in [0, 1].
    alpha : float
        Size of the tests, one-sided.
    n_null, n_trials : int
        Trials that give the cutoffs (and the power where t = 0), and trials elsewhere.

    Examples
    --------
    >>> found = mixture_power(
    ...     [0.5, 0.5, 0], [0, 0.5, 0.5], values=[1, 2, 3], shares=[0, 0.8], n_topics=20,
    ...     n_null=1000, n_trials=500, rng=np.random.default_rng(0),
    ... )
    >>> bool((found.power[:, 0] <= 0.05).all() and (found.power[:, 1] > 0.5).all())
    True
    """
    scores = np.asarray(values, dtype=np.float64)
    p_machine, p_human = (
        _distributions(p, scores, name) for p, name in [(machine, "machine"), (human, "human")]
    )
    by_topic = None if topics is None else _distributions(topics, scores, "topics")
    t = np.asarray(shares, dtype=np.float64)
    if t.ndim != 1 or not ((t >= 0) & (t <= 1)).all():
        raise ValueError(f"shares are {t.tolist()}; expected a list of numbers from 0 to 1")
    check_share(alpha, "alpha")
    check_number(n_topics, "n_topics", least=2)
    check_number(n_null, "n_null")
    check_number(n_trials, "n_trials")

    def drawn(share: float, n: int) -> FloatArray:
        """Statistics of n trials of a mixture against the machines, (n_statistics, n)."""
        sides = (1 - share) * p_machine + share * p_human, p_machine
        return _trials(sides, by_topic, scores, (n, n_topics), rng)

    null = drawn(0.0, n_null)
    cutoffs = np.quantile(null, 1 - alpha, axis=1, method="inverted_cdf")
    sizes = np.where(t == 0, n_null, n_trials)
    by_share = (null if share == 0 else drawn(share, n_trials) for share in t)
    power = np.array([(found > cutoffs[:, None]).mean(axis=1) for found in by_share])
    power = power.T.reshape(len(STATISTICS), len(t))
    return MixturePower(
        tests=STATISTICS,
        shares=t,
        power=power,
        error=np.sqrt(power * (1 - power) / sizes),
        cutoffs=cutoffs,
        n_topics=n_topics,
        n_null=n_null,
        n_trials=n_trials,
        topic_effects=by_topic is not None,
        alpha=alpha,
    )


def _trials(
    sides: Iterable[FloatArray],
    by_topic: FloatArray | None,
    scores: FloatArray,
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> FloatArray:
    """Statistics of trials, (n, n_topics), of one distribution of scores against another, (n_statistics, n)."""
    cumulated = [_cumulated(p[None] if by_topic is None else with_topics(p, by_topic)) for p in sides]
    found = []
    for size in chunks(shape[0]):
        which = rng.integers(len(cumulated[0]), size=(size, shape[1]))
        drawn = []
        for side in cumulated:  # a score for each topic, from its cumulated distribution
            u, at = rng.random(which.shape), np.zeros(which.shape, dtype=np.int64)
            for step in range(side.shape[1] - 1):
                at += u >= side[which, step]
            drawn.append(scores[at])
        found.append(statistics(*drawn))
    return np.concatenate(found, axis=1)


def score_shares(X: ArrayLike, values: ArrayLike = (1, 2, 3, 4, 5), *, by_topic: bool = False) -> FloatArray:
    """Share of each score among all of a matrix, or within each topic.

    They sum to 1, and are NaN without any score; shape (n_values,) or (n_topics, n_values).

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores, all among ``values``; NaN where missing.
    values : array_like, shape (n_values,)
        The scores there are.
    by_topic : bool
        Whether topics are counted by themselves.
    """
    X, scores = score_matrix(X), np.asarray(values, dtype=np.float64)
    hits = X[:, :, None] == scores
    if (~hits.any(axis=2) & ~np.isnan(X)).any():
        strange = X[~hits.any(axis=2) & ~np.isnan(X)][0]
        raise ValueError(f"a score is {strange}; expected one of {', '.join(map(str, scores))}")
    counts = hits.sum(axis=0).astype(np.float64)
    counts = counts if by_topic else counts.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def with_topics(p: FloatArray, topics: FloatArray) -> FloatArray:
    """Distribution of scores within each topic: p(v) p_k(v), scaled to sum 1; (n_topics, n_values).

    Examples
    --------
    >>> p, topic = np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([[0, 0, 0, 0.5, 0.5]])
    >>> with_topics(p, topic).round(6).tolist()
    [[0.0, 0.0, 0.0, 0.666667, 0.333333]]
    """
    product = p * topics
    total = product.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise ValueError(f"topic {int(np.argmin(total))} has no score in common with {p}; expected some")
    return np.asarray(product / total)


def statistics(x: FloatArray, y: FloatArray) -> FloatArray:
    """Standardised W+, paired t and unpaired t of each row, (3, n_rows); large where x is higher, 0 where equal."""
    recipe = PRESETS["standard"]
    ranks = signed_ranks(x, y, recipe)
    z = (ranks.plus - ranks.total / 2) / np.sqrt(np.where(ranks.n > 0, ranks.variance, 1.0))
    t = (test.outcome(x, y, recipe).statistic for test in (PAIRED_T, UNPAIRED_T))
    return np.stack([z, *t])


def _cumulated(p: FloatArray) -> FloatArray:
    """Cumulated sums; the last possible value gets exactly 1, so that rounding cannot draw another."""
    sums = np.cumsum(p, axis=1)
    last = p.shape[1] - 1 - np.argmax(p[:, ::-1] > 0, axis=1)
    return np.where(np.arange(p.shape[1]) >= last[:, None], 1.0, sums)


def _distributions(p: ArrayLike, values: FloatArray, name: str) -> FloatArray:
    found = np.asarray(p, dtype=np.float64)
    if found.shape[-1:] != values.shape or found.ndim != (2 if name == "topics" else 1) or found.size == 0:
        raise ValueError(
            f"{name} has shape {found.shape}; expected a probability for each of {len(values)} scores"
        )
    if not ((found >= 0).all() and np.allclose(found.sum(axis=-1), 1.0, rtol=0, atol=1e-9)):
        raise ValueError(f"{name} is {found.tolist()}; expected probabilities that sum to 1")
    return found
