"""Resamples, exchanges of two metrics' scores, and coefficients within topics for many of either at once.

Within a topic a resample is the count of each item. Pearson's r then needs six weighted sums, one matrix product;
Spearman's rho, Kendall's tau-b and pairwise accuracy are forms in the signs of pairwise differences, so that no
resample is ever sorted. Sums of signs are whole numbers: nothing is lost in single precision.

Of an exchange the sign a = 1 keeps a summarizer's two scores, a = -1 exchanges them. Pearson's sums are linear in these
signs. The sign of the difference of two summarizers depends on their two signs only, so it is
alpha + beta a_i + gamma a_l + delta a_i a_l, and the sums of the others are linear and quadratic forms. The second
metric's coefficient is the first one's with all signs turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, one_of, tie_levels
from classy_aesop.significance.coefficients import mean_tau_ap, order_of_pairs, pearson_rows

Floats = NDArray[np.floating[Any]]

_CANCELS = 1e-3  # a variance this small relative to its sum of squares is computed again from the scores

RESAMPLES = ("systems", "inputs", "both")

SWAPS = ("cells", "systems", "inputs", "systems_inputs")


@dataclass(frozen=True, slots=True)
class Resamples(Result):
    """Rows and columns sampled with replacement; None: all of them, once each.

    Attributes
    ----------
    rows : ndarray of int, shape (n_resamples, n_summarizers), or None
        Summarizers of each resample.
    columns : ndarray of int, shape (n_resamples, n_topics), or None
        Topics of each resample.
    """

    rows: IntArray | None = None
    columns: IntArray | None = None

    def __post_init__(self) -> None:
        if len({len(part) for part in (self.rows, self.columns) if part is not None}) != 1:
            raise ValueError("rows and columns are both missing, or differ in number; expected as many")

    def __len__(self) -> int:
        return len(next(part for part in (self.rows, self.columns) if part is not None))

    def part(self, selected: slice) -> Resamples:
        """Return some of the resamples."""
        return Resamples(*(None if part is None else part[selected] for part in (self.rows, self.columns)))


@dataclass(frozen=True, slots=True)
class Swaps(Result):
    """Which scores of two metrics change places; True or a set bit means exchanged.

    Attributes
    ----------
    rows : ndarray of bool, shape (n_swaps, n_summarizers), or None
    columns : ndarray of bool, shape (n_swaps, n_topics), or None
        With rows and columns both, a cell is exchanged when one of the two is, not when both are.
    cells : ndarray of uint8, shape (n_swaps, n_summarizers, n_bytes), or None
        Each cell on its own; the topics as bits, packed as by ``numpy.packbits``.
    """

    rows: BoolArray | None = None
    columns: BoolArray | None = None
    cells: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return next(len(part) for part in (self.rows, self.columns, self.cells) if part is not None)

    def part(self, selected: slice) -> Swaps:
        """Return some of the exchanges."""
        return Swaps(
            rows=None if self.rows is None else self.rows[selected],
            columns=None if self.columns is None else self.columns[selected],
            cells=None if self.cells is None else self.cells[selected],
        )

    def turned(self, n_topics: int) -> Swaps:
        """Give the same exchanges of turned matrices, (n_topics, n_summarizers)."""
        if self.cells is None:
            return Swaps(self.columns, self.rows)
        bits = np.unpackbits(self.cells, axis=2, count=n_topics)
        return Swaps(cells=np.packbits(bits.transpose(0, 2, 1), axis=2))

    def signs(self, topic: int, n: int) -> Floats:
        """Give -1 for the summarizers exchanged in a topic, else 1, (n_swaps, n_summarizers).

        Not of whole topics, ``columns``; without rows and cells all ``n`` summarizers keep their scores, (1, n).
        """
        if self.cells is not None:
            bits = self.cells[:, :, topic // 8] >> np.uint8(7 - topic % 8) & np.uint8(1)
        else:
            bits = np.zeros((1, n), dtype=np.uint8) if self.rows is None else self.rows.view(np.uint8)
        signs: Floats = bits.astype(exact_dtype(n))
        signs *= -2
        signs += 1
        return signs

    def sums(self, D: FloatArray) -> FloatArray:
        """Sum each row of ``D``, a number by cell, under the signs of each exchange, (n_swaps, n_summarizers)."""
        if self.cells is None:
            sums = D.sum(axis=1) if self.columns is None else (1.0 - 2.0 * self.columns) @ D.T
            return np.asarray(sums if self.rows is None else (1.0 - 2.0 * self.rows) * sums)
        found, which = np.zeros(self.cells.shape[:2]), np.arange(len(D))
        for byte in range(self.cells.shape[2]):  # sums of eight topics are looked up by their byte of signs
            part = D[:, 8 * byte : 8 * byte + 8]
            found += (part @ _BYTE_SIGNS[:, : part.shape[1]].T)[which, self.cells[:, :, byte]]
        return found


_BYTE_SIGNS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)


def draw_resamples(
    shape: tuple[int, int], resample: str, n_resamples: int, rng: np.random.Generator
) -> Resamples:
    """Sample rows, columns or both of a matrix with replacement, as many as it has."""
    one_of(resample, RESAMPLES, "resample")
    rows = rng.integers(shape[0], size=(n_resamples, shape[0])) if resample != "inputs" else None
    columns = rng.integers(shape[1], size=(n_resamples, shape[1])) if resample != "systems" else None
    return Resamples(rows, columns)


def draw_swaps(shape: tuple[int, int], swap: str, n_swaps: int, rng: np.random.Generator) -> Swaps:
    """Exchange each summarizer, topic or cell of a matrix with probability one half.

    Of whole summarizers, or of whole topics, every exchange is given once where there are no more than ``n_swaps``.
    """
    one_of(swap, SWAPS, "swap")
    if swap == "cells":
        size = (n_swaps, shape[0], (shape[1] + 7) // 8)
        return Swaps(cells=rng.integers(256, size=size, dtype=np.uint8))
    n = {"systems": shape[0], "inputs": shape[1]}.get(swap, 64)
    if 2**n <= n_swaps:
        every = np.arange(2**n)[:, None] >> np.arange(n) & 1 > 0
        return Swaps(rows=every) if swap == "systems" else Swaps(columns=every)
    rows = rng.integers(2, size=(n_swaps, shape[0]), dtype=bool) if swap != "inputs" else None
    columns = rng.integers(2, size=(n_swaps, shape[1]), dtype=bool) if swap != "systems" else None
    return Swaps(rows, columns)


def is_every(swaps: Swaps) -> bool:
    """Whether these are all exchanges that there are, each once: then p is exact."""
    part = swaps.rows if swaps.columns is None else swaps.columns if swaps.rows is None else None
    return part is not None and len(part) == 2 ** part.shape[1]


def exchanged(swaps: Swaps, which: int, shape: tuple[int, int]) -> BoolArray:
    """Give one exchange as a mask over the cells of a matrix."""
    if swaps.cells is not None:
        return np.unpackbits(swaps.cells[which], axis=-1, count=shape[1]).view(bool)
    mask = np.zeros(shape, dtype=bool)
    if swaps.rows is not None:
        mask ^= swaps.rows[which][:, None]
    if swaps.columns is not None:
        mask ^= swaps.columns[which]
    return mask


# --- resamples, by the counts of summarizers ---


def within_topics(X: FloatArray, Z: FloatArray, counts: FloatArray, coefficient: str) -> FloatArray:
    """Correlate within each topic for each resample of summarizers.

    Parameters
    ----------
    X, Z : ndarray, shape (n_summarizers, n_topics)
        Scores of a metric and of humans, NaN in the same cells; equal ones are one number.
    counts : ndarray, shape (n_resamples, n_summarizers)
        How often each resample has each summarizer; two copies of one are no pair.
    coefficient : str
        A name of `COUNTED`.

    Returns
    -------
    ndarray, shape (n_resamples, n_topics)
        NaN where undefined.
    """
    if coefficient == "pearson":
        return _pearson(X, Z, counts)
    drawn: Floats = counts.astype(exact_dtype(len(X)))
    return np.stack([COUNTED[coefficient](x, z, drawn) for x, z in zip(X.T, Z.T, strict=True)], axis=1)


def _pearson(X: FloatArray, Z: FloatArray, counts: FloatArray) -> FloatArray:
    W = ~np.isnan(X)
    x, z = (np.where(W, S - np.nansum(S, axis=0) / np.maximum(W.sum(axis=0), 1), 0.0) for S in (X, Z))
    n, sx, sz, sxx, szz, sxz = np.split(counts @ np.hstack([W, x, z, x * x, z * z, x * z]), 6, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vz = sxx - sx * sx / n, szz - sz * sz / n
        r = (sxz - sx * sz / n) / np.sqrt(vx * vz)
    again = ~((vx > _CANCELS * sxx) & (vz > _CANCELS * szz))
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
    a, b = _order(x).astype(counts.dtype), _order(z).astype(counts.dtype)
    u, v = np.split(counts @ np.hstack([a.T, b.T]), 2, axis=1)
    weighted = counts * u
    product, square = np.einsum("ij,ij->i", weighted, v), np.einsum("ij,ij->i", weighted, u)
    return _ratio(product, square, np.einsum("ij,ij->i", counts * v, v))


def _kendall_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Kendall's tau-b."""
    a, b = _order(x).astype(counts.dtype), _order(z).astype(counts.dtype)
    forms = np.split(counts @ np.hstack([a * b, a * a, b * b]), 3, axis=1)  # all three are symmetric
    return _ratio(*(np.einsum("ij,ij->i", form, counts) for form in forms))


