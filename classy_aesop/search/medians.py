"""Medians of many rows at once, quickly where it is known about where they lie."""

from __future__ import annotations

import numpy as np

from classy_aesop.search.design import Array, Integers, Mask


def root_medians(values: Array, middle: Integers, even: Mask, guess: Array, width: float) -> Array:
    """Return the root of the middle value of each row, or the mean of the roots of two.

    Parameters
    ----------
    values : array (k, n)
        Squares.
    middle : array (k,)
        How many values of a row are smaller than its middle one.
    even : array of bool (k,)
        Whether the next smaller value counts as much.
    guess : array (k,)
        About where the result lies; NaN where nothing is known. The result does not depend on it.
    width : float
        How far from the guess they are looked for at first, relative to it.

    Returns
    -------
    array (k,)
    """
    found, missing = _near(values, middle, even, guess, width)
    if missing.size:
        found[missing] = _anywhere(values[missing], middle[missing], even[missing])
    return found


def _near(values: Array, middle: Integers, even: Mask, guess: Array, width: float) -> tuple[Array, Integers]:
    """Look among the values around the guess, which are counted and sorted; give the rows where that is not enough."""
    is_below = values < ((guess * (1.0 - width)) ** 2)[:, None]
    is_near = (values <= ((guess * (1.0 + width)) ** 2)[:, None]) ^ is_below
    n_near, at = _counts(is_near), middle - _counts(is_below)
    missing = np.flatnonzero((at - even < 0) | (at >= n_near))
    if missing.size == len(values):
        return np.empty(len(values)), missing
    around = np.full((len(values), int(n_near.max())), np.inf)
    around[np.arange(around.shape[1]) < n_near[:, None]] = values[is_near]
    around.sort(axis=1)
    at[missing] = 1
    rows = np.arange(len(values))
    upper = np.sqrt(around[rows, np.minimum(at, around.shape[1] - 1)])
    return np.where(even, (upper + np.sqrt(around[rows, at - 1])) / 2, upper), missing


def _counts(marks: Mask) -> Integers:
    """Count the marks of each row, eight at a time."""
    return np.asarray(np.bitwise_count(np.packbits(marks, axis=1)).sum(axis=1, dtype=np.intp))


def _anywhere(values: Array, middle: Integers, even: Mask) -> Array:
    """Look among all values, by one partition in place."""
    middles = np.unique(middle)
    values.partition(middles, axis=1)
    found = np.sqrt(values[np.arange(len(values)), middle])
    for one in middles:
        rows = np.flatnonzero(even & (middle == one))
        below = values[:, :one] if rows.size == len(values) else values[rows, :one]
        found[rows] = (found[rows] + np.sqrt(below.max(axis=1))) / 2
    return found
