"""Least squares of the judged cells of a matrix on systems and topics, by the equations of `linear_means`."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.additive.linear_means import (
    eliminate_topics,
    group_connected,
    invert_systems,
    rank_of_groups,
)
from classy_aesop.significance.base import BoolArray, FloatArray

MIN_TOPIC_VARIANCE_RATIO = 1e-9
"""Least variance of topics over that of errors, so that their ratio is finite."""


class TooFewJudgments(ValueError):
    """There are too few judgments, or systems, for an estimate."""


class TwoWayFit:
    """Least squares of judged cells on systems and topics.

    Shapes: ``judged`` (..., n_systems, n_topics).

    Attributes
    ----------
    n_of_system, n_of_topic : ndarray, shapes (..., n_systems) and (..., n_topics)
        Judged cells of each system and of each topic.
    df : ndarray of int, shape (...)
        Degrees of freedom of the residuals.
    """

    def __init__(self, judged: BoolArray) -> None:
        self.judged = judged
        self.cells = judged.astype(float)
        self.n_of_system = self.cells.sum(axis=-1)
        self.n_of_topic = self.cells.sum(axis=-2)
        information, self.topic_weights = eliminate_topics(self.cells, self.n_of_topic)
        group = group_connected(information, self.n_of_system > 0)
        self.inverse = invert_systems(information, group)
        self.rank = rank_of_groups(group)
        self.df = judged.sum(axis=(-2, -1)) - (self.n_of_topic > 0).sum(axis=-1) - self.rank

    def check(self, n_metrics: int, *, estimates_slopes: bool) -> None:
        """Raise `TooFewJudgments` without degrees of freedom, or with no more than slopes where these are estimated."""
        is_enough = self.df > (n_metrics if estimates_slopes else 0)
        if not is_enough.all():
            judged = self.judged[~is_enough][0] if self.judged.ndim > 2 else self.judged
            reason = f"too few for {n_metrics} metrics" if n_metrics else "too few"
            n_systems = judged.any(axis=1).sum()
            n_topics = judged.any(axis=0).sum()
            raise TooFewJudgments(
                f"{judged.sum()} judgments of {n_systems} systems on {n_topics} topics are "
                f"{reason}; expected more systems that share more topics"
            )

    def residuals(self, Z: FloatArray) -> FloatArray:
        """Residuals of the judged cells of each of several matrices; 0 elsewhere.

        Shapes: ``Z`` (..., n_matrices, n_systems, n_topics).
        """
        judged = self.judged[..., None, :, :]
        Z = np.where(judged, Z, 0.0)
        topic_sums = Z.sum(axis=-2, keepdims=True)
        system_sums = Z.sum(axis=-1, keepdims=True)
        moments = system_sums - self.topic_weights[..., None, :, :] @ topic_sums.mT
        system_effects = self.inverse[..., None, :, :] @ moments
        n_of_topic = np.maximum(self.n_of_topic, 1)[..., None, None, :]
        topic_effects = (topic_sums - system_effects.mT @ self.cells[..., None, :, :]) / n_of_topic
        return np.where(judged, Z - system_effects - topic_effects, 0.0)

    def residual_df(self) -> tuple[FloatArray, FloatArray]:
        """Degrees of freedom of each system's residuals, and those that its own errors have among them.

        The first are exact. Of a topic with ``k`` systems a residual has ``(1 - 1 / k)^2`` of its own error's variance,
        less what it has of any other system's; systems' own means take the same share of both.

        Shapes: gives ``df, own_df`` (..., n_systems).
        """
        n_other_systems = np.maximum((self.n_of_system > 0).sum(axis=-1) - 1, 1)[..., None, None]
        topic_share = np.where(self.n_of_topic > 1, 1 / np.maximum(self.n_of_topic, 1), 0.0)[..., None, :]
        shared_cells = self.cells * (topic_share > 0)
        df_after_topics = (shared_cells * (1 - topic_share)).sum(axis=-1)
        influence = self.inverse @ self.cells
        topic_influence = (self.cells * influence).sum(axis=-2, keepdims=True)
        own_influence = np.diagonal(self.inverse, axis1=-2, axis2=-1)[..., None]
        leverage = own_influence - 2 * influence * topic_share + topic_influence * topic_share**2
        df = df_after_topics - (shared_cells * leverage).sum(axis=-1)
        kept_share = np.divide(df, df_after_topics, out=np.zeros_like(df), where=df_after_topics > 0)
        own_share = (1 - topic_share) ** 2 - topic_share * (1 - topic_share) / n_other_systems
        return df, kept_share * (shared_cells * own_share).sum(axis=-1)

    def topic_variance(self, Z: FloatArray, residual_squares: FloatArray) -> FloatArray:
        """Variance of topics by Henderson's method 3: the squares that they explain beyond systems; not below 0.

        Shapes: ``Z`` (..., n_systems, n_topics), ``residual_squares`` (...); gives (...).
        """
        Z = np.where(self.judged, Z, 0.0)
        system_means = Z.sum(axis=-1) / np.maximum(self.n_of_system, 1)
        deviations = np.where(self.judged, Z - system_means[..., None], 0.0)
        n_judged_systems = (self.n_of_system > 0).sum(axis=-1)
        df = (self.n_of_topic > 0).sum(axis=-1) + self.rank - n_judged_systems
        coefficient = self.judged.sum(axis=(-2, -1)) - n_judged_systems
        expected_of_errors = df * residual_squares / self.df
        explained = (deviations**2).sum(axis=(-2, -1)) - residual_squares - expected_of_errors
        return np.maximum(explained, 0) / np.maximum(coefficient, 1)

    def generalized_means(
        self, Z: FloatArray, variance: FloatArray, topic_variance: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Means of systems by generalized least squares with random topics.

        Shapes: ``Z`` (..., n_systems, n_topics), ``variance`` and ``topic_variance`` (...); gives ``means``
        (..., n_systems), ``covariance, clustered_covariance`` (..., n_systems, n_systems).
        """
        ridge = variance / np.maximum(topic_variance, variance * MIN_TOPIC_VARIANCE_RATIO)
        information, weights = eliminate_topics(self.cells, self.n_of_topic + ridge[..., None])
        Z = np.where(self.judged, Z, 0.0)
        is_judged = self.n_of_system > 0
        unit_of_unjudged = (~is_judged)[..., None] * np.eye(is_judged.shape[-1])
        inverse = np.linalg.inv(information + unit_of_unjudged)
        inverse = inverse * (is_judged[..., :, None] & is_judged[..., None, :])
        moments = Z.sum(axis=-1) - (weights @ Z.sum(axis=-2)[..., None])[..., 0]
        means = (inverse @ moments[..., None])[..., 0]
        residuals = np.where(self.judged, Z - means[..., None], 0.0)
        residuals = residuals - weights * residuals.sum(axis=-2, keepdims=True)
        small_sample = self.n_of_system / np.maximum(self.n_of_system - 1, 1)
        topic_scores = inverse @ (residuals * np.sqrt(small_sample)[..., None])
        return means, inverse * variance[..., None, None], topic_scores @ topic_scores.mT
