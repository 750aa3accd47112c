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
        text, sentence, term, n_sentences = _occurrences(summaries)
        width = int(n_sentences.max(initial=1))
        shape = summaries.n_texts, width
        found = cls(np.zeros(shape), np.zeros((shape[0], width - 1)), np.zeros(shape))
        group = n_sentences[text]
        for n in np.unique(group):
            rows, here = np.flatnonzero(n_sentences == n), group == n
            place = np.searchsorted(rows, text[here])
            held = np.zeros((rows.size, n, int(term[here].max()) + 1))
            held[place, sentence[here], term[here]] = 1.0
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


def _occurrences(summaries: TermIds) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Text, sentence within the text and term within the text of every token, and each text's sentences."""
    text = summaries.text
    n_tokens = np.bincount(text, minlength=summaries.n_texts)
    filled = np.flatnonzero(n_tokens)
    starts = np.zeros(summaries.n_texts, np.intp)
    starts[filled] = np.cumsum(n_tokens)[filled] - n_tokens[filled]
    sentence = summaries.sentence - summaries.sentence[starts[text]]
    n_sentences = np.zeros(summaries.n_texts, np.intp)
    np.maximum.at(n_sentences, text, sentence + 1)
    return text, sentence, _numbered(text, summaries.term, summaries.n_terms), n_sentences


def _numbered(text: IntArray, term: IntArray, n_terms: int) -> IntArray:
    """Number the distinct terms of each text from 0."""
    distinct, which = np.unique(text * n_terms + term, return_inverse=True)
    owner = distinct // max(n_terms, 1)
    first = np.searchsorted(owner, np.arange(int(text.max(initial=-1)) + 1))
    numbers: IntArray = np.arange(distinct.size) - first[owner]
    return numbers[which]
