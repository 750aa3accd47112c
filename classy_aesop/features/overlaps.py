"""Term overlap of the sentences of each summary: the matrix X of Rankel (2016), section 5.4.1.

X[i, j] is the number of distinct terms that sentences i and j have in common. Summaries with equally many
sentences are stacked, so that one matrix product and one eigenvalue routine handle them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.counts import Floats, IntArray, TermIds

Matrices = list[tuple[IntArray, Floats]]
"""Summaries with equally many sentences, and the matrix X of each, (n_summaries, n, n)."""


def overlap_matrices(summaries: TermIds) -> Matrices:
    """Compute the matrices X of every summary."""
    held, matrices = _terms_of_sentences(summaries), []
    n_sentences, first = summaries.n_sentences, _before(summaries.n_sentences)
    for n in np.unique(n_sentences[n_sentences > 0]):
        rows = np.flatnonzero(n_sentences == n)
        P = held.take(first[rows, None] + np.arange(n), axis=0)
        matrices.append((rows, (P @ P.transpose(0, 2, 1)).astype(float)))
    return matrices


@dataclass(frozen=True)
class SentenceOverlaps:
    """The parts of X that features use, one row per summary, padded with zeros after its last sentence.

    Parameters
    ----------
    sizes : array, shape (n_summaries, n)
        The diagonal: number of distinct terms of each sentence.
    adjacent : array, shape (n_summaries, n - 1)
        Above the diagonal: distinct terms that a sentence shares with the next.
    singular_values : array, shape (n_summaries, n)
        Those of X, in descending order.
    """

    sizes: Floats
    adjacent: Floats
    singular_values: Floats

    @classmethod
    def of(cls, summaries: TermIds, matrices: Matrices) -> SentenceOverlaps:
        """Compute the overlaps of every summary."""
        shape = summaries.n_texts, int(summaries.n_sentences.max(initial=1))
        sizes, adjacent, singular_values = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for rows, X in matrices:
            n = X.shape[1]
            sizes[rows, :n] = np.diagonal(X, 0, 1, 2)
            adjacent[rows, : n - 1] = np.diagonal(X, 1, 1, 2)
            # X is a Gram matrix: its singular values are its eigenvalues.
            singular_values[rows, :n] = np.linalg.eigvalsh(X)[:, ::-1]
        return cls(sizes, adjacent[:, :-1], _without_noise(singular_values, summaries.n_sentences))


@dataclass(frozen=True)
class SentenceSimilarity:
    """The similarity of all pairs of sentences of each summary; arrays with one entry per pair.

    Parameters
    ----------
    text : array of int
        The summary that the pair belongs to.
    distance : array of int
        The distance between the two in sentences; 1 for neighbours.
    cosine : array of float
        Common terms divided by the geometric mean of both sentences' numbers of terms, 0 to 1.
    """

    text: IntArray
    distance: IntArray
    cosine: Floats

    @classmethod
    def of(cls, matrices: Matrices) -> SentenceSimilarity:
        """Compare the sentences of every summary."""
        text, distance, cosine = [np.zeros(0, int)], [np.zeros(0, int)], [np.zeros(0)]
        for rows, X in matrices:
            n = X.shape[1]
            first, second = np.nonzero(np.arange(n)[:, None] < np.arange(n))
            cells, sizes = X.reshape(-1, n * n), np.diagonal(X, axis1=1, axis2=2)
            roots = np.sqrt(sizes.take(first, axis=1) * sizes.take(second, axis=1))
            cosine.append((cells.take(first * n + second, axis=1) / roots).ravel())
            distance.append(np.tile(second - first, rows.size))
            text.append(np.repeat(rows, first.size))
        return cls(np.concatenate(text), np.concatenate(distance), np.concatenate(cosine))


def _terms_of_sentences(summaries: TermIds) -> NDArray[np.float32]:
    """Which of the distinct terms of its text each sentence holds (1 or 0), one row per sentence."""
    n_types = np.bincount(summaries.type_counts[1], minlength=summaries.n_texts)
    width = int(n_types.max(initial=0))
    # Single precision is exact for small whole numbers and needs half the memory.
    held = np.zeros(summaries.sentence_lengths.size * width, np.float32)
    row = np.arange(summaries.sentence_lengths.size)
    before_row = row * width - _before(n_types)[summaries.text_of_sentence]
    held[summaries.type_of_token + np.repeat(before_row, summaries.sentence_lengths)] = 1.0
    return held.reshape(row.size, width)


def _without_noise(singular_values: Floats, n_sentences: IntArray) -> Floats:
    """Set singular values to 0 that differ from 0 by rounding only."""
    noise = n_sentences[:, None] * np.finfo(float).eps * singular_values[:, :1]
    return np.where(singular_values > noise, singular_values, 0.0)


def summed(rows: Floats) -> Floats:
    """Sum of each row, added up from left to right, so that it does not depend on how wide the table is."""
    sums: Floats = np.ascontiguousarray(rows.T).sum(axis=0)
    return sums


def _before(counts: IntArray) -> IntArray:
    """Sum of the counts before each."""
    return np.cumsum(counts) - counts
