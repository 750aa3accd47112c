"""Coefficients of many pairs of lists at once: one pair per row, ``(n_rows, n)``.

Each equals its namesake in :mod:`classy_aesop.significance.coefficients` on every row, with numbers that
differ by rounding only taken as ties: the lists are means that were computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray
from classy_aesop.significance.coefficients import midranks, rounding_slack, starts_level


def pearson_rows(A: FloatArray, B: FloatArray) -> FloatArray:
    """Pearson's r of each row of ``A`` with that of ``B``; NaN cells are left out; NaN where undefined.

    Parameters
    ----------
    A, B : ndarray, shape (n_rows, n)
        Either may have one row for all.

    Returns
    -------
    ndarray, shape (n_rows,)
    """
    whole = ~np.isnan(A + B)
    if whole.all() and A.shape[1]:
        return _pearson_of_centred(A - A.mean(axis=1, keepdims=True), B - B.mean(axis=1, keepdims=True), A, B)
    A, B = np.where(whole, A, 0.0), np.where(whole, B, 0.0)
    return _pearson_of_centred(_centred(A, whole), _centred(B, whole), A, B)


def spearman_rows(A: FloatArray, B: FloatArray) -> FloatArray:
    """Spearman's rho of each row of ``A`` with that of ``B``; no NaN cells; else as :func:`pearson_rows`."""
    return pearson_rows(midranks(A, rounding_slack(A)), midranks(B, rounding_slack(B)))


def kendall_rows(A: FloatArray, B: FloatArray) -> FloatArray:
    """Kendall's tau-b of each row of ``A`` with that of ``B``; no NaN cells; else as :func:`pearson_rows`."""
    n = A.shape[1]
    small = np.int16 if n < 181 else np.int64  # products of two levels fit
    (a, untied_a), (b, untied_b) = _levels(A), _levels(B)
    a, b = np.ascontiguousarray(a.T, dtype=small), np.ascontiguousarray(b.T, dtype=small)
    score = np.zeros((n, max(len(A), len(B))), dtype=small)
    for lag in range(1, n):  # all pairs, as differences of an array with itself moved along
        score[lag:] += np.sign((a[lag:] - a[:-lag]) * (b[lag:] - b[:-lag]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(score.sum(axis=0, dtype=np.int64) / np.sqrt(untied_a * untied_b))


#: Kernels by the coefficient's name.
ROWS: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
}


def _centred(x: FloatArray, whole: BoolArray) -> FloatArray:
    counts = np.maximum(whole.sum(axis=1, keepdims=True), 1)
    mean = x.sum(axis=1, keepdims=True) / counts
    return np.where(whole, x - mean, 0.0)


def _pearson_of_centred(a: FloatArray, b: FloatArray, A: FloatArray, B: FloatArray) -> FloatArray:
    square_a, square_b = np.einsum("ij,ij->i", a, a), np.einsum("ij,ij->i", b, b)
    product = np.einsum("ij,ij->i", *np.broadcast_arrays(a, b))
    varies = _varies(a, square_a, A) & _varies(b, square_b, B)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = product / np.sqrt(square_a) / np.sqrt(square_b)
    return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


def _varies(centred: FloatArray, square: FloatArray, x: FloatArray) -> BoolArray:
    """Whether a row spreads further than rounding; a large sum of squares says so without a second look."""
    slack = rounding_slack(x.reshape(1, -1)).item() if x.size else 0.0
    varies = np.asarray(square > x.shape[1] * slack**2)
    doubtful = np.flatnonzero(~varies)
    if len(doubtful) and x.shape[1]:
        varies[doubtful] = np.ptp(centred[doubtful], axis=1) > rounding_slack(x[doubtful])[:, 0]
    return varies


def _levels(x: FloatArray) -> tuple[NDArray[np.integer[Any]], FloatArray]:
    """Number the levels of each row from 0 and count the pairs that are not tied."""
    n = x.shape[1]
    order = np.argsort(x, axis=1)
    starts = starts_level(np.take_along_axis(x, order, axis=1), rounding_slack(x))
    levels = np.empty(x.shape, dtype=np.int64)
    np.put_along_axis(levels, order, np.cumsum(starts, axis=1) - 1, axis=1)
    places = np.arange(n)
    since = places - np.maximum.accumulate(
        np.where(starts, places, 0), axis=1
    )  # earlier items of the same level
    return levels, n * (n - 1) / 2 - since.sum(axis=1)
