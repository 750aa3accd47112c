"""Systems compared by preferences: contributions of topics, which quantity, and that p and intervals agree."""

import numpy as np
import pytest

from classy_aesop.significance.preferences.bradley_terry import fit_strengths
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.preference_tests import (
    NO_FINITE_DIFFERENCE,
    OTHER_ORDER,
    _contributions,
    estimate_preferences,
    flip_own_comparisons,
)
from tests.significance.preferences.drawn_comparisons import arena, draw_comparisons, won_and_compared


def contributions_by_definition(comparisons, i, j):
    won, compared = won_and_compared(comparisons)
    total = compared.sum(axis=0)
    rates = won.sum(axis=0) / np.maximum(total, 1)
    contributions = (won[:, i, j] - won[:, j, i]) / total[i, j]
    weights = compared[:, i, j] / total[i, j]
    for k in {*range(comparisons.n_systems)} - {i, j}:
        expected = (rates[i, k] + rates[j, k]) / 2
        contributions += (won[:, i, k] - compared[:, i, k] * expected) / total[i, k]
        contributions -= (won[:, j, k] - compared[:, j, k] * expected) / total[j, k]
        weights += (compared[:, i, k] / total[i, k] + compared[:, j, k] / total[j, k]) / 2
    return contributions / (comparisons.n_systems - 1), weights / (comparisons.n_systems - 1)


@pytest.mark.parametrize("n_systems", [2, 3, 5])
def test_contributions_are_those_of_the_definition(n_systems):
    comparisons = draw_comparisons(n_systems, n_systems=n_systems, n=150)
    pairs = np.argwhere(~np.eye(n_systems, dtype=bool))
    blocks = _contributions(comparisons, np.array_split(pairs, 3))
    contributions, weights = [np.concatenate(arrays) for arrays in zip(*blocks, strict=True)]
    for row, (i, j) in enumerate(pairs):
        expected, expected_weights = contributions_by_definition(comparisons, i, j)
        assert contributions[row] == pytest.approx(expected, abs=1e-12)
        assert weights[row] == pytest.approx(expected_weights, abs=1e-12)
    rates = estimate_preferences(comparisons).rates.rate
    assert contributions.sum(axis=1) == pytest.approx(rates[pairs[:, 0]] - rates[pairs[:, 1]], abs=1e-12)
    assert weights.sum(axis=1) == pytest.approx(np.ones(len(pairs)))


def test_a_complete_table_by_hand():
    tests = estimate_preferences(arena())
    assert tests.quantity == "win rate"
    assert tests.pairs.test == "sign_flips"
    assert tests.pairs.difference == pytest.approx([0.375, 0.75, 0.375])
    # the first two differ on seven topics, by 1, 1, 1.5, 0, 1.5, 1, -1, 1 wins: 6 of 128 signs reach 6 on either side
    assert tests.pairs.p[0] == 12 / 128
    assert tests.pairs.p[1] == 2 / 256
    assert tests.pairs.p_least.tolist() == pytest.approx([4 / 128, 3 * 2 / 256, 4 / 128])


def test_where_some_never_met_strengths_are_compared():
    rng = np.random.default_rng(5)
    first = np.tile([0, 1, 2], 30)
    wins = rng.choice([0.0, 0.5, 1.0], size=90)
    comparisons = PairedComparisons.from_arrays(np.repeat(np.arange(30), 3), first, first + 1, wins)
    tests = estimate_preferences(comparisons)
    strength = fit_strengths(comparisons).strength
    assert (tests.quantity, tests.pairs.test) == ("strength", "bradley_terry")
    assert tests.pairs.difference[:3] == pytest.approx(strength[0] - strength[1:])
    assert tests.order.tolist() == strength.tolist()
    assert (tests.pairs.flag == "").all()


def test_a_pair_alone_has_the_same_p_by_strengths_and_closed_form():
    rng = np.random.default_rng(6)
    wins = rng.choice([0.0, 1.0], size=40)
    chain = PairedComparisons.from_arrays(
        np.repeat(np.arange(20), 2), np.tile([0, 1], 20), np.tile([1, 2], 20), wins
    )
    tests = estimate_preferences(chain)
    won = wins[::2]
    log_odds = np.log(won.sum() / (20 - won.sum()))
    without = np.log((won.sum() - won) / (19 - won.sum() + won))
    error = np.sqrt(19 / 20 * np.square(without - log_odds).sum())
    assert tests.pairs.difference[0] == pytest.approx(log_odds)
    assert tests.pairs.statistic[0] == pytest.approx(log_odds / error)


def test_who_wins_everything_is_not_compared_by_strengths():
    comparisons = PairedComparisons.from_arrays(
        range(6), [0, 0, 1, 1, 2, 2], [1, 1, 2, 2, 3, 3], [1, 1, 1, 0, 1, 0]
    )
    tests = estimate_preferences(comparisons)
    assert tests.pairs.flag.tolist()[:3] == ["", NO_FINITE_DIFFERENCE, NO_FINITE_DIFFERENCE]
    assert tests.is_own.tolist()[:3] == [True, False, False]
    assert tests.pairs.p.tolist()[:3] == [0.5, 1.0, 1.0]  # two wins: 2 / 2^2
    assert (tests.pairs.difference[:3] > 0).all()
    assert np.isnan(tests.pairs.low[:3]).all()


