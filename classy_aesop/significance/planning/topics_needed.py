"""How many topics does a test need to detect a difference, by what a pilot says of differences by topic?

*A t-test.* The difference of two systems on one topic has some variance; n topics estimate it with n - 1 degrees of
freedom, and the power is that of the noncentral t distribution, without simulation. The pilot's sum of squares is the
true variance times chi-squared, if scores are normal. Where differences are mostly small and sometimes large, their
variance is known less well: the degrees of freedom are those of the variance of a variance with their kurtosis. The
plan is made again for both ends of the 95 % interval of the variance.

*A test by ranks, or of unpaired scores.* Topics of the pilot are drawn with replacement, as many as a future evaluation
may have, and tested. So that the means differ by d, scores are shifted; where most differences are tied, as those of
whole numbers are, topics with differences in the wanted direction are drawn more often instead, so that whole numbers
stay whole. All sizes share their draws - a smaller evaluation is the beginning of a larger one - so that the search for
the smallest size with enough power is little disturbed by Monte Carlo error.

Differences of whole numbers stay whole: their shares are changed, not their sizes. The least change that gives another
mean multiplies them by the exponential of the size ("tilting", Efron 1981).

Browne (1995), for planning by a pilot's variance; Cohen (1988), chapter 2.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import is_constant, rounding_slack_of_pairs, snap_ties
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs

PLAUSIBLE_QUANTILES = (0.025, 0.975)
"""Quantiles between which a variance is plausible."""


def variance_limits(df: float) -> FloatArray:
    """The least and the greatest plausible variance, as multiples of the pilot's with these degrees of freedom.

    Examples
    --------
    >>> variance_limits(9).round(2).tolist()
    [0.47, 3.33]
    """
    from scipy.special import chdtri

    return df / chdtri(df, PLAUSIBLE_QUANTILES)


def degrees_of_freedom(differences: FloatArray) -> float:
    """Degrees of freedom of the variance of differences, by their kurtosis; at least 1, at most one less than they are.

    Shapes: ``differences`` (n,).

    Examples
    --------
    >>> degrees_of_freedom(np.array([0.0, 1, 2, 3])), degrees_of_freedom(np.repeat([0.0, 1], [39, 1]))
    (3.0, 2.1576763485477173)
    """
    n = len(differences)
    squares = np.square((differences - differences.mean()) / np.ptp(differences))
    kurtosis = n * np.square(squares).sum() / squares.sum() ** 2
    return float(np.clip(2 * n / max(kurtosis - (n - 3) / (n - 1), 0.1), 1.0, n - 1.0))


def tilt_differences(
    differences: FloatArray, mean: float, prior: FloatArray | float = 1.0
) -> FloatArray | None:
    """Give differences weights, exponential in their size, so that their mean is another one.

    Shapes: ``differences`` and ``prior``, the weights for their own mean, (n,); gives (n,).

    Examples
    --------
    >>> tilt_differences(np.array([-1.0, 0, 1]), 0.5).round(3).tolist()
    [0.116, 0.268, 0.616]
    """
    from scipy.optimize import brentq

    if not differences.min() < mean < differences.max():
        return None
    sizes = (differences - mean) / np.ptp(differences)

    def weights(slope: float) -> FloatArray:
        powers = prior * np.exp(slope * sizes - np.max(slope * sizes))
        return powers / powers.sum()

    reach = 1.0
    while weights(reach) @ sizes < 0 or weights(-reach) @ sizes > 0:
        reach *= 2
    return weights(brentq(lambda slope: float(weights(slope) @ sizes), -reach, reach))


def variance_of_passes(differences: FloatArray, mean: float) -> float:
    """Variance of differences of scores that pass or fail, if their mean were another one, between -1 and 1.

    Half a topic more is counted with each sign, so that a pilot without a difference leads to a plan.

    Shapes: ``differences`` (n,).

    Examples
    --------
    >>> round(variance_of_passes(np.zeros(38), 0.2), 3)
    0.165
    """
    n = len(differences)
    with_both_signs = np.append(differences, BOTH_SIGNS)
    weights = tilt_differences(with_both_signs, mean, np.append(np.ones(n), [0.5, 0.5]))
    assert weights is not None
    return float((weights @ np.square(with_both_signs) - mean**2) * n / (n - 1))


BOTH_SIGNS = (1.0, -1.0)
"""Differences that are counted beside those of passes and failures."""

SMALLEST_DEVIATION_OF_PASSES = 1e-6
"""A smaller deviation of differences of passes is rounding."""


@dataclass(frozen=True)
class PilotDifference:
    """The difference of two systems on one topic that both have, as a pilot estimates it.

    Attributes
    ----------
    deviation, df : float
        Its standard deviation as estimated by a model, and the degrees of freedom; 0 or NaN where it is not.
    differences : ndarray, shape (n,)
        On the topics that both have.
    is_pass_or_fail : bool
        Whether scores are 0 or 1, or means of such, so that the deviation depends on the mean difference.

    Examples
    --------
    >>> pilot = PilotDifference.from_differences(np.repeat([-1.0, 0, 1], [2, 16, 2]), is_pass_or_fail=True)
    >>> [round(pilot.deviation_at(difference) ** 2, 3) for difference in (0.1, 0.5)]
    [0.257, 0.286]
    """

    deviation: float
    df: float
    differences: FloatArray
    is_pass_or_fail: bool = False

    @classmethod
    def from_differences(cls, differences: FloatArray, *, is_pass_or_fail: bool = False) -> PilotDifference:
        """Estimate the deviation from the differences alone."""
        n = len(differences)
        deviation = deviation_of_differences(differences) if n > 1 else math.nan
        return cls(deviation, max(n - 1.0, 0.0), differences, is_pass_or_fail)

    @property
    def depends_on_difference(self) -> bool:
        """Whether another mean difference has another deviation."""
        return self.is_pass_or_fail and len(self.differences) > 1

    def deviation_at(self, difference: float) -> float:
        """Give the deviation at a mean difference of this size and of the observed sign.

        That of passes is of tilted differences; what missing cells and raters add or take multiplies it.
        """
        if not self.depends_on_difference:
            return self.deviation
        observed = deviation_of_differences(self.differences)
        mean = math.copysign(difference, float(self.differences.mean()) or 1.0)
        of_passes = math.sqrt(variance_of_passes(self.differences, mean))
        is_known = self.deviation > SMALLEST_DEVIATION_OF_PASSES < observed
        return of_passes * (self.deviation / observed if is_known else 1.0)

    def plausible_ratios(self) -> FloatArray:
        """Give the least and the greatest plausible variance, as multiples of the estimated one."""
        differences = self.differences
        if self.depends_on_difference:
            differences = np.append(differences, BOTH_SIGNS)
        df = self.df
        if len(differences) > 1 and np.ptp(differences) > 0:
            df = min(df, degrees_of_freedom(differences))
        return variance_limits(df)


def deviation_of_differences(differences: FloatArray) -> float:
    """Standard deviation of two differences or more, whatever their size: squares of tiny ones would be 0."""
    size = np.ptp(differences)
    return float(size * (differences / size).std(ddof=1)) if size > 0 else 0.0


MAX_EFFECT = 1e6
"""No larger differences are looked for, in standard deviations."""

MAX_TOPICS = 2_000
"""No more topics are looked for, unless said."""

TOO_MANY_TOPICS = "more topics than max_topics"
"""Flag of no answer within the allowed sizes."""

BEYOND_DIFFERENCES = "beyond the differences of the pilot"
"""Flag of no answer because no mean of the observed differences is so large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicsNeeded:
    """The smallest number of topics that gives a test enough power.

    Attributes
    ----------
    n_topics : int or None
        Topics needed; None with a flag.
    low, high : int or None
        The number times the least and the greatest variance that the pilot leaves plausible, over its own; None
        without.
    power, error : float
        Estimated power at ``n_topics`` and its Monte Carlo standard error; NaN with a flag, the error also
        without simulation.
    power_now : float
        Power on the topics that both summarizers have; NaN where it is not known.
    n_observed : int
        Topics that both summarizers have.
    flag : str
        Why there is no answer; else empty.
    """

    n_observed: int
    n_topics: int | None = None
    low: int | None = None
    high: int | None = None
    power: float = math.nan
    error: float = math.nan
    power_now: float = math.nan
    flag: str = ""


