"""How hard the judged topics were, by the scores of all: a regression of judgments on scores, topic by topic.

The mean judgment is corrected by the slope of judgments on scores times the difference between the mean scores of all
topics and of the judged ones. With the slope that is best for the data this is the power-tuned prediction-powered mean
(PPI++). The slope is shrunk by as much of it as chance explains, so that useless scores do no harm. Where the scores of
the judged topics vary less than those of all, an error of the slope changes the mean more, so chance counts for more.

Cochran (1977), "Sampling techniques", chapter 7; Angelopoulos, Duchi and Zrnic (2023), "PPI++: efficient
prediction-powered inference".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray

EIGENVALUE_ROUNDING = 1e-10
"""Share below which an eigenvalue, or the residual length of scores, is rounding."""

MIN_DF_OF_TOPICS = 4
"""Degrees of freedom of judged topics from which scores correct their mean: six topics with one metric."""

CHANCE_SQUARES = 2.0
"""Slopes are shrunk by so many times the squares that chance explains on average."""

N_ROUNDING_VARIANCES = 3.0
"""Variances of rounding to a grade that are added to squares of errors: few grades may agree with scores by chance."""


@dataclass(frozen=True, slots=True)
class TopicRegression:
    """Regression of judged topics on their scores.

    Attributes
    ----------
    slope : ndarray, shape (n_metrics,)
        Slope of the judgments on each metric, as used; 0 where it was not.
    change : float
        What the scores add to the mean of the judged topics.
    explained : ndarray, shape (n_topics,)
        What the scores explain of the judgments less their mean, so that the rest has the ``variance``; 0 where there
        is none.
    variance, df : float
        Variance of a topic around what its scores explain; its degrees of freedom.
    leverage : float
        What the errors of slopes add to the variance of the mean, for each unit of ``variance``.
    prediction_variance : float
        Variance that the topics at hand have by what scores explain of their mean, for topics like these.
    """

    slope: FloatArray
    change: float
    explained: FloatArray
    variance: float
    df: float
    leverage: float
    prediction_variance: float


def regress_topics(
    judgments: FloatArray, scores: FloatArray, *, rounding_variance: float = 0.0
) -> TopicRegression:
    """Regress judged topics on their scores.

    Shapes: ``judgments`` (n_topics,), NaN where there is none, ``scores`` (n_metrics, n_topics).
    """
    judged = ~np.isnan(judgments)
    n_metrics, n_topics = scores.shape
    n_judged = int(np.count_nonzero(judged))
    deviations = centre_judged(judgments, judged)
    judged_scores = centre_judged(scores, judged)
    slope, slope_covariance = estimate_slopes(judged_scores, deviations, scores)
    predictions = slope @ scores
    fitted = centre_judged(predictions, judged)
    explained_squares = fitted @ fitted
    df = n_judged - 1 - n_metrics
    kept_share = 0.0
    if df >= MIN_DF_OF_TOPICS and n_judged < n_topics and explained_squares > 0:
        expected_f = n_metrics / max(df - 2, 1)
        by_chance = CHANCE_SQUARES * expected_f * np.square(deviations - fitted).sum()
        relative_range = max((n_judged - 1) * predictions.var(ddof=1) / explained_squares, 1.0)
        kept_share = max(1 - by_chance * relative_range / explained_squares, 0.0)
    is_used = kept_share > 0
    residuals = deviations - kept_share * fitted
    squares = residuals @ residuals
    df = max(n_judged - 1 - n_metrics * is_used, 1)
    variance = (squares + N_ROUNDING_VARIANCES * rounding_variance * is_used) / df
    distance = scores.mean(axis=1) - mean_of_judged(scores, judged)[:, 0]
    if is_used:
        residuals *= np.sqrt(variance * (n_judged - 1) / (squares or np.inf))
    return TopicRegression(
        slope=slope * kept_share,
        change=kept_share * slope @ distance,
        explained=deviations - residuals,
        variance=variance,
        df=df,
        leverage=is_used * distance @ slope_covariance @ distance,
        prediction_variance=predictions.var(ddof=1) * kept_share**2 / n_topics,
    )


def centre_judged(Z: FloatArray, judged: BoolArray) -> FloatArray:
    """Give judged cells less their mean over topics; 0 elsewhere."""
    return np.where(judged, Z - mean_of_judged(Z, judged), 0.0)


def mean_of_judged(Z: FloatArray, judged: BoolArray) -> FloatArray:
    """Mean of judged cells over topics, (..., 1); 0 without any."""
    n_judged = np.maximum(judged.sum(axis=-1, keepdims=True), 1)
    return np.where(judged, Z, 0.0).sum(axis=-1, keepdims=True) / n_judged


def estimate_slopes(
    score_residuals: FloatArray, residuals: FloatArray, raw_scores: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Least squares of the judgments' residuals on each metric's; 0 for a metric whose residuals are rounding.

    Also gives the covariance of the slopes' errors for residuals of variance 1.

    Shapes: ``residuals`` (...), ``score_residuals`` and ``raw_scores`` (n_metrics, ...); gives (n_metrics,) and
    (n_metrics, n_metrics).
    """
    units = score_residuals.reshape(len(raw_scores), residuals.size)
    length = np.linalg.norm(units, axis=1)
    largest = np.abs(raw_scores).max(axis=tuple(range(1, raw_scores.ndim)))
    size = np.where(length > EIGENVALUE_ROUNDING * largest, length, np.inf)
    units = units / size[:, None]
    inverse = np.linalg.pinv(units @ units.T, rcond=EIGENVALUE_ROUNDING, hermitian=True)
    return inverse @ (units @ residuals.ravel()) / size, inverse / np.outer(size, size)
