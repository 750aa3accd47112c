"""How many topics does a test need to detect a difference? By resampling the scores of a pilot.

Topics of a pilot are drawn with replacement, as many as a future evaluation may have, and tested. So that the means
differ by d, scores are shifted; where most differences are tied, as those of whole numbers are, topics with
differences in the wanted direction are drawn more often instead, so that whole numbers stay whole. All sizes share
their draws - a smaller evaluation is the beginning of a larger one - so that the search for the smallest size with
enough power is little disturbed by Monte Carlo error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    FloatArray,
    IntArray,
    Result,
    check_choice,
    check_count,
    check_same_shape,
    score_vector,
)
from classy_aesop.significance.choices import ALPHA, ALTERNATIVES
from classy_aesop.significance.equality import is_constant, rounding_slack_of_pairs, snap_ties
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.pair_statistics import Recipe
from classy_aesop.significance.planning.pilot_variance import (
    degrees_of_freedom,
    tilt_differences,
    variance_limits,
)

TOO_MANY_TOPICS = "more topics than max_topics"
"""Flag of no answer within the allowed sizes."""

BEYOND_DIFFERENCES = "beyond the differences of the pilot"
"""Flag of no answer because no mean of the observed differences is so large."""


@dataclass(frozen=True, slots=True)
class TopicsNeeded(Result):
    """The smallest number of topics that gives a test enough power.

    Attributes
    ----------
    n_topics : int or None
        Topics needed; None with a flag.
    low, high : int or None
        The number times the least and the greatest variance that the pilot leaves plausible, over its own; None
        without.
    power, error : float
        Estimated power at ``n_topics`` and its Monte Carlo standard error; NaN with a flag.
    n_observed : int
        Topics that both summarizers have.
    sizes, powers : ndarray
        Numbers of topics tried, ascending, and the power estimated for each.
    flag : str
        Why there is no answer; else empty.
    """

    n_topics: int | None
    low: int | None
    high: int | None
    power: float
    error: float
    n_observed: int
    sizes: IntArray
    powers: FloatArray
    flag: str


def topics_needed(
    x: ArrayLike,
    y: ArrayLike,
    difference: float,
    *,
    target: float = 0.8,
    test: str = "wilcoxon",
    preset: str | Recipe = "standard",
    alternative: str = "two-sided",
    alpha: float = ALPHA,
    max_topics: int = 2_000,
    n_trials: int = 2_000,
    rng: np.random.Generator,
) -> TopicsNeeded:
    """Find how many topics a test needs to detect that two summarizers' means differ by ``difference``.

    Signed ranks depend on the middle of the differences rather than on their mean: where these are skewed, they need
    more or fewer topics for the same d than the t-test. Evaluations larger than the observed one repeat its topics.

    Parameters
    ----------
    x, y : array_like, shape (n_topics,)
        Scores of two summarizers on the same topics; NaN where missing.
    difference : float
        Mean of x less mean of y that should be detected; not 0.
    target : float
        Power, between ``alpha`` and 1.
    test, preset, alternative
        As for :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`.
    alpha : float
        A difference is significant if p <= alpha.
    max_topics, n_trials : int
        Largest number of topics tried, at least 2, and evaluations drawn for each number.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    TopicsNeeded
        With a flag, and no answer, if fewer than two topics are shared, if all differences are equal, so that their
        variance is not estimated, or if ``max_topics`` is not enough.

    Raises
    ------
    ValueError
        A name is not known, a number is out of range, or the alternative excludes the difference.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(2, 40))
    >>> plan = topics_needed(x, y, 1.0, test="paired_t", n_trials=500, rng=rng)
    >>> 10 < plan.n_topics < 30
    True
    """
    check_choice(test, PAIR_TESTS, "test")
    check_choice(alternative, ALTERNATIVES, "alternative")
    x = score_vector(x, "x")
    y = score_vector(y, "y")
    check_same_shape(x=x, y=y)
    _check_target(difference, alternative, alpha, target)
    check_count(max_topics, "max_topics", minimum=2)
    check_count(n_trials, "n_trials")
    shared = ~np.isnan(x + y)
    x = x[shared]
    y = y[shared]
    n_observed = int(shared.sum())
    if n_observed < 2:
        return undetermined_topics(n_observed, TOO_FEW_TOPICS)
    slack = float(rounding_slack_of_pairs(x[None], y[None])[0, 0])
    if is_constant(x - y, slack):
        return undetermined_topics(n_observed, CONSTANT_DIFFERENCE)
    weights = None
    if len(np.unique(snap_ties(np.sort(x - y), slack))) > n_observed / 2:  # no grid to keep to
        scale = np.sqrt(n_observed / (n_observed - 1))
        x = y + difference + scale * (x - y - (x - y).mean())
    elif (weights := tilt_differences(x - y, difference)) is None:
        return undetermined_topics(n_observed, BEYOND_DIFFERENCES)
    draws = rng.choice(n_observed, size=(n_trials, max_topics), p=weights)

    def power(n: int) -> float:
        """Share of trials on the first n topics drawn in which the two differ significantly."""
        scores = np.concatenate([x[draws[:, :n]], y[draws[:, :n]]])
        pairs = np.arange(2 * n_trials).reshape(2, -1).T
        tests = compare_pairs(
            scores,
            test=test,
            pairs=pairs,
            preset=preset,
            alternative=alternative,
            correction="none",
            confidence=None,
        )
        return float(np.mean(tests.significant(alpha)))

    powers = _search_size(power, target, max_topics)
    needed = min((n for n, reached in powers.items() if reached >= target), default=None)
    if needed is None:
        sizes = np.array(list(powers), dtype=np.int64)
        return replace(
            undetermined_topics(n_observed, TOO_MANY_TOPICS),
            sizes=sizes,
            powers=np.array(list(powers.values())),
        )
    narrow, wide = variance_limits(degrees_of_freedom(x - y))
    return TopicsNeeded(
        n_topics=needed,
        low=max(2, math.floor(needed * narrow)),
        high=math.ceil(needed * wide),
        power=powers[needed],
        error=_monte_carlo_error(powers[needed], n_trials),
        n_observed=n_observed,
        sizes=np.array(list(powers), dtype=np.int64),
        powers=np.array(list(powers.values())),
        flag="",
    )


def undetermined_topics(n_observed: int, flag: str) -> TopicsNeeded:
    """Make a result without a number of topics; ``flag`` says why there is none."""
    nothing = np.array([])
    return TopicsNeeded(None, None, None, np.nan, np.nan, n_observed, nothing, nothing, flag)


def _check_target(difference: float, alternative: str, alpha: float, target: float) -> None:
    """Raise ValueError for a difference that the alternative excludes, or a power that cannot be reached."""
    is_possible = {"two-sided": difference != 0, "greater": difference > 0, "less": difference < 0}
    if not (np.isfinite(difference) and is_possible[alternative]):
        raise ValueError(
            f"difference is {difference}; expected one in the direction of the alternative {alternative!r}"
        )
    if not 0 < alpha < target < 1:
        raise ValueError(f"alpha is {alpha} and target {target}; expected 0 < alpha < target < 1")


def _monte_carlo_error(power: float, n_trials: int) -> float:
    """Standard error of a power that is a share of trials."""
    return math.sqrt(power * (1 - power) / n_trials)


def _search_size(power: Callable[[int], float], target: float, max_size: int) -> dict[int, float]:
    """Search the smallest size with enough power, by doubling and bisection; give the power of each size tried."""
    size = 2
    powers = {size: power(size)}
    while size < max_size and powers[size] < target:
        size = min(2 * size, max_size)
        powers[size] = power(size)
    low = max((n for n in powers if n < size), default=1)
    high = size
    while high - low > 1 and powers[high] >= target:
        middle = (low + high) // 2
        powers[middle] = power(middle)
        if powers[middle] >= target:
            high = middle
        else:
            low = middle
    return dict(sorted(powers.items()))
