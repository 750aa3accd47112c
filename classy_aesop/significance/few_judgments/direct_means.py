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

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.two_way_fit import TwoWayFit
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, score_matrix
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.significance.few_judgments.topic_regression import (
    EIGENVALUE_ROUNDING,
    TopicRegression,
    centre_judged,
    estimate_slopes,
    mean_of_judged,
    regress_topics,
)

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


class TooFewJudgments(ValueError):
    """There are too few judgments, or systems, for an estimate."""


@dataclass(frozen=True, slots=True)
class DirectMeans:
    """Means of systems, each from its own judgments.

    Attributes
    ----------
    mean : ndarray, shape (n_systems,)
        The means; without any judgment the mean of the others, with a variance that is practically infinite.
    score_mean : ndarray, shape (n_metrics, n_systems)
        Means of the scores over all topics, less those of all systems.
    slope : ndarray, shape (n_metrics,)
        Slope of the judgments on each metric, within systems and topics; 0 where it is poorly estimated.
    variance, df : float
        Variance of a judgment around its system, its topic and the slope; its degrees of freedom.
    topic_variance : float
        Variance of topics.
    n_judged : ndarray of int, shape (n_systems,)
        Judged topics of each system.
    n_topics : int
        All topics.
    n_judged_topics : int
        Topics with a judgment.
    shares_topics : bool
        Whether all judged systems are judged on the same topics, so that their errors are correlated.
    finite : bool
        Whether the means are those over the topics at hand.
    own_variance, own_df : ndarray, shape (n_systems,)
        Variance of a judgment of each system, see
        :func:`moderate_variances`; its degrees of freedom beside those of the
        pooled variance.
    has_no_error : bool
        Whether systems and topics explain all of the judgments but rounding.
    inflation_of_sample : float
        Factor of the variances in intervals where most grades are equal; infinite if all are, or if systems
        and topics explain all judgments. It is 1 with `MIN_SYSTEMS_FOR_POOLED_VARIANCE` systems or more, which have
        many cells.
    slack : float
        Means no further apart are equal, see :mod:`classy_aesop.significance.equality`.
    slope_covariance : ndarray, shape (n_systems, n_systems)
        What the errors of estimated slopes add to the covariance where at most `MAX_TOPICS_OF_POOR_VARIANCE` topics
        are judged; else 0, as it is small beside the rest.
    fitted_covariances : ndarray, shape (2, n_systems, n_systems)
        Covariance of the errors by the model, and by the residuals of topics, from the judgments alone.
    added_covariances : (ndarray, ndarray), shapes (n_systems, n_systems)
        What the scores' own means add to both for topics like these, and what raters and the errors of the slope of
        topics add for any topics.
    has_topic_slope : bool
        Whether scores correct how hard the judged topics are, which takes a degree of freedom of their variance.
    """

    mean: FloatArray
    score_mean: FloatArray
    slope: FloatArray
    variance: float
    df: float
    topic_variance: float
    n_judged: IntArray
    n_topics: int
    n_judged_topics: int
    shares_topics: bool
    finite: bool
    own_variance: FloatArray
    own_df: FloatArray
    has_no_error: bool
    inflation_of_sample: float
    slack: float
    slope_covariance: FloatArray
    fitted_covariances: FloatArray
    added_covariances: tuple[FloatArray, FloatArray | float]
    has_topic_slope: bool

    @property
    def unjudged_share(self) -> FloatArray:
        """Share of its variance that each mean has: of means over the topics at hand that of topics not judged.

        It is not below `MIN_VARIANCE_SHARE`.
        """
        return np.maximum(1 - self.n_judged / self.n_topics * self.finite, MIN_VARIANCE_SHARE)

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the errors; what all systems share is the error of the topics.

        Systems without a judgment, whose mean is that of the others, have a variance that is practically infinite.
        """
        covariance = self._for_population(0)
        judged = self.n_judged > 0
        spread = np.square(self.mean - self.mean.mean()).sum() / judged.sum()
        largest = np.diag(covariance)[judged].max() + spread
        added = np.where(judged, 0.0, VARIANCE_OF_UNJUDGED * largest - np.diag(covariance))
        return covariance + np.diag(added)

    @property
    def clustered_covariance(self) -> FloatArray:
        """Covariance of the errors estimated from the residuals of each topic, without the model."""
        return self._for_population(1)

    def _for_population(self, number: int) -> FloatArray:
        """Give one of `fitted_covariances`, of means over these topics or over topics like them."""
        by_scores, by_raters_and_slope = self.added_covariances
        root = np.sqrt(self.unjudged_share)
        covariance = self.fitted_covariances[number] * np.outer(root, root)
        return covariance + (0.0 if self.finite else by_scores) + by_raters_and_slope

    @property
    def variance_inflation(self) -> float:
        """Factor of the variances in intervals: `inflation_of_sample`, but 1 where all cells at hand are judged."""
        is_census = self.finite and (self.n_judged == self.n_topics).all()
        return 1.0 if is_census else self.inflation_of_sample

    @property
    def own_error_variance(self) -> FloatArray:
        """Variance of each mean by the errors of its own judgments alone; 0 without any, (n_systems,)."""
        error_variance = self.own_variance * self.unjudged_share / np.maximum(self.n_judged, 1)
        return np.where(self.n_judged > 0, error_variance, 0.0)

    @property
    def topics_df(self) -> FloatArray:
        """Degrees of freedom of each system's variance as estimated from the residuals of topics."""
        return np.maximum(self.n_judged - 1.0, 0.0)

    @property
    def design(self) -> FloatArray:
        """Regressors of the true means: ones and the means of the metrics, (n_systems, n_columns)."""
        return np.column_stack([np.ones_like(self.mean), self.score_mean.T])


