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
from classy_aesop.significance.equality import (
    rounding_slack,
    snap_ties,
    tie_levels,
)

MIN_PAIRS_TO_SORT = 1_000
"""Above so many pairs Kendall's coefficient is counted by sorting, not by comparing all with all."""


def pearson(x: ArrayLike, z: ArrayLike) -> float:
    """Pearson's correlation in [-1, 1]; NaN if a list is constant or fewer than two pairs are complete.

    Examples
    --------
    >>> round(pearson([1, 2, 3, 4], [1, 2, 2, 4]), 6)
    0.923381
    """
    return _of_lists("pearson", x, z)


def spearman(x: ArrayLike, z: ArrayLike) -> float:
    """Spearman's rank correlation: Pearson's of the mid-ranks, in [-1, 1]; NaN as :func:`pearson`."""
    return _of_lists("spearman", x, z)


def kendall(x: ArrayLike, z: ArrayLike) -> float:
    """Kendall's tau-b in [-1, 1]: concordant less discordant pairs, over untied pairs; NaN as Pearson's.

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    x, z, _ = _complete(x, z)
    if len(x) > MIN_PAIRS_TO_SORT:
        from scipy.stats import kendalltau  # counts pairs by sorting; slow to import, so only for long lists

        return float(kendalltau(tie_levels(x), tie_levels(z)).statistic)
    return _of_lists("kendall", x, z)


def tau_ap(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Correlation of two rankings that weighs the top more, in [-1, 1]; high scores rank first.

    The mean over the places 2..n of the metric's ranking of the share of those above that the humans'
    ranking also puts above, scaled to [-1, 1]; the mean over all orders of ties, in both rankings. It is not symmetric,
    and of a ranking with ties it is below 1 also with itself.

    NaN if a list is constant or fewer than two pairs are complete.

    Yilmaz, Aslam and Robertson (2008), section 3.

    Parameters
    ----------
    x : array_like, shape (n,)
        Scores of the metric, whose ranking is walked down.
    z : array_like, shape (n,)
        Human scores, taken as the truth.
    items : array_like of int, shape (n,), optional
        What was scored, where a resample holds it more than once: it is never above its own copy.

    Examples
    --------
    >>> truth = [4, 3, 2, 1]
    >>> round(tau_ap([3, 4, 2, 1], truth), 6), round(tau_ap([4, 3, 1, 2], truth), 6)
    (0.333333, 0.777778)
    """
    return _of_lists("tau_ap", x, z, items)


def pairwise_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Share of pairs that both lists put in the same order, in [0, 1].

    A tie in both lists is agreement, a tie in one of them is not; so a constant list has a value. NaN for
    fewer than two complete pairs. ``items`` says what was scored, where a resample holds it more than once: two copies
    are no pair.

    Examples
    --------
    >>> pairwise_accuracy([1, 2, 2], [1, 2, 3])
    0.6666666666666666
    """
    return _of_lists("pairwise_accuracy", x, z, items)


def calibrated_accuracy(x: ArrayLike, z: ArrayLike, *, items: ArrayLike | None = None) -> float:
    """Pairwise accuracy if scores of the metric that are close are a tie; how close, is chosen for the best accuracy.

    The threshold is chosen on these scores. ``items`` as for :func:`pairwise_accuracy`.

    Examples
    --------
    >>> calibrated_accuracy([1.0, 1.1, 3.0], [1, 1, 2])
    1.0
    """
    x, z, which = _complete(x, z, items)
    found = accuracies_by_threshold(x[None], z[None], items=which[None], slack=rounding_slack(x))
    return float(found.accuracy[found.best]) if len(found.accuracy) else float("nan")


#: Coefficients of two lists by the name a caller gives.
COEFFICIENTS_OF_LISTS: dict[str, Callable[..., float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "tau_ap": tau_ap,
    "pairwise_accuracy": pairwise_accuracy,
    "acc_eq": pairwise_accuracy,
    "acc_eq_calibrated": calibrated_accuracy,
}

#: With that of two matrices, whose p-values need all topics.
ALL_COEFFICIENTS: dict[str, Callable[..., float]] = {
    **COEFFICIENTS_OF_LISTS,
    SOFT_ACCURACY: soft_pairwise_accuracy,
}


#: Those that compare every two items: they take ``items``.
PAIRWISE_COEFFICIENTS = ("tau_ap", "pairwise_accuracy", "acc_eq", CALIBRATED_ACCURACY)


def lowest_value(coefficient: str) -> float:
    """Give the smallest value that a coefficient may have."""
    return 0.0 if coefficient in ACCURACIES else -1.0


def _of_lists(name: str, x: ArrayLike, z: ArrayLike, items: ArrayLike | None = None) -> float:
    x, z, which = _complete(x, z, items)
    if items is None:
        return float(ROW_COEFFICIENTS[name](x[None], z[None])[0])
    return float(correlate_resampled_rows(x[None], z[None], which[None], name)[0])


def _complete(
    x: ArrayLike, z: ArrayLike, items: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Give complete pairs in units of the largest, so that no square vanishes or overflows, and what they are of."""
    x, z = score_vector(x, "x"), score_vector(z, "z")
    check_same_shape(x=x, z=z)
    complete = ~(np.isnan(x) | np.isnan(z))
    which = np.flatnonzero(complete) if items is None else np.asarray(items)[complete]
    x, z = (S[complete] / (np.abs(S[complete]).max(initial=0.0) or 1.0) for S in (x, z))
    return snap_ties(x), snap_ties(z), which
