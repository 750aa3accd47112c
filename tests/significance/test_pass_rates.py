"""Tango's score test of two pass rates and its interval: other software, every possible table, and their duality."""

import numpy as np
import pytest
from scipy import special, stats

from classy_aesop.significance.differences import DIFFERENT, EQUIVALENT, UNDECIDED
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.pairs.pass_rate_test import PASS_RATES
from classy_aesop.significance.pass_rates import PassRateDifferences


def rates_of(n_first_alone, n_second_alone, n):
    first, second = np.atleast_1d(n_first_alone), np.atleast_1d(n_second_alone)
    return PassRateDifferences((first - second) / n, (first + second) * 1.0, np.full(len(first), n))


def scores_of(n_first_alone, n_second_alone, n):
    return np.array(
        [
            np.repeat([1.0, 0.0, 1.0], [n_first_alone, n_second_alone, n - n_first_alone - n_second_alone]),
            np.repeat([0.0, 1.0, 1.0], [n_first_alone, n_second_alone, n - n_first_alone - n_second_alone]),
        ]
    )


def test_the_interval_of_other_software():
    """The R package contingencytables, by its own tests, of the data of Cavo et al. (2012): -0.1240 to -0.0054."""
    rates = rates_of(6, 16, 161)
    low, high = rates.interval(0.95)
    assert (rates.difference[0], low[0], high[0]) == pytest.approx((-0.0621, -0.1240, -0.0054), abs=5e-5)


def test_p_without_a_difference_is_mcnemars():
    z = (10 - 2) / np.sqrt(12)
    tests = compare_pairs(scores_of(10, 2, 40), test=PASS_RATES)
    assert (tests.p[0], tests.statistic[0]) == pytest.approx((2 * stats.norm.sf(z), z))
    assert tests.difference[0] == pytest.approx(0.2)


def every_table(n):
    first, second = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T
    return first, second


@pytest.mark.parametrize("n", [2, 7, 15])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_an_interval_holds_just_what_the_test_does_not_reject(n, confidence):
    rates = rates_of(*every_table(n), n)
    low, high = rates.interval(confidence)
    assert (low <= rates.difference).all()
    assert (rates.difference <= high).all()
    assert (low >= -1).all()
    assert (high <= 1).all()
    for value in (-0.6, -0.05, 0.0, 0.2, 0.7):
        is_inside = (low <= value) & (value <= high)
        assert (is_inside == (rates.p(value=value) > 1 - confidence)).all()


def test_exchanged_systems_have_the_mirrored_interval():
    first, second = every_table(9)
    low, high = rates_of(first, second, 9).interval(0.95)
    low_mirrored, high_mirrored = rates_of(second, first, 9).interval(0.95)
    assert low == pytest.approx(-high_mirrored, abs=1e-12)
    assert high == pytest.approx(-low_mirrored, abs=1e-12)


def chances(n, rate, difference, shared):
    """The chance of every table of n topics, a share of which has one draw for both, and the true difference."""
    other = rate - difference if rate >= 0.9 else rate + difference
    first_alone = shared * max(other - rate, 0) + (1 - shared) * other * (1 - rate)
    second_alone = shared * max(rate - other, 0) + (1 - shared) * rate * (1 - other)
    b, c = every_table(n)
    log_ways = special.gammaln(n + 1) - special.gammaln(np.array([b, c, n - b - c]) + 1).sum(axis=0)
    both = 1 - first_alone - second_alone
    logs = special.xlogy(b, first_alone) + special.xlogy(c, second_alone) + special.xlogy(n - b - c, both)
    return np.exp(log_ways + logs), other - rate


@pytest.mark.parametrize("n", [15, 40, 100])
def test_intervals_hold_and_one_sided_tests_err_as_promised(n):
    """By every table, so without simulation; Student's t covers .920 at 40 topics and errs in .164 at 20."""
    rates = rates_of(*every_table(n), n)
    low, high = rates.interval(0.95)
    for rate in (0.5, 0.8, 0.95):
        for difference in (0, 0.03, 0.1, 0.15):
            chance, true = chances(n, rate, difference, shared=0.5)
            held = (low <= true + 1e-12) & (true - 1e-12 <= high)
            assert chance[held].sum() >= 0.93
            for alternative in ("greater", "less"):
                assert chance[rates.p(alternative, true) <= 0.05].sum() <= 0.075


def test_a_margin_is_tested_by_the_same_statistic():
    tests = compare_pairs(scores_of(5, 55, 200), test=PASS_RATES)
    within = tests.equivalent((-0.1, np.inf))
    assert within.verdict[0] == DIFFERENT
    assert within.p[0] == pytest.approx(rates_of(5, 55, 200).p("greater", -0.1)[0])
    assert within.low[0] <= -0.25 <= within.high[0] < -0.1
    near = compare_pairs(scores_of(4, 3, 200), test=PASS_RATES)
    _, high = rates_of(4, 3, 200).interval(0.9)
    assert near.equivalent(high[0] + 1e-6).verdict[0] == EQUIVALENT
    assert near.equivalent(high[0] - 1e-6).verdict[0] == UNDECIDED


def test_agreement_on_every_topic_has_exact_bounds():
    rates = rates_of([0, 20, 0], [0, 0, 20], 20)
    low, high = rates.interval(0.9)
    bound = 0.05 ** (1 / 20)
    assert low == pytest.approx([bound - 1, 2 * bound - 1, -1])
    assert high == pytest.approx([1 - bound, 1, 1 - 2 * bound])
    assert rates.p() == pytest.approx([1, 2 / 2**20, 2 / 2**20])


def test_one_topic_decides_nothing():
    tests = compare_pairs([[1.0, np.nan], [0.0, 1.0]], test=PASS_RATES)
    assert (tests.flag[0], tests.p[0]) == ("fewer than two topics", 1.0)
    assert np.isnan(tests.low[0])