def _accuracy_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """Pairwise accuracy, without pairs of copies."""
    valid = ~np.isnan(x)
    pairs = (valid[:, None] & valid & ~np.eye(len(x), dtype=bool)).astype(counts.dtype)
    alike = pairs * (_order(x) == _order(z))
    right, of_all = (np.einsum("ij,ij->i", counts @ S, counts) for S in (alike, pairs))
    with np.errstate(invalid="ignore"):
        return np.asarray(right.astype(np.float64) / of_all)


def _tau_ap_counted(x: FloatArray, z: FloatArray, counts: Floats) -> FloatArray:
    """tau_ap, no item above its own copy, the mean over the orders of ties."""
    valid = ~np.isnan(x)
    a, b, counts = tie_levels(x[valid]), tie_levels(z[valid]), counts[:, valid]
    above, tied, right = order_of_pairs(a, b)
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
COUNTED: dict[str, Callable[[FloatArray, FloatArray, Floats], FloatArray]] = {
    "spearman": _spearman_counted,
    "kendall": _kendall_counted,
    "tau_ap": _tau_ap_counted,
    "pairwise_accuracy": _accuracy_counted,
    "acc_eq": _accuracy_counted,
}


def exact_dtype(n: int) -> type[np.float32] | type[np.float64]:
    """Smallest float that holds sums of n^3 signs without rounding."""
    return np.float32 if n**3 < 2**24 else np.float64


