"""What sentences of a long text share, without a table of all pairs of sentences.

P says which of T distinct terms each of n sentences holds. X = PP' and P'P have the same singular values except zeros,
and equal sentences are one row times the root of their number. So the smaller side is enough, and of that side only
what is needed: the sum of squares of all values, and the two largest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from classy_aesop.text.counts import Floats, IntArray, TermIds

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_VALUES = 1000
"""Longest smaller side of which all singular values are computed."""

_CELLS_TOGETHER = 1 << 22


@dataclass(frozen=True)
class LongText:
    """The terms of the sentences of one text.

    Parameters
    ----------
    held : csr_array, shape (n, T)
        P: 1 where a sentence holds a term; every sentence holds one or more.
    """

    held: csr_array

    @classmethod
    def of(cls, summaries: TermIds, text: int) -> LongText:
        """Take them from one of several texts."""
        from scipy.sparse import csr_array

        own = summaries.text == text
        sentence, term = summaries.sentence[own], np.unique(summaries.term[own], return_inverse=True)[1]
        n_terms = int(term.max(initial=-1)) + 1
        cell = np.unique((sentence - sentence[0]) * n_terms + term)
        n = int(summaries.n_sentences[text])
        cells = np.ones(cell.size), (cell // n_terms, cell % n_terms)
        return cls(csr_array(cells, shape=(n, n_terms)))

    @cached_property
    def sizes(self) -> Floats:
        """Number of distinct terms of each sentence."""
        sizes: Floats = np.diff(self.held.indptr).astype(float)
        return sizes

    @cached_property
    def adjacent(self) -> Floats:
        """Number of terms that each sentence shares with the next."""
        return np.asarray((self.held[:-1] * self.held[1:]).sum(axis=1)).ravel()

    @property
    def shared(self) -> float:
        """Sum of these numbers."""
        return float(self.adjacent.sum())

    @property
    def shared_norm(self) -> float:
        """The same, each over the geometric mean of both sentences' numbers of terms."""
        roots = np.sqrt(self.sizes)
        return float((self.adjacent / (roots[:-1] * roots[1:])).sum())

    @property
    def squares(self) -> tuple[float, float, float]:
        """Sums of squares of the singular values of X: of all, all but the largest, all but the two largest."""
        side = _smaller_side(_distinct_rows(self.held))
        if side.shape[0] <= MOST_VALUES:
            values = np.linalg.eigvalsh((side @ side.T).toarray())[::-1]
            noise = self.sizes.size * np.finfo(float).eps * values[0]
            squares = np.square(np.where(values > noise, values, 0.0))
            return float(squares.sum()), float(squares[1:].sum()), float(squares[2:].sum())
        total = _sum_of_squares(side)
        first, second = np.square(_two_largest(side))
        return total, max(total - first, 0.0), max(total - first - second, 0.0)

    @property
    def similarity(self) -> tuple[float, float, float]:
        """Mean similarity of neighbours, of all pairs weighted by 1 over their distance, and of all pairs."""
        n = self.sizes.size
        unit = self.held.multiply(1 / np.sqrt(self.sizes)[:, None]).tocsc()
        distances = np.arange(1, n)
        near = _over_distances(unit) / ((n - distances) / distances).sum()
        every = (np.square(np.asarray(unit.sum(axis=0))).sum() - n) / (n * (n - 1))
        return self.shared_norm / (n - 1), float(near), float(every)


def _distinct_rows(held: csr_array) -> csr_array:
    """Keep one of equal rows, times the root of their number."""
    numbers: dict[bytes, int] = {}
    places = zip(held.indptr[:-1].tolist(), held.indptr[1:].tolist(), strict=True)
    row = np.array([numbers.setdefault(held.indices[a:b].tobytes(), len(numbers)) for a, b in places])
    _, first, counts = np.unique(row, return_index=True, return_counts=True)
    return held[first].multiply(np.sqrt(counts)[:, None]).tocsr()


def _smaller_side(held: csr_array) -> csr_array:
    return held if held.shape[0] <= held.shape[1] else held.T.tocsr()


def _sum_of_squares(side: csr_array) -> float:
    """Sum of squares of side @ side.T, block by block, by rows or columns, whichever needs fewer products."""
    of_rows, of_columns = (np.square(np.diff(one.indptr)).sum() for one in (side, side.tocsc()))
    side = side if of_columns <= of_rows else side.T.tocsr()
    other = side.T.tocsr()
    return float(sum(np.square((side[block] @ other).data).sum() for block in _blocks(side, other)))


def _blocks(side: csr_array, other: csr_array) -> Iterator[slice]:
    """Divide rows into blocks of so many products that they are in memory at a time."""
    n_products = np.diff(np.concatenate([[0], np.cumsum(np.diff(other.indptr)[side.indices])])[side.indptr])
    block = np.cumsum(n_products) // _CELLS_TOGETHER
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return (slice(a, b) for a, b in zip(starts, [*starts[1:], side.shape[0]], strict=True))


def _two_largest(side: csr_array) -> Floats:
    """Return the two largest eigenvalues of side @ side.T, the largest first."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    n, turned = side.shape[0], side.T.tocsr()
    product: Any = LinearOperator((n, n), matvec=lambda x: side @ (turned @ x), dtype=float)
    start = np.sqrt(np.asarray(side.sum(axis=1)).ravel())
    return np.sort(eigsh(product, k=2, v0=start, ncv=40, tol=1e-9, return_eigenvectors=False))[::-1]


def _over_distances(unit: Any) -> float:
    """Sum over all pairs of rows of their product, divided by the distance of the rows.

    Terms of few sentences pair by pair, those of many by a product of their Fourier transforms.
    """
    n, counts = unit.shape[0], np.diff(unit.indptr)
    is_frequent = counts > 4 * np.sqrt(n)
    kernel = np.fft.rfft(np.concatenate([[0.0], 1 / np.arange(1, n)]), 2 * n)
    total = 0.0
    for term in np.flatnonzero(is_frequent):
        place = slice(*unit.indptr[term : term + 2])
        dense = np.zeros(n)
        dense[unit.indices[place]] = unit.data[place]
        total += float(dense @ np.fft.irfft(np.fft.rfft(dense, 2 * n) * kernel, 2 * n)[:n])
    return total + _pair_by_pair(unit, ~is_frequent)


def _pair_by_pair(unit: Any, terms: IntArray) -> float:
    """Do so for some columns, with the next sentence of the same term, the one after it and so on."""
    counts = np.where(terms, np.diff(unit.indptr), 0)
    term = np.repeat(np.arange(counts.size), counts)
    own = np.repeat(terms, np.diff(unit.indptr))
    row, value, total = unit.indices[own], unit.data[own], 0.0
    for step in range(1, int(counts.max(initial=0))):
        kept = counts[term] > step
        term, row, value = term[kept], row[kept], value[kept]
        alike = np.flatnonzero(term[step:] == term[:-step])
        total += (value[alike] * value[alike + step] / (row[alike + step] - row[alike])).sum()
    return float(total)
