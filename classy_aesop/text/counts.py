"""Term ids, bigrams and skip-bigrams of the texts of one topic, as integer arrays.

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

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.intp]
Floats = NDArray[np.float64]

SPAN = 5
"""Greatest distance between the words of a skip-bigram: four words may stand between."""

_LARGEST_TABLE = 1 << 22

_SENTENCE_END, _TEXT_END = ".", "!"  # no tokenizer leaves these in a text


class _Vocabulary(dict[str, int]):
    """Ids of the stems of tokens, given in the order in which the stems are met."""

    def __init__(self, stem: Callable[[str], str] | None) -> None:
        super().__init__({_SENTENCE_END: -1, _TEXT_END: -2})
        self.stem = stem
        self.ids: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        term = token if self.stem is None else self.stem(token)
        return self.setdefault(token, self.ids.setdefault(term, len(self.ids)))


@dataclass(frozen=True)
class TermIds:
    """The tokens of several texts, one after another; the three arrays have a place a token.

    Parameters
    ----------
    term : array of int
        Which term it is, below ``n_terms``.
    text : array of int
        Which text it stands in, ascending.
    sentence : array of int
        Which sentence, numbered through all texts without gaps; sentences without a token do not count.
    n_texts, n_terms : int
        How many texts (also empty ones) and terms there are.
    """

    term: IntArray
    text: IntArray
    sentence: IntArray
    n_texts: int
    n_terms: int

    @cached_property
    def n_tokens(self) -> IntArray:
        """Number of tokens of each text, shape (n_texts,)."""
        return np.bincount(self.text, minlength=self.n_texts)

    @cached_property
    def sentence_lengths(self) -> tuple[IntArray, IntArray]:
        """Number of tokens of each sentence, and which text it stands in."""
        starts = np.flatnonzero(np.diff(self.sentence, prepend=-1))
        return np.bincount(self.sentence), self.text[starts]

    @cached_property
    def n_sentences(self) -> IntArray:
        """Number of sentences of each text, shape (n_texts,)."""
        return np.bincount(self.sentence_lengths[1], minlength=self.n_texts)

    @cached_property
    def type_of_token(self) -> IntArray:
        """Number each text's distinct terms, through all texts without gaps; which one each token is."""
        keys = self.text * self.n_terms + self.term
        return _rows(keys, keys, self.n_texts * self.n_terms)[0]

    @cached_property
    def type_counts(self) -> tuple[IntArray, IntArray]:
        """How often a text has each of its distinct terms, and which text that is."""
        counts = np.bincount(self.type_of_token)
        text = np.zeros(counts.size, np.intp)
        text[self.type_of_token] = self.text
        return counts, text

    def after(self, n_texts: int) -> TermIds:
        """Leave out the first ``n_texts`` texts."""
        start = np.searchsorted(self.text, n_texts)
        sentence = self.sentence[start:]
        first = sentence[0] if sentence.size else 0
        kept = self.n_texts - n_texts
        return TermIds(self.term[start:], self.text[start:] - n_texts, sentence - first, kept, self.n_terms)


def term_ids(
    texts: Sequence[Sequence[str]], blanked: Callable[[str], str], stem: Callable[[str], str] | None = None
) -> TermIds:
    """Tokenize and stem texts, each given as its sentences, and number the terms.

    Parameters
    ----------
    texts : sequence of sequence of str
        The sentences of each text.
    blanked : callable
        A tokenizer of `tokens.TOKENIZERS`.
    stem : callable, optional
        From token to stem; asked once for each distinct token.

    Examples
    --------
    >>> ids = term_ids([["a b", "c"], [], ["b d"]], str.lower)
    >>> ids.term.tolist(), ids.text.tolist(), ids.sentence.tolist()
    ([0, 1, 2, 1, 3], [0, 0, 0, 2, 2], [0, 0, 1, 2, 2])
    """
    vocabulary = _Vocabulary(stem)
    marked = [f" {_SENTENCE_END} ".join(map(blanked, sentences)) for sentences in texts]
    stream = f" {_TEXT_END} ".join(marked).split()
    ids = np.fromiter(map(vocabulary.__getitem__, stream), np.intp, len(stream))
    is_term = ids >= 0
    text = np.cumsum(ids == -2)[is_term]
    breaks = np.cumsum(~is_term)[is_term]
    sentence = np.cumsum(np.diff(breaks, prepend=breaks[:1]) != 0)
    return TermIds(ids[is_term], text, sentence, len(texts), len(vocabulary.ids))


