"""What a predictor knows of a summary beside the others of its topic, and what each column adds to a score.

Summaries of one topic are easier to put in order than to grade: a hard topic lowers the scores of all. So a topic's
level comes from the plain form of a predictor, which looks at each summary alone, and the differences within the topic
from columns that are relative to it (`classy_aesop.features.relative`). Where the other systems are too few or too
much alike to compare a summary with, there is a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import format_key
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.features.registry import group_of, is_peer_feature
from classy_aesop.features.relative import (
    compared_topics,
    find_copy_groups,
    plain_columns,
    relative_columns,
    relative_values,
    topic_means,
)
from classy_aesop.formulas import Formula
from classy_aesop.formulas.base import Array
from classy_aesop.predictor.calibration import Calibration

if TYPE_CHECKING:
    import pandas as pd


WITHIN = "within"
"""The form of a summary that was scored beside the others of its topic."""

FEW = "few"
"""The form of a summary that was scored beside few others."""

ALONE = "alone"
"""The form of a summary that was scored by itself."""

N_LEAST = 6
"""Least number of summaries of a topic that are compared; docs/prediction.md has what fewer give."""

N_FEWEST = 3
"""The same where there is a formula for few summaries."""

N_MANY = 8
"""Least number of summaries of a topic that may count as many."""


class ScoreComponents(NamedTuple):
    """Components of scores, (n_rows, n_columns), which sum to the score of each row."""

    level: Array  # what the plain columns add; of a row within its topic, their mean over the topic
    difference: Array  # what the relative columns add, less their mean over the topic; 0 of a row by itself
    is_within: NDArray[np.bool_]  # (n_rows,): whether it was scored within its topic
    is_few: NDArray[np.bool_]  # whether few are compared there

    @property
    def form(self) -> NDArray[np.str_]:
        """How each row was scored, (n_rows,)."""
        return np.where(self.is_within, np.where(self.is_few, FEW, WITHIN), ALONE)

    @property
    def score(self) -> Array:
        """The sums, (n_rows,)."""
        score: Array = self.level.sum(axis=1) + self.difference.sum(axis=1)
        return score


@dataclass(frozen=True)
class WithinForm:
    """The form of a predictor within topics."""

    columns: tuple[str, ...]
    formula: Formula
    n_least: int = N_LEAST
    calibration_alone: Calibration | None = None
    few: Formula | None = None
    n_many: int = 0

    def __post_init__(self) -> None:
        if self.columns != relative_columns(self.plain):
            raise InputError(
                f"within.columns: {join_names(self.columns)}; expected differences, then the ranks of the same columns"
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

    def parts(self, alone: Array, within: Array, topics: NDArray[np.int64]) -> ScoreComponents:
        """Combine what the plain form and the formula within topics predict, or what each column adds to it.

        Shapes: ``alone`` (n_rows, n), ``within`` (n_rows, m), ``topics`` (n_rows,).
        """
        is_complete = _has_all_values(alone, within)
        n_compared = _count_compared(is_complete, topics)
        is_within = is_complete & (n_compared >= self.n_least)
        level = alone.copy()
        level[is_within] = topic_means(alone[is_within], topics[is_within])
        difference = np.zeros(within.shape)
        difference[is_within] = within[is_within] - topic_means(within[is_within], topics[is_within])
        is_few = np.logical_and(self.few is not None, n_compared < self.n_many)
        return ScoreComponents(level, difference, is_within, is_few)


def _has_all_values(*values: Array) -> NDArray[np.bool_]:
    """Mark the rows that have all values."""
    is_complete = np.ones(len(values[0]), bool)
    for is_missing in map(np.isnan, values):
        if is_missing.any():  # quicker than row by row
            is_complete &= ~is_missing.any(axis=1)
    return is_complete


def _count_compared(is_complete: NDArray[np.bool_], topics: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the whole rows of the topic of each row; 0 for a row that is compared with none."""
    counts = np.bincount(topics[is_complete & (topics >= 0)], minlength=1 + topics.max(initial=0))
    return np.where(topics >= 0, counts[topics], 0)


class FormulaInput(NamedTuple):
    """The columns that the formulas of a predictor read, row by row."""

    plain: Array  # (n_rows, n_columns)
    relative: Array  # (n_rows, n_relative): columns relative to the topic; none without a form within topics
    topics: NDArray[np.int64]  # (n_rows,): the topic that a row is compared in, -1 for none

    @classmethod
    def from_table(
        cls, table: pd.DataFrame, columns: Sequence[str], within: WithinForm | None, *, peers: str
    ) -> FormulaInput:
        """Read the plain columns of a feature table, and those of the form within topics, if there is any."""
        topics = compared_topics(table, peers)
        plain = np.ascontiguousarray(table[list(columns)].to_numpy(float))
        columns_within = within.plain if within else ()
        compared = plain if columns_within == tuple(columns) else table[list(columns_within)].to_numpy(float)
        return cls(plain, relative_values(compared, topics, find_copy_groups(table)), topics)

    def parts(
        self, formula: Formula, within: WithinForm | None, apply: Callable[[Formula, Array], Array]
    ) -> ScoreComponents:
        """Combine the results of a function of a formula and its columns, for both forms."""
        alone = apply(formula, self.plain)
        if within is None:
            return ScoreComponents(alone, np.zeros((len(alone), 0)), *np.zeros((2, len(alone)), bool))
        differences = apply(within.formula, self.relative)
        if within.few is not None:
            n_compared = _count_compared(_has_all_values(self.plain, self.relative), self.topics)
            is_few = n_compared < within.n_many
            differences[is_few] = apply(within.few, self.relative[is_few])
        return within.parts(alone, differences, self.topics)


