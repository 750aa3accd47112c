"""Coefficients of correlation of many pairs of lists at once, one pair a row, ``(n_rows, n)``.

The lists may be means, so a function takes the rounding slack of the scores that they come from; by default that of
each row. Where a coefficient is undefined (fewer than two items, or a constant list) it is NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.correlations.accuracies import ACCURACIES, accuracies_by_threshold
from classy_aesop.significance.equality import (
    Slack,
    is_constant,
    midranks,
    rounding_slack,
    snap_ties,
    tie_levels,
)
from classy_aesop.significance.resampling.resamples import count_draws

MAX_PAIRS_AT_ONCE = 1_000_000
"""Pairs of items, of all rows, that are compared at once."""

MAX_LEVELS_OF_INT16 = 180
"""Products of differences of so many levels fit into 16 bits."""

Slacks = tuple[Slack | None, Slack | None]
"""Differences that rounding explains, of a metric's scores and of human ones; None: those of each row."""


def pearson_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Pearson's r of each row of ``A`` with that of ``B``.

    Parameters
    ----------
    A, B : ndarray, shape (n_rows, n)
        Scores of the metric and of humans, without NaN; either may have one row for all.
    slacks : pair of float
        Rounding slack of the scores of either; by default that of each row.

    Returns
    -------
    ndarray, shape (n_rows,)
        NaN where undefined.

    Examples
    --------
    >>> pearson_rows(np.array([[1.0, 2, 3], [1.0, 1, 1]]), np.array([[1.0, 2, 4]])).round(4).tolist()
    [0.982, nan]
    """
    if A.shape[1] < 2:
        return np.full(max(len(A), len(B)), np.nan)
    a = A - A.mean(axis=1, keepdims=True)
    b = B - B.mean(axis=1, keepdims=True)
    square_a = np.einsum("ij,ij->i", a, a)
    square_b = np.einsum("ij,ij->i", b, b)
    product = np.einsum("ij,ij->i", a, b)  # either may have one row
    varies = _rows_vary(a, square_a, A, slacks[0]) & _rows_vary(b, square_b, B, slacks[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        r = product / np.sqrt(square_a) / np.sqrt(square_b)
    return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


def _rows_vary(centred: FloatArray, square: FloatArray, x: FloatArray, slack: Slack | None) -> BoolArray:
    """Whether a row varies by more than rounding; a large sum of squares shows it at once."""
    largest_slack = rounding_slack(x) if slack is None else slack
    varies = np.asarray(square > x.shape[1] * largest_slack**2)
    doubtful = np.flatnonzero(~varies)
    if len(doubtful):
        row_slack = rounding_slack(x[doubtful], axis=1)[:, 0] if slack is None else slack
        varies[doubtful] = ~is_constant(centred[doubtful], row_slack)
    return varies


def spearman_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Spearman's rho of each row of ``A`` with that of ``B``.

    Parameters
    ----------
    A, B, slacks
        As for :func:`pearson_rows`.
    """
    return pearson_rows(midranks(A, slacks[0]), midranks(B, slacks[1]))


