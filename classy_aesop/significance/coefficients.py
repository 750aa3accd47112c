"""How far lists of scores agree: the coefficients, of one pair of lists or of many pairs at once.

Pearson's r on the numbers; Spearman's rho and Kendall's tau-b on their order; tau_ap, which weighs the
top of the order more (Yilmaz et al. 2008); pairwise accuracy, the share of pairs put in the same order, which is
``acc_eq`` of Deutsch, Foster and Freitag (2023). With a calibrated tie threshold two scores of the metric that are no
further apart are a tie, which is right where the human scores are tied too. Soft pairwise accuracy takes two matrices:
it compares how sure the metric and the humans are of every two systems (Thompson et al. 2024). The chance level of an
accuracy is its expected value for a metric whose scores are dealt anew at random.

Of one pair of lists (`COEFFICIENTS`) pairs with a missing score (NaN) are left out, and scores that differ by rounding
only are equal, see :mod:`classy_aesop.significance.base`. Of many (`ROWS`), one pair a row, ``(n_rows, n)``, the
lists may be means, so a kernel takes the slack of the scores that they come from; by default that of each row. Where a
coefficient is undefined (fewer than two pairs, or a constant list) it is NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    N_RESAMPLES,
    ROUNDING,
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    Slack,
    is_constant,
    midranks,
    same_shape,
    score_vector,
    slack_of,
    snapped,
    tie_levels,
)

CALIBRATED, SOFT = "acc_eq_calibrated", "soft_pairwise_accuracy"

#: Shares of pairs, from 0 to 1 and by chance above 0; all others are from -1 to 1, by chance 0.
ACCURACIES = ("pairwise_accuracy", "acc_eq", CALIBRATED, SOFT)


@dataclass(frozen=True, slots=True)
class ByThreshold(Result):
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
        Differences that rounding explains, see :func:`classy_aesop.significance.base.slack_of`.

    Examples
    --------
    >>> found = by_threshold(np.array([[1.0, 1.1, 3.0]]), np.array([[1.0, 1.0, 2.0]]), slack=0.0)
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
    n = len(X)
    p = np.full((n, n), np.nan)
    within = float(slack_of(X)) * X.shape[1]
    first, second = np.triu_indices(n, 1)
    step = max(1, MAX_DIFFERENCES_AT_ONCE // max(1, X.shape[1]))
    for start in range(0, len(first), step):
        rows = slice(start, start + step)
        differences = X[first[rows]] - X[second[rows]]
        p[first[rows], second[rows]] = exchange_p(differences, within, n_exchanges)
    return p


MAX_DIFFERENCES_AT_ONCE = 200_000


def exchange_p(differences: FloatArray, within: float, n_exchanges: int) -> FloatArray:
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
        sums = used @ signs_of(used.shape[1], n_exchanges).T
        reached = observed[rows][:, None]
        n_above = np.zeros(len(used))
        for side in (sums, -sums):
            n_above += np.count_nonzero(side > reached + within, axis=1)
            n_above += np.count_nonzero(side >= reached - within, axis=1)
        p[rows] = n_above / 4 / sums.shape[1]
    return p


ALL_SIGNS_UP_TO = 12


@lru_cache(maxsize=16)
def signs_of(n: int, n_exchanges: int) -> FloatArray:
    """Give signs of n differences, without their opposites: all if n is small, else drawn from a fixed seed."""
    if n <= ALL_SIGNS_UP_TO:
        return np.asarray(1.0 - 2 * (np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1), dtype=np.float64)
    drawn = np.random.default_rng(0).integers(2, size=(n_exchanges // 2, n))
    return np.asarray(drawn * 2.0 - 1, dtype=np.float64)


def soft_pairwise_accuracy(X: FloatArray, Z: FloatArray, *, items: IntArray | None = None) -> float:
    """Soft pairwise accuracy of systems: 1 less the mean distance of the metric's and the humans' p-values.

    In [0, 1]; NaN without two systems that share a topic. Cells that either matrix lacks are NaN in both; ``items``,
    shape (n_systems,), as for :func:`by_threshold`.

    Thompson et al. (2024).

    Examples
    --------
    >>> Z = np.arange(12.0).reshape(3, 4)
    >>> soft_pairwise_accuracy(Z, Z)
    1.0
    """
    apart = np.abs(better_p(X) - better_p(Z))
    pairs = ~np.isnan(apart)
    if items is not None:
        pairs &= items[:, None] != items
    return float(1 - apart[pairs].mean()) if pairs.any() else float("nan")


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


# --- one pair of lists ---


MANY = 1_000
"""Above so many pairs Kendall's coefficient is counted by sorting, not by comparing all with all."""


