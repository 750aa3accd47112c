"""Which variances does a pilot leave plausible?

The sum of squares is the true variance times chi-squared, if scores are normal (Browne, 1995, for planning by it).
Plans are made again for both ends of the 95 % interval of the variance.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray

PLAUSIBLE_QUANTILES = (0.025, 0.975)
"""Quantiles between which a variance is plausible."""


def variance_limits(df: float) -> FloatArray:
    """The least and the greatest plausible variance, as multiples of the pilot's with these degrees of freedom.

    Examples
    --------
    >>> variance_limits(9).round(2).tolist()
    [0.47, 3.33]
    """
    from scipy import stats

    return np.asarray(df / stats.chi2.ppf(PLAUSIBLE_QUANTILES[::-1], df))
