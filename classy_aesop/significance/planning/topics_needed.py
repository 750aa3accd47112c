"""How many topics does a test by ranks, or of unpaired scores, need to detect a difference? By resampling a pilot.

Topics of a pilot are drawn with replacement, as many as a future evaluation may have, and tested. So that the means
differ by d, scores are shifted; where most differences are tied, as those of whole numbers are, topics with
differences in the wanted direction are drawn more often instead, so that whole numbers stay whole. All sizes share
their draws - a smaller evaluation is the beginning of a larger one - so that the search for the smallest size with
enough power is little disturbed by Monte Carlo error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    Result,
    check_choice,
    check_count,
    check_same_shape,
    score_vector,
)
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import is_constant, rounding_slack_of_pairs, snap_ties
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.pair_statistics import Recipe
from classy_aesop.significance.planning.pilot_variance import (
    degrees_of_freedom,
    tilt_differences,
    variance_limits,
)

MAX_TOPICS = 2_000
"""No more topics are looked for, unless said."""

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
        Estimated power at ``n_topics`` and its Monte Carlo standard error; NaN with a flag, the error also
        without simulation.
    power_now : float
        Power on the topics that both summarizers have; NaN where it is not known.
    n_observed : int
        Topics that both summarizers have.
    flag : str
        Why there is no answer; else empty.
    """

    n_topics: int | None
    low: int | None
    high: int | None
    power: float
    error: float
    power_now: float
    n_observed: int
    flag: str


def topics_needed(
    x: ArrayLike,
    y: ArrayLike,
    difference: float,
    *,
    target: float = 0.8,
    test: str = "wilcoxon",
    preset: str | Recipe = "standard",
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
    check_choice(test, PAIR_TESTS, "test")
    first = score_vector(x, "x")
    second = score_vector(y, "y")
    check_same_shape(x=first, y=second)
    if not np.isfinite(difference) or difference == 0:
        raise ValueError(f"difference is {difference}; expected a number that is not 0")
    if not 0 < alpha < target < 1:
        raise ValueError(f"alpha is {alpha} and target {target}; expected 0 < alpha < target < 1")
    check_count(max_topics, "max_topics", minimum=2)
    check_count(n_trials, "n_trials")
    shared = ~np.isnan(first + second)
    first = first[shared]
    second = second[shared]
    differences = first - second
    n_observed = int(shared.sum())
    if n_observed < 2:
        return undetermined_topics(n_observed, TOO_FEW_TOPICS)
    slack = float(rounding_slack_of_pairs(first[None], second[None])[0, 0])
    if is_constant(differences, slack):
        return undetermined_topics(n_observed, CONSTANT_DIFFERENCE)
    weights = None
    if len(np.unique(snap_ties(np.sort(differences), slack))) > n_observed / 2:  # no grid to keep to
        scale = np.sqrt(n_observed / (n_observed - 1))
        first = second + difference + scale * (differences - differences.mean())
    elif (weights := tilt_differences(differences, difference)) is None:
        return undetermined_topics(n_observed, BEYOND_DIFFERENCES)
    draws = rng.choice(n_observed, size=(n_trials, max_topics), p=weights)

    def power(n: int) -> float:
        """Share of trials on the first n topics drawn in which the two differ significantly."""
        scores = np.concatenate([first[draws[:, :n]], second[draws[:, :n]]])
        pairs = np.arange(2 * n_trials).reshape(2, -1).T
        tests = compare_pairs(
            scores, test=test, pairs=pairs, preset=preset, correction="none", confidence=None
        )
        return float(np.mean(tests.significant(alpha)))

    n_topics, power_reached = search_size(power, target, max_topics)
    narrow, wide = variance_limits(degrees_of_freedom(differences))
    return TopicsNeeded(
        n_topics=n_topics,
        low=None if n_topics is None else max(2, math.floor(n_topics * narrow)),
        high=None if n_topics is None else math.ceil(n_topics * wide),
        power=math.nan if n_topics is None else power_reached,
        error=math.nan if n_topics is None else math.sqrt(power_reached * (1 - power_reached) / n_trials),
        power_now=power(n_observed) if n_observed <= max_topics else math.nan,
        n_observed=n_observed,
        flag=TOO_MANY_TOPICS if n_topics is None else "",
    )


def undetermined_topics(n_observed: int, flag: str) -> TopicsNeeded:
    """Make a result without a number of topics; ``flag`` says why there is none."""
    return TopicsNeeded(None, None, None, math.nan, math.nan, math.nan, n_observed, flag)


def search_size(power: Callable[[int], float], target: float, max_size: int) -> tuple[int | None, float]:
    """Search the smallest size with enough power, by doubling and bisection; also give its power.

    The size is None if the largest has not enough.
    """
    too_small = 1
    size = 2
    power_of_size = power(size)
    while power_of_size < target:
        if size == max_size:
            return None, power_of_size
        too_small = size
        size = min(2 * size, max_size)
        power_of_size = power(size)
    while size - too_small > 1:
        middle = (too_small + size) // 2
        power_of_middle = power(middle)
        if power_of_middle >= target:
            size = middle
            power_of_size = power_of_middle
        else:
            too_small = middle
    return size, power_of_size