def direct_means(
    y: ArrayLike,
    f: ArrayLike | None = None,
    *,
    finite: bool = True,
    slope_prior: float | None = None,
    rater_errors: FloatArray | float = 0.0,
    rater_df: int = 0,
) -> DirectMeans:
    """Estimate the mean of each system from its own judgments, with scores as control variates.

    Shapes: ``y`` (n_systems, n_topics), ``f`` (n_systems, n_topics) or (n_metrics, n_systems, n_topics),
    ``rater_errors`` (n_systems, n_systems).

    Examples
    --------
    >>> means = direct_means([[3, 5, None], [2, 4, None], [1, 1, None]], finite=False)
    >>> means.mean.round(2).tolist(), float(means.variance.round(2))
    ([4.0, 3.0, 1.0], 0.67)
    """
    Y = score_matrix(y, "y")
    raw_scores = (
        np.empty((0, *Y.shape)) if f is None else np.asarray(f, dtype=np.float64).reshape(-1, *Y.shape)
    )
    judged = ~np.isnan(Y)
    F = raw_scores - raw_scores.mean(axis=1, keepdims=True)
    n_metrics = len(F)
    fit = TwoWayFit(judged)
    if not fit.df > (n_metrics if slope_prior is None else 0):
        reason = f"too few for {n_metrics} metrics" if n_metrics else "too few"
        raise TooFewJudgments(
            f"{judged.sum()} judgments of {fit.n_systems} systems on {fit.n_topics} topics are {reason}; expected more "
            "systems that share more topics"
        )
    residuals = fit.residuals(Y)
    score_residuals = fit.residuals(F)
    slope, covariance_of_slopes = estimate_slopes(score_residuals, residuals, raw_scores)
    slope_df = 0.0
    if slope_prior is not None:
        own_weight = max(1 - PRIOR_DF_OF_SLOPE / max(fit.df + PRIOR_DF_OF_SLOPE - 2, 1), 0)
        cell_slopes = _slopes_of_cells(judged, raw_scores, Y, slope_prior)
        slope = own_weight * slope + (1 - own_weight) * cell_slopes
        slope_df = n_metrics * own_weight * (2 - own_weight)
    elif not fit.shares_topics and fit.df < PRIOR_DF_OF_SLOPE * n_metrics:  # it would change much
        slope = np.zeros(n_metrics)
    least_variance = _rounding_variance(Y)
    is_additive = np.square(residuals).sum() <= least_variance * fit.df
    residuals = residuals - np.tensordot(slope, score_residuals, 1)
    system_squares = np.square(residuals).sum(axis=1)
    df = max(fit.df - slope_df - rater_df, fit.df / 2)
    variance = np.maximum(system_squares.sum() / df, least_variance)
    has_no_error = bool(variance <= least_variance)
    slack = float(rounding_slack(Y))
    grade_variance, variance_inflation = _grade_variances(Y, slack)
    variance = np.maximum(variance, has_no_error * grade_variance)
    own_variance, own_df = moderate_variances(system_squares, *fit.residual_df(), variance)
    predictions = np.tensordot(slope, F, 1)
    topics = _predict_topics(Y - predictions, slope, raw_scores, fit, grade_variance)
    unpredicted = Y - predictions - topics.explained
    squares = np.square(centre_judged(unpredicted, judged)).sum()
    topic_variance = fit.topic_variance(squares, system_squares.sum())
    mean, *fitted_covariances = fit.generalized_means(unpredicted, variance, topic_variance)
    score_mean = F.mean(axis=2)
    mean = mean + slope @ score_mean + topics.change
    is_judged = fit.n_of_system > 0
    change = np.where(is_judged, score_mean - mean_of_judged(F, judged)[..., 0], 0.0)
    are_slopes_poor = slope_prior is None and fit.n_topics <= MAX_TOPICS_OF_POOR_VARIANCE and slope.any()
    by_predictions = predictions.var(axis=1, ddof=1).sum() / (len(Y) - 1) / Y.shape[1]
    return DirectMeans(
        mean=snap_ties(np.where(is_judged, mean, mean[is_judged].mean()), slack),
        score_mean=score_mean,
        slope=slope,
        variance=variance,
        df=df,
        topic_variance=topic_variance,
        n_judged=judged.sum(axis=1),
        n_topics=Y.shape[1],
        n_judged_topics=fit.n_topics,
        shares_topics=fit.shares_topics,
        finite=finite,
        own_variance=own_variance,
        own_df=own_df,
        has_no_error=has_no_error,
        inflation_of_sample=np.inf if is_additive else variance_inflation,
        slack=slack,
        slope_covariance=variance * are_slopes_poor * (change.T @ covariance_of_slopes @ change),
        fitted_covariances=np.array(fitted_covariances),
        added_covariances=(
            by_predictions * np.eye(len(Y)) + topics.prediction_variance,
            rater_errors + topics.variance * topics.leverage,
        ),
        has_topic_slope=bool(topics.slope.any()),
    )


