"""What follows from p-values and effects: which are significant, which of two is better, and which share a cluster.

Items are in the order of their means. A new cluster starts where each item above is significantly better than each one
below: the rule of the WMT evaluations, "systems that significantly outperform all others in lower ranking clusters"
(Barrault et al. 2019, "Findings of the 2019 Conference on Machine Translation"). Members of one cluster are *not shown*
to differ as a group, though two of them may; whether they are equal is tested with a margin
(:mod:`classy_aesop.significance.differences`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import ROUNDING


def is_significant(p: ArrayLike, alpha: float = ALPHA) -> BoolArray:
    """Which p-values are significant: p <= alpha, equal within rounding. NaN never is.

    Examples
    --------
    >>> is_significant([0.04, 0.05, 0.051, float("nan")]).tolist()
    [True, True, False, False]
    """
    return np.asarray(p, dtype=np.float64) <= alpha * (1 + ROUNDING)


def sign_of_effect(effect: ArrayLike, *, lower_is_better: bool = False) -> IntArray:
    """Which of each pair is better by its effect, first less second: 1 the first, -1 the second, 0 neither.

    Wins, headlines, gates and pictures all use it.

    Examples
    --------
    >>> sign_of_effect([0.5, -2.0, 0.0, float("nan")]).tolist()
    [1, -1, 0, 0]
    >>> sign_of_effect([0.5, -2.0], lower_is_better=True).tolist()
    [-1, 1]
    """
    sign = np.sign(np.nan_to_num(np.asarray(effect, dtype=np.float64))).astype(np.int64)
    return -sign if lower_is_better else sign


def better_matrix(first: IntArray, second: IntArray, effect: FloatArray, n: int) -> BoolArray:
    """Which item is better than which, by the sign of the effects of pairs: row better than column.

    Shapes: ``first``, ``second`` and ``effect`` (n_pairs,); gives (n, n).

    Examples
    --------
    >>> better_matrix(np.array([0]), np.array([1]), np.array([-2.0]), 2).tolist()
    [[False, False], [True, False]]
    """
    sign = sign_of_effect(effect)
    better = np.zeros((n, n), dtype=bool)
    better[first[sign > 0], second[sign > 0]] = True
    better[second[sign < 0], first[sign < 0]] = True
    return better


def cluster_numbers(better: BoolArray, *, starts: BoolArray) -> IntArray:
    """Cluster of each item of a ranking, from 1; a cluster starts only where its mean is not that of the item above.

    Shapes: ``better`` (n, n), ``starts`` (n - 1,); gives (n,).
    """
    n = len(better)
    is_start = [bool(starts[item - 1] and better[:item, item:].all()) for item in range(1, n)]
    return np.cumsum([1, *is_start])[:n].astype(np.int64)


def greedy_clusters(better: BoolArray) -> IntArray:
    """Cluster of each item of a ranking, from 1, as the shared tasks of WMT on metrics form them.

    From the top, each joins the cluster until one in it is significantly better than it; then a new cluster starts.

    Freitag et al. (2022), "Results of WMT22 Metrics Shared Task"; ``AssignRanks`` of mt-metrics-eval.

    Shapes: ``better`` (n, n).

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
