"""Clusters of a ranking: by hand, by definition over seeds, at the edges."""

import numpy as np
import pytest

from classy_aesop.significance.decisions import greedy_clusters
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from tests.significance.ranked import rank_rows


def ladder(seed, steps, n_topics=30):
    rng = np.random.default_rng(seed)
    return np.asarray(steps)[:, None] + rng.normal(size=(len(steps), n_topics))


def test_clusters_by_hand():
    found = rank_rows(X := ladder(0, [0, 5, 5, 9, 0.1]), compare_pairs(X))
    assert found.cluster.tolist() == [3, 2, 2, 1, 3]
    assert found.rank[3] == 1
    assert (found.best_rank[3], found.worst_rank[3]) == (1, 1)
    assert (found.best_rank[[1, 2]].tolist(), found.worst_rank[[1, 2]].tolist()) == ([2, 2], [3, 3])
    assert (found.wins.tolist(), found.losses.tolist()) == ([0, 2, 2, 4, 0], [3, 1, 1, 0, 3])
    X = ladder(4, [0, 0.35, 0.7], n_topics=40)
    pairs = compare_pairs(X, test="wilcoxon", correction="none")
    assert pairs.significant().tolist() == [False, True, False]
    assert rank_rows(X, pairs).cluster.tolist() == [1, 1, 1]
    X = np.ones((4, 6))
    found = rank_rows(X, compare_pairs(X))
    assert (found.cluster.tolist(), found.worst_rank.tolist()) == ([1] * 4, [4] * 4)


@pytest.mark.parametrize("seed", range(4))
def test_clusters_are_their_definition(seed):
    X = ladder(seed, np.random.default_rng(seed).normal(size=9), n_topics=25)
    tests = compare_pairs(X, test="paired_t")
    found = rank_rows(X, tests)
    better = tests.better(9)
    by_rank = np.argsort(found.rank)
    for place in range(1, 9):
        above, below = by_rank[:place], by_rank[place:]
        parted = all(better[a, b] for a in above for b in below)
        assert (found.cluster[below[0]] > found.cluster[above[-1]]) == parted
    assert (np.diff(X.mean(axis=1)[by_rank]) <= 0).all()
    assert ((found.best_rank <= found.worst_rank) & (found.best_rank >= 1)).all()


def test_what_stands_outside_or_is_refused():
    X = ladder(6, [0, 9, 5])
    X[1] = np.nan
    found = rank_rows(X, compare_pairs(X))
    assert (found.cluster.tolist(), found.rank.tolist()) == ([2, 0, 1], [2, 0, 1])
    assert (found.best_rank[1], found.worst_rank[1]) == (0, 0)


WMT = [  # p-values of the row against the column, both in the order of the ranking; clusters counted by hand
    ([[1, 0.2, 0.01], [1, 1, 0.3], [1, 1, 1]], [1, 1, 2]),  # the third is worse than the first
    ([[1, 0.01, 0.01, 0.01], [1, 1, 0.4, 0.01], [1, 1, 1, 0.4], [1, 1, 1, 1]], [1, 2, 2, 3]),
    # the third starts a cluster; that the first beats the fourth no longer counts, the third does not
    ([[1, 0.5, 0.04, 0.01], [1, 1, 0.5, 0.5], [1, 1, 1, 0.2], [1, 1, 1, 1]], [1, 1, 2, 2]),
    ([[1, 0.06], [1, 1]], [1, 1]),
    ([[1]], [1]),
]


@pytest.mark.parametrize(("p", "clusters"), WMT)
def test_greedy_clusters_by_hand(p, clusters):
    """As AssignRanks of mt-metrics-eval: a place starts a cluster if a member above is significantly better."""
    assert greedy_clusters(np.triu(np.array(p) <= 0.05, 1)).tolist() == clusters


def test_greedy_clusters_against_their_definition():
    """Whoever is in a cluster is beaten by none of its earlier members, and its first by one of the cluster above."""
    for seed in range(50):
        better = np.triu(np.random.default_rng(seed).random((12, 12)) < 0.2, 1)
        found = greedy_clusters(better)
        assert found[0] == 1
        assert set(np.diff(found)) <= {0, 1}
        for number in range(1, found.max() + 1):
            (members,) = np.nonzero(found == number)
            assert not better[np.ix_(members, members)].any()
            if number > 1:
                assert better[found == number - 1, members[0]].any()
