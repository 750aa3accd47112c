"""N-grams and skip-bigrams that summaries share with the references of their topic, each kind counted on first use.

Counts equal those of a `collections.Counter`. N-grams may span sentences. Skip-bigrams are those of ROUGE-SU4 in
version 1.5.5: ordered pairs with at most four words between them, and every unigram except the last one of the text,
which its loop never reaches. `ngram_table` counts all n-grams of any length, for distributions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from classy_aesop.text.arrays import (
    Booleans,
    IndexArray,
    rank_keys,
    run_ends,
    sorted_distinct,
    starts_from_sizes,
)
from classy_aesop.text.pair_counts import PairCounts
from classy_aesop.text.term_ids import TermIds
from classy_aesop.text.token_batches import TokenBatch

SPAN = 5
"""Largest distance between the words of a skip-bigram; at most four words are between them."""


@dataclass(frozen=True)
class NgramRows:
    """Numbers of n-grams among those of all references."""

    row: IndexArray  # (..., n_tokens): of the n-gram that begins at each token
    n_rows: int  # which stands for n-grams that are in no reference
    first_row: IndexArray  # (n_topics,)

    @classmethod
    def number_keys(
        cls, keys: IndexArray, keys_in_references: IndexArray, n_keys: int, first_key: IndexArray
    ) -> NgramRows:
        """Number keys (..., n_tokens) below ``n_keys``, given those of references and the first key of each topic.

        Shapes: ``keys`` (..., n_tokens), ``first_key`` (n_topics,).
        """
        row, distinct = rank_keys(keys, keys_in_references, n_keys)
        return cls(row, distinct.size, np.searchsorted(distinct, first_key))


@dataclass(frozen=True, eq=False)
class Ngrams:
    """The n-grams of the texts of several topics; those of summaries only if they are in a reference of their topic.

    All texts are in one line, so far apart that no n-gram spans two of them. In each topic the terms of the references
    are the numbers below ``n_reference_terms``; that number itself stands for all other terms, and fills the places
    between texts. The
    n-gram that begins at a token has a row: its number among those of all references, in which those of a topic are
    consecutive; or the number of these if it is in none.
    """

    texts: TokenBatch

    @cached_property
    def unigrams(self) -> PairCounts:
        """Counts of words."""
        return self._count(self._unigram_rows)

    @cached_property
    def content_words(self) -> PairCounts:
        """Counts of words that are not stop words; rows are those of `unigrams`."""
        rows = self._unigram_rows
        is_stop_word = self.texts.is_stop_word.take(self._token)
        return self._count(replace(rows, row=np.where(is_stop_word, rows.n_rows, rows.row)))

    @cached_property
    def bigrams(self) -> PairCounts:
        """Counts of pairs of words."""
        return self._count(self._bigram_rows)

    @cached_property
    def trigrams(self) -> PairCounts:
        """Counts of sequences of three words."""
        return self._count(self._trigram_rows)

    @cached_property
    def fourgrams(self) -> PairCounts:
        """Counts of sequences of four words."""
        return self._count(self._lengthen(self._trigram_rows, 3))

    @cached_property
    def skip_bigrams(self) -> PairCounts:
        """Counts of ordered pairs of words at most `SPAN` apart, and of each word but the last one of a text."""
        return self._count(self._skip_rows)

    @cached_property
    def skip_pairs(self) -> PairCounts:
        """Counts of the pairs alone; rows are those of `skip_bigrams`."""
        rows = self._skip_rows
        is_pair = np.ones(rows.n_rows + 1, bool)
        is_pair[rows.row[0]] = False
        return self.skip_bigrams.select_rows(is_pair)

    @cached_property
    def _token(self) -> IndexArray:
        """The tokens whose terms are in a reference, the only ones that begin an n-gram of the references."""
        return np.flatnonzero(self.texts.place_of_term < self.texts.n_reference_terms.take(self.texts.topic))

    @cached_property
    def _term(self) -> IndexArray:
        """The term of each of these tokens, numbered from 0 in each topic."""
        return self.texts.place_of_term.take(self._token)

    @cached_property
    def _text(self) -> IndexArray:
        """The text of each of these tokens."""
        return self.texts.text.take(self._token)

    @cached_property
    def _topic(self) -> IndexArray:
        """The topic of each of these tokens."""
        return self.texts.topic.take(self._token)

    @cached_property
    def _other_term(self) -> IndexArray:
        """The number that stands for terms of no reference, in the topic of each of these tokens."""
        return self.texts.n_reference_terms.take(self._topic)

    @cached_property
    def _is_in_reference(self) -> Booleans:
        """Whether each of these tokens is one of a reference."""
        return self.texts.is_in_reference.take(self._token)

    @cached_property
    def _place(self) -> IndexArray:
        """The place of each of these tokens in the line."""
        return self._token + SPAN * self._text

    @cached_property
    def _line(self) -> IndexArray:
        """The term at each place, with `SPAN` places after each text."""
        texts = self.texts
        line = np.repeat(texts.n_reference_terms.take(texts.pairs.topic_of_text), texts.n_tokens + SPAN)
        line[self._place] = self._term
        return line

    @cached_property
    def _unigram_rows(self) -> NgramRows:
        """Rows of words."""
        term = self.texts.term.take(self._token)
        return NgramRows.number_keys(
            term, term.compress(self._is_in_reference), self.texts.n_terms, self.texts.first_term
        )

    @cached_property
    def _skip_rows(self) -> NgramRows:
        """Rows of unigrams and of pairs at distances 1, 2, ..., shape (SPAN + 1, n_tokens).

        A unigram is a pair with ``n_reference_terms + 1``; the last one of its text is a pair with
        ``n_reference_terms``, which is in no row.
        """
        base = self.texts.n_reference_terms + 2
        first_key = starts_from_sizes(base * base)
        keys = self._line.take(self._place + np.arange(SPAN + 1)[:, None])  # the second words
        keys[0] = self._other_term + 1 - run_ends(self.texts.text).take(self._token)
        exists = (keys != self._other_term) & self._is_in_reference
        keys += self._term * base.take(self._topic) + first_key.take(self._topic)
        return NgramRows.number_keys(keys, keys[exists], int((base * base).sum()), first_key)

    @cached_property
    def _bigram_rows(self) -> NgramRows:
        """Rows of the pairs of neighbouring words."""
        rows = self._skip_rows
        row = rows.row[1]
        row_in_reference = row.compress(self._is_in_reference)
        exists = row_in_reference < rows.n_rows
        return NgramRows.number_keys(row, row_in_reference.compress(exists), rows.n_rows + 1, rows.first_row)

    @cached_property
    def _trigram_rows(self) -> NgramRows:
        """Rows of the sequences of three words."""
        return self._lengthen(self._bigram_rows, 2)

    def _lengthen(self, rows: NgramRows, distance: int) -> NgramRows:
        """Rows of the sequences with the word at a distance from their first one."""
        last = self._line.take(self._place + distance)
        begins = np.flatnonzero(
            (rows.row < rows.n_rows) & (last < self._other_term)
        )  # few: most tokens begin none
        base = int(self.texts.n_reference_terms.max(initial=0)) + 1
        keys = rows.row.take(begins) * base + last.take(begins)
        distinct = sorted_distinct(keys.compress(self._is_in_reference.take(begins)))
        place = np.searchsorted(distinct, keys)
        is_in = np.append(distinct, -1).take(place) == keys
        row = np.full(rows.row.size, distinct.size)
        row[begins] = np.where(is_in, place, distinct.size)
        return NgramRows(row, distinct.size, np.searchsorted(distinct, rows.first_row * base))

    def _count(self, rows: NgramRows) -> PairCounts:
        """Count the n-grams of each text."""
        sizes = np.diff(rows.first_row, append=rows.n_rows)
        return PairCounts.count_rows(self.texts.pairs, self._text, rows.row, sizes)


def ngram_table(ids: TermIds, n: int, *, dropped: Booleans | None = None) -> IndexArray:
    """Count every n-gram of every text; n-grams may span sentences.

    Shapes: ``dropped`` (n_tokens,); gives (n_texts, n_types).
    """
    n_windows = max(ids.term.size - n + 1, 0)
    is_counted = ids.text[:n_windows] == ids.text[ids.term.size - n_windows :]
    if dropped is not None and n_windows:
        is_counted &= ~sliding_window_view(dropped, n).all(axis=1)
    key = ids.term[:n_windows]
    for step in range(1, n):
        key = _number_distinct_keys(key * ids.n_terms + ids.term[step : step + n_windows])
    types = _number_distinct_keys(key[is_counted])
    n_types = int(types.max(initial=-1)) + 1
    cells = ids.text[:n_windows][is_counted] * n_types + types
    return np.bincount(cells, minlength=ids.n_texts * n_types).reshape(ids.n_texts, n_types)


def _number_distinct_keys(keys: IndexArray) -> IndexArray:
    """Number the distinct keys from 0, so that they stay small."""
    numbers: IndexArray = np.unique(keys, return_inverse=True)[1]
    return numbers
