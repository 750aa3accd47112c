"""How precise would estimates of means be with more judged topics?

Campaigns with each number of topics are simulated and estimated anew, because the variance around the line would be
estimated from them and not from the pilot. Their true means vary around the line as those of the pilot do, less the
pilot's errors and with those of the campaign, which is unbiased. Means over the topics at hand vary around it at
least as much as so few topics do by chance. Systems keep their own variances, and where systems with similar scores
err on the same topics, contrasts along the scores have a greater variance than the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, Result
from classy_aesop.significance.few_judgments.direct_means import MIN_SYSTEMS_FOR_POOLED_VARIANCE
from classy_aesop.significance.few_judgments.estimated_means import SHRINKING_METHODS, EstimatedMeans
from classy_aesop.significance.few_judgments.mean_errors import empirical_share, half_widths
from classy_aesop.significance.few_judgments.small_area import (
    draw_tau2,
    estimate_tau2_by_moments,
    hierarchical,
)
from classy_aesop.significance.planning.pilot_variance import PLAUSIBLE_QUANTILES

N_VARIANCE_DRAWS = 2_000
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


def plan_precision(
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
    possible, of_scores, V = pilot.df / rng.chisquare(pilot.df, N_VARIANCE_DRAWS), 0.0, found.covariance
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
    if pilot.method in SHRINKING_METHODS:
        X, around = found.design, V - of_scores * np.eye(n_systems)
        contrasts = direct.along_scores(found.by_topics - V + around, around, X)
        # The line moves with the scores of these topics, so that means do not lie further from it for their sake.
        tau2 = draw_tau2(found.mean, around, X, rng, N_VARIANCE_DRAWS, weight=pilot.weight)[:, None]
        least = found.variance / found.n_topics if found.finite else -np.inf
        likely = np.full((N_CAMPAIGNS, 1), np.maximum(estimate_tau2_by_moments(found.mean, around, X), least))
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


def plan_precision_without_pilot(
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
        As for :func:`plan_precision`; the largest number is that of the topics at hand.
    """
    from scipy import stats

    n = np.asarray(n_topics, dtype=np.int64)
    v = errors[1] * (1 - n / n.max()) / n
    along, free = (
        (1 - 1 / n_systems, 0.0)
        if n_systems < MIN_SYSTEMS_FOR_POOLED_VARIANCE
        else (1 / n_systems, 1 - 2 / n_systems)
    )
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
        moved = empirical_share(n - 1) * np.array([np.full(len(v), self.along), self.free * kept**2])
        told = moved.sum(0) * of_scores + self.own[:, None] * (self.times @ moved) * np.maximum(
            v - of_scores, 0
        )
        total = np.maximum(mse - moved.sum(0) * v, 0) + told
        df = np.maximum((len(self.own) - 1) * (n - 1), 1)
        return np.asarray(half_widths(1 - alpha, total, told, spread, topics_df=n - 1, df=df).mean(axis=0))


def _with_ends(middle: FloatArray, possible: FloatArray) -> FloatArray:
    """Give the middle with the ends between which 95 % of what is possible lies, and the middle too."""
    low, high = np.quantile(possible, PLAUSIBLE_QUANTILES, axis=0)
    return np.column_stack([middle, np.minimum(low, middle), np.maximum(high, middle)])
