"""Bounds of measures hold to the bit."""

import numpy as np

from classy_aesop.text.bounds import snap_to_bounds


def test_rounding_is_no_value_beyond_a_bound():
    values = np.array([[-3e-17, 2e-16, 0.25], [1 - 1e-15, 1 + 4e-16, np.nan]])
    assert snap_to_bounds(values, 0.0, 1.0)[0].tolist() == [0.0, 0.0, 0.25]
    assert snap_to_bounds(values, 0.0, 1.0)[1].tolist()[:2] == [1.0, 1.0]
    assert np.isnan(snap_to_bounds(values, 0.0, 1.0)[1, 2])
    assert snap_to_bounds(np.array([100.00000000000004, 1e-9]), 0.0, 100.0).tolist() == [100.0, 1e-9]


def test_small_values_stay():
    values = np.array([1e-12, 1 - 1e-12])
    assert snap_to_bounds(values, 0.0, 1.0).tolist() == values.tolist()
