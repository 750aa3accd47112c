"""Coefficients within topics for many exchanges of two metrics' scores at once, from their signs.

Of an exchange the sign a = 1 keeps a summarizer's two scores, a = -1 exchanges them. Pearson's sums are linear in these
signs. The sign of the difference of two summarizers depends on their two signs only, so it is
alpha + beta a_i + gamma a_l + delta a_i a_l, and the sums of the other coefficients are linear and quadratic forms. The
second metric's coefficient is the first one's with all signs reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from classy_aesop.significance.base import FloatArray, Floats
from classy_aesop.significance.correlations.counted_coefficients import (
    MIN_VARIANCE_SHARE_OF_SQUARES,
    difference_signs,
    ratio_to_root,
    tau_ap_counted,
)
from classy_aesop.significance.correlations.row_coefficients import pearson_rows


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
        again = ~(variance > MIN_VARIANCE_SHARE_OF_SQUARES * squares)
        if again.any():
            r[side, again] = pearson_rows(np.where(sign * a[again] > 0, x, y), z[None, :])
    return np.clip(r, -1.0, 1.0)


def _spearman_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Spearman's rho."""
    alpha, beta, gamma, delta = (part.astype(a.dtype) for part in _by_signs(_differences(x, y)))
    of_first, of_both = np.split(a @ np.hstack([gamma.T, delta.T]), 2, axis=1)
    even, odd = alpha.sum(axis=1) + a * of_both, a * beta.sum(axis=1) + of_first
    v = difference_signs(z).sum(axis=1).astype(a.dtype)
    sides = [(u @ v, np.einsum("ij,ij->i", u, u)) for u in (even + odd, even - odd)]
    return np.array([ratio_to_root(product, square, v @ v) for product, square in sides])


def _kendall_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Kendall's tau-b."""
    order, parts = difference_signs(z), _differences(x, y)
    scores, untied = _form((part * order for part in parts), a), _form(map(np.abs, parts), a)
    return ratio_to_root(scores, untied, np.abs(order).sum())


def _accuracy_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """Pairwise accuracy."""
    order, others = difference_signs(z), 1 - np.eye(len(x))
    right = _form((others * (part == order) for part in _differences(x, y)), a)
    with np.errstate(invalid="ignore"):
        return np.asarray(right / others.sum())


def _tau_ap_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, a: Floats) -> FloatArray:
    """tau_ap. An exchange draws one of each summarizer's two scores."""
    drawn = np.stack([a > 0, a < 0], axis=2).reshape(len(a), -1).astype(np.float64)
    two = np.stack([x, y], axis=1).ravel(), np.repeat(z, 2)
    return np.array([tau_ap_counted(*two, counts) for counts in (drawn, 1 - drawn)])


#: Kernels of one topic by the coefficient's name: from scores of two metrics and of humans, (n,) each without NaN and
#: equal ones one number, and signs, (n_exchanges, n), of which -1 exchanges the two metrics' scores, to the
#: coefficients of the first and of the second metric with humans, (2, n_exchanges); NaN where undefined.
EXCHANGE_KERNELS: dict[str, Callable[[FloatArray, FloatArray, FloatArray, Floats], FloatArray]] = {
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
