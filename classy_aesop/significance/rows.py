"""Coefficients of many pairs of lists at once: one pair per row, ``(n_rows, n)``.

Each equals its namesake in :mod:`classy_aesop.significance.coefficients` on every row. The lists may be means, so a
kernel takes the slack of the scores that they come from, see :mod:`classy_aesop.significance.near_ties`; by default
that of each row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.coefficients import ACCURACIES
from classy_aesop.significance.near_ties import Slack, is_constant, midranks, slack_of, starts_level


def pearson_rows(
    A: FloatArray, B: FloatArray, slack_a: Slack | None = None, slack_b: Slack | None = None
) -> FloatArray:
    """Pearson's r of each row of ``A`` with that of ``B``; NaN cells are left out; NaN where undefined.

    Parameters
    ----------
    A, B : ndarray, shape (n_rows, n)
        Either may have one row for all.
    slack_a, slack_b : float, optional
        Differences that rounding explains.

    Returns
    -------
    ndarray, shape (n_rows,)
    """
    valid = ~np.isnan(A + B)
    if valid.all() and A.shape[1]:
        a, b = A - A.mean(axis=1, keepdims=True), B - B.mean(axis=1, keepdims=True)
    else:
        A, B = np.where(valid, A, 0.0), np.where(valid, B, 0.0)
        a, b = _centred(A, valid), _centred(B, valid)
    square_a, square_b = np.einsum("ij,ij->i", a, a), np.einsum("ij,ij->i", b, b)
    product = np.einsum("ij,ij->i", *np.broadcast_arrays(a, b))
    varies = _varies(a, square_a, A, slack_a) & _varies(b, square_b, B, slack_b)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = product / np.sqrt(square_a) / np.sqrt(square_b)
    return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


def spearman_rows(
    A: FloatArray, B: FloatArray, slack_a: Slack | None = None, slack_b: Slack | None = None
) -> FloatArray:
    """Spearman's rho of each row of ``A`` with that of ``B``; no NaN cells; else as :func:`pearson_rows`."""
    return pearson_rows(midranks(A, slack_a), midranks(B, slack_b))


