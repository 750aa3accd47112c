"""Term ids, n-grams and skip-bigrams of the texts of one topic, as integer arrays.

The texts of a topic are tokenized once, references first. Terms get their ids in the order in which they are
met, so the terms of the references are the ids below a bound, and an n-gram that no reference holds is never
looked at. N-grams run over the whole text, across sentences. Skip-bigrams are those of ROUGE-SU4 in version
1.5.5: ordered pairs with at most four words between, and every unigram but the text's last, which its loop
never reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.known_words import KnownWords, Words

IntArray = NDArray[np.intp]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

SPAN = 5
"""Greatest distance between the words of a skip-bigram: four words may stand between."""

_LARGEST_TABLE = 1 << 22
_MOST_WORDS = 1 << 18


class Vocabulary(dict[str, int]):
    """Ids of the stems of tokens, given in the order in which the stems are met; shared by many topics.

    Parameters
    ----------
    blanked : callable
        A tokenizer of `tokens.TOKENIZERS`.
    stem : callable, optional
        From token to stem; asked once for each distinct token.

    Attributes
    ----------
    ids : dict of str to int
        Ids of the stems.
    known : KnownWords
        Ids of most tokens once more, where those of a whole text are found at once.
    """

    def __init__(self, blanked: Callable[[str], str], stem: Callable[[str], str] | None = None) -> None:
        super().__init__()
        self.blanked = blanked
        self.stem = stem
        self.ids: dict[str, int] = {}
        self.known = KnownWords()

    def __missing__(self, token: str) -> int:
        term = token if self.stem is None else self.stem(token)
        return self.setdefault(token, self.ids.setdefault(term, len(self.ids)))

    def forget_if_full(self) -> None:
        """Begin anew when there are very many words, so that a stream of topics needs bounded memory."""
        if len(self) > _MOST_WORDS:
            self.clear()
            self.ids.clear()
            self.known = KnownWords()


@dataclass(frozen=True)
class TermIds:
    """The tokens of several texts, one after another.

    Parameters
    ----------
    term : array of int
        Which term each token is, below ``n_terms``.
    sentence_lengths : array of int
        Number of tokens of each sentence; sentences without a token do not count.
    text_of_sentence : array of int
        Which text each sentence stands in, ascending.
    n_texts, n_terms : int
        How many texts (also empty ones) and terms there are.
    """

    term: IntArray
    sentence_lengths: IntArray
    text_of_sentence: IntArray
    n_texts: int
    n_terms: int

    @cached_property
    def text(self) -> IntArray:
        """Which text each token stands in, ascending."""
        return np.repeat(self.text_of_sentence, self.sentence_lengths)

    @cached_property
    def sentence(self) -> IntArray:
        """Which sentence each token stands in, numbered through all texts."""
        return np.repeat(np.arange(self.sentence_lengths.size), self.sentence_lengths)

    @cached_property
    def n_tokens(self) -> IntArray:
        """Number of tokens of each text, shape (n_texts,)."""
        return np.bincount(self.text, minlength=self.n_texts)

    @cached_property
    def n_sentences(self) -> IntArray:
        """Number of sentences of each text, shape (n_texts,)."""
        return np.bincount(self.text_of_sentence, minlength=self.n_texts)

    @cached_property
    def type_of_token(self) -> IntArray:
        """Number each text's distinct terms, through all texts without gaps; which one each token is."""
        keys = self.text * self.n_terms + self.term
        return distinct_rows(keys, keys, self.n_texts * self.n_terms)[0]

    @cached_property
    def type_counts(self) -> tuple[IntArray, IntArray]:
        """How often a text has each of its distinct terms, and which text that is."""
        counts = np.bincount(self.type_of_token)
        text = np.zeros(counts.size, np.intp)
        text[self.type_of_token] = self.text
        return counts, text

    def after(self, n_texts: int) -> TermIds:
        """Leave out the first ``n_texts`` texts."""
        return self.part(n_texts, self.n_texts)

    def part(self, first: int, last: int) -> TermIds:
        """Keep the texts from ``first`` to before ``last``, with the same numbers of terms."""
        low, high = np.searchsorted(self.text_of_sentence, (first, last))
        start, length = self.sentence_lengths[:low].sum(), self.sentence_lengths[low:high].sum()
        text = self.text_of_sentence[low:high] - first
        term = self.term[start : start + length]
        return TermIds(term, self.sentence_lengths[low:high], text, last - first, self.n_terms)

    def followed_by(self, others: TermIds) -> TermIds:
        """Join texts whose terms are numbered alike."""
        text = np.append(self.text_of_sentence, others.text_of_sentence + self.n_texts)
        lengths = np.append(self.sentence_lengths, others.sentence_lengths)
        n_texts = self.n_texts + others.n_texts
        return TermIds(np.append(self.term, others.term), lengths, text, n_texts, self.n_terms)


