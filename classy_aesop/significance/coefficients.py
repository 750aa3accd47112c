"""How far two lists of scores agree: the coefficients, each on two vectors of the same length.

Pearson's r on the numbers; Spearman's rho and Kendall's tau-b on their order; tau_ap, which weighs the
top of the order more (Yilmaz et al. 2008); pairwise accuracy, the share of pairs put in the same order.
Pairs with a missing score (NaN) are left out. Scores are compared as they are given; who computed them, or
does not know how they were computed, joins those that differ by rounding only with :func:`snapped`. Where a
coefficient is undefined (fewer than two pairs, or a constant list; for Pearson one that is constant within
rounding) it is NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import ROUNDING, BoolArray, FloatArray, IntArray, same_shape, score_vector

_BLOCK = 512  # rows of a sign matrix held at once

MANY = 1_000
"""Above so many pairs Kendall's coefficient is counted by sorting, not by comparing all with all."""


def rounding_slack(x: FloatArray) -> FloatArray:
    """Largest difference along the last axis that rounding explains; shape ``(..., 1)``."""
    return np.asarray(ROUNDING * np.max(np.abs(x), axis=-1, keepdims=True, initial=0.0))


def snapped(x: FloatArray, slack: FloatArray | None = None) -> FloatArray:
    """Give numbers along the last axis that differ by rounding only one value, the smallest of theirs.

    The means of two equal summarizers, summed in another order, are equal only so. NaN stays. ``slack`` is
    the difference that rounding explains, shape ``(..., 1)``; by default that of :func:`rounding_slack`.
    """
    order = np.argsort(x, axis=-1, kind="stable")
    ascending = np.take_along_axis(x, order, axis=-1)
    slack = rounding_slack(np.where(np.isnan(x), 0.0, x)) if slack is None else slack
    starts = np.ones(x.shape, dtype=bool)
    starts[..., 1:] = ~(np.diff(ascending, axis=-1) <= slack)
    first = np.maximum.accumulate(np.where(starts, np.arange(x.shape[-1]), 0), axis=-1)
    result = np.empty_like(x)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=-1), axis=-1)
    return result


def snapped_by_topic(X: FloatArray) -> FloatArray:
    """Give scores of one topic, a column, that differ by rounding only one value, as :func:`snapped`."""
    return snapped(X.T).T


def tie_levels(x: FloatArray) -> IntArray:
    """Number the distinct values along the last axis from 0 upwards; ties share a number."""
    order = np.argsort(x, axis=-1, kind="stable")
    steps = starts_level(np.take_along_axis(x, order, axis=-1))
    levels = np.empty(x.shape, dtype=np.int64)
    np.put_along_axis(levels, order, np.cumsum(steps, axis=-1) - 1, axis=-1)
    return levels


def starts_level(ascending: FloatArray, slack: FloatArray | float = 0.0) -> BoolArray:
    """Mark the first of each run of equal numbers, no further apart than ``slack``, in ascending ones."""
    starts = np.ones(ascending.shape, dtype=bool)
    starts[..., 1:] = ascending[..., 1:] - ascending[..., :-1] > slack
    return starts