def _predict_topics(
    Z: FloatArray, slope: FloatArray, raw_scores: FloatArray, fit: TwoWayFit, grade_variance: float
) -> TopicRegression:
    """Explain judged topics by their mean scores, where all systems share topics.

    Several metrics are one, by their slopes within topics.
    """
    has_mean = (fit.n_of_topic > 0) & fit.shares_topics
    topic_means = np.where(fit.valid, Z, 0.0).sum(axis=0) / np.maximum(fit.n_of_topic, 1)
    cells = np.tensordot(np.ones(1) if len(slope) == 1 else slope, raw_scores, 1)
    index = cells.mean(axis=0)
    is_varying = np.ptp(index) > EIGENVALUE_ROUNDING * np.abs(cells).max()
    return regress_topics(
        np.where(has_mean, topic_means, np.nan),
        index[None] * is_varying,
        rounding_variance=grade_variance / fit.n_systems,
    )


def _slopes_of_cells(judged: BoolArray, F: FloatArray, Y: FloatArray, slope_prior: float) -> FloatArray:
    """Slopes over all judged cells within systems, topic effects included; shrunk toward 0 or the stated slope."""
    from scipy.special import fdtri

    n_metrics = len(F)
    df = int(judged.sum() - judged.any(axis=1).sum())
    scores = centre_judged(F, judged)
    judgments = centre_judged(Y, judged)
    if slope_prior and n_metrics == 1:
        return _posterior_slope(scores[0], judgments, df, slope_prior)
    slopes, _ = estimate_slopes(scores, judgments, F)
    predictions = np.tensordot(slopes, scores, 1)
    explained = np.square(predictions).sum()
    residual_df = max(df - n_metrics, 1)
    expected_by_chance = np.square(judgments - predictions).sum() / residual_df * n_metrics
    limit = fdtri(n_metrics, residual_df, CHANCE_QUANTILE_OF_SLOPE)
    chance_share = limit * expected_by_chance / explained if explained > 0 else 1.0
    expected_squares = F.var(axis=2, ddof=1).mean(axis=1) * df
    squares = np.square(scores).sum(axis=(1, 2))
    relative_range = np.minimum(squares / np.maximum(expected_squares, np.finfo(float).tiny), 1)
    return slopes * relative_range * max(1 - chance_share, 0)


