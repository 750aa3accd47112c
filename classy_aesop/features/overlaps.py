"""Term overlap of the sentences of each summary: the matrix X of Rankel (2016), section 5.4.1.

X[i, j] is the number of distinct terms that sentences i and j have in common. Summaries with equally many
sentences are stacked, so that one matrix product and one eigenvalue routine handle them all. Of a summary with more
than `MOST_SENTENCES` sentences no matrix is made: see `long_texts`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.features.long_texts import LongText
from classy_aesop.text.counts import Floats, IntArray, TermIds
from classy_aesop.text.runs import run_starts

MOST_SENTENCES = 256
"""Most sentences of a summary whose pairs are compared one by one."""

Matrices = list[tuple[IntArray, Floats]]
"""Summaries with equally many sentences, and the matrix X of each, (n_summaries, n, n)."""


def overlap_matrices(summaries: TermIds) -> Matrices:
    """Compute the matrices X of every summary that is not long."""
    n_sentences = summaries.n_sentences
    size = np.where(n_sentences <= MOST_SENTENCES, n_sentences, 0)
    order = np.argsort(size, kind="stable")
    held, matrices, first = _terms_of_sentences(summaries, size, order), [], 0
    for rows in np.split(order, run_starts(size.take(order))[1:]):
        n = int(size[rows[0]]) if rows.size else 0
        P = held[first : first + rows.size * n].reshape(rows.size, n, held.shape[1])
        first += rows.size * n
        if n:
            matrices.append((rows, (P @ P.transpose(0, 2, 1)).astype(float)))
    return matrices


def long_texts(summaries: TermIds) -> dict[int, LongText]:
    """Give the terms of the sentences of each long summary."""
    rows = np.flatnonzero(summaries.n_sentences > MOST_SENTENCES).tolist()
    return {row: LongText.of(summaries, row) for row in rows}


@dataclass(frozen=True)
class SentenceOverlaps:
    """What features use of X, one value per summary.

    Parameters
    ----------
    shared : array, shape (n_summaries,)
        Sum of the elements above the diagonal: distinct terms that a sentence shares with the next.
    shared_norm : array, shape (n_summaries,)
        The same, each over the geometric mean of both sentences' numbers of distinct terms.
    squares : array, shape (n_summaries, 3)
        Sums of the squares of the singular values of X: of all, all but the largest, all but the two largest.
    """

    shared: Floats
    shared_norm: Floats
    squares: Floats

    @classmethod
    def of(cls, summaries: TermIds, matrices: Matrices, long: dict[int, LongText]) -> SentenceOverlaps:
        """Compute the overlaps of every summary."""
        n = summaries.n_texts
        shared, shared_norm, squares = np.zeros(n), np.zeros(n), np.zeros((n, 3))
        for rows, X in matrices:
            adjacent, roots = np.diagonal(X, 1, 1, 2), np.sqrt(np.diagonal(X, 0, 1, 2))
            shared[rows] = summed(adjacent)
            shared_norm[rows] = summed(adjacent / (roots[:, :-1] * roots[:, 1:]))
            of_values = np.square(_singular_values(X))
            squares[rows] = np.stack([summed(of_values[:, left_out:]) for left_out in range(3)], axis=1)
        for row, text in long.items():
            shared[row], shared_norm[row], squares[row] = text.shared, text.shared_norm, text.squares
        return cls(shared, shared_norm, squares)


@dataclass(frozen=True)
class SentenceSimilarity:
    """Mean similarity of the sentences of each summary; 0 for a single one.

    The similarity of two is the number of common terms over the geometric mean of both sentences' numbers of terms.

    Parameters
    ----------
    next : array, shape (n_summaries,)
        That of neighbours.
    near : array, shape (n_summaries,)
        That of all pairs, weighted by 1 over their distance.
    any : array, shape (n_summaries,)
        That of all pairs.
    """

    next: Floats
    near: Floats
    any: Floats

    @classmethod
    def of(cls, n_summaries: int, matrices: Matrices, long: dict[int, LongText]) -> SentenceSimilarity:
        """Compare the sentences of every summary."""
        means = np.zeros((3, n_summaries))
        for rows, X in matrices:
            n = X.shape[1]
            first, second = np.nonzero(np.arange(n)[:, None] < np.arange(n))
            distance = second - first
            cells, sizes = X.reshape(-1, n * n), np.diagonal(X, axis1=1, axis2=2)
            roots = np.sqrt(sizes.take(first, axis=1) * sizes.take(second, axis=1))
            cosine = cells.take(first * n + second, axis=1) / roots
            for mean, weight in zip(
                means, (distance == 1, 1 / distance, np.ones(distance.size)), strict=True
            ):
                mean[rows] = summed(weight * cosine) / (np.cumsum(weight)[-1] if n > 1 else 1)
        for row, text in long.items():
            means[:, row] = text.similarity
        return cls(*means)


def _terms_of_sentences(summaries: TermIds, size: IntArray, order: IntArray) -> NDArray[np.float32]:
    """Which distinct terms of its text each sentence holds (1 or 0), one row per sentence.

    ``size`` is the number of rows of each text, all of its sentences or 0; the rows are in the ``order`` of the texts.
    """
    n_types, wanted, text = summaries.n_types, size > 0, summaries.text_of_sentence
    width = int(n_types[wanted].max(initial=0))
    # Single precision is exact for small whole numbers and needs half the memory.
    held = np.zeros(int(size.sum()) * width, np.float32)
    first_row = np.empty_like(size)
    first_row[order] = _before(size.take(order))
    row = np.arange(text.size) + (first_row - _before(summaries.n_sentences)).take(text)
    before_row = row * width - _before(n_types).take(text)
    place = summaries.type_of_token + np.repeat(before_row, summaries.sentence_lengths)
    is_short = wanted.take(summaries.text)
    held[place if is_short.all() else place.compress(is_short)] = 1.0
    return held.reshape(-1, width) if width else held.reshape(0, 0)


def _singular_values(X: Floats) -> Floats:
    """Return those of matrices (n_summaries, n, n), in descending order; 0 for what is rounding only."""
    # X is a Gram matrix: its singular values are its eigenvalues.
    values = np.linalg.eigvalsh(X)[:, ::-1]
    noise = X.shape[1] * np.finfo(float).eps * values[:, :1]
    return np.where(values > noise, values, 0.0)


def summed(rows: Floats) -> Floats:
    """Sum of each row, added up from left to right, so that it does not depend on the other rows."""
    sums: Floats = np.cumsum(rows, axis=1)[:, -1:].sum(axis=1)
    return sums


def _before(counts: IntArray) -> IntArray:
    """Sum of the counts before each."""
    return np.cumsum(counts) - counts
