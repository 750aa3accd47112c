"""Coefficients of correlation of two lists by name, of many pairs of lists at once: a pair a row, (n_rows, n).

A list of humans may be the same for all rows, (1, n). Points that one list lacks (NaN) are left out. Numbers are equal
if they differ by no more than ``slacks``, those of a metric and of humans; by default by what rounding explains of
each row. ``items`` numbers the points: two copies of one item, as resamples have them, are no pair.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    batch_slices,
    divide,
    score_matrices,
)
from classy_aesop.significance.correlations.accuracies import (
    ACCURACIES,
    CALIBRATED_ACCURACY,
    SOFT_ACCURACY,
    accuracies_by_threshold,
    soft_pairwise_accuracy,
)
from classy_aesop.significance.equality import Slack, midranks, rounding_slack, snap_ties, tie_levels

MAX_PAIRS_AT_ONCE = 1_000_000
"""Pairs of items, of all rows, that are compared at once."""

MIN_POINTS_TO_SORT = 1_000
"""Above so many points Kendall's coefficient is counted by sorting, not by comparing all with all."""

Slacks = tuple[Slack | None, Slack | None]
NO_SLACKS: Slacks = (None, None)


def pearson_rows(
    A: FloatArray, B: FloatArray, slacks: Slacks = NO_SLACKS, items: IntArray | None = None
) -> FloatArray:
    """Pearson's correlation of each row, in [-1, 1]; NaN if a list is constant or fewer than two pairs are complete."""
    A, B = _share_missing(A, B)
    a, a_varies = _unit_deviations(A, slacks[0])
    b, b_varies = _unit_deviations(B, slacks[1])
    r = np.einsum("ij,ij->i", *np.broadcast_arrays(a, b))
    return np.where(a_varies & b_varies, np.clip(r, -1.0, 1.0), np.nan)


