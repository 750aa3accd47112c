"""What a predictor knows of a summary beside the others of its topic.

Summaries of one topic are easier to put in order than to grade: a hard topic lowers the scores of all. So the topic's
level comes from the plain form of the predictor, which looks at each summary alone, and the differences within the
topic from columns that are relative to it (`classy_aesop.features.relative`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.features.relative import plain_columns, relative_columns, topic_means
from classy_aesop.formulas import Formula
from classy_aesop.predictor.calibration import Calibration

Array = NDArray[np.float64]

WITHIN, ALONE = "within", "alone"
"""How a summary was scored: beside the others of its topic, or by itself."""


@dataclass(frozen=True)
class Within:
    """A predictor's form within topics.

    Parameters
    ----------
    columns : tuple of str
        Relative columns, as `relative_columns` names them.
    formula : Formula
        What is computed from them; its mean over a topic is taken out.
    n_least : int
        Least number of summaries of a topic; with fewer each is scored by itself.
    calibration_alone : Calibration, optional
        Of the scores of summaries by themselves. The predictor's own is of scores within topics.

    Raises
    ------
    InputError
        A column that is not relative, or the formula has another number of columns.
    """

    columns: tuple[str, ...]
    formula: Formula
    n_least: int
    calibration_alone: Calibration | None = None

    def __post_init__(self) -> None:
        if self.columns != relative_columns(self.plain):
            raise InputError(
                f"within.columns: {listed(self.columns, most=6)}; expected the differences of some columns, then their "
                "ranks"
            )
        try:
            self.formula.check_columns(len(self.columns))
        except ValueError as error:
            raise InputError(f"within.formula: {error}") from None
        if self.n_least < 2:
            raise InputError(f"within.n_least: {self.n_least}; expected 2 or more")

    @property
    def plain(self) -> tuple[str, ...]:
        """The columns that the relative ones are made from."""
        return plain_columns(self.columns)


class Parts(NamedTuple):
    """Scores taken apart, each (n_rows, ...): the parts sum to the score."""

    level: Array
    deviation: Array
    is_within: NDArray[np.bool_]


def divided(alone: Array, within: Array, topics: NDArray[np.int64], n_least: int) -> Parts:
    """Give the level and the deviation of each row, or of each of their columns.

    Parameters
    ----------
    alone : (n_rows, n)
        What is predicted of each summary by itself.
    within : (n_rows, m)
        What is predicted from relative columns.
    topics : (n_rows,) integers
        The topic that a row is compared in, -1 for none.
    n_least : int
        Least number of rows of a topic that have all values.

    Returns
    -------
    Parts
        Rows within a topic: the topic's mean of ``alone``, ``within`` less its topic's mean, and True. Rows by
        themselves: ``alone``, 0 and False.
    """
    whole = ~(np.isnan(alone).any(axis=1) | np.isnan(within).any(axis=1)) & (topics >= 0)
    counts = np.bincount(topics[whole], minlength=1 + topics.max(initial=0))
    used = whole & (counts[topics] >= n_least)
    level, deviation = alone.copy(), np.zeros(within.shape)
    level[used] = topic_means(alone[used], topics[used])
    deviation[used] = within[used] - topic_means(within[used], topics[used])
    return Parts(level, deviation, used)