def pearson(x: ArrayLike, z: ArrayLike) -> float:
    """Pearson's correlation in [-1, 1]; NaN if a list is constant or fewer than two pairs are complete.

    Examples
    --------
    >>> round(pearson([1, 2, 3, 4], [1, 2, 2, 4]), 6)
    0.923381
    """
    return _of_lists("pearson", x, z)


def spearman(x: ArrayLike, z: ArrayLike) -> float:
    """Spearman's rank correlation: Pearson's of the mid-ranks, in [-1, 1]; NaN as :func:`pearson`."""
    return _of_lists("spearman", x, z)


def kendall(x: ArrayLike, z: ArrayLike) -> float:
    """Kendall's tau-b in [-1, 1]: concordant less discordant pairs, over untied pairs; NaN as Pearson's.

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    x, z, _ = _complete(x, z)
    if len(x) > MANY:
        from scipy.stats import kendalltau  # counts pairs by sorting; slow to import, so only for long lists

        return float(kendalltau(tie_levels(x), tie_levels(z)).statistic)
    return _of_lists("kendall", x, z)


def tau_ap(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Correlation of two rankings that weighs the top more, in [-1, 1]; high scores rank first.

    The mean over the places 2..n of the metric's ranking of the share of those above that the humans'
    ranking also puts above, scaled to [-1, 1]; the mean over all orders of ties, in both rankings. It is not symmetric,
    and of a ranking with ties it is below 1 also with itself.

    NaN if a list is constant or fewer than two pairs are complete.

    Yilmaz, Aslam and Robertson (2008), section 3.

    Parameters
    ----------
    x : array_like, shape (n,)
        Scores of the metric, whose ranking is walked down.
    z : array_like, shape (n,)
        Human scores, taken as the truth.
    items : array_like of int, shape (n,), optional
        What was scored, where a resample holds it more than once: it is never above its own copy.

    Examples
    --------
    >>> truth = [4, 3, 2, 1]
    >>> round(tau_ap([3, 4, 2, 1], truth), 6), round(tau_ap([4, 3, 1, 2], truth), 6)
    (0.333333, 0.777778)
    """
    return _of_lists("tau_ap", x, z, items)


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
    return _of_lists("pairwise_accuracy", x, z, items)


def calibrated_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Pairwise accuracy if scores of the metric that are close are a tie; how close, is chosen for the best accuracy.

    The threshold is chosen on these scores. ``items`` as for :func:`pairwise_accuracy`.

    Examples
    --------
    >>> calibrated_accuracy([1.0, 1.1, 3.0], [1, 1, 2])
    1.0
    """
    x, z, which = _complete(x, z, items)
    found = by_threshold(x[None], z[None], items=which[None], slack=slack_of(x))
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

#: With that of two matrices, whose p-values need all topics.
ALL_COEFFICIENTS: dict[str, Callable[..., float]] = {**COEFFICIENTS, SOFT: soft_pairwise_accuracy}


#: Those that compare every two items: they take ``items``.
OF_PAIRS = ("tau_ap", "pairwise_accuracy", "acc_eq", CALIBRATED)


def least_of(coefficient: str) -> float:
    """Give the smallest value that a coefficient may have."""
    return 0.0 if coefficient in ACCURACIES else -1.0


def _of_lists(name: str, x: ArrayLike, z: ArrayLike, items: ArrayLike | None = None) -> float:
    x, z, which = _complete(x, z, items)
    if items is None:
        return float(ROWS[name](x[None], z[None])[0])
    return float(drawn_rows(x[None], z[None], which[None], name)[0])


def _complete(
    x: ArrayLike, z: ArrayLike, items: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Give complete pairs in units of the largest, so that no square vanishes or overflows, and what they are of."""
    x, z = score_vector(x, "x"), score_vector(z, "z")
    same_shape(x=x, z=z)
    complete = ~(np.isnan(x) | np.isnan(z))
    which = np.flatnonzero(complete) if items is None else np.asarray(items)[complete]
    x, z = (S[complete] / (np.abs(S[complete]).max(initial=0.0) or 1.0) for S in (x, z))
    return snapped(x), snapped(z), which


# --- many pairs of lists, one a row ---


Slacks = tuple[Slack | None, Slack | None]
"""Differences that rounding explains, of a metric's scores and of human ones; None: those of each row."""