def midranks(x: FloatArray, slack: FloatArray | float = 0.0) -> FloatArray:
    """Rank along the last axis from 1; ties, no further apart than ``slack``, share the mean of their ranks.

    Examples
    --------
    >>> midranks(np.array([3.0, 1.0, 3.0]))
    array([2.5, 1. , 2.5])
    """
    n = x.shape[-1]
    order = np.argsort(x, axis=-1)
    starts = starts_level(np.take_along_axis(x, order, axis=-1), slack)
    first = np.maximum.accumulate(np.where(starts, np.arange(n), 0), axis=-1)
    # the last of a level stands just before the next level's first, seen from the right
    ends = np.concatenate([starts[..., 1:], np.ones_like(starts[..., :1])], axis=-1)
    last = np.minimum.accumulate(np.where(ends, np.arange(n), n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def is_constant(x: FloatArray) -> BoolArray:
    """Whether all values along the last axis are equal within rounding (also when there is none)."""
    if x.shape[-1] == 0:
        return np.ones(x.shape[:-1], dtype=bool)
    return np.asarray(np.ptp(x, axis=-1) <= rounding_slack(x)[..., 0])


def pearson(x: ArrayLike, z: ArrayLike) -> float:
    """Pearson's correlation in [-1, 1]; NaN if a list is constant or fewer than two pairs are whole.

    Examples
    --------
    >>> round(pearson([1, 2, 3, 4], [1, 2, 2, 4]), 6)
    0.923381
    """
    return _pearson(*_whole_pairs(x, z))


def spearman(x: ArrayLike, z: ArrayLike) -> float:
    """Spearman's rank correlation: Pearson's of the mid-ranks, in [-1, 1]; NaN as :func:`pearson`."""
    x, z = _whole_pairs(x, z)
    return _pearson(midranks(x), midranks(z))


def kendall(x: ArrayLike, z: ArrayLike) -> float:
    """Kendall's tau-b in [-1, 1]: concordant less discordant pairs, over untied pairs; NaN as Pearson's.

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    x, z = _whole_pairs(x, z)
    a, b = tie_levels(x), tie_levels(z)
    if not (a.any() and b.any()):
        return float("nan")
    if len(a) > MANY:
        from scipy.stats import kendalltau  # counts pairs by sorting; slow to import, so only for long lists

        return float(kendalltau(a, b).statistic)
    score = sum(int(np.sum(_signs(a, rows) * _signs(b, rows), dtype=np.int64)) for rows in _blocks(len(a)))
    return float(score / np.sqrt(float(_untied_pairs(a)) * float(_untied_pairs(b))))


def tau_ap(
    x: ArrayLike, z: ArrayLike, *, n_orders: int = 1_000, rng: np.random.Generator | None = None
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
    n_orders : int
        Number of random orders of tied items to average over; only with ``rng``.
    rng : numpy.random.Generator, optional
        Break ties at random by it; without it ties go to the earlier item, in both rankings.

    Returns
    -------
    float
        NaN if a list is constant or fewer than two pairs are whole.

    Notes
    -----
    Yilmaz, Aslam and Robertson (2008), section 3.

    Examples
    --------
    >>> truth = [4, 3, 2, 1]
    >>> round(tau_ap([3, 4, 2, 1], truth), 6), round(tau_ap([4, 3, 1, 2], truth), 6)
    (0.333333, 0.777778)
    """
    x, z = _whole_pairs(x, z)
    a, b = tie_levels(x), tie_levels(z)
    if not (a.any() and b.any()):
        return float("nan")
    ids = np.arange(len(a))
    if rng is None:
        return _tau_ap(a, b, ids, ids)
    orders = [_tau_ap(a, b, rng.permutation(ids), rng.permutation(ids)) for _ in range(n_orders)]
    return float(np.mean(orders))


def pairwise_accuracy(x: ArrayLike, z: ArrayLike) -> float:
    """Share of pairs that both lists put in the same order, in [0, 1].

    A tie in both lists is agreement, a tie in one of them is not; so a constant list has a value. NaN for
    fewer than two whole pairs.

    Examples
    --------
    >>> pairwise_accuracy([1, 2, 2], [1, 2, 3])
    0.6666666666666666
    """
    x, z = _whole_pairs(x, z)
    n = len(x)
    if n < 2:
        return float("nan")
    a, b = tie_levels(x), tie_levels(z)
    same = sum(int(np.sum(_signs(a, rows) == _signs(b, rows))) for rows in _blocks(n))
    return (same - n) / (n * (n - 1))  # the diagonal agrees with itself


#: Coefficients by the name a caller gives.
COEFFICIENTS: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "tau_ap": tau_ap,
    "pairwise_accuracy": pairwise_accuracy,
}


def _whole_pairs(x: ArrayLike, z: ArrayLike) -> tuple[FloatArray, FloatArray]:
    x, z = score_vector(x, "x"), score_vector(z, "z")
    same_shape(x=x, z=z)
    whole = ~(np.isnan(x) | np.isnan(z))
    return x[whole], z[whole]


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
    mine = levels[rows, None]
    return (mine > levels).astype(np.int8) - (mine < levels).astype(np.int8)


def _untied_pairs(levels: IntArray) -> int:
    """Count the ordered pairs that differ."""
    counts = np.bincount(levels)
    return int(len(levels) ** 2 - counts @ counts)


def _tau_ap(a: IntArray, b: IntArray, ties_a: IntArray, ties_b: IntArray) -> float:
    n = len(a)
    by_metric = np.lexsort((ties_a, -a))
    place = np.empty(n, dtype=np.int64)  # place of each item in the human ranking
    place[np.lexsort((ties_b, -b))] = np.arange(n)
    walked = place[by_metric]
    above = np.array([np.count_nonzero(walked[:i] < walked[i]) / i for i in range(1, n)])
    return float(2 * above.mean() - 1)
