"""Coefficients of fixed scores for many draws at once, from how often each score counts.

On resamples each of n items counts as often as it was drawn. An exchange of two metrics' scores gives n of their 2 n
scores to the first metric, and the others to the second. Sums over items are products of matrices with the counts, and
sums over pairs of items are quadratic forms. Scores that are equal within rounding have to be one number; NaN is left
out, and missing in both lists.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import AnyFloats, BoolArray, FloatArray, divide
from classy_aesop.significance.correlations.coefficients import mean_tau_ap, pairwise_orders, pearson_rows
from classy_aesop.significance.draws import exact_dtype
from classy_aesop.significance.equality import tie_levels

MIN_VARIANCE_SHARE_OF_SQUARES = 1e-3
"""A variance that is a smaller share of its sum of squares is computed again from the centred scores."""


class DrawCounts:
    """How often each of n items counts in each draw, (n_draws, n)."""

    def __init__(self, draws: AnyFloats) -> None:
        self.draws = draws

    @property
    def item_counts(self) -> AnyFloats:
        """The counts of single items."""
        return self.draws

    def sums(self, values: NDArray[Any]) -> AnyFloats:
        """Sum values of items, (n, n_values), over each draw, (n_draws, n_values)."""
        return self.draws @ values.astype(self.draws.dtype)

    def pair_sums(self, matrix: NDArray[Any]) -> AnyFloats:
        """Sum a symmetric matrix over the pairs of items of each draw, (n_draws,)."""
        return _sum_products(self.sums(matrix), self.draws)


class ExchangedCounts(DrawCounts):
    """Counts of the 2 n scores of two metrics: what exchanges give the first metric, then what they give the second.

    Here ``draws`` are 1 where an item's two scores change places, else 0, (n_exchanges, n). Sums that no exchange
    changes, such as those of human scores, are not computed for each exchange.
    """

    @cached_property
    def item_counts(self) -> AnyFloats:
        """The counts of the first metric, then of the second, (2 n_exchanges, 2 n)."""
        of_first = np.hstack([1 - self.draws, self.draws])
        return np.vstack([of_first, 1 - of_first])

    def sums(self, values: NDArray[Any]) -> AnyFloats:
        """Sum as :meth:`DrawCounts.sums`; what the first metric gains, the second loses."""
        first, second = np.split(values.astype(self.draws.dtype), 2)
        n_draws = len(self.draws)
        change = second - first
        if not change.any():
            return np.broadcast_to(first.sum(axis=0), (2 * n_draws, first.shape[1]))
        gained = self.draws @ change
        sums = np.empty((2, *gained.shape), gained.dtype)  # filled in place, which is several times faster
        np.add(first.sum(axis=0), gained, out=sums[0])
        np.subtract(second.sum(axis=0), gained, out=sums[1])
        return sums.reshape(2 * n_draws, -1)

    def pair_sums(self, matrix: NDArray[Any]) -> AnyFloats:
        """Sum as :meth:`DrawCounts.pair_sums`; no metric has both scores of an item."""
        n = self.draws.shape[1]
        matrix = matrix.astype(self.draws.dtype)
        first = matrix[:n, :n]
        across = matrix[:n, n:] * (1 - np.eye(n, dtype=self.draws.dtype))
        second = matrix[n:, n:]
        interaction = first + second - across - across.T
        quadratic = _sum_products(self.draws @ interaction, self.draws) if interaction.any() else 0
        gained = 2 * self.draws @ (across.sum(axis=0) - first.sum(axis=1))
        lost = 2 * self.draws @ (across.sum(axis=1) - second.sum(axis=1))
        return np.concatenate([first.sum() + gained + quadratic, second.sum() + lost + quadratic])


def _sum_products(a: AnyFloats, b: AnyFloats) -> AnyFloats:
    """Sum the products of each row, (n_rows,)."""
    return np.einsum("ij,ij->i", a, b)


def correlate_within_topics(X: FloatArray, Z: FloatArray, counts: FloatArray, coefficient: str) -> FloatArray:
    """Correlate within each topic, (n, n_topics) each, for each resample of n items, (n_resamples, n_topics)."""
    kernel = COUNT_KERNELS[coefficient]
    draws = DrawCounts(counts.astype(_dtype_of_counts(len(X), coefficient)))
    return np.stack([kernel(x, z, draws) for x, z in zip(X.T, Z.T, strict=True)], axis=1)


def count_exchanges(is_moved: BoolArray, coefficient: str) -> ExchangedCounts:
    """Make the counts of exchanges, (n_exchanges, n)."""
    return ExchangedCounts(is_moved.astype(_dtype_of_counts(2 * is_moved.shape[1], coefficient)))


def _dtype_of_counts(n: int, coefficient: str) -> type[np.float32] | type[np.float64]:
    """Smallest type in which a coefficient of n items is exact."""
    return np.float64 if coefficient == "pearson" else exact_dtype(n)


def correlate_exchanged(
    x: FloatArray, y: FloatArray, z: FloatArray, exchanges: ExchangedCounts, coefficient: str
) -> FloatArray:
    """Correlate two metrics' scores of n items with human ones after each exchange, (2, n_exchanges)."""
    kernel = COUNT_KERNELS[coefficient]
    return kernel(np.concatenate([x, y]), np.tile(z, 2), exchanges).reshape(2, -1)