def _posterior_slope(scores: FloatArray, judgments: FloatArray, df: int, slope_prior: float) -> FloatArray:
    """Posterior mean of the slope of predictions, (1,), over the stated slope, 0 and its negative."""
    slopes = slope_prior * PRIOR_SLOPES
    squares = np.square(judgments[..., None] - scores[..., None] * slopes).sum(axis=(0, 1))
    relative = squares / max(squares.max(), np.finfo(float).tiny)
    weights = PRIOR_PROBABILITIES * np.maximum(relative, MIN_RESIDUAL_SHARE) ** (-df / 2)
    return np.array([weights @ slopes / weights.sum()])


def _rounding_variance(Y: FloatArray) -> float:
    """Variance that rounding alone causes."""
    largest = float(np.nanmax(np.abs(Y)))
    deviation = float(np.nanstd(Y))
    size = deviation if deviation > MIN_VARIANCE_SHARE * largest else largest
    return MIN_RESIDUAL_SHARE * (size or 1.0) ** 2


def _grade_variances(Y: FloatArray, slack: float) -> tuple[float, float]:
    """Variance of rounding to a grade, and the inflation of variances where most grades are equal.

    Both are for few systems; with more, the first is 0 and the second 1, or infinite if all grades are equal.
    """
    from scipy.special import stdtrit

    steps = np.diff(np.sort(Y[~np.isnan(Y)]))
    n_cells = len(steps) + 1
    is_step = steps > slack
    if not is_step.any():
        return 0.0, np.inf
    if len(Y) >= MIN_SYSTEMS_FOR_POOLED_VARIANCE:
        return 0.0, 1.0
    n_of_mode = np.diff(np.flatnonzero([True, *is_step, True])).max()
    quantiles = stdtrit([2 * (n_cells - n_of_mode), 2 * (n_cells - 1)], QUANTILE_OF_INFLATION)
    return steps[is_step].min() ** 2 / 12, np.square(quantiles[0] / quantiles[1])


def moderate_variances(
    squares: FloatArray, df: FloatArray, own_df: FloatArray, variance: float
) -> tuple[FloatArray, FloatArray]:
    """Variance of each system, shrunk toward the pooled one.

    Residuals of systems and topics estimate each system's variance (Grubbs, 1948): ``variance + (squares - df *
    variance) / own_df``, where ``squares`` are expected to be ``df * variance`` if all systems have one variance.
    With few topics it is poorly estimated, so it is shrunk toward the pooled variance, with an inverse gamma
    distribution of variances as the prior, as Smyth (2004) does for genes. The prior's degrees of freedom are
    estimated from the variance of the variances, not of their logarithms: near the end of a scale some systems have
    equal judgments, and the logarithm of their variance of 0 would explain all other differences as chance.

    Shapes: ``squares``, ``df`` and ``own_df`` (n_systems,); gives ``own_variance, own_df`` (n_systems,).

    Examples
    --------
    >>> own_variance, df = moderate_variances(np.array([9.0, 1, 1, 1]), np.full(4, 3.0), np.full(4, 2.0), 1.0)
    >>> own_variance.round(3).tolist(), df.round(3).tolist()
    ([1.818, 0.727, 0.727, 0.727], [7.333, 7.333, 7.333, 7.333])
    """
    excess = np.maximum(squares / variance - df, -own_df)
    n_systems = len(excess)
    unexplained = np.square(excess).sum() * n_systems / (n_systems - 1) - 2 * own_df.sum()
    moment = (own_df * (own_df + 2)).sum()
    systems_differ = unexplained > 0 and moment > 0
    prior_df = MIN_PRIOR_DF + (2 * moment / unexplained if systems_differ else np.inf)
    return variance * (1 + excess / (own_df + prior_df)), own_df + prior_df