def topics_needed(
    x: ArrayLike,
    y: ArrayLike,
    difference: float,
    *,
    target: float = 0.8,
    test: str = "wilcoxon",
    alpha: float = ALPHA,
    max_topics: int = MAX_TOPICS,
    n_trials: int = 2_000,
    rng: np.random.Generator,
) -> TopicsNeeded:
    """Find how many topics a test needs to detect that two summarizers' means differ by ``difference``.

    Signed ranks depend on the middle of the differences rather than on their mean: where these are skewed, they need
    more or fewer topics for the same d than the t-test. Evaluations larger than the observed one repeat its topics.

    Shapes: ``x`` and ``y`` (n_topics,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(2, 40))
    >>> plan = topics_needed(x, y, 1.0, n_trials=500, rng=rng)
    >>> 10 < plan.n_topics < 30
    True
    """
    scores = np.array([x, y], dtype=np.float64)
    first, second = scores[:, ~np.isnan(scores).any(axis=0)]
    differences = first - second
    n_observed = len(differences)
    if n_observed < 2:
        return TopicsNeeded(n_observed=n_observed, flag=TOO_FEW_TOPICS)
    slack = float(rounding_slack_of_pairs(first[None], second[None])[0, 0])
    if is_constant(differences, slack):
        return TopicsNeeded(n_observed=n_observed, flag=CONSTANT_DIFFERENCE)
    weights = None
    if len(np.unique(snap_ties(np.sort(differences), slack))) > n_observed / 2:  # no grid to keep to
        scale = np.sqrt(n_observed / (n_observed - 1))
        first = second + difference + scale * (differences - differences.mean())
    elif (weights := tilt_differences(differences, difference)) is None:
        return TopicsNeeded(n_observed=n_observed, flag=BEYOND_DIFFERENCES)
    draws = rng.choice(n_observed, size=(n_trials, max_topics), p=weights)

    def power(n: int) -> float:
        """Share of trials on the first n topics drawn in which the two differ significantly."""
        scores = np.concatenate([first[draws[:, :n]], second[draws[:, :n]]])
        pairs = np.arange(2 * n_trials).reshape(2, -1).T
        tests = compare_pairs(scores, test=test, pairs=pairs, correction="none", confidence=None)
        return float(np.mean(tests.significant(alpha)))

    n_topics, power_reached = search_size(power, target, max_topics)
    narrow, wide = variance_limits(degrees_of_freedom(differences))
    return TopicsNeeded(
        n_topics=n_topics,
        low=None if n_topics is None else max(2, math.floor(n_topics * narrow)),
        high=None if n_topics is None else math.ceil(n_topics * wide),
        power=power_reached,
        error=math.sqrt(power_reached * (1 - power_reached) / n_trials),
        power_now=power(n_observed) if n_observed <= max_topics else math.nan,
        n_observed=n_observed,
        flag=TOO_MANY_TOPICS if n_topics is None else "",
    )


