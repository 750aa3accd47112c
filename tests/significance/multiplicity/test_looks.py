"""Levels of planned looks: other software, what all looks spend together, and simulated t-tests."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.multiplicity.looks import level_of_look


@pytest.mark.parametrize(
    ("n_looks", "bounds"),
    [
        (1, [1.960]),
        (2, [2.963, 1.969]),
        (3, [3.710, 2.511, 1.993]),
        (4, [4.333, 2.963, 2.359, 2.014]),
        (5, [4.877, 3.357, 2.680, 2.290, 2.031]),
    ],
)
def test_bounds_of_other_software(n_looks, bounds):
    """Lan and DeMets' bounds for O'Brien and Fleming's function, as gsDesign and ldbounds (R) give them."""
    levels = [level_of_look(look, n_looks) for look in range(1, n_looks + 1)]
    assert stats.norm.isf(np.array(levels) / 2) == pytest.approx(bounds, abs=6e-4)


def test_levels_grow_and_end_below_the_one_of_a_single_look():
    levels = [level_of_look(look, 8) for look in range(1, 9)]
    assert levels == sorted(levels)
    assert levels[-1] < 0.05 < 8 * levels[-1]
