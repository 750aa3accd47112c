"""Longest common subsequences of the sentences of summaries and references, for ROUGE-L and ROUGE-W.

Both follow one scheme (Lin 2004, sections 3 and 4, as ROUGE-1.5.5 does it). For a sentence of a reference and one
of a summary, with k the length of the run of matches that ends before a cell::

    c[i, j] = c[i-1, j-1] + (k + 1)**power - k**power      where the words are equal: go back diagonally
            = max(c[i-1, j], c[i, j-1])                    elsewhere: go back up if c[i-1, j] is no less, else left

and the reference's words that the way back from the last cell passes diagonally are hits. With power 1 this is the
longest common subsequence. A reference's hits are the union over all sentences of the summary; a word counts at
most as often as it occurs in both texts, and the first hits are kept.

For ROUGE-L a column of the table is the bits of one integer. Bit i of ``rises`` is 1 where c[i + 1, j] is c[i, j] + 1
(Hyyrö 2004, "Bit-parallel LCS-length computation revisited", computes these for a whole column by one addition). They
are all that the way back needs: in column j it goes up to the next row whose word is equal, which is a hit, or that
rises, and from there to the column before. Many pairs are done at once with 64-bit integers; sentences with more words
than these have room for are done pair by pair, with integers of any size. Words of a summary that the reference's
sentence lacks leave ``rises`` as it is, and have no column. In theirs, the way back would go up to the next row that
rises: so after a word that such words follow, it stops only at rows that rise.

For ROUGE-W all pairs of sentences of a topic are done at once, diagonal by diagonal. Words that do not occur in the
other sentence only end runs. Of several such words in a row one is kept, and leading ones are dropped, which does not
change the result (the rows of c are equal, and the way back passes them straight).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import Booleans, Floats, IntArray, exact_product, run_starts
from classy_aesop.text.ngrams import NgramCounts
from classy_aesop.text.terms import TermIds

WEIGHT = 1.2
"""The exponent of ROUGE-W-1.2: a run of k hits counts k**1.2."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The sentences of a topic's texts, whose terms have the same ids."""

    texts: TermIds  # tokens by sentence
    which: slice  # those of them that are references
    summaries: TermIds
    unigrams: NgramCounts  # of each text; hits of a word are clipped to this
    all_counted: bool = True  # whether every word of the sentences is among these

    @cached_property
    def references(self) -> TermIds:
        """The tokens of the references."""
        return self.texts.part(self.which.start, self.which.stop)

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


_LARGEST_BATCH = 1 << 22
_GROWTH = 2.0  # of the sizes of batches: fewer batches against more empty cells
_UP, _LEFT, _DIAGONAL, _STOP = 0, 1, 2, 3


