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
    untied_a, untied_b = ((n * n - (count_draws(x, n) ** 2).sum(axis=1)) / 2 for x in (a, b))
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
        above, tied, right = pairwise_orders(x, z)
        above = above & others
        tied = tied & others
        sums = [pairs.sum(axis=2, dtype=np.float64) for pairs in (above, tied, right * above, right * tied)]
        values.append(mean_tau_ap(*sums))
    return np.where(metric.any(axis=1) & human.any(axis=1), np.concatenate(values), np.nan)


MAX_PAIRS_AT_ONCE = 1_000_000


def pairwise_orders(x: IntArray, z: IntArray) -> tuple[BoolArray, BoolArray, FloatArray]:
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
ROW_COEFFICIENTS: dict[str, Callable[..., FloatArray]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
    "tau_ap": tau_ap_rows,
    "pairwise_accuracy": accuracy_rows,
    "acc_eq": accuracy_rows,
}


def correlate_resampled_rows(
    A: FloatArray, B: FloatArray, items: IntArray, coefficient: str, slacks: Slacks = (None, None)
) -> FloatArray:
    """Correlate each row of ``A`` with that of ``B``, of drawn items; two copies of an item are no pair.

    ``items`` says what was scored, ``(n_rows, n)`` or ``(1, n)``; no NaN cells.
    """
    if coefficient == "tau_ap":
        return tau_ap_rows(A, B, slacks, items)
    values = ROW_COEFFICIENTS[coefficient](A, B, slacks)
    if coefficient not in ACCURACIES:
        return values
    n = A.shape[1]
    counts = count_draws(items, int(items.max(initial=0)) + 1)
    pairs, copies = n * n - n, np.einsum("ij,ij->i", counts, counts) - n
    with np.errstate(invalid="ignore"):  # copies are in the same order
        return np.asarray((values * pairs - copies) / (pairs - copies))


def calibrated_accuracy_rows(
    A: FloatArray, B: FloatArray, items: IntArray, slacks: Slacks = (None, None)
) -> FloatArray:
    """Calibrated accuracy of each row of ``A`` with that of ``B``, each with its own threshold.

    Arguments as for :func:`correlate_resampled_rows`.
    """
    a, b = (snap_ties(S, slack) for S, slack in zip((A, B), slacks, strict=True))
    values = np.full(max(len(a), len(b)), np.nan)
    shape = (len(values), a.shape[1])
    lists = (np.broadcast_to(S, shape) for S in (a, b, items))
    for which, (x, z, drawn) in enumerate(zip(*lists, strict=True)):
        slack = float(rounding_slack(A[which % len(A)])) if slacks[0] is None else slacks[0]
        accuracies = accuracies_by_threshold(x[None], z[None], items=drawn[None], slack=slack)
        if len(accuracies.accuracy):
            values[which] = accuracies.accuracy[accuracies.best]
    return values


def _varies(centred: FloatArray, square: FloatArray, x: FloatArray, slack: Slack | None) -> BoolArray:
    """Whether a row varies by more than rounding; a large sum of squares shows it at once."""
    largest = rounding_slack(x) if slack is None else slack
    varies = np.asarray(square > x.shape[1] * largest**2)
    doubtful = np.flatnonzero(~varies)
    if len(doubtful):
        within = rounding_slack(x[doubtful], axis=1)[:, 0] if slack is None else slack
        varies[doubtful] = ~is_constant(centred[doubtful], within)
    return varies
