"""Means of systems from the judged part of a matrix of systems x topics: the plain mean and the control variate.

A judged cell is modelled as ``y = system + topic + slope * f + error``. Here ``f`` is the score that is known for
every cell, less its topic's mean over systems. Topics are random effects, so that they cancel where all systems share
their topics, and count as noise where they do not. The mean of a system is then the mean of its judgments, plus the
slope times the difference between the scores of all topics and of the judged ones: the regression estimator of survey
sampling, the control variate of Chaganty, Mussmann and Liang (2018), and PPI++ (Angelopoulos, Duchi and Zrnic, 2023),
whose weight ``slope / (1 + n / N)`` on N further topics is the same estimate.

Each system has a variance of its own, shrunk toward the pooled one
(:mod:`classy_aesop.significance.few_judgments.moderated_variances`).

With two systems and five topics the slope is so poorly estimated that using it increases the error. For few systems
it is therefore shrunk toward the slope over all judged cells (topic effects included), which has a smaller variance;
and this one toward 0, by as much of it as chance explains (James and Stein, 1961), and by how much less the scores
vary within the judged cells than within all. The slope of a predictor's own predictions should be 1. There the slope
over all cells is the posterior mean of slopes of 1, 0 and -1, of which the first two are about as likely a priori.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.significance.few_judgments.moderated_variances import moderate_variances
from classy_aesop.significance.few_judgments.two_way_fit import (
    EIGENVALUE_ROUNDING,
    TwoWayFit,
)

VARIANCE_OF_UNJUDGED = 1e5
"""A system without a judgment has a variance this many times all that is known of the others."""

MIN_VARIANCE_SHARE = 1e-12
"""Share of its variance that stays with a mean of which nothing is open, so that it can be divided by."""

PRIOR_DF_OF_SLOPE = 20
"""Degrees of freedom that a slope takes where systems do not share topics, for each metric.

A slope of nothing adds about one in as many to the mean squared error. With few systems the slope of all judged cells
counts for as many, and two of those of the systems' own are not counted: with two a slope has no variance.
"""

MIN_SYSTEMS_FOR_POOLED_VARIANCE = 5
"""Fewer systems tell little of the common variance beyond their own."""

_UNSURE = 0.975
"""Of few systems, the quantile of Student's t whose growth widens intervals where most grades are equal.

The variance of cells of which few are unlike the most frequent grade has about two degrees of freedom for each of them.
"""

_CHANCE = 0.95
"""Of few systems, the quantile of F up to which a slope of all judged cells counts for nothing."""

_SLOPES, _BELIEFS = np.array([1.0, 0.0, -1.0]), np.array([0.4, 0.5, 0.1])
"""Of few systems, what a predictor's own predictions may be worth, in units of their slope, and how likely that is."""

_LEAST = 1e-8
"""Least variance of the errors as a share of that of the judgments, or of the square of equal ones: rounding alone."""


@dataclass(frozen=True, slots=True)
class DirectMeans(Result):
    """Means of systems, each from its own judgments; arrays have the leading axes of the judgments.

    Attributes
    ----------
    mean : ndarray, shape (..., n_systems)
        The means; without any judgment the mean of the others, with a variance that is practically infinite.
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of their errors; what all systems share is the error of the topics.
    score_mean : ndarray, shape (..., n_metrics, n_systems)
        Means of the scores over all topics, less those of all systems.
    slope : ndarray, shape (..., n_metrics)
        What a judgment rises with each metric, within systems and topics; 0 where too few judgments tell it.
    variance, df : ndarray, shape (...)
        Of a judgment around its system, its topic and the slope; its degrees of freedom.
    topic_variance : ndarray, shape (...)
        Of topics.
    n_judged : ndarray of int, shape (..., n_systems)
        Judged topics of each system.
    n_topics : int
        All topics.
    n_judged_topics : ndarray of int, shape (...)
        Topics with a judgment.
    finite : bool
        Whether the means are those over the topics at hand.
    by_topics : ndarray, shape (..., n_systems, n_systems)
        The covariance of the errors as the residuals of each topic tell it, whatever the model says of them.
    own_variance, own_df : ndarray, shape (..., n_systems)
        Of a judgment of each system, see :mod:`classy_aesop.significance.few_judgments.direct_means`; its degrees of
        freedom beside those of the common variance.
    is_sure : ndarray of bool, shape (...)
        Whether systems and topics leave nothing of the judgments but rounding.
    wider : ndarray, shape (...)
        How many times as large a variance may be, since most grades are equal; infinitely if all are, or if systems
        and topics explain all judgments. It is 1 where nothing is open, and else with
        `MIN_SYSTEMS_FOR_POOLED_VARIANCE` systems or more, whose cells are many.
    slack : ndarray, shape (..., 1)
        Means no further apart are equal, see :mod:`classy_aesop.significance.equality`.
    """

    mean: FloatArray
    covariance: FloatArray
    score_mean: FloatArray
    slope: FloatArray
    variance: FloatArray
    df: FloatArray
    topic_variance: FloatArray
    n_judged: IntArray
    n_topics: int
    n_judged_topics: IntArray
    finite: bool
    by_topics: FloatArray
    own_variance: FloatArray
    own_df: FloatArray
    is_sure: BoolArray
    wider: FloatArray
    slack: FloatArray

    @property
    def own_errors(self) -> FloatArray:
        """Variance of each mean by the errors of its own judgments alone; 0 without any, (..., n_systems)."""
        left = np.maximum(1 - self.n_judged / self.n_topics, MIN_VARIANCE_SHARE) if self.finite else 1.0
        return np.where(self.n_judged > 0, self.own_variance * left / np.maximum(self.n_judged, 1), 0.0)

    @property
    def own_covariance(self) -> FloatArray:
        """Covariance of the errors where each system varies by itself, (..., n_systems, n_systems)."""
        common = self.variance[..., None] / self.own_variance
        return self.covariance + (self.own_errors * (1 - common))[..., None] * np.eye(self.mean.shape[-1])

    @property
    def topics_df(self) -> FloatArray:
        """Degrees of freedom of each system's variance as topics tell it."""
        return np.asarray(np.maximum(self.n_judged - 1.0, 0.0))

    @property
    def design(self) -> FloatArray:
        """What the true means follow: a column of ones and the means of the metrics, (..., n_systems, n_columns)."""
        return np.concatenate([np.ones_like(self.mean)[..., None], self.score_mean.mT], axis=-1)

    @property
    def shares_topics(self) -> BoolArray:
        """Whether all judged systems are judged on the same topics, so that their errors go together."""
        return _are_shared(self.n_judged, self.n_judged_topics)