def kendall_rows(
    A: FloatArray, B: FloatArray, slack_a: Slack | None = None, slack_b: Slack | None = None
) -> FloatArray:
    """Kendall's tau-b of each row of ``A`` with that of ``B``; no NaN cells; else as :func:`pearson_rows`."""
    n = A.shape[1]
    small = np.int16 if n < 181 else np.int64  # products of two levels fit
    (a, untied_a), (b, untied_b) = _levels(A, slack_a), _levels(B, slack_b)
    a, b = np.ascontiguousarray(a.T, dtype=small), np.ascontiguousarray(b.T, dtype=small)
    score = np.zeros((n, max(len(A), len(B))), dtype=small)
    for lag in range(1, n):  # all pairs, as differences of an array with itself moved along
        score[lag:] += np.sign((a[lag:] - a[:-lag]) * (b[lag:] - b[:-lag]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(score.sum(axis=0, dtype=np.int64) / np.sqrt(untied_a * untied_b))


def accuracy_rows(
    A: FloatArray, B: FloatArray, slack_a: Slack | None = None, slack_b: Slack | None = None
) -> FloatArray:
    """Pairwise accuracy of each row of ``A`` with that of ``B``; no NaN cells; else as :func:`pearson_rows`."""
    n = A.shape[1]
    small = np.int16 if n < 181 else np.int64
    (a, _), (b, _) = _levels(A, slack_a), _levels(B, slack_b)
    a, b = np.ascontiguousarray(a.T, dtype=small), np.ascontiguousarray(b.T, dtype=small)
    same = np.zeros((n, max(len(A), len(B))), dtype=small)
    for lag in range(1, n):
        same[lag:] += np.sign(a[lag:] - a[:-lag]) == np.sign(b[lag:] - b[:-lag])
    with np.errstate(invalid="ignore"):
        return np.asarray(same.sum(axis=0, dtype=np.int64) / np.float64(n * (n - 1) // 2))


def tau_ap_rows(
    A: FloatArray,
    B: FloatArray,
    slack_a: Slack | None = None,
    slack_b: Slack | None = None,
    items: IntArray | None = None,
) -> FloatArray:
    """tau_ap of each row of ``A`` with that of ``B``, the humans; no NaN cells; else as :func:`pearson_rows`.

    ``items`` says what was scored, as for :func:`classy_aesop.significance.coefficients.tau_ap`, in the shape of ``A``;
    ties go to the smaller number.
    """
    A, B = np.broadcast_arrays(A, B)
    which = np.broadcast_to(np.arange(A.shape[1]), A.shape) if items is None else items
    by_item = np.argsort(which, axis=1, kind="stable")
    levels = _levels(A, slack_a)[0], _levels(B, slack_b)[0]
    a, b = (np.take_along_axis(x, by_item, axis=1) for x in levels)
    order = np.argsort(-a, axis=1, kind="stable")
    place = np.argsort(np.argsort(-b, axis=1, kind="stable"), axis=1)
    walked = np.take_along_axis(place, order, axis=1).T
    which = np.take_along_axis(np.take_along_axis(which, by_item, axis=1), order, axis=1).T
    n_above, n_right = np.zeros((2, *walked.shape))
    for lag in range(1, len(walked)):  # an item is never above its own copy
        other = which[:-lag] != which[lag:]
        n_above[lag:] += other
        n_right[lag:] += other & (walked[:-lag] < walked[lag:])
    values = mean_share(n_right.T, n_above.T)
    return np.where((np.ptp(a, axis=1) > 0) & (np.ptp(b, axis=1) > 0), values, np.nan)


def mean_share(n_right: FloatArray, n_above: FloatArray, counts: FloatArray | None = None) -> FloatArray:
    """Give tau_ap from how many items are above each, and how many rightly; ``counts`` of the items, by default 1."""
    lower = (n_above > 0) * (1.0 if counts is None else counts)
    shares = n_right / np.maximum(n_above, 1)
    with np.errstate(invalid="ignore"):
        return np.asarray(2 * (lower * shares).sum(axis=1) / lower.sum(axis=1) - 1)


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
    A: FloatArray, B: FloatArray, items: IntArray, coefficient: str, slacks: tuple[Slack, Slack]
) -> FloatArray:
    """Correlate each row of ``A`` with that of ``B``, of drawn items; two copies of an item are no pair.

    ``items`` says what was scored, ``(n_rows, n)`` or ``(1, n)``; no NaN cells.
    """
    if coefficient == "tau_ap":
        return tau_ap_rows(A, B, *slacks, items)
    values = ROWS[coefficient](A, B, *slacks)
    if coefficient not in ACCURACIES:
        return values
    n = A.shape[1]
    counts = counts_of(items, int(items.max(initial=0)) + 1)
    pairs, copies = n * n - n, np.einsum("ij,ij->i", counts, counts) - n
    with np.errstate(invalid="ignore"):  # copies are in the same order
        return np.asarray((values * pairs - copies) / (pairs - copies))


def counts_of(resamples: IntArray, n: int) -> FloatArray:
    """Count how often each of ``n`` items is in each resample; shape (n_resamples, n)."""
    k = len(resamples)
    flat = (resamples + n * np.arange(k)[:, None]).ravel()
    return np.bincount(flat, minlength=k * n).reshape(k, n).astype(np.float64)


def _centred(x: FloatArray, valid: BoolArray) -> FloatArray:
    counts = np.maximum(valid.sum(axis=1, keepdims=True), 1)
    mean = x.sum(axis=1, keepdims=True) / counts
    return np.where(valid, x - mean, 0.0)


def _varies(centred: FloatArray, square: FloatArray, x: FloatArray, slack: Slack | None) -> BoolArray:
    """Whether a row varies by more than rounding; a large sum of squares shows it at once."""
    largest = slack_of(x) if slack is None else slack
    varies = np.asarray(square > x.shape[1] * largest**2)
    doubtful = np.flatnonzero(~varies)
    if len(doubtful):
        within = slack_of(x[doubtful], axis=1)[:, 0] if slack is None else slack
        varies[doubtful] = ~is_constant(centred[doubtful], within)
    return varies


def _levels(x: FloatArray, slack: Slack | None) -> tuple[NDArray[np.integer[Any]], FloatArray]:
    """Number the levels of each row from 0 and count the pairs that are not tied."""
    n = x.shape[1]
    order = np.argsort(x, axis=1)
    starts = starts_level(
        np.take_along_axis(x, order, axis=1), slack_of(x, axis=1) if slack is None else slack
    )
    levels = np.empty(x.shape, dtype=np.int64)
    np.put_along_axis(levels, order, np.cumsum(starts, axis=1) - 1, axis=1)
    places = np.arange(n)
    since = places - np.maximum.accumulate(
        np.where(starts, places, 0), axis=1
    )  # earlier items of the same level
    return levels, n * (n - 1) / 2 - since.sum(axis=1)