def _order(x: FloatArray) -> FloatArray:
    """Signs of all pairwise differences, (n, n); 0 for missing scores."""
    order = np.sign(x[:, None] - x)
    order[np.isnan(order)] = 0.0
    return order


def _ratio(product: Floats, square: Floats, other: Floats) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(product / np.sqrt(square.astype(np.float64) * other))


def _vary(counts: Floats, x: NDArray[Any]) -> BoolArray:
    """Whether the drawn items of each resample have more than one value."""
    low, high = np.where(counts > 0, x, np.inf), np.where(counts > 0, x, -np.inf)
    return np.asarray(low.min(axis=1, initial=np.inf) < high.max(axis=1, initial=-np.inf))


# --- exchanges, by their signs ---


def _pearson_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Pearson's r, whose sums are linear in the signs."""
    a = a.astype(np.float64)
    mean, half = (x + y) / 2, (x - y) / 2
    m, c = mean - mean.mean(), z - z.mean()
    product, total, square = (a @ np.stack([half * c, half, 2 * m * half], axis=1)).T
    r = np.empty((2, len(a)))
    for side, sign in enumerate((1.0, -1.0)):
        squares = m @ m + half @ half + sign * square
        variance = squares - total * total / len(x)
        with np.errstate(invalid="ignore", divide="ignore"):
            r[side] = (m @ c + sign * product) / np.sqrt(variance * (c @ c))
        again = ~(variance > _CANCELS * squares)
        if again.any():
            r[side, again] = pearson_rows(np.where(sign * a[again] > 0, x, y), z[None, :])
    return np.clip(r, -1.0, 1.0)


