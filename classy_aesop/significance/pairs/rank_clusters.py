"""Which summarizers share a rank? Clusters of a ranking, divided where each one above beats each one below.

Summarizers are in the order of their means. A new cluster starts where each summarizer above is
significantly better than each one below: the rule of the WMT evaluations, "systems that significantly
outperform all others in lower ranking clusters" (Barrault et al. 2019, "Findings of the 2019 Conference on
Machine Translation"). Members of one cluster are *not shown* to differ as a group, though two of them may;
whether they are equal is tested by :mod:`classy_aesop.significance.pairs.equivalence`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import better_matrix
from classy_aesop.significance.equality import rounding_slack, shift_near_zero, snap_ties
from classy_aesop.significance.pairs.pair_comparisons import PairTests


@dataclass(frozen=True, slots=True)
class RankClusters(Result):
    """Clusters of summarizers; arrays of shape (n_summarizers,) in the order of the score matrix.

    Attributes
    ----------
    mean : ndarray
        Mean score of each summarizer; NaN without scores.
    cluster : ndarray of int
        From 1 for the best; 0 without scores.
    rank : ndarray of int
        1 and the number of summarizers with a greater mean, so that equal means have equal ranks; 0 without scores.
    wins, losses : ndarray of int
        Summarizers that each is significantly better, or worse, than.
    best_rank, worst_rank : ndarray of int
        The ranks that the tests do not exclude: 1 + losses, and the number of summarizers less wins; 0 without scores.
        All true ranks lie within them unless a finding is false. So with Bonferroni's correction, and about so with
        Holm's, they hold together with the confidence 1 - alpha; with "bh", "by" or "none" they do not.
    test, correction : str
        Of the tests.
    """

    mean: FloatArray
    cluster: IntArray
    rank: IntArray
    wins: IntArray
    losses: IntArray
    best_rank: IntArray
    worst_rank: IntArray
    test: str
    correction: str
    alpha: float


def rank_clusters(X: ArrayLike, tests: PairTests, *, alpha: float = ALPHA) -> RankClusters:
    """Cluster summarizers by their means and the tests of all their pairs.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores, higher is better; NaN where missing. Means are over each summarizer's own topics.
    tests : PairTests
        Tests of the rows of ``X``, as of :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`,
        two-sided. A pair that was not tested counts as not significant.
    alpha : float
        A difference is significant if its adjusted p <= alpha; the sign of the effect decides which is better.

    Returns
    -------
    RankClusters

    Raises
    ------
    ValueError
        The tests are one-sided, or of rows that ``X`` does not have.

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
    >>> X = [[1, 2, 1, 2, 1], [4, 5, 4, 5, 5], [5, 4, 5, 5, 4]]
    >>> rank_clusters(X, compare_pairs(X, test="paired_t")).cluster.tolist()
    [2, 1, 1]
    """
    X = score_matrix(X)
    return cluster_means(
        summarizer_means(X, ~np.isnan(X)), tests, slack=float(rounding_slack(shift_near_zero(X))), alpha=alpha
    )


def cluster_means(
    mean: ArrayLike,
    tests: PairTests,
    *,
    group: ArrayLike | None = None,
    slack: float = 0.0,
    alpha: float = ALPHA,
) -> RankClusters:
    """Cluster summarizers by given means, such as least-squares means, and the tests of all their pairs.

    Equal means have equal ranks and one cluster, whatever their order.

    Parameters
    ----------
    mean : array_like, shape (n_summarizers,)
        Higher is better; NaN is not ranked.
    tests : PairTests
        Tests of the summarizers by their numbers, two-sided.
    group : array_like of int, shape (n_summarizers,), optional
        Summarizers of one number can be compared; clusters and ranks are within a group. By default all can.
    slack : float
        Means that differ by at most this are equal.
    alpha : float
        As for :func:`rank_clusters`.

    Raises
    ------
    ValueError
        For one-sided tests, or tests of summarizers that have no mean.

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
    >>> tests = compare_pairs([[4, 4, 4], [3, 5, 4], [1, 2, 1]], test="paired_t", correction="none")
    >>> cluster_means([4.0, 4.0, 1.3], tests).rank.tolist()
    [1, 1, 3]
    """
    mean = np.asarray(mean, dtype=np.float64)
    if tests.alternative != "two-sided":
        raise ValueError(f"tests have the alternative {tests.alternative!r}; expected 'two-sided'")
    rows = np.concatenate([tests.first, tests.second])
    if rows.size and rows.max() >= len(mean):
        raise ValueError(f"tests name row {rows.max()}; expected rows below {len(mean)}, those of X")
    has_mean = ~np.isnan(mean)
    better = significantly_better(tests, len(mean), alpha)
    equal = snap_ties(mean, slack)
    groups = np.zeros(len(mean), dtype=np.int64) if group is None else np.asarray(group)
    cluster = np.zeros(len(mean), dtype=np.int64)
    rank = np.zeros(len(mean), dtype=np.int64)
    n_members = np.zeros(len(mean), dtype=np.int64)
    for number in np.unique(groups[has_mean]):
        members = np.flatnonzero(has_mean & (groups == number))
        order = members[np.argsort(-equal[members], kind="stable")]
        cluster[order] = cluster_numbers(better[np.ix_(order, order)], starts=np.diff(equal[order]) != 0)
        rank[order] = 1 + np.searchsorted(-equal[order], -equal[order])
        n_members[order] = len(order)
    wins = better.sum(axis=1)
    losses = better.sum(axis=0)
    return RankClusters(
        mean=mean,
        cluster=cluster,
        rank=rank,
        wins=wins,
        losses=losses,
        best_rank=np.where(has_mean, 1 + losses, 0),
        worst_rank=np.where(has_mean, n_members - wins, 0),
        test=tests.test,
        correction=tests.correction,
        alpha=alpha,
    )


def significantly_better(tests: PairTests, n: int, alpha: float = ALPHA) -> BoolArray:
    """Which summarizer is significantly better than which: row better than column.

    Parameters
    ----------
    tests : PairTests
        Tests of pairs of summarizers.
    n : int
        Number of summarizers.
    alpha : float
        A difference is significant if its adjusted p <= alpha.

    Returns
    -------
    ndarray of bool, shape (n, n)
    """
    significant_effect = np.where(tests.significant(alpha), tests.effect, 0.0)
    return better_matrix(tests.first, tests.second, significant_effect, n)


def cluster_numbers(better: BoolArray, *, starts: BoolArray | None = None) -> IntArray:
    """Cluster of each item of a ranking, from 1.

    Parameters
    ----------
    better : ndarray of bool, shape (n, n)
        Whether the row is significantly better than the column, in the order of the ranking.
    starts : ndarray of bool, shape (n - 1,), optional
        Whether a cluster may start at each item but the first; by default everywhere.

    Returns
    -------
    ndarray of int, shape (n,)
    """
    n = len(better)
    may_start = np.ones(max(n - 1, 0), dtype=bool) if starts is None else starts
    is_start = [bool(may_start[item - 1] and better[:item, item:].all()) for item in range(1, n)]
    return np.cumsum([1, *is_start])[:n].astype(np.int64)


def greedy_clusters(better: BoolArray) -> IntArray:
    """Cluster of each item of a ranking, from 1, as the shared tasks of WMT on metrics form them.

    From the top, each joins the cluster until one in it is significantly better than it; then a new cluster starts.

    Freitag et al. (2022), "Results of WMT22 Metrics Shared Task"; ``AssignRanks`` of mt-metrics-eval.

    Parameters
    ----------
    better : ndarray of bool, shape (n, n)
        Whether the row is significantly better than the column, in the order of the ranking.

    Examples
    --------
    >>> better = np.zeros((4, 4), dtype=bool)
    >>> better[0, 2] = better[1, 3] = True
    >>> greedy_clusters(better).tolist()
    [1, 1, 2, 2]
    """
    clusters = np.zeros(len(better), dtype=np.int64)
    start = 0
    cluster = 1
    for item in range(len(better)):
        if better[start:item, item].any():
            start = item
            cluster += 1
        clusters[item] = cluster
    return clusters
