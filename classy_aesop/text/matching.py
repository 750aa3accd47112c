"""Counts for ROUGE beyond the n-grams of the features, each computed on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.counts import (
    SPAN,
    Floats,
    IntArray,
    NgramCounts,
    TermIds,
    count_table,
    distinct_rows,
)
from classy_aesop.text.subsequences import SentencePairs, subsequence_hits, weighted_hits

WEIGHT = 1.2
"""The exponent of ROUGE-W-1.2: a run of k hits counts k**1.2."""


@dataclass(frozen=True, eq=False)
class Texts:
    """The words of a topic's texts, whose terms have the same ids.

    Parameters
    ----------
    references, summaries : TermIds
        Their tokens.
    """

    references: TermIds
    summaries: TermIds

    @cached_property
    def content_words(self) -> NgramCounts:
        """Words that are not stop words."""
        n_rows = int(self.references.term.max(initial=-1)) + 1
        is_wanted = (self._joined.term < n_rows) & ~self._joined.is_stop_word
        row = np.where(is_wanted, self._joined.term, n_rows)[:, None]
        return count_table(row, n_rows, self._joined.text, self._joined.n_texts, self.references.n_texts)

    @cached_property
    def trigrams(self) -> NgramCounts:
        """Sequences of three words."""
        return long_ngram_counts(self._joined, self.references.n_texts, 3)

    @cached_property
    def fourgrams(self) -> NgramCounts:
        """Sequences of four words."""
        return long_ngram_counts(self._joined, self.references.n_texts, 4)

    @cached_property
    def skip_pairs(self) -> NgramCounts:
        """Skip-bigrams without the unigrams of ROUGE-SU4."""
        return skip_pair_counts(self._joined, self.references.n_texts)

    @cached_property
    def _joined(self) -> TermIds:
        return self.references.followed_by(self.summaries)


@dataclass(frozen=True, eq=False)
class Lines:
    """The sentences of a topic's texts, whose terms have the same ids.

    Parameters
    ----------
    references, summaries : TermIds
        Their tokens by sentence.
    unigrams : NgramCounts
        How often each text contains each term; hits of a word are clipped to this.
    """

    references: TermIds
    summaries: TermIds
    unigrams: NgramCounts

    @cached_property
    def subsequences(self) -> Floats:
        """Words of each reference that are in its longest common subsequences with each summary (ROUGE-L)."""
        return subsequence_hits(self._pairs.hits(1.0), self.references, self.unigrams)

    @cached_property
    def weighted_subsequences(self) -> Floats:
        """The same, with higher weights for consecutive hits (ROUGE-W)."""
        return weighted_hits(self._pairs.hits(WEIGHT), self.references, self.unigrams, WEIGHT)

    @cached_property
    def _pairs(self) -> SentencePairs:
        return SentencePairs(self.references, self.summaries)


def long_ngram_counts(ids: TermIds, n_references: int, n: int) -> NgramCounts:
    """Count the sequences of ``n`` words (2 or more) that are in a reference; references are the first texts."""
    bound = (
        int(ids.term[: np.searchsorted(ids.text, n_references)].max(initial=-1)) + 1
    )  # other terms match nothing
    row, n_rows = np.minimum(ids.term, bound), bound
    for distance in range(1, n):
        text, term, n_keys = ids.text[distance:], ids.term[distance:], n_rows * bound
        is_whole = (text == ids.text[: text.size]) & (row[: text.size] < n_rows) & (term < bound)
        keys = np.where(is_whole, row[: text.size] * bound + term, n_keys)
        row, n_rows = distinct_rows(keys, keys[is_whole & (text < n_references)], n_keys + 1)
    return count_table(row[:, None], n_rows, ids.text[n - 1 :], ids.n_texts, n_references)


def skip_pair_counts(ids: TermIds, n_references: int) -> NgramCounts:
    """Count the ordered pairs of words, at most four words apart, that are in a reference."""
    n_keys = ids.n_terms**2
    parts: list[tuple[IntArray, IntArray]] = []
    for distance in range(1, SPAN + 1):
        second, text = ids.term[distance:], ids.text[distance:]
        is_whole = text == ids.text[: text.size]
        keys = ids.term[: text.size] * ids.n_terms + second
        parts.append((keys[is_whole], text[is_whole]))
    keys, text = (np.concatenate(part) for part in zip(*parts, strict=True))
    row, n_rows = distinct_rows(keys, keys[text < n_references], n_keys)
    return count_table(row[:, None], n_rows, text, ids.n_texts, n_references)
