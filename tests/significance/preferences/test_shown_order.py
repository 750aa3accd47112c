"""The order of two outputs: its effect by hand, weights that cancel it, and preferences in a circle."""

import numpy as np
import pytest

from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.preference_tests import estimate_preferences
from classy_aesop.significance.preferences.shown_order import (
    balance_orders,
    estimate_shown_order,
    find_cycle,
)
from tests.significance.preferences.drawn_comparisons import draw_comparisons


def in_two_orders(n_forth, n_back, wins_forth, wins_back):
    """Give comparisons of 0 and 1, a topic each: 0 stands first in the first ones and wins so many, then 1."""
    first = [0] * n_forth + [1] * n_back
    wins = np.zeros(n_forth + n_back)
    wins[:wins_forth] = 1
    wins[n_forth : n_forth + wins_back] = 1
    return PairedComparisons.from_arrays(range(n_forth + n_back), first, 1 - np.array(first), wins)


def test_the_effect_is_the_difference_of_shares_within_a_pair():
    # 0 wins 9 of 12 where it stands first and 2 of 8 where it stands second (1 wins 6 of 8)
    order = estimate_shown_order(in_two_orders(12, 8, 9, 6))
    assert order.effect == pytest.approx(9 / 12 - 2 / 8)
    assert (order.n, order.n_lower_first.tolist(), order.n_upper_first.tolist()) == (20, [12], [8])
    assert order.low < order.effect < order.high


def test_one_order_alone_has_no_effect():
    order = estimate_shown_order(in_two_orders(20, 0, 20, 0))
    assert np.isnan(order.effect)
    assert (order.p, order.n, order.are_orders_unequal, order.is_place_preferred) == (1.0, 0, False, False)


def test_an_effect_has_the_p_of_flipped_topics():
    # the first always wins: each topic is on the same side, 2 / 2^10
    order = estimate_shown_order(in_two_orders(5, 5, 5, 5))
    assert (order.effect, order.p) == (1.0, 2 / 2**10)
    assert order.is_place_preferred


@pytest.mark.parametrize(("n_forth", "is_unequal"), [(32, True), (24, False), (20, False)])
def test_unequal_orders_by_chi_squared(n_forth, is_unequal):
    order = estimate_shown_order(in_two_orders(n_forth, 40 - n_forth, 10, 4))
    assert order.are_orders_unequal == is_unequal  # (32 - 8)^2 / 40 = 14.4, p < .001; (24 - 16)^2 / 40 = 1.6


def test_weights_make_a_rate_the_mean_of_the_two_orders():
    comparisons = in_two_orders(30, 10, 24, 7)
    balanced = balance_orders(comparisons, estimate_shown_order(comparisons))
    assert balanced.rates[0, 1] == pytest.approx((24 / 30 + 3 / 10) / 2)
    assert balanced.weights.sum() == pytest.approx(40)
    assert balanced.counts == pytest.approx([40])


def test_pairs_in_one_order_keep_their_weight():
    comparisons = PairedComparisons.from_arrays(range(5), [0, 0, 0, 1, 0], [1, 1, 1, 0, 2], [1, 0, 1, 1, 1])
    balanced = balance_orders(comparisons, estimate_shown_order(comparisons))
    assert balanced.weights == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2, 1])


def test_equal_orders_change_nothing():
    comparisons = in_two_orders(20, 20, 15, 9)
    balanced = balance_orders(comparisons, estimate_shown_order(comparisons))
    tests, others = estimate_preferences(comparisons), estimate_preferences(balanced)
    assert (tests.pairs.p.tolist(), tests.pairs.low.tolist()) == (
        others.pairs.p.tolist(),
        others.pairs.low.tolist(),
    )


def test_a_topic_alone_leaves_a_weighted_system_without_a_rate_there():
    # the weights of the three comparisons on topic 0 do not add up to their sum exactly
    comparisons = PairedComparisons.from_arrays(
        [0, 0, 0, 0, 1], [0, 0, 0, 1, 2], [1, 1, 1, 0, 1], [1, 0, 1, 1, 1]
    )
    balanced = balance_orders(comparisons, estimate_shown_order(comparisons))
    assert estimate_preferences(balanced).rates.flag[0] == "fewer than two topics"


def circle(n_systems, n_topics):
    """Give comparisons in which each system beats the next, and the last the first."""
    systems = np.tile(np.arange(n_systems), n_topics)
    topic = np.repeat(np.arange(n_topics), n_systems)
    return PairedComparisons.from_arrays(topic, systems, (systems + 1) % n_systems, np.ones(len(systems)))


@pytest.mark.parametrize("n_systems", [3, 4, 6])
def test_a_circle_is_found_whole_and_in_order(n_systems):
    cycle = find_cycle(circle(n_systems, 12))
    assert sorted(cycle) == list(range(n_systems))
    assert np.diff([*cycle, cycle[0]]).tolist().count(1) == n_systems - 1


def test_the_shortest_circle_is_named():
    long, short = circle(5, 14), circle(3, 14)
    joined = PairedComparisons.from_arrays(
        np.concatenate([long.topic, short.topic]),
        np.concatenate([long.first, short.first + 4]),
        np.concatenate([long.second, short.second + 4]),
        np.ones(len(long.wins) + len(short.wins)),
    )
    assert sorted(find_cycle(joined)) == [4, 5, 6]


def test_few_topics_show_no_circle():
    # by 5 topics no p is below 2/2^5 = .0625
    assert find_cycle(circle(3, 5), correction="none") == []
    assert sorted(find_cycle(circle(3, 6), correction="none")) == [0, 1, 2]


def test_an_order_has_no_circle():
    for seed in range(5):
        assert find_cycle(draw_comparisons(seed, n_systems=5, n=300)) == []
