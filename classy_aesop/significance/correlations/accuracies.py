"""Accuracies of a metric on pairs: for every tie threshold, from p-values (soft), and expected by chance.

Soft pairwise accuracy takes two matrices: it compares the p-values of the metric and of the humans for every two
systems (Thompson et al. 2024). The chance level of an accuracy is its expected value for a metric whose scores are
permuted at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, batch_slices, divide
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.equality import ROUNDING, Slack, rounding_slack
from classy_aesop.significance.sign_flips import count_flips

CALIBRATED_ACCURACY = "acc_eq_calibrated"
SOFT_ACCURACY = "soft_pairwise_accuracy"

ACCURACIES = ("pairwise_accuracy", "acc_eq", CALIBRATED_ACCURACY, SOFT_ACCURACY)
"""Shares of pairs, from 0 to 1 and by chance above 0; all other coefficients are from -1 to 1, by chance 0."""

MAX_DIFFERENCES_AT_ONCE = 200_000
"""Differences of systems by topic whose signs are exchanged at once."""

SIGN_SEED = 0
"""The seed of random signs, so that a pair's p-value depends on nothing else."""


@dataclass(frozen=True, slots=True)
class AccuraciesByThreshold:
    """The accuracy of a metric for every tie threshold that makes a difference; empty without any pair.

    Attributes
    ----------
    epsilon : ndarray, shape (n_thresholds,)
        From 0 upwards: scores are tied if they differ by this much or less.
    accuracy, chance : ndarray, shape (n_thresholds,)
        Mean over the lists of the share of pairs that are right, and its expected value for permuted scores.
    """

    epsilon: FloatArray
    accuracy: FloatArray
    chance: FloatArray

    @property
    def best_index(self) -> int:
        """Index of the smallest threshold with the highest accuracy."""
        return int(np.argmax(self.accuracy >= self.accuracy.max() - ROUNDING))

    @property
    def best_accuracy(self) -> float:
        """The highest accuracy; NaN without any pair."""
        return float(self.accuracy[self.best_index]) if len(self.accuracy) else float("nan")


def accuracies_by_threshold(
    x: FloatArray, z: FloatArray, *, items: IntArray | None = None, slack: Slack
) -> AccuraciesByThreshold:
    """Share of the pairs of each list that a metric orders as humans do, for every tie threshold.

    Shapes: ``x``, ``z`` and ``items`` (n_lists, n).

    Examples
    --------
    >>> accuracies = accuracies_by_threshold(np.array([[1.0, 1.1, 3.0]]), np.array([[1.0, 1.0, 2.0]]), slack=0.0)
    >>> accuracies.accuracy.round(2).tolist()
    [0.67, 1.0, 0.67, 0.33]
    """
    i, j = np.triu_indices(x.shape[1], 1)
    difference = x[:, i] - x[:, j]
    human_order = np.sign(z[:, i] - z[:, j])
    is_pair = ~np.isnan(difference + human_order)
    if items is not None:
        is_pair &= items[:, i] != items[:, j]
    n_pairs = is_pair.sum(axis=1, keepdims=True)
    n_lists = max(np.count_nonzero(n_pairs), 1)
    weight = is_pair / np.maximum(n_pairs, 1) / n_lists  # share of a pair in the mean over lists
    if not is_pair.any():
        return AccuraciesByThreshold(*np.empty((3, 0)))
    right_if_tied = weight * (human_order == 0)
    right_if_ordered = weight * ((np.sign(difference) == human_order) & (human_order != 0))
    share_tied = divide(right_if_tied.sum(axis=1, keepdims=True), weight.sum(axis=1, keepdims=True))
    chance_if_tied = weight * share_tied
    chance_if_ordered = weight * (1 - share_tied) / 2
    sizes = np.abs(difference)[is_pair]
    ascending = np.argsort(sizes, kind="stable")
    thresholds = np.concatenate([[0.0], sizes[ascending]])
    is_last_of_equal = np.append(np.diff(thresholds) > slack, True)
    shares = []
    for if_tied, if_ordered in ((right_if_tied, right_if_ordered), (chance_if_tied, chance_if_ordered)):
        tied = if_tied[is_pair][ascending]
        ordered = if_ordered[is_pair][ascending]
        # what is right if no pair, one, two ... are treated as ties; within 0 and 1 but for rounding
        sums = ordered.sum() + np.concatenate([[0.0], np.cumsum(tied - ordered)])
        shares.append(np.clip(sums, 0.0, 1.0)[is_last_of_equal])
    return AccuraciesByThreshold(thresholds[is_last_of_equal], *shares)


