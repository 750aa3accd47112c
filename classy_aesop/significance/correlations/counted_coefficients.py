"""Coefficients within topics for many resamples at once, from how often each item was drawn.

Within a topic a resample is the count of each item. Pearson's r then needs six weighted sums, one matrix product;
Spearman's rho, Kendall's tau-b and pairwise accuracy are forms in the signs of pairwise differences, so that no
resample is ever sorted. Sums of signs are whole numbers: nothing is lost in single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, Floats
from classy_aesop.significance.correlations.row_coefficients import mean_tau_ap, pairwise_orders
from classy_aesop.significance.equality import tie_levels
from classy_aesop.significance.resampling.resamples import exact_dtype

MIN_VARIANCE_SHARE_OF_SQUARES = (
    1e-3  # a variance this small relative to its sum of squares is computed again from the scores
)


def correlate_within_topics(X: FloatArray, Z: FloatArray, counts: FloatArray, coefficient: str) -> FloatArray:
    """Correlate within each topic for each resample of summarizers.

    Parameters
    ----------
    X, Z : ndarray, shape (n_summarizers, n_topics)
        Scores of a metric and of humans, NaN in the same cells; equal ones are one number.
    counts : ndarray, shape (n_resamples, n_summarizers)
        How often each resample has each summarizer; two copies of one are no pair.
    coefficient : str
        A name of `COUNT_KERNELS`.

    Returns
    -------
    ndarray, shape (n_resamples, n_topics)
        NaN where undefined.
    """
    if coefficient == "pearson":
        return _pearson_counted(X, Z, counts)
    drawn: Floats = counts.astype(exact_dtype(len(X)))
    return np.stack([COUNT_KERNELS[coefficient](x, z, drawn) for x, z in zip(X.T, Z.T, strict=True)], axis=1)


def _pearson_counted(X: FloatArray, Z: FloatArray, counts: FloatArray) -> FloatArray:
    W = ~np.isnan(X)
    x, z = (np.where(W, S - np.nansum(S, axis=0) / np.maximum(W.sum(axis=0), 1), 0.0) for S in (X, Z))
    n, sx, sz, sxx, szz, sxz = np.split(counts @ np.hstack([W, x, z, x * x, z * z, x * z]), 6, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vz = sxx - sx * sx / n, szz - sz * sz / n
        r = (sxz - sx * sz / n) / np.sqrt(vx * vz)
    again = ~((vx > MIN_VARIANCE_SHARE_OF_SQUARES * sxx) & (vz > MIN_VARIANCE_SHARE_OF_SQUARES * szz))
    if again.any():
        resample, topic = np.nonzero(again)
        r[again] = _around_means(x.T[topic], z.T[topic], counts[resample] * W.T[topic])
    return np.asarray(np.clip(r, -1.0, 1.0))


def _around_means(x: FloatArray, z: FloatArray, drawn: FloatArray) -> FloatArray:
    """Pearson's r by row, (n_rows, n), from the distances of each row's means; slower, and nothing cancels."""
    varies = _vary(drawn, x) & _vary(drawn, z)
    n = np.maximum(drawn.sum(axis=1, keepdims=True), 1)
    dx, dz = (S - (drawn * S).sum(axis=1, keepdims=True) / n for S in (x, z))
    sxx, szz, sxz = ((drawn * product).sum(axis=1) for product in (dx * dx, dz * dz, dx * dz))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, sxz / np.sqrt(sxx) / np.sqrt(szz), np.nan)


def _spearman_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Spearman's rho; twice a mid-rank less its mean is the sum of signs against all."""
    a, b = difference_signs(x).astype(counts.dtype), difference_signs(z).astype(counts.dtype)
    u, v = np.split(counts @ np.hstack([a.T, b.T]), 2, axis=1)
    weighted = counts * u
    product, square = np.einsum("ij,ij->i", weighted, v), np.einsum("ij,ij->i", weighted, u)
    return ratio_to_root(product, square, np.einsum("ij,ij->i", counts * v, v))


def _kendall_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Kendall's tau-b."""
    a, b = difference_signs(x).astype(counts.dtype), difference_signs(z).astype(counts.dtype)
    forms = np.split(counts @ np.hstack([a * b, a * a, b * b]), 3, axis=1)  # all three are symmetric
    return ratio_to_root(*(np.einsum("ij,ij->i", form, counts) for form in forms))


def _accuracy_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Pairwise accuracy, without pairs of copies."""
    valid = ~np.isnan(x)
    pairs = (valid[:, None] & valid & ~np.eye(len(x), dtype=bool)).astype(counts.dtype)
    alike = pairs * (difference_signs(x) == difference_signs(z))
    right, of_all = (np.einsum("ij,ij->i", counts @ S, counts) for S in (alike, pairs))
    with np.errstate(invalid="ignore"):
        return np.asarray(right.astype(np.float64) / of_all)


def tau_ap_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """tau_ap, no item above its own copy, the mean over the orders of ties."""
    valid = ~np.isnan(x)
    a, b, counts = tie_levels(x[valid]), tie_levels(z[valid]), counts[:, valid]
    above, tied, right = pairwise_orders(a, b)
    tied = tied & ~np.eye(len(a), dtype=bool)
    drawn = counts.astype(np.float64)
    above_drawn, tied_drawn, right_above, right_tied = (
        drawn @ pairs.T.astype(np.float64) for pairs in (above, tied, right * above, right * tied)
    )
    values = mean_tau_ap(above_drawn, tied_drawn, right_above, right_tied, drawn)
    return np.where(_vary(counts, a) & _vary(counts, b), values, np.nan)


#: Kernels of one topic by the coefficient's name; Pearson's takes all topics at once. From scores of a metric and of
#: humans, (n,) and NaN in the same cells, and how often each resample has each item, (n_resamples, n), in a float that
#: holds sums of signs exactly, to (n_resamples,).
COUNT_KERNELS: dict[str, Callable[[FloatArray, FloatArray, Floats], FloatArray]] = {
    "spearman": _spearman_counted,
    "kendall": _kendall_counted,
    "tau_ap": tau_ap_counted,
    "pairwise_accuracy": _accuracy_counted,
    "acc_eq": _accuracy_counted,
}


def difference_signs(x: FloatArray) -> FloatArray:
    """Signs of all pairwise differences, (n, n); 0 for missing scores."""
    order = np.sign(x[:, None] - x)
    order[np.isnan(order)] = 0.0
    return order


def ratio_to_root(product: Floats, square: Floats, other: Floats) -> FloatArray:
    """Divide sums of products by the root of two sums of squares; NaN where one of these is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(product / np.sqrt(square.astype(np.float64) * other))


def _vary(counts: Floats, x: NDArray[Any]) -> BoolArray:
    """Whether the drawn items of each resample have more than one value."""
    low, high = np.where(counts > 0, x, np.inf), np.where(counts > 0, x, -np.inf)
    return np.asarray(low.min(axis=1, initial=np.inf) < high.max(axis=1, initial=-np.inf))
