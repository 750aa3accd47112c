"""Sign flips: by enumeration, where random, and the interval that they invert."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.sign_flips import (
    MAX_ENUMERATED_TOPICS,
    flip_signs,
)


def p_by_enumeration(contributions):
    signs = np.array(list(product([1, -1], repeat=len(contributions))))
    sums = np.abs(signs @ contributions)
    return np.mean(sums >= abs(contributions.sum()) - 1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_few_topics_are_enumerated(seed):
    rng = np.random.default_rng(seed)
    contributions = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=(3, 9))
    tests = flip_signs(contributions, np.ones((3, 9)))
    assert tests.p == pytest.approx([p_by_enumeration(row) for row in contributions])
    assert tests.n_used.tolist() == np.count_nonzero(contributions, axis=1).tolist()


def test_the_interval_holds_the_shifts_that_are_not_rejected():
    rng = np.random.default_rng(1)
    contributions, weights = rng.standard_normal(10), rng.random(10)
    tests = flip_signs(contributions[None], weights[None])
    low, high = tests.low[0, 0], tests.high[0, 0]
    for shift, is_within in (
        (low + 1e-6, True),
        (high - 1e-6, True),
        (low - 1e-6, False),
        (high + 1e-6, False),
    ):
        assert (p_by_enumeration(contributions - shift * weights) > 0.05) == is_within


@pytest.mark.parametrize("n", [MAX_ENUMERATED_TOPICS, 40])
def test_zero_is_excluded_where_p_says_so(n):
    rng = np.random.default_rng(n)
    contributions = rng.standard_normal((60, n)) + 0.4
    tests = flip_signs(contributions, np.ones((60, n)), n_resamples=999)
    excluded = (tests.low[0] > 0) | (tests.high[0] < 0)
    assert (excluded == (tests.p <= 0.05)).all()
    assert 0 < excluded.sum() < 60


def test_random_flips_come_close_to_all():
    rng = np.random.default_rng(2)
    contributions = rng.choice([-1.0, 0.5, 1.0], size=16)
    tests = flip_signs(contributions[None], np.ones((1, 16)))
    assert tests.p[0] == pytest.approx(p_by_enumeration(contributions), abs=0.02)
    assert tests.p_least.tolist() == [1e-4]


def test_neither_the_order_nor_the_side_of_topics_counts():
    rng = np.random.default_rng(3)
    contributions = rng.standard_normal(30)
    order = rng.permutation(30)
    tests = flip_signs(
        [contributions, contributions[order], -contributions], np.ones((3, 30)), n_resamples=999
    )
    assert len({*tests.p.tolist()}) == 1
    assert tests.low[0, 0] == pytest.approx(-tests.high[0, 2])
    assert tests.low[0, 0] == pytest.approx(tests.low[0, 1])


def test_a_constant_has_a_p_and_no_interval():
    tests = flip_signs(np.ones((1, 10)), np.ones((1, 10)))
    assert tests.p.tolist() == [2 / 2**10]
    assert np.isnan([tests.low, tests.high]).all()


def test_five_topics_exclude_nothing():
    tests = flip_signs([[1.0, 2.0, 3.0, 4.0, 5.0]], np.ones((1, 5)))
    assert tests.p.tolist() == tests.p_least.tolist() == [2 / 2**5]
    assert (tests.low.tolist(), tests.high.tolist()) == ([[-np.inf]], [[np.inf]])


def test_nothing_that_differs_is_no_difference():
    tests = flip_signs(np.zeros((1, 6)), np.ones((1, 6)))
    assert (tests.p.tolist(), tests.n_used.tolist(), tests.estimate.tolist()) == ([1.0], [0], [0.0])


def test_sums_of_one_size_in_floats_are_equal():
    contributions = np.array([[0.1, 0.2, -0.3, 0.3, 0.1, 0.1, 0.1]])
    assert flip_signs(contributions, np.ones((1, 7))).p[0] == p_by_enumeration(np.rint(contributions[0] * 10))


@pytest.mark.parametrize("sizes", [[1.0], [0.5, 1.0], [0.2, 0.9, 1.7]])
def test_many_contributions_have_an_interval_that_agrees_with_p(sizes):
    rng = np.random.default_rng(0)
    n = 260
    u = rng.choice(sizes, size=(300, n)) * np.where(rng.random((300, n)) < 0.56, 1, -1)
    tests = flip_signs(u, np.ones((300, n)), levels=(0.95, 0.5))
    for level, low, high in zip((0.95, 0.5), tests.low, tests.high, strict=True):
        excludes_zero = (low > 0) | (high < 0)
        assert (excludes_zero == (tests.p <= 1 - level)).all()
        assert 0 < excludes_zero.sum() < 300
        assert (low <= tests.estimate).all()
        assert (tests.estimate <= high).all()


def test_many_contributions_are_tested_as_by_flips():
    rng = np.random.default_rng(1)
    u = rng.exponential(size=(20, 240)) * np.where(rng.random((20, 240)) < 0.55, 1, -1)
    v = rng.uniform(0.5, 1.5, size=u.shape)
    tests = flip_signs(u, v)
    flips = rng.choice([-1.0, 1.0], size=(4000, 240))
    p = np.mean(np.abs(u @ flips.T) >= np.abs(u.sum(axis=1))[:, None], axis=1)
    assert tests.p == pytest.approx(p, abs=0.035)
    at_end = np.abs((u - tests.low[0][:, None] * v) @ flips.T)
    reached = np.mean(at_end >= np.abs(u.sum(axis=1) - tests.low[0] * v.sum(axis=1))[:, None], axis=1)
    assert reached == pytest.approx(np.full(20, 0.05), abs=0.015)


def test_one_large_contribution_among_many_is_still_flipped():
    u = np.append(np.tile([0.01, -0.01], 125), 5.0)[None]
    tests = flip_signs(u, np.ones_like(u), n_resamples=999)
    assert tests.p_least.tolist() == [1e-3]
    assert tests.p[0] > 0.4  # the large one alone decides the sign


@pytest.mark.parametrize("surplus", [0, 9, 29, 41])
def test_many_contributions_are_tested_as_by_the_binomial(surplus):
    n = 401 + surplus % 2 - 1
    wins = (n + surplus) // 2
    u = np.repeat([1.0, -1.0], [wins, n - wins])[None]
    expected = stats.binomtest(wins, n).pvalue
    assert flip_signs(u, np.ones_like(u)).p[0] == pytest.approx(expected, rel=0.02)
