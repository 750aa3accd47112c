"""Names and positions of the columns of a feature table."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES


def columns(names: Iterable[str] | None = None, *, update: bool = False) -> list[str]:
    """Column names of features, in table order.

    Parameters
    ----------
    names : iterable of str, optional
        Which features, in any order; by default all.
    update : bool
        Whether there are earlier references: then a content feature has the columns ``name@A`` (against them)
        and ``name@B`` (against those of the own set).

    Examples
    --------
    >>> columns(["redundancy1", "r2"], update=True)
    ['r2@A', 'r2@B', 'redundancy1']
    """
    return [column for name in ordered(names) for column in columns_of(name, update)]


def groups(names: Iterable[str] | None = None, *, update: bool = False) -> dict[str, list[int]]:
    """Positions in `columns` of the columns of each feature, by name.

    Examples
    --------
    >>> groups(["redundancy1", "r2"], update=True)
    {'r2': [0, 1], 'redundancy1': [2]}
    """
    positions = iter(range(2 * len(FEATURES)))
    return {name: list(islice(positions, len(columns_of(name, update)))) for name in ordered(names)}


def ordered(names: Iterable[str] | None = None) -> list[str]:
    """Feature names in table order; all of them by default.

    Raises
    ------
    InputError
        For a name that is no feature, or one given twice.
    """
    chosen = list(FEATURES if names is None else names)
    unknown = [name for name in chosen if name not in FEATURES]
    if unknown:
        raise InputError(f"no feature is named {listed(unknown)}; expected some of {', '.join(FEATURES)}")
    if len(set(chosen)) < len(chosen):
        raise InputError(f"a feature is named twice in {', '.join(chosen)}")
    return [name for name in FEATURES if name in set(chosen)]


def columns_of(name: str, update: bool) -> list[str]:
    """Columns of one feature: two for a content feature of an update."""
    return [f"{name}@A", f"{name}@B"] if update and FEATURES[name].kind == "content" else [name]
