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

LIN_HOVY_ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)
"""Error levels of the paper; its table says .25, by the order of the levels a misprint of .025."""


def significant_hits(
    X: ArrayLike, Z: ArrayLike, *, alphas: Sequence[float] = LIN_HOVY_ALPHAS
) -> dict[float, Agreement]:
    """Compare the significant differences (z-tests, two-sided) of a metric with the human ones, by error level.

    Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).

    Examples
    --------
    >>> Z = [[1, 2, 1, 2], [5, 6, 5, 6], [5, 5, 6, 7]]
    >>> agreement = significant_hits(Z, Z, alphas=[0.05])[0.05]
    >>> agreement.tp, agreement.recall, agreement.precision
    (2, 1.0, 1.0)
    """
    X, Z = score_matrices(X=X, Z=Z)
    z_metric, p_metric = z_tests(X)
    z_human, p_human = z_tests(Z)
    return {
        alpha: compare_labels(_labels_of_z(z_metric, p_metric, alpha), _labels_of_z(z_human, p_human, alpha))
        for alpha in alphas
    }


def _labels_of_z(z: FloatArray, p: FloatArray, alpha: float) -> Labels:
    """Label pairs by their z-tests."""
    return Labels(
        significant=is_significant(p, alpha),
        direction=np.sign(z).astype(np.int64),
        testable=np.ones(len(p), dtype=bool),
    )


def z_tests(X: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """z and two-sided p of all pairs of rows, in the order of ``numpy.triu_indices(n, k=1)``.

    z = (mean X - mean Y) / sqrt(s_X^2/n_X + s_Y^2/n_Y) over all topics that each has, shared or not.

    Shapes: ``X`` (n_summarizers, n_topics); gives ``z, p`` (n_pairs,).
    """
    from scipy.special import ndtr

    X = score_matrix(X)
    first, second = np.triu_indices(len(X), k=1)
    n = (~np.isnan(X)).sum(axis=1)
    slack = rounding_slack(X, axis=1)[:, 0]
    mean, root = row_moments(X, ~np.isnan(X), n, slack)
    difference = round_to_zero(mean[first] - mean[second], np.maximum(slack[first], slack[second]))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = root / np.sqrt((n - 1.0) * n)
        z = difference / np.hypot(error[first], error[second])
    is_testable = (n[first] > 1) & (n[second] > 1) & (difference != 0)
    z = np.where(is_testable, z, 0.0)
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