def term_ids(texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> TermIds:
    """Tokenize and stem texts, each given as its sentences, and number the terms as they are met.

    Examples
    --------
    >>> ids = term_ids([["a b", "c"], [], ["b d"]], Vocabulary(str.lower))
    >>> ids.term.tolist(), ids.text.tolist(), ids.sentence.tolist()
    ([0, 1, 2, 1, 3], [0, 0, 0, 2, 2], [0, 0, 1, 2, 2])
    """
    vocabulary.forget_if_full()
    lines = [sentence.replace("\n", " ") for sentences in texts for sentence in sentences]
    words = Words.of(vocabulary.blanked("\n".join([*lines, ""])))
    ids, lengths = vocabulary.known.numbers(words, vocabulary.__getitem__), words.line_lengths
    term, n_terms = _as_met(ids, len(vocabulary.ids))
    text = np.repeat(np.arange(len(texts)), np.fromiter(map(len, texts), np.intp, len(texts)))
    return TermIds(term, lengths[lengths > 0], text[lengths > 0], len(texts), n_terms)


def _as_met(ids: IntArray, n_ids: int) -> tuple[IntArray, int]:
    """Number ids anew, in the order in which they are met, and count them."""
    places = np.arange(ids.size)
    first = np.empty(n_ids, np.intp)
    first[ids[::-1]] = places[::-1]  # of several places the last that is written stays: the first in the text
    first_of = first[ids]
    number = np.cumsum(first_of == places) - 1
    return number[first_of], int(number[-1]) + 1 if ids.size else 0


@dataclass(frozen=True)
class NgramCounts:
    """How often each n-gram of the references occurs in every summary and in every reference.

    Parameters
    ----------
    summaries : array of int, shape (n_summaries, n_ngrams)
        Counts in the summaries, of n-grams that some reference holds.
    references : array of int, shape (n_references, n_ngrams)
        Counts in the references.
    """

    summaries: IntArray
    references: IntArray

    @cached_property
    def reference_totals(self) -> IntArray:
        """Number of n-grams of each reference, shape (n_references,)."""
        totals: IntArray = self.references.sum(axis=1)
        return totals

    @cached_property
    def clipped_hits(self) -> IntArray:
        """N-grams of each reference that a summary repeats, each at most as often as the reference has it.

        Shape (n_summaries, n_references).
        """
        # min(x, m) is 1 where both are there, and min(x - 1, m - 1) more, which few n-grams add to.
        repeated = np.flatnonzero((self.references > 1).any(axis=0))
        summaries = np.maximum(self.summaries[:, None, repeated] - 1, 0)
        references = np.maximum(self.references[:, repeated] - 1, 0)
        hits: IntArray = self.shared_types + np.minimum(summaries, references).sum(axis=2)
        return hits

    @cached_property
    def shared_types(self) -> IntArray:
        """Number of distinct n-grams that summary and reference share, shape (n_summaries, n_references)."""
        # Whole numbers, so exact also in single precision. Some kernels of OpenBLAS flag them as invalid by mistake.
        with np.errstate(invalid="ignore"):
            held = (self.summaries > 0).astype(np.float32) @ (self.references > 0).astype(np.float32).T
        return held.astype(np.intp)

    def pooled_hits(self, meets: Booleans) -> IntArray:
        """Hits of each summary in the pooled counts of the references that it meets.

        Shape (..., n_summaries) for ``meets`` of shape (..., n_summaries, n_references).
        """
        pooled = meets.astype(float) @ self.references.astype(float)
        hits: IntArray = np.minimum(self.summaries, pooled).sum(axis=-1).astype(np.intp)
        return hits

    def against(self, references: slice) -> NgramCounts:
        """The same summaries against a part of the references."""
        return NgramCounts(self.summaries, self.references[references])


class Ngrams(NamedTuple):
    """The counts of a topic by kind; the skip-bigrams are ROUGE-SU4's, with its unigrams."""

    unigrams: NgramCounts
    bigrams: NgramCounts
    skip_bigrams: NgramCounts

    def against(self, references: slice) -> Ngrams:
        """The same summaries against a part of the references."""
        return Ngrams(*(counts.against(references) for counts in self))


def ngram_counts(ids: TermIds, n_references: int) -> Ngrams:
    """Count the n-grams of texts, the first ``n_references`` of them references.

    All equal what a plain `collections.Counter` gives. A reference's counts are complete; of a summary only
    n-grams are counted that some reference holds.
    """
    bound = int(ids.term[: np.searchsorted(ids.text, n_references)].max(initial=-1)) + 1
    known = np.flatnonzero(ids.term < bound)
    first, text = ids.term[known], ids.text[known]
    second = _second_terms(ids, known, bound)
    n_written = np.searchsorted(text, n_references)
    is_whole = second[:n_written] <= bound
    keys = first[:, None] * (bound + 2) + second

    def counted(distances: slice) -> NgramCounts:
        wanted = keys[:n_written, distances][is_whole[:, distances]]
        row, n_rows = distinct_rows(keys[:, distances], wanted, bound * (bound + 2))
        return count_table(row, n_rows, text, ids.n_texts, n_references)

    unigrams = count_table(first[:, None], bound, text, ids.n_texts, n_references)
    return Ngrams(unigrams, counted(slice(1, 2)), counted(slice(0, SPAN + 1)))


def _second_terms(ids: TermIds, known: IntArray, bound: int) -> IntArray:
    """Terms at distances 1 to `SPAN` from known tokens, ``bound + 1`` where there is none that a reference has.

    In front, at distance 0, stands what makes a unigram's key: ``bound``, but for the last token of a text.
    """
    place = np.arange(ids.term.size) + SPAN * ids.text  # texts so far apart that no pair joins two of them
    line = np.full(ids.term.size + SPAN * ids.n_texts + SPAN + 1, bound + 1)
    line[place[known]] = ids.term[known]
    second: IntArray = line.take(place[known][:, None] + np.arange(SPAN + 1))
    second[:, 0] = bound + (np.diff(ids.text, append=-1) != 0)[known]
    return second


def count_table(row: IntArray, n_rows: int, text: IntArray, n_texts: int, n_references: int) -> NgramCounts:
    """Count the rows of each text, leaving out row ``n_rows``."""
    cells = text[:, None] * (n_rows + 1) + row
    counts = np.bincount(cells.ravel(), minlength=n_texts * (n_rows + 1))
    table = counts.reshape(n_texts, n_rows + 1)[:, :n_rows]
    return NgramCounts(table[n_references:], table[:n_references])


def distinct_rows(keys: IntArray, wanted: IntArray, n_keys: int) -> tuple[IntArray, int]:
    """Place of each key among the distinct ``wanted`` ones in ascending order, and their number where it is not."""
    if n_keys > _LARGEST_TABLE:
        distinct = np.unique(wanted)
        row = np.searchsorted(distinct, keys)
        return np.where(np.append(distinct, -1)[row] == keys, row, distinct.size), distinct.size
    is_wanted = np.zeros(n_keys, bool)
    is_wanted[wanted] = True
    distinct = np.flatnonzero(is_wanted)
    place = np.full(n_keys, distinct.size)
    place[distinct] = np.arange(distinct.size)
    return place[keys], distinct.size
