"""How many topics or judgments does it take? Plans from scores that are already there, a pilot.

*To see a difference*: two summarizers' scores on shared topics are shifted until their means differ by d; topics are
drawn from them with replacement, as many as a future evaluation may have, and tested. What the future holds is so taken
to scatter as the past does. All sizes share their draws - a smaller evaluation is the beginning of a larger one - so
that the search for the smallest size with enough power is little disturbed by chance.

*To estimate means*: how precise estimates would be from more judged topics. What the pilot knows of the variance around
the line is not there any more: each number of topics has to tell it anew. So campaigns are drawn from what the pilot
leaves possible, and each is estimated.

A pilot tells the true variance only so far: the sum of squares is that variance times chi-squared, if scores are normal
(Browne, 1995, for planning by it). Plans are made again for both ends of the 95 % that it leaves possible.
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
    ALPHA,
    FloatArray,
    IntArray,
    Result,
    check_number,
    one_of,
    same_shape,
    score_vector,
)
from classy_aesop.significance.direct_means import FEW
from classy_aesop.significance.estimation import SHRUNKEN, EstimatedMeans, half_widths, share_of_topics
from classy_aesop.significance.pair_tests import Recipe
from classy_aesop.significance.pairs import ALTERNATIVES, TESTS, TOO_FEW, compare_pairs
from classy_aesop.significance.small_area import hierarchical, tau2_draws

ENDS = (0.025, 0.975)
"""Between these quantiles lies what is taken for possible."""


def variance_ends(df: float) -> FloatArray:
    """Give the least and the greatest variance that is possible, as a multiple of the pilot's.

    Examples
    --------
    >>> variance_ends(9).round(2).tolist()
    [0.47, 3.33]
    """
    from scipy import stats

    return np.asarray(df / stats.chi2.ppf(ENDS[::-1], df))


def variance_draws(df: FloatArray, rng: np.random.Generator, n_draws: int) -> FloatArray:
    """Draw variances that are possible, as multiples of the pilot's."""
    return np.asarray(df / rng.chisquare(df, n_draws))


# --- how many topics does it take to see a difference ---


#: The flag of no answer within the allowed sizes.
TOO_MANY = "more topics than max_topics"

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

    There is a flag if fewer than two topics are shared or ``max_topics`` is not enough.

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
        As for :func:`classy_aesop.significance.pairs.compare_pairs`.
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
    one_of(test, TESTS, "test")
    one_of(alternative, ALTERNATIVES, "alternative")
    x, y = score_vector(x, "x"), score_vector(y, "y")
    same_shape(x=x, y=y)
    seen = {"two-sided": difference != 0, "greater": difference > 0, "less": difference < 0}[alternative]
    if not (np.isfinite(difference) and seen):
        raise ValueError(
            f"difference is {difference}; expected one that the alternative {alternative!r} sees"
        )
    if not 0 < alpha < target < 1:
        raise ValueError(f"alpha is {alpha} and target {target}; expected 0 < alpha < target < 1")
    check_number(max_topics, "max_topics", least=2)
    check_number(n_trials, "n_trials")
    shared = ~np.isnan(x + y)
    x, y, n_observed = x[shared], y[shared], int(shared.sum())
    if n_observed < 2:
        nothing = np.array([])
        return TopicsNeeded(None, None, None, np.nan, np.nan, n_observed, nothing, nothing, TOO_FEW)
    draws = rng.integers(n_observed, size=(n_trials, max_topics))
    around, pairs = x - y - (x - y).mean(), np.arange(2 * n_trials).reshape(2, -1).T

    def power(n: int, scatter: float) -> float:
        """Share of trials on the first n topics drawn that find the difference."""
        shifted = y + difference + scatter * around
        scores = np.concatenate([shifted[draws[:, :n]], y[draws[:, :n]]])
        how: dict[str, Any] = {"preset": preset, "alternative": alternative, "correction": "none"}
        found = compare_pairs(scores, test=test, pairs=pairs, confidence=None, **how)
        return float(np.mean(found.significant(alpha)))

    # how much more than the pilot's differences others scatter: by the best guess, at least and at most
    found, narrow, wide = (
        _search(partial(power, scatter=math.sqrt(n_observed / (n_observed - 1) * times)), target, max_topics)
        for times in (1.0, *variance_ends(n_observed - 1))
    )

    def error(power: float) -> float:
        """Monte Carlo standard error."""
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
        flag=TOO_MANY if needed is None else "",
    )


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


