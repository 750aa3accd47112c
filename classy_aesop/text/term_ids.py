"""Term ids and counts of the texts of one topic, as integer arrays.

The texts of a topic are tokenized once, references first. Terms get their ids in the order of their first
occurrence, so the terms of the references are the ids below a bound, and n-grams that are in no reference can be
skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.arrays import (
    Booleans,
    IndexArray,
    mark_first_occurrences,
    rank_keys,
    run_sizes,
    run_sums,
)
from classy_aesop.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class TermIds:
    """The tokens of several texts, one after another."""

    term: IndexArray  # of each token, below ``n_terms``
    is_stop_word: Booleans  # on ROUGE's list, unstemmed
    sentence_lengths: IndexArray  # without empty ones
    text_of_sentence: IndexArray  # ascending
    n_texts: int  # with empty ones
    n_terms: int

    @cached_property
    def text(self) -> IndexArray:
        """The text of each token, ascending."""
        return np.repeat(self.text_of_sentence, self.sentence_lengths)

    @cached_property
    def sentence(self) -> IndexArray:
        """The sentence of each token, numbered through all texts."""
        return np.repeat(np.arange(self.sentence_lengths.size), self.sentence_lengths)

    @cached_property
    def n_tokens(self) -> IndexArray:
        """Number of tokens of each text, shape (n_texts,)."""
        return run_sums(self.sentence_lengths, self.n_sentences)

    @cached_property
    def n_sentences(self) -> IndexArray:
        """Number of sentences of each text, shape (n_texts,)."""
        return run_sizes(self.text_of_sentence, self.n_texts)

    @cached_property
    def type_of_token(self) -> IndexArray:
        """The type of each token, where the distinct terms of each text are numbered through all texts."""
        keys = self.text * self.n_terms + self.term
        return rank_keys(keys, keys, self.n_texts * self.n_terms)[0]

    @cached_property
    def type_counts(self) -> tuple[IndexArray, IndexArray]:
        """The count of each type (distinct term of a text), and the text of each type."""
        counts = np.bincount(self.type_of_token)
        text = np.zeros(counts.size, np.intp)
        text[self.type_of_token] = self.text
        return counts, text

    @cached_property
    def n_types(self) -> IndexArray:
        """Number of distinct terms of each text, shape (n_texts,)."""
        return run_sizes(self.type_counts[1], self.n_texts)

    @cached_property
    def is_content_type(self) -> Booleans:
        """Whether each type is the term of a token that is not a stop word."""
        is_content = np.zeros(self.type_counts[0].size, bool)
        is_content[self.type_of_token.compress(~self.is_stop_word)] = True
        return is_content

    @cached_property
    def n_content_words(self) -> IndexArray:
        """Number of distinct terms of each text's tokens that are not stop words, shape (n_texts,)."""
        return run_sums(self.is_content_type, self.n_types)

    @cached_property
    def is_repeated(self) -> Booleans:
        """Whether the term of each token occurs more than once in its text."""
        is_repeated: Booleans = (self.type_counts[0] > 1).take(self.type_of_token)
        return is_repeated

    @cached_property
    def n_distinct_sentences(self) -> IndexArray:
        """Number of sentences of each text that differ in their terms or in their order, shape (n_texts,)."""
        # A sentence with a term that occurs once is distinct.
        may_recur = run_sums(self.is_repeated, self.sentence_lengths) == self.sentence_lengths
        candidates = np.flatnonzero(may_recur)
        stops = np.cumsum(self.sentence_lengths)[candidates]
        starts = stops - self.sentence_lengths[candidates]
        texts = self.text_of_sentence[candidates]
        rows = zip(candidates.tolist(), texts.tolist(), starts.tolist(), stops.tolist(), strict=True)
        last_of_equal = {
            (text, self.term[start:stop].tobytes()): number for number, text, start, stop in rows
        }
        may_recur[list(last_of_equal.values())] = False  # the remaining ones equal another one
        n_repeated = np.bincount(self.text_of_sentence[may_recur], minlength=self.n_texts)
        return self.n_sentences - n_repeated

    @cached_property
    def n_distinct_bigrams(self) -> IndexArray:
        """Number of distinct bigrams of each text, shape (n_texts,)."""
        return self.count_distinct(2)

    def count_distinct(self, n: int) -> IndexArray:
        """Count the distinct n-grams of each text, which may span sentences, shape (n_texts,)."""
        n_windows = max(self.term.size - n + 1, 0)
        may_recur = self.text[:n_windows] == self.text[self.term.size - n_windows :]
        for step in range(n):  # an n-gram with a term that occurs once is distinct
            may_recur &= self.is_repeated[step : step + n_windows]
        place = np.flatnonzero(may_recur)
        key = self.type_of_token.take(place)
        for step in range(1, n):
            key = key * self.n_terms + self.term.take(place + step)
        repeated = place.compress(~mark_first_occurrences(key))
        n_repeated = np.bincount(self.text.take(repeated), minlength=self.n_texts)
        return np.maximum(self.n_tokens - (n - 1), 0) - n_repeated


def term_ids(texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> TermIds:
    """Tokenize and stem texts, each given as its sentences, and number the terms by first occurrence."""
    chunks = vocabulary.read(texts)
    numbers, lengths = chunks.tokens()
    is_written = lengths > 0
    term, n_terms = _number_by_first_occurrence(numbers >> 1, len(vocabulary.ids))
    return TermIds(
        term,
        (numbers & 1).astype(bool),
        lengths.compress(is_written),
        chunks.text_of_sentence.compress(is_written),
        len(texts),
        n_terms,
    )


def _number_by_first_occurrence(ids: IndexArray, n_ids: int) -> tuple[IndexArray, int]:
    """Renumber ids in the order of their first occurrence, and count the distinct ones."""
    places = np.arange(ids.size)
    first_place = np.empty(n_ids, np.intp)
    first_place[ids[::-1]] = places[::-1]  # the last assignment counts: the first place in the text
    distinct = ids.compress(first_place.take(ids) == places)
    number_of_id = first_place  # is written over
    number_of_id[distinct] = np.arange(distinct.size)
    return number_of_id.take(ids), distinct.size
