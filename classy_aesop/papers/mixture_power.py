"""How often do tests of two summarizers detect mixtures of the scores of machines and of humans?

Scores are drawn from p_t = (1 - t) p_M + t p_H, between those of machines (t = 0) and
of humans (t = 1), and compared with scores from p_M on as many topics. A test's power at t is the share of trials
whose statistic exceeds the .95 quantile of those with t = 0, so that all three tests have the same size. With topic
effects, each topic k has its own distribution p_k of all its scores, each trial draws topics with replacement, and a
score comes from p_t(v) p_k(v) / sum_v p_t(v) p_k(v). Rankel (2016), section 3.7.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, divide, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.draws import batch_sizes
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.pairs.signed_ranks import RECIPES, signed_ranks

MIXTURE_STATISTICS = ("wilcoxon", "paired_t", "unpaired_t")
"""The tests: signed ranks, standardized, and two t."""

MIXTURE_SHARES = tuple(step / 20 for step in range(17))
"""Shares of the human distribution that the dissertation plots."""


def mixture_power(
    machine: ArrayLike,
    human: ArrayLike,
    *,
    values: ArrayLike,
    topics: ArrayLike | None = None,
    n_topics: int = 60,
    shares: ArrayLike = MIXTURE_SHARES,
    n_null: int = 50_000,
    n_trials: int = 10_000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Simulate the power of signed ranks, paired and unpaired t on mixtures of two distributions of scores.

    Shapes: ``machine``, ``human`` and ``values`` (n_values,), ``topics`` (any, n_values), ``shares``, those of the
    human distribution, (n_shares,). Gives ``power``, the share of trials above the ``cutoff``, and its Monte Carlo
    ``error``, without that of the cutoff, for each ``share`` and ``test``. At least .95 of the trials without a human
    share do not exceed the cutoff.

    Examples
    --------
    >>> result = mixture_power(
    ...     [0.5, 0.5, 0], [0, 0.5, 0.5], values=[1, 2, 3], shares=[0, 0.8], n_topics=20,
    ...     n_null=1000, n_trials=500, rng=np.random.default_rng(0),
    ... )
    >>> result.groupby("share")["power"].agg(["min", "max"]).round().to_numpy().tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    scores = np.asarray(values, dtype=np.float64)
    p_machine, p_human = np.asarray([machine, human], dtype=np.float64)

    def simulate_mixture(share: float, n: int) -> FloatArray:
        """Simulate n trials of a mixture against the machines, (n_statistics, n)."""
        distributions = [(1 - share) * p_machine + share * p_human, p_machine]
        cumulated = [
            _cumulate(p[None] if topics is None else weight_by_topics(p, np.asarray(topics)))
            for p in distributions
        ]
        statistics = []
        for batch_size in batch_sizes(n):
            drawn_topics = rng.integers(len(cumulated[0]), size=(batch_size, n_topics))
            pair = [_draw_scores(p, drawn_topics, scores, rng) for p in cumulated]
            statistics.append([standard_statistic(test, *pair) for test in MIXTURE_STATISTICS])
        return np.concatenate(statistics, axis=1)

    null = simulate_mixture(0.0, n_null)
    cutoffs = np.quantile(null, 1 - ALPHA, axis=1, method="inverted_cdf")
    parts = []
    for share in np.asarray(shares, dtype=np.float64):
        statistics = null if share == 0 else simulate_mixture(share, n_trials)
        power = (statistics > cutoffs[:, None]).mean(axis=1)
        error = np.sqrt(power * (1 - power) / statistics.shape[1])
        columns = {"test": MIXTURE_STATISTICS, "power": power, "error": error, "cutoff": cutoffs}
        parts.append(pd.DataFrame(columns).assign(share=share))
    return pd.concat(parts, ignore_index=True)


def _draw_scores(
    cumulated: FloatArray, topics: IntArray, scores: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Draw a score for each topic from its cumulated distribution."""
    uniform = rng.random(topics.shape)
    index = np.zeros(topics.shape, dtype=np.int64)
    for value in range(cumulated.shape[1] - 1):
        index += uniform >= cumulated[topics, value]
    return scores[index]


def score_shares(X: ArrayLike, values: ArrayLike, *, by_topic: bool = False) -> FloatArray:
    """Share of each score among all of a matrix, or within each topic; scores are among the values.

    Shapes: ``X`` (n_summarizers, n_topics), ``values`` (n_values,); gives (n_values,) or (n_topics,
    n_values).

    Examples
    --------
    >>> score_shares([[1, 2], [2, 2]], values=[1, 2]).tolist()
    [0.25, 0.75]
    """
    counts = (score_matrix(X)[:, :, None] == np.asarray(values)).sum(axis=0)
    counts = counts if by_topic else counts.sum(axis=0)
    return divide(counts, counts.sum(axis=-1, keepdims=True))


def weight_by_topics(p: FloatArray, topics: FloatArray) -> FloatArray:
    """Distribution of scores within each topic: p(v) p_k(v), scaled to sum 1; (n_topics, n_values).

    Examples
    --------
    >>> p, topic = np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([[0, 0, 0, 0.5, 0.5]])
    >>> weight_by_topics(p, topic).round(6).tolist()
    [[0.0, 0.0, 0.0, 0.666667, 0.333333]]
    """
    product = p * topics
    total: FloatArray = product.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise ValueError(f"topic {int(np.argmin(total))} has no score in common with {p}; expected some")
    return divide(product, total)


def standard_statistic(test: str, x: FloatArray, y: FloatArray) -> FloatArray:
    """Standardized W+, paired or unpaired t of each row, (n_rows,); large where x is higher, 0 where equal."""
    if test != "wilcoxon":
        return PAIR_TESTS[test].outcome(x, y).statistic
    ranks = signed_ranks(x, y, RECIPES["standard"])
    return (ranks.plus - ranks.total / 2) / np.sqrt(np.where(ranks.n > 0, ranks.variance, 1.0))


def _cumulate(p: FloatArray) -> FloatArray:
    """Cumulated sums; those from the last possible value on are exactly 1, so that rounding cannot draw another."""
    sums = np.cumsum(p, axis=1)
    return sums / sums[:, -1:]