def direct_means(
    y: ArrayLike,
    f: ArrayLike | None = None,
    *,
    finite: bool = True,
    drawn_to: float | None = None,
    rater_errors: ArrayLike | None = None,
    rater_df: int = 0,
) -> DirectMeans:
    """Estimate the mean of each system from its own judgments, with scores as control variates.

    Parameters
    ----------
    y : array_like, shape (..., n_systems, n_topics)
        Judgments; NaN where nobody judged. With leading axes each matrix is estimated by itself.
    f : array_like, shape (..., n_systems, n_topics) or (..., n_metrics, n_systems, n_topics), optional
        Scores of every cell. Without them the means are the plain ones, less the topics' effects.
    finite : bool
        Whether the means over these topics are wanted, or else those over topics like them. Of the first, variances
        are less by the share of a system's topics that are judged; to the second comes the variance of the scores'
        own means.
    drawn_to : float, optional
        What the slopes of few systems are drawn to: with 0 to those of all judged cells, and these to 0; else to what
        judgments should rise with the one metric, 1 for predictions of them.
    rater_errors : array_like, shape (n_systems, n_systems), optional
        Where estimated effects of raters were taken from judgments, the covariance that their errors leave in the means
        of systems, see :mod:`classy_aesop.significance.raters.rater_effects`.
    rater_df : int
        Degrees of freedom that those effects took.

    Raises
    ------
    TooFewJudgments
        There are too few judgments to tell their variance.
    ValueError
        The shapes do not fit, or a score is missing.

    Examples
    --------
    >>> found = direct_means([[3, 5, None], [2, 4, None], [1, 1, None]], finite=False)
    >>> found.mean.round(2).tolist(), float(found.variance.round(2))
    ([4.0, 3.0, 1.0], 0.67)
    """
    Y, raw = _matrices(y, f)
    judged = ~np.isnan(Y)
    F, ways = raw - raw.mean(axis=-2, keepdims=True), TwoWayFit(judged)
    ways.check(F.shape[-3], are_taken=drawn_to is None)
    rest, scores = ways.residuals(Y[..., None, :, :])[..., 0, :, :], ways.residuals(F)
    n_judged, n_judged_topics = judged.sum(axis=-1), judged.any(axis=-2).sum(axis=-1)
    found, taken = _slopes(scores, rest, raw), 0.0
    if drawn_to is not None:
        own = np.maximum(1 - PRIOR_DF_OF_SLOPE / np.maximum(ways.df + PRIOR_DF_OF_SLOPE - 2, 1), 0)
        slope = own[..., None] * found + (1 - own)[..., None] * _slopes_of_cells(judged, raw, Y, drawn_to)
        taken = F.shape[-3] * own * (2 - own)
    else:  # slopes take judgments enough, or systems that share their topics, so that little is moved
        is_told = _are_shared(n_judged, n_judged_topics) | (ways.df >= PRIOR_DF_OF_SLOPE * F.shape[-3])
        slope = np.where(is_told[..., None], found, 0.0)
    least = _least_variance(Y)
    is_additive = (rest**2).sum(axis=(-2, -1)) <= least * ways.df
    rest = rest - _moved(slope, scores)
    of_systems, df = (rest**2).sum(axis=-1), np.maximum(ways.df - taken - rater_df, ways.df / 2)
    variance = np.maximum(of_systems.sum(axis=-1) / df, least)
    is_sure, slack = variance <= least, rounding_slack(Y.reshape(*Y.shape[:-2], -1), axis=-1)
    of_rounding, wider = _of_grades(Y, slack)
    variance = np.maximum(variance, is_sure * of_rounding)
    own_variance, own_df = moderate_variances(of_systems, *ways.of_residuals(), variance)
    of_scores = _moved(slope, F)
    topic_variance = ways.topic_variance(Y - of_scores, of_systems.sum(axis=-1))
    mean, covariance, by_topics = ways.fitted(Y - of_scores, variance, topic_variance)
    left = np.maximum(1 - n_judged / Y.shape[-1], MIN_VARIANCE_SHARE) if finite else None
    covariance, by_topics = _of_topics_wanted([covariance, by_topics], left, of_scores)
    if rater_errors is not None:
        covariance = covariance + np.asarray(rater_errors)
        by_topics = by_topics + np.asarray(rater_errors)
    score_mean = F.mean(axis=-1)
    mean = mean + (slope[..., None] * score_mean).sum(axis=-2)
    mean, covariance = _with_unjudged(mean, covariance, n_judged > 0)
    return DirectMeans(
        mean=snap_ties(mean, slack),
        covariance=covariance,
        score_mean=score_mean,
        slope=slope,
        variance=variance,
        df=df,
        topic_variance=topic_variance,
        n_judged=n_judged,
        n_topics=Y.shape[-1],
        n_judged_topics=n_judged_topics,
        finite=finite,
        by_topics=by_topics,
        own_variance=own_variance,
        own_df=own_df,
        is_sure=is_sure,
        wider=np.where(finite & judged.all(axis=(-2, -1)), 1.0, np.where(is_additive, np.inf, wider)),
        slack=slack,
    )


