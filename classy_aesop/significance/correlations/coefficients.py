"""Coefficients of correlation of two lists of scores, by name.

Pearson's r of the numbers; Spearman's rho and Kendall's tau-b of their order; tau_ap, which weights the top of the
order more (Yilmaz et al. 2008); pairwise accuracy, the share of pairs put in the same order, which is ``acc_eq`` of
Deutsch, Foster and Freitag (2023). With a calibrated tie threshold two scores of the metric that are no further apart
are a tie, which is right where the human scores are tied too.

Pairs with a missing score (NaN) are left out, and scores that differ by rounding only are equal, see
:mod:`classy_aesop.significance.equality`. A coefficient that is undefined (fewer than two pairs, or a constant list) is
NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, check_same_shape, score_vector
from classy_aesop.significance.correlations.accuracies import (
    ACCURACIES,
    CALIBRATED_ACCURACY,
    SOFT_ACCURACY,
    accuracies_by_threshold,
    soft_pairwise_accuracy,
)
from classy_aesop.significance.correlations.row_coefficients import ROW_COEFFICIENTS, correlate_resampled_rows
from classy_aesop.significance.equality import rounding_slack, snap_ties, tie_levels

MIN_PAIRS_TO_SORT = 1_000
"""Above so many pairs Kendall's coefficient is counted by sorting, not by comparing all with all."""


def pearson(x: ArrayLike, z: ArrayLike) -> float:
    """Pearson's correlation in [-1, 1]; NaN if a list is constant or fewer than two pairs are complete.

    Examples
    --------
    >>> round(pearson([1, 2, 3, 4], [1, 2, 2, 4]), 6)
    0.923381
    """
    return _correlate_lists("pearson", x, z)


def spearman(x: ArrayLike, z: ArrayLike) -> float:
    """Spearman's rank correlation: Pearson's of the mid-ranks, in [-1, 1]; NaN as :func:`pearson`.

    Examples
    --------
    >>> round(spearman([1, 2, 3, 4], [1, 2, 2, 40]), 6)
    0.948683
    """
    return _correlate_lists("spearman", x, z)


def kendall(x: ArrayLike, z: ArrayLike) -> float:
    """Kendall's tau-b in [-1, 1]: concordant less discordant pairs, over untied pairs; NaN as Pearson's.

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    x, z, _ = _complete_pairs(x, z)
    if len(x) > MIN_PAIRS_TO_SORT:
        from scipy.stats import kendalltau  # counts pairs by sorting; slow to import, so only for long lists

        return float(kendalltau(tie_levels(x), tie_levels(z)).statistic)
    return _correlate_lists("kendall", x, z)


def tau_ap(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Correlation of two rankings that weights the top more, in [-1, 1]; high scores rank first.

    The mean over the ranks 2..n of the metric's ranking of the share of the items above that the humans'
    ranking also puts above, scaled to [-1, 1]; the mean over all orders of ties, in both rankings. It is not symmetric,
    and of a ranking with ties it is below 1 also with itself.

    Yilmaz, Aslam and Robertson (2008), section 3.

    Parameters
    ----------
    x : array_like, shape (n,)
        Scores of the metric, whose ranking gives the ranks 2..n.
    z : array_like, shape (n,)
        Human scores, the reference.
    items : array_like of int, shape (n,), optional
        The number of the item that was scored, where a resample has an item more than once: it is never above its own
        copy.

    Returns
    -------
    float
        NaN if a list is constant or fewer than two pairs are complete.

    Examples
    --------
    >>> truth = [4, 3, 2, 1]
    >>> round(tau_ap([3, 4, 2, 1], truth), 6), round(tau_ap([4, 3, 1, 2], truth), 6)
    (0.333333, 0.777778)
    """
    return _correlate_lists("tau_ap", x, z, items)


def pairwise_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Share of pairs that both lists put in the same order, in [0, 1].

    A tie in both lists is agreement, a tie in one of them is not; so a constant list has a value.

    Parameters
    ----------
    x, z : array_like, shape (n,)
        Scores of the metric and of humans.
    items : array_like of int, shape (n,), optional
        The number of the item that was scored, where a resample has an item more than once: two copies are no pair.

    Returns
    -------
    float
        NaN for fewer than two complete pairs.

    Examples
    --------
    >>> pairwise_accuracy([1, 2, 2], [1, 2, 3])
    0.6666666666666666
    """
    return _correlate_lists("pairwise_accuracy", x, z, items)


def calibrated_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Pairwise accuracy with scores of the metric tied below the threshold that gives the highest accuracy.

    The threshold is chosen on these scores.

    Parameters
    ----------
    x, z, items
        As for :func:`pairwise_accuracy`.

    Examples
    --------
    >>> calibrated_accuracy([1.0, 1.1, 3.0], [1, 1, 2])
    1.0
    """
    x, z, numbers = _complete_pairs(x, z, items)
    accuracies = accuracies_by_threshold(x[None], z[None], items=numbers[None], slack=rounding_slack(x))
    return accuracies.best_accuracy


COEFFICIENTS_OF_LISTS: dict[str, Callable[..., float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "tau_ap": tau_ap,
    "pairwise_accuracy": pairwise_accuracy,
    "acc_eq": pairwise_accuracy,
    "acc_eq_calibrated": calibrated_accuracy,
}
"""Coefficients of two lists by name."""

ALL_COEFFICIENTS: dict[str, Callable[..., float]] = {
    **COEFFICIENTS_OF_LISTS,
    SOFT_ACCURACY: soft_pairwise_accuracy,
}
"""The same with that of two matrices, whose p-values need all topics."""

PAIRWISE_COEFFICIENTS = ("tau_ap", "pairwise_accuracy", "acc_eq", CALIBRATED_ACCURACY)
"""Coefficients of lists that compare every two items: they take ``items``."""


def lowest_value(coefficient: str) -> float:
    """Lowest value that a coefficient may have: 0 of accuracies, else -1."""
    return 0.0 if coefficient in ACCURACIES else -1.0


def _correlate_lists(name: str, x: ArrayLike, z: ArrayLike, items: ArrayLike | None = None) -> float:
    """Correlate two lists by the function of rows."""
    x, z, numbers = _complete_pairs(x, z, items)
    if items is None:
        return float(ROW_COEFFICIENTS[name](x[None], z[None])[0])
    return float(correlate_resampled_rows(x[None], z[None], numbers[None], name)[0])


def _complete_pairs(
    x: ArrayLike, z: ArrayLike, items: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Give complete pairs in units of the largest score, so that no square vanishes or overflows, and their items."""
    x = score_vector(x, "x")
    z = score_vector(z, "z")
    check_same_shape(x=x, z=z)
    is_complete = ~(np.isnan(x) | np.isnan(z))
    numbers = np.flatnonzero(is_complete) if items is None else np.asarray(items)[is_complete]
    return snap_ties(_scale_to_one(x[is_complete])), snap_ties(_scale_to_one(z[is_complete])), numbers


def _scale_to_one(x: FloatArray) -> FloatArray:
    """Divide by the largest score, positive or negative."""
    return np.asarray(x / (np.abs(x).max(initial=0.0) or 1.0))
