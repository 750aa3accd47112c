"""Least squares of the judged cells of a matrix on systems and topics, by the equations of `linear_means`."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.additive.linear_means import (
    eliminate_topics,
    group_connected,
    invert_systems,
    rank_of_groups,
)
from classy_aesop.significance.base import BoolArray, FloatArray, divide
from classy_aesop.significance.few_judgments.topic_regression import centre_judged

MIN_TOPIC_VARIANCE_RATIO = 1e-9
"""Least variance of topics over that of errors, so that their ratio is finite."""


class TooFewJudgments(ValueError):
    """There are too few judgments, or systems, for an estimate."""


class TwoWayFit:
    """Least squares of judged cells on systems and topics.

    Shapes: ``judged`` (n_systems, n_topics).

    Attributes
    ----------
    n_of_system, n_of_topic : ndarray, shapes (n_systems,) and (n_topics,)
        Judged cells of each system and of each topic.
    n_systems, n_topics : int
        Systems and topics with a judged cell.
    df : int
        Degrees of freedom of the residuals.
    """

    def __init__(self, judged: BoolArray) -> None:
        self.judged = judged
        self.cells = judged.astype(float)
        self.n_of_system = self.cells.sum(axis=1)
        self.n_of_topic = self.cells.sum(axis=0)
        self.n_systems = int(np.count_nonzero(self.n_of_system))
        self.n_topics = int(np.count_nonzero(self.n_of_topic))
        information, self.topic_weights = eliminate_topics(self.cells, self.n_of_topic)
        group = group_connected(information, self.n_of_system > 0)
        self.inverse = invert_systems(information, group)
        self.rank = int(rank_of_groups(group))
        self.df = int(judged.sum()) - self.n_topics - self.rank

    @property
    def shares_topics(self) -> bool:
        """Whether all judged systems are judged on the same topics, so that their errors are correlated."""
        return bool(np.isin(self.n_of_system, [0, self.n_topics]).all())

    def check(self, n_metrics: int, *, estimates_slopes: bool) -> None:
        """Raise `TooFewJudgments` without degrees of freedom, or with no more than slopes where these are estimated."""
        if not self.df > (n_metrics if estimates_slopes else 0):
            reason = f"too few for {n_metrics} metrics" if n_metrics else "too few"
            raise TooFewJudgments(
                f"{self.judged.sum()} judgments of {self.n_systems} systems on {self.n_topics} topics are "
                f"{reason}; expected more systems that share more topics"
            )

    def residuals(self, Z: FloatArray) -> FloatArray:
        """Residuals of the judged cells of one matrix or several, (..., n_systems, n_topics); 0 elsewhere."""
        Z = np.where(self.judged, Z, 0.0)
        topic_sums = Z.sum(axis=-2, keepdims=True)
        moments = Z.sum(axis=-1, keepdims=True) - self.topic_weights @ topic_sums.mT
        system_effects = self.inverse @ moments
        topic_effects = (topic_sums - system_effects.mT @ self.cells) / np.maximum(self.n_of_topic, 1)
        return np.where(self.judged, Z - system_effects - topic_effects, 0.0)

    def residual_df(self) -> tuple[FloatArray, FloatArray]:
        """Degrees of freedom of each system's residuals, and those that its own errors have among them.

        The first are exact. Of a topic with ``k`` systems a residual has ``(1 - 1 / k)^2`` of its own error's variance,
        less what it has of any other system's; systems' own means take the same share of both.

        Shapes: gives ``df, own_df`` (n_systems,).
        """
        topic_share = np.where(self.n_of_topic > 1, 1 / np.maximum(self.n_of_topic, 1), 0.0)
        shared_cells = self.cells * (topic_share > 0)
        df_after_topics = shared_cells @ (1 - topic_share)
        influence = self.inverse @ self.cells
        topic_influence = (self.cells * influence).sum(axis=0)
        leverage = np.diag(self.inverse)[:, None] - 2 * influence * topic_share
        leverage += topic_influence * topic_share**2
        df = df_after_topics - (shared_cells * leverage).sum(axis=1)
        kept_share = divide(df, df_after_topics, 0.0)
        own_share = (1 - topic_share) * (1 - topic_share - topic_share / max(self.n_systems - 1, 1))
        return df, kept_share * (shared_cells @ own_share)

    def topic_variance(self, Z: FloatArray, residual_squares: float) -> float:
        """Variance of topics by Henderson's method 3: the squares that they explain beyond systems; not below 0.

        Shapes: ``Z`` (n_systems, n_topics).
        """
        deviations = centre_judged(Z, self.judged)
        df = self.n_topics + self.rank - self.n_systems
        coefficient = int(self.judged.sum()) - self.n_systems
        expected_of_errors = df * residual_squares / self.df
        explained = np.square(deviations).sum() - residual_squares - expected_of_errors
        return float(max(explained, 0.0) / max(coefficient, 1))

    def generalized_means(
        self, Z: FloatArray, variance: float, topic_variance: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Means of systems by generalized least squares with random topics.

        Shapes: ``Z`` (n_systems, n_topics); gives ``means`` (n_systems,), ``covariance, clustered_covariance``
        (n_systems, n_systems).
        """
        ridge = variance / max(topic_variance, variance * MIN_TOPIC_VARIANCE_RATIO)
        information, weights = eliminate_topics(self.cells, self.n_of_topic + ridge)
        Z = np.where(self.judged, Z, 0.0)
        is_judged = self.n_of_system > 0
        inverse = np.linalg.inv(information + np.diag(~is_judged)) * np.outer(is_judged, is_judged)
        means = inverse @ (Z.sum(axis=1) - weights @ Z.sum(axis=0))
        residuals = np.where(self.judged, Z - means[:, None], 0.0)
        residuals = residuals - weights * residuals.sum(axis=0)
        small_sample = self.n_of_system / np.maximum(self.n_of_system - 1, 1)
        topic_scores = inverse @ (residuals * np.sqrt(small_sample)[:, None])
        return means, np.asarray(inverse * variance, dtype=np.float64), topic_scores @ topic_scores.T
