"""How many topics or judgments does it take? Plans from scores that are already there, a pilot.

*To see a difference*: two summarizers' scores on shared topics are shifted until their means differ by d; topics are
drawn from them with replacement, as many as a future evaluation may have, and tested. What the future holds is so taken
to scatter as the past does. All sizes share their draws - a smaller evaluation is the beginning of a larger one - so
that the search for the smallest size with enough power is little disturbed by chance.

*To estimate means*: how precise estimates would be from more judged topics. What the pilot knows of the variance around
the line is not there any more: each number of topics has to tell it anew. So campaigns are drawn and estimated. They
lie around the line as the pilot does, less its errors and with theirs, which is without bias. Means over the topics at
hand lie around it at least as far as chance puts so many judgments. Systems keep their own variances, and where those
with like scores err on the same topics, contrasts along the scores have a greater one than the others.

A pilot tells the true variance only so far: the sum of squares is that variance times chi-squared, if scores are normal
(Browne, 1995, for planning by it). Plans are made again for both ends of the 95 % that it leaves possible.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
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
    is_constant,
    one_of,
    same_shape,
    score_vector,
    slack_of_pairs,
)
from classy_aesop.significance.direct_means import FEW
from classy_aesop.significance.estimation import SHRUNKEN, EstimatedMeans, half_widths, share_of_topics
from classy_aesop.significance.pair_tests import Recipe
from classy_aesop.significance.pairs import ALTERNATIVES, NO_SPREAD, TESTS, TOO_FEW, compare_pairs
from classy_aesop.significance.small_area import hierarchical, tau2_by_moments, tau2_draws

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
    _check_wanted(difference, alternative, alpha, target)
    check_number(max_topics, "max_topics", least=2)
    check_number(n_trials, "n_trials")
    shared = ~np.isnan(x + y)
    x, y, n_observed = x[shared], y[shared], int(shared.sum())
    if n_observed < 2 or is_constant(x - y, slack_of_pairs(x[None], y[None])[0, 0]):
        flag = TOO_FEW if n_observed < 2 else NO_SPREAD
        nothing = np.array([])
        return TopicsNeeded(None, None, None, np.nan, np.nan, n_observed, nothing, nothing, flag)
    draws = rng.integers(n_observed, size=(n_trials, max_topics))
    around = x - y - (x - y).mean()
    how: dict[str, Any] = {"test": test, "preset": preset, "alternative": alternative}
    # how much more than the pilot's differences others scatter: by the best guess, at least and at most
    times = n_observed / (n_observed - 1) * np.array([1.0, *variance_ends(n_observed - 1)])
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
        flag=TOO_MANY if needed is None else "",
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
        Width of the interval of a system's effect, expected with the variances that are most likely after the pilot,
        and the ends of 95 % of what it leaves possible.
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
    possible, of_scores, V = pilot.df / rng.chisquare(pilot.df, N_DRAWS), 0.0, found.covariance
    if (
        found.shares_topics and not found.finite
    ):  # means over topics like them have the errors of these scores
        own = (np.trace(V) - V.mean() * n_systems) / (n_systems - 1)
        of_scores = max(float(own - found.variance / found.n_judged_topics), 0.0)
    expected, v = (
        np.maximum(found.variance * times + rater_variance, 0) * of_topics + of_scores
        for times in (1.0, possible[:, None])
    )
    plain = np.maximum(pilot.plain.variance + rater_variance, 0) * of_topics
    direct = contrasts = _Contrasts(found.own_variance / found.variance, 1 - 1 / n_systems)
    middle, mse, spread = direct.errors(expected), direct.errors(v), np.zeros(len(n))
    if pilot.method in SHRUNKEN:
        X, around = found.design, V - of_scores * np.eye(n_systems)
        contrasts = direct.along_scores(found.by_topics - V + around, around, X)
        # The line moves with the scores of these topics, so that means do not lie further from it for their sake.
        tau2 = tau2_draws(found.mean, around, X, rng, N_DRAWS, weight=pilot.weight)[:, None]
        least = found.variance / found.n_topics if found.finite else -np.inf
        likely = np.full((N_CAMPAIGNS, 1), np.maximum(tau2_by_moments(found.mean, around, X), least))
        middle, some, mse = (
            contrasts.errors(of_mean, np.maximum(one - of_scores, 0))
            for of_mean, one in ((expected, likely[0]), (expected, tau2[:N_CAMPAIGNS]), (v, tau2))
        )
        if pilot.spread.any():
            errors, _ = _told_anew(expected, of_scores, tau2[:N_CAMPAIGNS], n, X, rng)
            mse = np.minimum(mse + np.maximum(errors - np.sqrt(some).mean(0) ** 2, 0), direct.errors(v))
            middle, spread = _told_anew(expected, of_scores, likely, n, X, rng)
    df = np.maximum((n_systems - 1) * (n - 1), 1)
    half = contrasts.half_widths(alpha, middle, expected, of_scores, spread, n)
    of_plain = direct.half_widths(alpha, direct.errors(plain), plain, 0.0, np.zeros(len(n)), n)
    quantiles = stats.t.ppf(1 - alpha / 2, df) + stats.t.ppf(power, df)
    return PlannedPrecision(
        n_topics=n,
        width=2 * half[:, None] * np.sqrt(_with_ends(middle, mse) / np.where(middle > 0, middle, 1)[:, None]),
        difference=quantiles[:, None] * np.sqrt(_with_ends(2 * expected, 2 * v)),
        plain_width=2 * of_plain,
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
    along, free = (1 - 1 / n_systems, 0.0) if n_systems < FEW else (1 / n_systems, 1 - 2 / n_systems)
    contrasts = _Contrasts(np.ones(n_systems), along, free)
    df, nothing = np.maximum((n_systems - 1) * (n - 1), 1), np.full((len(n), 2), np.nan)
    middle = contrasts.errors(v, np.asarray(errors[0]))
    half = contrasts.half_widths(alpha, middle, v, 0.0, np.zeros(len(n)), n)
    difference = (stats.t.ppf(1 - alpha / 2, df) + stats.t.ppf(power, df)) * np.sqrt(2 * v)
    return PlannedPrecision(
        n_topics=n,
        width=np.column_stack([2 * half, nothing]),
        difference=np.column_stack([difference, nothing]),
        plain_width=nothing[:, 0],
    )


def _told_anew(
    v: FloatArray, of_scores: float, tau2: FloatArray, n: IntArray, X: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Give the mean squared errors of effects where a campaign tells ``tau2``, (n_draws, 1), itself; their spread.

    ``v``, (n_plans,), are the variances of direct means, of which ``of_scores`` comes from scores.
    """
    left = np.flatnonzero(v > 0)
    if not len(left):
        return np.zeros(len(n)), np.zeros(len(n))
    at = left[np.unique(np.geomspace(1, len(left), _DRAWN_FOR).astype(int) - 1)]
    normal, same = rng.standard_normal((len(tau2), len(X))), np.ones((len(tau2), 1, 1))
    shares, relative = [], []
    for own in v[at]:
        d = normal * np.sqrt(np.maximum(max(own - of_scores, 0) + tau2, 0))
        found = hierarchical(d, own * np.eye(len(X)) * same, X * same)
        errors = np.diagonal(found.covariance, axis1=-2, axis2=-1).mean(axis=-1) - own / len(X)
        shares.append(np.sqrt(errors).mean() ** 2 / own)
        relative.append(found.spread.mean() / errors.mean() ** 2)
    where = np.log(n)
    errors = v * np.interp(where, where[at], shares)
    return errors, np.interp(where, where[at], relative) * errors**2


