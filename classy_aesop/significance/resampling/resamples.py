"""Resamples of the rows and columns of a score matrix, drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, check_choice


def count_draws(resamples: IntArray, n: int, kept: BoolArray | None = None) -> FloatArray:
    """Count how often each of ``n`` items is in each resample, or in the part of it that is kept; (n_resamples, n)."""
    k = len(resamples)
    flat = resamples + n * np.arange(k)[:, None]
    counts = np.bincount(flat.ravel() if kept is None else flat[kept], minlength=k * n)
    return counts.reshape(k, n).astype(np.float64)


RESAMPLED_UNITS = ("systems", "inputs", "both")


@dataclass(frozen=True, slots=True)
class Resamples(Result):
    """Rows and columns sampled with replacement; None: all of them, once each.

    Attributes
    ----------
    rows : ndarray of int, shape (n_resamples, n_summarizers), or None
        Summarizers of each resample.
    columns : ndarray of int, shape (n_resamples, n_topics), or None
        Topics of each resample.
    """

    rows: IntArray | None = None
    columns: IntArray | None = None

    def __post_init__(self) -> None:
        if len({len(part) for part in (self.rows, self.columns) if part is not None}) != 1:
            raise ValueError("rows and columns are both missing, or differ in number; expected as many")

    def __len__(self) -> int:
        return len(next(part for part in (self.rows, self.columns) if part is not None))

    def part(self, selected: slice) -> Resamples:
        """Return some of the resamples."""
        return Resamples(*(None if part is None else part[selected] for part in (self.rows, self.columns)))


def draw_resamples(
    shape: tuple[int, int], resample: str, n_resamples: int, rng: np.random.Generator
) -> Resamples:
    """Sample rows, columns or both of a matrix with replacement, as many as it has."""
    check_choice(resample, RESAMPLED_UNITS, "resample")
    rows = rng.integers(shape[0], size=(n_resamples, shape[0])) if resample != "inputs" else None
    columns = rng.integers(shape[1], size=(n_resamples, shape[1])) if resample != "systems" else None
    return Resamples(rows, columns)


def exact_dtype(n: int) -> type[np.float32] | type[np.float64]:
    """Smallest float that holds sums of n^3 signs without rounding."""
    return np.float32 if n**3 < 2**24 else np.float64


BATCH_SIZE = 1_000  # resamples worked on at once


def batch_sizes(n: int) -> list[int]:
    """Cut a number of resamples into parts that are worked on at once."""
    return [min(BATCH_SIZE, n - start) for start in range(0, n, BATCH_SIZE)]
