"""Metrics that are human scores: copies of a measure, which a metric must not be compared with or learned from."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class HumanCopy:
    """A metric that is a human measure.

    Attributes
    ----------
    metric, measure : str
        Their names.
    n_equal, n_cells : int
        Cells with equal scores, of those that have both.

    Examples
    --------
    >>> print(HumanCopy("judge", "quality", 479, 480))
    judge equals quality in 479 of 480 cells
    """

    metric: str
    measure: str
    n_equal: int
    n_cells: int

    def __str__(self) -> str:
        if self.n_equal >= MIN_EQUAL_SHARE * self.n_cells:
            return f"{self.metric} equals {self.measure} in {self.n_equal} of {self.n_cells} cells"
        return f"{self.metric} is a linear function of {self.measure} in all {self.n_cells} cells"


def find_human_copy(metric: str, measure: str, scores: ArrayLike, human: ArrayLike) -> HumanCopy | None:
    """Give the evidence that a metric is a copy of a human measure; None if it is none.

    It is if nearly all cells are equal (`MIN_EQUAL_SHARE`), or if it is a linear function of the measure, increasing or
    decreasing, to rounding: scores in another unit carry the same information.

    Examples
    --------
    >>> human = [1.0, 2, 3, 3, 2, 1, 5, 4, 2, 5]
    >>> print(find_human_copy("score", "quality", [20 * grade for grade in human], human))
    score is a linear function of quality in all 10 cells
    >>> find_human_copy("score", "quality", [1.0, 2, 3, 3, 2, 1, 5, 4, 1, 4], human)
    """
    import numpy as np

    x = np.asarray(scores, dtype=np.float64).ravel()
    z = np.asarray(human, dtype=np.float64).ravel()
    has_both = ~np.isnan(x) & ~np.isnan(z)
    x = x[has_both]
    z = z[has_both]
    if len(z) < MIN_CELLS or np.ptp(z) == 0:
        return None
    n_equal = int(np.count_nonzero(np.abs(x - z) <= EQUAL_WITHIN * np.ptp(z)))
    copy = HumanCopy(metric, measure, n_equal, len(z))
    if n_equal >= MIN_EQUAL_SHARE * len(z):
        return copy
    if np.ptp(x) == 0 or len(np.unique(z)) < MIN_LEVELS:
        return None
    centred_x = (x - x.mean()) / np.ptp(x)
    centred_z = (z - z.mean()) / np.ptp(z)
    r = (centred_x @ centred_z) / np.sqrt((centred_x @ centred_x) * (centred_z @ centred_z))
    return copy if 1 - abs(r) <= MAX_LINEAR_DISTANCE else None