def pearson_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Pearson's r of each row of ``A`` with that of ``B``, (n_rows, n); no NaN cells; NaN where undefined.

    Either may have one row for all.
    """
    if A.shape[1] < 2:
        return np.full(max(len(A), len(B)), np.nan)
    a, b = (S - S.mean(axis=1, keepdims=True) for S in (A, B))
    square_a, square_b = (np.einsum("ij,ij->i", s, s) for s in (a, b))
    product = np.einsum("ij,ij->i", a, b)  # either may have one row
    varies = _varies(a, square_a, A, slacks[0]) & _varies(b, square_b, B, slacks[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        r = product / np.sqrt(square_a) / np.sqrt(square_b)
    return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


def spearman_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Spearman's rho of each row of ``A`` with that of ``B``; as :func:`pearson_rows`."""
    return pearson_rows(midranks(A, slacks[0]), midranks(B, slacks[1]))


def kendall_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Kendall's tau-b of each row of ``A`` with that of ``B``; as :func:`pearson_rows`."""
    a, b, n = tie_levels(A, slacks[0]), tie_levels(B, slacks[1]), A.shape[1]
    untied_a, untied_b = ((n * n - (counts_of(x, n) ** 2).sum(axis=1)) / 2 for x in (a, b))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(_over_pairs(a, b, lambda x, z: np.sign(x * z)) / np.sqrt(untied_a * untied_b))