def _pearson_counted(x: FloatArray, z: FloatArray, counts: DrawCounts) -> FloatArray:
    """Pearson's r; of draws with a variance that cancels from the drawn scores themselves, which is slower."""
    present = ~np.isnan(x)
    n_present = max(present.sum(), 1)
    a = np.nan_to_num(x - x[present].sum() / n_present)
    b = np.nan_to_num(z - z[present].sum() / n_present)
    moments = counts.sums(np.stack([present, a, b, a * a, b * b, a * b], axis=1))
    n, sx, sz, sxx, szz, sxz = moments.T
    with np.errstate(invalid="ignore", divide="ignore"):
        vx = sxx - sx * sx / n
        vz = szz - sz * sz / n
        r = (sxz - sx * sz / n) / np.sqrt(vx * vz)
    cancels = ~((vx > MIN_VARIANCE_SHARE_OF_SQUARES * sxx) & (vz > MIN_VARIANCE_SHARE_OF_SQUARES * szz))
    if cancels.any():
        n_of_items = counts.item_counts[cancels].astype(np.int64)
        items = np.tile(np.arange(len(x)), len(n_of_items)).repeat(n_of_items.ravel())
        drawn_items = items.reshape(len(n_of_items), -1)
        r[cancels] = pearson_rows(x[drawn_items], z[drawn_items], (0.0, 0.0))
    return np.clip(r, -1.0, 1.0)


def _spearman_counted(x: FloatArray, z: FloatArray, counts: DrawCounts) -> FloatArray:
    """Spearman's rho, from the sums of the signs of each item's differences, which are ranks less their mean."""
    u, v = np.split(counts.sums(np.hstack([difference_signs(x).T, difference_signs(z).T])), 2, axis=1)
    return _ratio_to_root(
        *(np.einsum("ij,ij->i", counts.item_counts * a, b) for a, b in ((u, v), (u, u), (v, v)))
    )


def _kendall_counted(x: FloatArray, z: FloatArray, counts: DrawCounts) -> FloatArray:
    """Kendall's tau-b, from the signs of all differences."""
    a = difference_signs(x)
    b = difference_signs(z)
    return _ratio_to_root(*map(counts.pair_sums, (a * b, a * a, b * b)))


def _accuracy_counted(x: FloatArray, z: FloatArray, counts: DrawCounts) -> FloatArray:
    """Pairwise accuracy, without pairs of copies."""
    present = ~np.isnan(x)
    pairs = present[:, None] & present & ~np.eye(len(x), dtype=bool)
    n_right = counts.pair_sums(pairs & (difference_signs(x) == difference_signs(z)))
    return divide(n_right.astype(np.float64), counts.pair_sums(pairs))


def _tau_ap_counted(x: FloatArray, z: FloatArray, counts: DrawCounts) -> FloatArray:
    """tau_ap, no item above its own copy, the mean over the orders of ties."""
    present = ~np.isnan(x)
    levels = [np.where(present, tie_levels(values), 0) for values in (x, z)]
    above, tied, right = pairwise_orders(*levels)
    pairs = present[:, None] & present & ~np.eye(len(x), dtype=bool)
    above = above & pairs
    tied = tied & pairs
    pair_sets = (above, tied, right * above, right * tied)
    n_above, n_tied, n_right_above, n_right_tied = np.array(
        [counts.sums(pairs.T) for pairs in pair_sets], dtype=np.float64
    )
    present_counts = counts.item_counts * present
    values = mean_tau_ap(n_above, n_tied, n_right_above, n_right_tied, present_counts.astype(np.float64))
    return np.where(_counts_vary(present_counts, x) & _counts_vary(present_counts, z), values, np.nan)


COUNT_KERNELS: dict[str, Callable[[FloatArray, FloatArray, DrawCounts], FloatArray]] = {
    "pearson": _pearson_counted,
    "spearman": _spearman_counted,
    "kendall": _kendall_counted,
    "tau_ap": _tau_ap_counted,
    "pairwise_accuracy": _accuracy_counted,
    "acc_eq": _accuracy_counted,
}
"""Kernels of one topic by the coefficient's name: from scores of a metric and of humans, (n,), to (n_draws,)."""


def difference_signs(x: FloatArray) -> FloatArray:
    """Signs of all pairwise differences, (n, n); 0 for missing scores."""
    return np.nan_to_num(np.sign(x[:, None] - x))


def _ratio_to_root(product: AnyFloats, square_x: AnyFloats, square_z: AnyFloats) -> FloatArray:
    """Divide sums of products by the root of the product of two sums of squares."""
    return divide(product, np.sqrt(square_x.astype(np.float64) * square_z))


def _counts_vary(counts: AnyFloats, x: FloatArray) -> BoolArray:
    """Whether the drawn items of each draw have more than one value."""
    low = np.where(counts > 0, x, np.inf)
    high = np.where(counts > 0, x, -np.inf)
    return low.min(axis=1, initial=np.inf) < high.max(axis=1, initial=-np.inf)
