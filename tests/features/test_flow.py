from itertools import permutations

import numpy as np
import pytest

from classy_aesop.features.sentences import flow_near, flow_next, flow_order

# cosines: first and second 1/sqrt(2), second and third 1/2, first and third 0
SENTENCES = ["a", "a b", "b c"]
FIRST, SECOND = 1 / np.sqrt(2), 1 / 2


def test_flow_by_hand(values):
    assert values(flow_next, [SENTENCES]) == pytest.approx([(FIRST + SECOND) / 2])
    assert values(flow_near, [SENTENCES]) == pytest.approx([(FIRST + SECOND) / 2.5])
    assert values(flow_order, [SENTENCES]) == pytest.approx([(FIRST + SECOND) / 6])


def test_order_of_sentences_counts(values):
    turned = [["a", "b c", "a b"]]
    assert values(flow_next, turned) == pytest.approx([SECOND / 2])
    assert values(flow_near, turned) == pytest.approx([(SECOND + FIRST / 2) / 2.5])
    assert values(flow_order, turned) == pytest.approx([SECOND / 2 - (FIRST + SECOND) / 3])


def test_order_says_nothing_on_average_over_all_orders(values):
    sentences = ["a", "a b", "b c", "a c d"]
    found = values(flow_order, list(map(list, permutations(sentences))))
    assert np.mean(found) == pytest.approx(0)
    assert np.ptp(found) > 0.1


def test_equal_sentences_flow_fully_in_any_order(values):
    for function, value in ((flow_next, 1), (flow_near, 1), (flow_order, 0)):
        assert values(function, [["a b"] * 2, ["a b c"] * 5]) == [value, value]


@pytest.mark.parametrize("function", [flow_next, flow_near, flow_order])
def test_one_sentence_or_none_does_not_flow(values, function):
    assert values(function, [["a b"], [], ["...", "a"]]) == [0, 0, 0]
    assert values(function, []) == []
    assert values(function, [["a", "b"], ["a", "a"]])[0] == 0
