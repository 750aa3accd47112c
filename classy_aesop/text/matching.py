"""What texts share with references: n-grams and, for ROUGE-L and ROUGE-W, subsequences; each counted on first use."""

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
class Ngrams:
    """The n-grams of a topic's texts; those of summaries only if they are in a reference, of this part or another.

    Parameters
    ----------
    sequences : Sequences
        The texts.
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
    """The texts of a topic, references first, and their n-grams.

    Terms of the references are the ids below a bound, so other terms need no id of their own. Texts are laid out so
    far apart that no n-gram spans two of them. The places between them hold the bound too, like other terms.

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
        return self._counted_words(self._known)

    @cached_property
    def content_words(self) -> NgramCounts:
        """Counts of words that are not stop words."""
        return self._counted_words(np.where(self.ids.is_stop_word, self._bound, self._known))

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
        n_written = np.searchsorted(self.ids.text, self.n_references)
        return int(self.ids.term[:n_written].max(initial=-1)) + 1

    @cached_property
    def _known(self) -> IntArray:
        """The term of each token, or the bound."""
        return np.minimum(self.ids.term, self._bound)

    @cached_property
    def _text(self) -> IntArray:
        """The text of each place, or the one before it."""
        return np.repeat(np.arange(self.ids.n_texts), self.ids.n_tokens + SPAN)

    @cached_property
    def _line(self) -> IntArray:
        """The term at each place, and the bound at `SPAN` more."""
        line = np.full(self._text.size + SPAN, self._bound)
        line[np.arange(self.ids.term.size) + SPAN * self.ids.text] = self._known
        return line

    @cached_property
    def _n_written(self) -> int:
        """Number of places of the references."""
        return int(np.searchsorted(self._text, self.n_references))

    @cached_property
    def _skip_rows(self) -> tuple[IntArray, int]:
        """Rows of the pairs of each place with the places 1, 2, ... after it, (SPAN + 1, n_places), and their number.

        The first are of unigrams, which have ``bound + 1`` as their second term, or the bound at the end of a text.
        """
        bound, base = self._bound, self._bound + 2
        first = self._line[: self._text.size] * base
        keys = np.empty((SPAN + 1, first.size), np.intp)
        np.add(first, bound + 1, out=keys[0])
        if first.size:
            keys[0, np.cumsum(self.ids.n_tokens + SPAN) - SPAN - 1] = bound
        for distance in range(1, SPAN + 1):
            np.add(first, self._line[distance : distance + first.size], out=keys[distance])
        written = keys[:, : self._n_written]
        return distinct_rows(keys, written[(written < bound * base) & (written % base != bound)], base * base)

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
        last = self._line[distance : distance + row.size]
        keys = row * base + last
        written = slice(self._n_written)
        is_whole = (row[written] < n_rows) & (last[written] < self._bound)
        return distinct_rows(keys, keys[written][is_whole], (n_rows + 1) * base)

    def _counted_words(self, term: IntArray) -> NgramCounts:
        return count_table(term, self._bound, self.ids.text, self.ids.n_texts, self.n_references)

    def _counted(self, row: IntArray, n_rows: int) -> NgramCounts:
        return count_table(row, n_rows, self._text, self.ids.n_texts, self.n_references)


@dataclass(frozen=True, eq=False)
class Lines:
    """The sentences of a topic's texts, whose terms have the same ids.

    Parameters
    ----------
    references, summaries : TermIds
        Their tokens by sentence.
    unigrams : NgramCounts
        How often each text contains each term; hits of a word are clipped to this.
    all_counted : bool
        Whether these are counts of the same sentences.
    """

    references: TermIds
    summaries: TermIds
    unigrams: NgramCounts
    all_counted: bool = True

    @cached_property
    def subsequences(self) -> Floats:
        """Words of each reference that are in its longest common subsequences with each summary (ROUGE-L)."""
        hits = self._pairs.hits(1.0)
        return subsequence_hits(hits, self.references, self.unigrams, all_counted=self.all_counted)

    @cached_property
    def weighted_subsequences(self) -> Floats:
        """The same, with higher weights for consecutive hits (ROUGE-W)."""
        return weighted_hits(self._pairs.hits(WEIGHT), self.references, self.unigrams, WEIGHT)

    @cached_property
    def _pairs(self) -> SentencePairs:
        return SentencePairs(self.references, self.summaries)
