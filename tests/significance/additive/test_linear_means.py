"""Systems and topics that a table links, and what a system alone tells."""

import numpy as np
import pytest

from classy_aesop.significance.additive.linear_means import (
    RatingRows,
    group_connected,
    normal_equations,
    rank_of_groups,
)


def test_components_of_graphs():
    path = np.diag(-np.ones(5), 1)
    information = np.stack([path + path.T, np.zeros_like(path), path + path.T])
    information[2, 2, 3] = information[2, 3, 2] = 0
    present = np.array([[1] * 6, [1] + [0] * 5, [1, 1, 1, 0, 0, 0]], dtype=bool)
    assert group_connected(information, present).tolist() == [[0] * 6, [0] + [-1] * 5, [0] * 3 + [-1] * 3]
    everybody = group_connected(information, np.ones((3, 6), bool))
    assert everybody.tolist() == [[0] * 6, list(range(6)), [0, 0, 0, 1, 1, 1]]
    assert rank_of_groups(everybody).tolist() == [5, 0, 4]
    assert rank_of_groups(np.full(3, -1)) == 0


@pytest.mark.parametrize("n_topics", [1, 7, 49])
def test_a_system_alone_has_no_effect(n_topics):
    """Its information is 0 but for rounding, which is not divided by."""
    topic = np.arange(200) % n_topics
    y = np.random.default_rng(0).normal(size=200) + 5
    rows = RatingRows(y, np.zeros(200, np.int64), topic, None, 1, n_topics, 0, np.arange(n_topics))
    assert normal_equations(rows).system_effect == pytest.approx([0.0], abs=1e-12)
