"""The least p-values that data allow, by enumeration, and the variance of a difference on one topic."""

from dataclasses import replace

import numpy as np
import pytest

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.contrasts import compare_least_squares_means, deviation_on_a_topic
from classy_aesop.significance.pairs.pair_comparisons import (
    PAIR_TESTS,
    compare_pairs,
    lowest_p_of_signs,
    lowest_possible_p,
)
from classy_aesop.significance.pairs.signed_ranks import WILCOXON


def test_the_least_p_of_signed_ranks_is_reached_by_differences_of_one_sign():
    for n in (2, 5, 8):
        X = np.stack([np.arange(1.0, n + 1), np.zeros(n)])
        tests = compare_pairs(X, test="wilcoxon")
        np.testing.assert_allclose(lowest_possible_p(tests), tests.p)
        mixed = X * np.where(np.arange(n) % 2, 1, -1)
        np.testing.assert_allclose(lowest_possible_p(compare_pairs(mixed, test="wilcoxon")), tests.p)
    assert lowest_p_of_signs(5) == 2 / 2**5
    tests = compare_pairs([[1, 1, 1], [0, 0, 0], [5, 6, 9]], test="paired_t")
    assert lowest_possible_p(tests).tolist() == [1.0, 0.0, 0.0]


def test_the_variance_on_a_topic_is_that_of_paired_differences_where_cells_are_complete():
    X = np.random.default_rng(0).normal(size=(3, 9)) * [[1], [2], [5]]
    system, topic = np.nonzero(~np.isnan(X))
    model = fit_additive_model(X[system, topic], system, topic, n_systems=3)
    for first, second in ((0, 1), (1, 2)):
        deviation, df = deviation_on_a_topic(model, first, second)
        assert deviation**2 == pytest.approx((X[first] - X[second]).var(ddof=1))
        assert df == pytest.approx(8)
    constant = fit_additive_model([1, 2, 2, 3], [0, 1, 0, 1], [0, 0, 1, 1], n_systems=2)
    assert deviation_on_a_topic(constant, 0, 1)[0] == 0.0
    alone = fit_additive_model([1.0, 2.0], [0, 1], [0, 1], n_systems=2)
    assert deviation_on_a_topic(alone, 0, 1)[1] == 0.0


def test_the_variance_on_a_topic_is_that_of_as_many_ratings_a_cell():
    """Ratings of a cell by workers of a crowd: many more topics would be planned by the variance of single ratings."""
    rng = np.random.default_rng(0)
    system, topic, worker = (axis.ravel() for axis in np.indices((2, 15, 3)))
    rater = rng.permutation(90)
    y = (
        system
        + rng.normal(size=15)[topic]
        + rng.normal(size=90)[rater]
        + rng.normal(size=90) / 2
        + worker / 10
    )
    means = y.reshape(2, 15, 3).mean(axis=2)
    model = fit_additive_model(y, system, topic, n_systems=2, rater=rater // 2, n_raters=45)
    deviation, _ = deviation_on_a_topic(model, 0, 1)
    variance = deviation**2
    tests = compare_least_squares_means(model, [(0, 1)])
    assert model.raters == "random"
    error = tests.difference[0] / tests.statistic[0]
    assert variance == pytest.approx(error**2 * 15)
    of_means = (means[0] - means[1]).var(ddof=1)
    assert 0.4 * of_means < variance < 1.6 * of_means


def test_a_test_by_signs_has_a_lowest_p_whatever_its_name(monkeypatch):
    """Another one, as a sign test is; one by t has no limit."""
    monkeypatch.setitem(PAIR_TESTS, "signs", replace(WILCOXON, name="signs"))
    monkeypatch.setitem(PAIR_TESTS, "no signs", replace(WILCOXON, name="no signs", is_of_signs=False))
    X = [[3, 4, 4, 5, 4], [2, 2, 5, 3, 3]]
    lowest = {
        test: lowest_possible_p(compare_pairs(X, test=test), correction="none").tolist()
        for test in ("wilcoxon", "signs", "no signs")
    }
    assert lowest == {"wilcoxon": [0.0625], "signs": [0.0625], "no signs": [0.0]}


def test_a_statistic_of_exchanged_summarizers_is_that_of_the_test():
    x, y = [3.0, 4.0, 4.0, 5.0], [2.0, 2.0, 6.5, 5.0]
    for test in PAIR_TESTS:
        given, exchanged = compare_pairs([x, y], test=test), compare_pairs([y, x], test=test)
        reversed_statistic = PAIR_TESTS[test].reverse(given.statistic, given.n_used)
        assert reversed_statistic == pytest.approx(exchanged.statistic)