def search_size(power: Callable[[int], float], target: float, max_size: int) -> tuple[int | None, float]:
    """Search the smallest size with enough power, by doubling and bisection; also give its power.

    They are None and NaN if the largest has not enough.
    """
    power = cache(power)
    too_small = 1
    size = 2
    while power(size) < target:
        if size == max_size:
            return None, math.nan
        too_small = size
        size = min(2 * size, max_size)
    size = too_small + bisect_left(range(too_small, size), target, lo=1, key=power)
    return size, power(size)


def t_test_power(
    n_topics: ArrayLike, difference: float, deviation: float, *, alpha: float = ALPHA
) -> FloatArray:
    """Power of the two-sided paired t-test by the number of topics.

    Examples
    --------
    >>> t_test_power([17, 34], 0.5, 1.0).round(2).tolist()
    [0.49, 0.81]
    """
    from scipy.special import nctdtr, stdtrit

    n = np.asarray(n_topics, dtype=np.float64)
    df = n - 1
    critical = stdtrit(df, 1 - alpha / 2)
    noncentrality = abs(difference) / deviation * np.sqrt(n)
    with np.errstate(all="ignore"):
        below = nctdtr(df, noncentrality, critical)
        opposite = nctdtr(df, noncentrality, -critical)
    # far in the tails the distribution function is NaN, where it is practically 0
    return 1 - np.nan_to_num(below) + np.nan_to_num(opposite)


