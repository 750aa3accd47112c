"""Longest common subsequences of many pairs of sentences, with a column of the table in the bits of one integer.

The table is that of `subsequences`, for ROUGE-L. Bit i of ``rises`` is 1 where c[i + 1, j] is c[i, j] + 1 (Hyyrö 2004,
"Bit-parallel LCS-length computation revisited", computes these for a whole column by one addition). They are all that
the way back needs: in column j it goes up to the next row whose word is equal, which is a hit, or that rises, and
from there to the column before.

Many pairs are done at once with 64-bit integers; sentences with more words than these have room for are done pair by
pair, with integers of any size.

Words of a summary that the reference's sentence lacks leave ``rises`` as it is, and have no column. In theirs, the way
back would go up to the next row that rises: so after a word that such words follow, it stops only at rows that rise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.counts import IntArray, TermIds
from classy_aesop.text.runs import run_starts

Bits = NDArray[np.int64]

MOST_WORDS = 52
"""Most words of a reference's sentence: a double has this many bits, and gives the highest one by its exponent."""

_BIAS = 1023


def hit_bits(references: TermIds, term: IntArray, sentence: IntArray, n_sentences: int) -> Bits:
    """Find the words of the references' sentences that are hit by each other sentence.

    Parameters
    ----------
    references : TermIds
        Sentences of at most `MOST_WORDS` words.
    term, sentence : array of int, shape (n_tokens,)
        Term and sentence of each token of the other side, in order.
    n_sentences : int
        Number of its sentences.

    Returns
    -------
    array of int, shape (n_reference_sentences, n_sentences)
        Bit i is 1 where the word i of the reference's sentence is a hit.
    """
    n_rows = references.sentence_lengths.size
    hits = np.zeros(n_rows * n_sentences, np.int64)
    if n_rows and term.size:
        columns = _Columns.of(_places(references), term, sentence, n_sentences)
        hits[columns.pair] = columns.hits()
    return hits.reshape(n_rows, n_sentences)


def _places(references: TermIds) -> Bits:
    """The places of each term in each sentence, as bits, and a last column of all bits: (n_sentences, n_terms + 1)."""
    cells = references.sentence * (references.n_terms + 1) + references.term
    places = np.zeros((references.sentence_lengths.size, references.n_terms + 1), np.int64)
    np.bitwise_or.at(places.ravel(), cells, place_bits(references))
    places[:, -1] = -1
    return places


def place_bits(references: TermIds) -> Bits:
    """The place of each word in its sentence, as a bit."""
    starts = np.cumsum(references.sentence_lengths) - references.sentence_lengths
    return np.int64(1) << np.arange(references.term.size) - starts[references.sentence]


@dataclass(frozen=True)
class _Columns:
    """The columns of all tables: first the first column of each table, then the second ones, and so on.

    Parameters
    ----------
    pair : array of int, shape (n_tables,)
        The pair of sentences of each table, the tables with most columns first.
    n_tables : list of int
        How many tables have a first, a second, ... column.
    equal : array of int, shape (n_columns,)
        Rows whose word is equal to that of the column, as bits.
    stops : array of int, shape (n_columns,)
        Rows at which the way back stops even if they do not rise.
    """

    pair: IntArray
    n_tables: list[int]
    equal: Bits
    stops: Bits

    @classmethod
    def of(cls, places: Bits, term: IntArray, sentence: IntArray, n_sentences: int) -> _Columns:
        """Keep the words that the reference's sentence has."""
        has, end = places != 0, places.shape[1] - 1
        following = np.append(term[1:], end)  # at the end of a sentence, what every sentence has
        following[:-1][sentence[1:] != sentence[:-1]] = end
        known = np.flatnonzero(has.any(axis=0)[term])  # others are in no table
        term, following, sentence = term[known], following[known], sentence[known]
        kept = np.flatnonzero(has.take(term, axis=1))
        row = kept // max(term.size, 1)
        word = kept - row * term.size
        pairs = row * n_sentences + sentence[word]
        row *= places.shape[1]
        equal = places.take(row + term[word])
        stops = equal * has.take(row + following[word])
        first = run_starts(pairs)
        sizes = np.append(first[1:], pairs.size) - first
        is_small = sizes.max(initial=0) <= np.iinfo(np.int16).max
        order = np.argsort((-sizes).astype(np.int16) if is_small else -sizes, kind="stable")  # in linear time
        first = first[order]
        n_tables = np.cumsum(np.bincount(sizes)[:0:-1])[::-1].tolist()
        columns = np.concatenate([first[:0], *(first[:n] + step for step, n in enumerate(n_tables))])
        return cls(pairs.take(first), n_tables, equal.take(columns), stops.take(columns))

    def hits(self) -> Bits:
        """Rows that the way back of each table passes diagonally, as bits."""
        spans = [slice(end - n, end) for n, end in zip(self.n_tables, accumulate(self.n_tables), strict=True)]
        flat = np.empty_like(self.equal)  # rows at which the table does not rise
        before = np.full(self.pair.size, -1, np.int64)
        for n, span in zip(self.n_tables, spans, strict=True):
            before = before[:n]
            matched = before & self.equal[span]
            left_out = before ^ matched
            matched += before
            before = np.bitwise_or(matched, left_out, out=flat[span])
        stops, different = ~flat | self.stops, ~self.equal
        hits = np.zeros(self.pair.size, np.int64)
        left = np.full(self.pair.size, -1, np.int64)  # rows that the way back has not passed
        for n, span in zip(reversed(self.n_tables), reversed(spans), strict=True):
            here = left[:n]
            below = _up_to_highest(stops[span] & here)
            np.bitwise_and(below, different[span] | below >> 1, out=here)
            hits[:n] |= below ^ here
        return hits


def long_hit_bits(read: Sequence[int], others: Iterable[Sequence[int]]) -> list[int]:
    """Find the words of one sentence of a reference, of any length, that are hit by each other sentence, as bits.

    Examples
    --------
    >>> [bin(bits) for bits in long_hit_bits([7, 8, 9, 7], [[7, 1, 9], [8]])]
    ['0b101', '0b10']
    """
    places: dict[int, int] = {}
    for place, term in enumerate(read):
        places[term] = places.get(term, 0) | 1 << place
    every = (1 << len(read)) - 1
    return [_long_hits([places.get(term, 0) for term in words], every) for words in others]


def _long_hits(equal: Sequence[int], every: int) -> int:
    """Rows that the way back of one table passes diagonally, of its ``equal`` rows by column and of ``every`` row."""
    flat = every
    stops = []
    for rows in equal:
        if rows:
            matched = flat & rows
            flat = (flat + matched | flat ^ matched) & every
        stops.append(flat ^ every | rows)
    hits, left = 0, every
    for rows, stop in zip(reversed(equal), reversed(stops), strict=True):
        highest = 1 << (stop & left).bit_length() >> 1
        hits |= highest & rows
        left = (highest << 1) - 1 ^ highest & rows if highest else 0
    return hits


def _up_to_highest(bits: Bits) -> Bits:
    """Set all bits up to the highest one; 0 for 0."""
    exponent = bits.astype(np.float64).view(np.int64) >> 52
    return _UP_TO.take(exponent)


_UP_TO = np.array([0] * _BIAS + [(1 << n) - 1 for n in range(1, MOST_WORDS + 2)])
"""All bits up to the highest one, by the exponent of a double with this highest bit."""
