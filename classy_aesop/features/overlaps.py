"""Term overlap of the sentences of each summary: the matrix X of Rankel (2016), section 5.4.1.

X[i, j] is the number of distinct terms that sentences i and j have in common. Summaries with equally many
sentences are stacked, so that one matrix product and one eigenvalue routine serve them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.text.counts import Floats, IntArray, TermIds


@dataclass(frozen=True)
class SentenceOverlaps:
    """What the features need of X, a row a summary, filled up with zeros after its last sentence.

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
    def of(cls, summaries: TermIds) -> SentenceOverlaps:
        """Compute the overlaps of every summary."""
        text, n_sentences = summaries.text, summaries.n_sentences
        sentence = summaries.sentence - _before(n_sentences)[text]
        n_types = np.bincount(summaries.type_counts[1], minlength=summaries.n_texts)
        term = summaries.type_of_token - _before(n_types)[text]
        shape = summaries.n_texts, int(n_sentences.max(initial=1))
        found = cls(np.zeros(shape), np.zeros((shape[0], shape[1] - 1)), np.zeros(shape))
        place = np.zeros(summaries.n_texts, np.intp)
        for n in np.unique(n_sentences[n_sentences > 0]):
            rows = np.flatnonzero(n_sentences == n)
            place[rows] = np.arange(rows.size)
            here = np.flatnonzero(n_sentences[text] == n)
            held = np.zeros((rows.size, n, int(n_types[rows].max())))
            held[place[text[here]], sentence[here], term[here]] = 1.0
            found._fill(rows, held @ held.transpose(0, 2, 1))
        return found

    def _fill(self, rows: IntArray, X: Floats) -> None:
        n = X.shape[1]
        self.sizes[rows, :n] = np.diagonal(X, axis1=1, axis2=2)
        self.adjacent[rows, : n - 1] = np.diagonal(X, offset=1, axis1=1, axis2=2)
        # X is a Gram matrix: its singular values are its eigenvalues.
        values = np.linalg.eigvalsh(X)[:, ::-1]
        noise = n * np.finfo(float).eps * values[:, :1]
        self.singular_values[rows, :n] = np.where(values > noise, values, 0.0)


def summed(rows: Floats) -> Floats:
    """Sum of each row."""
    sums: Floats = rows.sum(axis=1)
    return sums


def _before(counts: IntArray) -> IntArray:
    """How many there are before each."""
    return np.cumsum(counts) - counts
