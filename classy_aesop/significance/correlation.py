"""Correlation of a metric with humans, at four levels.

*System*: of the summarizers' means over topics. *Input*: within each topic, then the mean over topics.
*Global*: over all cells. *Centred*: over all cells less their topic's mean. A cell counts when both matrices
hold a score there. At every level numbers that differ by rounding only are one number.

Deutsch et al. (2021), section 2 (system and input, there "summary level").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    one_of,
    same_shape,
    score_matrix,
)
from classy_aesop.significance.coefficients import COEFFICIENTS, OF_PAIRS
from classy_aesop.significance.levels import LEVELS
from classy_aesop.significance.near_ties import Slack, slack_of, snapped


@dataclass(frozen=True, slots=True)
class Correlation(Result):
    """A correlation and what it was computed from; ``float`` of it is its value.

    Attributes
    ----------
    value : float
        The coefficient; NaN where undefined.
    level, coefficient : str
        As asked for.
    n : int
        Number of points correlated: summarizers at system level, summarizers of the fullest topic at input
        level, else cells. It is the n of Fisher's interval.
    n_summarizers, n_topics : int
        Rows and columns with at least one whole cell.
    n_skipped : int
        Topics without a value: constant or with fewer than two whole cells at input level, with one whole
        cell when centring; 0 at other levels.
    n_unpaired : int
        Cells left out because only one of the two matrices has a score there.
    """

    value: float
    level: str
    coefficient: str
    n: int
    n_summarizers: int
    n_topics: int
    n_skipped: int
    n_unpaired: int

    def __float__(self) -> float:
        return self.value


def correlation(
    X: ArrayLike, Z: ArrayLike, *, level: str = "system", coefficient: str = "pearson"
) -> Correlation:
    """Correlate a metric's scores with human scores.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores of the metric; NaN where missing.
    Z : array_like, shape (n_summarizers, n_topics)
        Human scores; NaN where missing.
    level : {"system", "input", "global", "centred"}
        What is correlated, see the module.
    coefficient : {"pearson", "spearman", "kendall", "tau_ap", "pairwise_accuracy"}
        See :mod:`classy_aesop.significance.coefficients`.

    Returns
    -------
    Correlation
        Value NaN when nothing is left to correlate or a side is constant.

    Raises
    ------
    ValueError
        For an unknown level or coefficient, shapes that differ, or infinite scores.

    Examples
    --------
    >>> X = [[1, 2, 3], [2, 3, 5], [3, 4, 4]]
    >>> Z = [[1, 1, 2], [2, 2, 4], [4, 4, np.nan]]
    >>> found = correlation(X, Z, level="input")
    >>> round(found.value, 6), found.n_skipped, found.n_unpaired
    (0.987987, 0, 1)
    """
    one_of(level, LEVELS, "level")
    one_of(coefficient, COEFFICIENTS, "coefficient")
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    same_shape(X=X, Z=Z)
    whole = ~(np.isnan(X) | np.isnan(Z))
    slacks = slack_of(X[whole]), slack_of(Z[whole])
    value, n, n_skipped = correlated(X, Z, whole, level, coefficient, slacks)
    return Correlation(
        value=value,
        level=level,
        coefficient=coefficient,
        n=n,
        n_summarizers=int(whole.any(axis=1).sum()),
        n_topics=int(whole.any(axis=0).sum()),
        n_skipped=n_skipped,
        n_unpaired=int((np.isnan(X) != np.isnan(Z)).sum()),
    )


def summarizer_means(X: FloatArray, whole: BoolArray) -> FloatArray:
    """Mean of each row over its whole cells; NaN for a row without any."""
    counts = whole.sum(axis=1)
    return np.where(counts > 0, np.where(whole, X, 0.0).sum(axis=1) / np.maximum(counts, 1), np.nan)


def correlated(
    X: FloatArray,
    Z: FloatArray,
    whole: BoolArray,
    level: str,
    coefficient: str,
    slacks: tuple[Slack, Slack],
    cells: IntArray | None = None,
) -> tuple[float, int, int]:
    """Give a correlation, its number of points and of topics without a value.

    ``slacks`` are the differences between scores of either matrix that rounding explains, see
    :func:`classy_aesop.significance.near_ties.slack_of`; they hold for means and centred scores too.
    ``cells`` numbers the cells of a resampled matrix by those of the matrix that it was drawn from: what is drawn twice
    makes no pair with itself.
    """
    x, z = (snapped(_POINTS[level](S, whole), slack) for S, slack in zip((X, Z), slacks, strict=True))
    of_two = COEFFICIENTS[coefficient]
    if cells is None or coefficient not in OF_PAIRS:
        values = np.array([of_two(*lists) for lists in zip(x, z, strict=True)])
    else:
        items = _ITEMS[level](cells, whole)
        values = np.array([of_two(a, b, items=own) for a, b, own in zip(x, z, items, strict=True)])
    defined = ~np.isnan(values)
    value = float(values[defined].mean()) if defined.any() else float("nan")
    skipped = {"input": ~defined, "centred": whole.sum(axis=0) == 1}.get(level, np.zeros(0))
    return value, int((~np.isnan(x)).sum(axis=1).max(initial=0)), int(skipped.sum())


def _means(X: FloatArray, whole: BoolArray) -> FloatArray:
    return summarizer_means(X, whole)[None]


def _topics(X: FloatArray, whole: BoolArray) -> FloatArray:
    return np.where(whole, X, np.nan).T


def _cells(X: FloatArray, whole: BoolArray) -> FloatArray:
    return X[whole][None]


def _centred_cells(X: FloatArray, whole: BoolArray) -> FloatArray:
    whole = _not_alone(whole)
    return (X - summarizer_means(X.T, whole.T))[whole][None]


def _not_alone(whole: BoolArray) -> BoolArray:
    """Leave out a topic's only cell: centred it would be a made-up point at (0, 0)."""
    return np.asarray(whole & (whole.sum(axis=0) > 1))


#: The lists that are correlated at each level, (n_lists, n), from scores and which of them count.
_POINTS = {"system": _means, "input": _topics, "global": _cells, "centred": _centred_cells}

#: What the points of these lists are, from the numbers of cells.
_ITEMS: dict[str, Callable[[IntArray, BoolArray], IntArray]] = {
    "system": lambda cells, whole: cells[None, :, 0],
    "input": lambda cells, whole: cells.T,
    "global": lambda cells, whole: cells[whole][None],
    "centred": lambda cells, whole: cells[_not_alone(whole)][None],
}
