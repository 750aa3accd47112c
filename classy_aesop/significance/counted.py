"""Coefficients of two lists for many resamples of their items at once.

A resample is stored as the count of each item. Pearson's r then needs six weighted sums, one matrix product; Spearman's
rho, Kendall's tau-b and pairwise accuracy are forms in the signs of pairwise differences, so that no resample is ever
sorted. Sums of signs are whole numbers: nothing is lost in single precision.

An exchange of two metrics' scores is a resample too: n summarizers have 2 n scores by either metric, of which an
exchange draws one of each summarizer for the first metric, and leaves the others to the second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.coefficients import mean_share
from classy_aesop.significance.near_ties import tie_levels

Floats = NDArray[np.floating[Any]]

_CANCELS = 1e-3  # a variance this small relative to its sum of squares is computed again from the scores


def pearson_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Pearson's r for each resample.

    Parameters
    ----------
    x, z : ndarray, shape (n,)
        Scores of a metric and of humans, without NaN; equal ones are one number.
    counts : ndarray, shape (n_resamples, n)
        How often each resample has each item.

    Returns
    -------
    ndarray, shape (n_resamples,)
        NaN where undefined.
    """
    if not len(x):
        return np.full(len(counts), np.nan)
    x, z, counts = x - x.mean(), z - z.mean(), counts.astype(np.float64, copy=False)
    n, sx, sz, sxx, szz, sxz = (counts @ np.stack([np.ones_like(x), x, z, x * x, z * z, x * z], axis=1)).T
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vz = sxx - sx * sx / n, szz - sz * sz / n
        r = (sxz - sx * sz / n) / np.sqrt(vx * vz)
        again = ~((vx > _CANCELS * sxx) & (vz > _CANCELS * szz))
        r[again] = _around_means(x, z, counts[again])
    return np.asarray(np.clip(r, -1.0, 1.0))


def _around_means(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Pearson's r from the distances of each resample's means; slower, and nothing cancels."""
    varies = _vary(counts, tie_levels(x)) & _vary(counts, tie_levels(z))
    n = counts.sum(axis=1, keepdims=True)
    dx, dz = (S - (counts @ S)[:, None] / n for S in (x, z))
    sxx, szz, sxz = ((counts * product).sum(axis=1) for product in (dx * dx, dz * dz, dx * dz))
    return np.where(varies, sxz / np.sqrt(sxx) / np.sqrt(szz), np.nan)


def spearman_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Spearman's rho; as :func:`pearson_counted`. Twice a mid-rank less its mean is the sum of signs against all."""
    a, b, drawn = _signs(x, z, counts)
    u, v = drawn @ a.T, drawn @ b.T
    weighted = drawn * u
    product, square = np.einsum("ij,ij->i", weighted, v), np.einsum("ij,ij->i", weighted, u)
    return _ratio(product, square, np.einsum("ij,ij->i", drawn * v, v))


def kendall_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Kendall's tau-b; as :func:`pearson_counted`."""
    a, b, drawn = _signs(x, z, counts)
    return _ratio(*(_form(drawn, pairs) for pairs in (a * b, a * a, b * b)))


def accuracy_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Pairwise accuracy, without pairs of copies; as :func:`pearson_counted`."""
    a, b, drawn = _signs(x, z, counts)
    pairs = 1 - np.eye(len(x), dtype=drawn.dtype)
    with np.errstate(invalid="ignore"):
        return np.asarray(_form(drawn, pairs * (a == b)).astype(np.float64) / _form(drawn, pairs))


def tau_ap_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """tau_ap, no item above its own copy; as :func:`pearson_counted`. Ties go to the earlier item."""
    a, b = tie_levels(x), tie_levels(z)
    order = np.argsort(-a, kind="stable")
    walked = np.argsort(np.argsort(-b, kind="stable"))[order]
    drawn = counts[:, order].astype(np.float64)
    n_above = np.cumsum(drawn, axis=1) - drawn
    n_right = drawn @ np.triu(walked[:, None] < walked, 1)
    varies = _vary(counts, a) & _vary(counts, b)
    return np.where(varies, mean_share(n_right, n_above, drawn), np.nan)


#: Kernels by the coefficient's name.
COUNTED: dict[str, Callable[[FloatArray, FloatArray, Floats], FloatArray]] = {
    "pearson": pearson_counted,
    "spearman": spearman_counted,
    "kendall": kendall_counted,
    "tau_ap": tau_ap_counted,
    "pairwise_accuracy": accuracy_counted,
    "acc_eq": accuracy_counted,
}


def exact_dtype(n: int) -> type[np.float32] | type[np.float64]:
    """Smallest float that holds sums of n^3 signs without rounding."""
    return np.float32 if n**3 < 2**24 else np.float64


def _signs(x: FloatArray, z: FloatArray, counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Give the signs of all pairwise differences of both lists, (n, n), and the counts, in a float that is exact."""
    dtype = exact_dtype(int(counts.sum(axis=1).max(initial=0)))
    a, b = (np.sign(S[:, None] - S).astype(dtype) for S in (x, z))
    return a, b, counts.astype(dtype, copy=False)


def _form(drawn: Floats, pairs: Floats) -> Floats:
    """Sum a symmetric matrix over all pairs of drawn items."""
    return np.einsum("ij,ij->i", drawn @ pairs, drawn)


def _ratio(product: Floats, square: Floats, other: Floats) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(product / np.sqrt(square.astype(np.float64) * other))


def _vary(counts: Floats, levels: IntArray) -> BoolArray:
    """Whether the drawn items of each resample have more than one level."""
    drawn = counts > 0
    low = np.where(drawn, levels, len(levels)).min(axis=1, initial=len(levels))
    return np.asarray(low < np.where(drawn, levels, -1).max(axis=1, initial=-1))
