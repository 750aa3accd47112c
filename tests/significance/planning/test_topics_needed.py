"""Number of topics for a difference: against the noncentral t, by definition, at the edges."""

import json
import math

import numpy as np
import pytest
from scipy.stats import nct, t

from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.planning.pilot_variance import tilt_differences
from classy_aesop.significance.planning.topics_needed import TOO_MANY_TOPICS, topics_needed
from tests.significance.one_pair import compare_pair


def normal_scores(n=400):
    """Two lists whose differences have exactly mean 0 and standard deviation 1 (n in the denominator)."""
    from scipy.special import ndtri

    z = ndtri((np.arange(n) + 0.5) / n)
    base = np.random.default_rng(0).normal(size=n)
    return base + z / z.std(), base


def exact_power(n, d):
    """Power of the two-sided paired t-test for normal differences of standard deviation 1."""
    cutoff, shift = t.ppf(0.975, n - 1), d * math.sqrt(n)
    return nct.sf(cutoff, n - 1, shift) + nct.cdf(-cutoff, n - 1, shift)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("d", [0.3, 0.6, -1.0])
def test_paired_t_against_the_noncentral_t(d):
    found = topics_needed(*normal_scores(), d, test="paired_t", rng=np.random.default_rng(1))
    exact = next(n for n in range(2, 500) if exact_power(n, abs(d)) >= 0.8)
    assert found.low <= exact <= found.high
    assert found.n_topics == pytest.approx(exact, rel=0.08)
    for n, power in zip(found.sizes, found.powers, strict=True):
        assert power == pytest.approx(exact_power(n, abs(d)), abs=4 * math.sqrt(0.25 / 2000))


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_power_is_its_definition(test):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 12))
    y[3] = np.nan
    found = topics_needed(
        x, y, 0.9, test=test, alternative="greater", max_topics=40, n_trials=60, rng=np.random.default_rng(3)
    )
    keep = ~np.isnan(y)
    x, y = x[keep], y[keep]
    draws = np.random.default_rng(3).choice(11, size=(60, 40))
    # which scatter as the variance with n - 1 says
    x = y + 0.9 + (x - y - (x - y).mean()) * math.sqrt(11 / 10)
    for n, power in zip(found.sizes, found.powers, strict=True):
        p = [compare_pair(x[draw[:n]], y[draw[:n]], test=test, alternative="greater").p for draw in draws]
        assert power == np.mean(np.array(p) < 0.05)
    assert found.n_observed == 11


def test_whole_numbers_stay_whole():
    differences = np.repeat([-1.0, 0, 1, 2, 3], [9, 27, 18, 4, 2])
    weights = tilt_differences(differences, 0.25)
    assert (weights.sum(), weights @ differences) == pytest.approx((1, 0.25))
    options = {"n_trials": 60, "max_topics": 40}
    found = topics_needed(differences, 0 * differences, 0.25, rng=np.random.default_rng(3), **options)
    draws = differences[np.random.default_rng(3).choice(60, size=(60, 40), p=weights)]
    for n, power in zip(found.sizes, found.powers, strict=True):
        p = [compare_pair(draw[:n], 0 * draw[:n], test="wilcoxon").p for draw in draws]
        assert power == np.mean(np.array(p) <= 0.05)
    beyond = topics_needed(differences, 0 * differences, 3.5, rng=np.random.default_rng(3), **options)
    assert (beyond.n_topics, beyond.flag) == (None, "beyond the differences of the pilot")


def test_answer_is_the_first_size_with_enough_power():
    found = topics_needed(*normal_scores(60), 0.7, n_trials=400, rng=np.random.default_rng(4))
    powers = dict(zip(found.sizes.tolist(), found.powers.tolist(), strict=True))
    assert powers[found.n_topics] == found.power >= 0.8 > powers[found.n_topics - 1]
    assert found.error == pytest.approx(math.sqrt(found.power * (1 - found.power) / 400))
    y = np.arange(6.0)
    options = {"n_trials": 20, "rng": np.random.default_rng(0)}
    for test in PAIR_TESTS:  # a constant pilot
        for pilot in (y, y + 1, y + 0.1):
            constant = topics_needed(pilot, y, 0.5, test=test, preset="rankel2013", **options)
            assert (constant.n_topics, constant.flag, constant.sizes.size) == (None, CONSTANT_DIFFERENCE, 0)
    x, y = normal_scores(30)
    rng = np.random.default_rng(0)
    far = topics_needed(x, y, 0.01, max_topics=9, n_trials=50, rng=rng)
    assert (far.n_topics, far.flag, far.sizes.tolist()) == (None, TOO_MANY_TOPICS, [2, 4, 8, 9])
    for few in ([], [1.0], [np.nan, 1.0]):
        found = topics_needed(few, few, 1.0, n_trials=5, rng=rng)
        assert (found.n_topics, found.flag, found.n_observed <= 1) == (None, TOO_FEW_TOPICS, True)
    json.dumps([far.to_dict(), found.to_dict()])


@pytest.mark.slow
def test_low_and_high_hold_what_the_pilot_leaves_open():
    """Pilots of 12 topics give many answers; .95 of their intervals hold the true one (half of them used to)."""
    true = next(n for n in range(2, 500) if exact_power(n, 0.8) >= 0.8)
    held = []
    for seed in range(100):
        pilot = np.random.default_rng(seed).normal(size=12)
        how = {"test": "paired_t", "max_topics": 120, "n_trials": 200, "rng": np.random.default_rng(seed)}
        found = topics_needed(pilot, np.zeros(12), 0.8, **how)
        held.append((found.low or 0) <= true and (found.high is None or true <= found.high))
    assert np.mean(held) >= 0.95
