"""How far two lists of scores agree: the coefficients, each on two vectors of the same length.

Pearson's r on the numbers; Spearman's rho and Kendall's tau-b on their order; tau_ap, which weighs the
top of the order more (Yilmaz et al. 2008); pairwise accuracy, the share of pairs put in the same order, which is
``acc_eq`` of Deutsch, Foster and Freitag (2023), and the same with a calibrated tie threshold. Soft pairwise accuracy
takes two matrices (:mod:`classy_aesop.significance.accuracy`).
Pairs with a missing score (NaN) are left out. Scores that differ by rounding only are equal, see
:mod:`classy_aesop.significance.near_ties`. Where a coefficient is undefined (fewer than two pairs, or a constant
list) it is NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.accuracy import by_threshold, soft_pairwise_accuracy
from classy_aesop.significance.base import FloatArray, IntArray, same_shape, score_vector
from classy_aesop.significance.near_ties import is_constant, midranks, snapped, tie_levels

_BLOCK = 512  # rows of a sign matrix held at once

MANY = 1_000
"""Above so many pairs Kendall's coefficient is counted by sorting, not by comparing all with all."""


def pearson(x: ArrayLike, z: ArrayLike) -> float:
    """Pearson's correlation in [-1, 1]; NaN if a list is constant or fewer than two pairs are complete.

    Examples
    --------
    >>> round(pearson([1, 2, 3, 4], [1, 2, 2, 4]), 6)
    0.923381
    """
    return _pearson(*_complete_pairs(x, z))


def spearman(x: ArrayLike, z: ArrayLike) -> float:
    """Spearman's rank correlation: Pearson's of the mid-ranks, in [-1, 1]; NaN as :func:`pearson`."""
    x, z = _complete_pairs(x, z)
    return _pearson(midranks(x), midranks(z))


def kendall(x: ArrayLike, z: ArrayLike) -> float:
    """Kendall's tau-b in [-1, 1]: concordant less discordant pairs, over untied pairs; NaN as Pearson's.

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    x, z = _complete_pairs(x, z)
    a, b = tie_levels(x), tie_levels(z)
    if not (a.any() and b.any()):
        return float("nan")
    if len(a) > MANY:
        from scipy.stats import kendalltau  # counts pairs by sorting; slow to import, so only for long lists

        return float(kendalltau(a, b).statistic)
    score = sum(int(np.sum(_signs(a, rows) * _signs(b, rows), dtype=np.int64)) for rows in _blocks(len(a)))
    return float(score / np.sqrt(float(_untied_pairs(a)) * float(_untied_pairs(b))))


def tau_ap(
    x: ArrayLike,
    z: ArrayLike,
    *,
    items: ArrayLike | None = None,
    n_orders: int = 1_000,
    rng: np.random.Generator | None = None,
) -> float:
    """Correlation of two rankings that weighs the top more, in [-1, 1]; high scores rank first.

    The mean over the places 2..n of the metric's ranking of the share of those above that the humans'
    ranking also puts above, scaled to [-1, 1]. It is not symmetric.

    Parameters
    ----------
    x : array_like, shape (n,)
        Scores of the metric, whose ranking is walked down.
    z : array_like, shape (n,)
        Human scores, taken as the truth.
    items : array_like of int, shape (n,), optional
        What was scored, where a resample holds it more than once: it is never above its own copy.
    n_orders : int
        Number of random orders of tied items to average over; only with ``rng``.
    rng : numpy.random.Generator, optional
        Break ties at random by it; without it ties go to the earlier item, in both rankings.

    Returns
    -------
    float
        NaN if a list is constant or fewer than two pairs are complete.

    Notes
    -----
    Yilmaz, Aslam and Robertson (2008), section 3.

    Examples
    --------
    >>> truth = [4, 3, 2, 1]
    >>> round(tau_ap([3, 4, 2, 1], truth), 6), round(tau_ap([4, 3, 1, 2], truth), 6)
    (0.333333, 0.777778)
    """
    which = _items(x, z, items)
    x, z = _complete_pairs(x, z)
    a, b = tie_levels(x), tie_levels(z)
    if not (a.any() and b.any()):
        return float("nan")
    ids = np.arange(len(a))
    if rng is None:
        return _tau_ap(a, b, ids, ids, which)
    orders = [_tau_ap(a, b, rng.permutation(ids), rng.permutation(ids), which) for _ in range(n_orders)]
    return float(np.mean(orders))


def pairwise_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Share of pairs that both lists put in the same order, in [0, 1].

    A tie in both lists is agreement, a tie in one of them is not; so a constant list has a value. NaN for
    fewer than two complete pairs. ``items`` says what was scored, where a resample holds it more than once: two copies
    are no pair.

    Examples
    --------
    >>> pairwise_accuracy([1, 2, 2], [1, 2, 3])
    0.6666666666666666
    """
    copies = np.unique(_items(x, z, items), return_counts=True)[1]
    x, z = _complete_pairs(x, z)
    if len(copies) < 2:
        return float("nan")
    a, b = tie_levels(x), tie_levels(z)
    same = sum(int(np.sum(_signs(a, rows) == _signs(b, rows))) for rows in _blocks(len(x)))
    alike = int(copies @ copies)  # all copies agree, as each with itself
    return (same - alike) / (len(x) ** 2 - alike)


