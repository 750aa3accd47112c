"""What fits one fitter on many subsets of columns at once, and what it is made from.

A kernel is made for one set of training rows and solves any number of subsets; those it cannot solve to full precision
it marks as `hard`, and the estimator itself is then fitted to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from classy_aesop.fitters import get_declaration
from classy_aesop.fitters.least_squares import first_equal_columns
from classy_aesop.formulas.base import Array
from classy_aesop.search.row_arrays import Integers, Mask, Rows, needed_targets
from classy_aesop.search.subsets import Groups, columns_used


@dataclass(frozen=True)
class Training:
    """Complete training rows, and which columns each name brings."""

    X: Array  # (n_rows, n_columns), without NaN
    Y: Array  # (n_rows, n_targets): the measures that the fitter takes, all or the target alone
    target: int  # the column of Y to be predicted
    groups: Groups  # columns of each name, constant columns left out

    @classmethod
    def select(cls, fitter: Any, rows: Rows, groups: Groups, target: int, constant: Mask) -> Training:
        """Take from rows what a fitter needs.

        Parameters
        ----------
        fitter : regressor
            Says whether it takes all human measures.
        rows : Rows
            Rows without NaN.
        groups : sequence of lists of int
            The columns of each name.
        target : int
            The column of Y that a fit is to predict.
        constant : (n_columns,) of bool
            Columns that are left out.
        """
        varying = [[column for column in columns if not constant[column]] for columns in groups]
        position = target if get_declaration(fitter, "many_targets") else 0
        return cls(rows.X, rows.Y[:, needed_targets(fitter, target)], position, varying)

    def columns_used(self, masks: Integers) -> Mask:
        """Return whether each subset uses each column, (n_subsets, n_columns)."""
        return columns_used(masks, self.groups, self.X.shape[1])


@dataclass(frozen=True)
class Solutions:
    """Weights of raw columns and constants, one solution a column."""

    coef: Array  # (n_columns, n_solutions), 0 for what a subset does not use
    intercept: Array  # (n_solutions,)
    converged: Mask  # (n_solutions,): whether an iterative fit met its rule
    hard: Mask  # (n_subsets,): left to the estimator; their solution means nothing
    owner: Integers  # (n_subsets,): the solution of each subset; several may share one

    def expand(self) -> Solutions:
        """Return a solution for each subset, whether or not subsets share one."""
        return Solutions(
            self.coef[:, self.owner],
            self.intercept[self.owner],
            self.converged[self.owner],
            self.hard,
            np.arange(self.owner.size),
        )


class Kernel(ABC):
    """Made from a fitter and training rows; solves batches of subsets."""

    chunk: ClassVar[int]
    """How many subsets are solved at a time."""

    tie: ClassVar[float] = 1e-9
    """Scores no further apart than this are equal: the precision of its solutions."""

    @abstractmethod
    def __init__(self, fitter: Any, training: Training) -> None: ...

    @abstractmethod
    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of ascending masks (n_subsets,)."""


def identical_names(trainings: Sequence[Training]) -> list[int]:
    """Return the masks of all sets of two or more names whose columns are, one by one, identical in training."""
    first = first_equal_columns(np.concatenate([training.X for training in trainings]))
    sets: dict[tuple[int, ...], int] = {}
    for name, columns in enumerate(trainings[0].groups):
        key = tuple(int(first[column]) for column in columns)
        sets[key] = sets.get(key, 0) | 1 << name
    return [names for key, names in sets.items() if key and names.bit_count() > 1]
