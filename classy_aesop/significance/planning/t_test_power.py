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
from classy_aesop.significance.planning.topics_needed import TOO_MANY_TOPICS, TopicsNeeded


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
        Of the difference on one topic, above 0.
    alpha : float
        Significant is p <= alpha.

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
    shift = abs(difference) * np.sqrt(n_topics / variance)
    # far in the tails the distribution function is NaN, where the power is 1 for all purposes
    with np.errstate(all="ignore"):
        power = stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift)
    return np.asarray(np.where(np.isnan(power) & (shift > critical), 1.0, np.minimum(power, 1.0)))


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
    """Find how many topics a t-test needs to see a difference whose variance on one topic is estimated.

    Parameters
    ----------
    variance : float
        Of the difference on one topic, estimated.
    df : float
        Degrees of freedom of this estimate.
    difference : float
        Mean difference that should be seen; not 0.
    n_observed : int
        Topics of the pilot that both have, as they are reported.
    target : float
        Wanted power.
    alpha : float
        Significant is p <= alpha.
    max_topics : int
        Largest number of topics tried, at least 2.

    Returns
    -------
    TopicsNeeded
        Without Monte Carlo error; ``low`` and ``high`` are the numbers for the least and the greatest variance that
        the pilot leaves possible. There is a flag if its variance is not known.

    Examples
    --------
    >>> plan = topics_needed_for_variance(1.0, 30, 0.5, n_observed=31)
    >>> plan.low, plan.n_topics, plan.high
    (23, 34, 59)
    """
    check_count(max_topics, "max_topics", least=2)
    nothing = np.array([])
    if not df > 0 or not variance > 0:
        flag = CONSTANT_DIFFERENCE if df > 0 else TOO_FEW_TOPICS
        return TopicsNeeded(None, None, None, np.nan, np.nan, n_observed, nothing, nothing, flag)
    sizes = np.arange(2, max_topics + 1)
    needed: list[int | None] = []
    powers = []
    for times in (1.0, *variance_limits(df)):
        power = t_test_power(sizes.astype(np.float64), difference, variance * times, alpha=alpha)
        enough = np.flatnonzero(power >= target)
        needed.append(int(sizes[enough[0]]) if enough.size else None)
        powers.append(power)
    n_topics, low, high = needed
    return TopicsNeeded(
        n_topics=n_topics,
        low=low,
        high=high,
        power=np.nan if n_topics is None else float(powers[0][n_topics - 2]),
        error=np.nan if n_topics is None else 0.0,
        n_observed=n_observed,
        sizes=sizes,
        powers=powers[0],
        flag=TOO_MANY_TOPICS if n_topics is None else "",
    )