def pairwise_p_values(X: FloatArray) -> FloatArray:
    """One-sided p-value of every two systems: does the first have the higher mean?

    By the paired permutation test on the topics that both have, count / n as published, where equal sums count half;
    the same exchanges for all pairs, drawn from a fixed seed. With the complements of the flips, so p depends
    neither on the order of topics nor on which of the two systems is first (it is then 1 - p).

    Shapes: ``X`` (n_systems, n_topics); gives (n_systems, n_systems).

    Examples
    --------
    >>> float(pairwise_p_values(np.array([[2.0, 3, 3], [1.0, 2, 2]]))[0, 1])
    0.0625
    """
    n = len(X)
    p = np.full((n, n), np.nan)
    slack = float(rounding_slack(X)) * X.shape[1]
    first, second = np.triu_indices(n, 1)
    for rows in batch_slices(len(first), max(1, MAX_DIFFERENCES_AT_ONCE // max(1, X.shape[1]))):
        differences = X[first[rows]] - X[second[rows]]
        values = np.nan_to_num(differences)
        sums = values.sum(axis=1)
        n_greater, n_reached, n_flips = count_flips(
            values, np.full(len(values), slack), n_draws=N_RESAMPLES // 2, seed=SIGN_SEED
        )
        share_above_size = (n_greater + n_reached) / (4 * n_flips)
        p_of_rows = np.where(sums > 0, share_above_size, 1 - share_above_size)
        p_of_rows[np.abs(sums) <= slack] = 0.5
        p_of_rows[np.isnan(differences).all(axis=1)] = np.nan
        p[first[rows], second[rows]] = p_of_rows
    return p


def soft_pairwise_accuracy(X: FloatArray, Z: FloatArray, *, items: IntArray | None = None) -> float:
    """Soft pairwise accuracy of systems: 1 less the mean distance of the metric's and the humans' p-values.

    Thompson et al. (2024).

    Shapes: ``X`` and ``Z`` (n_systems, n_topics), ``items`` (n_systems,).

    Examples
    --------
    >>> Z = np.arange(12.0).reshape(3, 4)
    >>> soft_pairwise_accuracy(Z, Z)
    1.0
    """
    distance = np.abs(pairwise_p_values(X) - pairwise_p_values(Z))
    is_pair = ~np.isnan(distance)
    if items is not None:
        is_pair &= items[:, None] != items
    return float(1 - distance[is_pair].mean()) if is_pair.any() else float("nan")


def chance_level(
    X: FloatArray,
    Z: FloatArray,
    valid: BoolArray,
    coefficient: str,
    lists: Sequence[FloatArray],
    slack: Slack,
) -> tuple[float, float]:
    """Chance level of an accuracy, and the tie threshold of the calibrated accuracy.

    Shapes: ``X``, ``Z`` and ``valid`` (n_systems, n_topics), ``lists`` (n_lists, n).
    """
    if coefficient == SOFT_ACCURACY:
        return _chance_of_soft_accuracy(X, Z, valid), float("nan")
    accuracies = accuracies_by_threshold(*lists, slack=slack)
    if not len(accuracies.chance):
        return float("nan"), float("nan")
    if coefficient == CALIBRATED_ACCURACY:
        return float(accuracies.chance.max()), float(accuracies.epsilon[accuracies.best_index])
    return float(accuracies.chance[0]), float("nan")


def _known_p_values(scores: FloatArray) -> FloatArray:
    """One-sided p-values of all pairs of systems (n_systems, n_topics) that share topics, flat."""
    p_values = pairwise_p_values(scores)
    return p_values[~np.isnan(p_values)]


def _chance_of_soft_accuracy(X: FloatArray, Z: FloatArray, valid: BoolArray) -> float:
    """Soft accuracy that is expected if the metric's systems are permuted."""
    p_metric = _known_p_values(np.where(valid, X, np.nan))
    p_human = _known_p_values(np.where(valid, Z, np.nan))
    if not len(p_metric) or not len(p_human):
        return float("nan")
    in_either_order = np.concatenate([p_metric, 1 - p_metric])
    distances = [np.abs(in_either_order - p).mean() for p in p_human]
    return float(1 - np.mean(distances))
