"""The paired and the unpaired t-test of two summarizers, on many rows of paired scores at once.

Rankel (2016), sections 3.2, 3.7 and 4.2; Rankel et al. (2011), section 2. Two sections differ: by default the unpaired
t pools the variances, as in 4.2; with equally many topics the statistic is the same number, and only the degrees of
freedom are those of Welch in 3.7.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.significance.base import FloatArray, Floats
from classy_aesop.significance.equality import ROUNDING, round_to_zero, rounding_slack_of_pairs
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
    from scipy.special import ndtr, ndtri, stdtr, stdtrit

    n, mean, root = difference_moments(x, y)
    df, shared, slack = n - 1.0, ~np.isnan(x + y), rounding_slack_of_pairs(x, y)
    with np.errstate(invalid="ignore", divide="ignore"):
        if not paired:
            one, other = (row_moments(z, shared, n, slack[:, 0])[1] for z in (x, y))
            root, df = np.hypot(one, other), 2 * df
        spread = root / np.sqrt(np.where(n > 1, df, np.nan))
        error = spread * np.sqrt((1 if paired else 2) / n)
        if not paired and recipe.variance == "welch":
            ratio = (np.minimum(one, other) / np.maximum(one, other)) ** 2
            df = df / 2 * (1 + ratio) ** 2 / (1 + ratio**2)
        t = np.where((error == 0) & (mean == 0), 0.0, mean / error)
        effect = np.where(t == 0, 0.0, mean / spread)

    def p(alternative: str) -> FloatArray:
        """Give the p-value of each pair."""
        at = {"two-sided": -np.abs(t), "greater": -t, "less": t}[alternative]
        below = ndtr(at) if recipe.reference == "normal" else np.where(np.isinf(at), at > 0, stdtr(df, at))
        return np.where(np.isnan(t), 1.0, np.minimum(below * (1 + (alternative == "two-sided")), 1.0))

    def interval(level: float) -> tuple[FloatArray, FloatArray]:
        """Give the ends of each difference."""
        upper = (1 + level) / 2
        known, which = np.unique(np.where(df > 0, df, np.nan), return_inverse=True)
        quantile = ndtri(upper) if recipe.reference == "normal" else stdtrit(known, upper)[which]
        half = np.where(error == 0, 0.0, quantile * error)
        return mean - half, mean + half

    same = np.all(~(np.abs(x - y) > slack), axis=1)
    return PairOutcome(n, n, mean, t, effect, same, p, interval)


def scale_pair_to_one(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give differences and means of the two in units of each pair's largest score, so that all have one slack."""
    slack = rounding_slack_of_pairs(x, y)
    unit = np.where(slack > 0, slack / ROUNDING, 1.0)
    return round_to_zero(x - y, slack) / unit, (x + y) / 2 / unit


def _t_parts(x: FloatArray, y: FloatArray, recipe: Recipe, *, paired: bool) -> ResampledSizes:
    """Give the size of the summed differences and the sum of their squares, or of the scores' around their joint mean.

    t^2 grows with the square of the first over the second; they are 0 and 1 where nothing varies.
    """
    z, both = (S.T for S in scale_pair_to_one(x, y))
    both = both - both.mean(axis=0)
    square = z**2 if paired else 2 * both**2 + z**2 / 2

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        S, Q = np.abs(signed @ z), drawn @ square
        if not paired:
            Q -= 2 * (drawn @ both) ** 2 / drawn.sum(axis=1)[:, None]
        return np.where(Q > 0, S, 0.0), np.where(Q > 0, Q, 1.0)

    return parts


UNPAIRED_T, PAIRED_T = (
    PairStatistic(
        name,
        partial(_t_outcome, paired=paired),
        mc=lambda x, y, _: np.nan_to_num(
            scale_pair_to_one(x, y)[0]
        ),  # whose sum both t grow with, as squares stay
        hb=partial(_t_parts, paired=paired),
        about=f"Student's t of the {what}",
    )
    for name, paired, what in (("unpaired_t", False, "two means"), ("paired_t", True, "differences by topic"))
)
