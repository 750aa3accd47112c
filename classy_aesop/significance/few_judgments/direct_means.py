"""Means of systems from the judged part of a matrix of systems x topics: the plain mean and the control variate.

A judged cell is modelled as ``y = system + topic + slope * f + error``. Here ``f`` is the score that is known for
every cell, less its topic's mean over systems. Topics are random effects, so that they cancel where all systems share
their topics, and count as noise where they do not; how hard shared topics were is corrected by their mean scores
(:mod:`classy_aesop.significance.few_judgments.topic_regression`). The mean of a system is then the mean of its
judgments, plus the slope times the difference between the scores of all topics and of the judged ones: the regression
estimator of survey sampling, the control variate of Chaganty, Mussmann and Liang (2018), and PPI++ (Angelopoulos, Duchi
and Zrnic, 2023), whose weight ``slope / (1 + n / N)`` on N further topics is the same estimate.

Each system has a variance of its own, shrunk toward the pooled one
(:func:`moderate_variances`).

With two systems and five topics the slope is so poorly estimated that using it increases the error. For few systems
it is therefore shrunk toward the slope over all judged cells (topic effects included), which has a smaller variance;
and this one toward 0, by as much of it as chance explains (James and Stein, 1961), and by how much less the scores
vary within the judged cells than within all. The slope of a predictor's own predictions should be 1. There the slope
over all cells is the posterior mean of slopes of 1, 0 and -1, of which the first two are about as likely a priori.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.significance.few_judgments.topic_regression import (
    EIGENVALUE_ROUNDING,
    TopicRegression,
    centre_judged,
    estimate_slopes,
    regress_topics,
)
from classy_aesop.significance.few_judgments.two_way_fit import TwoWayFit

VARIANCE_OF_UNJUDGED = 1e5
"""A system without a judgment has this many times the variance and spread of the others."""

MIN_VARIANCE_SHARE = 1e-12
"""Share of its variance that is kept for a mean whose topics are all judged, so that it can be divided by."""

PRIOR_DF_OF_SLOPE = 20
"""Degrees of freedom for each metric from which a slope is used where systems do not share topics.

A slope of 0 that is estimated adds about one in as many to the mean squared error. With few systems the slope of all
judged cells has the weight of as many, and two of the systems' own are subtracted: with two a slope has no variance.
"""

MIN_SYSTEMS_FOR_POOLED_VARIANCE = 5
"""With fewer systems the pooled variance is poorly estimated."""

QUANTILE_OF_INFLATION = 0.975
"""With few systems, the quantile of Student's t by which intervals are widened where most grades are equal.

The variance of cells of which few differ from the most frequent grade has about two degrees of freedom for each of
them.
"""

CHANCE_QUANTILE_OF_SLOPE = 0.95
"""With few systems, the quantile of F up to which a slope of all judged cells is shrunk to 0."""

PRIOR_SLOPES = np.array([1.0, 0.0, -1.0])
PRIOR_PROBABILITIES = np.array([0.4, 0.5, 0.1])
"""With few systems, the prior of the slope of a predictor's own predictions, in units of the stated slope."""

MAX_TOPICS_OF_POOR_VARIANCE = 3
"""Judged topics up to which intervals allow for the errors of the slopes and of the variance of topics.

With two topics these are estimated so poorly that intervals without them cover .74 of means where topics vary much.
"""

MIN_RESIDUAL_SHARE = 1e-8
"""Least variance of the errors as a share of that of the judgments, or of the square of equal ones: rounding alone."""


MIN_PRIOR_DF = 4.0
"""Degrees of freedom of the inverse gamma distribution below which its own variance is infinite."""


