"""The paired and the unpaired t-test of two summarizers, on many rows of paired scores at once.

Rankel (2016), sections 3.2, 3.7 and 4.2; Rankel et al. (2011), section 2. Two sections differ: by default the unpaired
t pools the variances, as in 4.2; with equally many topics the statistic is the same number, and only the degrees of
freedom are those of Welch in 3.7.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.significance.base import AnyFloats, FloatArray
from classy_aesop.significance.equality import ROUNDING, round_to_zero, rounding_slack_of_pairs
from classy_aesop.significance.mean_differences import MeanDifferences
from classy_aesop.significance.pairs.pair_statistics import (
    PairOutcome,
    PairStatistic,
    Recipe,
    ResampledSizes,
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
        if not paired and recipe.variance == "welch":
            ratio = (np.minimum(root_x, root_y) / np.maximum(root_x, root_y)) ** 2
            df = df / 2 * (1 + ratio) ** 2 / (1 + ratio**2)
        t = np.where((error == 0) & (mean == 0), 0.0, mean / error)
        effect = np.where(t == 0, 0.0, mean / deviation)
    if recipe.reference == "normal":
        df = np.full(len(mean), np.inf)
    tested = MeanDifferences(mean, error, df, n)
    return PairOutcome(
        n=n,
        n_used=n,
        difference=mean,
        statistic=t,
        effect=effect,
        same=np.all(~(np.abs(x - y) > slack), axis=1),
        p=tested.p,
        interval=tested.interval,
        error=error,
        df=df,
    )


def _scale_pair_to_one(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Differences and means of the two in units of each pair's largest score, so that all have one slack."""
    slack = rounding_slack_of_pairs(x, y)
    unit = np.where(slack > 0, slack / ROUNDING, 1.0)
    return round_to_zero(x - y, slack) / unit, (x + y) / 2 / unit


def _scaled_differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> AnyFloats:
    """Differences by topic for MC; both t grow with the size of their sum, as exchanges keep the squares."""
    differences: AnyFloats = np.nan_to_num(_scale_pair_to_one(x, y)[0])
    return differences


def _t_sizes(x: FloatArray, y: FloatArray, recipe: Recipe, *, paired: bool) -> ResampledSizes:
    """Size of the summed differences, and the sum of squares by which it is divided, for HB.

    The squares are those of the differences, or for the unpaired t those of the scores around their joint mean: t^2
    grows with the square of the first over the second; they are 0 and 1 where nothing varies.
    """
    differences, means = _scale_pair_to_one(x, y)
    z = differences.T
    joint = means.T
    joint = joint - joint.mean(axis=0)
    square = z**2 if paired else 2 * joint**2 + z**2 / 2

    def sizes(counts: FloatArray, signed_counts: FloatArray) -> tuple[AnyFloats, FloatArray]:
        """Give both for each resample and pair."""
        size = np.abs(signed_counts @ z)
        square_sum = counts @ square
        if not paired:
            square_sum -= 2 * (counts @ joint) ** 2 / counts.sum(axis=1)[:, None]
        return np.where(square_sum > 0, size, 0.0), np.where(square_sum > 0, square_sum, 1.0)

    return sizes


UNPAIRED_T = PairStatistic(
    "unpaired_t",
    partial(_t_outcome, paired=False),
    mc=_scaled_differences,
    hb=partial(_t_sizes, paired=False),
    about="Student's t of the two means",
)

PAIRED_T = PairStatistic(
    "paired_t",
    partial(_t_outcome, paired=True),
    mc=_scaled_differences,
    hb=partial(_t_sizes, paired=True),
    about="Student's t of the differences by topic",
)
