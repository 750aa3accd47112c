"""Columns too small or too large to be squared, such as likelihoods near e^-400, in units in which they are not.

Powers of two change no digit, and all other columns keep the unit 1.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.fitters.least_squares import Array

SMALLEST = 2.0**-300
"""Columns whose largest value is smaller, or larger than one over this, get a unit of their own."""

VANISHING = 2.0**-1000
"""Columns whose largest value is smaller count as 0: no weight that a number can hold makes anything of them."""


def units_of(X: Array) -> Array:
    """Return what to divide each column of X (n, p) by before a fit, and its weight by afterwards, (p,).

    Examples
    --------
    >>> X = np.array([[0.5, 2.0**-400], [1.0, 0.0]])
    >>> X / units_of(X)
    array([[0.5, 1. ],
           [1. , 0. ]])
    """
    largest = np.abs(X).max(axis=0, initial=0.0)
    odd = (largest > 0) & ((largest < SMALLEST) | (largest > 1 / SMALLEST))
    units = np.where(odd, 2.0 ** np.floor(np.log2(np.where(odd, largest, 1.0))), 1.0)
    return np.where(odd & (largest < VANISHING), np.inf, units)
