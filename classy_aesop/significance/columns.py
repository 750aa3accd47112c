"""Coefficients within every topic for many resamples of summarizers at once.

A resample is stored as the count of each summarizer. Within a topic Pearson's r then needs five weighted
sums, which are matrix products over all topics; Spearman's rho and Kendall's tau-b are quadratic forms in
the signs of the topic's pairwise differences, so that no resample is ever sorted. Sums of signs are whole
numbers: nothing is lost in single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.near_ties import tie_levels
from classy_aesop.significance.rows import counts_of, mean_share, pearson_rows

Floats = NDArray[np.floating[Any]]

_CANCELS = 1e-3  # a variance this small relative to its sum of squares is computed again from the scores


def pearson_columns(X: FloatArray, Z: FloatArray, valid: BoolArray, rows: IntArray) -> FloatArray:
    """Pearson's r within each topic for each resample of rows.

    Parameters
    ----------
    X, Z : ndarray, shape (n_summarizers, n_topics)
        Scores.
    valid : ndarray of bool, shape (n_summarizers, n_topics)
        Cells that count.
    rows : ndarray of int, shape (n_resamples, n_summarizers)
        The rows of each resample.

    Returns
    -------
    ndarray, shape (n_resamples, n_topics)
        NaN where undefined.
    """
    W = valid.astype(np.float64)
    x, z = _column_centred(X, valid), _column_centred(Z, valid)
    sums = counts_of(rows, len(X)) @ np.hstack([W, x, z, x * x, z * z, x * z])
    n, sx, sz, sxx, szz, sxz = np.split(sums, 6, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vz = sxx - sx * sx / n, szz - sz * sz / n
        r = (sxz - sx * sz / n) / np.sqrt(vx * vz)
    again = ~((vx > _CANCELS * sxx) & (vz > _CANCELS * szz))
    resample, topic = np.nonzero(again)
    if len(resample):
        X, Z = np.where(valid, X, np.nan), np.where(valid, Z, np.nan)
        at = rows[resample], topic[:, None]
        r[resample, topic] = pearson_rows(X[at], Z[at])
    return np.asarray(np.clip(r, -1.0, 1.0))


def spearman_columns(X: FloatArray, Z: FloatArray, valid: BoolArray, rows: IntArray) -> FloatArray:
    """Spearman's rho within each topic for each resample of rows; as :func:`pearson_columns`."""
    return _by_topic(_spearman_of_signs, X, Z, valid, rows)


def kendall_columns(X: FloatArray, Z: FloatArray, valid: BoolArray, rows: IntArray) -> FloatArray:
    """Kendall's tau-b within each topic for each resample of rows; as :func:`pearson_columns`."""
    return _by_topic(_kendall_of_signs, X, Z, valid, rows)


def accuracy_columns(X: FloatArray, Z: FloatArray, valid: BoolArray, rows: IntArray) -> FloatArray:
    """Pairwise accuracy within each topic for each resample, without pairs of copies; as :func:`pearson_columns`."""
    counts = counts_of(rows, len(X))
    values = np.empty((len(rows), X.shape[1]))
    for topic, scored in enumerate(valid.T):
        pairs = np.outer(scored, scored) & ~np.eye(len(X), dtype=bool)
        right = pairs & (signs_of(X[:, topic], scored) == signs_of(Z[:, topic], scored))
        of_right, of_all = (np.einsum("ij,ij->i", counts @ which, counts) for which in (right, pairs))
        with np.errstate(invalid="ignore"):
            values[:, topic] = of_right / of_all
    return values


