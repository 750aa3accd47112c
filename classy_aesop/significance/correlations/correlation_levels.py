"""Correlation of a metric with humans, at four levels.

``system``
    Means of systems over topics: plain, or by least squares
    (:class:`classy_aesop.significance.additive.two_way_fit.TwoWayFit`).
``input``
    Within each topic, then the mean of the topics that have a value.
``global``
    Over all cells.
``centred``
    Over all cells less their topic's mean; a topic's only cell is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.additive.two_way_fit import TwoWayFit, summarizer_means
from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    score_matrices,
)
from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.accuracies import (
    ACCURACIES,
    CALIBRATED_ACCURACY,
    SOFT_ACCURACY,
    accuracies_by_threshold,
    chance_level,
    soft_pairwise_accuracy,
)
from classy_aesop.significance.correlations.coefficients import correlate_rows
from classy_aesop.significance.equality import Slack, rounding_slack, snap_ties
from classy_aesop.significance.flags import NOT_CONNECTED, TWO_SYSTEMS

CellValue = TypeVar("CellValue", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation and what it was computed from.

    Attributes
    ----------
    value : float
        NaN where it is undefined.
    n : int
        Points correlated; within topics or systems those of the fullest one.
    n_summarizers, n_topics : int
        Summarizers and topics with both scores.
    n_skipped : int
        Topics, or systems, without a value.
    chance, epsilon : float
        Of accuracies: the value expected of permuted scores, and the tie threshold of the calibrated one.
    flag : str
        Why a value shows nothing: two systems, or systems that are not connected.
    """

    value: float
    level: str
    coefficient: str
    n: int
    n_summarizers: int
    n_topics: int
    n_skipped: int
    chance: float = 0.0
    epsilon: float = float("nan")
    flag: str = ""


class CorrelationChoices(TypedDict, total=False):
    """How a correlation is computed, see :func:`correlation`."""

    level: str
    coefficient: str
    means: str


def correlation(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
) -> Correlation:
    """Correlate a metric's scores with human scores over the cells that both have.

    Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).

    Examples
    --------
    >>> X = [[1, 2, 3], [2, 3, 5], [3, 4, 4]]
    >>> Z = [[1, 1, 2], [2, 2, 4], [4, 4, np.nan]]
    >>> result = correlation(X, Z, level="input")
    >>> round(result.value, 6), result.n_skipped
    (0.987987, 0)
    """
    check_level_and_coefficient(level, coefficient)
    X, Z = score_matrices(X=X, Z=Z)
    valid = ~(np.isnan(X) | np.isnan(Z))
    slacks = (rounding_slack(X[valid]), rounding_slack(Z[valid]))
    flag = ""
    design = None
    if level == "system":
        design = TwoWayFit(valid, means)
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
        chance=chance,
        epsilon=epsilon,
        flag=flag,
    )


def check_level_and_coefficient(level: str, coefficient: str) -> None:
    """Raise ValueError for an unknown level or coefficient, or if the level does not have the coefficient."""
    if level not in CORRELATION_LEVELS:
        raise ValueError(f"level is {level!r}; expected one of {', '.join(CORRELATION_LEVELS)}")
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
    design: TwoWayFit | None = None,
) -> LevelCorrelation:
    """Correlate two checked matrices, which may be resampled: copies of a cell have its number in ``cells``."""
    x = snap_ties(_lists_at_level(X, valid, level, design), slacks[0])
    z = snap_ties(_lists_at_level(Z, valid, level, design), slacks[1])
    items = None if cells is None else _items_at_level(cells, valid, level)
    if coefficient == SOFT_ACCURACY:
        values = np.array([soft_pairwise_accuracy(X, Z, items=None if items is None else items[0])])
    elif coefficient == CALIBRATED_ACCURACY:
        values = np.array([accuracies_by_threshold(x, z, items=items, slack=slacks[0]).best_accuracy])
    else:
        values = correlate_rows(coefficient, x, z, items=items)
    is_defined = ~np.isnan(values)
    n_points = (~np.isnan(x + z)).sum(axis=1)
    has_value = n_points > 1 if coefficient == CALIBRATED_ACCURACY else is_defined
    n_skipped = 0
    if level == "input":
        n_skipped = int((~has_value).sum())
    elif level == "centred":
        n_skipped = int((valid.sum(axis=0) == 1).sum())
    value = float(values[is_defined].mean()) if is_defined.any() else float("nan")
    return LevelCorrelation(value, int(n_points.max(initial=0)), n_skipped, (x, z))


def _lists_at_level(X: FloatArray, valid: BoolArray, level: str, design: TwoWayFit | None) -> FloatArray:
    """Give the lists of scores that are correlated at a level, (n_lists, n)."""
    if level == "system":
        return (summarizer_means(X, valid) if design is None else design.means(X))[None]
    if level == "centred":
        X = X - summarizer_means(X.T, valid.T)
    return _arrange_cells(np.where(valid, X, np.nan), valid, level)


def _items_at_level(cells: IntArray, valid: BoolArray, level: str) -> IntArray:
    """Give the numbers of the points of these lists; of systems those of their first cells."""
    return cells[None, :, 0] if level == "system" else _arrange_cells(cells, valid, level)


def _arrange_cells(cells: NDArray[CellValue], valid: BoolArray, level: str) -> NDArray[CellValue]:
    """Arrange cells as the lists of a level; centred, a topic's only cell would be an artificial point at (0, 0)."""
    if level == "input":
        return cells.T
    is_used = valid & (valid.sum(axis=0) > 1) if level == "centred" else valid
    return cells[is_used][None]
