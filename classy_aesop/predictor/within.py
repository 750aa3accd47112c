"""What a predictor knows of a summary beside the others of its topic.

Summaries of one topic are easier to put in order than to grade: a hard topic lowers the scores of all. So a topic's
level comes from the plain form of a predictor, which looks at each summary alone, and the differences within the topic
from columns that are relative to it (`classy_aesop.features.relative`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.features.relative import (
    compared_topics,
    plain_columns,
    relative_columns,
    relative_values,
    topic_means,
)
from classy_aesop.formulas import Formula
from classy_aesop.predictor.calibration import Calibration

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

WITHIN, FEW, ALONE = "within", "few", "alone"
"""How a summary was scored: beside the others of its topic, beside few others, or by itself."""

N_LEAST = 6
"""Least number of summaries of a topic that are compared; docs/prediction.md has what fewer give."""

N_FEWEST = 3
"""The same where there is a formula for few summaries."""

N_MANY = 8
"""Least number of summaries of a topic that may count as many."""


class Parts(NamedTuple):
    """Scores taken apart, (n_rows, n_columns) each: the parts of a row sum to its score.

    Parameters
    ----------
    level : array
        What the plain columns add; of a row within its topic, their mean over the topic.
    difference : array
        What the relative columns add, less their mean over the topic; 0 of a row by itself.
    is_within : array of bool, shape (n_rows,)
        Whether a row was scored within its topic.
    is_few : array of bool, shape (n_rows,)
        Whether few are compared in its topic.
    """

    level: Array
    difference: Array
    is_within: NDArray[np.bool_]
    is_few: NDArray[np.bool_]

    @property
    def form(self) -> NDArray[np.str_]:
        """How each row was scored, (n_rows,)."""
        return np.where(self.is_within, np.where(self.is_few, FEW, WITHIN), ALONE)

    @property
    def score(self) -> Array:
        """The sums, (n_rows,)."""
        found: Array = self.level.sum(axis=1) + self.difference.sum(axis=1)
        return found


@dataclass(frozen=True)
class Within:
    """The form of a predictor within topics.

    Parameters
    ----------
    columns : tuple of str
        The columns that it reads: differences, then ranks, as `relative_columns` names them.
    formula : Formula
        What is computed from them; its mean over a topic is taken out.
    n_least : int
        Least number of summaries of a topic with all values; where there are fewer, each is scored by itself.
    few : Formula, optional
        What is computed where fewer than ``n_many`` summaries of a topic have all values; by default the same.
    n_many : int
        Least number that is not few.
    calibration_alone : Calibration, optional
        Of summaries that are scored by themselves; the predictor's own is of those within topics.

    Raises
    ------
    InputError
        Other columns, or the formula has another number of them.
    """

    columns: tuple[str, ...]
    formula: Formula
    n_least: int = N_LEAST
    calibration_alone: Calibration | None = None
    few: Formula | None = None
    n_many: int = 0

    def __post_init__(self) -> None:
        if self.columns != relative_columns(self.plain):
            raise InputError(
                f"within.columns: {listed(self.columns)}; expected differences, then the ranks of the same columns"
            )
        for name, formula in (("formula", self.formula), ("few", self.few)):
            try:
                if formula is not None:
                    formula.check_columns(len(self.columns))
            except ValueError as error:
                raise InputError(f"within.{name}: {error}") from None
        if self.n_least < 2:
            raise InputError(f"within.n_least: {self.n_least}; expected 2 or more")

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The columns that the relative ones are made from."""
        return plain_columns(self.columns)

    def is_few(self, whole: NDArray[np.bool_], topics: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which rows are in topics where the formula for few is used, given which have all values."""
        return np.logical_and(self.few is not None, _company(whole, topics) < self.n_many)

    def parts(self, alone: Array, within: Array, topics: NDArray[np.int64]) -> Parts:
        """Put together what is predicted, or what each column adds to it.

        Parameters
        ----------
        alone : array, shape (n_rows, n)
            By the plain form.
        within : array, shape (n_rows, m)
            By the formula.
        topics : array of int, shape (n_rows,)
            The topic that a row is compared in, -1 for none.
        """
        whole = _is_whole(alone, within)
        used = whole & (_company(whole, topics) >= self.n_least)
        level, difference = alone.copy(), np.zeros(within.shape)
        level[used] = topic_means(alone[used], topics[used])
        difference[used] = within[used] - topic_means(within[used], topics[used])
        return Parts(level, difference, used, self.is_few(whole, topics))


def _is_whole(*values: Array) -> NDArray[np.bool_]:
    """Say which rows have all values."""
    whole = np.ones(len(values[0]), bool)
    for missing in map(np.isnan, values):
        if missing.any():  # quicker than row by row
            whole &= ~missing.any(axis=1)
    return whole


def _company(whole: NDArray[np.bool_], topics: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the whole rows of the topic of each row; 0 for a row that is compared with none."""
    counts = np.bincount(topics[whole & (topics >= 0)], minlength=1 + topics.max(initial=0))
    return np.where(topics >= 0, counts[topics], 0)


class Values(NamedTuple):
    """What the formulas of a predictor read, row by row.

    Parameters
    ----------
    plain : array, shape (n_rows, n_columns)
        The plain columns.
    relative : array, shape (n_rows, n_relative)
        Those that are relative to the topic; no column if there is no form within topics.
    topics : array of int, shape (n_rows,)
        The topic that a row is compared in, -1 for none.
    """

    plain: Array
    relative: Array
    topics: NDArray[np.int64]

    @classmethod
    def of(cls, table: pd.DataFrame, columns: Sequence[str], within: Within | None, *, peers: str) -> Values:
        """Take them from a feature table: plain columns, and those that the form within topics reads, if any."""
        topics = compared_topics(table, peers)
        plain = np.ascontiguousarray(table[list(columns)].to_numpy(float))
        read = within.plain if within else ()
        compared = plain if read == tuple(columns) else table[list(read)].to_numpy(float)
        return cls(plain, relative_values(compared, topics), topics)

    def parts(self, formula: Formula, within: Within | None, of: Callable[[Formula, Array], Array]) -> Parts:
        """Put together what a function gives of the formula of each form and the values that it reads."""
        alone = of(formula, self.plain)
        if within is None:
            return Parts(alone, np.zeros((len(alone), 0)), *np.zeros((2, len(alone)), bool))
        differences = of(within.formula, self.relative)
        few = within.is_few(_is_whole(self.plain, self.relative), self.topics)
        if within.few is not None and few.any():
            differences[few] = of(within.few, self.relative[few])
        return within.parts(alone, differences, self.topics)
