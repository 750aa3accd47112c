"""Metrics that are human scores are found, and others are not."""

import numpy as np
import pytest
from numpy.random import default_rng

from classy_aesop.data.human_copies import describe_human_copy

HUMAN = np.tile([1.0, 2, 3, 4, 5, 3, 2, 4], 60)


def changed(n):
    """Some cells changed by a point."""
    scores = HUMAN.copy()
    scores[:n] += 1
    return scores


def test_equal_cells_are_counted():
    for n, sentence in (
        (0, "judge equals quality in 480 of 480 cells"),
        (5, "judge equals quality in 475 of 480 cells"),
        (20, ""),
    ):
        assert describe_human_copy("judge", "quality", changed(n), HUMAN) == sentence


@pytest.mark.parametrize("scores", [HUMAN / 5, 20 * HUMAN, 6 - HUMAN, 1e9 + HUMAN], ids=str)
def test_another_unit_is_a_copy_and_so_is_the_opposite(scores):
    assert describe_human_copy("m", "q", scores, HUMAN) == "m is a linear function of q in all 480 cells"


def test_rounded_means_are_a_copy():
    means = np.tile([1, 4 / 3, 5 / 3, 7 / 3, 3, 11 / 3, 5], 4)
    assert describe_human_copy("m", "q", means.round(2), means)


def test_what_is_no_copy():
    rng = default_rng(0)
    assert not describe_human_copy("m", "q", HUMAN + 0.1 * rng.normal(size=480), HUMAN)
    assert not describe_human_copy("m", "q", HUMAN[:9], HUMAN[:9])  # too few
    assert not describe_human_copy("m", "q", np.ones(20), np.ones(20))  # constant
    assert not describe_human_copy("m", "q", [0.3, 0.7] * 8, [0, 1] * 8)  # two levels always lie on a line
    assert describe_human_copy("m", "q", [0, 1] * 8, [0, 1] * 8)
    assert not describe_human_copy("m", "q", np.full(480, np.nan), HUMAN)
