"""Planned looks at data that grow: the level of each, so that all together err as often as one test.

Of K looks, equally far apart, the k-th may spend what O'Brien and Fleming's function allows: by then the chance of a
false finding in one direction is 2 - 2 Phi(z / sqrt(k / K)), z the normal quantile of 1 - alpha / 4. The statistics of
the looks are those of a Brownian motion, whose chance of staying within the earlier bounds is integrated numerically.

O'Brien and Fleming (1979); Lan and DeMets (1983); Armitage, McPherson and Rowe (1969).
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA

MAX_LOOKS = 50
"""Most looks that can be planned."""

N_PLACES = 150
"""Nodes of the Gauss-Legendre integral between the bounds of a look."""

MAX_BOUND = 40.0
"""Bound that no motion reaches."""


def level_of_look(look: int, n_looks: int, alpha: float = ALPHA) -> float:
    """Give the level of one look of several, equally far apart: a p at most this is significant.

    Parameters
    ----------
    look : int
        Number of this look, from 1.
    n_looks : int
        How many are planned, at most `MAX_LOOKS`.
    alpha : float
        Chance of a false finding at any of the looks.

    Returns
    -------
    float
        Two-sided level; with one look it is ``alpha``.

    Raises
    ------
    ValueError
        The look is none of those planned, or more than `MAX_LOOKS` are.

    Examples
    --------
    >>> [round(level_of_look(look, 4), 5) for look in (1, 2, 3, 4)]
    [1e-05, 0.00305, 0.01832, 0.044]
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    shares = np.arange(1, look + 1) / n_looks
    spent = 4 * ndtr(-ndtri(1 - alpha / 4) / np.sqrt(shares))
    nodes, weights = np.polynomial.legendre.leggauss(N_PLACES)
    step = np.sqrt(1 / n_looks)
    bound = float(-ndtri(spent[0] / 2) * step)
    places = bound * nodes
    masses = bound * weights * _normal_density(places / step) / step
    for leaving in np.diff(spent):
        bound = float(brentq(_excess_beyond, 0.0, MAX_BOUND, args=(places, masses, step, leaving)))
        next_places = bound * nodes
        jumps = (next_places[:, None] - places) / step
        masses = bound * weights * (_normal_density(jumps) / step @ masses)
        places = next_places
    return float(2 * ndtr(-bound / np.sqrt(shares[-1])))


def _excess_beyond(
    bound: float, places: FloatArray, masses: FloatArray, step: float, leaving: float
) -> float:
    """Chance that a step leads from within the earlier bounds beyond this one, less the chance that it should have."""
    from scipy.special import ndtr

    return float(masses @ (ndtr((-bound - places) / step) + ndtr((places - bound) / step))) - leaving


def _normal_density(z: FloatArray) -> FloatArray:
    """Density of the standard normal distribution."""
    return np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
