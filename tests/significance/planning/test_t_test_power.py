"""Topics that a t-test needs: against statsmodels and by hand; smooth in the difference; passes and failures."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.planning.topics_needed import (
    PilotDifference,
    degrees_of_freedom,
    detectable_difference,
    t_test_power,
    tilt_differences,
    topics_needed_for_variance,
    variance_of_passes,
)

GRADES = np.repeat([-1.0, 0, 1, 2, 3], [9, 27, 18, 4, 2])
PASSES = np.repeat([-1.0, 0, 1], [5, 150, 45])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("difference", [0.2, 0.35, 0.6, 1.0, 1.6])
def test_topics_are_those_of_statsmodels(seed, difference):
    TTestPower = pytest.importorskip("statsmodels.stats.power").TTestPower
    pilot = PilotDifference.from_differences(np.random.default_rng(seed).normal(0.1, 1, 30))
    for alpha, target in ((0.05, 0.8), (0.01, 0.9)):
        plan = topics_needed_for_variance(pilot, difference, target=target, alpha=alpha)
        effect = difference / pilot.deviation
        exact = TTestPower().solve_power(effect_size=effect, alpha=alpha, power=target)
        assert plan.n_topics == np.ceil(exact)
        assert plan.power == pytest.approx(TTestPower().power(effect, plan.n_topics, alpha), abs=1e-9)
        now = np.nan_to_num(TTestPower().power(effect, 30, alpha), nan=1.0)  # NaN there where it is 1
        assert plan.power_now == pytest.approx(now, abs=1e-9)


def test_the_plan_of_grades_by_hand():
    """60 differences of sum 23 and sum of squares 61: variance (61 - 23^2 / 60) / 59 = .8845."""
    pilot = PilotDifference.from_differences(GRADES)
    assert pilot.deviation**2 == pytest.approx((61 - 23**2 / 60) / 59)
    plan = topics_needed_for_variance(pilot, 0.25)
    assert (plan.low, plan.n_topics, plan.high, plan.n_observed) == (80, 114, 176, 60)
    assert plan.power_now == pytest.approx(0.526, abs=5e-4)
    central = GRADES - 23 / 60
    kurtosis = (central**4).mean() / (central**2).mean() ** 2
    df = 2 * 60 / (kurtosis - 57 / 59)
    assert degrees_of_freedom(GRADES) == pytest.approx(df)
    for n, quantile in ((plan.low, 0.975), (plan.high, 0.025)):
        deviation = pilot.deviation * np.sqrt(df / stats.chi2.ppf(quantile, df))
        assert t_test_power(n, 0.25, deviation) >= 0.8 > t_test_power(n - 1, 0.25, deviation)


def test_tilted_passes_by_hand():
    """Doubled and with one of each sign: 11, 300 and 91 of -1, 0 and 1; weights 11 u^-1, 300 and 91 u."""
    variance = variance_of_passes(PASSES, 0.3)
    u = max(np.roots([91 * 0.7, -300 * 0.3, -11 * 1.3]))
    total = 91 * u + 300 + 11 / u
    assert variance == pytest.approx(((91 * u + 11 / u) / total - 0.09) * 200 / 199)
    pilot = PilotDifference.from_differences(PASSES, is_pass_or_fail=True)
    assert pilot.deviation_at(0.3) ** 2 == pytest.approx(variance)
    turned = PilotDifference.from_differences(-PASSES, is_pass_or_fail=True)
    assert turned.deviation_at(0.3) == pytest.approx(pilot.deviation_at(0.3))
    plans = [topics_needed_for_variance(pilot, d) for d in (0.15, 0.2, 0.25)]
    assert [(plan.low, plan.n_topics, plan.high) for plan in plans] == [
        (60, 72, 90),
        (37, 45, 55),
        (26, 31, 38),
    ]
    missing_cells = PilotDifference(2 * pilot.deviation, 100, PASSES, is_pass_or_fail=True)
    assert missing_cells.deviation_at(0.3) == pytest.approx(2 * pilot.deviation_at(0.3))


def test_the_differences_that_topics_show_are_the_inverse_of_a_plan():
    pilot = PilotDifference(3.0, 20, np.array([]))
    for n in (2, 3, 10, 500):
        smallest = detectable_difference(n, pilot)
        assert topics_needed_for_variance(pilot, smallest * 1.000001).n_topics == n
        assert detectable_difference(n, pilot, ratio=4.0) == pytest.approx(2 * smallest)
    tiny = PilotDifference.from_differences(GRADES * 2.0**-650)
    assert topics_needed_for_variance(tiny, 0.25 * 2.0**-650).n_topics == 114


def test_pilots_that_say_little_or_nothing():
    for differences in ([], [1.0]):
        for passes in (False, True):
            pilot = PilotDifference.from_differences(np.array(differences), is_pass_or_fail=passes)
            plan = topics_needed_for_variance(pilot, 0.5)
            assert (plan.n_topics, plan.flag) == (None, "fewer than two topics")
            assert np.isnan(detectable_difference(10, pilot))
    constant = PilotDifference.from_differences(np.ones(5))
    assert topics_needed_for_variance(constant, 0.5).flag == "constant difference"
    two = topics_needed_for_variance(PilotDifference.from_differences(np.array([0.0, 1.0])), 0.5)
    assert (two.n_topics, two.low, two.high) == (18, 6, None)  # a variance on one degree of freedom
    far = topics_needed_for_variance(PilotDifference(1.0, 20, GRADES), 0.001)
    assert (far.n_topics, far.flag) == (None, "more topics than max_topics")
    assert np.isnan([far.power, far.error]).all()
    np.testing.assert_allclose(t_test_power([2.0, 2_000.0], 5.0, 1e-3), [1.0, 1.0], atol=0.01)
    assert tilt_differences(GRADES, 3.0) is None
