"""Win rates at equal length: a hand example, statsmodels as an oracle, simulation, and what they refuse."""

import numpy as np
import pytest
from scipy.special import expit, stdtrit

from classy_aesop.significance.preferences.equal_length import (
    EQUALLY_LONG,
    NO_OVERLAP,
    NOT_FINITE,
    win_rates_at_equal_length,
)
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons


def draw_comparisons(effect, strengths, n_topics=80, seed=0):
    """Draw a comparison of every pair on every topic; later systems write longer outputs."""
    rng = np.random.default_rng(seed)
    n_systems = len(strengths)
    lower, upper = np.triu_indices(n_systems, 1)
    topic = np.repeat(np.arange(n_topics), len(lower))
    first = np.tile(lower, n_topics)
    second = np.tile(upper, n_topics)
    length = 100 + 30 * np.arange(n_systems) + rng.normal(size=(n_topics, n_systems)) * 40
    longer = length[topic, first] - length[topic, second]
    scale = np.sqrt(np.mean(longer**2))
    log_odds = np.subtract(*np.take(strengths, [first, second])) + effect * np.tanh(longer / scale)
    wins = (rng.random(len(topic)) < expit(log_odds)) * 1.0
    return PairedComparisons.from_arrays(topic, first, second, wins), longer


def test_with_two_lengths_it_is_the_mean_of_the_log_odds_of_both():
    longer = np.repeat([2.0, 2, -2, -2], [9, 3, 5, 5])
    wins = np.repeat([1.0, 0, 1, 0], [9, 3, 5, 5])
    comparisons = PairedComparisons.from_arrays(range(22), [0] * 22, [1] * 22, wins)
    rates = win_rates_at_equal_length(comparisons, longer)
    assert rates.rate == pytest.approx([3**0.5 / (1 + 3**0.5), 1 / (1 + 3**0.5)])


def test_it_is_a_logistic_regression_with_errors_clustered_by_topic():
    linear_models = pytest.importorskip("statsmodels.api")
    comparisons, longer = draw_comparisons(1.5, [0.0, 0.5])
    rates = win_rates_at_equal_length(comparisons, longer)
    scale = np.sqrt(np.mean(longer**2))
    design = np.column_stack([np.ones(len(longer)), np.tanh(longer / scale)])
    model = linear_models.GLM(comparisons.wins, design, family=linear_models.families.Binomial())
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": comparisons.topic})
    assert rates.rate[0] == pytest.approx(expit(fit.params[0]))
    correction = np.sqrt(78 / 79)  # statsmodels also counts the two parameters
    ends = expit(fit.params[0] + np.array([-1, 1]) * stdtrit(79, 0.975) * correction * fit.bse[0])
    assert [rates.low[0], rates.high[0]] == pytest.approx(ends)


def test_the_order_of_systems_and_of_sides_does_not_matter():
    comparisons, longer = draw_comparisons(1.0, [0.0, 0.4, -0.3])
    rates = win_rates_at_equal_length(comparisons, longer)
    turned = PairedComparisons.from_arrays(
        comparisons.topic, 2 - comparisons.second, 2 - comparisons.first, 1 - comparisons.wins
    )
    again = win_rates_at_equal_length(turned, -longer)
    for values, values_again in ((rates.rate, again.rate), (rates.low, again.low), (rates.high, again.high)):
        assert values_again[::-1] == pytest.approx(values)
    assert rates.rate.mean() == pytest.approx(0.5)


@pytest.mark.slow
def test_a_judge_of_length_alone_gives_a_half_at_equal_length():
    drawn = [draw_comparisons(2.0, [0.0, 0.0], seed=seed) for seed in range(200)]
    rates = [win_rates_at_equal_length(*comparisons) for comparisons in drawn]
    assert np.mean([comparisons.wins.mean() for comparisons, _ in drawn]) < 0.4
    assert np.mean([rate.rate[0] for rate in rates]) == pytest.approx(0.5, abs=0.015)
    covers = [rate.low[0] <= 0.5 <= rate.high[0] for rate in rates]
    assert 0.9 <= np.mean(covers) <= 0.99


@pytest.mark.parametrize(
    ("longer", "wins", "flag"),
    [
        ([0.0] * 12, [1.0, 0.0] * 6, EQUALLY_LONG),
        ([3.0] * 10 + [-3.0] * 2, [1.0, 0.0] * 6, NO_OVERLAP),
        ([3.0, -3.0] * 6, [1.0, 0.0] * 6, NOT_FINITE),
    ],
)
def test_what_lengths_cannot_tell_is_said_instead_of_a_number(longer, wins, flag):
    comparisons = PairedComparisons.from_arrays(range(12), [0] * 12, [1] * 12, wins)
    rates = win_rates_at_equal_length(comparisons, np.array(longer))
    assert rates.flag == flag
    assert np.isnan([rates.rate, rates.low, rates.high]).all()
