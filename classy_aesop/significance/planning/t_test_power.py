"""How many topics does a t-test of a difference need, given the variance that a model has estimated?

The difference of two systems on one topic has some variance; n topics estimate it with n - 1 degrees of freedom, and
the power is that of the noncentral t distribution, without simulation. The plan is made again for both ends of the 95 %
interval of the variance.

Browne (1995), for planning by a pilot's variance; Cohen (1988), chapter 2.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray, check_count
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.planning.pilot_variance import variance_limits
from classy_aesop.significance.planning.topics_needed import (
    TOO_MANY_TOPICS,
    TopicsNeeded,
    undetermined_topics,
)


def t_test_power(
    n_topics: FloatArray, difference: float, variance: float, *, alpha: float = ALPHA
) -> FloatArray:
    """Power of the two-sided paired t-test by the number of topics.

    Parameters
    ----------
    n_topics : ndarray
        Numbers of topics, 2 or more.
    difference : float
        True mean difference.
    variance : float
        Variance of the difference on one topic, above 0.
    alpha : float
        A difference is significant if p <= alpha.

    Returns
    -------
    ndarray
        A probability for each number of topics.

    Examples
    --------
    >>> t_test_power(np.array([17.0, 34.0]), 0.5, 1.0).round(2).tolist()
    [0.49, 0.81]
    """
    from scipy import stats

    df = n_topics - 1
    critical = stats.t.isf(alpha / 2, df)
    noncentrality = abs(difference) * np.sqrt(n_topics / variance)
    # far in the tails the distribution function is NaN, where the power is practically 1
    with np.errstate(all="ignore"):
        power = stats.nct.sf(critical, df, noncentrality) + stats.nct.cdf(-critical, df, noncentrality)
    is_in_tail = np.isnan(power) & (noncentrality > critical)
    return np.asarray(np.where(is_in_tail, 1.0, np.minimum(power, 1.0)))


def topics_needed_for_variance(
    variance: float,
    df: float,
    difference: float,
    *,
    n_observed: int,
    target: float = 0.8,
    alpha: float = ALPHA,
    max_topics: int = 2_000,
) -> TopicsNeeded:
    """Find how many topics a t-test needs to detect a difference whose variance on one topic is estimated.

    Parameters
    ----------
    variance : float
        Variance of the difference on one topic, estimated.
    df : float
        Degrees of freedom of this estimate.
    difference : float
        Mean difference that should be detected; not 0.
    n_observed : int
        Topics of the pilot that both have, as they are reported.
    target : float
        Power.
    alpha : float
        A difference is significant if p <= alpha.
    max_topics : int
        Largest number of topics tried, at least 2.

    Returns
    -------
    TopicsNeeded
        Without Monte Carlo error; ``low`` and ``high`` are the numbers for the least and the greatest variance that
        the pilot leaves plausible. There is a flag if its variance is not estimated.

    Raises
    ------
    ValueError
        ``max_topics`` is below 2.

    Examples
    --------
    >>> plan = topics_needed_for_variance(1.0, 30, 0.5, n_observed=31)
    >>> plan.low, plan.n_topics, plan.high
    (23, 34, 59)
    """
    check_count(max_topics, "max_topics", minimum=2)
    if not df > 0:
        return undetermined_topics(n_observed, TOO_FEW_TOPICS)
    if not variance > 0:
        return undetermined_topics(n_observed, CONSTANT_DIFFERENCE)
    sizes = np.arange(2, max_topics + 1)

    def powers_with(ratio: float) -> FloatArray:
        """Powers of all sizes with a multiple of the estimated variance."""
        return t_test_power(sizes.astype(np.float64), difference, variance * ratio, alpha=alpha)

    def smallest_size(powers: FloatArray) -> int | None:
        """The smallest size with enough power; None without any."""
        is_enough = np.flatnonzero(powers >= target)
        return int(sizes[is_enough[0]]) if is_enough.size else None

    least_ratio, greatest_ratio = variance_limits(df)
    powers = powers_with(1.0)
    n_topics = smallest_size(powers)
    return TopicsNeeded(
        n_topics=n_topics,
        low=smallest_size(powers_with(least_ratio)),
        high=smallest_size(powers_with(greatest_ratio)),
        power=np.nan if n_topics is None else float(powers[n_topics - 2]),
        error=np.nan if n_topics is None else 0.0,
        n_observed=n_observed,
        sizes=sizes,
        powers=powers,
        flag=TOO_MANY_TOPICS if n_topics is None else "",
    )