@dataclass(frozen=True)
class NgramCounts:
    """How often each n-gram of the references occurs in every summary and in every reference.

    Parameters
    ----------
    summaries : array of int, shape (n_ngrams, n_summaries)
        Counts in the summaries, of n-grams that some reference holds.
    references : array of int, shape (n_ngrams, n_references)
        Counts in the references.
    """

    summaries: IntArray
    references: IntArray

    @cached_property
    def reference_totals(self) -> IntArray:
        """Number of n-grams of each reference, shape (n_references,)."""
        totals: IntArray = self.references.sum(axis=0)
        return totals

    @cached_property
    def clipped_hits(self) -> IntArray:
        """N-grams of each reference that a summary repeats, each at most as often as the reference has it.

        Shape (n_summaries, n_references).
        """
        return self._against_each(lambda summaries, reference: np.minimum(summaries, reference))

    @cached_property
    def shared_types(self) -> IntArray:
        """Number of distinct n-grams that summary and reference share, shape (n_summaries, n_references)."""
        return self._against_each(lambda summaries, _: summaries > 0)

    def pooled_hits(self, meets: NDArray[np.bool_]) -> IntArray:
        """Hits of each summary in the pooled counts of the references that it meets, shape (n_summaries,)."""
        hits = np.zeros(self.summaries.shape[1], np.intp)
        patterns, pattern_of = np.unique(meets, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            rows = np.flatnonzero(pattern_of.ravel() == number)
            pooled = self.references[:, pattern].sum(axis=1, keepdims=True)
            hits[rows] = np.minimum(self.summaries[:, rows], pooled).sum(axis=0)
        return hits

    def against(self, references: slice) -> NgramCounts:
        """The same summaries against a part of the references."""
        return NgramCounts(self.summaries, self.references[:, references])

    def _against_each(self, matched: Callable[[IntArray, IntArray], NDArray[np.generic]]) -> IntArray:
        columns = []
        for counts in self.references.T:
            held = np.flatnonzero(counts)
            columns.append(matched(self.summaries[held], counts[held, None]).sum(axis=0, dtype=np.intp))
        return np.stack(columns, axis=1) if columns else np.zeros((self.summaries.shape[1], 0), np.intp)


def ngram_counts(ids: TermIds, n_references: int) -> tuple[NgramCounts, NgramCounts]:
    """Count bigrams and skip-bigrams (with unigrams) of texts, the first ``n_references`` of them references.

    Returns
    -------
    bigrams, skip_bigrams : NgramCounts
        Equal to what a plain `collections.Counter` gives. A reference's counts are complete; of a summary
        only n-grams are counted that some reference holds.
    """
    bound = int(ids.term[: np.searchsorted(ids.text, n_references)].max(initial=-1)) + 1
    line, owner = _spaced(ids, bound)
    known = line < bound
    first = np.flatnonzero(known)
    pairs = [_pairs(line, owner, bound, first[known[first + gap]], gap) for gap in range(1, SPAN + 1)]
    followed = first[line[first + 1] <= bound]
    singles = bound * bound + line[followed], owner[followed]
    skips = [np.concatenate(parts) for parts in zip(*pairs, singles, strict=True)]
    shape = ids.n_texts, n_references, bound
    return _counted(*pairs[0], *shape), _counted(skips[0], skips[1], *shape)


def _spaced(ids: TermIds, bound: int) -> tuple[IntArray, IntArray]:
    """Put the texts on one line, ``SPAN`` places apart so that no pair joins two of them.

    Terms that no reference has become ``bound``, and the places between texts ``bound + 1``.
    """
    place = np.arange(ids.term.size) + SPAN * ids.text
    length = ids.term.size + SPAN * ids.n_texts
    line, owner = np.full(length, bound + 1), np.zeros(length, np.intp)
    line[place] = np.minimum(ids.term, bound)
    owner[place] = ids.text
    return line, owner


def _pairs(
    line: IntArray, owner: IntArray, bound: int, first: IntArray, distance: int
) -> tuple[IntArray, IntArray]:
    """Keys and owners of the pairs of terms that begin at ``first`` and stand ``distance`` apart."""
    return line[first] * bound + line[first + distance], owner[first]


def _counted(keys: IntArray, owner: IntArray, n_texts: int, n_references: int, bound: int) -> NgramCounts:
    row, n_rows = _rows(keys, keys[owner < n_references], bound * (bound + 1))
    held = np.flatnonzero(row >= 0)
    counts = np.bincount(row[held] * n_texts + owner[held], minlength=n_rows * n_texts)
    table = counts.reshape(n_rows, n_texts)
    return NgramCounts(table[:, n_references:], table[:, :n_references])


def _rows(keys: IntArray, wanted: IntArray, n_keys: int) -> tuple[IntArray, int]:
    """Place of each key among the distinct ``wanted`` ones in ascending order, -1 where it is not there."""
    if n_keys > _LARGEST_TABLE:
        distinct = np.unique(wanted)
        place = np.minimum(np.searchsorted(distinct, keys), distinct.size - 1)
        return np.where(distinct[place] == keys, place, -1), distinct.size
    is_wanted = np.zeros(n_keys, bool)
    is_wanted[wanted] = True
    distinct = np.flatnonzero(is_wanted)
    place = np.full(n_keys, -1)
    place[distinct] = np.arange(distinct.size)
    return place[keys], distinct.size
