"""Means of systems over topics, where systems lack topics too: by least squares, or plain.

A *plain* mean is over the topics that a system has: a system with scores on easy topics only has a high one. A
*least-squares* mean is the system's fitted mean over all topics in the model ``score = system + topic + error``. A
system that has all topics keeps its plain mean, and in a table without missing cells all do, to the last bit.

The equations are those of :mod:`classy_aesop.significance.additive.linear_means`. The pattern of missing cells alone
determines them, so the means of exchanged scores are one linear map of their sums, and resamples differ in weights
only. The model with raters is in :mod:`classy_aesop.significance.additive.additive_model`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classy_aesop.significance.additive.linear_means import (
    eliminate_topics,
    fix_group_means,
    group_connected,
    invert_systems,
    rank_of_groups,
)
from classy_aesop.significance.base import BoolArray, FloatArray, divide

MIN_TOPIC_VARIANCE_RATIO = 1e-9
"""Least variance of topics over that of errors, so that their ratio is finite."""


class TwoWayFit:
    """Least squares of cells on systems and topics, and the means of systems: by least squares, or plain.

    Shapes: ``valid`` (n_systems, n_topics).

    Attributes
    ----------
    n_of_system, n_of_topic : ndarray, shapes (n_systems,) and (n_topics,)
        Cells of each system and of each topic.
    n_systems, n_topics : int
        Systems and topics with a cell.
    group : ndarray of int, shape (n_systems,)
        Systems with one number are linked by topics; -1 without a cell.
    df : int
        Degrees of freedom of the residuals.
    is_plain : bool
        Whether means are plain: if asked for, or if no cell is missing.

    Examples
    --------
    >>> X = np.array([[3.0, 4.0, 6.0], [1.0, 2.0, np.nan]])  # the second lacks the easy topic
    >>> TwoWayFit(~np.isnan(X)).means(X).round(3).tolist()
    [4.333, 2.333]
    >>> TwoWayFit(~np.isnan(X), "plain").means(X).round(3).tolist()
    [4.333, 1.5]
    """

    def __init__(self, valid: BoolArray, means: str = "least-squares") -> None:
        self.valid = valid
        self.cells = valid.astype(np.float64)
        self.n_of_system = self.cells.sum(axis=1)
        self.n_of_topic = self.cells.sum(axis=0)
        self.n_systems = int(np.count_nonzero(self.n_of_system))
        self.n_topics = int(np.count_nonzero(self.n_of_topic))
        information, self.topic_weights = eliminate_topics(self.cells, self.n_of_topic)
        self.group = group_connected(information, self.n_of_system > 0)
        self.inverse = invert_systems(information, self.group)
        self.rank = int(rank_of_groups(self.group))
        n_cells = int(valid.sum())
        self.df = n_cells - self.n_topics - self.rank
        self.is_plain = means == "plain" or n_cells == self.n_systems * self.n_topics

    @property
    def is_connected(self) -> bool:
        """Whether the means of all systems that have a cell can be compared."""
        return self.is_plain or int(self.group.max(initial=0)) == 0

    @property
    def shares_topics(self) -> bool:
        """Whether all systems with cells have the same topics, so that their errors are correlated."""
        return bool(np.isin(self.n_of_system, [0, self.n_topics]).all())

    def effects(self, by_system: FloatArray, by_topic: FloatArray) -> FloatArray:
        """Effects of systems from the sums of their cells, (..., n_systems), and of those of topics."""
        return (by_system - by_topic @ self.topic_weights.T) @ self.inverse

    def residuals(self, Z: FloatArray) -> FloatArray:
        """Residuals of the cells of one matrix or several, (..., n_systems, n_topics); 0 where there is none."""
        Z = np.where(self.valid, Z, 0.0)
        by_topic = Z.sum(axis=-2)
        effects = self.effects(Z.sum(axis=-1), by_topic)
        of_topics = (by_topic - effects @ self.cells) / np.maximum(self.n_of_topic, 1)
        return np.where(self.valid, Z - effects[..., None] - of_topics[..., None, :], 0.0)

    def means(self, X: FloatArray) -> FloatArray:
        """Mean of each system, (n_systems,); NaN for one without a cell, and for all that cannot be compared."""
        if self.is_plain:
            return summarizer_means(X, self.valid)
        is_topic = self.n_of_topic > 0
        topic_means = divide(np.where(self.valid, X, 0.0).sum(axis=0), self.n_of_topic, 0.0)
        centred = np.where(self.valid, X - topic_means, 0.0)  # so that nothing large cancels
        return self.means_of_sums(centred.sum(axis=1), centred.sum(axis=0)) + topic_means[is_topic].mean()

    def means_of_sums(self, by_system: FloatArray, by_topic: FloatArray) -> FloatArray:
        """Means from the sums of the scores, of many matrices with these cells at once, (..., n_systems).

        Shapes: ``by_system`` (..., n_systems), ``by_topic`` (..., n_topics).
        """
        if self.is_plain:
            return divide(by_system, self.n_of_system)
        effects = self.effects(by_system, by_topic)
        share = divide(1.0, self.n_of_topic * self.n_topics, 0.0)
        level = by_topic @ share - effects @ (self.cells @ share)
        is_comparable = (self.n_of_system > 0) & self.is_connected
        return np.where(is_comparable, effects + level[..., None], np.nan)

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

    def topic_variance(self, squares: float, residual_squares: float) -> float:
        """Variance of topics by Henderson's method 3: the squares that they explain beyond systems; not below 0.

        ``squares`` are those of cells around the means of their systems.
        """
        df = self.n_topics + self.rank - self.n_systems
        coefficient = int(self.valid.sum()) - self.n_systems
        explained = squares - residual_squares - df * residual_squares / self.df
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
        Z = np.where(self.valid, Z, 0.0)
        is_judged = self.n_of_system > 0
        inverse = np.linalg.inv(information + np.diag(~is_judged)) * np.outer(is_judged, is_judged)
        means = inverse @ (Z.sum(axis=1) - weights @ Z.sum(axis=0))
        residuals = np.where(self.valid, Z - means[:, None], 0.0)
        residuals = residuals - weights * residuals.sum(axis=0)
        small_sample = self.n_of_system / np.maximum(self.n_of_system - 1, 1)
        topic_scores = inverse @ (residuals * np.sqrt(small_sample)[:, None])
        return means, np.asarray(inverse * variance, dtype=np.float64), topic_scores @ topic_scores.T


def resampled_means(
    matrices: Sequence[FloatArray],
    valid: BoolArray,
    row_counts: FloatArray,
    column_counts: FloatArray,
) -> list[FloatArray]:
    """Least-squares means of systems on resamples, each fitted on the cells of the resample, all at once.

    Copies of a cell are a weight of it: the normal equations of every resample are of systems only, and solved in one
    batch.

    Shapes: ``matrices`` and ``valid`` (n_systems, n_topics), ``row_counts`` (n_resamples, n_systems),
    ``column_counts`` (n_resamples, n_topics), or one row where all are counted once; gives (n_resamples, n_systems).
    """
    n = len(valid)
    cells = valid.astype(np.float64)
    n_drawn = row_counts @ cells  # systems of each topic
    share = divide(column_counts, n_drawn, 0.0)
    shared_cells = cells[:, None] * cells * ~np.eye(n, dtype=bool)[:, :, None]
    edges = (share @ shared_cells.reshape(n * n, -1).T).reshape(-1, n, n)
    edges *= row_counts[:, :, None] * row_counts[:, None, :]
    information = -edges
    information[:, np.arange(n), np.arange(n)] = edges.sum(axis=2)
    group = group_connected(information, (row_counts > 0) & (column_counts @ cells.T > 0))
    normal = fix_group_means(information, group)
    scores = np.where(valid, matrices, 0.0)
    topic_means = scores.sum(axis=1, keepdims=True) / np.maximum(cells.sum(axis=0), 1.0)
    scores = np.where(valid, scores - topic_means, 0.0)
    moments = row_counts * (column_counts @ scores.mT - (share * (row_counts @ scores)) @ cells.T)
    effects = np.moveaxis(np.linalg.solve(normal, np.moveaxis(moments, 0, 2)), 2, 0)
    return [*np.where((group >= 0) & (group.max(axis=1) <= 0)[:, None], effects, np.nan)]


def summarizer_means(X: FloatArray, valid: BoolArray) -> FloatArray:
    """Mean of each row over its valid cells; NaN for a row without any."""
    return divide(np.where(valid, X, 0.0).sum(axis=1), valid.sum(axis=1))
