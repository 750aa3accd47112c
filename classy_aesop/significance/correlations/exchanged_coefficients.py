"""Coefficients within topics for many exchanges of two metrics' scores at once, from their signs.

Of an exchange the sign a = 1 keeps a summarizer's two scores, a = -1 exchanges them. Pearson's sums are linear in these
signs. The sign of the difference of two summarizers depends on their two signs only, so it is
alpha + beta a_i + gamma a_l + delta a_i a_l, and the sums of the other coefficients are linear and quadratic forms. The
second metric's coefficient is the first one's with all signs reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from classy_aesop.significance.base import AnyFloats, FloatArray
from classy_aesop.significance.correlations.counted_coefficients import (
    MIN_VARIANCE_SHARE_OF_SQUARES,
    difference_signs,
    ratio_to_root,
    tau_ap_counted,
)
from classy_aesop.significance.correlations.row_coefficients import pearson_rows


def _pearson_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, signs: AnyFloats) -> FloatArray:
    """Pearson's r of either metric with humans in a topic after each exchange; its sums are linear in the signs."""
    a = signs.astype(np.float64)
    mean = (x + y) / 2
    half = (x - y) / 2
    m = mean - mean.mean()
    c = z - z.mean()
    product, total, square = (a @ np.stack([half * c, half, 2 * m * half], axis=1)).T
    r = np.empty((2, len(a)))
    for side, sign in enumerate((1.0, -1.0)):
        squares = m @ m + half @ half + sign * square
        variance = squares - total * total / len(x)
        with np.errstate(invalid="ignore", divide="ignore"):
            r[side] = (m @ c + sign * product) / np.sqrt(variance * (c @ c))
        cancels = ~(variance > MIN_VARIANCE_SHARE_OF_SQUARES * squares)
        if cancels.any():
            r[side, cancels] = pearson_rows(np.where(sign * a[cancels] > 0, x, y), z[None, :])
    return np.clip(r, -1.0, 1.0)


def _spearman_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, signs: AnyFloats) -> FloatArray:
    """Spearman's rho of either metric with humans in a topic after each exchange."""
    cases = _exchanged_difference_signs(x, y)
    alpha, beta, gamma, delta = [form.astype(signs.dtype) for form in _expand_in_signs(cases)]
    gamma_sums, delta_sums = np.split(signs @ np.hstack([gamma.T, delta.T]), 2, axis=1)
    even = alpha.sum(axis=1) + signs * delta_sums
    odd = signs * beta.sum(axis=1) + gamma_sums
    human = difference_signs(z).sum(axis=1).astype(signs.dtype)
    sides = [(ranks @ human, np.einsum("ij,ij->i", ranks, ranks)) for ranks in (even + odd, even - odd)]
    return np.array([ratio_to_root(product, square, human @ human) for product, square in sides])


def _kendall_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, signs: AnyFloats) -> FloatArray:
    """Kendall's tau-b of either metric with humans in a topic after each exchange."""
    human = difference_signs(z)
    cases = _exchanged_difference_signs(x, y)
    concordance = _sum_exchanged_pairs((case * human for case in cases), signs)
    n_untied = _sum_exchanged_pairs(map(np.abs, cases), signs)
    return ratio_to_root(concordance, n_untied, np.abs(human).sum())


def _accuracy_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, signs: AnyFloats) -> FloatArray:
    """Pairwise accuracy of either metric with humans in a topic after each exchange."""
    human = difference_signs(z)
    off_diagonal = 1 - np.eye(len(x))
    cases = _exchanged_difference_signs(x, y)
    n_right = _sum_exchanged_pairs((off_diagonal * (case == human) for case in cases), signs)
    with np.errstate(invalid="ignore"):
        return np.asarray(n_right / off_diagonal.sum())


def _tau_ap_exchanged(x: FloatArray, y: FloatArray, z: FloatArray, signs: AnyFloats) -> FloatArray:
    """tau_ap of either metric with humans in a topic after each exchange, which draws one of two scores."""
    counts = np.stack([signs > 0, signs < 0], axis=2).reshape(len(signs), -1).astype(np.float64)
    both_metrics = np.stack([x, y], axis=1).ravel()
    human = np.repeat(z, 2)
    return np.array([tau_ap_counted(both_metrics, human, side) for side in (counts, 1 - counts)])


EXCHANGE_KERNELS: dict[str, Callable[[FloatArray, FloatArray, FloatArray, AnyFloats], FloatArray]] = {
    "pearson": _pearson_exchanged,
    "spearman": _spearman_exchanged,
    "kendall": _kendall_exchanged,
    "tau_ap": _tau_ap_exchanged,
    "pairwise_accuracy": _accuracy_exchanged,
    "acc_eq": _accuracy_exchanged,
}
"""Kernels of one topic by the coefficient's name.

From scores of two metrics and of humans, (n,) each without NaN and equal ones one number, and signs, (n_exchanges, n),
of which -1 exchanges the two metrics' scores, to the coefficients of the first and of the second metric with humans,
(2, n_exchanges); NaN where undefined.
"""


def _exchanged_difference_signs(x: FloatArray, y: FloatArray) -> list[FloatArray]:
    """Signs of the differences of two summarizers: neither, the second, the first, both exchanged."""
    off_diagonal = 1 - np.eye(len(x))
    return [off_diagonal * np.sign(first[:, None] - second) for first in (x, y) for second in (x, y)]


def _expand_in_signs(cases: Iterable[FloatArray]) -> tuple[FloatArray, ...]:
    """Coefficients of 1, a_i, a_l and a_i a_l that give the four cases; quarters, so exact."""
    neither, second, first, first_and_second = cases
    return (
        (neither + second + first + first_and_second) / 4,
        (neither + second - first - first_and_second) / 4,
        (neither - second + first - first_and_second) / 4,
        (neither - second - first + first_and_second) / 4,
    )


def _sum_exchanged_pairs(cases: Iterable[FloatArray], signs: AnyFloats) -> FloatArray:
    """Sum over all pairs, for the signs and for the reversed signs, (2, n_exchanges)."""
    alpha, beta, gamma, delta = _expand_in_signs(cases)
    linear = signs @ (beta.sum(axis=1) + gamma.sum(axis=0)).astype(signs.dtype)
    quadratic = np.einsum("ij,ij->i", signs @ delta.T.astype(signs.dtype), signs).astype(np.float64)
    even = alpha.sum() + quadratic
    return np.array([even + linear, even - linear])