# --- how precise would estimates be from more judged topics ---


N_DRAWS = 2_000
"""Draws of the variances that the pilot leaves possible."""

N_CAMPAIGNS = 60
"""Campaigns drawn for each of a few numbers of topics."""

_DRAWN_FOR = 6  # numbers of topics, between which the share is interpolated


@dataclass(frozen=True, slots=True)
class PlannedPrecision(Result):
    """Precision by the number of judged topics; arrays of shape (n_plans,), or (n_plans, 3).

    Attributes
    ----------
    n_topics : ndarray of int
        Topics judged for every system.
    width : ndarray
        Width of the interval of a system's effect, expected over what the pilot leaves possible, and the ends of
        95 % of it.
    difference : ndarray
        Difference of two systems that is found with the wanted power, and its ends.
    plain_width : ndarray
        Width with plain means.
    """

    n_topics: IntArray
    width: FloatArray
    difference: FloatArray
    plain_width: FloatArray


def planned_precision(
    pilot: EstimatedMeans,
    n_topics: ArrayLike,
    rng: np.random.Generator,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    rater_variance: float = 0.0,
) -> PlannedPrecision:
    """Foresee the precision of estimates from the judgments that there are, for numbers of judged topics, 2 or more.

    Parameters
    ----------
    power : float
        Wanted chance to find a difference of two systems, by a two-sided test of level ``alpha``, not corrected.
    alpha : float
        Error of intervals and tests.
    rater_variance : float
        What is added to the variance of a judgment where fewer raters judge than in the pilot; below 0 where more do.
    """
    from scipy import stats

    n = np.asarray(n_topics, dtype=np.int64)
    found, n_systems = pilot.direct, len(pilot.mean)
    of_topics = (np.maximum(1 - n / found.n_topics, 0) if found.finite else np.ones(len(n))) / n
    of_scores, possible = _variance_of_scores(pilot), variance_draws(pilot.df, rng, N_DRAWS)
    # what is expected has the pilot's variance on average; its reciprocal is what chi-squared is drawn for
    expected, v = (
        np.maximum(found.variance * times + rater_variance, 0)[:, None] * of_topics + of_scores
        for times in (possible / possible.mean(), possible)
    )
    middle, mse, spread = expected, v, np.zeros(len(n))
    if pilot.method in SHRUNKEN:
        X = found.design
        tau2 = tau2_draws(found.mean, found.covariance, X, rng, N_DRAWS, weight=pilot.weight)[:, None]
        middle, mse = (_shrunken(one, tau2, X.shape[1] / n_systems) for one in (expected, v))
        if pilot.spread.any():
            more, spread = _told_anew(expected, of_scores, tau2[:, 0], middle, n, X, rng)
            middle, mse = middle * more, mse * more
    df = np.maximum((n_systems - 1) * (n - 1), 1)
    plain = np.maximum(pilot.plain.variance + rater_variance, 0) * of_topics
    squares = _mean_and_ends(middle, mse)
    quantiles = stats.t.ppf(1 - alpha / 2, df) + stats.t.ppf(power, df)
    return PlannedPrecision(
        n_topics=n,
        width=_planned_widths(1 - alpha, squares, expected.mean(axis=0), spread, n - 1, df),
        difference=quantiles[:, None] * np.sqrt(_mean_and_ends(2 * expected, 2 * v)),
        plain_width=_planned_widths(1 - alpha, plain[:, None], plain, np.zeros(len(n)), n - 1, df)[:, 0],
    )


