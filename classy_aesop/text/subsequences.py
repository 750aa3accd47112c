"""Longest common subsequences of the sentences of summaries and references, for ROUGE-L; of all topics at once.

ROUGE-L and ROUGE-W follow one scheme (Lin 2004, sections 3 and 4, as ROUGE-1.5.5 does it). For a sentence of a
reference and one of a summary, with k the length of the run of matches that ends before a cell::

    c[i, j] = c[i-1, j-1] + (k + 1)**power - k**power      where the words are equal: go back diagonally
            = max(c[i-1, j], c[i, j-1])                    elsewhere: go back up if c[i-1, j] is no less, else left

and the reference's words that the way back from the last cell passes diagonally are hits. With power 1 this is the
longest common subsequence. A reference's hits are the union over all sentences of the summary; a word counts at
most as often as it occurs in both texts, and the first hits are kept. `weighted_subsequences` has ROUGE-W.

For ROUGE-L a column of the table is the bits of one integer. Bit i of ``rises`` is 1 where c[i + 1, j] is c[i, j] + 1
(Hyyrö 2004, "Bit-parallel LCS-length computation revisited", computes these for a whole column by one addition). They
are all that the way back needs: in column j it goes up to the next row whose word is equal, which is a hit, or that
rises, and from there to the column before. Many pairs are done at once with 64-bit integers; sentences with more words
than these have room for are done pair by pair, with integers of any size. Words of a summary that the reference's
sentence lacks leave ``rises`` as it is, and have no column. In theirs, the way back would go up to the next row that
rises: so after a word that such words follow, it stops only at rows that rise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from classy_aesop.text.arrays import (
    IndexArray,
    find_first_equal,
    places_in_runs,
    run_ends,
    run_starts,
    sorted_distinct,
    starts_from_sizes,
)
from classy_aesop.text.sentence_pairs import MAX_WORDS_OF_PIECE, Bits, SentencePairs

_ALL_BITS = (1 << MAX_WORDS_OF_PIECE) - 1
_BIAS = 1023


_COLUMNS_TOGETHER = 1 << 15
"""Columns of tables that are computed at once: so many stay in the cache."""


def subsequence_hits(sentences: SentencePairs) -> IndexArray:
    """Count the words of each pair's reference in its longest common subsequences with the summary, (n_pairs,)."""
    return _BitTables(sentences).count_hits()


