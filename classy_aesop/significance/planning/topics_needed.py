"""How many topics does a test need to detect a difference? By resampling the scores of a pilot.

Two summarizers' scores on shared topics are shifted until their means differ by d; topics are drawn from them with
replacement, as many as a future evaluation may have, and tested. Future differences are so assumed to vary as those
of the pilot do. All sizes share their draws - a smaller evaluation is the beginning of a larger one - so that the
search for the smallest size with enough power is little disturbed by Monte Carlo error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

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
from classy_aesop.significance.equality import is_constant, rounding_slack_of_pairs
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.pair_statistics import Recipe
from classy_aesop.significance.planning.pilot_variance import variance_limits

#: The flag of no answer within the allowed sizes.
TOO_MANY_TOPICS = "more topics than max_topics"

_ROUGH = 2.0  # standard errors on either side of a power


@dataclass(frozen=True, slots=True)
class TopicsNeeded(Result):
    """The smallest number of topics that gives a test enough power.

    Attributes
    ----------
    n_topics : int or None
        Topics needed; None with a flag.
    low, high : int or None
        Sizes tried between which the answer lies in spite of the pilot's and the Monte Carlo error: the largest whose
        power is two standard errors below the target if differences scatter as little as the pilot leaves possible,
        and the smallest whose is two above if they scatter as much; None where none was.
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
    """Find how many topics a test needs to see that two summarizers' means differ by ``difference``.

    There is a flag, and no answer, if fewer than two topics are shared, if all differences are equal, so that nothing
    is known of the variance, or if ``max_topics`` is not enough.

    The shift moves whole-number scores off their grid: signed ranks then have other ties and zeros than such
    scores will have. They also look at the middle of the differences rather than at their mean: where these
    are skewed, they need more or fewer topics for the same d than the t-test.
    Evaluations larger than the observed one repeat its topics.

    Parameters
    ----------
    x, y : array_like, shape (n_topics,)
        Scores of two summarizers on the same topics; NaN where missing.
    difference : float
        Mean of x less mean of y that should be seen; not 0.
    target : float
        Power wanted, between ``alpha`` and 1.
    test, preset, alternative
        As for :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`.
    alpha : float
        Significant is p <= alpha.
    max_topics, n_trials : int
        Largest number of topics tried, at least 2, and evaluations drawn for each number.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(2, 40))
    >>> found = topics_needed(x, y, 1.0, test="paired_t", n_trials=500, rng=rng)
    >>> 10 < found.n_topics < 30
    True
    """
    check_choice(test, PAIR_TESTS, "test")
    check_choice(alternative, ALTERNATIVES, "alternative")
    x, y = score_vector(x, "x"), score_vector(y, "y")
    check_same_shape(x=x, y=y)
    _check_wanted(difference, alternative, alpha, target)
    check_count(max_topics, "max_topics", least=2)
    check_count(n_trials, "n_trials")
    shared = ~np.isnan(x + y)
    x, y, n_observed = x[shared], y[shared], int(shared.sum())
    if n_observed < 2 or is_constant(x - y, rounding_slack_of_pairs(x[None], y[None])[0, 0]):
        flag = TOO_FEW_TOPICS if n_observed < 2 else CONSTANT_DIFFERENCE
        nothing = np.array([])
        return TopicsNeeded(None, None, None, np.nan, np.nan, n_observed, nothing, nothing, flag)
    draws = rng.integers(n_observed, size=(n_trials, max_topics))
    around = x - y - (x - y).mean()
    how: dict[str, Any] = {"test": test, "preset": preset, "alternative": alternative}
    # how much more than the pilot's differences others scatter: by the best guess, at least and at most
    times = n_observed / (n_observed - 1) * np.array([1.0, *variance_limits(n_observed - 1)])
    shifted = (y + difference + scatter * around for scatter in np.sqrt(times))
    found, narrow, wide = (
        _search(partial(_power, other, y, draws, alpha, how), target, max_topics) for other in shifted
    )

    def error(power: float) -> float:
        """Give the standard error of the share of so many trials."""
        return math.sqrt(power * (1 - power) / n_trials)

    needed = min((n for n, power in found.items() if power >= target), default=None)
    below = [n for n, power in narrow.items() if power + _ROUGH * error(power) < target]
    above = [n for n, power in wide.items() if power - _ROUGH * error(power) >= target]
    return TopicsNeeded(
        n_topics=needed,
        low=max(below, default=None),
        high=min(above, default=None),
        power=np.nan if needed is None else found[needed],
        error=np.nan if needed is None else error(found[needed]),
        n_observed=n_observed,
        sizes=np.array(list(found), dtype=np.int64),
        powers=np.array(list(found.values())),
        flag=TOO_MANY_TOPICS if needed is None else "",
    )


def _check_wanted(difference: float, alternative: str, alpha: float, target: float) -> None:
    """Raise ValueError for a difference that the alternative does not see, or a power that cannot be wanted."""
    seen = {"two-sided": difference != 0, "greater": difference > 0, "less": difference < 0}[alternative]
    if not (np.isfinite(difference) and seen):
        raise ValueError(
            f"difference is {difference}; expected one that the alternative {alternative!r} sees"
        )
    if not 0 < alpha < target < 1:
        raise ValueError(f"alpha is {alpha} and target {target}; expected 0 < alpha < target < 1")


def _power(x: FloatArray, y: FloatArray, draws: IntArray, alpha: float, how: dict[str, Any], n: int) -> float:
    """Give the share of trials on the first n topics drawn that find that x and y differ."""
    scores, pairs = np.concatenate([x[draws[:, :n]], y[draws[:, :n]]]), np.arange(2 * len(draws))
    found = compare_pairs(scores, pairs=pairs.reshape(2, -1).T, confidence=None, correction="none", **how)
    return float(np.mean(found.significant(alpha)))


def _search(power: Callable[[int], float], target: float, most: int) -> dict[int, float]:
    """Powers of the sizes tried: doubled until the power is enough, then bisected."""
    size = 2
    tried = {size: power(size)}
    while size < most and tried[size] < target:
        size = min(2 * size, most)
        tried[size] = power(size)
    low, high = max((n for n in tried if n < size), default=1), size
    while high - low > 1 and tried[high] >= target:
        middle = (low + high) // 2
        tried[middle] = power(middle)
        low, high = (low, middle) if tried[middle] >= target else (middle, high)
    return dict(sorted(tried.items()))
