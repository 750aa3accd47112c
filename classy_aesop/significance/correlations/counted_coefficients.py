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

from classy_aesop.significance.base import AnyFloats, BoolArray, FloatArray
from classy_aesop.significance.correlations.row_coefficients import mean_tau_ap, pairwise_orders
from classy_aesop.significance.equality import tie_levels
from classy_aesop.significance.resampling.resamples import exact_dtype

MIN_VARIANCE_SHARE_OF_SQUARES = 1e-3
"""A variance that is a smaller share of its sum of squares is computed again from the centred scores."""


def correlate_within_topics(X: FloatArray, Z: FloatArray, counts: FloatArray, coefficient: str) -> FloatArray:
    """Correlate within each topic for each resample of summarizers.

    Parameters
    ----------
    X, Z : ndarray, shape (n_summarizers, n_topics)
        Scores of a metric and of humans, NaN in the same cells; equal ones are one number.
    counts : ndarray, shape (n_resamples, n_summarizers)
        How often each resample has each summarizer; two copies of one are no pair.
    coefficient : str
        "pearson" or a name of `COUNT_KERNELS`.

    Returns
    -------
    ndarray, shape (n_resamples, n_topics)
        NaN where undefined.

    Examples
    --------
    >>> X = np.array([[1.0], [2.0], [4.0]])
    >>> Z = np.array([[1.0], [3.0], [2.0]])
    >>> correlate_within_topics(X, Z, np.array([[1.0, 1, 1], [2.0, 1, 0]]), "kendall").round(3).tolist()
    [[0.333], [1.0]]
    """
    if coefficient == "pearson":
        return _pearson_counted(X, Z, counts)
    kernel = COUNT_KERNELS[coefficient]
    exact_counts: AnyFloats = counts.astype(exact_dtype(len(X)))
    return np.stack([kernel(x, z, exact_counts) for x, z in zip(X.T, Z.T, strict=True)], axis=1)


