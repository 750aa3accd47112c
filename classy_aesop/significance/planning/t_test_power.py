"""How many topics does a t-test of a difference need, given the variance that a pilot has estimated?

The difference of two systems on one topic has some variance; n topics estimate it with n - 1 degrees of freedom, and
the power is that of the noncentral t distribution, without simulation. The plan is made again for both ends of the 95 %
interval of the variance.

Browne (1995), for planning by a pilot's variance; Cohen (1988), chapter 2.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, check_count
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.planning.pilot_variance import PilotDifference
from classy_aesop.significance.planning.topics_needed import (
    MAX_TOPICS,
    TOO_MANY_TOPICS,
    TopicsNeeded,
    search_size,
    undetermined_topics,
)


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
    return np.asarray(1 - np.nan_to_num(below) + np.nan_to_num(opposite))


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
    check_count(max_topics, "max_topics", minimum=2)
    n_observed = len(pilot.differences)
    if not pilot.df > 0:
        return undetermined_topics(n_observed, TOO_FEW_TOPICS)
    deviation = pilot.deviation_at(difference)
    if not deviation > 0:
        return undetermined_topics(n_observed, CONSTANT_DIFFERENCE)

    def search(ratio: float) -> tuple[int | None, float]:
        """Search the size for a multiple of the estimated variance."""
        return search_size(
            lambda n: float(t_test_power(n, difference, deviation * math.sqrt(ratio), alpha=alpha)),
            target,
            max_topics,
        )

    least_ratio, greatest_ratio = pilot.plausible_ratios()
    n_topics, power = search(1.0)
    power_now = math.nan
    if n_observed > 1:
        power_now = float(t_test_power(n_observed, difference, deviation, alpha=alpha))
    return TopicsNeeded(
        n_topics=n_topics,
        low=search(least_ratio)[0],
        high=search(greatest_ratio)[0],
        power=math.nan if n_topics is None else power,
        error=math.nan,
        power_now=power_now,
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

    def missing_power(difference: float) -> float:
        """Power that is wanted, less that of a difference."""
        deviation = pilot.deviation_at(difference) * math.sqrt(ratio)
        return target - float(t_test_power(n_topics, difference, deviation, alpha=alpha))

    if pilot.depends_on_difference:
        largest = 1 - 1e-9
    elif pilot.deviation > 0:
        largest = 1e6 * pilot.deviation * math.sqrt(ratio)
    else:
        return math.nan
    if missing_power(largest) > 0:
        return math.nan
    return float(brentq(missing_power, largest * 1e-12, largest, xtol=largest * 1e-15))
