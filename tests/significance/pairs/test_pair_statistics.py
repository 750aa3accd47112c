"""Tests of pairs as declarations: a sign test, added by one line, is compared or refused as it declares."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.pair_statistics import (
    PairOutcome,
    PairStatistic,
    difference_moments,
)
from classy_aesop.significance.planning.topics_needed import topics_needed
from tests.significance.ranked import rank_rows


def signs(x, y):
    return np.sign(np.nan_to_num(x - y))


def outcome(x, y):
    ups, downs = ((signs(x, y) == side).sum(axis=1) for side in (1, -1))
    n, (shared, difference, _) = ups + downs, difference_moments(x, y)

    p = np.array([stats.binomtest(k, m).pvalue if m else 1.0 for k, m in zip(ups, n, strict=True)])
    effect, ends = (ups - downs) / np.maximum(n, 1), (difference, difference)
    return PairOutcome(shared, n, difference, ups.astype(float), effect, n == 0, p, lambda _: ends)


PLAIN = PairStatistic("sign", outcome)


def scores(seed=0):
    X = np.random.default_rng(seed).normal(size=(5, 15)) + np.arange(5)[:, None] * 0.4
    return np.round(X, 1)


def test_a_test_added_by_one_line_is_compared(monkeypatch):
    monkeypatch.setitem(PAIR_TESTS, "sign", PLAIN)
    X = scores()
    found = compare_pairs(X, test="sign")
    for k, (i, j) in enumerate(zip(found.first, found.second, strict=True)):
        z = X[i] - X[j]
        expected = stats.binomtest(int((z > 0).sum()), int((z != 0).sum()))
        assert found.p[k] == pytest.approx(expected.pvalue)


def test_a_test_added_by_one_line_is_known_to_all_that_compares_pairs(monkeypatch):
    monkeypatch.setitem(PAIR_TESTS, "sign", PLAIN)
    X = scores()
    with pytest.raises(ValueError, match="which sign does not test"):  # it is not of means
        compare_pairs(X, test="sign").equivalent(0.5)
    assert rank_rows(X, compare_pairs(X, test="sign")).cluster.max() >= 1
    planned = topics_needed(X[0], X[1], 1.0, test="sign", n_trials=20, rng=np.random.default_rng(0))
    assert planned.n_observed == X.shape[1]