def test_own_comparisons_are_those_of_the_two_alone_by_hand():
    topic = [0, 0, 1, 2, 3, 3, 4]
    first, second = [0, 1, 1, 0, 1, 2, 2], [1, 0, 0, 1, 2, 1, 0]
    wins = [1, 0, 0.5, 1, 1, 0.3, 0]  # of 0 against 1: two wins on topic 0, a tie on 1, a win on 2
    comparisons = PairedComparisons.from_arrays(topic, first, second, wins)
    tests = flip_own_comparisons(comparisons, np.array([[0, 1], [1, 0], [1, 2]]))
    assert tests.estimate == pytest.approx([3 / 4, -3 / 4, 1.4 / 2 - 0.0])
    assert tests.n_used.tolist() == [2, 2, 1]
    assert tests.p.tolist() == [0.5, 0.5, 1.0]  # 2 / 2^2, and a topic alone
    never_met = PairedComparisons.from_arrays([0, 1], [0, 1], [1, 2], [1, 1])
    assert flip_own_comparisons(never_met, np.array([[0, 2]])).p.tolist() == [1.0]


def test_own_comparisons_with_another_order_than_strengths_decide_nothing():
    # 1 beat 0 on the one topic where they met; by the others, 0 is far above 1, and no variance is known
    first, second = [1, *[0] * 9, *[2] * 9, 0, 0], [0, *[2] * 9, *[1] * 9, 3, 3]
    wins = [1, *[1] * 8, 0, *[1] * 8, 0, 0, 1]
    comparisons = PairedComparisons.from_arrays(range(21), first, second, wins)
    tests = estimate_preferences(comparisons)
    assert tests.pairs.difference[0] > 1
    assert (tests.pairs.flag[0], tests.pairs.p[0], tests.pairs.p_least[0]) == (OTHER_ORDER, 1.0, 1.0)
    assert not tests.is_own[0]


def test_a_champion_is_first_and_significant_though_it_met_one_only():
    topic = np.repeat(np.arange(12), 3)
    wins = np.stack([np.ones(12), np.arange(12) % 2, np.arange(12) % 3 > 0], axis=1).ravel()
    tests = estimate_preferences(
        PairedComparisons.from_arrays(topic, np.tile([0, 1, 2], 12), np.tile([1, 2, 3], 12), wins)
    )
    assert np.argmax(tests.order) == 0
    assert tests.pairs.p[0] == 2 / 2**12
    assert tests.is_own.tolist() == [True, *[False] * 5]


def test_a_clean_sweep_is_a_finding_without_an_interval():
    tests = estimate_preferences(PairedComparisons.from_arrays(range(40), [0] * 40, [1] * 40, [1] * 40))
    assert tests.pairs.p.tolist() == [1e-4]
    assert np.isnan([tests.pairs.low, tests.pairs.high]).all()
    assert np.diff(tests.strengths.strength) == pytest.approx([-np.log(81)])  # 40.5 to 0.5


def test_equal_systems_differ_in_nothing():
    tests = estimate_preferences(PairedComparisons.from_arrays(range(8), [0] * 8, [1] * 8, [0.5] * 8))
    assert (tests.pairs.flag.tolist(), tests.pairs.p.tolist()) == (["no difference"], [1.0])


@pytest.mark.slow
def test_p_and_interval_never_disagree():
    n_excluded = 0
    for seed in range(60):
        tests = estimate_preferences(
            draw_comparisons(seed, n=60, n_topics=6 + seed % 20), correction="none", n_resamples=499
        ).pairs
        known = ~np.isnan(tests.low)
        excluded = (tests.low > 0) | (tests.high < 0)
        assert (excluded == (tests.p <= 0.05))[known].all()
        n_excluded += excluded.sum()
    assert n_excluded


def test_a_pair_turned_is_turned():
    comparisons = draw_comparisons(9, n=100)
    forth = estimate_preferences(comparisons, pairs=[[0, 1], [2, 3]]).pairs
    back = estimate_preferences(comparisons, pairs=[[1, 0], [3, 2]]).pairs
    assert forth.p.tolist() == back.p.tolist()
    assert forth.difference == pytest.approx(-back.difference)
    assert forth.low == pytest.approx(-back.high)


def test_sides_and_the_order_of_rows_do_not_count():
    comparisons = draw_comparisons(10, n=100)
    turned = PairedComparisons.from_arrays(
        comparisons.topic[::-1],
        comparisons.second[::-1],
        comparisons.first[::-1],
        1 - comparisons.wins[::-1],
    )
    tests, others = estimate_preferences(comparisons), estimate_preferences(turned)
    assert tests.pairs.p.tolist() == others.pairs.p.tolist()
    assert tests.rates.low == pytest.approx(others.rates.low)
    assert tests.strengths.strength == pytest.approx(others.strengths.strength, abs=1e-9)


@pytest.mark.slow
def test_equal_systems_are_seldom_said_to_differ():
    p = [
        estimate_preferences(draw_comparisons(seed, n_topics=15, n=90), n_resamples=199).pairs.p
        for seed in range(300)
    ]
    assert np.mean(np.concatenate(p) <= 0.05) < 0.065
