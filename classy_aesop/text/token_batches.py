"""The texts of several topics, read together, with their terms numbered through all of them.

The terms of a topic are consecutive numbers, those of its references first, and no two topics share one. So the number
of an n-gram implies its topic, and one table, one sort and one sum serve all topics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from classy_aesop.text.arrays import Booleans, IndexArray, find_first_equal, run_sums, starts_from_sizes
from classy_aesop.text.pairs import Pairs
from classy_aesop.text.term_ids import TermIds
from classy_aesop.text.vocabulary import Chunks, Vocabulary


@dataclass(frozen=True, eq=False)
class TokenBatch:
    """The tokens of the texts of several topics, sentence after sentence.

    Shapes: ``stem``, ``is_stop_word`` and ``order`` (n_tokens,), ``sentence_lengths`` and
    ``text_of_sentence`` (n_sentences,).
    """

    pairs: Pairs
    stem: IndexArray
    is_stop_word: Booleans
    sentence_lengths: IndexArray
    text_of_sentence: IndexArray
    n_stems: int
    order: IndexArray | None = None

    @classmethod
    def from_chunks(cls, chunks: Chunks, pairs: Pairs, vocabulary: Vocabulary) -> TokenBatch:
        """Find the tokens of texts that the vocabulary has read."""
        numbers, lengths = chunks.tokens()
        is_written = lengths > 0
        return cls(
            pairs,
            numbers >> 1,
            (numbers & 1).astype(bool),
            lengths.compress(is_written),
            chunks.text_of_sentence.compress(is_written),
            len(vocabulary.ids),
        )

    def select_references(self, is_used: Booleans) -> TokenBatch:
        """Keep some of the references, (n_references,), and all summaries; terms keep their order."""
        pairs = self.pairs
        is_kept = ~pairs.is_reference
        is_kept[pairs.is_reference] = is_used
        is_kept_sentence = is_kept.take(self.text_of_sentence)
        is_kept_token = np.repeat(is_kept_sentence, self.sentence_lengths)
        number_of_text = np.cumsum(is_kept) - 1
        n_references = np.bincount(
            pairs.topic_of_reference.compress(is_used), minlength=pairs.n_references.size
        )
        return TokenBatch(
            Pairs(n_references, pairs.n_summaries),
            self.stem.compress(is_kept_token),
            self.is_stop_word.compress(is_kept_token),
            self.sentence_lengths.compress(is_kept_sentence),
            number_of_text.take(self.text_of_sentence.compress(is_kept_sentence)),
            self.n_stems,
            self.term.compress(is_kept_token),
        )

    def join_sentences(self) -> TokenBatch:
        """Make each text one sentence; terms keep their order."""
        text = np.flatnonzero(self.n_tokens)
        return replace(self, sentence_lengths=self.n_tokens.take(text), text_of_sentence=text)

    @cached_property
    def text(self) -> IndexArray:
        """Text of each token, ascending."""
        return np.repeat(self.text_of_sentence, self.sentence_lengths)

    @cached_property
    def topic(self) -> IndexArray:
        """Topic of each token, ascending."""
        return self.pairs.topic_of_text.take(self.text)

    @cached_property
    def is_in_reference(self) -> Booleans:
        """Whether each token is one of a reference."""
        return self.pairs.is_reference.take(self.text)

    @cached_property
    def n_tokens(self) -> IndexArray:
        """Number of tokens of each text."""
        n_sentences = np.bincount(self.text_of_sentence, minlength=self.pairs.topic_of_text.size)
        return run_sums(self.sentence_lengths, n_sentences)

    @cached_property
    def n_tokens_of_references(self) -> IndexArray:
        """Number of tokens of each reference."""
        return self.n_tokens.compress(self.pairs.is_reference)

    @cached_property
    def n_tokens_of_summaries(self) -> IndexArray:
        """Number of tokens of each summary."""
        return self.n_tokens.compress(~self.pairs.is_reference)

    @cached_property
    def _terms(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Term of each token, first term of each topic, and number of terms of its references."""
        first = find_first_equal(self.topic * self.n_stems + self.stem)
        is_first = first == np.arange(first.size)
        n_before = np.append(0, np.cumsum(is_first))
        number = n_before[:-1]
        if self.order is not None:
            term = np.flatnonzero(is_first)
            keys = self.topic.take(term) * 2 + ~self.is_in_reference.take(term)
            ranks = np.lexsort((self.order.take(term), keys))
            number = np.empty(first.size, np.intp)
            number[term.take(ranks)] = np.arange(term.size)
        first_token = np.append(0, np.cumsum(self.n_tokens))
        first_text = starts_from_sizes(self.pairs.n_texts)
        first_term = n_before.take(first_token.take(first_text))
        end_of_references = n_before.take(first_token.take(first_text + self.pairs.n_references))
        return number.take(first), first_term, end_of_references - first_term

    @property
    def term(self) -> IndexArray:
        """Term of each token, numbered by first occurrence."""
        return self._terms[0]

    @property
    def n_terms(self) -> int:
        """Number of terms of all topics."""
        return int(self.term.max(initial=-1)) + 1

    @property
    def first_term(self) -> IndexArray:
        """First term of each topic."""
        return self._terms[1]

    @property
    def n_reference_terms(self) -> IndexArray:
        """Number of terms of the references of each topic."""
        return self._terms[2]

    @cached_property
    def place_of_term(self) -> IndexArray:
        """Each token's term, numbered from 0 in each topic; ``n_reference_terms`` if it is in no reference."""
        place: IndexArray = np.minimum(
            self.term - self.first_term.take(self.topic), self.n_reference_terms.take(self.topic)
        )
        return place

    @cached_property
    def summaries(self) -> TermIds:
        """The summaries alone, with terms numbered from 0 in each topic."""
        pairs = self.pairs
        is_in_summary = ~self.is_in_reference
        is_of_summary = ~pairs.is_reference.take(self.text_of_sentence)
        term = (self.term - self.first_term.take(self.topic)).compress(is_in_summary)
        return TermIds(
            term,
            self.is_stop_word.compress(is_in_summary),
            self.sentence_lengths.compress(is_of_summary),
            pairs.number_of_text.take(self.text_of_sentence.compress(is_of_summary)),
            pairs.topic_of_summary.size,
            int(term.max(initial=-1)) + 1,
        )
