"""N-grams and skip-bigrams that the texts of a topic share with its references, each kind counted on first use.

Counts equal those of a `collections.Counter`. N-grams may span sentences. Skip-bigrams are those of ROUGE-SU4 in
version 1.5.5: ordered pairs with at most four words between them, and every unigram except the last one of the text,
which its loop never reaches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.counts import Booleans, IntArray, NgramCounts, TermIds, count_table, distinct_rows

SPAN = 5
"""Largest distance between the words of a skip-bigram; at most four words are between them."""


@dataclass(frozen=True, eq=False)
class Ngrams:
    """The n-grams of the summaries and some of the references of a topic.

    Parameters
    ----------
    sequences : Sequences
        Those of all its texts.
    references : slice
        Which of the references.
    """

    sequences: Sequences
    references: slice

    @cached_property
    def unigrams(self) -> NgramCounts:
        """Words."""
        return self.sequences.unigrams.against(self.references)

    @cached_property
    def content_words(self) -> NgramCounts:
        """Words that are not stop words."""
        return self.sequences.content_words.against(self.references)

    @cached_property
    def bigrams(self) -> NgramCounts:
        """Pairs of neighbouring words."""
        return self.sequences.bigrams.against(self.references)

    @cached_property
    def trigrams(self) -> NgramCounts:
        """Sequences of three words."""
        return self.sequences.trigrams.against(self.references)

    @cached_property
    def fourgrams(self) -> NgramCounts:
        """Sequences of four words."""
        return self.sequences.fourgrams.against(self.references)

    @cached_property
    def skip_bigrams(self) -> NgramCounts:
        """Skip-bigrams of ROUGE-SU4, including its unigrams."""
        return self.sequences.skip_bigrams.against(self.references)

    @cached_property
    def skip_pairs(self) -> NgramCounts:
        """Skip-bigrams without the unigrams of ROUGE-SU4."""
        return self.sequences.skip_pairs.against(self.references)


@dataclass(frozen=True, eq=False)
class Sequences:
    """The n-grams of a topic's texts; those of summaries only if they are in a reference.

    All texts are in one line, so far apart that no n-gram spans two of them. Terms of the references are the ids
    below a bound; the bound itself stands for all other terms, and fills the places between texts. The n-gram that
    begins at a token has a row: its number among those of the references, or the number of these if it is not there.

    Parameters
    ----------
    ids : TermIds
        The texts.
    n_references : int
        How many of them are references.
    """

    ids: TermIds
    n_references: int

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
        first = self._term * base
        keys = np.empty((SPAN + 1, first.size), np.intp)
        np.add(first, bound + 1, out=keys[0])
        keys[0, self._is_last] = bound
        for distance in range(1, SPAN + 1):
            np.add(first, self._line.take(self._place + distance), out=keys[distance])
        written = keys[:, : self._n_written]
        return distinct_rows(keys, written[written % base != bound], base * base)

    @property
    def _is_last(self) -> Booleans:
        """Whether each of these tokens is the last of its text."""
        is_last = np.ones(self.ids.term.size, bool)
        np.not_equal(self.ids.text[1:], self.ids.text[:-1], out=is_last[:-1])
        return is_last.take(self._token)

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
