"""Exchanges of two metrics' scores: of whole summarizers, of whole topics, or of single cells.

Of an exchange the sign 1 keeps two scores, -1 exchanges them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import AnyFloats, BoolArray, FloatArray, Result, check_choice
from classy_aesop.significance.resampling.resamples import BATCH_SIZE, exact_dtype

EXCHANGED_UNITS = ("cells", "systems", "inputs", "systems_inputs")
"""What is exchanged: single cells, rows, columns (topics), or rows and then columns."""

MAX_ENUMERATED_UNITS = 64
"""More units than this have too many exchanges to make them all."""

_BYTE_SIGNS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
"""The signs of eight topics by the byte that packs them."""


@dataclass(frozen=True, slots=True)
class Exchanges(Result):
    """Which scores of two metrics change places; True or a set bit means exchanged.

    Attributes
    ----------
    rows : ndarray of bool, shape (n_exchanges, n_summarizers), or None
    columns : ndarray of bool, shape (n_exchanges, n_topics), or None
        With rows and columns both, a cell is exchanged when one of the two is, not when both are.
    cells : ndarray of uint8, shape (n_exchanges, n_summarizers, n_bytes), or None
        Each cell on its own; the topics as bits, packed as by ``numpy.packbits``.
    """

    rows: BoolArray | None = None
    columns: BoolArray | None = None
    cells: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return next(len(units) for units in (self.rows, self.columns, self.cells) if units is not None)

    def select(self, selection: slice) -> Exchanges:
        """Give some of the exchanges."""
        return Exchanges(
            rows=None if self.rows is None else self.rows[selection],
            columns=None if self.columns is None else self.columns[selection],
            cells=None if self.cells is None else self.cells[selection],
        )

    def batches(self) -> Iterator[Exchanges]:
        """Give all exchanges in batches of at most `BATCH_SIZE`."""
        return (self.select(slice(start, start + BATCH_SIZE)) for start in range(0, len(self), BATCH_SIZE))

    def transpose(self, n_topics: int) -> Exchanges:
        """Give the same exchanges of transposed matrices, (n_topics, n_summarizers)."""
        if self.cells is None:
            return Exchanges(self.columns, self.rows)
        bits = np.unpackbits(self.cells, axis=2, count=n_topics)
        return Exchanges(cells=np.packbits(bits.transpose(0, 2, 1), axis=2))

    def signs(self, topic: int, n: int) -> AnyFloats:
        """Give the sign of each summarizer in a topic, -1 where it is exchanged, (n_exchanges, n_summarizers).

        Exchanges of whole topics, ``columns``, are not part of it; without rows and cells all ``n`` summarizers keep
        their scores, (1, n).
        """
        if self.cells is not None:
            bits = self.cells[:, :, topic // 8] >> np.uint8(7 - topic % 8) & np.uint8(1)
        else:
            bits = np.zeros((1, n), dtype=np.uint8) if self.rows is None else self.rows.view(np.uint8)
        signs: AnyFloats = bits.astype(exact_dtype(n))
        signs *= -2
        signs += 1
        return signs

    def signed_sums(self, values: FloatArray) -> FloatArray:
        """Sum each row of values by cell under the signs of each exchange.

        Parameters
        ----------
        values : ndarray, shape (n_summarizers, n_topics)

        Returns
        -------
        ndarray, shape (n_exchanges, n_summarizers)
        """
        if self.cells is None:
            sums = values.sum(axis=1) if self.columns is None else (1.0 - 2.0 * self.columns) @ values.T
            return np.asarray(sums if self.rows is None else (1.0 - 2.0 * self.rows) * sums)
        totals = np.zeros(self.cells.shape[:2])
        summarizers = np.arange(len(values))
        for byte in range(self.cells.shape[2]):  # sums of eight topics are looked up by their byte of signs
            eight_topics = values[:, 8 * byte : 8 * byte + 8]
            sums_by_byte = eight_topics @ _BYTE_SIGNS[:, : eight_topics.shape[1]].T
            totals += sums_by_byte[summarizers, self.cells[:, :, byte]]
        return totals

    def is_exhaustive(self) -> bool:
        """Whether these are all exchanges that there are, each once: then p is exact."""
        if self.rows is None and self.columns is not None:
            return bool(len(self.columns) == 2 ** self.columns.shape[1])
        if self.columns is None and self.rows is not None:
            return bool(len(self.rows) == 2 ** self.rows.shape[1])
        return False

    def mask(self, number: int, shape: tuple[int, int]) -> BoolArray:
        """Give one exchange as a mask over the cells of a matrix."""
        if self.cells is not None:
            return np.unpackbits(self.cells[number], axis=-1, count=shape[1]).view(bool)
        mask = np.zeros(shape, dtype=bool)
        if self.rows is not None:
            mask ^= self.rows[number][:, None]
        if self.columns is not None:
            mask ^= self.columns[number]
        return mask


def draw_exchanges(
    shape: tuple[int, int], swap: str, n_exchanges: int, rng: np.random.Generator
) -> Exchanges:
    """Exchange each summarizer, topic or cell of a matrix with probability one half.

    Parameters
    ----------
    shape : (int, int)
        Numbers of summarizers and topics.
    swap : {"cells", "systems", "inputs", "systems_inputs"}
        What is exchanged. Of whole summarizers, or of whole topics, every exchange is given once where there are no
        more than ``n_exchanges``.
    n_exchanges : int
        Number of exchanges.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    Exchanges

    Raises
    ------
    ValueError
        ``swap`` is not known.

    Examples
    --------
    >>> draw_exchanges((2, 5), "systems", 99, np.random.default_rng(0)).rows.tolist()
    [[False, False], [True, False], [False, True], [True, True]]
    """
    check_choice(swap, EXCHANGED_UNITS, "swap")
    if swap == "cells":
        size = (n_exchanges, shape[0], (shape[1] + 7) // 8)
        return Exchanges(cells=rng.integers(256, size=size, dtype=np.uint8))
    n_units = {"systems": shape[0], "inputs": shape[1]}.get(swap, MAX_ENUMERATED_UNITS)
    if 2**n_units <= n_exchanges:
        enumerated = np.arange(2**n_units)[:, None] >> np.arange(n_units) & 1 > 0
        return Exchanges(rows=enumerated) if swap == "systems" else Exchanges(columns=enumerated)
    rows = rng.integers(2, size=(n_exchanges, shape[0]), dtype=bool) if swap != "inputs" else None
    columns = rng.integers(2, size=(n_exchanges, shape[1]), dtype=bool) if swap != "systems" else None
    return Exchanges(rows, columns)
