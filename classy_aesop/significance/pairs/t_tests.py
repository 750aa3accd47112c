"""The paired and the unpaired t-test of two summarizers, on many rows of paired scores at once.

Rankel (2016), sections 3.2, 3.7 and 4.2; Rankel et al. (2011), section 2. Two sections differ: the unpaired t pools
the variances, as in 4.2; with equally many topics the statistic is the same number, and only the degrees of freedom
are those of Welch in 3.7.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import rounding_slack_of_pairs
from classy_aesop.significance.mean_differences import interval_of_mean_differences, p_of_mean_differences
from classy_aesop.significance.pairs.pair_statistics import (
    PairOutcome,
    PairStatistic,
    Recipe,
    difference_moments,
    row_moments,
)


def _t_outcome(x: FloatArray, y: FloatArray, recipe: Recipe, *, paired: bool) -> PairOutcome:
    """Test by Student's t: infinite if a difference never varies, 0 if there is none, NaN for fewer than two topics."""
    n, mean, root = difference_moments(x, y)
    shared = ~np.isnan(x + y)
    slack = rounding_slack_of_pairs(x, y)
    df: FloatArray = np.asarray(n - 1.0, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        if not paired:
            root_x = row_moments(x, shared, n, slack[:, 0])[1]
            root_y = row_moments(y, shared, n, slack[:, 0])[1]
            root = np.hypot(root_x, root_y)
            df = 2 * df
        deviation = root / np.sqrt(np.where(n > 1, df, np.nan))
        error = deviation * np.sqrt((1 if paired else 2) / n)
        t = np.where((error == 0) & (mean == 0), 0.0, mean / error)
        effect = np.where(t == 0, 0.0, mean / deviation)
    estimates = (mean, error, df, n)
    return PairOutcome(
        n=n,
        n_used=n,
        difference=mean,
        statistic=t,
        effect=effect,
        same=np.all(~(np.abs(x - y) > slack), axis=1),
        p=p_of_mean_differences(*estimates),
        interval=partial(interval_of_mean_differences, *estimates),
        error=error,
        df=df,
    )


UNPAIRED_T = PairStatistic(
    "unpaired_t",
    partial(_t_outcome, paired=False),
    about="Student's t of the two means",
)

PAIRED_T = PairStatistic(
    "paired_t",
    partial(_t_outcome, paired=True),
    about="Student's t of the differences by topic",
)
