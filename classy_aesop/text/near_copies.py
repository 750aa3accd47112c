"""The distinct n-grams of texts, and the texts that are near copies of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import (
    Booleans,
    Floats,
    IndexArray,
    exact_product,
    find_first_equal,
    hash_keys,
    mark_first_occurrences,
    run_sizes,
    run_starts,
    run_sums,
)
from classy_aesop.text.term_ids import TermIds

MIN_SHARED_NGRAMS = 0.8
"""Two texts are near copies if they have in common this share of the n-grams that either has."""

MIN_SHARED_WORDS = 0.85
"""Two texts are edited copies if they have in common this share of the words of the longer one."""

_MAX_COMPARED_TEXTS = 1024
"""Most texts of a topic that are compared pair by pair."""

_MAX_TABLE_CELLS = 1 << 22
"""Most cells of a table of texts and n-grams that is filled at once."""


@dataclass(frozen=True, eq=False)
class NgramSets:
    """The distinct n-grams of each text."""

    owner: IndexArray  # the text of each n-gram, ascending
    ngram: IndexArray  # its number; not all are in use, and those of a later topic are larger
    n_texts: int
    n_ngrams: int  # a bound of the numbers

    @classmethod
    def content_words(cls, ids: TermIds, topic: IndexArray) -> NgramSets:
        """Collect the terms that are not stop words; equal ones in texts of different topics (ascending) differ."""
        word, n_words = _number_words(ids, topic)
        word_of_type = np.empty(ids.type_counts[0].size, np.intp)
        word_of_type[ids.type_of_token] = word
        content_types = np.flatnonzero(ids.is_content_type)
        text_of_type = ids.type_counts[1]
        return cls(text_of_type.take(content_types), word_of_type.take(content_types), ids.n_texts, n_words)

    @classmethod
    def bigrams(cls, ids: TermIds, topic: IndexArray) -> NgramSets:
        """Collect the pairs of neighbouring terms of a sentence, with stop words; as `content_words`."""
        is_followed = np.ones(ids.term.size, bool)
        is_followed[np.cumsum(ids.sentence_lengths) - 1] = False
        place = np.flatnonzero(is_followed[:-1])
        word, n_words = _number_words(ids, topic)
        owner = ids.text.take(place)
        bigram = find_first_equal((word[:-1] * n_words + word[1:]).take(place))
        # Only a pair of words that both recur in the text can recur.
        may_recur = np.flatnonzero((ids.is_repeated[:-1] & ids.is_repeated[1:]).take(place))
        bigram_of_text = owner.take(may_recur) * place.size + bigram.take(may_recur)
        is_first = np.ones(place.size, bool)
        is_first[may_recur] = mark_first_occurrences(bigram_of_text)
        first = np.flatnonzero(is_first)
        return cls(owner.take(first), bigram.take(first), ids.n_texts, place.size)

    @classmethod
    def words(cls, ids: TermIds, topic: IndexArray) -> NgramSets:
        """Collect all words; a term's second occurrence in a text differs from its first. As `content_words`."""
        word, n_words = _number_words(ids, topic)
        repeated = np.flatnonzero(ids.is_repeated)
        repeated = repeated.take(np.argsort(ids.type_of_token.take(repeated), kind="stable"))
        starts = run_starts(ids.type_of_token.take(repeated))
        occurrence = np.arange(repeated.size) - np.repeat(starts, np.diff(starts, append=repeated.size))
        later = repeated.compress(occurrence > 0)
        key = occurrence.compress(occurrence > 0) * n_words + word.take(later)
        word[later] = n_words + find_first_equal(key)
        return cls(ids.text, word, ids.n_texts, n_words + later.size)

    @cached_property
    def sizes(self) -> IndexArray:
        """Number of n-grams of each text, shape (n_texts,)."""
        return run_sizes(self.owner, self.n_texts)

    def count_shared(self, is_compared: Booleans) -> IndexArray:
        """Count the n-grams of each text that at least two of the compared texts have, shape (n_texts,)."""
        n_with = np.bincount(self.ngram.compress(is_compared.take(self.owner)), minlength=self.n_ngrams)
        return run_sums(n_with.take(self.ngram) > 1, self.sizes)

    def count_common(self, texts: IndexArray) -> IndexArray:
        """Count the n-grams that each two different texts on one topic have in common; ``texts`` are ascending."""
        start, stop = np.searchsorted(self.owner, (texts[0], texts[-1] + 1))
        row_of = np.full(texts[-1] + 1 - texts[0], -1)
        row_of[texts - texts[0]] = np.arange(texts.size)
        row = row_of.take(self.owner[start:stop] - texts[0])
        ngram = self.ngram[start:stop]
        if texts.size < row_of.size:
            is_in = row >= 0
            row = row.compress(is_in)
            ngram = ngram.compress(is_in)
        ngram = ngram - ngram.min(initial=self.n_ngrams)
        n_with = np.bincount(ngram)
        common = np.flatnonzero(n_with > 1)
        column = np.empty_like(n_with)
        column[common] = np.arange(common.size)
        is_common = np.flatnonzero(n_with.take(ngram) > 1)
        return _count_shared_columns(row.take(is_common), column.take(ngram.take(is_common)), texts.size)


