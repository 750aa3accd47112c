"""Subsets of feature names as bit masks (bit k - 1 is feature k), and which rows each can use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from classy_aesop.errors import InputError
from classy_aesop.search.design import Array, Design, Integers, Mask

MOST_NAMES = 20

Groups = Sequence[Sequence[int]]
Splits = Sequence[tuple[Design, Design]]


def all_masks(n_names: int) -> Integers:
    """Return 1, 2, ..., 2^n - 1.

    Raises
    ------
    ValueError
        Beyond 20 names, or without any.
    """
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
    """Divide the subsets by the rows they can use.

    A name is hit by the rows in which one of its columns is NaN, in any design. Names that are hit by the
    same rows are alike, and a subset's rows depend only on which kinds of names it holds.

    Yields
    ------
    masks : (n,) integers, ascending
        Subsets that lose the same rows.
    names : list of int
        All names that those subsets hold among them.
    """
    kinds = _kinds_of_missing(splits, groups)
    key = np.zeros(masks.size, dtype=np.int64)
    for name, kind in enumerate(kinds):
        if kind:
            key |= ((masks >> name) & 1) << kind
    order = np.argsort(key, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        held = int(np.bitwise_or.reduce(masks[part]))
        yield masks[part], [name for name in range(len(groups)) if held >> name & 1]


def _kinds_of_missing(splits: Splits, groups: Groups) -> list[int]:
    """Number the ways in which names lack rows; 0 lacks none."""
    missing = [np.isnan(design.X) for split in splits for design in split]
    seen: dict[bytes, int] = {}
    kinds = []
    for columns in groups:
        hit = np.concatenate([cells[:, list(columns)].any(axis=1) for cells in missing])
        kinds.append(seen.setdefault(hit.tobytes(), len(seen) + 1) if hit.any() else 0)
    return kinds


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
