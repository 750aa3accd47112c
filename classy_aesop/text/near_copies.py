"""The distinct n-grams of texts, and the texts that are near copies of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.counts import Booleans, IntArray, TermIds
from classy_aesop.text.distinct import one_of_each, place_of_equal, run_starts

LEAST_SHARED = 0.8
"""Two texts are near copies if they share this part of the n-grams that either has."""

_MOST_COMPARED = 1024
_MOST_WORDS = 1 << 15  # at a time, which stay in the cache


@dataclass(frozen=True, eq=False)
class NgramSets:
    """The distinct n-grams of each text.

    Parameters
    ----------
    owner : array of int
        The text of each n-gram, ascending.
    ngram : array of int
        Its number, below ``n_ngrams``; not all numbers are in use.
    n_texts, n_ngrams : int
        Number of texts, and a bound of the numbers.
    """

    owner: IntArray
    ngram: IntArray
    n_texts: int
    n_ngrams: int

    @classmethod
    def content_words(cls, ids: TermIds, topic: IntArray) -> NgramSets:
        """Terms of tokens that are not stop words; ``topic`` of each text, ascending.

        Equal words of texts on different topics are different n-grams.
        """
        place = np.flatnonzero(~ids.is_stop_word)
        owner = ids.text.take(place)
        return cls._of(owner, topic.take(owner) * ids.n_terms + ids.term.take(place), ids.n_texts)

    @classmethod
    def bigrams(cls, ids: TermIds, topic: IntArray) -> NgramSets:
        """Pairs of neighbouring terms of a sentence, with stop words; as `content_words`."""
        is_followed = np.ones(ids.term.size, bool)
        is_followed[np.cumsum(ids.sentence_lengths) - 1] = False
        place = np.flatnonzero(is_followed)
        owner = ids.text.take(place)
        first = topic.take(owner) * ids.n_terms + ids.term.take(place)
        return cls._of(owner, first * ids.n_terms + ids.term.take(place + 1), ids.n_texts)

    @classmethod
    def _of(cls, owner: IntArray, key: IntArray, n_texts: int) -> NgramSets:
        ngram = place_of_equal(key)
        one = np.flatnonzero(one_of_each(owner * key.size + ngram))
        return cls(owner.take(one), ngram.take(one), n_texts, key.size)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of n-grams of each text, shape (n_texts,)."""
        return np.bincount(self.owner, minlength=self.n_texts)

    def n_shared(self, among: Booleans) -> IntArray:
        """Number of n-grams of each text that at least two of the texts ``among`` all have, shape (n_texts,)."""
        of_these = among.take(self.owner)
        n_with = np.bincount(self.ngram.compress(of_these), minlength=self.n_ngrams)
        return np.bincount(self.owner.compress(n_with.take(self.ngram) > 1), minlength=self.n_texts)

    def n_common(self, texts: IntArray) -> IntArray:
        """Number of n-grams that each two different texts on one topic have in common; ``texts`` are ascending."""
        start, stop = np.searchsorted(self.owner, (texts[0], texts[-1] + 1))
        row = np.searchsorted(texts, self.owner[start:stop])
        wanted = np.flatnonzero(texts.take(row) == self.owner[start:stop])
        row, ngram = row.take(wanted), self.ngram[start:stop].take(wanted)
        ngram = ngram - ngram.min(initial=self.n_ngrams)
        is_common = np.bincount(ngram) > 1
        column = np.cumsum(is_common) - 1
        kept = np.flatnonzero(is_common.take(ngram))
        held = np.zeros((texts.size, np.count_nonzero(is_common)), bool)
        held[row.take(kept), column.take(ngram.take(kept))] = True
        return _n_shared_columns(held)


def _n_shared_columns(held: Booleans) -> IntArray:
    """Number of columns that each two rows both hold; counted in bits, some rows at a time."""
    packed = np.packbits(held, axis=1)
    words = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)
    step = max(1, _MOST_WORDS // max(words.size, 1))
    some = [words[start : start + step] for start in range(0, len(words), step)]
    return np.concatenate(
        [np.bitwise_count(rows[:, None] & words).sum(axis=2, dtype=np.intp) for rows in some]
    )


def near_copies(sets: Sequence[NgramSets], topic: IntArray, among: Booleans) -> IntArray:
    """Give the first of the near copies of each text, or the text itself, shape (n_texts,).

    Two texts are near copies if they share at least `LEAST_SHARED` of the n-grams that either of them has, and so are
    two texts if both are near copies of a third. Of the texts on a topic that might be near copies, the first 1,024 are
    compared, since this takes the square of their number.

    Parameters
    ----------
    sets : sequence of NgramSets
        N-grams of the same texts, of each length.
    topic : array of int, shape (n_texts,)
        Texts on different topics are not compared; ascending.
    among : array of bool, shape (n_texts,)
        Which texts are compared at all.
    """
    first = np.arange(topic.size)
    size = np.sum([one.sizes for one in sets], axis=0)
    # A near copy shares most of its n-grams with one text, so with some text; few texts do, unless they are copies.
    may_be = among & (np.sum([one.n_shared(among) for one in sets], axis=0) >= LEAST_SHARED * size)
    texts = np.flatnonzero(may_be)
    for every in np.split(texts, run_starts(topic.take(texts))[1:]):
        some = every[:_MOST_COMPARED]
        if some.size > 1:
            first[some] = some.take(_linked(_near(sets, some, size.take(some))))
    return first


def _near(sets: Sequence[NgramSets], texts: IntArray, size: IntArray) -> Booleans:
    n_common = np.sum([one.n_common(texts) for one in sets], axis=0)
    near: Booleans = n_common >= LEAST_SHARED * (size[:, None] + size - n_common)
    return near


def _linked(near: Booleans) -> IntArray:
    """Give the first place that each place is linked with, directly or through others."""
    first = np.arange(len(near))
    while True:
        least = np.minimum(first, np.where(near, first, len(near)).min(axis=1))
        if (least == first).all():
            return first
        first = least
