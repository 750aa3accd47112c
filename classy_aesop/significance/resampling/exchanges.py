"""Exchanges of two metrics' scores: of whole summarizers, of whole topics, or of single cells.

Of an exchange the sign 1 keeps two scores, -1 exchanges them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, Floats, Result, check_choice
from classy_aesop.significance.resampling.resamples import exact_dtype

EXCHANGED_UNITS = ("cells", "systems", "inputs", "systems_inputs")


@dataclass(frozen=True, slots=True)
class Exchanges(Result):
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
    cells: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return next(len(part) for part in (self.rows, self.columns, self.cells) if part is not None)

    def part(self, selected: slice) -> Exchanges:
        """Return some of the exchanges."""
        return Exchanges(
            rows=None if self.rows is None else self.rows[selected],
            columns=None if self.columns is None else self.columns[selected],
            cells=None if self.cells is None else self.cells[selected],
        )

    def turned(self, n_topics: int) -> Exchanges:
        """Give the same exchanges of turned matrices, (n_topics, n_summarizers)."""
        if self.cells is None:
            return Exchanges(self.columns, self.rows)
        bits = np.unpackbits(self.cells, axis=2, count=n_topics)
        return Exchanges(cells=np.packbits(bits.transpose(0, 2, 1), axis=2))

    def signs(self, topic: int, n: int) -> Floats:
        """Give -1 for the summarizers exchanged in a topic, else 1, (n_swaps, n_summarizers).

        Not of whole topics, ``columns``; without rows and cells all ``n`` summarizers keep their scores, (1, n).
        """
        if self.cells is not None:
            bits = self.cells[:, :, topic // 8] >> np.uint8(7 - topic % 8) & np.uint8(1)
        else:
            bits = np.zeros((1, n), dtype=np.uint8) if self.rows is None else self.rows.view(np.uint8)
        signs: Floats = bits.astype(exact_dtype(n))
        signs *= -2
        signs += 1
        return signs

    def sums(self, D: FloatArray) -> FloatArray:
        """Sum each row of ``D``, a number by cell, under the signs of each exchange, (n_swaps, n_summarizers)."""
        if self.cells is None:
            sums = D.sum(axis=1) if self.columns is None else (1.0 - 2.0 * self.columns) @ D.T
            return np.asarray(sums if self.rows is None else (1.0 - 2.0 * self.rows) * sums)
        found, which = np.zeros(self.cells.shape[:2]), np.arange(len(D))
        for byte in range(self.cells.shape[2]):  # sums of eight topics are looked up by their byte of signs
            part = D[:, 8 * byte : 8 * byte + 8]
            found += (part @ _BYTE_SIGNS[:, : part.shape[1]].T)[which, self.cells[:, :, byte]]
        return found


_BYTE_SIGNS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)


def draw_exchanges(shape: tuple[int, int], swap: str, n_swaps: int, rng: np.random.Generator) -> Exchanges:
    """Exchange each summarizer, topic or cell of a matrix with probability one half.

    Of whole summarizers, or of whole topics, every exchange is given once where there are no more than ``n_swaps``.
    """
    check_choice(swap, EXCHANGED_UNITS, "swap")
    if swap == "cells":
        size = (n_swaps, shape[0], (shape[1] + 7) // 8)
        return Exchanges(cells=rng.integers(256, size=size, dtype=np.uint8))
    n = {"systems": shape[0], "inputs": shape[1]}.get(swap, 64)
    if 2**n <= n_swaps:
        every = np.arange(2**n)[:, None] >> np.arange(n) & 1 > 0
        return Exchanges(rows=every) if swap == "systems" else Exchanges(columns=every)
    rows = rng.integers(2, size=(n_swaps, shape[0]), dtype=bool) if swap != "inputs" else None
    columns = rng.integers(2, size=(n_swaps, shape[1]), dtype=bool) if swap != "systems" else None
    return Exchanges(rows, columns)


def is_exhaustive(swaps: Exchanges) -> bool:
    """Whether these are all exchanges that there are, each once: then p is exact."""
    part = swaps.rows if swaps.columns is None else swaps.columns if swaps.rows is None else None
    return part is not None and len(part) == 2 ** part.shape[1]


def exchange_mask(swaps: Exchanges, which: int, shape: tuple[int, int]) -> BoolArray:
    """Give one exchange as a mask over the cells of a matrix."""
    if swaps.cells is not None:
        return np.unpackbits(swaps.cells[which], axis=-1, count=shape[1]).view(bool)
    mask = np.zeros(shape, dtype=bool)
    if swaps.rows is not None:
        mask ^= swaps.rows[which][:, None]
    if swaps.columns is not None:
        mask ^= swaps.columns[which]
    return mask
