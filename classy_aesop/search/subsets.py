"""Subsets of feature names as bit masks (bit k - 1 is feature k), and the rows and columns that each can use.

With one reference a topic the largest value over references is their mean: `bigrams_p2p` is `bigrams` in every row. Of
identical columns every fitter keeps the first and gives the others the weight 0 (`fitters.least_squares`), so a subset
with identical columns has the solution of the subset without all but the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from classy_aesop.errors import InputError
from classy_aesop.formulas.base import Array
from classy_aesop.search.row_arrays import Integers, Mask, Rows

MAX_NAMES = 20

Groups = Sequence[Sequence[int]]
"""The columns that each name stands for."""

Splits = Sequence[tuple[Rows, Rows]]
"""Pairs of rows to fit and rows to predict."""


def all_masks(n_names: int) -> Integers:
    """Return 1, 2, ..., 2^n - 1."""
    check_n_names(n_names)
    return np.arange(1, 2**n_names, dtype=np.int64)


def check_n_names(n_names: int) -> None:
    """Raise `InputError` for more names than an exhaustive search can take, or none."""
    if n_names > MAX_NAMES:
        raise InputError(
            f"{n_names} names have 2^{n_names} subsets; an exhaustive search takes at most {MAX_NAMES}: "
            "leave names out, or put names that belong together into one group"
        )
    if not n_names:
        raise InputError("no names to choose from; expected 1 to 20")


def membership(masks: Integers, n_names: int) -> Mask:
    """Return whether each subset contains each name, (n_subsets, n_names)."""
    contains: Mask = (masks[:, None] >> np.arange(n_names)) & 1 == 1
    return contains


def columns_used(masks: Integers, groups: Groups, n_columns: int) -> Mask:
    """Return whether each subset uses each column."""
    used: Mask = (masks[:, None] >> name_of_columns(groups, n_columns)) & 1 == 1
    return used


def name_of_columns(groups: Groups, n_columns: int) -> Integers:
    """Return the number of the name of each column, (n_columns,); 62, beyond all names, for a column of none."""
    names = np.full(n_columns, 62)
    for name, columns in enumerate(groups):
        names[list(columns)] = name
    return names


def split_by_rows(masks: Integers, splits: Splits, groups: Groups) -> Iterator[tuple[Integers, list[int]]]:
    """Divide the subsets by the rows that they can use.

    A name lacks the rows in which one of its columns is NaN, in any design. The rows of a subset depend only on which
    sets of rows its names lack.
    """
    missing = [np.isnan(design.X) for split in splits for design in split]
    bit_of_rows: dict[bytes, int] = {}
    key = np.zeros(masks.size, dtype=np.int64)
    for name, columns in enumerate(groups):
        lacks = np.concatenate([cells[:, list(columns)].any(axis=1) for cells in missing])
        if lacks.any():
            bit = bit_of_rows.setdefault(lacks.tobytes(), len(bit_of_rows) + 1)
            key |= ((masks >> name) & 1) << bit
    order = np.argsort(key, kind="stable")
    for positions in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        union = int(np.bitwise_or.reduce(masks[positions]))
        yield masks[positions], [name for name in range(len(groups)) if union >> name & 1]


def drop_missing_rows(design: Rows, columns: Sequence[int], targets: slice) -> Rows:
    """Drop the rows with a missing value, and blank the columns that are not used."""
    rows = ~(np.isnan(design.X[:, columns]).any(axis=1) | np.isnan(design.Y[:, targets]).any(axis=1))
    if rows.all() and len(columns) == design.X.shape[1]:
        return design
    complete = design.take(rows)
    X: Array = np.zeros_like(complete.X)
    X[:, columns] = complete.X[:, columns]
    return Rows(X, complete.Y, complete.summarizers, complete.topics)


def constant_columns(X: Array) -> Mask:
    """Mark the columns (n_columns,) that do not vary; without rows all."""
    constant: Mask = np.ptp(X, axis=0) == 0 if len(X) else np.ones(X.shape[1], dtype=bool)
    return constant


def keep_first_of_identical(masks: Integers, identical: Sequence[int]) -> Integers:
    """Remove from each subset (n_subsets,) all but the first name of each set of names with identical columns."""
    for names in identical:
        contained = masks & names
        masks = masks & ~names | contained & -contained
    return masks
