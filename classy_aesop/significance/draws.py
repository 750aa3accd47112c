"""What is random: resampled rows and columns of a score matrix, and exchanges of two metrics' scores.

A row is a summarizer, a column a topic. Everything is made in batches, so that no array gets too large.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.sign_flips import enumerate_flips

RESAMPLED_UNITS = ("systems", "inputs", "both")
"""What is resampled: the rows, the columns (topics), or both."""

EXCHANGED_UNITS = ("cells", "systems", "inputs", "systems_inputs")
"""What is exchanged: single cells, rows, columns (topics), or rows and then columns."""

BATCH_SIZE = 1_000
"""Resamples that are computed at once."""

MAX_ENUMERATED_UNITS = 64
"""More units than this have too many exchanges to make them all."""


@dataclass(frozen=True, slots=True)
class _Draws:
    """Draws of units: each field is None, or an array with a row a draw."""

    def __len__(self) -> int:
        return len(next(units for units in self._drawn_units().values()))

    def _drawn_units(self) -> dict[str, NDArray[Any]]:
        """Give the fields that are not None."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: units for name, units in values.items() if units is not None}

    def batches(self) -> Iterator[Self]:
        """Give all draws in batches of at most `BATCH_SIZE`."""
        for start in range(0, len(self), BATCH_SIZE):
            yield replace(
                self,
                **{name: units[start : start + BATCH_SIZE] for name, units in self._drawn_units().items()},
            )


@dataclass(frozen=True, slots=True)
class Resamples(_Draws):
    """Rows and columns sampled with replacement, (n_resamples, n) each; None: all of them, once each."""

    rows: IntArray | None = None
    columns: IntArray | None = None

    def counts(self, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """Count how often each row and each column is drawn, (n_resamples, n) each; (1, n) where all are."""
        rows, columns = (
            np.ones((1, n)) if resamples is None else count_draws(resamples, n)
            for resamples, n in zip((self.rows, self.columns), shape, strict=True)
        )
        return rows, columns


@dataclass(frozen=True, slots=True)
class Exchanges(_Draws):
    """Which scores of two metrics change places: True, or a set bit of ``cells``, which packs topics by eight."""

    rows: BoolArray | None = None
    columns: BoolArray | None = None
    cells: NDArray[np.uint8] | None = None

    def masks(self, n_topics: int) -> BoolArray:
        """Give what is exchanged, (n_exchanges, n_summarizers or 1, n_topics or 1)."""
        if self.cells is not None:
            return np.unpackbits(self.cells, axis=2, count=n_topics).view(bool)
        if self.rows is None:
            assert self.columns is not None
            return self.columns[:, None, :]
        return self.rows[:, :, None] ^ (False if self.columns is None else self.columns[:, None, :])

    def is_exhaustive(self) -> bool:
        """Whether these are all exchanges that there are, each once: then p is exact."""
        units_by_field = self._drawn_units()
        [units] = units_by_field.values() if len(units_by_field) == 1 else [None]
        return self.cells is None and units is not None and len(units) == 2 ** units.shape[1]


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
        size = (n_exchanges, shape[0], (shape[1] + 7) // 8)
        return Exchanges(cells=rng.integers(256, size=size, dtype=np.uint8))
    n_units = {"systems": shape[0], "inputs": shape[1]}.get(swap, MAX_ENUMERATED_UNITS)
    if 2**n_units <= n_exchanges:
        enumerated = enumerate_flips(n_units)
        return Exchanges(rows=enumerated) if swap == "systems" else Exchanges(columns=enumerated)
    rows = rng.integers(2, size=(n_exchanges, shape[0]), dtype=bool) if swap != "inputs" else None
    columns = rng.integers(2, size=(n_exchanges, shape[1]), dtype=bool) if swap != "systems" else None
    return Exchanges(rows, columns)


def count_draws(resamples: IntArray, n: int, selection: BoolArray | None = None) -> FloatArray:
    """Count how often each of n items is in each resample, (n_resamples, n), or in its selected draws."""
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
