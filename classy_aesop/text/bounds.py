"""Values of measures that cannot lie beyond their bounds, but are computed with rounding."""

from __future__ import annotations

import numpy as np

from classy_aesop.text.arrays import Floats

ROUNDING_SHARE = 1e-13
"""Share of the range of a measure that rounding can cost: some hundred times what was seen in sums of 10,000 shares."""


def snap_to_bounds(values: Floats, low: float, high: float) -> Floats:
    """Give the bound for values beyond it, or as near to it as rounding may bring them; NaN stays.

    Examples
    --------
    >>> snap_to_bounds(np.array([-1e-17, 0.5, 1 - 2e-16, np.nan]), 0.0, 1.0).tolist()
    [0.0, 0.5, 1.0, nan]
    """
    slack = ROUNDING_SHARE * (high - low)
    near_high: Floats = np.where(values >= high - slack, high, values)
    return np.where(near_high <= low + slack, low, near_high)
