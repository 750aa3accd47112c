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
from numpy.typing import ArrayLike

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
    """Regression of judged topics on their scores; arrays have the leading axes of the judgments.

    Attributes
    ----------
    slope : ndarray, shape (..., n_metrics)
        Slope of the judgments on each metric, as used; 0 where it was not.
    change : ndarray, shape (...)
        What the scores add to the mean of the judged topics.
    residuals : ndarray, shape (..., n_topics)
        Judgments less their mean and what the scores explain, scaled to ``variance``; 0 where there is none.
    variance, df : ndarray, shape (...)
        Variance of a topic around what its scores explain; its degrees of freedom.
    leverage : ndarray, shape (...)
        What the errors of slopes add to the variance of the mean, for each unit of ``variance``.
    prediction_variance : ndarray, shape (...)
        Variance that the topics at hand have by what scores explain of their mean, for topics like these.
    """

    slope: FloatArray
    change: FloatArray
    residuals: FloatArray
    variance: FloatArray
    df: FloatArray
    leverage: FloatArray
    prediction_variance: FloatArray


def regress_topics(
    judgments: FloatArray, scores: FloatArray, *, rounding_variance: ArrayLike = 0.0
) -> TopicRegression:
    """Regress judged topics on their scores.

    Shapes: ``judgments`` (..., n_topics), NaN where there is none, ``scores`` (..., n_metrics, n_topics),
    ``rounding_variance`` (...).
    """
    judged = ~np.isnan(judgments)
    n_metrics, n_topics = scores.shape[-2:]
    n_judged = judged.sum(axis=-1)
    deviations = centre_judged(judgments, judged)
    judged_scores = centre_judged(scores, judged[..., None, :])
    slope = estimate_slopes(judged_scores[..., None, :], deviations[..., None, :], scores[..., None, :])
    predictions = (slope[..., None, :] @ scores)[..., 0, :]
    fitted = centre_judged(predictions, judged)
    explained = (fitted**2).sum(axis=-1)
    df = n_judged - 1 - n_metrics
    can_be_used = (df >= MIN_DF_OF_TOPICS) & (n_judged < n_topics) & (explained > 0)
    expected_f = n_metrics / np.maximum(df - 2, 1)
    by_chance = CHANCE_SQUARES * expected_f * ((deviations - fitted) ** 2).sum(axis=-1)
    prediction_variance = predictions.var(axis=-1, ddof=1)
    safe_explained = np.where(can_be_used, explained, 1.0)
    relative_range = np.maximum((n_judged - 1) * prediction_variance / safe_explained, 1.0)
    kept = np.where(can_be_used, np.maximum(1 - by_chance * relative_range / safe_explained, 0.0), 0.0)
    is_used = kept > 0
    slope = slope * kept[..., None]
    residuals = deviations - fitted * kept[..., None]
    df = np.maximum(n_judged - 1.0 - n_metrics * is_used, 1.0)
    squares = (residuals**2).sum(axis=-1)
    variance = (squares + N_ROUNDING_VARIANCES * np.asarray(rounding_variance) * is_used) / df
    scale = np.sqrt(variance * (n_judged - 1) / np.where(squares > 0, squares, np.inf))
    distance = scores.mean(axis=-1) - _mean_of_judged(scores, judged[..., None, :])[..., 0]
    inverse = np.linalg.pinv(judged_scores @ judged_scores.mT, hermitian=True)
    leverage = (distance[..., None, :] @ inverse @ distance[..., None])[..., 0, 0]
    return TopicRegression(
        slope=slope,
        change=(slope * distance).sum(axis=-1),
        residuals=residuals * np.where(is_used, scale, 1.0)[..., None],
        variance=variance,
        df=df,
        leverage=np.where(is_used, leverage, 0.0),
        prediction_variance=prediction_variance * kept**2 / n_topics,
    )


def centre_judged(Z: FloatArray, judged: BoolArray) -> FloatArray:
    """Give judged cells less their mean over topics; 0 elsewhere."""
    return np.where(judged, Z - _mean_of_judged(Z, judged), 0.0)


def _mean_of_judged(Z: FloatArray, judged: BoolArray) -> FloatArray:
    """Mean of judged cells over topics, (..., 1); 0 without any."""
    n_judged = np.maximum(judged.sum(axis=-1, keepdims=True), 1)
    return np.where(judged, Z, 0.0).sum(axis=-1, keepdims=True) / n_judged


def estimate_slopes(score_residuals: FloatArray, residuals: FloatArray, raw_scores: FloatArray) -> FloatArray:
    """Least squares of the judgments' residuals on each metric's; 0 for a metric whose residuals are rounding."""
    n_cells = residuals.shape[-2] * residuals.shape[-1]
    length = np.sqrt((score_residuals**2).sum(axis=(-2, -1)))
    is_varying = length > EIGENVALUE_ROUNDING * np.abs(raw_scores).max(axis=(-2, -1))
    size = np.where(is_varying, length, np.inf)
    units = (score_residuals / size[..., None, None]).reshape(*size.shape, n_cells)
    moments = units @ residuals.reshape(*residuals.shape[:-2], -1, 1)
    inverse = np.linalg.pinv(units @ units.mT, rcond=EIGENVALUE_ROUNDING, hermitian=True)
    return (inverse @ moments)[..., 0] / size
