"""The paired and the unpaired t as tests of pairs of summarizers.

Rankel et al. (2011), section 2; Rankel (2016), sections 4.2 and 4.3.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import ROUNDING, BoolArray, FloatArray
from classy_aesop.significance.near_ties import settled, slack_of_pairs
from classy_aesop.significance.pair_statistic import Floats, PairOutcome, PairStatistic, SizeParts
from classy_aesop.significance.recipes import Recipe
from classy_aesop.significance.t_tests import (
    MeanDifference,
    paired_difference,
    t_p,
    t_statistic,
    unpaired_difference,
)


def _unpaired(x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
    same = np.all((np.abs(x - y) <= slack_of_pairs(x, y)) | np.isnan(x + y), axis=1)
    return _outcome(unpaired_difference(x, y, recipe), same, recipe, alternative)


def _paired(x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
    mean = paired_difference(x, y)
    return _outcome(mean, (mean.mean == 0) & (mean.error == 0), recipe, alternative)


def _outcome(mean: MeanDifference, same: BoolArray, recipe: Recipe, alternative: str) -> PairOutcome:
    t = t_statistic(mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.where(t == 0, 0.0, mean.mean / mean.spread)
    return PairOutcome(mean, t, t_p(t, mean.df, recipe, alternative), effect, mean.n, same)


def _within_one(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give differences and means of the two in units of each pair's largest score, so that all have one slack."""
    slack = slack_of_pairs(x, y)
    unit = np.where(slack > 0, slack / ROUNDING, 1.0)
    return settled(x - y, slack) / unit, (x + y) / 2 / unit


def _differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> Floats:
    """Give the differences: exchanges do not change their squares, so both t grow with the size of their sum."""
    return np.nan_to_num(_within_one(x, y)[0])


def _unpaired_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the summed differences and the sum of squares of all scores around their joint mean."""
    z, both = (S.T for S in _within_one(x, y))
    both = both - both.mean(axis=0)
    square = 2 * both**2 + z**2 / 2

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        Q = drawn @ square
        Q -= 2 * (drawn @ both) ** 2 / drawn.sum(axis=1)[:, None]
        return _defined(np.abs(signed @ z), Q)

    return parts


def _paired_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the summed differences and the sum of their squares."""
    z = _within_one(x, y)[0].T
    square = z**2

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        return _defined(np.abs(signed @ z), drawn @ square)

    return parts


def _defined(S: FloatArray, Q: FloatArray) -> tuple[Floats, FloatArray]:
    """Give S and Q, t^2 growing with S^2/Q; 0 and 1 where nothing varies."""
    return np.where(Q > 0, S, 0.0), np.where(Q > 0, Q, 1.0)


UNPAIRED_T = PairStatistic(
    "unpaired_t", _unpaired, mc=_differences, hb=_unpaired_parts, about="Student's t of the two means"
)
PAIRED_T = PairStatistic(
    "paired_t", _paired, mc=_differences, hb=_paired_parts, about="Student's t of the differences by topic"
)
