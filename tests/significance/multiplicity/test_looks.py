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


@pytest.mark.slow
def test_t_tests_at_all_looks_err_as_often_as_one():
    rng = np.random.default_rng(0)
    differences = rng.normal(size=(20_000, 80))
    found = np.zeros((2, len(differences)), bool)
    for look in (1, 2, 3, 4):
        p = stats.ttest_1samp(differences[:, : 20 * look], 0, axis=1).pvalue
        found[0] |= p <= level_of_look(look, 4)
        found[1] |= p <= 0.05
    corrected, uncorrected = found.mean(axis=1)
    assert corrected == pytest.approx(0.05, abs=0.006)
    assert uncorrected > 0.11