def _matrices(y: ArrayLike, f: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Give the judgments, and the scores as (..., n_metrics, n_systems, n_topics)."""
    Y = np.asarray(y, dtype=np.float64)
    if Y.ndim < 2:
        raise ValueError(f"y has {Y.ndim} dimensions; expected 2, summarizers x topics")
    if np.isinf(Y).any():
        raise ValueError("y holds an infinite score; expected numbers, or NaN where nobody judged")
    if f is None:
        return Y, np.empty((*Y.shape[:-2], 0, *Y.shape[-2:]))
    F = np.asarray(f, dtype=np.float64)
    F = F[..., None, :, :] if F.ndim == Y.ndim else F
    if F.ndim != Y.ndim + 1 or (*F.shape[:-3], *F.shape[-2:]) != Y.shape:
        raise ValueError(f"f has the shape {np.shape(f)}; expected scores of {Y.shape}, as y")
    if not np.isfinite(F).all():
        raise ValueError("f lacks a score; expected one for every system and topic")
    return Y, F


def _are_shared(n_judged: IntArray, n_judged_topics: IntArray) -> BoolArray:
    return np.asarray(((n_judged == 0) | (n_judged == n_judged_topics[..., None])).all(axis=-1))


def _slopes(scores: FloatArray, rest: FloatArray, raw: FloatArray) -> FloatArray:
    """Least squares of what is left of judgments on what is left of each metric's scores; 0 for one of rounding."""
    length = np.sqrt((scores**2).sum(axis=(-2, -1)))
    size = np.where(length > EIGENVALUE_ROUNDING * np.abs(raw).max(axis=(-2, -1)), length, np.inf)
    units = (scores / size[..., None, None]).reshape(*size.shape, rest.shape[-2] * rest.shape[-1])
    along = units @ rest.reshape(*rest.shape[:-2], -1, 1)
    found = np.linalg.pinv(units @ units.mT, rcond=EIGENVALUE_ROUNDING, hermitian=True) @ along
    return np.asarray(found[..., 0] / size)


def _slopes_of_cells(judged: BoolArray, F: FloatArray, Y: FloatArray, drawn_to: float) -> FloatArray:
    """Slopes within systems, topics left in; drawn to another, or to 0."""
    n_cells, n_metrics = judged.sum(axis=(-2, -1)), F.shape[-3]
    scores, rest = _less_means(F, judged[..., None, :, :]), _less_means(Y, judged)
    if drawn_to and n_metrics == 1:
        slopes = drawn_to * _SLOPES
        left = ((rest[..., None] - scores[..., 0, :, :, None] * slopes) ** 2).sum(axis=(-3, -2))
        share = left / np.maximum(left.max(axis=-1, keepdims=True), np.finfo(float).tiny)
        df = (n_cells - judged.any(axis=-1).sum(axis=-1))[..., None]
        likely = _BELIEFS * np.maximum(share, _LEAST) ** (-df / 2)
        return np.asarray((likely @ slopes / likely.sum(axis=-1))[..., None])
    found, n_systems = _slopes(scores, rest, F), judged.any(axis=-1).sum(axis=-1)
    squares = (_moved(found, scores) ** 2).sum(axis=(-2, -1))
    df = np.maximum(n_cells - n_systems - n_metrics, 1)
    chance = ((rest - _moved(found, scores)) ** 2).sum(axis=(-2, -1)) / df * n_metrics
    limit = stats.f.ppf(_CHANCE, max(n_metrics, 1), df)
    kept = np.divide(limit * chance, squares, out=np.ones_like(squares), where=squares > 0)
    of_all = F.var(axis=-1, ddof=1).mean(axis=-1) * (n_cells - n_systems)[..., None]
    apart = np.minimum((scores**2).sum(axis=(-2, -1)) / np.maximum(of_all, np.finfo(float).tiny), 1)
    return np.asarray(found * apart * np.maximum(1 - kept, 0)[..., None])


def _less_means(Z: FloatArray, judged: BoolArray) -> FloatArray:
    """Give judged cells less the mean of their system; 0 elsewhere."""
    total = np.where(judged, Z, 0.0).sum(axis=-1, keepdims=True)
    return np.where(judged, Z - total / np.maximum(judged.sum(axis=-1, keepdims=True), 1), 0.0)


def _least_variance(Y: FloatArray) -> FloatArray:
    """Give the variance that rounding alone leaves."""
    largest, deviation = np.nanmax(np.abs(Y), axis=(-2, -1)), np.nanstd(Y, axis=(-2, -1))
    size = np.where(deviation > MIN_VARIANCE_SHARE * largest, deviation, largest)
    return np.asarray(_LEAST * np.where(size > 0, size, 1.0) ** 2)


def _of_grades(Y: FloatArray, slack: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the variance of rounding to a grade, and how many times as large a variance of few systems may be."""
    cells = np.sort(Y.reshape(*Y.shape[:-2], -1), axis=-1)
    apart, at = np.diff(cells, axis=-1, prepend=-np.inf), np.arange(cells.shape[-1])
    n_alike = 1 + (at - np.maximum.accumulate(np.where(apart <= slack, 0, at), axis=-1)).max(axis=-1)
    n_cells = (~np.isnan(cells)).sum(axis=-1)
    are_equal, are_few = n_alike == n_cells, Y.shape[-2] < MIN_SYSTEMS_FOR_POOLED_VARIANCE
    step = np.where(are_equal, 0.0, np.where(apart > slack, apart, np.inf).min(axis=-1))
    n_unlike, most = np.maximum(n_cells - n_alike, 1), np.maximum(n_cells - 1, 1)
    more = stats.t.ppf(_UNSURE, 2 * n_unlike) / stats.t.ppf(_UNSURE, 2 * most) if are_few else 1.0
    return are_few * step**2 / 12, np.where(are_equal, np.inf, np.square(more))


def _moved(slope: FloatArray, F: FloatArray) -> FloatArray:
    """Give what the slopes make of the scores."""
    return np.asarray((slope[..., None, None] * F).sum(axis=-3))


def _of_topics_wanted(
    covariances: Sequence[FloatArray], left: FloatArray | None, of_scores: FloatArray
) -> list[FloatArray]:
    """Take from errors what the topics at hand leave open, or add what the scores say of topics like them."""
    if left is not None:
        root = np.sqrt(left)
        return [one * root[..., :, None] * root[..., None, :] for one in covariances]
    n_systems, n_topics = of_scores.shape[-2:]
    around = of_scores - of_scores.mean(axis=-1, keepdims=True)
    own = (around**2).sum(axis=(-2, -1)) / ((n_systems - 1) * (n_topics - 1)) / n_topics
    added = own[..., None, None] * np.eye(n_systems)
    return [one + added for one in covariances]


def _with_unjudged(
    mean: FloatArray, covariance: FloatArray, judged: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Give systems without a judgment a mean of which nothing is known."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    n = judged.sum(axis=-1, keepdims=True)
    middle = np.where(judged, mean, 0).sum(axis=-1, keepdims=True) / n
    spread = (np.where(judged, mean - middle, 0) ** 2).sum(axis=-1, keepdims=True) / n
    known = np.where(judged, own, -np.inf).max(axis=-1, keepdims=True) + spread
    added = np.where(judged, 0.0, VARIANCE_OF_UNJUDGED * known - own)
    return np.where(judged, mean, middle), covariance + added[..., None] * np.eye(mean.shape[-1])