def topics_needed_for_variance(
    pilot: PilotDifference,
    difference: float,
    *,
    target: float = 0.8,
    alpha: float = ALPHA,
    max_topics: int = MAX_TOPICS,
) -> TopicsNeeded:
    """Find how many topics a t-test needs to detect a difference whose variance on one topic is estimated.

    Examples
    --------
    >>> pilot = PilotDifference(1.0, 30, np.array([]))
    >>> plan = topics_needed_for_variance(pilot, 0.5)
    >>> plan.low, plan.n_topics, plan.high
    (23, 34, 59)
    """
    n_observed = len(pilot.differences)
    if not pilot.df > 0:
        return TopicsNeeded(n_observed=n_observed, flag=TOO_FEW_TOPICS)
    deviation = pilot.deviation_at(difference)
    if not deviation > 0:
        return TopicsNeeded(n_observed=n_observed, flag=CONSTANT_DIFFERENCE)

    def power_of(n: int, ratio: float = 1.0) -> float:
        """Power on n topics for a multiple of the estimated variance."""
        return float(t_test_power(n, difference, deviation * math.sqrt(ratio), alpha=alpha))

    least_ratio, greatest_ratio = pilot.plausible_ratios()
    low = search_size(partial(power_of, ratio=least_ratio), target, max_topics)[0]
    high = search_size(partial(power_of, ratio=greatest_ratio), target, max_topics)[0]
    n_topics, power = search_size(power_of, target, max_topics)
    return TopicsNeeded(
        n_topics=n_topics,
        low=low,
        high=high,
        power=power,
        power_now=power_of(n_observed) if n_observed > 1 else math.nan,
        n_observed=n_observed,
        flag=TOO_MANY_TOPICS if n_topics is None else "",
    )


def detectable_difference(
    n_topics: int, pilot: PilotDifference, *, ratio: float = 1.0, target: float = 0.8, alpha: float = ALPHA
) -> float:
    """Smallest difference that a t-test on so many topics detects with a power.

    Examples
    --------
    >>> round(detectable_difference(34, PilotDifference(1.0, 30, np.array([]))), 3)
    0.495
    """
    from scipy.optimize import brentq

    def power(difference: float) -> float:
        """Power at a difference, which has its own deviation."""
        deviation = pilot.deviation_at(difference) * math.sqrt(ratio)
        return float(t_test_power(n_topics, difference, deviation, alpha=alpha))

    largest = 1 - 1e-9
    if not pilot.depends_on_difference:
        largest = pilot.deviation * math.sqrt(ratio)
        while 0 < largest < MAX_EFFECT * pilot.deviation and power(largest) < target:
            largest *= 2
    if not largest > 0 or power(largest) < target:
        return math.nan
    ends = largest * 1e-12, largest
    return float(brentq(lambda difference: target - power(difference), *ends, xtol=largest * 1e-15))