def calibrated_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Pairwise accuracy if scores of the metric that are close are a tie; how close, is chosen for the best accuracy.

    The threshold is chosen on these scores. ``items`` as for :func:`pairwise_accuracy`.

    Examples
    --------
    >>> calibrated_accuracy([1.0, 1.1, 3.0], [1, 1, 2])
    1.0
    """
    which = _items(x, z, items)
    x, z = _complete_pairs(x, z)
    found = by_threshold(x[None], z[None], items=which[None])
    return float(found.accuracy[found.best]) if len(found.accuracy) else float("nan")


#: Coefficients of two lists by the name a caller gives.
COEFFICIENTS: dict[str, Callable[..., float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "tau_ap": tau_ap,
    "pairwise_accuracy": pairwise_accuracy,
    "acc_eq": pairwise_accuracy,
    "acc_eq_calibrated": calibrated_accuracy,
}

CALIBRATED, SOFT = "acc_eq_calibrated", "soft_pairwise_accuracy"

#: With that of two matrices, whose p-values need all topics.
ALL_COEFFICIENTS: dict[str, Callable[..., float]] = {**COEFFICIENTS, SOFT: soft_pairwise_accuracy}

#: Shares of pairs, from 0 to 1 and by chance above 0; all others are from -1 to 1, by chance 0.
ACCURACIES = ("pairwise_accuracy", "acc_eq", CALIBRATED, SOFT)


def least_of(coefficient: str) -> float:
    """Give the smallest value that a coefficient may have."""
    return 0.0 if coefficient in ACCURACIES else -1.0


#: Those that compare every two items: they take ``items``.
OF_PAIRS = ("tau_ap", "pairwise_accuracy", "acc_eq", CALIBRATED)


def _complete_pairs(x: ArrayLike, z: ArrayLike) -> tuple[FloatArray, FloatArray]:
    x, z = score_vector(x, "x"), score_vector(z, "z")
    same_shape(x=x, z=z)
    complete = ~(np.isnan(x) | np.isnan(z))
    return snapped(x[complete]), snapped(z[complete])


def _items(x: ArrayLike, z: ArrayLike, items: ArrayLike | None) -> IntArray:
    """Give the items of the complete pairs; by default all are different."""
    complete = ~np.isnan(np.asarray(x, dtype=np.float64) + np.asarray(z, dtype=np.float64))
    return np.asarray(np.arange(len(complete)) if items is None else items)[complete]


def _pearson(x: FloatArray, z: FloatArray) -> float:
    if is_constant(x) or is_constant(z):  # so are fewer than two
        return float("nan")
    x, z = _unit(x), _unit(z)
    return float(np.clip(x @ z, -1.0, 1.0))


def _unit(x: FloatArray) -> FloatArray:
    x = x - x.mean()
    x = x / np.abs(x).max()  # tiny or huge scores must not under- or overflow when squared
    return np.asarray(x / np.sqrt(x @ x))


def _blocks(n: int) -> list[slice]:
    return [slice(start, start + _BLOCK) for start in range(0, n, _BLOCK)]


def _signs(levels: IntArray, rows: slice) -> NDArray[np.int8]:
    of_rows = levels[rows, None]
    return (of_rows > levels).astype(np.int8) - (of_rows < levels).astype(np.int8)


def _untied_pairs(levels: IntArray) -> int:
    """Count the ordered pairs that differ."""
    counts = np.bincount(levels)
    return int(len(levels) ** 2 - counts @ counts)


def _tau_ap(a: IntArray, b: IntArray, ties_a: IntArray, ties_b: IntArray, items: IntArray) -> float:
    n = len(a)
    by_metric = np.lexsort((ties_a, -a))
    place = np.empty(n, dtype=np.int64)  # place of each item in the human ranking
    place[np.lexsort((ties_b, -b))] = np.arange(n)
    walked, items = place[by_metric], items[by_metric]
    n_above, n_right = np.zeros((2, n), dtype=np.int64)
    for rows in _blocks(n):
        above = (np.arange(n) < np.arange(n)[rows, None]) & (items != items[rows, None])
        n_above[rows] = above.sum(axis=1)
        n_right[rows] = (above & (walked < walked[rows, None])).sum(axis=1)
    lower = n_above > 0
    return float(2 * np.mean(n_right[lower] / n_above[lower]) - 1)
