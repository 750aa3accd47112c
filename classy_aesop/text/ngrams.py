"""N-grams and skip-bigrams that the texts of a topic share with its references, each kind counted on first use.

Counts equal those of a `collections.Counter`. N-grams may span sentences. Skip-bigrams are those of ROUGE-SU4 in
version 1.5.5: ordered pairs with at most four words between them, and every unigram except the last one of the text,
which its loop never reaches. `ngram_table` counts all n-grams of any length, for distributions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from classy_aesop.text.arrays import Booleans, Counts, IntArray, SmallIntegers, distinct_rows, exact_product
from classy_aesop.text.terms import TermIds


@dataclass(frozen=True)
class NgramCounts:
    """How often each n-gram of the references occurs in every summary and in every reference.

    Single precision is exact for whole numbers as small as these, and quick to add and multiply.
    """

    summaries: Counts  # (n_summaries, n_ngrams), of n-grams that are in a reference
    references: Counts  # (n_references, n_ngrams)

    @cached_property
    def reference_totals(self) -> IntArray:
        """Number of n-grams of each reference, shape (n_references,)."""
        totals: IntArray = self.references.sum(axis=1).astype(np.intp)
        return totals

    @cached_property
    def clipped_hits(self) -> IntArray:
        """Shared n-grams (n_summaries, n_references), each counted at most as often as in the reference."""
        # min(x, m) is 1 + min(x - 1, m - 1) if both are positive; the second part is 0 for most n-grams.
        repeated = np.flatnonzero(self.references.max(axis=0, initial=0) > 1)
        summaries = np.maximum(self.summaries.take(repeated, axis=1) - 1, 0)
        references = np.maximum(self.references.take(repeated, axis=1) - 1, 0)
        again = np.minimum(summaries[:, None], references).sum(axis=2)
        hits: IntArray = self.shared_types + again.astype(np.intp)
        return hits

    @cached_property
    def shared_types(self) -> IntArray:
        """Number of distinct n-grams that summary and reference share, shape (n_summaries, n_references)."""
        return self.held_sums(self.references > 0)

    @cached_property
    def held(self) -> SmallIntegers:
        """Which n-grams each summary holds (1 or 0), shape (n_summaries, n_ngrams)."""
        return (self.summaries > 0).astype(np.float32)

    def held_sums(self, weights: Booleans | IntArray) -> IntArray:
        """Sums (n_summaries, n_lists) of integer weights (n_lists, n_ngrams) over the n-grams that are held."""
        return exact_product(self.held, weights).astype(np.intp)

    def pooled_hits(self, pooled: SmallIntegers) -> IntArray:
        """Clipped hits of each summary in the counts that `pooled` gives, shape (..., n_summaries)."""
        hits: IntArray = np.minimum(self.summaries, pooled).sum(axis=-1).astype(np.intp)
        return hits

    def pooled(self, meets: Booleans) -> SmallIntegers:
        """Count each n-gram in all references that a summary meets, (..., n_summaries, n_ngrams)."""
        return exact_product(meets, self.references.T)

    def against(self, references: slice) -> NgramCounts:
        """The same summaries with a part of the references."""
        return NgramCounts(self.summaries, self.references[references])


def count_table(row: IntArray, n_rows: int, text: IntArray, n_texts: int, n_references: int) -> NgramCounts:
    """Count the rows (..., n_places) of the text of each place, leaving out row ``n_rows``."""
    cells = text * (n_rows + 1) + row
    counts = np.zeros(n_texts * (n_rows + 1), np.float32)
    np.add.at(counts, cells.ravel(), np.float32(1))
    table = counts.reshape(n_texts, n_rows + 1)
    table[:, n_rows] = 0
    return NgramCounts(table[n_references:], table[:n_references])


SPAN = 5
"""Largest distance between the words of a skip-bigram; at most four words are between them."""


def _of_references(name: str) -> cached_property[NgramCounts]:
    return cached_property(lambda ngrams: getattr(ngrams.sequences, name).against(ngrams.references))


@dataclass(frozen=True, eq=False)
class Ngrams:
    """The n-grams of the summaries and some of the references of a topic; see the properties of `Sequences`."""

    sequences: Sequences
    references: slice  # which of them

    unigrams = _of_references("unigrams")
    content_words = _of_references("content_words")
    bigrams = _of_references("bigrams")
    trigrams = _of_references("trigrams")
    fourgrams = _of_references("fourgrams")
    skip_bigrams = _of_references("skip_bigrams")
    skip_pairs = _of_references("skip_pairs")


@dataclass(frozen=True, eq=False)
class Sequences:
    """The n-grams of a topic's texts; those of summaries only if they are in a reference.

    All texts are in one line, so far apart that no n-gram spans two of them. Terms of the references are the ids
    below a bound; the bound itself stands for all other terms, and fills the places between texts. The n-gram that
    begins at a token has a row: its number among those of the references, or the number of these if it is not there.
    """

    ids: TermIds
    n_references: int  # how many of the texts, the first ones

    @cached_property
    def unigrams(self) -> NgramCounts:
        """Counts of words."""
        return self._counted(self._term, self._bound)

    @cached_property
    def content_words(self) -> NgramCounts:
        """Counts of words that are not stop words."""
        is_stop_word = self.ids.is_stop_word.take(self._token)
        return self._counted(np.maximum(self._term, self._bound * is_stop_word), self._bound)

    @cached_property
    def bigrams(self) -> NgramCounts:
        """Counts of pairs of words."""
        return self._counted(*self._bigram_rows)

    @cached_property
    def trigrams(self) -> NgramCounts:
        """Counts of sequences of three words."""
        return self._counted(*self._trigram_rows)

    @cached_property
    def fourgrams(self) -> NgramCounts:
        """Counts of sequences of four words."""
        return self._counted(*self._longer(*self._trigram_rows, 3))

    @cached_property
    def skip_bigrams(self) -> NgramCounts:
        """Counts of ordered pairs of words at most `SPAN` apart, and of each word but the last one of a text."""
        return self._counted(*self._skip_rows)

    @cached_property
    def skip_pairs(self) -> NgramCounts:
        """Counts of the pairs alone."""
        row, n_rows = self._skip_rows
        return self._counted(row[1:], n_rows)

    @cached_property
    def _bound(self) -> int:
        """Number of terms of the references."""
        n_written = np.searchsorted(self.ids.text, self.n_references)
        return int(self.ids.term[:n_written].max(initial=-1)) + 1

    @cached_property
    def _token(self) -> IntArray:
        """The tokens whose terms are in a reference, the only ones that begin an n-gram of the references."""
        return np.flatnonzero(self.ids.term < self._bound)

    @cached_property
    def _term(self) -> IntArray:
        """The term of each of these tokens."""
        return self.ids.term.take(self._token)

    @cached_property
    def _text(self) -> IntArray:
        """The text of each of these tokens."""
        return self.ids.text.take(self._token)

    @cached_property
    def _place(self) -> IntArray:
        """The place of each of these tokens in the line."""
        return self._token + SPAN * self._text

    @cached_property
    def _line(self) -> IntArray:
        """The term at each place, with `SPAN` places after each text."""
        line = np.full(self.ids.term.size + SPAN * self.ids.n_texts, self._bound)
        line[self._place] = self._term
        return line

    @cached_property
    def _n_written(self) -> int:
        """Number of tokens of the references."""
        return int(np.searchsorted(self._text, self.n_references))

    @cached_property
    def _skip_rows(self) -> tuple[IntArray, int]:
        """Rows of unigrams and of pairs at distances 1, 2, ..., shape (SPAN + 1, n_tokens), and the number of rows.

        A unigram is a pair with ``bound + 1``, or with the bound, which is in no row, if it is the last of its text.
        """
        bound, base = self._bound, self._bound + 2
        keys = self._line.take(self._place + np.arange(SPAN + 1)[:, None])  # the second words
        is_last = np.append(self.ids.text[1:] != self.ids.text[:-1], True)
        keys[0] = bound + 1 - is_last.take(self._token)
        exists = keys[:, : self._n_written] != bound
        keys += self._term * base
        return distinct_rows(keys, keys[:, : self._n_written][exists], base * base)

    @cached_property
    def _bigram_rows(self) -> tuple[IntArray, int]:
        """Rows of the pairs of neighbouring words, and their number."""
        (_, row, *_), n_rows = self._skip_rows
        written = row[: self._n_written]
        return distinct_rows(row, written[written < n_rows], n_rows + 1)

    @cached_property
    def _trigram_rows(self) -> tuple[IntArray, int]:
        """Rows of the sequences of three words, and their number."""
        return self._longer(*self._bigram_rows, 2)

    def _longer(self, row: IntArray, n_rows: int, distance: int) -> tuple[IntArray, int]:
        """Rows of the sequences with the word at a distance from their first one, and their number."""
        base = self._bound + 1
        last = self._line.take(self._place + distance)
        keys = row * base + last
        written = slice(self._n_written)
        exists = (row[written] < n_rows) & (last[written] < self._bound)
        return distinct_rows(keys, keys[written][exists], (n_rows + 1) * base)

    def _counted(self, row: IntArray, n_rows: int) -> NgramCounts:
        return count_table(row, n_rows, self._text, self.ids.n_texts, self.n_references)


def ngram_table(ids: TermIds, n: int, *, dropped: Booleans | None = None) -> IntArray:
    """Count every n-gram of every text, (n_texts, n_types); n-grams may span sentences.

    Those that are made of ``dropped`` tokens (n_tokens,) only, such as function words, are left out.
    """
    n_windows = max(ids.term.size - n + 1, 0)
    kept = ids.text[:n_windows] == ids.text[ids.term.size - n_windows :]
    if dropped is not None and n_windows:
        kept &= ~sliding_window_view(dropped, n).all(axis=1)
    key = ids.term[:n_windows]
    for step in range(1, n):
        key = _numbered(key * ids.n_terms + ids.term[step : step + n_windows])
    types = _numbered(key[kept])
    n_types = int(types.max(initial=-1)) + 1
    cells = ids.text[:n_windows][kept] * n_types + types
    return np.bincount(cells, minlength=ids.n_texts * n_types).reshape(ids.n_texts, n_types)


def _numbered(keys: IntArray) -> IntArray:
    """Number the distinct keys from 0, so that they stay small."""
    numbers: IntArray = np.unique(keys, return_inverse=True)[1]
    return numbers
