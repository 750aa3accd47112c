"""Accuracies of a metric on pairs: for every tie threshold, from p-values (soft), and expected by chance.

Soft pairwise accuracy takes two matrices: it compares the p-values of the metric and of the humans for every two
systems (Thompson et al. 2024). The chance level of an accuracy is its expected value for a metric whose scores are
permuted at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.equality import (
    ROUNDING,
    Slack,
    rounding_slack,
)

CALIBRATED_ACCURACY, SOFT_ACCURACY = "acc_eq_calibrated", "soft_pairwise_accuracy"

#: Shares of pairs, from 0 to 1 and by chance above 0; all others are from -1 to 1, by chance 0.
ACCURACIES = ("pairwise_accuracy", "acc_eq", CALIBRATED_ACCURACY, SOFT_ACCURACY)


@dataclass(frozen=True, slots=True)
class AccuraciesByThreshold(Result):
    """The accuracy of a metric for every tie threshold that makes a difference; empty without any pair.

    Attributes
    ----------
    epsilon : ndarray, shape (n_thresholds,)
        From 0 upwards: scores are tied if they differ by this much or less.
    accuracy, chance : ndarray, shape (n_thresholds,)
        Mean over the lists of the share of pairs that are right, and what is expected of scores dealt at random.
    """

    epsilon: FloatArray
    accuracy: FloatArray
    chance: FloatArray

    @property
    def best(self) -> int:
        """Place of the smallest threshold with the highest accuracy."""
        return int(np.argmax(self.accuracy >= self.accuracy.max() - ROUNDING))


def accuracies_by_threshold(
    x: FloatArray, z: FloatArray, *, items: IntArray | None = None, slack: Slack
) -> AccuraciesByThreshold:
    """Count the pairs of each list that a metric gets right, for every tie threshold.

    Parameters
    ----------
    x, z : ndarray, shape (n_lists, n)
        Scores of the metric and of humans; NaN where missing. Equal ones are one number, see
        :func:`classy_aesop.significance.equality.snap_ties`. A list without a pair is left out.
    items : ndarray of int, shape (n_lists, n), optional
        What was scored, where a resample holds it more than once: two copies are no pair.
    slack : float
        Differences that rounding explains, see :func:`classy_aesop.significance.equality.rounding_slack`.

    Examples
    --------
    >>> found = accuracies_by_threshold(np.array([[1.0, 1.1, 3.0]]), np.array([[1.0, 1.0, 2.0]]), slack=0.0)
    >>> found.accuracy.round(2).tolist()
    [0.67, 1.0, 0.67, 0.33]
    """
    i, j = np.triu_indices(x.shape[1], 1)
    apart, human = x[:, i] - x[:, j], np.sign(z[:, i] - z[:, j])
    valid = ~np.isnan(apart + human)
    if items is not None:
        valid &= items[:, i] != items[:, j]
    n_pairs = valid.sum(axis=1, keepdims=True)
    weight = valid / np.maximum(n_pairs, 1) / max(np.count_nonzero(n_pairs), 1)  # share of the mean
    size, order = np.abs(apart), np.sign(apart)
    tied, ordered = weight * (human == 0), weight * ((order == human) & (human != 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        human_ties = tied.sum(axis=1, keepdims=True) / weight.sum(axis=1, keepdims=True)
    used = weight > 0
    if not used.any():
        return AccuraciesByThreshold(*np.empty((3, 0)))
    sizes = size[used]
    ascending = np.argsort(sizes, kind="stable")
    sizes = np.concatenate([[0.0], sizes[ascending]])
    ends = np.append(np.diff(sizes) > slack, True)
    chance_parts = weight * human_ties, weight * (1 - human_ties) / 2
    shares = []
    for parts in ((tied, ordered), chance_parts):
        tie, right = (part[used][ascending] for part in parts)
        # what is right if no pair, one, two ... are taken for ties; within 0 and 1 but for rounding
        sums = right.sum() + np.concatenate([[0.0], np.cumsum(tie - right)])
        shares.append(np.clip(sums, 0.0, 1.0)[ends])
    return AccuraciesByThreshold(sizes[ends], *shares)


def pairwise_p_values(X: FloatArray, *, n_exchanges: int = N_RESAMPLES) -> FloatArray:
    """One-sided p-value of every two systems: does the first have the higher mean?

    By the paired permutation test on the topics that both have, count / n as published; the same ``n_exchanges`` for
    all pairs, drawn from a fixed seed.

    Shape (n_systems, n_systems): above the diagonal of the row against the column; NaN without a shared topic, and
    elsewhere.
    """
    n = len(X)
    p = np.full((n, n), np.nan)
    within = float(rounding_slack(X)) * X.shape[1]
    first, second = np.triu_indices(n, 1)
    step = max(1, MAX_DIFFERENCES_AT_ONCE // max(1, X.shape[1]))
    for start in range(0, len(first), step):
        rows = slice(start, start + step)
        differences = X[first[rows]] - X[second[rows]]
        p[first[rows], second[rows]] = sign_flip_p_values(differences, within, n_exchanges)
    return p


MAX_DIFFERENCES_AT_ONCE = 200_000


def sign_flip_p_values(differences: FloatArray, within: float, n_exchanges: int) -> FloatArray:
    """One-sided p of the sum of each row of differences under random signs; equal sums count half; NaN without any.

    Up to `ALL_SIGNS_UP_TO` topics all signs are used, else random ones with their opposites, given to the differences
    by size: so p depends neither on the order of topics nor on which of the two systems is first (it is then 1 - p).
    """
    n_shared = np.count_nonzero(~np.isnan(differences), axis=1)
    known = np.nan_to_num(differences)
    order = np.argsort(np.abs(known), axis=1, kind="stable")
    ascending = np.take_along_axis(known, order, axis=1)
    sizes = np.abs(ascending)
    observed = np.where(ascending > 0, sizes, 0.0).sum(axis=1) - np.where(ascending < 0, sizes, 0.0).sum(
        axis=1
    )
    p = np.full(len(differences), np.nan)
    few = np.minimum(n_shared, ALL_SIGNS_UP_TO + 1)
    for number in np.unique(few[few > 0]):
        rows = few == number
        used = sizes[rows] if number > ALL_SIGNS_UP_TO else sizes[rows][:, sizes.shape[1] - number :]
        sums = used @ sign_flips(used.shape[1], n_exchanges).T
        reached = observed[rows][:, None]
        n_above = np.zeros(len(used))
        for side in (sums, -sums):
            n_above += np.count_nonzero(side > reached + within, axis=1)
            n_above += np.count_nonzero(side >= reached - within, axis=1)
        p[rows] = n_above / 4 / sums.shape[1]
    return p


ALL_SIGNS_UP_TO = 12


@lru_cache(maxsize=16)
def sign_flips(n: int, n_exchanges: int) -> FloatArray:
    """Give signs of n differences, without their opposites: all if n is small, else drawn from a fixed seed."""
    if n <= ALL_SIGNS_UP_TO:
        return np.asarray(1.0 - 2 * (np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1), dtype=np.float64)
    drawn = np.random.default_rng(0).integers(2, size=(n_exchanges // 2, n))
    return np.asarray(drawn * 2.0 - 1, dtype=np.float64)


def soft_pairwise_accuracy(X: FloatArray, Z: FloatArray, *, items: IntArray | None = None) -> float:
    """Soft pairwise accuracy of systems: 1 less the mean distance of the metric's and the humans' p-values.

    In [0, 1]; NaN without two systems that share a topic. Cells that either matrix lacks are NaN in both; ``items``,
    shape (n_systems,), as for :func:`accuracies_by_threshold`.

    Thompson et al. (2024).

    Examples
    --------
    >>> Z = np.arange(12.0).reshape(3, 4)
    >>> soft_pairwise_accuracy(Z, Z)
    1.0
    """
    apart = np.abs(pairwise_p_values(X) - pairwise_p_values(Z))
    pairs = ~np.isnan(apart)
    if items is not None:
        pairs &= items[:, None] != items
    return float(1 - apart[pairs].mean()) if pairs.any() else float("nan")


def chance_level(
    X: FloatArray,
    Z: FloatArray,
    valid: BoolArray,
    coefficient: str,
    lists: Sequence[FloatArray],
    slack: Slack,
) -> tuple[float, float]:
    """Give the chance level of one of `ACCURACIES`, and the tie threshold of the calibrated accuracy, else NaN.

    ``lists`` are two, (n_lists, n): what is correlated of the scores ``X`` and ``Z``.
    """
    if coefficient == SOFT_ACCURACY:  # if the metric's systems change names at random
        p, human = (pairwise_p_values(np.where(valid, S, np.nan)) for S in (X, Z))
        p, human = p[~np.isnan(p)], human[~np.isnan(human)]
        either_way = np.concatenate([p, 1 - p])
        apart = [np.abs(either_way - one).mean() for one in human if len(p)]
        return float(1 - np.mean(apart)) if apart else float("nan"), float("nan")
    found = accuracies_by_threshold(*lists, slack=slack)
    if not len(found.chance):
        return float("nan"), float("nan")
    if coefficient == CALIBRATED_ACCURACY:
        return float(found.chance.max()), float(found.epsilon[found.best])
    return float(found.chance[0]), float("nan")