def sum_by_group(parts: pd.DataFrame) -> pd.DataFrame:
    """Sum what the columns of each group of features contribute to a score; others stay as they are."""
    grouped = parts.assign(part=parts["part"].map(group_of)).drop(columns=["value", "mean"])
    keys = [name for name in grouped if name != "contribution"]
    summed = grouped.groupby(keys, sort=False)["contribution"].agg(["sum", "size", "count"])
    complete = summed["size"] == summed["count"]
    return summed["sum"].where(complete).rename("contribution").reset_index()


def contributions_of(
    values: FormulaInput, formula: Formula, within: WithinForm | None, mean: Sequence[float]
) -> NDArray[np.float64]:
    """Divide scores into contributions of columns.

    Shapes: gives (n_rows, n_parts).
    """

    def contributions_of_formula(each: Formula, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the baseline and what each column adds by one formula."""
        means = np.array(mean) if each is formula else np.zeros(X.shape[1])
        columns, baseline = each.contributions(X, means)
        return np.hstack([np.full((len(X), 1), baseline), columns])

    parts = values.parts(formula, within, contributions_of_formula)
    return np.hstack([parts.level, parts.difference[:, 1:]])  # the baseline of differences is 0


def explanation(
    keys: pd.DataFrame,
    parts: Sequence[str],
    values: NDArray[np.float64],
    means: Sequence[float],
    contributions: NDArray[np.float64],
) -> pd.DataFrame:
    """List the components of scores, a row a component.

    A weighted sum: the score of the training means, then each column's weight times its distance from its mean. Trees:
    the sum of their roots, which are means over the training rows, then what the steps of the decision path add. Of a
    summary within its topic, a column adds the mean of this over the topic, and a relative column what it adds less the
    topic's mean of it.

    Shapes: ``values`` (n_rows, n_parts - 1), ``contributions`` (n_rows, n_parts).
    """
    n_rows = len(values)
    none = float("nan")
    rows = keys.loc[keys.index.repeat(len(parts))].reset_index(drop=True)
    means_of_relative = [none] * (len(parts) - 1 - len(means))
    return rows.assign(
        part=list(parts) * n_rows,
        value=np.hstack([np.full((n_rows, 1), none), values]).ravel(),
        mean=np.tile([none, *means, *means_of_relative], n_rows),
        contribution=contributions.ravel(),
    )


_TOPIC = ["year", "topic", "task"]


def count_fewest_systems(table: pd.DataFrame) -> int:
    """Count the systems of the topic that has fewest, of those with any, in a feature table; 0 if it has none."""
    sizes = table[~table["human"]].groupby(_TOPIC).size()
    return int(sizes.min()) if len(sizes) else 0


def warn_of_few_peers(
    name: str,
    table: pd.DataFrame,
    topics: NDArray[np.int64],
    within: WithinForm,
    parts: ScoreComponents,
    n_in_training: int,
) -> None:
    """Warn of topics whose systems are hard to compare.

    Shapes: ``topics`` (n_rows,).
    """
    of_peers = [column for column in within.plain if is_peer_feature(column)]
    if not of_peers:
        return
    rows = np.flatnonzero(~(table["human"].to_numpy(bool) | np.isnan(parts.score)))
    _, first_row, topic, n_rows = np.unique(
        topics[rows], return_index=True, return_inverse=True, return_counts=True
    )
    is_alone = np.bincount(topic, parts.is_within[rows]) == 0
    is_smaller = n_rows < n_in_training
    are_copies = np.ones(n_rows.size, bool)
    for column in of_peers:
        if are_copies.any():
            are_copies[topic[table[column].to_numpy(float)[rows] > 0]] = False
    too_few = f"fewer than {within.n_least} summaries to compare, so each is scored alone; add what other systems wrote"
    fewer = f"fewer systems than the {n_in_training} of training, so scores are less accurate"
    copies = "systems that share only near copies, so consensus cannot distinguish them"
    problems = ((is_alone, too_few), (~is_alone & is_smaller, fewer), (~is_alone & are_copies, copies))
    for is_concerned, problem in problems:
        if is_concerned.any():
            first_rows = rows[first_row[is_concerned]]
            keys = table[_TOPIC].iloc[first_rows].itertuples(index=False, name=None)
            message = f"predictor {name}: {len(first_rows)} topics have {problem}: {join_names(map(format_key, keys))}"
            warn(message)
