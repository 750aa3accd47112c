"""Correlation of a metric with humans, at five levels.

*System*: of the summarizers' means over topics, plain ones as in the paper, or least-squares means where summarizers
lack topics (:mod:`classy_aesop.significance.additive.system_means`). *Input*: within each topic, then the mean over
topics. *Global*: over all cells. *Centred*: over all cells less their topic's mean. *Within system*: within each
summarizer, over its topics, then the mean over summarizers. A cell counts where both matrices have a score. At every
level numbers that differ by rounding only are one number.

Deutsch et al. (2021), section 2 (system and input, there "summary level").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.system_means import MeansDesign, means_design, summarizer_means
from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    check_choice,
    score_matrices,
)
from classy_aesop.significance.choices import ALL_CORRELATION_LEVELS
from classy_aesop.significance.correlations.accuracies import (
    ACCURACIES,
    CALIBRATED_ACCURACY,
    SOFT_ACCURACY,
    accuracies_by_threshold,
    chance_level,
    soft_pairwise_accuracy,
)
from classy_aesop.significance.correlations.coefficients import (
    ALL_COEFFICIENTS,
    COEFFICIENTS_OF_LISTS,
    PAIRWISE_COEFFICIENTS,
)
from classy_aesop.significance.equality import Slack, rounding_slack, snap_ties
from classy_aesop.significance.flags import NOT_CONNECTED, TWO_SYSTEMS


@dataclass(frozen=True, slots=True)
class Correlation(Result):
    """A correlation and what it was computed from; ``float`` of it is its value.

    Attributes
    ----------
    value : float
        The coefficient; NaN where undefined.
    n : int
        Number of points correlated: summarizers at system level, summarizers of the topic with most at input
        level, topics of the summarizer with most within systems, else cells. It is the n of Fisher's interval.
    n_summarizers, n_topics : int
        Rows and columns with at least one valid cell.
    n_skipped : int
        Topics without a value: constant or with fewer than two valid cells at input level, with one valid
        cell when centring; summarizers likewise within systems; 0 at other levels.
    n_unpaired : int
        Cells left out because only one of the two matrices has a score there.
    chance : float
        Expected value if the metric's scores are permuted at random: above 0 for accuracies.
    epsilon : float
        Tie threshold of ``acc_eq_calibrated``, chosen on the same scores; else NaN.
    flag : str
        Why the value means nothing: ``two systems``, whose means always correlate by 1 or -1 (or tie), or ``not
        connected``, where least-squares means cannot be compared and the value is NaN. Else empty.
    """

    value: float
    level: str
    coefficient: str
    n: int
    n_summarizers: int
    n_topics: int
    n_skipped: int
    n_unpaired: int
    chance: float = 0.0
    epsilon: float = float("nan")
    flag: str = ""

    def __float__(self) -> float:
        return self.value


def correlation(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
) -> Correlation:
    """Correlate a metric's scores with human scores.

    Parameters
    ----------
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of the metric and of humans; NaN where missing.
    level : {"system", "input", "global", "centred", "within_system"}
        What is correlated, see the module.
    coefficient : str
        A name of ``ALL_COEFFICIENTS`` of :mod:`classy_aesop.significance.correlations.coefficients`.
    means : {"plain", "least-squares"}
        How systems are averaged at system level, over the cells that both matrices have. Plain means are the paper's;
        those of systems that lack topics differ by topics too, see
        :mod:`classy_aesop.significance.additive.system_means`. Soft pairwise accuracy compares every two systems on
        the topics that both have, and no means.

    Returns
    -------
    Correlation
        Its value is NaN when nothing is left to correlate or a side is constant.

    Raises
    ------
    ValueError
        A level, coefficient or kind of means is not known, the level does not have the coefficient, shapes differ, or
        a score is infinite.

    Examples
    --------
    >>> X = [[1, 2, 3], [2, 3, 5], [3, 4, 4]]
    >>> Z = [[1, 1, 2], [2, 2, 4], [4, 4, np.nan]]
    >>> result = correlation(X, Z, level="input")
    >>> round(result.value, 6), result.n_skipped, result.n_unpaired
    (0.987987, 0, 1)
    """
    check_level_and_coefficient(level, coefficient)
    X, Z = score_matrices(X=X, Z=Z)
    valid = ~(np.isnan(X) | np.isnan(Z))
    slacks = rounding_slack(X[valid]), rounding_slack(Z[valid])
    flag = ""
    design = None
    if level == "system":
        design = means_design(valid, means)
        if not design.is_connected and coefficient != SOFT_ACCURACY:
            flag = NOT_CONNECTED
        elif np.count_nonzero(valid.any(axis=1)) == 2:
            flag = TWO_SYSTEMS
    points = correlate_at_level(X, Z, valid, level, coefficient, slacks, design=design)
    chance = 0.0
    epsilon = float("nan")
    if coefficient in ACCURACIES:
        chance, epsilon = chance_level(X, Z, valid, coefficient, points.lists, slacks[0])
    return Correlation(
        value=points.value,
        level=level,
        coefficient=coefficient,
        n=points.n_points,
        n_summarizers=int(valid.any(axis=1).sum()),
        n_topics=int(valid.any(axis=0).sum()),
        n_skipped=points.n_skipped,
        n_unpaired=int((np.isnan(X) != np.isnan(Z)).sum()),
        chance=chance,
        epsilon=epsilon,
        flag=flag,
    )


def check_level_and_coefficient(level: str, coefficient: str) -> None:
    """Raise ValueError for an unknown level or coefficient, or if the level does not have the coefficient."""
    check_choice(level, ALL_CORRELATION_LEVELS, "level")
    check_choice(coefficient, ALL_COEFFICIENTS, "coefficient")
    if not has_coefficient(level, coefficient):
        raise ValueError(f"level is {level!r}; expected 'system', where {coefficient} is defined")


def has_coefficient(level: str, coefficient: str) -> bool:
    """Whether a coefficient is defined at a level: soft pairwise accuracy is of systems only."""
    return coefficient != SOFT_ACCURACY or level == "system"


class LevelCorrelation(NamedTuple):
    """A correlation at a level, the number of its points, of lists without a value, and the lists, (n_lists, n)."""

    value: float
    n_points: int
    n_skipped: int
    lists: tuple[FloatArray, FloatArray]


def correlate_at_level(
    X: FloatArray,
    Z: FloatArray,
    valid: BoolArray,
    level: str,
    coefficient: str,
    slacks: tuple[Slack, Slack],
    cells: IntArray | None = None,
    design: MeansDesign | None = None,
) -> LevelCorrelation:
    """Correlate two checked matrices, which may be resampled.

    Parameters
    ----------
    X, Z : ndarray, shape (n_summarizers, n_topics)
        Scores of the metric and of humans.
    valid : ndarray of bool, shape (n_summarizers, n_topics)
        The cells that both have.
    level, coefficient : str
        As for :func:`correlation`.
    slacks : pair of float
        Differences between scores of either matrix that rounding explains, see
        :func:`classy_aesop.significance.equality.rounding_slack`; they apply to means and centred scores too.
    cells : ndarray of int, shape (n_summarizers, n_topics), optional
        The cells of a resampled matrix as numbers of those of the matrix that it was drawn from: a cell that is drawn
        twice is not compared with itself.
    design : MeansDesign, optional
        The design of the means at system level; by default they are plain.

    Returns
    -------
    LevelCorrelation
    """
    x = snap_ties(_lists_of_scores(X, valid, level, design), slacks[0])
    z = snap_ties(_lists_of_scores(Z, valid, level, design), slacks[1])
    items = None if cells is None else _LISTS_OF_ITEMS[level](cells, valid)
    if coefficient == SOFT_ACCURACY:
        values = np.array([soft_pairwise_accuracy(X, Z, items=None if items is None else items[0])])
    elif coefficient == CALIBRATED_ACCURACY:
        accuracies = accuracies_by_threshold(x, z, items=items, slack=slacks[0])
        values = np.array([accuracies.best_accuracy])
    elif items is None or coefficient not in PAIRWISE_COEFFICIENTS:
        correlate = COEFFICIENTS_OF_LISTS[coefficient]
        values = np.array([correlate(*lists) for lists in zip(x, z, strict=True)])
    else:
        correlate = COEFFICIENTS_OF_LISTS[coefficient]
        triples = zip(x, z, items, strict=True)
        values = np.array([correlate(a, b, items=list_items) for a, b, list_items in triples])
    is_defined = ~np.isnan(values)
    value = float(values[is_defined].mean()) if is_defined.any() else float("nan")
    n_points = (~np.isnan(x + z)).sum(axis=1)
    has_value = n_points > 1 if coefficient == CALIBRATED_ACCURACY else is_defined
    if level in ("input", "within_system"):
        n_skipped = int((~has_value).sum())
    elif level == "centred":
        n_skipped = int((valid.sum(axis=0) == 1).sum())
    else:
        n_skipped = 0
    return LevelCorrelation(value, int(n_points.max(initial=0)), n_skipped, (x, z))


def _lists_of_scores(X: FloatArray, valid: BoolArray, level: str, design: MeansDesign | None) -> FloatArray:
    """Give the lists that are correlated at a level, (n_lists, n)."""
    if design is not None:
        return design.means(X)[None]
    return _LISTS_OF_SCORES[level](X, valid)


def _cells_with_others(valid: BoolArray) -> BoolArray:
    """Leave out a topic's only cell: centred, it would be an artificial point at (0, 0)."""
    return np.asarray(valid & (valid.sum(axis=0) > 1))


_LISTS_OF_SCORES: dict[str, Callable[[FloatArray, BoolArray], FloatArray]] = {
    "system": lambda X, valid: summarizer_means(X, valid)[None],
    "input": lambda X, valid: np.where(valid, X, np.nan).T,
    "global": lambda X, valid: X[valid][None],
    "centred": lambda X, valid: (X - summarizer_means(X.T, valid.T))[_cells_with_others(valid)][None],
    "within_system": lambda X, valid: np.where(valid, X, np.nan),
}
"""The lists that are correlated at each level, (n_lists, n), from scores and the mask of valid cells."""

_LISTS_OF_ITEMS: dict[str, Callable[[IntArray, BoolArray], IntArray]] = {
    "system": lambda cells, valid: cells[None, :, 0],
    "input": lambda cells, valid: cells.T,
    "global": lambda cells, valid: cells[valid][None],
    "centred": lambda cells, valid: cells[_cells_with_others(valid)][None],
    "within_system": lambda cells, valid: cells,
}
"""The numbers of the points of these lists, from the numbers of cells."""