def _spearman_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Spearman's rho."""
    alpha, beta, gamma, delta = (part.astype(a.dtype) for part in _by_signs(_differences(x, y)))
    of_first, of_both = np.split(a @ np.hstack([gamma.T, delta.T]), 2, axis=1)
    even, odd = alpha.sum(axis=1) + a * of_both, a * beta.sum(axis=1) + of_first
    v = _order(z).sum(axis=1).astype(a.dtype)
    sides = [(u @ v, np.einsum("ij,ij->i", u, u)) for u in (even + odd, even - odd)]
    return np.array([_ratio(product, square, v @ v) for product, square in sides])


def _kendall_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Kendall's tau-b."""
    order, parts = _order(z), _differences(x, y)
    scores, untied = _form((part * order for part in parts), a), _form(map(np.abs, parts), a)
    return _ratio(scores, untied, np.abs(order).sum())


def _accuracy_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Pairwise accuracy."""
    order, others = _order(z), 1 - np.eye(len(x))
    right = _form((others * (part == order) for part in _differences(x, y)), a)
    with np.errstate(invalid="ignore"):
        return np.asarray(right / others.sum())


def _tau_ap_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """tau_ap. An exchange draws one of each summarizer's two scores."""
    drawn = np.stack([a > 0, a < 0], axis=2).reshape(len(a), -1).astype(np.float64)
    two = np.stack([x, y], axis=1).ravel(), np.repeat(z, 2)
    return np.array([_tau_ap_counted(*two, counts) for counts in (drawn, 1 - drawn)])


#: Kernels of one topic by the coefficient's name: from scores of two metrics and of humans, (n,) each without NaN and
#: equal ones one number, and signs, (n_exchanges, n), of which -1 exchanges the two metrics' scores, to the
#: coefficients of the first and of the second metric with humans, (2, n_exchanges); NaN where undefined.
EXCHANGED: dict[str, Callable[[FloatArray, FloatArray, FloatArray, Floats], FloatArray]] = {
    "pearson": _pearson_exchanged,
    "spearman": _spearman_exchanged,
    "kendall": _kendall_exchanged,
    "tau_ap": _tau_ap_exchanged,
    "pairwise_accuracy": _accuracy_exchanged,
    "acc_eq": _accuracy_exchanged,
}


def _differences(x: FloatArray, y: FloatArray) -> list[FloatArray]:
    """Signs of the differences of two summarizers: neither, the second, the first, both exchanged."""
    others = 1 - np.eye(len(x))
    return [others * np.sign(one[:, None] - other) for one in (x, y) for other in (x, y)]


def _by_signs(parts: Iterable[FloatArray]) -> tuple[FloatArray, ...]:
    """Coefficients of 1, a_i, a_l and a_i a_l that give the four cases; quarters, so exact."""
    keep, second, first, both = parts
    return (
        (keep + second + first + both) / 4,
        (keep + second - first - both) / 4,
        (keep - second + first - both) / 4,
        (keep - second - first + both) / 4,
    )


def _form(parts: Iterable[FloatArray], a: Floats) -> FloatArray:
    """Sum over all pairs, for the signs and for the turned signs, (2, n_exchanges)."""
    alpha, beta, gamma, delta = _by_signs(parts)
    linear = a @ (beta.sum(axis=1) + gamma.sum(axis=0)).astype(a.dtype)
    even = alpha.sum() + np.einsum("ij,ij->i", a @ delta.T.astype(a.dtype), a).astype(np.float64)
    return np.array([even + linear, even - linear])