def kendall_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Kendall's tau-b of each row of ``A`` with that of ``B``.

    Parameters
    ----------
    A, B, slacks
        As for :func:`pearson_rows`.
    """
    levels_a = tie_levels(A, slacks[0])
    levels_b = tie_levels(B, slacks[1])
    n = A.shape[1]
    n_untied_a = (n * n - (count_draws(levels_a, n) ** 2).sum(axis=1)) / 2
    n_untied_b = (n * n - (count_draws(levels_b, n) ** 2).sum(axis=1)) / 2
    n_concordant_less_discordant = _sum_over_pairs(levels_a, levels_b, lambda a, b: np.sign(a * b))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(n_concordant_less_discordant / np.sqrt(n_untied_a * n_untied_b))


def accuracy_rows(A: FloatArray, B: FloatArray, slacks: Slacks = (None, None)) -> FloatArray:
    """Pairwise accuracy of each row of ``A`` with that of ``B``.

    Parameters
    ----------
    A, B, slacks
        As for :func:`pearson_rows`.
    """
    levels_a = tie_levels(A, slacks[0])
    levels_b = tie_levels(B, slacks[1])
    n = A.shape[1]
    n_same_order = _sum_over_pairs(levels_a, levels_b, lambda a, b: np.sign(a) == np.sign(b))
    with np.errstate(invalid="ignore"):
        return np.asarray(n_same_order / np.float64(n * (n - 1) // 2))


def _sum_over_pairs(
    levels_a: IntArray, levels_b: IntArray, compare: Callable[[IntArray, IntArray], IntArray]
) -> IntArray:
    """Sum ``compare(difference of levels in A, difference in B)`` over all pairs of items of each row."""
    n = levels_a.shape[1]
    dtype = np.int16 if n <= MAX_LEVELS_OF_INT16 else np.int64
    a: IntArray = np.ascontiguousarray(levels_a.T, dtype=dtype)
    b: IntArray = np.ascontiguousarray(levels_b.T, dtype=dtype)
    sums: IntArray = np.zeros((n, max(len(levels_a), len(levels_b))), dtype=dtype)
    for lag in range(1, n):  # all pairs, as differences of an array from itself shifted by a lag
        sums[lag:] += compare(a[lag:] - a[:-lag], b[lag:] - b[:-lag])
    return np.asarray(sums.sum(axis=0, dtype=np.int64))


def tau_ap_rows(
    A: FloatArray, B: FloatArray, slacks: Slacks = (None, None), items: IntArray | None = None
) -> FloatArray:
    """tau_ap of each row of ``A`` with that of ``B``, the humans.

    Parameters
    ----------
    A, B, slacks
        As for :func:`pearson_rows`.
    items : ndarray of int, shape of ``A``, optional
        The number of the item that was scored, where a resample has an item more than once: it is never above its own
        copy.
    """
    A, B = np.broadcast_arrays(A, B)
    metric = tie_levels(A, slacks[0])
    human = tie_levels(B, slacks[1])
    n = A.shape[1]
    values = [np.zeros(0)]
    step = max(1, MAX_PAIRS_AT_ONCE // max(1, n * n))
    for start in range(0, len(A), step):
        rows = slice(start, start + step)
        is_other = ~np.eye(n, dtype=bool)
        if items is not None:
            row_items = np.broadcast_to(items, A.shape)[rows]
            is_other = row_items[:, :, None] != row_items[:, None, :]
        above, tied, right = pairwise_orders(metric[rows], human[rows])
        above = above & is_other
        tied = tied & is_other
        counts = [pairs.sum(axis=2, dtype=np.float64) for pairs in (above, tied, right * above, right * tied)]
        values.append(mean_tau_ap(*counts))
    return np.where(metric.any(axis=1) & human.any(axis=1), np.concatenate(values), np.nan)


def pairwise_orders(x: IntArray, z: IntArray) -> tuple[BoolArray, BoolArray, FloatArray]:
    """Compare all pairs of items: is the column above the row in ``x``, tied with it, and above it in ``z``, too?

    Parameters
    ----------
    x, z : ndarray of int, shape (..., n)
        Levels of the metric's and of the human scores; high is better.

    Returns
    -------
    above, tied : ndarray of bool, shape (..., n, n)
    right : ndarray, shape (..., n, n)
        1 where humans have the other item above too, 1/2 where they tie, else 0.
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
    """Mean of tau_ap over all orders of the ties of both rankings, from counts of pairs by item.

    Of the other members of an item's tie group, any number is as likely above it, and any of them are; so the mean
    needs harmonic sums only. Without human ties it is tau_ap,a of Urbano and Marrero (2017).

    Parameters
    ----------
    n_above, n_tied : ndarray, shape (..., n)
        Number of the items above each item in the metric's ranking, and of the others tied with it.
    right_above, right_tied : ndarray, shape (..., n)
        Number of these that are right, see :func:`pairwise_orders`.
    counts : ndarray, shape (..., n), or float
        Copies of each item in a resample; then the mean of the numerator is divided by that of the denominator.

    Returns
    -------
    ndarray, shape (...)
    """
    largest = int((n_above + n_tied).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, largest + 1))])
    low = np.rint(n_above).astype(np.int64)
    high = np.rint(n_above + n_tied).astype(np.int64)
    group_size = n_tied + 1
    inverse = harmonic[high] - harmonic[np.maximum(low - 1, 0)]  # sum over j = 0..n_tied of 1 / (n_above + j)
    ratio = np.where(low > 0, group_size, n_tied) - n_above * inverse  # sum of j / (n_above + j)
    share_right_of_tied = right_tied / np.maximum(n_tied, 1)
    numerators = counts * (right_above * inverse + share_right_of_tied * ratio) / group_size
    denominators = counts * np.where(low > 0, 1.0, n_tied / group_size)  # none for an item at the top
    with np.errstate(invalid="ignore"):
        return np.asarray(2 * numerators.sum(axis=-1) / denominators.sum(axis=-1) - 1)