def first_precision(
    errors: tuple[float, float],
    n_systems: int,
    n_topics: ArrayLike,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
) -> PlannedPrecision:
    """Foresee the precision of estimates from predictions alone, by what a predictor says of its own errors.

    Nothing says how sure that is, and so ends are NaN; so are plain widths, since nothing was judged.

    Parameters
    ----------
    errors : (float, float)
        Variances of its errors: of a system's mean over very many topics, and of a summary around it.
    n_systems : int
        Systems.
    n_topics, power, alpha
        As for :func:`planned_precision`; the largest number is that of the topics at hand.
    """
    from scipy import stats

    n = np.asarray(n_topics, dtype=np.int64)
    v = errors[1] * (1 - n / n.max()) / n
    mse = _shrunken(v, np.asarray(errors[0]), 2 / n_systems if n_systems >= FEW else 1.0)
    df, nothing = np.maximum((n_systems - 1) * (n - 1), 1), np.full((len(n), 2), np.nan)
    width = _planned_widths(1 - alpha, mse[:, None], v, np.zeros(len(n)), n - 1, df)
    difference = (stats.t.ppf(1 - alpha / 2, df) + stats.t.ppf(power, df)) * np.sqrt(2 * v)
    return PlannedPrecision(
        n_topics=n,
        width=np.hstack([width, nothing]),
        difference=np.column_stack([difference, nothing]),
        plain_width=nothing[:, 0],
    )


def _variance_of_scores(pilot: EstimatedMeans) -> float:
    """Variance that the scores of these topics add where the means over topics like them are wanted."""
    found = pilot.direct
    if found.finite or not found.shares_topics:
        return 0.0
    V = found.covariance
    own = (np.trace(V) - V.mean() * len(V)) / (len(V) - 1)
    return max(float(own - found.variance / found.n_judged_topics), 0.0)


def _told_anew(
    v: FloatArray,
    of_scores: float,
    tau2: FloatArray,
    mse: FloatArray,
    n: IntArray,
    X: FloatArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Give how many times as great errors are where a campaign tells ``tau2``, (n_draws,), itself, and their spread.

    ``v`` and ``mse``, (n_draws, n_plans), are the variances of direct means, and the errors if ``tau2`` were known. Of
    the first ``of_scores`` comes from scores: the line moves with them, so that means do not lie further from it.
    """
    left = np.flatnonzero(v.mean(axis=0) > 0)
    if not len(left):
        return np.ones(len(n)), np.zeros(len(n))
    at = left[np.unique(np.geomspace(1, len(left), _DRAWN_FOR).astype(int) - 1)]
    normal = rng.standard_normal((N_CAMPAIGNS, len(X)))
    ratios, relative = [], []
    for one in at:
        own = np.maximum(v[:N_CAMPAIGNS, one], 1e-6 * v[:, one].mean())
        around = np.maximum(own - of_scores, 0) + tau2[:N_CAMPAIGNS]
        d = normal * np.sqrt(around)[:, None]
        found = hierarchical(d, own[:, None, None] * np.eye(len(X)), np.broadcast_to(X, (len(d), *X.shape)))
        errors = np.diagonal(found.covariance, axis1=-2, axis2=-1).mean(axis=-1)
        ratios.append(errors.mean() / mse[:N_CAMPAIGNS, one].mean())
        relative.append(found.spread.mean() / errors.mean() ** 2)
    where = np.log(n)
    more = np.interp(where, where[at], ratios)
    return more, np.interp(where, where[at], relative) * (mse.mean(axis=0) * more) ** 2


def _shrunken(v: FloatArray, tau2: FloatArray, line: float) -> FloatArray:
    """Mean squared errors of means of variance ``v`` that are drawn to a line, which has a share of all contrasts."""
    gain = np.divide(v, tau2 + v, out=np.zeros(np.broadcast_shapes(v.shape, tau2.shape)), where=v > 0)
    return np.asarray(v * (1 - gain) + gain * v * line)


def _planned_widths(
    confidence: float, mse: FloatArray, v: FloatArray, spread: FloatArray, topics_df: IntArray, df: IntArray
) -> FloatArray:
    """Give the widths of intervals, for the first of each row of errors and in proportion for the others.

    An estimate moves with its direct mean by the ratio of their variances.
    """
    middle = mse[:, 0]
    told = share_of_topics(topics_df) * np.divide(middle**2, v, out=np.zeros_like(v), where=v > 0)
    half = half_widths(confidence, middle, told, spread, topics_df=topics_df, df=df)
    ratio = np.divide(mse, middle[:, None], out=np.zeros_like(mse), where=middle[:, None] > 0)
    return np.asarray(2 * half[:, None] * np.sqrt(ratio))


def _mean_and_ends(expected: FloatArray, possible: FloatArray) -> FloatArray:
    return np.column_stack([expected.mean(axis=0), *np.quantile(possible, ENDS, axis=0)])
