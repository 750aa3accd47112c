"""Exchange of two metrics' scores at random: whole summarizers, whole topics, both, or every cell on its own.

With the mean M = (X + Y)/2 and the half difference D = (X - Y)/2 of two metrics, an exchange is a sign in
each cell: X' = M + s D and Y' = M - s D. Means and sums after an exchange are linear in the signs, which is
what makes thousands of them cheap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, Result, one_of

SWAPS = ("cells", "systems", "inputs", "systems_inputs")

Bits = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Swaps(Result):
    """Which scores of two metrics change places; True or a set bit means exchanged.

    Attributes
    ----------
    rows : ndarray of bool, shape (n_swaps, n_summarizers), or None
    columns : ndarray of bool, shape (n_swaps, n_topics), or None
        With rows and columns both, a cell is exchanged when one of the two is, not when both are.
    cells : ndarray of uint8, shape (n_swaps, n_summarizers, n_bytes), or None
        Each cell on its own; the topics as bits, packed as by ``numpy.packbits``.
    """

    rows: BoolArray | None = None
    columns: BoolArray | None = None
    cells: Bits | None = None

    def turned(self, n_topics: int) -> Swaps:
        """Give the same exchanges of matrices of topics x summarizers."""
        if self.cells is None:
            return Swaps(self.columns, self.rows)
        bits = np.unpackbits(self.cells, axis=2, count=n_topics)
        return Swaps(cells=np.packbits(bits.transpose(0, 2, 1), axis=2))

    def __len__(self) -> int:
        return next(len(part) for part in (self.rows, self.columns, self.cells) if part is not None)


def draw_swaps(shape: tuple[int, int], swap: str, n_swaps: int, rng: np.random.Generator) -> Swaps:
    """Exchange each summarizer, topic or cell of a matrix with probability one half."""
    one_of(swap, SWAPS, "swap")
    if swap == "cells":
        size = (n_swaps, shape[0], (shape[1] + 7) // 8)
        return Swaps(cells=rng.integers(256, size=size, dtype=np.uint8))
    rows = rng.integers(2, size=(n_swaps, shape[0]), dtype=bool) if swap != "inputs" else None
    columns = rng.integers(2, size=(n_swaps, shape[1]), dtype=bool) if swap != "systems" else None
    return Swaps(rows, columns)


def exchanged(swaps: Swaps, which: int, shape: tuple[int, int]) -> BoolArray:
    """Give one exchange as a mask over the cells of a matrix."""
    if swaps.cells is not None:
        return np.unpackbits(swaps.cells[which], axis=1, count=shape[1]).astype(bool)
    mask = np.zeros(shape, dtype=bool)
    if swaps.rows is not None:
        mask ^= swaps.rows[which][:, None]
    if swaps.columns is not None:
        mask ^= swaps.columns[which]
    return mask


def signs(mask: NDArray[np.bool_ | np.uint8]) -> FloatArray:
    """Turn exchanges into signs: -1 where exchanged, else 1."""
    return np.asarray(1.0 - 2.0 * mask, dtype=np.float64)


def topic_signs(swaps: Swaps, topic: int) -> NDArray[np.float32]:
    """Signs of one topic's summarizers that rows or cells decide, shape (n_swaps, n_summarizers)."""
    if swaps.cells is not None:
        return _small_signs(swaps.cells[:, :, topic // 8] >> np.uint8(7 - topic % 8) & np.uint8(1))
    if swaps.rows is None:
        raise ValueError("these swaps exchange whole topics only; expected rows or cells")
    return _small_signs(swaps.rows)


def signed_sums(D: FloatArray, swaps: Swaps) -> FloatArray:
    """Sum each row of ``D`` under the signs of each swap, shape (n_swaps, n_summarizers)."""
    if swaps.cells is not None:
        return _packed_sums(D, swaps.cells)
    sums = D.sum(axis=1) if swaps.columns is None else signs(swaps.columns) @ D.T
    return sums if swaps.rows is None else signs(swaps.rows) * sums


def _small_signs(mask: NDArray[np.bool_ | np.uint8]) -> NDArray[np.float32]:
    result = mask.astype(np.float32)
    result *= -2
    result += 1
    return result


_BYTE_SIGNS = signs(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1))


def _packed_sums(D: FloatArray, cells: Bits) -> FloatArray:
    """Look up the sum of eight topics by their byte of signs instead of adding cell by cell."""
    n, n_bytes = cells.shape[1:]
    padded = np.zeros((n, 8 * n_bytes))
    padded[:, : D.shape[1]] = D
    sums = np.zeros(cells.shape[:2])
    for byte in range(n_bytes):
        table = padded[:, 8 * byte : 8 * byte + 8] @ _BYTE_SIGNS.T
        sums += table[np.arange(n), cells[:, :, byte]]
    return sums
