"""Recall and precision of significant differences, as in Lin and Hovy (2003), sections 4 and 5.

All pairs of peers are tested twice with a z-test on their scores by topic, once by human scores and once by the
metric's. A hit is a pair that is significant for both: recall is the share of human significant pairs that are hits,
precision that of the metric's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, score_matrices, score_matrix
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import round_to_zero, rounding_slack
from classy_aesop.significance.metrics.label_agreement import Agreement, Labels, compare_labels
from classy_aesop.significance.pairs.pair_statistics import row_moments

#: Levels of the paper; its table says .25 where the order asks for .025.
LIN_HOVY_ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)


def significant_hits(
    X: ArrayLike, Z: ArrayLike, *, alphas: Sequence[float] = LIN_HOVY_ALPHAS
) -> dict[float, Agreement]:
    """Meet the significant differences (z-tests, p <= alpha, two-sided) of a metric with the human ones, by alpha.

    Examples
    --------
    >>> Z = [[1, 2, 1, 2], [5, 6, 5, 6], [5, 5, 6, 7]]
    >>> found = significant_hits(Z, Z, alphas=[0.05])[0.05]
    >>> found.tp, found.recall, found.precision
    (2, 1.0, 1.0)
    """
    tested, found = [z_tests(S) for S in score_matrices(X=X, Z=Z)], {}
    for alpha in alphas:
        metric, human = (
            Labels(is_significant(p, alpha), np.sign(z).astype(np.int64), np.ones(len(p), dtype=bool))
            for z, p in tested
        )
        found[alpha] = compare_labels(metric, human)
    return found


def z_tests(X: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """z and two-sided p of all pairs of rows, in the order of ``numpy.triu_indices(n, k=1)``.

    z = (mean X - mean Y) / sqrt(s_X^2/n_X + s_Y^2/n_Y) over all topics that each has, shared or not.

    Returns
    -------
    tuple of two ndarrays, shape (n_pairs,)
        z is 0 and p 1 for fewer than two topics or equal means, z infinite and p 0 for different means
        without spread.
    """
    from scipy.special import ndtr

    X = score_matrix(X)
    first, second = np.triu_indices(len(X), k=1)
    n, slack = (~np.isnan(X)).sum(axis=1), rounding_slack(X, axis=1)[:, 0]
    mean, root = row_moments(X, ~np.isnan(X), n, slack)
    away = round_to_zero(mean[first] - mean[second], np.maximum(slack[first], slack[second]))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = root / np.sqrt((n - 1.0) * n)
        z = away / np.hypot(error[first], error[second])
    testable = (n[first] > 1) & (n[second] > 1) & (away != 0)
    z = np.where(testable, z, 0.0)
    return z, np.minimum(2 * ndtr(-np.abs(z)), 1.0)


def regression_t(r: float, n: int) -> float:
    """t of a correlation of n points with n - 2 degrees of freedom, LR_t: infinite if r is 1 or -1, NaN if n < 3.

    Examples
    --------
    >>> round(regression_t(0.907, 13), 3)
    7.143
    """
    if n < 3:
        return float("nan")
    with np.errstate(divide="ignore"):
        return float(r * np.sqrt((n - 2) / np.float64(1 - r * r)))