@dataclass(frozen=True, slots=True)
class DirectMeans(Result):
    """Means of systems, each from its own judgments; arrays have the leading axes of the judgments.

    Attributes
    ----------
    mean : ndarray, shape (..., n_systems)
        The means; without any judgment the mean of the others, with a variance that is practically infinite.
    covariance : ndarray, shape (..., n_systems, n_systems)
        Covariance of their errors; what all systems share is the error of the topics.
    score_mean : ndarray, shape (..., n_metrics, n_systems)
        Means of the scores over all topics, less those of all systems.
    slope : ndarray, shape (..., n_metrics)
        Slope of the judgments on each metric, within systems and topics; 0 where it is poorly estimated.
    variance, df : ndarray, shape (...)
        Variance of a judgment around its system, its topic and the slope; its degrees of freedom.
    topic_variance : ndarray, shape (...)
        Variance of topics.
    n_judged : ndarray of int, shape (..., n_systems)
        Judged topics of each system.
    n_topics : int
        All topics.
    n_judged_topics : ndarray of int, shape (...)
        Topics with a judgment.
    finite : bool
        Whether the means are those over the topics at hand.
    clustered_covariance : ndarray, shape (..., n_systems, n_systems)
        Covariance of the errors estimated from the residuals of each topic, without the model.
    own_variance, own_df : ndarray, shape (..., n_systems)
        Variance of a judgment of each system, see
        :func:`moderate_variances`; its degrees of freedom beside those of the
        pooled variance.
    has_no_error : ndarray of bool, shape (...)
        Whether systems and topics explain all of the judgments but rounding.
    inflation_of_sample : ndarray, shape (...)
        Factor of the variances in intervals where most grades are equal; infinite if all are, or if systems
        and topics explain all judgments. It is 1 with `MIN_SYSTEMS_FOR_POOLED_VARIANCE` systems or more, which have
        many cells.
    slack : ndarray, shape (..., 1)
        Means no further apart are equal, see :mod:`classy_aesop.significance.equality`.
    slope_covariance : ndarray, shape (..., n_systems, n_systems)
        What the errors of estimated slopes add to the covariance where at most `MAX_TOPICS_OF_POOR_VARIANCE` topics
        are judged; else 0, as it is small beside the rest.
    fitted_covariances : ndarray, shape (2, ..., n_systems, n_systems)
        ``covariance`` and ``clustered_covariance`` by the judgments alone, before they are those of a population.
    added_covariances : (ndarray, ndarray), shapes (..., n_systems, n_systems)
        What the scores' own means add to both for topics like these, and what raters and the errors of the slope of
        topics add for any topics.
    has_topic_slope : ndarray of bool, shape (...)
        Whether scores correct how hard the judged topics are, which takes a degree of freedom of their variance.
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
    clustered_covariance: FloatArray
    own_variance: FloatArray
    own_df: FloatArray
    has_no_error: BoolArray
    inflation_of_sample: FloatArray
    slack: FloatArray
    slope_covariance: FloatArray
    fitted_covariances: FloatArray
    added_covariances: tuple[FloatArray, FloatArray]
    has_topic_slope: BoolArray

    def for_population(self, *, finite: bool) -> DirectMeans:
        """Give the same means as those over these topics, or as those over topics like them."""
        by_scores, by_raters_and_slope = self.added_covariances
        if finite:
            unjudged_share = _unjudged_shares(self.n_judged, self.n_topics)
            covariances = _scale_covariance(self.fitted_covariances, unjudged_share)
        else:
            covariances = self.fitted_covariances + by_scores
        covariance, clustered_covariance = covariances + by_raters_and_slope
        return replace(
            self,
            finite=finite,
            covariance=_widen_unjudged(covariance, self.mean, self.n_judged > 0),
            clustered_covariance=clustered_covariance,
        )

    @property
    def variance_inflation(self) -> FloatArray:
        """Factor of the variances in intervals: `inflation_of_sample`, but 1 where all cells at hand are judged."""
        is_census = self.finite & (self.n_judged == self.n_topics).all(axis=-1)
        return np.where(is_census, 1.0, self.inflation_of_sample)

    @property
    def has_few_topics(self) -> BoolArray:
        """Whether so few topics are judged that slopes and the variance of topics are poorly estimated."""
        return self.n_judged_topics <= MAX_TOPICS_OF_POOR_VARIANCE

    @property
    def variance_by_topics(self) -> FloatArray:
        """Variance of each mean by the difficulty of its judged topics, (..., n_systems)."""
        unjudged_share = _unjudged_shares(self.n_judged, self.n_topics) if self.finite else 1.0
        return self.topic_variance[..., None] * unjudged_share / np.maximum(self.n_judged, 1)

    @property
    def own_error_variance(self) -> FloatArray:
        """Variance of each mean by the errors of its own judgments alone; 0 without any, (..., n_systems)."""
        unjudged_share = _unjudged_shares(self.n_judged, self.n_topics) if self.finite else 1.0
        error_variance = self.own_variance * unjudged_share / np.maximum(self.n_judged, 1)
        return np.where(self.n_judged > 0, error_variance, 0.0)

    @property
    def own_covariance(self) -> FloatArray:
        """Covariance of the errors where each system has its own variance, (..., n_systems, n_systems)."""
        pooled_ratio = self.variance[..., None] / self.own_variance
        added = (self.own_error_variance * (1 - pooled_ratio))[..., None]
        return self.covariance + added * np.eye(self.mean.shape[-1])

    @property
    def topics_df(self) -> FloatArray:
        """Degrees of freedom of each system's variance as estimated from the residuals of topics."""
        return np.maximum(self.n_judged - 1.0, 0.0)

    @property
    def design(self) -> FloatArray:
        """Regressors of the true means: ones and the means of the metrics, (..., n_systems, n_columns)."""
        return np.concatenate([np.ones_like(self.mean)[..., None], self.score_mean.mT], axis=-1)

    @property
    def shares_topics(self) -> BoolArray:
        """Whether all judged systems are judged on the same topics, so that their errors are correlated."""
        return _share_topics(self.n_judged, self.n_judged_topics)