@dataclass(frozen=True, eq=False)
class _BitTables:
    """A table for every piece of a reference's sentence and distinct sentence of the summaries of its topic."""

    sentences: SentencePairs

    def count_hits(self) -> IndexArray:
        """Count the clipped hits of each pair of texts, shape (n_pairs,)."""
        bits, piece, summary = self._united_hits
        reference = self.sentences.references.reference.take(self.sentences.references.sentence_of_piece)
        pair = self.sentences.texts.pairs.pairs_of(summary, reference.take(piece))
        hits = np.bincount(pair, np.bitwise_count(bits), minlength=self.sentences.texts.pairs.n_pairs)
        return hits.astype(np.intp) - self._n_clipped(pair)

    @cached_property
    def _topic_of_piece(self) -> IndexArray:
        return self.sentences.references.topic.take(self.sentences.references.sentence_of_piece)

    @cached_property
    def _places(self) -> tuple[Bits, IndexArray]:
        """Bits of each term in each piece, a block of each topic, and the first place of each piece.

        A block has the shape (n_pieces, n_reference_terms + 2).

        The last but one column, of words of no reference, is 0; the last one has all bits.
        """
        references = self.sentences.references
        width = self.sentences.texts.n_reference_terms.take(self._topic_of_piece) + 2
        first = starts_from_sizes(width)
        places = np.zeros(int(width.sum()), np.int64)
        cells = first.take(references.piece) + self.sentences.texts.place_of_term.take(references.token)
        np.bitwise_or.at(places, cells, references.bit)
        places[first + width - 1] = -1
        return places, first

    @cached_property
    def _tables(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Of each piece: how many distinct sentences its topic has, the first one, and what gives numbers of tables.

        There is a table for every piece and distinct sentence of its topic, in the order of pieces, then sentences. The
        last array is what is added to the number of a sentence to give that of its table.
        """
        n_distinct = np.bincount(
            self.sentences.summaries.topic, minlength=self.sentences.texts.n_reference_terms.size
        )
        sizes = n_distinct.take(self._topic_of_piece)
        first_distinct = starts_from_sizes(n_distinct).take(self._topic_of_piece)
        return sizes, first_distinct, starts_from_sizes(sizes) - first_distinct

    @cached_property
    def _hits(self) -> Bits:
        """Words of its piece that are hits, of each table."""
        texts = self.sentences.texts
        references = self.sentences.references
        summaries = self.sentences.summaries
        places, first_place = self._places
        sizes, _, first_table = self._tables
        topic = summaries.topic.take(summaries.owner)
        end = texts.n_reference_terms.take(topic) + 1
        place_of_term = texts.place_of_term.take(summaries.token)
        following = np.append(place_of_term[1:], 0)[: place_of_term.size]
        is_last = run_ends(summaries.owner)
        following[is_last] = end[is_last]
        # The words of summaries by term, and each short piece of the references with each of its terms.
        term = texts.term.take(summaries.token)
        order = np.argsort(term, kind="stable")
        n_words = np.bincount(term, minlength=texts.n_terms)
        first_word = starts_from_sizes(n_words)
        bits = max(texts.n_terms, term.size).bit_length()
        is_short = (references.n_pieces == 1).take(references.sentence)
        term_of_references = texts.term.take(references.token.compress(is_short))
        cells = sorted_distinct(references.piece.compress(is_short) << bits | term_of_references)
        piece_of_cell = cells >> bits
        term_of_cell = cells & (1 << bits) - 1
        n_columns = n_words.take(term_of_cell)
        hits = np.zeros(int(sizes.sum()), np.int64)
        for part in _split_cells(piece_of_cell, n_columns):
            terms = term_of_cell[part]
            cell, run = places_in_runs(n_columns[part], first_word.take(terms))
            codes = np.sort(piece_of_cell[part].take(cell) << bits | order.take(run))
            piece = codes >> bits
            word = codes & (1 << bits) - 1
            start = first_place.take(piece)
            equal = places.take(start + place_of_term.take(word))
            stops = equal * (places.take(start + following.take(word)) != 0)
            table = first_table.take(piece) + summaries.owner.take(word)
            columns = _TableColumns.from_tables(table, equal, stops)
            hits[columns.table] = columns.hits()
        self._add_long_sentences(hits)
        return hits

    def _add_long_sentences(self, hits: Bits) -> None:
        """Fill in the hits of sentences of several pieces."""
        references = self.sentences.references
        sizes, first_distinct, first_table = self._tables
        long_sentences = np.flatnonzero(references.n_pieces > 1).tolist()
        if not long_sentences:
            return
        texts = self.sentences.texts
        summaries = self.sentences.summaries
        term, owner = self._words_for_long_sentences
        bounds = np.searchsorted(owner, np.arange(summaries.topic.size + 1)).tolist()
        for sentence in long_sentences:
            start = references.starts[sentence]
            words = texts.term.take(references.token[start : start + references.lengths[sentence]]).tolist()
            piece = int(references.first_piece[sentence])
            numbers = range(int(first_distinct[piece]), int(first_distinct[piece] + sizes[piece]))
            sentences = [term[bounds[n] : bounds[n + 1]].tolist() for n in numbers]
            bits_of_sentences = long_hit_bits(words, sentences)
            for step in range(int(references.n_pieces[sentence])):
                table = int(first_table[piece + step] + first_distinct[piece])
                hits[table : table + len(sentences)] = [
                    bits >> MAX_WORDS_OF_PIECE * step & _ALL_BITS for bits in bits_of_sentences
                ]

    @property
    def _words_for_long_sentences(self) -> tuple[IndexArray, IndexArray]:
        """Terms of the distinct sentences of summaries, and their sentences, without most words of no reference.

        One is kept after each word of a reference; further ones leave the way back as it is, and so do leading ones.
        """
        texts = self.sentences.texts
        summaries = self.sentences.summaries
        is_in_reference = texts.place_of_term.take(summaries.token) < texts.n_reference_terms.take(
            summaries.topic.take(summaries.owner)
        )
        is_kept = is_in_reference.copy()
        is_kept[1:] |= is_in_reference[:-1]
        return texts.term.take(summaries.token.compress(is_kept)), summaries.owner.compress(is_kept)

    @cached_property
    def _united_hits(self) -> tuple[Bits, IndexArray, IndexArray]:
        """Hits of all sentences of each summary: bits, piece and summary, in the order of pieces, then summaries."""
        summaries = self.sentences.summaries
        _, _, first_table = self._tables
        topic = summaries.topic.take(summaries.distinct)
        n_sentences = np.bincount(topic, minlength=self.sentences.texts.n_reference_terms.size)
        piece, sentence = places_in_runs(
            n_sentences.take(self._topic_of_piece), starts_from_sizes(n_sentences).take(self._topic_of_piece)
        )
        bits = self._hits.take(first_table.take(piece) + summaries.distinct.take(sentence))
        summary = summaries.summary.take(sentence)
        starts = run_starts(piece * (self.sentences.texts.pairs.topic_of_summary.size + 1) + summary)
        if not bits.size:
            return bits, piece, summary
        return np.bitwise_or.reduceat(bits, starts), piece.take(starts), summary.take(starts)

    def _n_clipped(self, pair: IndexArray) -> IndexArray:
        """Hits of each pair beyond how often both texts have the word, given the pairs of ``_united_hits``.

        If all words of the sentences are counted, only those that a reference repeats can have such hits.
        """
        references = self.sentences.references
        bits, piece, summary = self._united_hits
        n_pairs = self.sentences.texts.pairs.n_pairs
        reference = references.reference.take(references.sentence)
        first = find_first_equal(
            reference * max(self.sentences.texts.n_terms, 1)
            + self.sentences.texts.term.take(references.token)
        )
        is_repeated = np.bincount(first, minlength=first.size).take(first) > 1
        word = np.flatnonzero(is_repeated) if self.sentences.counted is None else np.arange(first.size)
        if not word.size:
            return np.zeros(n_pairs, np.intp)
        # Each piece and word of it, once; a word is the place of its first token in the reference.
        cells = sorted_distinct(references.piece.take(word) * first.size + first.take(word))
        piece_of_cell, word_of_cell = np.divmod(cells, first.size)
        places, first_place = self._places
        term = self.sentences.texts.place_of_term.take(references.token.take(word_of_cell))
        mask = places.take(first_place.take(piece_of_cell) + term)
        bounds = np.searchsorted(piece, np.arange(references.sentence_of_piece.size + 1))
        cell, row = places_in_runs(np.diff(bounds).take(piece_of_cell), bounds[:-1].take(piece_of_cell))
        n_hits = np.bitwise_count(bits.take(row) & mask.take(cell))
        is_hit = n_hits > 0
        row = row.compress(is_hit)
        word_of_hits = word_of_cell.take(cell.compress(is_hit))
        max_hits = self.sentences.max_hits(summary.take(row), references.token.take(word_of_hits))
        codes, number = np.unique(pair.take(row) * first.size + word_of_hits, return_inverse=True)
        n_hits_of_word = np.bincount(number, n_hits.compress(is_hit), minlength=codes.size)
        most_of_word = np.zeros(codes.size, np.intp)
        most_of_word[number] = max_hits
        too_many = np.maximum(n_hits_of_word - most_of_word, 0)
        return np.bincount(codes // first.size, too_many, minlength=n_pairs).astype(np.intp)


def _split_cells(piece: IndexArray, n_columns: IndexArray) -> list[slice]:
    """Split cells, given the piece of each, ascending, and its number of columns; those of a piece stay together."""
    first_cell = run_starts(piece)
    group = starts_from_sizes(n_columns).take(first_cell) // _COLUMNS_TOGETHER
    bounds = [*first_cell.take(run_starts(group)).tolist(), piece.size]
    return [slice(start, stop) for start, stop in pairwise(bounds)]


@dataclass(frozen=True)
class _TableColumns:
    """The columns of all tables: first the first column of each table, then the second ones, and so on."""

    table: IndexArray  # (n_tables,): number of each, those with most columns first
    n_tables: list[int]  # those with a first, a second, ... column
    equal: Bits  # (n_columns,): rows whose word is that of the column
    stops: Bits  # (n_columns,): rows at which the way back stops even if they do not rise

    @classmethod
    def from_tables(cls, table: IndexArray, equal: Bits, stops: Bits) -> _TableColumns:
        """Put columns in order that are given table after table."""
        first = run_starts(table)
        sizes = np.diff(first, append=table.size)
        is_small = sizes.max(initial=0) <= np.iinfo(np.int16).max
        order = np.argsort((-sizes).astype(np.int16) if is_small else -sizes, kind="stable")  # in linear time
        first = first[order]
        n_tables = np.cumsum(np.bincount(sizes)[:0:-1])[::-1].tolist()
        columns = np.concatenate([first[:0], *(first[:n] + step for step, n in enumerate(n_tables))])
        return cls(table.take(first), n_tables, equal.take(columns), stops.take(columns))

    def hits(self) -> Bits:
        """Rows that the traceback of each table passes diagonally, as bits."""
        spans = [slice(end - n, end) for n, end in zip(self.n_tables, accumulate(self.n_tables), strict=True)]
        flat = np.empty_like(self.equal)  # rows at which the table does not rise
        column = np.full(self.table.size, -1, np.int64)
        for n, span in zip(self.n_tables, spans, strict=True):
            column = column[:n]
            matched = column & self.equal[span]
            unmatched = column ^ matched
            matched += column
            column = np.bitwise_or(matched, unmatched, out=flat[span])
        stops = ~flat | self.stops
        different = ~self.equal
        hits = np.zeros(self.table.size, np.int64)
        remaining = np.full(self.table.size, -1, np.int64)  # rows that the way back has not passed
        for n, span in zip(reversed(self.n_tables), reversed(spans), strict=True):
            rows = remaining[:n]
            below = _fill_below_highest(stops[span] & rows)
            np.bitwise_and(below, different[span] | below >> 1, out=rows)
            hits[:n] |= below ^ rows
        return hits


def long_hit_bits(words: Sequence[int], sentences: Iterable[Sequence[int]]) -> list[int]:
    """Find the words of one sentence of a reference, of any length, that are hit by each sentence, as bits."""
    places: dict[int, int] = {}
    for place, term in enumerate(words):
        places[term] = places.get(term, 0) | 1 << place
    all_rows = (1 << len(words)) - 1
    return [_long_hits([places.get(term, 0) for term in sentence], all_rows) for sentence in sentences]


def _long_hits(equal: Sequence[int], all_rows: int) -> int:
    """Rows that the traceback of one table passes diagonally, given the rows of equal words by column, and all rows."""
    flat = all_rows
    stops = []
    for rows in equal:
        if rows:
            matched = flat & rows
            flat = (flat + matched | flat ^ matched) & all_rows
        stops.append(flat ^ all_rows | rows)
    hits = 0
    remaining = all_rows
    for rows, stop in zip(reversed(equal), reversed(stops), strict=True):
        highest = 1 << (stop & remaining).bit_length() >> 1
        hits |= highest & rows
        remaining = (highest << 1) - 1 ^ highest & rows if highest else 0
    return hits


def _fill_below_highest(bits: Bits) -> Bits:
    """Set all bits up to the highest one; 0 for 0."""
    exponent = bits.astype(np.float64).view(np.int64) >> 52
    return _BITS_UP_TO.take(exponent)


_BITS_UP_TO = np.array([0] * _BIAS + [(1 << n) - 1 for n in range(1, MAX_WORDS_OF_PIECE + 2)])
"""All bits up to the highest one, by the exponent of a double with this highest bit."""
