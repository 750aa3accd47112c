"""How many pairs a metric puts in the right order: for every tie threshold, by how sure it is, and by chance.

With a calibrated tie threshold two scores of the metric that are no further apart are a tie, which is right where the
human scores are tied too (Deutsch, Foster and Freitag, 2023). Soft pairwise accuracy takes two matrices: it compares
how sure the metric and the humans are of every two systems (Thompson et al. 2024). The chance level of an accuracy is
its expected value for a metric whose scores are dealt anew at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from classy_aesop.significance.base import (
    N_RESAMPLES,
    ROUNDING,
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    Slack,
    slack_of,
)

CALIBRATED, SOFT = "acc_eq_calibrated", "soft_pairwise_accuracy"

#: Shares of pairs, from 0 to 1 and by chance above 0; all others are from -1 to 1, by chance 0.
ACCURACIES = ("pairwise_accuracy", "acc_eq", CALIBRATED, SOFT)


@dataclass(frozen=True, slots=True)
class ByThreshold(Result):
    """The accuracy of a metric for every tie threshold that makes a difference; empty without any pair.

    Scores are tied if they differ by ``epsilon``, ascending from 0, or less. ``accuracy`` is the mean over the lists of
    the share of pairs that are right, ``chance`` what is expected of scores dealt at random; all (n_thresholds,).
    """

    epsilon: FloatArray
    accuracy: FloatArray
    chance: FloatArray

    @property
    def best(self) -> int:
        """Place of the smallest threshold with the highest accuracy."""
        return int(np.argmax(self.accuracy >= self.accuracy.max() - ROUNDING))


def by_threshold(x: FloatArray, z: FloatArray, *, items: IntArray | None = None, slack: Slack) -> ByThreshold:
    """Count the pairs of each list that a metric gets right, for every tie threshold.

    Parameters
    ----------
    x, z : ndarray, shape (n_lists, n)
        Scores of the metric and of humans; NaN where missing. Equal ones are one number, see
        :func:`classy_aesop.significance.base.snapped`. A list without a pair is left out.
    items : ndarray of int, shape (n_lists, n), optional
        What was scored, where a resample holds it more than once: two copies are no pair.
    slack : float
        Differences that rounding explains.
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
        return ByThreshold(*np.empty((3, 0)))
    sizes = size[used]
    ascending = np.argsort(sizes, kind="stable")
    sizes = np.concatenate([[0.0], sizes[ascending]])
    ends = np.append(np.diff(sizes) > slack, True)
    by_chance = weight * human_ties, weight * (1 - human_ties) / 2
    shares = []
    for parts in ((tied, ordered), by_chance):
        tie, right = (part[used][ascending] for part in parts)
        # what is right if no pair, one, two ... are taken for ties; within 0 and 1 but for rounding
        sums = right.sum() + np.concatenate([[0.0], np.cumsum(tie - right)])
        shares.append(np.clip(sums, 0.0, 1.0)[ends])
    return ByThreshold(sizes[ends], *shares)


def better_p(X: FloatArray, *, n_exchanges: int = N_RESAMPLES) -> FloatArray:
    """One-sided p-value of every two systems: does the first have the higher mean?

    By the paired permutation test on the topics that both have, count / n as published; the same ``n_exchanges`` for
    all pairs, drawn from a fixed seed.

    Shape (n_systems, n_systems): above the diagonal of the row against the column; NaN without a shared topic, and
    elsewhere.
    """
    n, n_topics = X.shape
    p, within = np.full((n, n), np.nan), float(slack_of(X)) * n_topics
    complete = not np.isnan(X).any()
    moves = exchanges(n_topics, n_exchanges)
    moved = X @ moves
    for i, j in zip(*np.triu_indices(n, 1), strict=True):
        shared = slice(None) if complete else ~np.isnan(X[i] + X[j])
        if X[i, shared].size:
            apart = moved[i] - moved[j] if complete else (X[i] - X[j])[shared] @ moves[shared]
            p[i, j] = np.count_nonzero(apart >= -within) / n_exchanges
    return p


def soft_pairwise_accuracy(X: FloatArray, Z: FloatArray, *, items: IntArray | None = None) -> float:
    """Soft pairwise accuracy of systems: 1 less the mean distance of the metric's and the humans' p-values.

    In [0, 1]; NaN without two systems that share a topic. Cells that either matrix lacks are NaN in both; ``items``,
    shape (n_systems,), as for :func:`by_threshold`.

    Thompson et al. (2024).
    """
    apart = np.abs(better_p(X) - better_p(Z))
    pairs = ~np.isnan(apart)
    if items is not None:
        pairs &= items[:, None] != items
    return float(1 - apart[pairs].mean()) if pairs.any() else float("nan")


@lru_cache(maxsize=1)
def exchanges(n_topics: int, n: int) -> FloatArray:
    """Give what random exchanges add to a sum over topics, in units of each score: -2 or 0, (n_topics, n)."""
    return np.where(np.random.default_rng(0).integers(2, size=(n_topics, n), dtype=bool), -2.0, 0.0)


def by_chance(
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
    if coefficient == SOFT:  # if the metric's systems change names at random
        p, human = (better_p(np.where(valid, S, np.nan)) for S in (X, Z))
        p, human = p[~np.isnan(p)], human[~np.isnan(human)]
        either_way = np.concatenate([p, 1 - p])
        apart = [np.abs(either_way - one).mean() for one in human if len(p)]
        return float(1 - np.mean(apart)) if apart else float("nan"), float("nan")
    found = by_threshold(*lists, slack=slack)
    if not len(found.chance):
        return float("nan"), float("nan")
    if coefficient == CALIBRATED:
        return float(found.chance.max()), float(found.epsilon[found.best])
    return float(found.chance[0]), float("nan")
