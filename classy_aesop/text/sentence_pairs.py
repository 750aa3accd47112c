"""The sentences of summaries and of references, which are compared with each other for common subsequences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import IndexArray, run_starts, starts_from_sizes
from classy_aesop.text.token_batches import TokenBatch

Bits = NDArray[np.int64]

MAX_WORDS_OF_PIECE = 52
"""Most words of a piece of a sentence: a double has this many bits, and gives the highest one by its exponent."""


@dataclass(frozen=True, eq=False)
class ReferenceSentences:
    """The sentences of references, in pieces of at most `MAX_WORDS_OF_PIECE` words."""

    token: IndexArray  # (n_tokens,): place of each in the batch
    sentence: IndexArray  # (n_tokens,): ascending
    lengths: IndexArray  # (n_sentences,)
    reference: IndexArray  # (n_sentences,)
    topic: IndexArray  # (n_sentences,)

    @classmethod
    def from_batch(cls, texts: TokenBatch) -> ReferenceSentences:
        """Find the sentences."""
        pairs = texts.pairs
        is_of_reference = pairs.is_reference.take(texts.text_of_sentence)
        text = texts.text_of_sentence.compress(is_of_reference)
        lengths = texts.sentence_lengths.compress(is_of_reference)
        sentence = np.repeat(np.arange(lengths.size), lengths)
        token = np.flatnonzero(texts.is_in_reference)
        return cls(token, sentence, lengths, pairs.number_of_text.take(text), pairs.topic_of_text.take(text))

    @cached_property
    def starts(self) -> IndexArray:
        """Place of the first token of each sentence among ``token``."""
        return starts_from_sizes(self.lengths)

    @cached_property
    def n_pieces(self) -> IndexArray:
        """Number of pieces of each sentence."""
        return -(-self.lengths // MAX_WORDS_OF_PIECE)

    @cached_property
    def first_piece(self) -> IndexArray:
        """First piece of each sentence."""
        return starts_from_sizes(self.n_pieces)

    @cached_property
    def sentence_of_piece(self) -> IndexArray:
        """Sentence of each piece, ascending."""
        return np.repeat(np.arange(self.lengths.size), self.n_pieces)

    @cached_property
    def _place(self) -> IndexArray:
        """Place of each token in its sentence."""
        return np.arange(self.token.size) - self.starts.take(self.sentence)

    @cached_property
    def piece(self) -> IndexArray:
        """Piece of each token."""
        return self.first_piece.take(self.sentence) + self._place // MAX_WORDS_OF_PIECE

    @property
    def bit(self) -> Bits:
        """Place of each token in its piece, as a bit."""
        return np.int64(1) << self._place % MAX_WORDS_OF_PIECE


@dataclass(frozen=True, eq=False)
class SummarySentences:
    """The sentences of summaries; those of a topic with the same terms in the same order are compared once."""

    distinct: IndexArray  # (n_sentences,): the distinct sentence that each is
    summary: IndexArray  # (n_sentences,): ascending
    token: IndexArray  # (n_tokens,): place in the batch of each token of the distinct sentences
    owner: IndexArray  # (n_tokens,): distinct sentence of each, ascending
    topic: IndexArray  # (n_distinct,): ascending

    @classmethod
    def from_batch(cls, texts: TokenBatch) -> SummarySentences:
        """Find the sentences."""
        is_of_summary = ~texts.pairs.is_reference.take(texts.text_of_sentence)
        text = texts.text_of_sentence.compress(is_of_summary)
        lengths = texts.sentence_lengths.compress(is_of_summary)
        token = np.flatnonzero(~texts.is_in_reference)
        term = texts.term.take(token)
        stops = np.cumsum(lengths) * term.itemsize
        bounds = zip([0, *stops.tolist()], stops.tolist(), strict=False)
        coded = term.tobytes()
        numbers: dict[bytes, int] = {}
        distinct = np.array(
            [numbers.setdefault(coded[start:stop], len(numbers)) for start, stop in bounds], np.intp
        )
        is_first = np.zeros(distinct.size, bool)
        is_first[run_starts(np.maximum.accumulate(distinct))] = True  # numbered as they come
        topic = texts.pairs.topic_of_text.take(text.compress(is_first))
        is_of_first = np.repeat(is_first, lengths)
        owner = np.repeat(distinct, lengths).compress(is_of_first)
        return cls(distinct, texts.pairs.number_of_text.take(text), token.compress(is_of_first), owner, topic)


@dataclass(frozen=True, eq=False)
class SentencePairs:
    """The sentences of the texts of several topics."""

    texts: TokenBatch
    counted: TokenBatch | None = None

    @cached_property
    def references(self) -> ReferenceSentences:
        """The sentences of references."""
        return ReferenceSentences.from_batch(self.texts)

    @cached_property
    def summaries(self) -> SummarySentences:
        """The sentences of summaries."""
        return SummarySentences.from_batch(self.texts)

    def max_hits(self, summary: IndexArray, token: IndexArray) -> IndexArray:
        """How often each summary and the reference of each token both have the token's word."""
        counts, first = self._word_counts
        texts = self.texts
        place_of_term = texts.place_of_term.take(token)
        text_of_summary = np.flatnonzero(~texts.pairs.is_reference).take(summary)
        n_in_reference = counts.take(first.take(texts.text.take(token)) + place_of_term)
        n_in_summary = counts.take(first.take(text_of_summary) + place_of_term)
        return np.minimum(n_in_reference, n_in_summary)

    @cached_property
    def _word_counts(self) -> tuple[IndexArray, IndexArray]:
        """Count the terms of references in each text: a block (n_reference_terms + 1,) a text, and its first place."""
        pairs = self.texts.pairs
        width = self.texts.n_reference_terms.take(pairs.topic_of_text) + 1
        first = starts_from_sizes(width)
        text = self.texts.text if self.counted is None else self.counted.text
        cells = first.take(text) + self._place_of_counted_term
        return np.bincount(cells, minlength=int(width.sum())), first

    @property
    def _place_of_counted_term(self) -> IndexArray:
        """The term of each counted token, numbered as those of the sentences."""
        texts = self.texts
        if self.counted is None:
            return texts.place_of_term
        keys, token = np.unique(texts.topic * texts.n_stems + texts.stem, return_index=True)
        key = self.counted.topic * texts.n_stems + self.counted.stem
        place = np.searchsorted(keys, key)
        is_in = np.append(keys, -1).take(place) == key
        place_of_term = np.append(texts.place_of_term.take(token), 0).take(place)
        return np.where(is_in, place_of_term, texts.n_reference_terms.take(self.counted.topic))
