"""Resamples of the rows and columns of a score matrix, drawn with replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, check_choice

RESAMPLED_UNITS = ("systems", "inputs", "both")
"""What is resampled: the rows, the columns (topics), or both."""

BATCH_SIZE = 1_000
"""Resamples that are computed at once."""


@dataclass(frozen=True, slots=True)
class Resamples(Result):
    """Rows and columns sampled with replacement; None: all of them, once each.

    Attributes
    ----------
    rows : ndarray of int, shape (n_resamples, n_summarizers), or None
        Summarizers of each resample.
    columns : ndarray of int, shape (n_resamples, n_topics), or None
        Topics of each resample.

    Raises
    ------
    ValueError
        Both are missing, or they are of different numbers of resamples.
    """

    rows: IntArray | None = None
    columns: IntArray | None = None

    def __post_init__(self) -> None:
        if len({len(axis) for axis in (self.rows, self.columns) if axis is not None}) != 1:
            raise ValueError("rows and columns are both missing, or differ in number; expected as many")

    def __len__(self) -> int:
        return len(next(axis for axis in (self.rows, self.columns) if axis is not None))

    def select(self, selection: slice) -> Resamples:
        """Give some of the resamples."""
        return Resamples(
            rows=None if self.rows is None else self.rows[selection],
            columns=None if self.columns is None else self.columns[selection],
        )

    def batches(self) -> Iterator[Resamples]:
        """Give all resamples in batches of at most `BATCH_SIZE`."""
        return (self.select(slice(start, start + BATCH_SIZE)) for start in range(0, len(self), BATCH_SIZE))

    def transpose(self) -> Resamples:
        """Give the same resamples of the transposed matrix."""
        return Resamples(self.columns, self.rows)


def draw_resamples(
    shape: tuple[int, int], resample: str, n_resamples: int, rng: np.random.Generator
) -> Resamples:
    """Sample rows, columns or both of a matrix with replacement, as many as it has.

    Parameters
    ----------
    shape : (int, int)
        Numbers of summarizers and topics.
    resample : {"systems", "inputs", "both"}
        What is resampled.
    n_resamples : int
        Number of resamples.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    Resamples

    Raises
    ------
    ValueError
        ``resample`` is not known.
    """
    check_choice(resample, RESAMPLED_UNITS, "resample")
    rows = rng.integers(shape[0], size=(n_resamples, shape[0])) if resample != "inputs" else None
    columns = rng.integers(shape[1], size=(n_resamples, shape[1])) if resample != "systems" else None
    return Resamples(rows, columns)


def count_draws(resamples: IntArray, n: int, selection: BoolArray | None = None) -> FloatArray:
    """Count how often each item is in each resample.

    Parameters
    ----------
    resamples : ndarray of int, shape (n_resamples, n_draws)
        Numbers of the items drawn.
    n : int
        Number of items.
    selection : ndarray of bool, shape (n_resamples, n_draws), optional
        The draws that are counted; by default all.

    Returns
    -------
    ndarray, shape (n_resamples, n)

    Examples
    --------
    >>> count_draws(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist()
    [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    """
    n_resamples = len(resamples)
    flat = resamples + n * np.arange(n_resamples)[:, None]
    draws = flat.ravel() if selection is None else flat[selection]
    return np.bincount(draws, minlength=n_resamples * n).reshape(n_resamples, n).astype(np.float64)


def batch_sizes(n: int) -> list[int]:
    """Divide a number of resamples into batches of at most `BATCH_SIZE`."""
    return [min(BATCH_SIZE, n - start) for start in range(0, n, BATCH_SIZE)]


def exact_dtype(n: int) -> type[np.float32] | type[np.float64]:
    """Smallest float type in which sums of n^3 signs are exact."""
    return np.float32 if n**3 < 2**24 else np.float64