ROW_COEFFICIENTS: dict[str, Callable[..., FloatArray]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
    "tau_ap": tau_ap_rows,
    "pairwise_accuracy": accuracy_rows,
    "acc_eq": accuracy_rows,
}
"""Functions of many pairs of lists by the coefficient's name."""


def correlate_resampled_rows(
    A: FloatArray, B: FloatArray, items: IntArray, coefficient: str, slacks: Slacks = (None, None)
) -> FloatArray:
    """Correlate each row of ``A`` with that of ``B``, both of resampled items; two copies of an item are no pair.

    Parameters
    ----------
    A, B, slacks
        As for :func:`pearson_rows`.
    items : ndarray of int, shape (n_rows, n) or (1, n)
        The number of the item that was scored.
    coefficient : str
        A name of `ROW_COEFFICIENTS`.

    Returns
    -------
    ndarray, shape (n_rows,)

    Examples
    --------
    >>> lists = np.array([[1.0, 2, 2]]), np.array([[1.0, 3, 3]])
    >>> correlate_resampled_rows(*lists, np.array([[0, 1, 1]]), "pairwise_accuracy").tolist()
    [1.0]
    """
    if coefficient == "tau_ap":
        return tau_ap_rows(A, B, slacks, items)
    values = ROW_COEFFICIENTS[coefficient](A, B, slacks)
    if coefficient not in ACCURACIES:
        return values
    n = A.shape[1]
    counts = count_draws(items, int(items.max(initial=0)) + 1)
    n_pairs = n * n - n
    n_copies = np.einsum("ij,ij->i", counts, counts) - n
    with np.errstate(invalid="ignore"):  # copies are in the same order
        return np.asarray((values * n_pairs - n_copies) / (n_pairs - n_copies))


def calibrated_accuracy_rows(
    A: FloatArray, B: FloatArray, items: IntArray, slacks: Slacks = (None, None)
) -> FloatArray:
    """Calibrated accuracy of each row of ``A`` with that of ``B``, each with its own threshold.

    Parameters
    ----------
    A, B, items, slacks
        As for :func:`correlate_resampled_rows`.

    Returns
    -------
    ndarray, shape (n_rows,)
    """
    a = snap_ties(A, slacks[0])
    b = snap_ties(B, slacks[1])
    n_rows = max(len(a), len(b))
    shape = (n_rows, a.shape[1])
    rows = zip(
        np.broadcast_to(a, shape), np.broadcast_to(b, shape), np.broadcast_to(items, shape), strict=True
    )
    values = np.full(n_rows, np.nan)
    for row, (x, z, row_items) in enumerate(rows):
        slack = float(rounding_slack(A[row % len(A)])) if slacks[0] is None else slacks[0]
        accuracies = accuracies_by_threshold(x[None], z[None], items=row_items[None], slack=slack)
        values[row] = accuracies.best_accuracy
    return values