def direct_means(
    y: ArrayLike,
    f: ArrayLike | None = None,
    *,
    finite: bool = True,
    slope_prior: float | None = None,
    rater_errors: ArrayLike | None = None,
    rater_df: int = 0,
) -> DirectMeans:
    """Estimate the mean of each system from its own judgments, with scores as control variates.

    Shapes: ``y`` (..., n_systems, n_topics), ``f`` (..., n_systems, n_topics) or (..., n_metrics, n_systems,
    n_topics), ``rater_errors`` (n_systems, n_systems).

    Examples
    --------
    >>> means = direct_means([[3, 5, None], [2, 4, None], [1, 1, None]], finite=False)
    >>> means.mean.round(2).tolist(), float(means.variance.round(2))
    ([4.0, 3.0, 1.0], 0.67)
    """
    Y, raw_scores = _check_matrices(y, f)
    judged = ~np.isnan(Y)
    n_judged = judged.sum(axis=-1)
    n_judged_topics = judged.any(axis=-2).sum(axis=-1)
    n_topics = Y.shape[-1]
    F = raw_scores - raw_scores.mean(axis=-2, keepdims=True)
    fit = TwoWayFit(judged)
    fit.check(F.shape[-3], estimates_slopes=slope_prior is None)
    residuals = fit.residuals(Y[..., None, :, :])[..., 0, :, :]
    score_residuals = fit.residuals(F)
    own_slopes = estimate_slopes(score_residuals, residuals, raw_scores)
    if slope_prior is None:
        is_used = _uses_slopes(fit, F.shape[-3], n_judged, n_judged_topics)
        slope = np.where(is_used[..., None], own_slopes, 0.0)
        slope_df: FloatArray | float = 0.0
    else:
        own_weight = np.maximum(1 - PRIOR_DF_OF_SLOPE / np.maximum(fit.df + PRIOR_DF_OF_SLOPE - 2, 1), 0)
        cell_slopes = _slopes_of_cells(judged, raw_scores, Y, slope_prior)
        slope = own_weight[..., None] * own_slopes + (1 - own_weight)[..., None] * cell_slopes
        slope_df = F.shape[-3] * own_weight * (2 - own_weight)
    least_variance = _rounding_variance(Y)
    is_additive = (residuals**2).sum(axis=(-2, -1)) <= least_variance * fit.df
    residuals = residuals - _predict(slope, score_residuals)
    system_squares = (residuals**2).sum(axis=-1)
    df = np.maximum(fit.df - slope_df - rater_df, fit.df / 2)
    variance = np.maximum(system_squares.sum(axis=-1) / df, least_variance)
    has_no_error = variance <= least_variance
    slack = rounding_slack(Y.reshape(*Y.shape[:-2], -1), axis=-1)
    grade_variance, variance_inflation = _grade_variances(Y, slack)
    variance = np.maximum(variance, has_no_error * grade_variance)
    own_variance, own_df = moderate_variances(system_squares, *fit.residual_df(), variance)
    predictions = _predict(slope, F)
    unpredicted, topics = _predict_topics(Y - predictions, slope, raw_scores, grade_variance)
    topic_variance = fit.topic_variance(unpredicted, system_squares.sum(axis=-1))
    mean, *fitted_covariances = fit.generalized_means(unpredicted, variance, topic_variance)
    no_covariance = np.zeros_like(fitted_covariances[0])
    score_mean = F.mean(axis=-1)
    mean = mean + (slope[..., None] * score_mean).sum(axis=-2) + topics.change[..., None]
    has_few_topics = n_judged_topics <= MAX_TOPICS_OF_POOR_VARIANCE
    slope_covariance = no_covariance
    if slope_prior is None and F.shape[-3] and has_few_topics.any():
        errors = _covariance_of_slopes(judged, F, score_residuals, variance)
        slope_covariance = np.where(
            (has_few_topics & (slope != 0).any(axis=-1))[..., None, None], errors, 0.0
        )
    error_of_change = topics.variance * topics.leverage
    return DirectMeans(
        mean=snap_ties(_fill_unjudged(mean, n_judged > 0), slack),
        covariance=no_covariance,
        score_mean=score_mean,
        slope=slope,
        variance=variance,
        df=df,
        topic_variance=topic_variance,
        n_judged=n_judged,
        n_topics=n_topics,
        n_judged_topics=n_judged_topics,
        finite=finite,
        clustered_covariance=no_covariance,
        own_variance=own_variance,
        own_df=own_df,
        has_no_error=has_no_error,
        inflation_of_sample=np.where(is_additive, np.inf, variance_inflation),
        slack=slack,
        slope_covariance=slope_covariance,
        fitted_covariances=np.array(fitted_covariances),
        added_covariances=(
            _covariance_of_predictions(predictions) + topics.prediction_variance[..., None, None],
            np.asarray(0.0 if rater_errors is None else rater_errors) + error_of_change[..., None, None],
        ),
        has_topic_slope=topics.slope[..., 0] != 0,
    ).for_population(finite=finite)