@dataclass(frozen=True, slots=True)
class _Contrasts:
    """What tells systems apart, as shares of all systems: contrasts along a line, and those that are drawn to it."""

    own: FloatArray  # variances of systems, as multiples of the common one
    along: float
    free: float = 0.0
    times: tuple[float, ...] = (1.0, 1.0)  # the model's variances, to be those that topics tell

    def along_scores(self, by_topics: FloatArray, V: FloatArray, X: FloatArray) -> _Contrasts:
        """Give those along the scores ``X``, with a constant: systems with like scores may err on the same topics."""
        centred = X - X.mean(axis=0)
        along = centred @ np.linalg.pinv(centred, rcond=1e-10)
        both = (along, np.eye(len(X)) - 1 / len(X) - along)
        told, model = ([float((one * C).sum()) for one in both] for C in (by_topics, V))
        times = tuple(one / other if other > 0 else 1.0 for one, other in zip(told, model, strict=True))
        return replace(self, along=(X.shape[1] - 1) / len(X), free=1 - X.shape[1] / len(X), times=times)

    def errors(self, v: FloatArray, tau2: FloatArray | float = 0.0) -> FloatArray:
        """Mean squared errors of effects, for direct means of variance ``v`` with ``tau2`` around the line."""
        total = tau2 + v
        kept = np.divide(tau2, total, out=np.ones_like(total), where=v > 0)
        return np.asarray(v * (self.along + kept * self.free))

    def half_widths(
        self, alpha: float, mse: FloatArray, v: FloatArray, of_scores: float, spread: FloatArray, n: IntArray
    ) -> FloatArray:
        """Half the widths of intervals of effects with the errors ``mse``, as far as topics tell them; their mean."""
        # an estimate moves with its direct mean by the ratio of their variances
        free = v * self.free
        kept = np.divide(mse - v * self.along, free, out=np.zeros_like(v), where=free > 0)
        moved = share_of_topics(n - 1) * np.array([np.full(len(v), self.along), self.free * kept**2])
        told = moved.sum(0) * of_scores + self.own[:, None] * (self.times @ moved) * np.maximum(
            v - of_scores, 0
        )
        total = np.maximum(mse - moved.sum(0) * v, 0) + told
        df = np.maximum((len(self.own) - 1) * (n - 1), 1)
        return np.asarray(half_widths(1 - alpha, total, told, spread, topics_df=n - 1, df=df).mean(axis=0))


def _with_ends(middle: FloatArray, possible: FloatArray) -> FloatArray:
    """Give the middle with the ends between which 95 % of what is possible lies, and the middle too."""
    low, high = np.quantile(possible, ENDS, axis=0)
    return np.column_stack([middle, np.minimum(low, middle), np.maximum(high, middle)])