def tau_ap_columns(X: FloatArray, Z: FloatArray, valid: BoolArray, rows: IntArray) -> FloatArray:
    """tau_ap within each topic for each resample, no item above its own copy; as :func:`pearson_columns`."""
    counts = counts_of(rows, len(X))
    values = np.empty((len(rows), X.shape[1]))
    for topic, scored in enumerate(valid.T):
        a, b = tie_levels(X[scored, topic]), tie_levels(Z[scored, topic])
        order = np.argsort(-a, kind="stable")
        walked = np.argsort(np.argsort(-b, kind="stable"))[order]
        drawn = counts[:, scored][:, order]
        n_above = np.cumsum(drawn, axis=1) - drawn
        n_right = drawn @ np.triu(walked[:, None] < walked, 1)
        varies = _vary(drawn, a[order]) & _vary(drawn, b[order])
        values[:, topic] = np.where(varies, mean_share(n_right, n_above, drawn), np.nan)
    return values


def _vary(drawn: FloatArray, levels: IntArray) -> BoolArray:
    """Whether the drawn items of each resample have more than one level."""
    among = [drawn[:, levels == level].any(axis=1) for level in np.unique(levels)]
    return np.asarray(np.sum(among, axis=0, initial=0) > 1)


#: Kernels by the coefficient's name.
COLUMNS: dict[str, Callable[[FloatArray, FloatArray, BoolArray, IntArray], FloatArray]] = {
    "pearson": pearson_columns,
    "spearman": spearman_columns,
    "kendall": kendall_columns,
    "tau_ap": tau_ap_columns,
    "pairwise_accuracy": accuracy_columns,
    "acc_eq": accuracy_columns,
}


def signs_of(x: FloatArray, valid: BoolArray) -> FloatArray:
    """Sign of each pairwise difference of one topic's scores, 0 for missing ones; (n, n), as -1, 0, 1."""
    x = np.where(valid, x, 0.0)
    return np.sign(x[:, None] - x) * (valid[:, None] & valid)


def exact_dtype(n: int) -> type[np.float32] | type[np.float64]:
    """Smallest float that holds sums of n^3 signs without rounding."""
    return np.float32 if n**3 < 2**24 else np.float64


def _column_centred(X: FloatArray, valid: BoolArray) -> FloatArray:
    X = np.where(valid, X, 0.0)
    return np.where(valid, X - X.sum(axis=0) / np.maximum(valid.sum(axis=0), 1), 0.0)


def _by_topic(
    of_signs: Callable[[Floats, Floats, Floats], FloatArray],
    X: FloatArray,
    Z: FloatArray,
    valid: BoolArray,
    rows: IntArray,
) -> FloatArray:
    dtype = exact_dtype(len(X))
    counts: Floats = counts_of(rows, len(X)).astype(dtype)
    values = np.empty((len(rows), X.shape[1]))
    for topic in range(X.shape[1]):
        a, b = signs_of(X[:, topic], valid[:, topic]), signs_of(Z[:, topic], valid[:, topic])
        with np.errstate(invalid="ignore", divide="ignore"):
            values[:, topic] = of_signs(counts, a.astype(dtype), b.astype(dtype))
    return values


def _spearman_of_signs(counts: Floats, a: Floats, b: Floats) -> FloatArray:
    """Twice a mid-rank less its mean is the sum of signs against all others."""
    n = len(a)
    ranks = counts @ np.hstack([a.T, b.T])
    u, v = ranks[:, :n], ranks[:, n:]
    weighted = counts * u
    product, square = np.einsum("ij,ij->i", weighted, v), np.einsum("ij,ij->i", weighted, u)
    other = np.einsum("ij,ij->i", counts * v, v)
    return np.asarray(product / np.sqrt(square.astype(np.float64) * other))


def _kendall_of_signs(counts: Floats, a: Floats, b: Floats) -> FloatArray:
    n = len(a)
    forms = counts @ np.hstack([a * b, a * a, b * b])  # all three are symmetric
    score, untied_a, untied_b = (
        np.einsum("ij,ij->i", forms[:, i * n : (i + 1) * n], counts) for i in range(3)
    )
    return np.asarray(score / np.sqrt(untied_a.astype(np.float64) * untied_b))