def _predict_topics(
    Z: FloatArray, slope: FloatArray, raw_scores: FloatArray, rounding_variance: FloatArray
) -> tuple[FloatArray, TopicRegression]:
    """Subtract from judged cells what mean scores explain of their topics, where all systems share topics.

    Several metrics are one, by their slopes within topics.
    """
    judged = ~np.isnan(Z)
    is_judged_topic = judged.any(axis=-2)
    shares_topics = _share_topics(judged.sum(axis=-1), is_judged_topic.sum(axis=-1))
    has_mean = is_judged_topic & shares_topics[..., None]
    topic_means = np.where(judged, Z, 0.0).sum(axis=-2) / np.maximum(judged.sum(axis=-2), 1)
    weights = np.ones_like(slope) if slope.shape[-1] == 1 else slope
    cells = _predict(weights, raw_scores)
    index = cells.mean(axis=-2)
    is_varying = np.ptp(index, axis=-1) > EIGENVALUE_ROUNDING * np.abs(cells).max(axis=(-2, -1))
    index = np.where(is_varying[..., None], index, 0.0)
    topics = regress_topics(
        np.where(has_mean, topic_means, np.nan),
        index[..., None, :],
        rounding_variance=rounding_variance / judged.any(axis=-1).sum(axis=-1),
    )
    explained = centre_judged(topic_means, has_mean) - topics.residuals
    return Z - explained[..., None, :], topics


