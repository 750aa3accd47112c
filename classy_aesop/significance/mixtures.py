"""Power of tests of summarizers, on scores drawn from mixtures of those of machines and of humans.

Scores are drawn from p_t = (1 - t) p_M + t p_H, between those of machines (t = 0) and
of humans (t = 1), and compared with scores from p_M on as many topics. A test's power at t is the share of trials
whose statistic exceeds the .95 quantile of those with t = 0: all three tests so have the same size. With topic effects,
each topic k has its own distribution p_k of all its scores, each trial draws topics with replacement, and a score comes
from p_t(v) p_k(v) / sum_v p_t(v) p_k(v).

Rankel (2016), section 3.7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    ALPHA,
    FloatArray,
    IntArray,
    Result,
    check_number,
    check_share,
    score_matrix,
)
from classy_aesop.significance.pair_tests import PAIRED_T, PRESETS, UNPAIRED_T
from classy_aesop.significance.resampling import chunks
from classy_aesop.significance.signed_ranks import signed_ranks

STATISTICS = ("wilcoxon", "paired_t", "unpaired_t")

#: Shares of the human distribution that the dissertation plots.
SHARES = tuple(step / 20 for step in range(17))


@dataclass(frozen=True, slots=True)
class MixturePower(Result):
    """Power of three tests along the mixture.

    ``power``, (n_tests, n_shares), is the share of trials above the ``cutoffs``, (n_tests,): the smallest statistic
    that at least 1 - alpha of the trials at t = 0 do not exceed. ``error`` is its Monte Carlo standard error, without
    that of the cutoff. ``shares`` are those of the human distribution, ``tests`` `STATISTICS`.
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
        both = (1 - share) * p_machine + share * p_human, p_machine
        cumulated = [_cumulated(p[None] if by_topic is None else with_topics(p, by_topic)) for p in both]
        found = []
        for size in chunks(n):
            which = rng.integers(len(cumulated[0]), size=(size, n_topics))
            found.append(statistics(*(draw_scores(side, scores, which, rng) for side in cumulated)))
        return np.concatenate(found, axis=1)

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


def score_shares(X: ArrayLike, values: ArrayLike = (1, 2, 3, 4, 5), *, by_topic: bool = False) -> FloatArray:
    """Share of each of ``values`` among all scores, (n_values,), or within each topic, (n_topics, n_values).

    They sum to 1, and are NaN without any score. Raises ValueError for a score that is none of ``values``.
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
    """Distribution of scores within each topic: p(v) p_k(v), scaled to sum 1; (n_topics, n_values)."""
    product = p * topics
    total = product.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise ValueError(f"topic {int(np.argmin(total))} has no score in common with {p}; expected some")
    return np.asarray(product / total)


def draw_scores(
    cumulated: FloatArray, values: FloatArray, which: IntArray, rng: np.random.Generator
) -> FloatArray:
    """Draw a score for each topic in ``which`` from its cumulated distribution, (any, n_values)."""
    u = rng.random(which.shape)
    places = np.zeros(which.shape, dtype=np.int64)
    for step in range(cumulated.shape[1] - 1):
        places += u >= cumulated[which, step]
    return values[places]


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
