"""Win rates: by hand, over opponents equally, with intervals that stay within 0 and 1."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.win_rates import _rates_without_topics, win_rates
from tests.significance.preferences.drawn_comparisons import arena, draw_comparisons


def test_three_systems_by_hand():
    rates = win_rates(arena())
    assert rates.rate.tolist() == [0.875, 0.5, 0.125]
    assert rates.n_comparisons.tolist() == [16] * 3
    assert (rates.n_topics.tolist(), rates.n_opponents.tolist()) == ([8] * 3, [2] * 3)


def test_the_interval_by_hand():
    rates = win_rates(arena())
    of_topics = np.array([1, 0.75, 1, 0.75, 1, 1, 0.5, 1])
    assert of_topics.mean() == 0.875
    error = of_topics.std(ddof=1) / np.sqrt(8) / (0.875 * 0.125)
    ends = np.log(7) + stats.t.ppf([0.025, 0.975], 7) * error
    assert [rates.low[0], rates.high[0]] == pytest.approx(1 / (1 + np.exp(-ends)), abs=1e-12)


def test_opponents_count_equally():
    # 3 of 4 against one opponent, 0 of 1 against the other
    comparisons = PairedComparisons.from_arrays(range(5), [0] * 5, [1, 1, 1, 1, 2], [1, 1, 1, 0, 0])
    assert win_rates(comparisons).rate.tolist() == [0.375, 0.25, 1.0]


def test_rates_without_each_topic_are_those_of_the_other_topics():
    comparisons = draw_comparisons(1, n=40)
    for topic, rates in enumerate(_rates_without_topics(comparisons)):
        expected = win_rates(comparisons.subset(comparisons.topic != topic)).rate
        assert rates == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("seed", range(20))
def test_intervals_stay_within_0_and_1(seed):
    rates = win_rates(draw_comparisons(seed, n=30, n_topics=5))
    known = ~np.isnan(rates.low)
    assert (rates.low[known] >= 0).all()
    assert (rates.high[known] <= 1).all()
    assert (rates.low[known] < rates.rate[known]).all()
    assert (known == (rates.flag == "")).all()


def test_where_nothing_is_known_of_the_variance_there_is_no_interval():
    sweep = win_rates(PairedComparisons.from_arrays(range(40), [0] * 40, [1] * 40, [1] * 40))
    assert sweep.flag.tolist() == ["won every comparison", "lost every comparison"]
    assert np.isnan([sweep.low, sweep.high]).all()
    ties = win_rates(PairedComparisons.from_arrays(range(4), [0] * 4, [1] * 4, [0.5] * 4))
    assert ties.flag.tolist() == ["the same on all topics"] * 2
    single = win_rates(PairedComparisons.from_arrays([0, 0], [0, 0], [1, 1], [1, 0], n_systems=3))
    assert single.flag.tolist() == ["fewer than two topics"] * 2 + ["no comparison"]
    assert np.isnan(single.rate[2])


def test_repeated_comparisons_of_a_topic_do_not_narrow_the_interval():
    once = arena()
    often = once.subset(np.repeat(np.arange(24), 5))
    for name in ("rate", "low", "high"):
        assert getattr(win_rates(often), name) == pytest.approx(getattr(win_rates(once), name))