def _check_matrices(y: ArrayLike, f: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
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


def _share_topics(n_judged: IntArray, n_judged_topics: IntArray) -> BoolArray:
    """Whether all judged systems are judged on all judged topics."""
    return ((n_judged == 0) | (n_judged == n_judged_topics[..., None])).all(axis=-1)


def _unjudged_shares(n_judged: IntArray, n_topics: int) -> FloatArray:
    """Share of each system's topics that are not judged, not below `MIN_VARIANCE_SHARE`."""
    return np.maximum(1 - n_judged / n_topics, MIN_VARIANCE_SHARE)


def _uses_slopes(fit: TwoWayFit, n_metrics: int, n_judged: IntArray, n_judged_topics: IntArray) -> BoolArray:
    """Whether slopes are used: with enough judgments, or with shared topics, where they change little."""
    has_enough_df = fit.df >= PRIOR_DF_OF_SLOPE * n_metrics
    return _share_topics(n_judged, n_judged_topics) | has_enough_df


def _covariance_of_slopes(
    judged: BoolArray, F: FloatArray, score_residuals: FloatArray, variance: FloatArray
) -> FloatArray:
    """Covariance of means by the errors of slopes, which count times mean scores of all topics less of judged ones."""
    length = np.sqrt((score_residuals**2).sum(axis=(-2, -1)))[..., None]
    size = np.where(length > 0, length, 1.0)
    cells = score_residuals.reshape(*score_residuals.shape[:-2], -1) / size
    precision = np.linalg.pinv(cells @ cells.mT, rcond=EIGENVALUE_ROUNDING, hermitian=True)
    n_judged = judged.sum(axis=-1)[..., None, :]
    judged_mean = np.where(judged[..., None, :, :], F, 0.0).sum(axis=-1) / np.maximum(n_judged, 1)
    change = np.where(n_judged > 0, F.mean(axis=-1) - judged_mean, 0.0) / size
    return variance[..., None, None] * (change.mT @ precision @ change)


def _slopes_of_cells(judged: BoolArray, F: FloatArray, Y: FloatArray, slope_prior: float) -> FloatArray:
    """Slopes over all judged cells within systems, topic effects included; shrunk toward 0 or the stated slope."""
    n_metrics = F.shape[-3]
    df = judged.sum(axis=(-2, -1)) - judged.any(axis=-1).sum(axis=-1)
    scores = centre_judged(F, judged[..., None, :, :])
    judgments = centre_judged(Y, judged)
    if slope_prior and n_metrics == 1:
        return _posterior_slope(scores[..., 0, :, :], judgments, df, slope_prior)
    slopes = estimate_slopes(scores, judgments, F)
    explained = (_predict(slopes, scores) ** 2).sum(axis=(-2, -1))
    residual_df = np.maximum(df - n_metrics, 1)
    residual_squares = ((judgments - _predict(slopes, scores)) ** 2).sum(axis=(-2, -1))
    expected_by_chance = residual_squares / residual_df * n_metrics
    limit = _f_quantile(CHANCE_QUANTILE_OF_SLOPE, max(n_metrics, 1), residual_df)
    chance_share = np.divide(
        limit * expected_by_chance, explained, out=np.ones_like(explained), where=explained > 0
    )
    expected_squares = F.var(axis=-1, ddof=1).mean(axis=-1) * df[..., None]
    squares = (scores**2).sum(axis=(-2, -1))
    relative_range = np.minimum(squares / np.maximum(expected_squares, np.finfo(float).tiny), 1)
    return slopes * relative_range * np.maximum(1 - chance_share, 0)[..., None]


def _posterior_slope(
    scores: FloatArray, judgments: FloatArray, df: IntArray, slope_prior: float
) -> FloatArray:
    """Posterior mean of the slope of predictions, (..., 1), over the stated slope, 0 and its negative."""
    slopes = slope_prior * PRIOR_SLOPES
    squares = ((judgments[..., None] - scores[..., None] * slopes) ** 2).sum(axis=(-3, -2))
    relative = squares / np.maximum(squares.max(axis=-1, keepdims=True), np.finfo(float).tiny)
    likelihood = np.maximum(relative, MIN_RESIDUAL_SHARE) ** (-df[..., None] / 2)
    weights = PRIOR_PROBABILITIES * likelihood
    return (weights @ slopes / weights.sum(axis=-1))[..., None]


def _f_quantile(share: float, df1: int, df2: IntArray) -> FloatArray:
    """Quantile of the F distribution."""
    from scipy.special import fdtri

    return fdtri(df1, df2, share)


def _rounding_variance(Y: FloatArray) -> FloatArray:
    """Variance that rounding alone causes."""
    largest = np.nanmax(np.abs(Y), axis=(-2, -1))
    deviation = np.nanstd(Y, axis=(-2, -1))
    size = np.where(deviation > MIN_VARIANCE_SHARE * largest, deviation, largest)
    return MIN_RESIDUAL_SHARE * np.where(size > 0, size, 1.0) ** 2


def _grade_variances(Y: FloatArray, slack: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Variance of rounding to a grade, and the inflation of variances where most grades are equal.

    Both are for few systems; with more, the first is 0 and the second 1, or infinite if all grades are equal.
    """
    from scipy.special import stdtrit

    has_few_systems = Y.shape[-2] < MIN_SYSTEMS_FOR_POOLED_VARIANCE
    cells = np.sort(Y.reshape(*Y.shape[:-2], -1), axis=-1)
    steps = np.diff(cells, axis=-1, prepend=-np.inf)
    position = np.arange(cells.shape[-1])
    run_start = np.maximum.accumulate(np.where(steps <= slack, 0, position), axis=-1)
    n_of_mode = 1 + (position - run_start).max(axis=-1)
    n_cells = (~np.isnan(cells)).sum(axis=-1)
    all_equal = n_of_mode == n_cells
    smallest_step = np.where(steps > slack, steps, np.inf).min(axis=-1)
    grade = np.where(all_equal, 0.0, smallest_step)
    inflation: FloatArray | float = 1.0
    if has_few_systems:
        df_of_others = 2 * np.maximum(n_cells - n_of_mode, 1)
        largest_df = 2 * np.maximum(n_cells - 1, 1)
        inflation = stdtrit(df_of_others, QUANTILE_OF_INFLATION) / stdtrit(largest_df, QUANTILE_OF_INFLATION)
    return has_few_systems * grade**2 / 12, np.where(all_equal, np.inf, np.square(inflation))


def _predict(slope: FloatArray, F: FloatArray) -> FloatArray:
    """Sum of the scores of all metrics times their slopes."""
    return (slope[..., None, None] * F).sum(axis=-3)


def _scale_covariance(covariance: FloatArray, shares: FloatArray) -> FloatArray:
    """Multiply the variances of systems by shares."""
    root = np.sqrt(shares)
    return covariance * root[..., :, None] * root[..., None, :]


def _covariance_of_predictions(predictions: FloatArray) -> FloatArray:
    """Covariance of the predictions' means over topics like these, beyond what systems share."""
    n_systems, n_topics = predictions.shape[-2:]
    deviations = predictions - predictions.mean(axis=-1, keepdims=True)
    df = (n_systems - 1) * (n_topics - 1)
    variance_of_mean = (deviations**2).sum(axis=(-2, -1)) / df / n_topics
    return variance_of_mean[..., None, None] * np.eye(n_systems)


def _fill_unjudged(mean: FloatArray, judged: BoolArray) -> FloatArray:
    """Give systems without a judgment the mean of the others."""
    centre = np.where(judged, mean, 0).sum(axis=-1, keepdims=True) / judged.sum(axis=-1, keepdims=True)
    return np.where(judged, mean, centre)


def _widen_unjudged(covariance: FloatArray, mean: FloatArray, judged: BoolArray) -> FloatArray:
    """Give systems without a judgment, whose mean is that of the others, a variance that is practically infinite."""
    variances = np.diagonal(covariance, axis1=-2, axis2=-1)
    n_judged = judged.sum(axis=-1, keepdims=True)
    spread = ((mean - mean.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1, keepdims=True) / n_judged
    largest = np.where(judged, variances, -np.inf).max(axis=-1, keepdims=True) + spread
    added = np.where(judged, 0.0, VARIANCE_OF_UNJUDGED * largest - variances)
    return covariance + added[..., None] * np.eye(mean.shape[-1])


def moderate_variances(
    squares: FloatArray, df: FloatArray, own_df: FloatArray, variance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Variance of each system, shrunk toward the pooled one.

    Residuals of systems and topics estimate each system's variance (Grubbs, 1948): ``variance + (squares - df *
    variance) / own_df``, where ``squares`` are expected to be ``df * variance`` if all systems have one variance.
    With few topics it is poorly estimated, so it is shrunk toward the pooled variance, with an inverse gamma
    distribution of variances as the prior, as Smyth (2004) does for genes. The prior's degrees of freedom are
    estimated from the variance of the variances, not of their logarithms: near the end of a scale some systems have
    equal judgments, and the logarithm of their variance of 0 would explain all other differences as chance.

    Shapes: ``squares``, ``df`` and ``own_df`` (..., n_systems), ``variance`` (...); gives ``own_variance``
    (..., n_systems), ``own_df`` (..., n_systems).

    Examples
    --------
    >>> own_variance, df = moderate_variances(
    ...     np.array([9.0, 1, 1, 1]), np.full(4, 3.0), np.full(4, 2.0), np.array(1.0)
    ... )
    >>> own_variance.round(3).tolist(), df.round(3).tolist()
    ([1.818, 0.727, 0.727, 0.727], [7.333, 7.333, 7.333, 7.333])
    """
    pooled = variance[..., None]
    excess = np.maximum(squares / pooled - df, -own_df)
    n_systems = excess.shape[-1]
    variance_of_excess = (excess**2).sum(axis=-1) * n_systems / (n_systems - 1)
    unexplained = variance_of_excess - 2 * own_df.sum(axis=-1)
    moment = (own_df * (own_df + 2)).sum(axis=-1)
    systems_differ = (unexplained > 0) & (moment > 0)
    own_prior_df = np.where(systems_differ, 2 * moment / np.where(systems_differ, unexplained, 1.0), np.inf)
    prior_df = (MIN_PRIOR_DF + own_prior_df)[..., None]
    return pooled * (1 + excess / (own_df + prior_df)), own_df + prior_df