def _share_missing(A: FloatArray, B: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Make points missing in both lists that one of them lacks."""
    missing = np.isnan(A) | np.isnan(B)
    if not missing.any():
        return A, B
    return np.where(missing, np.nan, A), np.where(missing, np.nan, B)


def _unit_deviations(X: FloatArray, slack: Slack | None) -> tuple[FloatArray, BoolArray]:
    """Deviations of each row from its mean, of length 1 and 0 where missing, and whether a row varies."""
    largest = np.fmax.reduce(np.abs(X), axis=1, keepdims=True, initial=np.finfo(float).tiny)
    scaled = X / largest  # so that no square vanishes or overflows
    n = np.maximum(np.count_nonzero(~np.isnan(X), axis=1, keepdims=True), 1)
    deviations = np.nan_to_num(scaled - np.nansum(scaled, axis=1, keepdims=True) / n)
    limit = rounding_slack(X, axis=1) if slack is None else slack
    varies = np.ptp(deviations, axis=1, keepdims=True) * largest > limit
    length = np.sqrt(np.einsum("ij,ij->i", deviations, deviations))[:, None]
    return deviations / np.where(length > 0, length, 1.0), varies[:, 0]


def spearman_rows(A: FloatArray, B: FloatArray, slacks: Slacks, items: IntArray | None) -> FloatArray:
    """Spearman's rank correlation of each row: Pearson's of the mid-ranks, in [-1, 1]; NaN as Pearson's."""
    ranks = [
        np.where(np.isnan(X), np.nan, midranks(X, slack))
        for X, slack in zip(_share_missing(A, B), slacks, strict=True)
    ]
    return pearson_rows(ranks[0], ranks[1])


def kendall_rows(A: FloatArray, B: FloatArray, slacks: Slacks, items: IntArray | None) -> FloatArray:
    """Kendall's tau-b of each row: concordant less discordant pairs, over untied ones; in [-1, 1], NaN as Pearson's."""
    if A.shape[1] > MIN_POINTS_TO_SORT:
        return np.array(
            [_sorted_kendall(a, b, slacks) for a, b in zip(*np.broadcast_arrays(A, B), strict=True)]
        )
    concordance, untied_a, untied_b = _sum_over_pairs(
        A, B, slacks, None, lambda a, b, counts: (a * b * counts, a * a * counts, b * b * counts)
    )
    return divide(concordance, np.sqrt(untied_a * untied_b))


def _sorted_kendall(x: FloatArray, z: FloatArray, slacks: Slacks) -> float:
    """Kendall's tau-b of one long pair of lists."""
    from scipy.stats import kendalltau

    is_present = ~np.isnan(x + z)
    levels = [tie_levels(values[is_present], slack) for values, slack in zip((x, z), slacks, strict=True)]
    return float(kendalltau(*levels).statistic)


def accuracy_rows(A: FloatArray, B: FloatArray, slacks: Slacks, items: IntArray | None) -> FloatArray:
    """Share of the pairs of each row that both lists put in the same order, ties included, in [0, 1]."""
    n_same_order, n_pairs = _sum_over_pairs(
        A, B, slacks, items, lambda a, b, counts: ((a == b) & counts, counts)
    )
    return divide(n_same_order, n_pairs)


def _sum_over_pairs(
    A: FloatArray,
    B: FloatArray,
    slacks: Slacks,
    items: IntArray | None,
    score: Callable[[IntArray, IntArray, BoolArray], tuple[IntArray | BoolArray, ...]],
) -> FloatArray:
    """Sum scores of pairs of points, from the signs of their differences and whether they count, (n_scores, n_rows).

    The pairs of one distance in the rows are scored at once.
    """
    is_there = np.ascontiguousarray(~np.isnan(A + B).T)
    a = np.ascontiguousarray(tie_levels(A, slacks[0]).T, dtype=np.int16)
    b = np.ascontiguousarray(tie_levels(B, slacks[1]).T, dtype=np.int16)
    numbers = None if items is None else np.ascontiguousarray(items.T)
    sums = []
    for distance in range(1, A.shape[1]):
        counts = is_there[distance:] & is_there[:-distance]
        if numbers is not None:
            counts &= numbers[distance:] != numbers[:-distance]
        sign_a = np.sign(a[distance:] - a[:-distance])
        sign_b = np.sign(b[distance:] - b[:-distance])
        sums.append(np.stack([values.sum(axis=0) for values in score(sign_a, sign_b, counts)]))
    return np.sum(sums, axis=0, dtype=np.float64)


def tau_ap_rows(A: FloatArray, B: FloatArray, slacks: Slacks, items: IntArray | None) -> FloatArray:
    """Correlation of the two rankings of each row that weights the top more, in [-1, 1]; high scores rank first.

    tau_ap of Yilmaz et al. (2008); ``B`` are the scores of humans.
    """
    A, B = np.broadcast_arrays(*_share_missing(A, B))
    is_there = ~np.isnan(A)
    metric = np.where(is_there, tie_levels(A, slacks[0]), 0)
    human = np.where(is_there, tie_levels(B, slacks[1]), 0)
    n = A.shape[1]
    numbers = np.broadcast_to(np.arange(n) if items is None else items, A.shape)
    values = [np.zeros(0)]
    for rows in batch_slices(len(A), max(1, MAX_PAIRS_AT_ONCE // (n * n))):
        counts = numbers[rows, :, None] != numbers[rows, None, :]
        counts &= is_there[rows, :, None] & is_there[rows, None, :]
        above, tied, right = pairwise_orders(metric[rows], human[rows])
        above = above & counts
        tied = tied & counts
        pairs = (above, tied, right * above, right * tied)
        values.append(mean_tau_ap(*(part.sum(axis=2, dtype=np.float64) for part in pairs)))
    return np.where(metric.any(axis=1) & human.any(axis=1), np.concatenate(values), np.nan)


def pairwise_orders(x: IntArray, z: IntArray) -> tuple[BoolArray, BoolArray, FloatArray]:
    """Compare all pairs of items: is the column above the row in ``x``, tied with it, and above it in ``z``, too?

    The last counts .5 where tied.
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
    """Mean of tau_ap over all orders of the ties of both rankings, from counts of pairs by item, (..., n).

    ``n_above`` and ``n_tied`` count the other items above an item and tied with it in the metric's ranking,
    ``right_above`` and ``right_tied`` those of them that are above it in the human one. An item at place i of its tied
    group is preceded by all above and i of the others, each with the same chance.
    """
    largest = int((n_above + n_tied).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, largest + 1))])
    low = np.rint(n_above).astype(np.int64)
    high = np.rint(n_above + n_tied).astype(np.int64)
    group_size = n_tied + 1
    inverse = harmonic[high] - harmonic[np.maximum(low - 1, 0)]
    ratio = np.where(low > 0, group_size, n_tied) - n_above * inverse
    share_right_of_tied = right_tied / np.maximum(n_tied, 1)
    numerators = counts * (right_above * inverse + share_right_of_tied * ratio) / group_size
    denominators = counts * np.where(low > 0, 1.0, n_tied / group_size)
    return divide(2 * numerators.sum(axis=-1), denominators.sum(axis=-1)) - 1


def calibrated_accuracy_rows(
    A: FloatArray, B: FloatArray, slacks: Slacks, items: IntArray | None
) -> FloatArray:
    """Accuracy of each row with scores of the metric tied below the threshold that gives the row's highest."""
    a, b = np.broadcast_arrays(snap_ties(A, slacks[0]), snap_ties(B, slacks[1]))
    slack = rounding_slack(a, axis=1) if slacks[0] is None else np.full(len(a), slacks[0])
    accuracies = [
        accuracies_by_threshold(
            a[[row]], b[[row]], items=None if items is None else items[[row]], slack=slack[row]
        )
        for row in range(len(a))
    ]
    return np.array([of_row.best_accuracy for of_row in accuracies])


ROW_COEFFICIENTS: dict[str, Callable[..., FloatArray]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
    "tau_ap": tau_ap_rows,
    "pairwise_accuracy": accuracy_rows,
    "acc_eq": accuracy_rows,
    CALIBRATED_ACCURACY: calibrated_accuracy_rows,
}
"""Coefficients of lists by name."""

ALL_COEFFICIENTS: dict[str, Callable[..., object]] = {
    **ROW_COEFFICIENTS,
    SOFT_ACCURACY: soft_pairwise_accuracy,
}
"""The same with that of two matrices, whose p-values need all topics."""


def correlate_rows(
    coefficient: str, A: FloatArray, B: FloatArray, slacks: Slacks = NO_SLACKS, items: IntArray | None = None
) -> FloatArray:
    """Correlate each pair of rows by a coefficient of `ROW_COEFFICIENTS`; NaN where it is undefined, (n_rows,)."""
    if A.shape[1] < 2:
        return np.full(max(len(A), len(B)), np.nan)
    return ROW_COEFFICIENTS[coefficient](A, B, slacks, items)


def correlate_lists(coefficient: str, x: ArrayLike, z: ArrayLike) -> float:
    """Correlate two lists by a coefficient of `ROW_COEFFICIENTS`; NaN where it is undefined.

    Examples
    --------
    >>> correlate_lists("kendall", [1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    x, z = score_matrices(x=np.atleast_2d(x), z=np.atleast_2d(z))
    return float(correlate_rows(coefficient, x, z)[0])


pearson = partial(correlate_lists, "pearson")
spearman = partial(correlate_lists, "spearman")


def lowest_value(coefficient: str) -> float:
    """Lowest value that a coefficient may have: 0 of accuracies, else -1."""
    return 0.0 if coefficient in ACCURACIES else -1.0