def _pearson_counted(X: FloatArray, Z: FloatArray, counts: FloatArray) -> FloatArray:
    """Pearson's r within all topics, (n_resamples, n_topics)."""
    present = ~np.isnan(X)
    x = _centre_topics(X, present)
    z = _centre_topics(Z, present)
    n, sx, sz, sxx, szz, sxz = np.split(counts @ np.hstack([present, x, z, x * x, z * z, x * z]), 6, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        vx = sxx - sx * sx / n
        vz = szz - sz * sz / n
        r = (sxz - sx * sz / n) / np.sqrt(vx * vz)
    cancels = ~((vx > MIN_VARIANCE_SHARE_OF_SQUARES * sxx) & (vz > MIN_VARIANCE_SHARE_OF_SQUARES * szz))
    if cancels.any():
        resample, topic = np.nonzero(cancels)
        r[cancels] = _pearson_centred(x.T[topic], z.T[topic], counts[resample] * present.T[topic])
    return np.asarray(np.clip(r, -1.0, 1.0))


def _centre_topics(X: FloatArray, present: BoolArray) -> FloatArray:
    """Subtract the mean of each topic; 0 for missing scores."""
    means = np.nansum(X, axis=0) / np.maximum(present.sum(axis=0), 1)
    return np.where(present, X - means, 0.0)


def _pearson_centred(x: FloatArray, z: FloatArray, counts: FloatArray) -> FloatArray:
    """Pearson's r by row, (n_rows, n), from the deviations from each row's means; slower, and nothing cancels."""
    varies = _counts_vary(counts, x) & _counts_vary(counts, z)
    n = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    dx = x - (counts * x).sum(axis=1, keepdims=True) / n
    dz = z - (counts * z).sum(axis=1, keepdims=True) / n
    sxx = (counts * (dx * dx)).sum(axis=1)
    szz = (counts * (dz * dz)).sum(axis=1)
    sxz = (counts * (dx * dz)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, sxz / np.sqrt(sxx) / np.sqrt(szz), np.nan)


def _spearman_counted(x: FloatArray, z: FloatArray, counts: AnyFloats) -> FloatArray:
    """Spearman's rho in a topic on each resample, from signs.

    Twice a mid-rank less its mean is the sum of the signs of the differences from all items.
    """
    signs_x = difference_signs(x).astype(counts.dtype)
    signs_z = difference_signs(z).astype(counts.dtype)
    u, v = np.split(counts @ np.hstack([signs_x.T, signs_z.T]), 2, axis=1)
    weighted = counts * u
    product = np.einsum("ij,ij->i", weighted, v)
    square = np.einsum("ij,ij->i", weighted, u)
    return ratio_to_root(product, square, np.einsum("ij,ij->i", counts * v, v))


def _kendall_counted(x: FloatArray, z: FloatArray, counts: AnyFloats) -> FloatArray:
    """Kendall's tau-b in a topic on each resample, from signs."""
    signs_x = difference_signs(x).astype(counts.dtype)
    signs_z = difference_signs(z).astype(counts.dtype)
    products = np.hstack([signs_x * signs_z, signs_x * signs_x, signs_z * signs_z])  # all three are symmetric
    forms = np.split(counts @ products, 3, axis=1)
    return ratio_to_root(*(np.einsum("ij,ij->i", form, counts) for form in forms))


def _accuracy_counted(x: FloatArray, z: FloatArray, counts: AnyFloats) -> FloatArray:
    """Pairwise accuracy in a topic on each resample, without pairs of copies."""
    valid = ~np.isnan(x)
    pairs = (valid[:, None] & valid & ~np.eye(len(x), dtype=bool)).astype(counts.dtype)
    has_same_order = pairs * (difference_signs(x) == difference_signs(z))
    n_right = np.einsum("ij,ij->i", counts @ has_same_order, counts)
    n_pairs = np.einsum("ij,ij->i", counts @ pairs, counts)
    with np.errstate(invalid="ignore"):
        return np.asarray(n_right.astype(np.float64) / n_pairs)


def tau_ap_counted(x: FloatArray, z: FloatArray, counts: AnyFloats) -> FloatArray:
    """tau_ap in a topic on each resample, no item above its own copy, the mean over the orders of ties.

    Parameters
    ----------
    x, z : ndarray, shape (n,)
        Scores of a metric and of humans, NaN in the same places.
    counts : ndarray, shape (n_resamples, n)
        How often each resample has each item.

    Returns
    -------
    ndarray, shape (n_resamples,)
        NaN where a list of the drawn items is constant.
    """
    valid = ~np.isnan(x)
    levels_x = tie_levels(x[valid])
    levels_z = tie_levels(z[valid])
    counts = counts[:, valid]
    above, tied, right = pairwise_orders(levels_x, levels_z)
    tied = tied & ~np.eye(len(levels_x), dtype=bool)
    weights = counts.astype(np.float64)

    def count_pairs(pairs: NDArray[Any]) -> FloatArray:
        """Sum over the other items of each item, in each resample."""
        return np.asarray(weights @ pairs.T.astype(np.float64))

    values = mean_tau_ap(
        count_pairs(above), count_pairs(tied), count_pairs(right * above), count_pairs(right * tied), weights
    )
    return np.where(_counts_vary(counts, levels_x) & _counts_vary(counts, levels_z), values, np.nan)


COUNT_KERNELS: dict[str, Callable[[FloatArray, FloatArray, AnyFloats], FloatArray]] = {
    "spearman": _spearman_counted,
    "kendall": _kendall_counted,
    "tau_ap": tau_ap_counted,
    "pairwise_accuracy": _accuracy_counted,
    "acc_eq": _accuracy_counted,
}
"""Kernels of one topic by the coefficient's name; Pearson's computes all topics at once.

From scores of a metric and of humans, (n,) and NaN in the same cells, and how often each resample has each item,
(n_resamples, n), in a float type in which sums of signs are exact, to (n_resamples,).
"""


def difference_signs(x: FloatArray) -> FloatArray:
    """Signs of all pairwise differences, (n, n); 0 for missing scores."""
    signs = np.sign(x[:, None] - x)
    signs[np.isnan(signs)] = 0.0
    return signs


def ratio_to_root(product: AnyFloats, square_x: AnyFloats, square_z: AnyFloats) -> FloatArray:
    """Divide sums of products by the root of the product of two sums of squares.

    Parameters
    ----------
    product, square_x, square_z : ndarray
        Sums of products of two variables, and of squares of each.

    Returns
    -------
    ndarray
        NaN where a sum of squares is 0.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(product / np.sqrt(square_x.astype(np.float64) * square_z))


def _counts_vary(counts: AnyFloats, x: NDArray[Any]) -> BoolArray:
    """Whether the drawn items of each resample have more than one value."""
    low = np.where(counts > 0, x, np.inf)
    high = np.where(counts > 0, x, -np.inf)
    return np.asarray(low.min(axis=1, initial=np.inf) < high.max(axis=1, initial=-np.inf))
