"""Number of topics for a difference by drawing a pilot's topics: by definition, against the t-test, at the edges."""

import math

import numpy as np
import pytest

from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.planning.topics_needed import (
    TOO_MANY_TOPICS,
    PilotDifference,
    degrees_of_freedom,
    search_size,
    tilt_differences,
    topics_needed,
    topics_needed_for_variance,
    variance_limits,
)
from tests.significance.one_pair import compare_pair


def normal_scores(n=400):
    """Two lists whose differences have exactly mean 0 and standard deviation 1 (n in the denominator)."""
    from scipy.special import ndtri

    z = ndtri((np.arange(n) + 0.5) / n)
    base = np.random.default_rng(0).normal(size=n)
    return base + z / z.std(), base


@pytest.mark.slow
@pytest.mark.parametrize("d", [0.3, 0.6, -1.0])
def test_simulated_paired_t_is_that_of_the_variance(d):
    x, y = normal_scores()
    drawn = topics_needed(x, y, d, test="paired_t", rng=np.random.default_rng(1))
    exact = topics_needed_for_variance(PilotDifference.from_differences(x - y), abs(d))
    assert drawn.n_topics == pytest.approx(exact.n_topics, rel=0.08)
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), rel=0.1, abs=1.5)


def test_the_search_gives_the_first_size_that_is_enough():
    for enough in (2, 3, 7, 8, 9, 99, 100):
        tried = []
        size, power = search_size(lambda n: tried.append(n) or n / enough, 1.0, 100)  # noqa: B023
        assert (size, power) == (enough, 1.0)
        assert len(tried) == len(set(tried)) < 16
    size, power = search_size(lambda n: n / 101, 1.0, 100)
    assert size is None
    assert np.isnan(power)


@pytest.mark.slow
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_power_is_its_definition(test):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 12))
    y[3] = np.nan
    found = topics_needed(x, y, 0.9, test=test, max_topics=40, n_trials=60, rng=np.random.default_rng(3))
    keep = ~np.isnan(y)
    x, y = x[keep], y[keep]
    draws = np.random.default_rng(3).choice(11, size=(60, 40))
    # which scatter as the variance with n - 1 says
    x = y + 0.9 + (x - y - (x - y).mean()) * math.sqrt(11 / 10)

    def power(n):
        return np.mean([compare_pair(x[draw[:n]], y[draw[:n]], test=test).p <= 0.05 for draw in draws])

    n = found.n_topics
    assert found.power == power(n) >= 0.8 > power(n - 1)
    assert (found.power_now, found.n_observed) == (power(11), 11)
    assert found.error == pytest.approx(math.sqrt(found.power * (1 - found.power) / 60))
    ends = n * variance_limits(degrees_of_freedom(x - y))
    assert (found.low, found.high) == (math.floor(ends[0]), math.ceil(ends[1]))


@pytest.mark.slow
def test_whole_numbers_stay_whole():
    differences = np.repeat([-1.0, 0, 1, 2, 3], [9, 27, 18, 4, 2])
    weights = tilt_differences(differences, 0.5)
    assert (weights.sum(), weights @ differences) == pytest.approx((1, 0.5))
    options = {"n_trials": 60, "max_topics": 60}
    found = topics_needed(differences, 0 * differences, 0.5, rng=np.random.default_rng(3), **options)
    draws = differences[np.random.default_rng(3).choice(60, size=(60, 60), p=weights)][:, : found.n_topics]
    p = [compare_pair(draw, 0 * draw, test="wilcoxon").p for draw in draws]
    assert found.power == np.mean(np.array(p) <= 0.05)
    beyond = topics_needed(differences, 0 * differences, 3.5, rng=np.random.default_rng(3), **options)
    assert (beyond.n_topics, beyond.flag) == (None, "beyond the differences of the pilot")


def test_pilots_that_say_nothing():
    y = np.arange(6.0)
    options = {"n_trials": 20, "rng": np.random.default_rng(0)}
    for test in PAIR_TESTS:  # a constant pilot
        for pilot in (y, y + 1, y + 0.1):
            constant = topics_needed(pilot, y, 0.5, test=test, **options)
            assert (constant.n_topics, constant.flag) == (None, CONSTANT_DIFFERENCE)
    x, y = normal_scores(30)
    rng = np.random.default_rng(0)
    far = topics_needed(x, y, 0.01, max_topics=9, n_trials=50, rng=rng)
    assert (far.n_topics, far.low, far.high, far.flag) == (None, None, None, TOO_MANY_TOPICS)
    assert math.isnan(far.power_now)  # 30 topics are more than are drawn
    for few in ([], [1.0], [np.nan, 1.0]):
        found = topics_needed(few, few, 1.0, n_trials=5, rng=rng)
        assert (found.n_topics, found.flag, found.n_observed <= 1) == (None, TOO_FEW_TOPICS, True)
