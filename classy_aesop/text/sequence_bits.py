"""Longest common subsequences of many pairs of sentences, with a column of the table in the bits of one integer.

The table is that of `subsequences`, for ROUGE-L. Bit i of ``rises`` is 1 where c[i + 1, j] is c[i, j] + 1 (Hyyrö 2004,
"Bit-parallel LCS-length computation revisited", computes these for a whole column by one addition). They are all that
the way back needs: in column j it goes up to the next row whose word is equal, which is a hit, or that rises, and
from there to the column before.

Words of a summary that the reference's sentence lacks leave ``rises`` as it is. Of several such words in a row, the
first is kept, since the way back goes up there; leading ones are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.counts import Booleans, IntArray, TermIds
from classy_aesop.text.distinct import run_starts

Bits = NDArray[np.uint64]

MOST_WORDS = 52
"""Most words of a reference's sentence: a double has this many bits, and gives the highest one by its exponent."""

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_BIAS = 1023
_ONE = np.uint64(1)


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
    hits = np.zeros(n_rows * n_sentences, np.uint64)
    if n_rows and term.size:
        columns = _Columns.of(_places(references, max(references.n_terms, 1)), term, sentence, n_sentences)
        hits[columns.pair] = columns.hits()
    return hits.reshape(n_rows, n_sentences)


def _places(references: TermIds, n_terms: int) -> Bits:
    """The places of each term in each sentence, as bits; shape (n_sentences, n_terms)."""
    starts = np.cumsum(references.sentence_lengths) - references.sentence_lengths
    place = (np.arange(references.term.size) - np.repeat(starts, references.sentence_lengths)).astype(
        np.uint64
    )
    places = np.zeros((references.sentence_lengths.size, n_terms), np.uint64)
    np.bitwise_or.at(places, (references.sentence, references.term), np.uint64(1) << place)
    return places


@dataclass(frozen=True)
class _Columns:
    """The columns of all tables that are kept, the tables with most columns first.

    Parameters
    ----------
    pair : array of int, shape (n_tables,)
        The pair of sentences of each table.
    first : array of int, shape (n_tables,)
        Where its columns begin.
    n_tables : list of int
        How many tables have a first, a second, ... column.
    equal : array of int, shape (n_columns,)
        Rows whose word is equal to that of the column, as bits.
    """

    pair: IntArray
    first: IntArray
    n_tables: list[int]
    equal: Bits

    @classmethod
    def of(cls, places: Bits, term: IntArray, sentence: IntArray, n_sentences: int) -> _Columns:
        """Keep the words that the reference's sentence has, and the word after each."""
        near: Booleans = (places != 0).any(axis=0)[term]
        near[1:] |= near[:-1] & (sentence[1:] == sentence[:-1])  # others are in no table
        term, sentence = term[near], sentence[near]
        equal = places.take(term, axis=1)
        is_kept = equal != 0
        is_kept[:, 1:] |= is_kept[:, :-1] & (sentence[1:] == sentence[:-1])
        kept = np.flatnonzero(is_kept)
        row = np.repeat(np.arange(len(places)), np.count_nonzero(is_kept, axis=1))
        place = kept - row * term.size
        pairs = row * n_sentences + sentence[place]
        first = run_starts(pairs)
        sizes = np.diff(first, append=pairs.size)
        is_small = sizes.max(initial=0) <= np.iinfo(np.int16).max
        order = np.argsort((-sizes).astype(np.int16) if is_small else -sizes, kind="stable")  # in linear time
        n_tables = np.cumsum(np.bincount(sizes)[::-1])[::-1][1:].tolist() if sizes.size else []
        return cls(pairs[first[order]], first[order], n_tables, equal.ravel()[kept])

    def hits(self) -> Bits:
        """Rows that the way back of each table passes diagonally, as bits."""
        flat = np.full(self.pair.size, _ALL)  # rows at which the table does not rise
        columns: list[tuple[Bits, Bits]] = []
        for step, n in enumerate(self.n_tables):
            equal = self.equal.take(self.first[:n] + step)
            matched = flat[:n] & equal
            left_out = flat[:n] ^ matched
            np.bitwise_or(flat[:n] + matched, left_out, out=flat[:n])
            columns.append((equal, equal | ~flat[:n]))
        hits = np.zeros(self.pair.size, np.uint64)
        left = np.full(self.pair.size, _ALL)  # rows that the way back has not passed
        for equal, stops in reversed(columns):
            n = equal.size
            below = _up_to_highest(stops & left[:n])
            hit = (below ^ (below >> _ONE)) & equal
            hits[:n] |= hit
            np.bitwise_xor(below, hit, out=left[:n])
        return hits


def _up_to_highest(bits: Bits) -> Bits:
    """Set all bits up to the highest one; 0 for 0."""
    exponent = bits.astype(np.float64).view(np.int64) >> 52
    return _UP_TO.take(exponent)


_UP_TO = np.array([0] * _BIAS + [(1 << n) - 1 for n in range(1, MOST_WORDS + 2)], np.uint64)
"""All bits up to the highest one, by the exponent of a double with this highest bit."""
