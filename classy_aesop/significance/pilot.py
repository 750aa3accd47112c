"""What does a pilot leave possible? The true variance, when only so many degrees of freedom tell it.

The sum of squares is the true variance times chi-squared, if scores are normal (Browne, 1995, for planning by it).
Plans of ``power`` and of ``estimate-plan`` are made again for the ends of what the pilot leaves possible.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from classy_aesop.significance.base import FloatArray

ENDS = (0.025, 0.975)
"""Between these quantiles lies what is taken for possible."""


def variance_ends(df: float) -> FloatArray:
    """Give the least and the greatest variance that is possible, as a multiple of the pilot's.

    Examples
    --------
    >>> variance_ends(9).round(2).tolist()
    [0.47, 3.33]
    """
    return np.asarray(df / stats.chi2.ppf(ENDS[::-1], df))


def variance_draws(df: FloatArray, rng: np.random.Generator, n_draws: int) -> FloatArray:
    """Draw variances that are possible, as multiples of the pilot's."""
    return np.asarray(df / rng.chisquare(df, n_draws))
