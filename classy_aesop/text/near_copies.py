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
    IntArray,
    exact_product,
    one_of_each,
    place_of_equal,
    run_sizes,
    run_starts,
    run_sums,
    spread,
)
from classy_aesop.text.terms import TermIds

LEAST_SHARED = 0.8
"""Two texts are near copies if they share this part of the n-grams that either has."""

LEAST_WORDS = 0.85
"""Two texts are edits of one if they share this part of the words of the longer one."""

_MOST_COMPARED = 1024
"""Texts of a topic, at most, that are compared pair by pair."""

_MOST_CELLS = 1 << 22
"""Cells of a table of texts and n-grams at a time."""


@dataclass(frozen=True, eq=False)
class NgramSets:
    """The distinct n-grams of each text."""

    owner: IntArray  # the text of each n-gram, ascending
    ngram: IntArray  # its number; not all are in use, and those of a later topic are larger
    n_texts: int
    n_ngrams: int  # a bound of the numbers

    @classmethod
    def content_words(cls, ids: TermIds, topic: IntArray) -> NgramSets:
        """Terms that are not stop words, others in each topic (ascending) of texts; equal ones of two topics differ."""
        word, n_words = _words(ids, topic)
        of_type = np.empty(ids.type_counts[0].size, np.intp)
        of_type[ids.type_of_token] = word
        one = np.flatnonzero(ids.is_content_type)
        return cls(ids.type_counts[1].take(one), of_type.take(one), ids.n_texts, n_words)

    @classmethod
    def bigrams(cls, ids: TermIds, topic: IntArray) -> NgramSets:
        """Pairs of neighbouring terms of a sentence, with stop words; as `content_words`."""
        is_followed = np.ones(ids.term.size, bool)
        is_followed[np.cumsum(ids.sentence_lengths) - 1] = False
        place, (word, n_words) = np.flatnonzero(is_followed[:-1]), _words(ids, topic)
        owner, ngram = ids.text.take(place), place_of_equal((word[:-1] * n_words + word[1:]).take(place))
        # Only a pair of words that both recur in the text can recur.
        again = np.flatnonzero((ids.is_repeated[:-1] & ids.is_repeated[1:]).take(place))
        is_first = np.ones(place.size, bool)
        is_first[again] = one_of_each(owner.take(again) * place.size + ngram.take(again))
        one = np.flatnonzero(is_first)
        return cls(owner.take(one), ngram.take(one), ids.n_texts, place.size)

    @classmethod
    def words(cls, ids: TermIds, topic: IntArray) -> NgramSets:
        """All words; a term's second occurrence in a text is another one than its first. As `content_words`."""
        word, n_words = _words(ids, topic)
        again = np.flatnonzero(ids.is_repeated)
        again = again.take(np.argsort(ids.type_of_token.take(again), kind="stable"))
        starts = run_starts(ids.type_of_token.take(again))
        occurrence = np.arange(again.size) - np.repeat(starts, np.diff(starts, append=again.size))
        later = again.compress(occurrence > 0)
        key = occurrence.compress(occurrence > 0) * n_words + word.take(later)
        word[later] = n_words + place_of_equal(key)
        return cls(ids.text, word, ids.n_texts, n_words + later.size)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of n-grams of each text, shape (n_texts,)."""
        return run_sizes(self.owner, self.n_texts)

    def n_shared(self, among: Booleans) -> IntArray:
        """Number of n-grams of each text that at least two of the texts ``among`` all have, shape (n_texts,)."""
        n_with = np.bincount(self.ngram.compress(among.take(self.owner)), minlength=self.n_ngrams)
        return run_sums(n_with.take(self.ngram) > 1, self.sizes)

    def n_common(self, texts: IntArray) -> IntArray:
        """Number of n-grams that each two different texts on one topic have in common; ``texts`` are ascending."""
        start, stop = np.searchsorted(self.owner, (texts[0], texts[-1] + 1))
        row_of = np.full(texts[-1] + 1 - texts[0], -1)
        row_of[texts - texts[0]] = np.arange(texts.size)
        row, ngram = row_of.take(self.owner[start:stop] - texts[0]), self.ngram[start:stop]
        if texts.size < row_of.size:
            row, ngram = row.compress(row >= 0), ngram.compress(row >= 0)
        ngram = ngram - ngram.min(initial=self.n_ngrams)
        n_with = np.bincount(ngram)
        common, kept = np.flatnonzero(n_with > 1), np.flatnonzero(n_with.take(ngram) > 1)
        column = np.empty_like(n_with)
        column[common] = np.arange(common.size)
        return _n_shared_columns(row.take(kept), column.take(ngram.take(kept)), texts.size)


def _words(ids: TermIds, topic: IntArray) -> tuple[IntArray, int]:
    """Number the word of each token, so that words of different topics have different numbers, and bound them."""
    n_tokens = np.bincount(topic, ids.n_tokens, minlength=1).astype(np.intp)
    n_terms = np.zeros(n_tokens.size, np.intp)
    some, starts = np.flatnonzero(n_tokens), np.cumsum(n_tokens) - n_tokens
    if some.size:
        n_terms[some] = np.maximum.reduceat(ids.term, starts.take(some)) + 1
    return np.repeat(np.cumsum(n_terms) - n_terms, n_tokens) + ids.term, int(n_terms.sum())


def _n_shared_columns(row: IntArray, column: IntArray, n_rows: int) -> IntArray:
    """Number of columns that each two rows hold both, for the row and column of each cell; some columns at a time."""
    n_common = np.zeros((n_rows, n_rows), np.intp)
    width, n_columns = max(1, _MOST_CELLS // n_rows), int(column.max(initial=-1)) + 1
    for start in range(0, n_columns, width):
        n_here = min(width, n_columns - start)
        cells = row * n_here + column - start
        held = np.zeros(n_rows * n_here, np.float32)
        held[cells if n_here == n_columns else cells[(column >= start) & (column < start + n_here)]] = 1
        n_common += exact_product(*[held.reshape(n_rows, n_here)] * 2).astype(np.intp)
    return n_common


def near_copies(sets: Sequence[NgramSets], topic: IntArray, among: Booleans) -> IntArray:
    """Give the first of the near copies of each text, or the text itself, shape (n_texts,).

    Two texts are near copies if they share at least `LEAST_SHARED` of the n-grams that either of them has, and so are
    two texts if both are near copies of a third. Of the texts on a topic (ascending) that might be near copies, the
    first 1,024 are compared, since this takes the square of their number; ``among`` marks those compared at all. Those
    ``sets`` come first that tell most texts apart.
    """
    first, size, bits = np.arange(topic.size), np.sum([one.sizes for one in sets], axis=0), _bits(sets)
    if np.bincount(topic).max(initial=0) > _MOST_COMPARED // 8:  # the pairs of fewer take no longer
        # A near copy shares most of its n-grams with one text, so with some text; few texts do, unless they are copies.
        among = among & (np.sum([one.n_shared(among) for one in sets], axis=0) >= LEAST_SHARED * size)
    texts = np.flatnonzero(among)
    for every in np.split(texts, run_starts(topic.take(texts))[1:]):
        some = every[:_MOST_COMPARED]
        both = size.take(some)[:, None] + size.take(some)
        n_apart = np.zeros(both.shape, np.int32)
        for each in bits[:, some]:
            n_apart += np.bitwise_count(each[:, None] ^ each)
        _find(sets, some.compress(_may_be_near((both - n_apart) / 2, both).any(axis=1)), size, first)
    return first


def _bits(sets: Sequence[NgramSets]) -> NDArray[np.uint64]:
    """Say in bits what each text has, (n_words, n_texts): each n-gram flips one of them.

    So two texts differ in no more bits than there are n-grams that only one of them has.
    """
    owner, ngram = (np.concatenate([getattr(one, name) for one in sets]) for name in ("owner", "ngram"))
    n_texts = max(sets[0].n_texts, 1)
    width = max(6, (3 * owner.size // (4 * n_texts)).bit_length())  # with fewer, many would seem near
    flips = np.zeros(n_texts << width, np.uint8)
    np.add.at(flips, (owner << width) + spread(ngram, width), np.uint8(1))
    return np.ascontiguousarray(np.packbits(flips & 1).view(np.uint64).reshape(n_texts, -1).T)


def _may_be_near(most: Floats | IntArray, both: IntArray) -> Booleans:
    """Whether two different texts can be near copies: of the n-grams of both, at most so many are common."""
    near: Booleans = most >= LEAST_SHARED * (both - most)
    near.ravel()[:: len(near) + 1] = False
    return near


def edits(words: NgramSets, topic: IntArray, among: Booleans) -> IntArray:
    """As `near_copies`, of texts that share at least `LEAST_WORDS` of the longer one's words, in whatever order."""
    first, size = np.arange(topic.size), words.sizes
    texts = np.flatnonzero(among & (size > 0) & (words.n_shared(among) >= LEAST_WORDS * size))
    for every in np.split(texts, run_starts(topic.take(texts))[1:]):
        some = every[:_MOST_COMPARED]
        if some.size > 1:
            longer = np.maximum(size.take(some)[:, None], size.take(some))
            first[some] = some.take(_linked(words.n_common(some) >= LEAST_WORDS * longer))
    return first


def _find(sets: Sequence[NgramSets], texts: IntArray, size: IntArray, first: IntArray) -> None:
    """Put the first near copy of each text of a topic into ``first``; each set narrows down those that may be."""
    n_common, unseen = np.zeros((texts.size, texts.size), np.intp), size.take(texts)
    for one in sets:
        if texts.size < 2:
            return
        n_common, unseen = n_common + one.n_common(texts), unseen - one.sizes.take(texts)
        both = size.take(texts)[:, None] + size.take(texts)
        near = _may_be_near(n_common + np.minimum(unseen[:, None], unseen), both)
        left = np.flatnonzero(near.any(axis=1))
        texts, unseen, among = texts.take(left), unseen.take(left), np.ix_(left, left)
        n_common, near = n_common[among], near[among]
    first[texts] = texts.take(_linked(near))


def _linked(near: Booleans) -> IntArray:
    """Give the first place that each place is linked with, directly or through others."""
    first = np.arange(len(near))
    while True:
        least = np.minimum(first, np.where(near, first, len(near)).min(axis=1, initial=len(near)))
        if (least == first).all():
            return first
        first = least
