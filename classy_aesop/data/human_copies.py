"""Metrics that are human scores: copies of a measure, which a metric must not be compared with or learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MIN_CELLS = 10
"""Cells that show that a metric is a copy; fewer may be equal by chance."""

MIN_EQUAL_SHARE = 0.98
"""A metric with this share of equal cells is a copy, with some cells changed."""

EQUAL_WITHIN = 1e-3
"""Share of the range of the human scores by which equal scores may differ: copies are rounded."""

MIN_LEVELS = 3
"""Different scores from which on a straight line says something: two points always lie on one."""

MAX_LINEAR_DISTANCE = 1e-6
"""Of r from 1 or -1: human scores in another unit, or turned, have no more."""


def describe_human_copy(metric: str, measure: str, scores: ArrayLike, human: ArrayLike) -> str:
    """Say that a metric is a copy of a human measure, with the evidence; ``""`` if it is none.

    It is if nearly all cells are equal (`MIN_EQUAL_SHARE`), or if it is a linear function of the measure, increasing or
    decreasing, to rounding: scores in another unit carry the same information.

    Examples
    --------
    >>> human = [1.0, 2, 3, 3, 2, 1, 5, 4, 2, 5]
    >>> describe_human_copy("score", "quality", [20 * grade for grade in human], human)
    'score is a linear function of quality in all 10 cells'
    >>> describe_human_copy("score", "quality", [1.0, 2, 3, 3, 2, 1, 5, 4, 1, 4], human)
    ''
    """
    import numpy as np

    x = np.asarray(scores, dtype=np.float64).ravel()
    z = np.asarray(human, dtype=np.float64).ravel()
    has_both = ~np.isnan(x) & ~np.isnan(z)
    x = x[has_both]
    z = z[has_both]
    if len(z) < MIN_CELLS or np.ptp(z) == 0:
        return ""
    n_equal = int(np.count_nonzero(np.abs(x - z) <= EQUAL_WITHIN * np.ptp(z)))
    if n_equal >= MIN_EQUAL_SHARE * len(z):
        return f"{metric} equals {measure} in {n_equal} of {len(z)} cells"
    if np.ptp(x) == 0 or len(np.unique(z)) < MIN_LEVELS:
        return ""
    r = np.corrcoef((x - x.mean()) / np.ptp(x), z)[0, 1]
    is_linear = 1 - abs(r) <= MAX_LINEAR_DISTANCE
    return f"{metric} is a linear function of {measure} in all {len(z)} cells" if is_linear else ""