def accuracy_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Pairwise accuracy of each row of ``A`` with that of ``B``; as :func:`pearson_rows`."""
    a, b, n = tie_levels(A, slacks[0]), tie_levels(B, slacks[1]), A.shape[1]
    same = _over_pairs(a, b, lambda x, z: np.sign(x) == np.sign(z))
    with np.errstate(invalid="ignore"):
        return np.asarray(same / np.float64(n * (n - 1) // 2))


def _over_pairs(a: IntArray, b: IntArray, of: Callable[[IntArray, IntArray], IntArray]) -> IntArray:
    """Sum over all pairs of items what is made of their differences of level in either list, by row."""
    n = a.shape[1]
    small = np.int16 if n < 181 else np.int64  # products of two levels fit
    of_a: IntArray = np.ascontiguousarray(a.T, dtype=small)
    of_b: IntArray = np.ascontiguousarray(b.T, dtype=small)
    found: IntArray = np.zeros((n, max(len(a), len(b))), dtype=small)
    for lag in range(1, n):  # all pairs, as differences of an array with itself moved along
        found[lag:] += of(of_a[lag:] - of_a[:-lag], of_b[lag:] - of_b[:-lag])
    return np.asarray(found.sum(axis=0, dtype=np.int64))


def tau_ap_rows(
    A: FloatArray, B: FloatArray, slacks: Slacks = (None, None), items: IntArray | None = None
) -> FloatArray:
    """tau_ap of each row of ``A`` with that of ``B``, the humans; as :func:`pearson_rows`.

    ``items`` says what was scored, as for :func:`tau_ap`, in the shape of ``A``.
    """
    A, B = np.broadcast_arrays(A, B)
    metric, human = (tie_levels(S, slack) for S, slack in zip((A, B), slacks, strict=True))
    n = A.shape[1]
    values = [np.zeros(0)]
    step = max(1, MAX_PAIRS_AT_ONCE // max(1, n * n))
    for start in range(0, len(A), step):
        x, z = metric[start : start + step], human[start : start + step]
        others = ~np.eye(n, dtype=bool)
        if items is not None:
            which = np.broadcast_to(items, A.shape)[start : start + step]
            others = which[:, :, None] != which[:, None, :]
        above, tied, right = order_of_pairs(x, z)
        above = above & others
        tied = tied & others
        sums = [pairs.sum(axis=2, dtype=np.float64) for pairs in (above, tied, right * above, right * tied)]
        values.append(mean_tau_ap(*sums))
    return np.where(metric.any(axis=1) & human.any(axis=1), np.concatenate(values), np.nan)


MAX_PAIRS_AT_ONCE = 1_000_000


def order_of_pairs(x: IntArray, z: IntArray) -> tuple[BoolArray, BoolArray, FloatArray]:
    """Say of every item (row) whether each other (column) is above it in ``x``, or tied with it, and right in ``z``.

    Levels along the last axis, high is better. Right is 1 where humans have the other above too, 1/2 where they tie.
    """
    above = x[..., None, :] > x[..., :, None]
    tied = x[..., None, :] == x[..., :, None]
    right = (np.sign(z[..., None, :] - z[..., :, None]) + 1) / 2
    return above, tied, right


def mean_tau_ap(
    n_above: FloatArray,
    n_tied: FloatArray,
    right_above: FloatArray,
    right_tied: FloatArray,
    counts: FloatArray | float = 1.0,
) -> FloatArray:
    """Give the mean of tau_ap over all orders of the ties of both rankings, from counts of pairs by item (..., n).

    Of the other members of an item's tie group, any number is as likely above it, and any of them are; so the mean
    needs harmonic sums only. Without human ties it is tau_ap,a of Urbano and Marrero (2017). Where a resample holds
    ``counts`` copies of an item, the mean of the numerator is divided by that of the denominator.
    """
    largest = int((n_above + n_tied).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, largest + 1))])
    low = np.rint(n_above).astype(np.int64)
    high = np.rint(n_above + n_tied).astype(np.int64)
    size = n_tied + 1
    inverse = harmonic[high] - harmonic[np.maximum(low - 1, 0)]  # sum over j = 0..n_tied of 1 / (n_above + j)
    ratio = np.where(low > 0, size, n_tied) - n_above * inverse  # of j / (n_above + j)
    within = right_tied / np.maximum(n_tied, 1)
    shares = counts * (right_above * inverse + within * ratio) / size
    lower = counts * np.where(low > 0, 1.0, n_tied / size)  # an item without others above has no share
    with np.errstate(invalid="ignore"):
        return np.asarray(2 * shares.sum(axis=-1) / lower.sum(axis=-1) - 1)


#: Kernels by the coefficient's name.
ROWS: dict[str, Callable[..., FloatArray]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
    "tau_ap": tau_ap_rows,
    "pairwise_accuracy": accuracy_rows,
    "acc_eq": accuracy_rows,
}


def drawn_rows(
    A: FloatArray, B: FloatArray, items: IntArray, coefficient: str, slacks: Slacks = (None, None)
) -> FloatArray:
    """Correlate each row of ``A`` with that of ``B``, of drawn items; two copies of an item are no pair.

    ``items`` says what was scored, ``(n_rows, n)`` or ``(1, n)``; no NaN cells.
    """
    if coefficient == "tau_ap":
        return tau_ap_rows(A, B, slacks, items)
    values = ROWS[coefficient](A, B, slacks)
    if coefficient not in ACCURACIES:
        return values
    n = A.shape[1]
    counts = counts_of(items, int(items.max(initial=0)) + 1)
    pairs, copies = n * n - n, np.einsum("ij,ij->i", counts, counts) - n
    with np.errstate(invalid="ignore"):  # copies are in the same order
        return np.asarray((values * pairs - copies) / (pairs - copies))


def calibrated_rows(
    A: FloatArray, B: FloatArray, items: IntArray, slacks: Slacks = (None, None)
) -> FloatArray:
    """Calibrated accuracy of each row of ``A`` with that of ``B``, each with its own threshold; as `drawn_rows`."""
    a, b = (snapped(S, slack) for S, slack in zip((A, B), slacks, strict=True))
    values = np.full(max(len(a), len(b)), np.nan)
    shape = (len(values), a.shape[1])
    lists = (np.broadcast_to(S, shape) for S in (a, b, items))
    for which, (x, z, drawn) in enumerate(zip(*lists, strict=True)):
        slack = float(slack_of(A[which % len(A)])) if slacks[0] is None else slacks[0]
        accuracies = by_threshold(x[None], z[None], items=drawn[None], slack=slack)
        if len(accuracies.accuracy):
            values[which] = accuracies.accuracy[accuracies.best]
    return values


def counts_of(resamples: IntArray, n: int, kept: BoolArray | None = None) -> FloatArray:
    """Count how often each of ``n`` items is in each resample, or in the part of it that is kept; (n_resamples, n)."""
    k = len(resamples)
    flat = resamples + n * np.arange(k)[:, None]
    counts = np.bincount(flat.ravel() if kept is None else flat[kept], minlength=k * n)
    return counts.reshape(k, n).astype(np.float64)


def _varies(centred: FloatArray, square: FloatArray, x: FloatArray, slack: Slack | None) -> BoolArray:
    """Whether a row varies by more than rounding; a large sum of squares shows it at once."""
    largest = slack_of(x) if slack is None else slack
    varies = np.asarray(square > x.shape[1] * largest**2)
    doubtful = np.flatnonzero(~varies)
    if len(doubtful):
        within = slack_of(x[doubtful], axis=1)[:, 0] if slack is None else slack
        varies[doubtful] = ~is_constant(centred[doubtful], within)
    return varies
