"""For which system are a judge's scores too high? The mean of judge less human scores, by system.

A judge is any metric beside human scores of the same cells. Its *bias* for a system is the mean, over the system's
topics, of its score on the human scale less the human one. A bias that all systems share changes no ranking: what
matters is how biases differ, which the additive model ``difference = system + topic + error`` tests pair by pair,
with errors clustered by topic.

*On the human scale*: as they are, where both use one scale; else a linear map, the same for all cells, gives the
judge's scores the mean and the standard deviation of the human ones. A regression of the human scores on the judge's
would shrink the systems of a noisy judge toward each other, and call it too harsh on the best of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.contrasts import compare_least_squares_means
from classy_aesop.significance.additive.mean_intervals import errors_of_plain_means
from classy_aesop.significance.additive.two_way_fit import TwoWayFit
from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    score_matrices,
)
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.differences import Differences
from classy_aesop.significance.equality import ROUNDING, rounding_slack, snap_ties
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, ONE_TOPIC

MIN_RANGE_SHARE = 0.5
"""A judge within the range of the human scores is on their scale if it uses this share of it."""
NO_CELL = "no cell with both"
CONSTANT_JUDGE = "constant judge"


@dataclass(frozen=True, slots=True)
class JudgeBias:
    """Biases of a judge; arrays of shape (n_systems,).

    Attributes
    ----------
    human_mean, judge_mean : ndarray
        Least-squares means of the cells that have both, the judge's on the human scale; NaN without one, and all where
        systems share no topics. A judge that gives one score only has no linear map to the human scale: where one is
        needed, its means, biases and their differences are NaN.
    human_rank, judge_rank : ndarray of int
        From 1 for the highest mean, equal for equal means; 0 without a mean.
    bias, low, high : ndarray
        Mean over the system's topics of the judge's score on the human scale less the human one, and its interval by
        Student's t over topics; without ends where the variance is not estimated.
    relative : ndarray
        Least-squares bias less its mean over the systems: how much higher the judge scores this one.
    tests : Differences
        Tests of the differences of all pairs of biases, from the additive model.
    n_topics : ndarray of int
        Topics with both scores.
    flag : ndarray of str
        Why there is no interval; else empty.
    scale : str
        ``as-is`` or ``matched``.
    """

    human_mean: FloatArray
    judge_mean: FloatArray
    human_rank: IntArray
    judge_rank: IntArray
    bias: FloatArray
    low: FloatArray
    high: FloatArray
    relative: FloatArray
    tests: Differences
    n_topics: IntArray
    flag: np.ndarray[Any, Any]
    scale: str

    def kinder(self, alpha: float = ALPHA) -> BoolArray:
        """Which system (row) the judge favours significantly over which (column)."""
        return self.tests.better(len(self.bias), alpha)


def judge_bias(
    judge: ArrayLike,
    human: ArrayLike,
    *,
    scale: str = "auto",
    correction: str = "holm",
    confidence: float = 0.95,
) -> JudgeBias:
    """Estimate the bias of a judge for each system, and test how biases differ.

    Shapes: ``judge`` and ``human`` (n_systems, n_topics).

    Examples
    --------
    >>> human = [[4.0, 5, 4, 5], [3, 3, 2, 3], [2, 1, 2, 1]]
    >>> judge = [[4.0, 5, 4, 4], [5, 5, 4, 5], [2, 1, 2, 2]]
    >>> result = judge_bias(judge, human)
    >>> result.bias.tolist(), result.human_rank.tolist(), result.judge_rank.tolist()
    ([-0.25, 2.0, 0.25], [1, 2, 3], [2, 1, 3])
    >>> result.kinder()[1].tolist()  # the second system over the others
    [True, False, True]
    """
    X, Z = score_matrices(judge=judge, human=human)
    valid = ~np.isnan(X) & ~np.isnan(Z)
    if scale == "auto":
        scale = "as-is" if is_on_scale(X[valid], Z[valid]) else "matched"
    slope = 1.0
    intercept = 0.0
    if scale == "matched":
        slope, intercept = match_scale(X[valid], Z[valid])
    on_human_scale = np.where(valid, slope * X + intercept, np.nan)
    difference = np.where(valid, on_human_scale - Z, np.nan)
    slack = float(rounding_slack(Z[valid]))
    errors = errors_of_plain_means(difference)
    residuals = np.nan_to_num(difference - errors.mean[:, None])
    n_topics = valid.sum(axis=1)
    is_constant = np.abs(residuals).max(axis=1, initial=0.0) <= 4 * slack
    reasons = [n_topics == 0, np.full(len(X), np.isnan(slope)), n_topics == 1, is_constant]
    flag = np.select(reasons, [NO_CELL, CONSTANT_JUDGE, ONE_TOPIC, CONSTANT_DIFFERENCE], "")
    half_width = np.where(flag == "", errors.quantile(confidence) * errors.error, np.nan)
    design = TwoWayFit(valid)
    human_mean = design.means(np.where(valid, Z, 0.0))
    judge_mean = design.means(np.where(valid, on_human_scale, 0.0))
    system, topic = np.nonzero(~np.isnan(difference))
    model = fit_additive_model(difference[system, topic], system, topic, n_systems=len(X))
    is_connected = model.group.max(initial=-1) == 0
    return JudgeBias(
        human_mean=human_mean,
        judge_mean=judge_mean,
        human_rank=_rank_means(human_mean, slack),
        judge_rank=_rank_means(judge_mean, slack),
        bias=errors.mean,
        low=errors.mean - half_width,
        high=errors.mean + half_width,
        relative=model.mean - (np.nanmean(model.mean) if is_connected else np.nan),
        tests=compare_least_squares_means(model, correction=correction, confidence=None),
        n_topics=n_topics,
        flag=flag,
        scale=scale,
    )


def is_on_scale(judge: FloatArray, human: FloatArray) -> bool:
    """Whether a judge's scores lie in the range of the human scores and span at least `MIN_RANGE_SHARE` of it.

    Examples
    --------
    >>> grades = np.array([1.0, 3, 5, 4])
    >>> is_on_scale(np.array([2.0, 5, 4, 4]), grades), is_on_scale(np.array([0.2, 0.9]), grades)
    (True, False)
    """
    if not len(human):
        return False
    slack = float(rounding_slack(human))
    inside = judge.min() >= human.min() - slack and judge.max() <= human.max() + slack
    return bool(inside and np.ptp(judge) >= MIN_RANGE_SHARE * np.ptp(human))


def match_scale(judge: FloatArray, human: FloatArray) -> tuple[float, float]:
    """Slope and intercept that give the judge's scores the mean and standard deviation of the human ones.

    Both are NaN if the judge gives one score only.

    Examples
    --------
    >>> slope, intercept = match_scale(np.array([0.0, 1.0]), np.array([2.0, 4.0]))
    >>> round(slope, 6), round(intercept, 6)
    (2.0, 2.0)
    """
    if not len(human):
        return 1.0, 0.0
    largest = float(np.abs(judge).max()) or 1.0  # so that no square vanishes or overflows
    spread = float((judge / largest).std())
    if spread <= ROUNDING:
        return float("nan"), float("nan")
    slope = float(human.std()) / spread / largest
    return slope, float(human.mean()) - slope * float(judge.mean())


def _rank_means(means: FloatArray, slack: float) -> IntArray:
    """Rank means from 1 for the highest, equal ones equally; 0 for NaN."""
    snapped = snap_ties(means, slack)
    return np.where(np.isnan(means), 0, 1 + np.count_nonzero(snapped > snapped[:, None], axis=1))