def _number_words(ids: TermIds, topic: IndexArray) -> tuple[IndexArray, int]:
    """Number the word of each token, so that words of different topics have different numbers, and bound them."""
    n_tokens = np.bincount(topic, ids.n_tokens, minlength=1).astype(np.intp)
    n_terms = np.zeros(n_tokens.size, np.intp)
    nonempty = np.flatnonzero(n_tokens)
    starts = np.cumsum(n_tokens) - n_tokens
    if nonempty.size:
        n_terms[nonempty] = np.maximum.reduceat(ids.term, starts.take(nonempty)) + 1
    return np.repeat(np.cumsum(n_terms) - n_terms, n_tokens) + ids.term, int(n_terms.sum())


def _count_shared_columns(row: IndexArray, column: IndexArray, n_rows: int) -> IndexArray:
    """Count the columns in which two rows both have a cell, given each cell's row and column; (n_rows, n_rows)."""
    n_common = np.zeros((n_rows, n_rows), np.intp)
    width = max(1, _MAX_TABLE_CELLS // n_rows)
    n_columns = int(column.max(initial=-1)) + 1
    for start in range(0, n_columns, width):
        n_here = min(width, n_columns - start)
        cells = row * n_here + column - start
        if n_here < n_columns:
            cells = cells[(column >= start) & (column < start + n_here)]
        is_in = np.zeros(n_rows * n_here, np.float32)
        is_in[cells] = 1
        table = is_in.reshape(n_rows, n_here)
        n_common += exact_product(table, table).astype(np.intp)
    return n_common


def group_near_copies(sets: Sequence[NgramSets], topic: IndexArray, is_compared: Booleans) -> IndexArray:
    """Find the first of the near copies of each text, or the text itself.

    Two texts are near copies if they have in common at least `MIN_SHARED_NGRAMS` of the n-grams that either of them
    has, and so are two texts if both are near copies of a third. Of the texts on a topic that might be near copies, the
    first 1,024 are compared, since this takes the square of their number.

    Shapes: ``topic`` and ``is_compared`` (n_texts,); gives (n_texts,).
    """
    first = np.arange(topic.size)
    size = np.sum([ngrams.sizes for ngrams in sets], axis=0)
    bits = _sketch_texts(sets)
    if np.bincount(topic).max(initial=0) > _MAX_COMPARED_TEXTS // 8:  # the pairs of fewer take no longer
        # A near copy shares most of its n-grams with one text, so with some text; few texts do, unless they are copies.
        n_shared = np.sum([ngrams.count_shared(is_compared) for ngrams in sets], axis=0)
        is_compared = is_compared & (n_shared >= MIN_SHARED_NGRAMS * size)
    for texts in _compared_texts_of_topics(topic, is_compared):
        total_size = size.take(texts)[:, None] + size.take(texts)
        n_different_bits = np.zeros(total_size.shape, np.int32)
        for bits_of_texts in bits[:, texts]:
            n_different_bits += np.bitwise_count(bits_of_texts[:, None] ^ bits_of_texts)
        may_be_near = _may_be_near((total_size - n_different_bits) / 2, total_size).any(axis=1)
        _link_near_copies(sets, texts.compress(may_be_near), size, first)
    return first


def _compared_texts_of_topics(topic: IndexArray, is_compared: Booleans) -> list[IndexArray]:
    """List the compared texts of each topic, at most `_MAX_COMPARED_TEXTS` of each."""
    texts = np.flatnonzero(is_compared)
    texts_of_topics = np.split(texts, run_starts(topic.take(texts))[1:])
    return [texts_of_topic[:_MAX_COMPARED_TEXTS] for texts_of_topic in texts_of_topics]


def _sketch_texts(sets: Sequence[NgramSets]) -> NDArray[np.uint64]:
    """Sketch each text in bits, (n_words, n_texts): each of its n-grams flips one of them.

    So two texts differ in no more bits than there are n-grams that only one of them has.
    """
    owner = np.concatenate([ngrams.owner for ngrams in sets])
    ngram = np.concatenate([ngrams.ngram for ngrams in sets])
    n_texts = max(sets[0].n_texts, 1)
    width = max(6, (3 * owner.size // (4 * n_texts)).bit_length())  # with fewer, many would seem near
    flips = np.zeros(n_texts << width, np.uint8)
    np.add.at(flips, (owner << width) + hash_keys(ngram, width), np.uint8(1))
    return np.ascontiguousarray(np.packbits(flips & 1).view(np.uint64).reshape(n_texts, -1).T)


def _may_be_near(max_common: Floats | IndexArray, total_size: IndexArray) -> Booleans:
    """Mark different texts that can be near copies, given the most n-grams they can share and all that they have."""
    is_near: Booleans = max_common >= MIN_SHARED_NGRAMS * (total_size - max_common)
    is_near.ravel()[:: len(is_near) + 1] = False
    return is_near


def group_edited_copies(words: NgramSets, topic: IndexArray, is_compared: Booleans) -> IndexArray:
    """Find the first of the edited copies of each text, which share most words, in whatever order.

    Shapes: gives (n_texts,).
    """
    first = np.arange(topic.size)
    size = words.sizes
    may_be_copy = (size > 0) & (words.count_shared(is_compared) >= MIN_SHARED_WORDS * size)
    for texts in _compared_texts_of_topics(topic, is_compared & may_be_copy):
        if texts.size > 1:
            size_of_longer = np.maximum(size.take(texts)[:, None], size.take(texts))
            is_copy = words.count_common(texts) >= MIN_SHARED_WORDS * size_of_longer
            first[texts] = texts.take(_find_first_linked(is_copy))
    return first


def _link_near_copies(
    sets: Sequence[NgramSets], texts: IndexArray, size: IndexArray, first: IndexArray
) -> None:
    """Put the first near copy of each text of a topic into ``first``; each set narrows down those that may be."""
    n_common = np.zeros((texts.size, texts.size), np.intp)
    n_unseen = size.take(texts)
    for ngrams in sets:
        if texts.size < 2:
            return
        n_common = n_common + ngrams.count_common(texts)
        n_unseen = n_unseen - ngrams.sizes.take(texts)
        total_size = size.take(texts)[:, None] + size.take(texts)
        is_near = _may_be_near(n_common + np.minimum(n_unseen[:, None], n_unseen), total_size)
        candidates = np.flatnonzero(is_near.any(axis=1))
        pairs_of_candidates = np.ix_(candidates, candidates)
        texts = texts.take(candidates)
        n_unseen = n_unseen.take(candidates)
        n_common = n_common[pairs_of_candidates]
        is_near = is_near[pairs_of_candidates]
    first[texts] = texts.take(_find_first_linked(is_near))


def _find_first_linked(is_linked: Booleans) -> IndexArray:
    """Find the first item that each item is linked with, directly or through others; (n, n) links."""
    n_items = len(is_linked)
    first = np.arange(n_items)
    while True:
        first_neighbour = np.where(is_linked, first, n_items).min(axis=1, initial=n_items)
        earlier = np.minimum(first, first_neighbour)
        if (earlier == first).all():
            return first
        first = earlier
