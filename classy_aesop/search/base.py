"""What a batched kernel gets and gives.

A kernel fits one fitter on many subsets of columns at once. It is made for one set of training rows and asked
for the solutions of any number of subsets; those it cannot solve to full precision it gives back as `hard`,
and the estimator itself is then run on them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from classy_aesop.fitters import declared
from classy_aesop.search.design import Array, Design, Integers, Mask, needed_targets
from classy_aesop.search.subsets import used_columns


@dataclass(frozen=True)
class Training:
    """Complete training rows, and which columns each name brings.

    Parameters
    ----------
    X : (n_rows, n_columns)
        Feature values without NaN.
    Y : (n_rows, n_targets)
        The measures that the fitter takes: all, or the target alone.
    target : int
        The column of Y to be predicted.
    groups : sequence of lists of int
        Columns of each name, constant columns left out.
    others : sequence of int
        More columns of Y to be predicted by the same solutions, as far as a sign can do it.
    """

    X: Array
    Y: Array
    target: int
    groups: Sequence[Sequence[int]]
    others: Sequence[int] = ()

    @classmethod
    def of(
        cls,
        fitter: Any,
        rows: Design,
        groups: Sequence[Sequence[int]],
        targets: Sequence[int],
        constant: Mask,
    ) -> Training:
        """Take from rows without NaN what a fitter needs to predict targets (all by one fit), less constant columns."""
        varying = [[column for column in group if not constant[column]] for group in groups]
        first, *others = targets if declared(fitter, "many_targets") else [0]
        return cls(rows.X, rows.Y[:, needed_targets(fitter, targets[0])], first, varying, others)

    def used(self, masks: Integers) -> Mask:
        """Return whether each subset uses each column, (n_subsets, n_columns)."""
        return used_columns(masks, self.groups, self.X.shape[1])


@dataclass(frozen=True)
class Solutions:
    """Weights of raw columns, one solution a column.

    Parameters
    ----------
    coef : (n_columns, n_solutions)
        Weights, 0 for what a subset does not use.
    intercept : (n_solutions,)
        Constants.
    converged : (n_solutions,) of bool
        Whether an iterative fit met its rule.
    hard : (n_subsets,) of bool
        Subsets left to the estimator; their solution means nothing.
    owner : (n_subsets,) integers
        The solution of each subset. Several subsets may share one.
    signs : (1 + n_others, n_solutions), optional
        What turns each solution towards the target and the other targets, +1 or -1; all +1 if not given.
    """

    coef: Array
    intercept: Array
    converged: Mask
    hard: Mask
    owner: Integers
    signs: Array | None = None


class Kernel(ABC):
    """Made from a fitter and training rows; solves batches of subsets."""

    chunk: ClassVar[int]
    """How many subsets are solved at a time."""

    tie: ClassVar[float] = 1e-9
    """Scores no further apart than this are equal: the precision of its solutions."""

    any_target: ClassVar[bool] = False
    """Whether a solution serves every target up to a sign, so that several targets are searched at once."""

    @abstractmethod
    def __init__(self, fitter: Any, training: Training) -> None: ...

    @abstractmethod
    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of ascending masks (n_subsets,)."""

    @classmethod
    def for_refit(cls) -> type[Kernel]:
        """Return the kernel for a refit: of several equally good solutions it finds the estimator's."""
        return cls
