"""How often do tests of two summarizers detect mixtures of the scores of machines and of humans?

Scores are drawn from p_t = (1 - t) p_M + t p_H, between those of machines (t = 0) and
of humans (t = 1), and compared with scores from p_M on as many topics. A test's power at t is the share of trials
whose statistic exceeds the .95 quantile of those with t = 0, so that all three tests have the same size. With topic
effects, each topic k has its own distribution p_k of all its scores, each trial draws topics with replacement, and a
score comes from p_t(v) p_k(v) / sum_v p_t(v) p_k(v). Rankel (2016), section 3.7.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, Result, check_count, check_share, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.pairs.pair_statistics import RECIPES
from classy_aesop.significance.pairs.signed_ranks import signed_ranks
from classy_aesop.significance.pairs.t_tests import PAIRED_T, UNPAIRED_T
from classy_aesop.significance.resampling.resamples import batch_sizes

MIXTURE_STATISTICS = ("wilcoxon", "paired_t", "unpaired_t")

#: Shares of the human distribution that the dissertation plots.
MIXTURE_SHARES = tuple(step / 20 for step in range(17))


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
    shares: ArrayLike = MIXTURE_SHARES,
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
    check_count(n_topics, "n_topics", least=2)
    check_count(n_null, "n_null")
    check_count(n_trials, "n_trials")

    def drawn(share: float, n: int) -> FloatArray:
        """Statistics of n trials of a mixture against the machines, (n_statistics, n)."""
        sides = (1 - share) * p_machine + share * p_human, p_machine
        return _trials(sides, by_topic, scores, (n, n_topics), rng)

    null = drawn(0.0, n_null)
    cutoffs = np.quantile(null, 1 - alpha, axis=1, method="inverted_cdf")
    sizes = np.where(t == 0, n_null, n_trials)
    by_share = (null if share == 0 else drawn(share, n_trials) for share in t)
    power = np.array([(found > cutoffs[:, None]).mean(axis=1) for found in by_share])
    power = power.T.reshape(len(MIXTURE_STATISTICS), len(t))
    return MixturePower(
        tests=MIXTURE_STATISTICS,
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
    cumulated = [_cumulated(p[None] if by_topic is None else weight_by_topics(p, by_topic)) for p in sides]
    found = []
    for size in batch_sizes(shape[0]):
        which = rng.integers(len(cumulated[0]), size=(size, shape[1]))
        drawn = []
        for side in cumulated:  # a score for each topic, from its cumulated distribution
            u, at = rng.random(which.shape), np.zeros(which.shape, dtype=np.int64)
            for step in range(side.shape[1] - 1):
                at += u >= side[which, step]
            drawn.append(scores[at])
        found.append(pair_statistics(*drawn))
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


def weight_by_topics(p: FloatArray, topics: FloatArray) -> FloatArray:
    """Distribution of scores within each topic: p(v) p_k(v), scaled to sum 1; (n_topics, n_values).

    Examples
    --------
    >>> p, topic = np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([[0, 0, 0, 0.5, 0.5]])
    >>> weight_by_topics(p, topic).round(6).tolist()
    [[0.0, 0.0, 0.0, 0.666667, 0.333333]]
    """
    product = p * topics
    total = product.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise ValueError(f"topic {int(np.argmin(total))} has no score in common with {p}; expected some")
    return np.asarray(product / total)


def pair_statistics(x: FloatArray, y: FloatArray) -> FloatArray:
    """Standardised W+, paired t and unpaired t of each row, (3, n_rows); large where x is higher, 0 where equal."""
    recipe = RECIPES["standard"]
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
