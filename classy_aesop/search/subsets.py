"""Subsets of feature names as bit masks (bit k - 1 is feature k): the rows each can use, and what fits many at once.

A kernel fits one fitter on many subsets of columns. It is made for one set of training rows and asked for the solutions
of any number of subsets; those it cannot solve to full precision it gives back as `hard`, and the estimator itself is
then run on them.

With one reference a topic the largest value over references is their mean: `bigrams_p2p` is `bigrams` in every row. Of
equal columns every fitter keeps the first and gives the others the weight 0 (`fitters.least_squares`), so a subset that
holds such twins has the solution of the subset without all but the first of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from classy_aesop.errors import InputError
from classy_aesop.fitters import get_declaration
from classy_aesop.fitters.least_squares import first_equals
from classy_aesop.search.design import Array, Design, Integers, Mask, needed_targets

MOST_NAMES = 20

Groups = Sequence[Sequence[int]]
Splits = Sequence[tuple[Design, Design]]


def all_masks(n_names: int) -> Integers:
    """Return 1, 2, ..., 2^n - 1; ValueError beyond 20 names, or without any."""
    check_number(n_names)
    return np.arange(1, 2**n_names, dtype=np.int64)


def check_number(n_names: int) -> None:
    """Raise `InputError` for more names than an exhaustive search can take, or none."""
    if n_names > MOST_NAMES:
        raise InputError(
            f"{n_names} names have 2^{n_names} subsets; an exhaustive search takes at most {MOST_NAMES}: "
            "leave names out, or put names that belong together into one group"
        )
    if not n_names:
        raise InputError("no names to choose from; expected 1 to 20")


def membership(masks: Integers, n_names: int) -> Mask:
    """Return whether each subset holds each name, (n_subsets, n_names)."""
    holds: Mask = (masks[:, None] >> np.arange(n_names)) & 1 == 1
    return holds


def used_columns(masks: Integers, groups: Groups, n_columns: int) -> Mask:
    """Return whether each subset uses each column, (n_subsets, n_columns)."""
    used: Mask = (masks[:, None] >> name_of_columns(groups, n_columns)) & 1 == 1
    return used


def name_of_columns(groups: Groups, n_columns: int) -> Integers:
    """Return the name of each column, (n_columns,), and a number beyond all names for a column of none."""
    names = np.full(n_columns, 62)
    for name, columns in enumerate(groups):
        names[list(columns)] = name
    return names


def row_sets(masks: Integers, splits: Splits, groups: Groups) -> Iterator[tuple[Integers, list[int]]]:
    """Divide the subsets by the rows that they can use: yield ascending masks (n,) and all names that these hold."""
    missing = [np.isnan(design.X) for split in splits for design in split]
    seen: dict[bytes, int] = {}
    key = np.zeros(masks.size, dtype=np.int64)
    for name, columns in enumerate(groups):
        hit = np.concatenate([cells[:, list(columns)].any(axis=1) for cells in missing])
        if hit.any():
            key |= ((masks >> name) & 1) << seen.setdefault(hit.tobytes(), len(seen) + 1)
    order = np.argsort(key, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        held = int(np.bitwise_or.reduce(masks[part]))
        yield masks[part], [name for name in range(len(groups)) if held >> name & 1]


def without_gaps(design: Design, columns: Sequence[int], targets: slice) -> Design:
    """Drop the rows with NaN in the columns or targets; blank the columns that are not used."""
    rows = ~(np.isnan(design.X[:, columns]).any(axis=1) | np.isnan(design.Y[:, targets]).any(axis=1))
    if rows.all() and len(columns) == design.X.shape[1]:
        return design
    kept = design.take(rows)
    X: Array = np.zeros_like(kept.X)
    X[:, columns] = kept.X[:, columns]
    return Design(X, kept.Y, kept.summarizers, kept.topics)


def constant_columns(X: Array) -> Mask:
    """Mark the columns (n_columns,) that do not vary; without rows all."""
    constant: Mask = np.ptp(X, axis=0) == 0 if len(X) else np.ones(X.shape[1], dtype=bool)
    return constant


@dataclass(frozen=True)
class Training:
    """Complete training rows, and which columns each name brings."""

    X: Array  # (n_rows, n_columns), without NaN
    Y: Array  # (n_rows, n_targets): the measures that the fitter takes, all or the target alone
    target: int  # the column of Y to be predicted
    groups: Sequence[Sequence[int]]  # columns of each name, constant columns left out
    others: Sequence[int] = ()  # more columns of Y to be predicted by the same solutions but for a sign

    @classmethod
    def of(
        cls, fitter: Any, rows: Design, groups: Groups, targets: Sequence[int], constant: Mask
    ) -> Training:
        """Take from rows without NaN what a fitter needs to predict targets (all by one fit), less constant columns."""
        varying = [[column for column in group if not constant[column]] for group in groups]
        first, *others = targets if get_declaration(fitter, "many_targets") else [0]
        return cls(rows.X, rows.Y[:, needed_targets(fitter, targets[0])], first, varying, others)

    def used(self, masks: Integers) -> Mask:
        """Return whether each subset uses each column, (n_subsets, n_columns)."""
        return used_columns(masks, self.groups, self.X.shape[1])


@dataclass(frozen=True)
class Solutions:
    """Weights of raw columns and constants, one solution a column."""

    coef: Array  # (n_columns, n_solutions), 0 for what a subset does not use
    intercept: Array  # (n_solutions,)
    converged: Mask  # (n_solutions,): whether an iterative fit met its rule
    hard: Mask  # (n_subsets,): left to the estimator; their solution means nothing
    owner: Integers  # (n_subsets,): the solution of each subset; several may share one
    signs: Array | None = (
        None  # (1 + n_others, n_solutions): +1 or -1, towards the target and the others; else all +1
    )


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


def twin_sets(trainings: Sequence[Training]) -> list[int]:
    """Return the masks of all sets of two or more names whose columns are, one by one, equal in training."""
    first = first_equals(np.concatenate([training.X for training in trainings]))
    sets: dict[tuple[int, ...], int] = {}
    for name, columns in enumerate(trainings[0].groups):
        key = tuple(int(first[column]) for column in columns)
        sets[key] = sets.get(key, 0) | 1 << name
    return [held for key, held in sets.items() if key and held.bit_count() > 1]


def without_twins(masks: Integers, sets: Sequence[int]) -> Integers:
    """Keep of each set of equal names the first that each subset (n_subsets,) holds."""
    for names in sets:
        held = masks & names
        masks = masks & ~names | held & -held
    return masks