@dataclass(frozen=True)
class SentencePairs:
    """All pairs of a sentence of the references and a distinct sentence of the summaries, with the same ids."""

    references: TermIds
    summaries: TermIds

    def hits(self, power: float) -> Booleans:
        """The hits of each summary among the references' words, before clipping; (n_summaries, n_reference_tokens)."""
        if power != 1:
            return self._united(self._hits_by_table(power))
        is_short = self.references.sentence_lengths <= MOST_WORDS
        if is_short.all():
            return self._hits_by_bits()
        hits = np.zeros((self.summaries.n_texts, self.references.term.size), bool)
        words = is_short[self.references.sentence]
        short, long = (
            SentencePairs(self.references.sentences(which), self.summaries) for which in (is_short, ~is_short)
        )
        hits[:, words], hits[:, ~words] = short.hits(power), long._united(long._hits_one_by_one())
        return hits

    def _hits_by_bits(self) -> Booleans:
        """Find the hits with power 1 of sentences of few words."""
        references, text = self.references, self.summaries.text_of_sentence
        bits = hit_bits(references, *self._sentences, self._n_distinct)
        united = np.zeros((len(bits), self.summaries.n_texts), bits.dtype)
        if bits.size:
            starts = run_starts(text)
            united[:, text[starts]] = np.bitwise_or.reduceat(
                bits.take(self._distinct, axis=1), starts, axis=1
            )
        hits: Booleans = united[references.sentence] & place_bits(references)[:, None] != 0
        return hits.T

    def _hits_one_by_one(self) -> Booleans:
        """The hits with power 1 of each distinct sentence of the summaries, (n_distinct, n_reference_tokens)."""
        hit = np.zeros((self._n_distinct, self.references.term.size), bool)
        term, sentence = self._sentences
        written = [words.tolist() for words in np.split(term, run_starts(sentence)[1:])]
        stops = np.cumsum(self.references.sentence_lengths)
        for start, stop in zip(stops - self.references.sentence_lengths, stops, strict=True):
            read, n_bytes = self.references.term[start:stop].tolist(), (stop - start + 7) // 8
            bits = b"".join(bits.to_bytes(n_bytes, "little") for bits in long_hit_bits(read, written))
            rows = np.frombuffer(bits, np.uint8).reshape(-1, n_bytes)
            hit[:, start:stop] = np.unpackbits(rows, axis=1, count=stop - start, bitorder="little")
        return hit

    def _hits_by_table(self, power: float) -> Booleans:
        """The hits of each distinct sentence of the summaries, (n_distinct, n_reference_tokens)."""
        hit = np.zeros((self._n_distinct, self.references.term.size), bool)
        for first, second, place, distinct in self._batches:
            marked = _way_back(_directions(first, second, power))
            hit[np.broadcast_to(distinct, marked.shape)[marked], place[marked]] = True
        return hit

    def _united(self, hit: Booleans) -> Booleans:
        """Combine the hits of each summary's sentences."""
        united = np.zeros((self.summaries.n_texts, hit.shape[1]), bool)
        text = self.summaries.text_of_sentence
        if hit.size:
            starts = run_starts(text)
            united[text[starts]] = np.logical_or.reduceat(hit[self._distinct], starts)
        return united

    @property
    def _distinct(self) -> IntArray:
        return self.summaries.type_of_sentence

    @property
    def _n_distinct(self) -> int:
        return int(self._distinct.max(initial=-1)) + 1

    @cached_property
    def _sentences(self) -> tuple[IntArray, IntArray]:
        """Terms of all distinct sentences, and the sentence of each."""
        first = np.zeros(self.summaries.sentence_lengths.size, bool)
        first[run_starts(np.maximum.accumulate(self._distinct))] = True  # numbered as they come
        kept = first[self.summaries.sentence]
        return self.summaries.term[kept], self._distinct[self.summaries.sentence[kept]]

    @cached_property
    def _words(self) -> tuple[_Kept, _Kept]:
        """The words that are kept, of the references and of the summaries, by pair."""
        term, sentence = self.references.term, self.references.sentence
        other, owner = self._sentences
        shape = self.references.sentence_lengths.size, self._n_distinct
        n_terms = self.references.n_terms
        held = _held(other, owner, shape[1], n_terms)[:, term]
        rows = _Kept.of(held, term, sentence, shape[0])
        held = _held(term, sentence, shape[0], n_terms)[:, other]
        return rows, _Kept.of(held, other, owner, shape[1]).turned(shape)

    @cached_property
    def _batches(self) -> list[tuple[IntArray, IntArray, IntArray, IntArray]]:
        """Batches of pairs of about equal size.

        Each has the words of reference and summary, aligned to the end with one pair per column, the words' places
        in the references, and the distinct sentence of the summaries of each pair.
        """
        rows, columns = self._words
        pairs = np.flatnonzero(rows.n)
        size = np.maximum(rows.n, columns.n)[pairs]
        step = np.ceil(np.log(np.maximum(size, 3)) / np.log(_GROWTH)).astype(np.intp)
        batches = []
        for one in np.unique(step):
            similar = pairs[step == one]
            n_rows, n_columns = int(rows.n[similar].max()), int(columns.n[similar].max())
            n_together = max(1, _LARGEST_BATCH // ((n_rows + 1) * (n_columns + 1)))
            for start in range(0, similar.size, n_together):
                batch = similar[start : start + n_together]
                first, place = rows.set_to_end(batch, n_rows, -1)
                second, _ = columns.set_to_end(batch, n_columns, -2)
                batches.append((first, second, place, batch // self.references.sentence_lengths.size))
        return batches


@dataclass(frozen=True)
class _Kept:
    """The words of one side that are kept, for all pairs in order."""

    term: IntArray
    place: IntArray
    n: IntArray
    end: IntArray

    @classmethod
    def of(cls, held: Booleans, term: IntArray, sentence: IntArray, n_sentences: int) -> _Kept:
        """Keep the words that are in the other side's sentences (n_others, n_tokens), and the word after each."""
        kept = held.copy()
        kept[:, 1:] |= held[:, :-1] & (sentence[1:] == sentence[:-1])
        other, place = np.divmod(np.flatnonzero(kept), term.size)
        n = np.bincount(other * n_sentences + sentence[place], minlength=len(held) * n_sentences)
        return cls(term[place], place, n, np.cumsum(n))

    def turned(self, shape: tuple[int, int]) -> _Kept:
        """Put the pairs in the other order: (first, second) becomes (second, first)."""
        n, end = (pairs.reshape(shape).T.ravel() for pairs in (self.n, self.end))
        return _Kept(self.term, self.place, n, end)

    def set_to_end(self, pairs: IntArray, length: int, nothing: int) -> tuple[IntArray, IntArray]:
        """Give terms and places (length, n_pairs), padded with ``nothing`` and 0 at the start."""
        behind = np.arange(length, 0, -1)[:, None]
        is_there = behind <= self.n[pairs]
        at = np.where(is_there, self.end[pairs] - behind, 0)
        return np.where(is_there, self.term[at], nothing), np.where(is_there, self.place[at], 0)


def _held(term: IntArray, sentence: IntArray, n_sentences: int, n_terms: int) -> Booleans:
    """Whether each sentence contains each term, (n_sentences, n_terms)."""
    held = np.zeros((n_sentences, n_terms), bool)
    held[sentence, term] = True
    return held


def _directions(first: IntArray, second: IntArray, power: float) -> NDArray[np.int8]:
    """The direction of the way back from each cell, (n_rows + 1, n_columns + 1, n_pairs); it stops at the border."""
    n_rows, n_columns, n_pairs = len(first), len(second), first.shape[1]
    weight = np.array([float(k) ** power for k in range(min(n_rows, n_columns) + 2)])
    way = np.full((n_rows + 1, n_columns + 1, n_pairs), _STOP, np.int8)
    longer = weight[1:]
    flat = way.reshape(-1, n_pairs)
    # Three diagonals, indexed by row; a row is zero before its first diagonal, as c[i, 0] must be.
    before, last, new = np.zeros((3, n_rows + 1, n_pairs))
    run_before, run, new_run = np.zeros((3, n_rows + 1, n_pairs), np.intp)
    greatest = max(first.max(initial=0), second.max(initial=0))
    integer = np.int16 if greatest < np.iinfo(np.int16).max else np.int32  # the smaller, to save memory
    first, second = first.astype(integer), second.astype(integer)
    for diagonal in range(2, n_rows + n_columns + 1):
        low, high = max(1, diagonal - n_columns), min(n_rows, diagonal - 1)
        here, above = slice(low, high + 1), slice(low - 1, high)
        is_equal = first[above] == second[diagonal - high - 1 : diagonal - low][::-1]
        up, left = last[above], last[here]
        start, stop = (row * n_columns + diagonal for row in (low, high))
        # 2 (diagonal) if equal, else 1 (left) or 0 (up): the larger of both.
        np.maximum(
            is_equal.view(np.int8) << 1, (up < left).view(np.int8), out=flat[start : stop + 1 : n_columns]
        )
        most = np.maximum(up, left)
        k = run_before[above]
        # Adds in the original's order: which of two sums is larger may depend on rounding.
        matched = longer.take(k)
        matched += before[above]
        matched -= weight.take(k)
        np.multiply(k + 1, is_equal, out=new_run[here])
        new[here] = np.where(is_equal, matched, most)
        before, last, new = last, new, before
        run_before, run, new_run = run, new_run, run_before
    return way


def _way_back(way: NDArray[np.int8]) -> Booleans:
    """Rows at which the way back from the last cell goes diagonally, (n_rows, n_pairs)."""
    n_rows, n_pairs = way.shape[0] - 1, way.shape[2]
    row = way.shape[1] * n_pairs  # cells from one row to the next; columns are n_pairs apart
    steps, flat = np.array([row, n_pairs, row + n_pairs]), way.ravel()
    marked = np.zeros(n_rows * n_pairs, bool)
    cell = np.arange(flat.size - n_pairs, flat.size)
    while True:
        direction = flat.take(cell)
        goes_on = direction != _STOP
        if not goes_on.all():
            cell, direction = cell[goes_on], direction[goes_on]
        if not cell.size:
            return marked.reshape(n_rows, n_pairs)
        met = cell[direction == _DIAGONAL]
        marked[(met // row - 1) * n_pairs + met % n_pairs] = True
        cell = cell - steps.take(direction)


def clipped(hits: Booleans, references: TermIds, unigrams: NgramCounts) -> Booleans:
    """Keep the first hits of each word in a reference, at most as many as its count in reference and summary."""
    key = references.text * references.n_terms + references.term
    order = np.argsort(key, kind="stable")
    starts = run_starts(key[order])
    text, term = references.text[order], references.term[order]
    count = np.cumsum(hits[:, order], axis=1)
    before = np.zeros((len(hits), starts.size), count.dtype)
    before[:, 1:] = count[:, starts[1:] - 1]
    rank: IntArray = count - np.repeat(before, np.diff(starts, append=order.size), axis=1)
    most = np.minimum(unigrams.summaries[:, term], unigrams.references[text, term])
    kept = np.empty_like(hits)
    kept[:, order] = rank <= most
    return kept & hits


def hit_lengths(hits: Booleans, kept: Booleans, references: TermIds) -> tuple[IntArray, IntArray, IntArray]:
    """Find the runs of hits within the references' sentences: summary, reference and length of each.

    A run ends at a hit that is not followed by a hit. As in the original, clipped hits do not count. If the last
    hit of a run is clipped, the run continues with the sentence's next run, or is lost if there is none.
    """
    follows = np.zeros_like(hits)
    follows[:, :-1] = hits[:, 1:] & (references.sentence[1:] == references.sentence[:-1])
    count = np.cumsum(kept, axis=1)
    summary, place = np.nonzero(kept & ~follows)
    sentence = references.sentence[place]
    reached = count[summary, place]
    is_first = np.diff(summary * references.sentence_lengths.size + sentence, prepend=-1) != 0
    start = (np.cumsum(references.sentence_lengths) - references.sentence_lengths)[sentence]
    at_start = np.where(start > 0, count[summary, start - 1], 0)
    before = np.where(is_first, at_start, np.concatenate(([0], reached))[:-1])
    return summary, references.text[place], reached - before


def subsequence_hits(
    hits: Booleans, references: TermIds, unigrams: NgramCounts, *, all_counted: bool
) -> Floats:
    """Clipped hits of each summary in each reference, (n_summaries, n_references).

    If ``all_counted`` only words that a reference repeats can be hit more often than ``unigrams`` count.
    """
    text, term = references.text, references.term
    key = text * references.n_terms + term
    clipped = np.flatnonzero(np.bincount(key)[key] > 1) if all_counted else np.arange(key.size)
    order = clipped[np.argsort(key[clipped])]
    starts = run_starts(key[order])
    word = order[starts]
    hit = np.add.reduceat(hits[:, order].astype(np.int32), starts, axis=1)
    most = np.minimum(unigrams.summaries[:, term[word]], unigrams.references[text[word], term[word]])
    is_in = text == np.arange(references.n_texts)[:, None]
    too_many = exact_product(np.maximum(hit - most, 0), is_in[:, word])
    return (exact_product(hits, is_in) - too_many).astype(float)


def weighted_hits(hits: Booleans, references: TermIds, unigrams: NgramCounts, power: float) -> Floats:
    """Sum of the lengths of runs of clipped hits, each to a power, (n_summaries, n_references)."""
    summary, text, length = hit_lengths(hits, clipped(hits, references, unigrams), references)
    weight = np.array([float(k) ** power for k in range(int(length.max(initial=0)) + 1)])
    shape = len(hits), references.n_texts
    cells = np.bincount(summary * shape[1] + text, weight[length], minlength=shape[0] * shape[1])
    return cells.astype(float).reshape(shape)


Bits = NDArray[np.int64]

MOST_WORDS = 52
"""Most words of a reference's sentence: a double has this many bits, and gives the highest one by its exponent."""

_BIAS = 1023


def hit_bits(references: TermIds, term: IntArray, sentence: IntArray, n_sentences: int) -> Bits:
    """Mark the words that each sentence of ``term, sentence`` (n_tokens,) hits: (n_reference_sentences, n_sentences).

    Bit i is 1 where word i of the reference's sentence, of at most `MOST_WORDS`, is a hit.
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
    """The columns of all tables: first the first column of each table, then the second ones, and so on."""

    pair: IntArray  # (n_tables,): its pair of sentences, those with most columns first
    n_tables: list[int]  # those with a first, a second, ... column
    equal: Bits  # (n_columns,): rows whose word is that of the column
    stops: Bits  # (n_columns,): rows at which the way back stops even if they do not rise

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
    """Find the words of one sentence of a reference, of any length, that are hit by each other sentence, as bits."""
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
