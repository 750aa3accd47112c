"""Ranking: which of two summaries of one topic do humans prefer?

For every two instances of a topic that were judged differently, logistic regression on the difference of their
columns (Joachims, 2002, with the logistic loss; for two alike Bradley and Terry, 1952). Only the order of
the judgments within a topic counts, as for Spearman's and Kendall's coefficients; what a topic adds to all of its
summaries drops out. Every topic counts alike, however many pairs it has.

A choice: the score is brought to the scale of the target by least squares on differences from the topics' means.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.fitters.base import Integers, TopicFitter
from classy_aesop.fitters.least_squares import Array, is_constant
from classy_aesop.fitters.rescaling import rescale_to_target
from classy_aesop.fitters.ridge import check_strength


class PairwiseRegression(TopicFitter):
    """Logistic regression on pairs within topics, its score on the target's scale.

    Parameters
    ----------
    strength : float, default 1e-4
        Price of half a squared weight of a column in units of its spread within topics, beside the mean loss of a pair.
        It keeps the weights finite where some combination of columns orders every pair.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. A column that is constant within every topic gets 0; so do all where no two judgments
        differ.
    n_pairs_ : int
        Number of pairs that were judged differently.

    Notes
    -----
    A topic with k instances has up to k (k - 1) / 2 pairs; without topics, all instances are one.
    """

    pools = ("nested",)

    def __init__(self, strength: float = 1e-4) -> None:
        self.strength = strength

    def solve_by_topic(self, X: Array, y: Array, topics: Integers) -> tuple[Array, float]:
        """Return the weights of the raw columns and the constant."""
        check_strength(self.strength)
        columns, target = less_topic_means(X, topics), less_topic_means(y[:, None], topics)[:, 0]
        spread = np.sqrt(np.mean(columns**2, axis=0))
        scale = np.where(spread > 0, spread, 1.0)
        better, worse = preferred_pairs(y, topics)
        self.n_pairs_, direction = better.size, np.zeros(X.shape[1])
        if better.size:
            direction = (
                self._weights(columns[better] / scale - columns[worse] / scale, topics[better]) / scale
            )
        return rescale_to_target(X, y, direction, within=(columns, target))

    def _weights(self, differences: Array, topics: Integers) -> Array:
        """Return the weights (p,) for the better instances' columns less the worse ones', (n_pairs, p)."""
        from sklearn.linear_model import LogisticRegression

        shares = 1.0 / np.bincount(topics)[topics]
        shares /= shares.sum()
        both = np.concatenate([differences, -differences])  # the classifier wants to see both outcomes
        outcome = np.repeat([1, 0], len(differences))
        found = LogisticRegression(
            C=1.0 / self.strength, fit_intercept=False, solver="newton-cholesky", tol=1e-8, max_iter=200
        ).fit(both, outcome, sample_weight=np.tile(shares / 2, 2))
        return np.asarray(found.coef_[0], dtype=float)


def less_topic_means(values: Array, topics: Integers) -> Array:
    """Return values (n, p) less their topic's mean; a column that is constant in a topic is exactly 0 there."""
    within = np.empty_like(values)
    for topic in np.unique(topics):
        rows = topics == topic
        part = values[rows]
        within[rows] = np.where(is_constant(part), 0.0, part - part.mean(axis=0))
    return within


def preferred_pairs(y: Array, topics: Integers) -> tuple[Integers, Integers]:
    """Return all pairs of rows of one topic with different y: the better (n_pairs,) and the worse (n_pairs,).

    Examples
    --------
    >>> preferred_pairs(np.array([1, 3, 2, 2, 5.0]), np.array([0, 0, 0, 1, 1]))
    (array([1, 1, 2, 4]), array([0, 2, 0, 3]))
    """
    better, worse = [], []
    for topic in np.unique(topics):
        rows = np.flatnonzero(topics == topic)
        above, below = np.nonzero(y[rows][:, None] > y[rows])
        better.append(rows[above])
        worse.append(rows[below])
    return np.concatenate(better), np.concatenate(worse)
