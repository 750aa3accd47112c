"""What is random: resampled rows and columns of a score matrix, and exchanges of two metrics' scores.

A row is a summarizer, a column a topic. Everything is made in batches, so that no array gets too large.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, batch_slices
from classy_aesop.significance.sign_flips import enumerate_flips

RESAMPLED_UNITS = ("systems", "inputs", "both")
"""What is resampled: the rows, the columns (topics), or both."""

EXCHANGED_UNITS = ("cells", "systems", "inputs")
"""What is exchanged: single cells, rows, or columns (topics)."""

BATCH_SIZE = 1_000
"""Resamples that are computed at once."""

MAX_ENUMERATED_UNITS = 64
"""More units than this have too many exchanges to make them all."""


@dataclass(frozen=True, slots=True)
class Resamples:
    """Rows and columns sampled with replacement, (n_resamples, n) each; None: all of them, once each."""

    rows: IntArray | None = None
    columns: IntArray | None = None

    def __len__(self) -> int:
        units = self.columns if self.rows is None else self.rows
        return 0 if units is None else len(units)

    def batches(self) -> Iterator[Resamples]:
        """Give all resamples in batches of at most `BATCH_SIZE`."""
        for batch in batch_slices(len(self), BATCH_SIZE):
            yield Resamples(*(None if units is None else units[batch] for units in (self.rows, self.columns)))

    def counts(self, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """Count how often each row and each column is drawn, (n_resamples, n) each; (1, n) where all are."""
        n_rows, n_columns = shape
        return _count_or_ones(self.rows, n_rows), _count_or_ones(self.columns, n_columns)


def _count_or_ones(draws: IntArray | None, n: int) -> FloatArray:
    """Count how often each of n units is drawn, (n_resamples, n); (1, n) of ones where nothing is drawn."""
    return np.ones((1, n)) if draws is None else count_draws(draws, n)


@dataclass(frozen=True, slots=True)
class Exchanges:
    """Which scores of two metrics change places, (n_exchanges, n_summarizers or 1, n_topics or 1).

    Exchanges of cells are packed, eight topics in a byte. They are ``exhaustive`` if they are all that there are, each
    once: then p is exact.
    """

    masks: NDArray[Any]
    is_exhaustive: bool = False

    def batches(self, n_topics: int) -> Iterator[BoolArray]:
        """Give the masks in batches of at most `BATCH_SIZE`."""
        for batch in batch_slices(len(self.masks), BATCH_SIZE):
            masks = self.masks[batch]
            if masks.dtype == np.uint8:
                masks = np.unpackbits(masks, axis=2, count=n_topics)
            yield masks.view(bool)


def draw_resamples(
    shape: tuple[int, int], resample: str, n_resamples: int, rng: np.random.Generator
) -> Resamples:
    """Sample rows, columns or both of a matrix with replacement, as many as it has."""
    rows = rng.integers(shape[0], size=(n_resamples, shape[0])) if resample != "inputs" else None
    columns = rng.integers(shape[1], size=(n_resamples, shape[1])) if resample != "systems" else None
    return Resamples(rows, columns)


def draw_exchanges(
    shape: tuple[int, int], swap: str, n_exchanges: int, rng: np.random.Generator
) -> Exchanges:
    """Exchange each summarizer, topic or cell with probability one half; all ways once where these are fewer."""
    if swap == "cells":
        packed_shape = (n_exchanges, shape[0], (shape[1] + 7) // 8)
        return Exchanges(rng.integers(256, size=packed_shape, dtype=np.uint8))
    n_units = shape[0] if swap == "systems" else shape[1]
    is_exhaustive = n_units <= MAX_ENUMERATED_UNITS and 2**n_units <= n_exchanges
    size = (n_exchanges, n_units)
    units = enumerate_flips(n_units) if is_exhaustive else rng.integers(2, size=size, dtype=bool)
    return Exchanges(units[:, :, None] if swap == "systems" else units[:, None, :], is_exhaustive)


def count_draws(resamples: IntArray, n: int) -> FloatArray:
    """Count how often each of n items is in each resample, (n_resamples, n)."""
    n_resamples = len(resamples)
    draws = (resamples + n * np.arange(n_resamples)[:, None]).ravel()
    return np.bincount(draws, minlength=n_resamples * n).reshape(n_resamples, n).astype(np.float64)


def batch_sizes(n: int) -> list[int]:
    """Divide a number of resamples into batches of at most `BATCH_SIZE`."""
    return [min(BATCH_SIZE, n - start) for start in range(0, n, BATCH_SIZE)]


def exact_dtype(n: int) -> type[np.float32] | type[np.float64]:
    """Smallest float type in which sums of n^3 signs are exact."""
    return np.float32 if n**3 < 2**24 else np.float64
