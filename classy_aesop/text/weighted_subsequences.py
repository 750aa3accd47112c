"""Weighted longest common subsequences, for ROUGE-W: runs of hits weigh more than as many single ones.

All pairs of sentences of about the same size are done at once, diagonal by diagonal of their tables, as the recursion
in `subsequences` describes them. Words that do not occur in the other sentence only end runs. Of several such words in
a row one is kept, and leading ones are dropped, which does not change the result (the rows of c are equal, and the way
back passes them straight).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import (
    Booleans,
    Floats,
    IndexArray,
    places_in_runs,
    run_starts,
    sorted_distinct,
    starts_from_sizes,
)
from classy_aesop.text.sentence_pairs import SentencePairs

WEIGHT = 1.2
"""The exponent of ROUGE-W-1.2: a run of k hits counts k**1.2."""

_CELLS_TOGETHER = 1 << 20
"""Cells of tables that are filled at once: fewer take more calls, more take memory."""

_UP = 0
_LEFT = 1
_DIAGONAL = 2
_STOP = 3


def weighted_subsequences(sentences: SentencePairs) -> Floats:
    """Sum of the lengths of runs of clipped hits, each to the power `WEIGHT`, of each pair, shape (n_pairs,)."""
    pairs = sentences.texts.pairs
    summary, place, length = _hit_runs(sentences)
    pair = pairs.pairs_of(
        summary, sentences.references.reference.take(sentences.references.sentence.take(place))
    )
    weight = np.array([float(k) ** WEIGHT for k in range(int(length.max(initial=0)) + 1)])
    return np.bincount(pair, weight.take(length), minlength=pairs.n_pairs).astype(float)


def _hit_runs(sentences: SentencePairs) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Find the runs of hits within the references' sentences: summary, last hit and length of each.

    A run ends at a hit that is not followed by a hit. As in the original, clipped hits do not count. If the last
    hit of a run is clipped, the run continues with the sentence's next run, or is lost if there is none.
    """
    summary, place = _united_hits(sentences)
    is_counted = _mark_counted_hits(sentences, summary, place)
    sentence = sentences.references.sentence
    group = summary * max(sentences.references.lengths.size, 1) + sentence.take(place)
    is_followed = np.zeros(place.size, bool)
    is_followed[:-1] = (place[1:] == place[:-1] + 1) & (group[1:] == group[:-1])
    n_counted = np.cumsum(is_counted)
    end = np.flatnonzero(is_counted & ~is_followed)
    group_starts = run_starts(group)
    n_before_group = np.append(0, n_counted).take(group_starts)
    group_of_end = np.searchsorted(group_starts, end, side="right") - 1
    n_reached = n_counted.take(end)
    is_first_of_group = np.diff(group_of_end, prepend=-1) != 0
    n_before = np.where(is_first_of_group, n_before_group.take(group_of_end), np.append(0, n_reached)[:-1])
    return summary.take(end), place.take(end), n_reached - n_before


def _united_hits(sentences: SentencePairs) -> tuple[IndexArray, IndexArray]:
    """Hits of all sentences of each summary, each once: summary and place among the references' tokens, ascending."""
    summaries = sentences.summaries
    n_summaries = max(sentences.texts.pairs.topic_of_summary.size, 1)
    n_tokens = max(sentences.references.token.size, 1)
    distinct, place = SentenceTables(sentences).hits
    # Every summary has the hits of its distinct sentences.
    uses, summary = np.divmod(
        sorted_distinct(summaries.distinct * n_summaries + summaries.summary), n_summaries
    )
    bounds = np.searchsorted(uses, np.arange(summaries.topic.size + 1))
    hit, use = places_in_runs(np.diff(bounds).take(distinct), bounds[:-1].take(distinct))
    return np.divmod(sorted_distinct(summary.take(use) * n_tokens + place.take(hit)), n_tokens)


def _mark_counted_hits(sentences: SentencePairs, summary: IndexArray, place: IndexArray) -> Booleans:
    """Mark the first hits of each word in a reference, at most as many as its count in reference and summary."""
    texts = sentences.texts
    token = sentences.references.token.take(place)
    text_and_term = texts.text.take(token) * max(texts.n_terms, 1) + texts.term.take(token)
    _, word = np.unique(text_and_term, return_inverse=True)
    key = summary * (int(word.max(initial=0)) + 1) + word
    order = np.argsort(key, kind="stable")
    starts = run_starts(key.take(order))
    rank = np.empty(key.size, np.intp)
    rank[order] = np.arange(key.size) - np.repeat(starts, np.diff(starts, append=key.size))
    is_counted: Booleans = rank < sentences.max_hits(summary, token)
    return is_counted


@dataclass(frozen=True)
class _CommonWords:
    """Words of one side of each table that the other side has, too, and those that follow these."""

    place: IndexArray  # (n_words,): of each among the tokens of its side, by table
    n_words: IndexArray  # (n_tables,)

    @classmethod
    def select_words(
        cls, table: IndexArray, place: IndexArray, sentence_of_token: IndexArray, n_tables: int
    ) -> _CommonWords:
        """Select the words, given the table and the place of those that are common, in any order."""
        bits = sentence_of_token.size.bit_length()
        next_sentence = np.append(sentence_of_token[1:], -1)
        is_followed = next_sentence.take(place) == sentence_of_token.take(place)
        code = table << bits | place
        codes = sorted_distinct(np.concatenate([code, code.compress(is_followed) + 1]))
        return cls(codes & (1 << bits) - 1, np.bincount(codes >> bits, minlength=n_tables))

    @cached_property
    def end(self) -> IndexArray:
        """Place after the last word of each table."""
        return np.cumsum(self.n_words)

    def align_to_end(self, tables: IndexArray, length: int) -> tuple[IndexArray, Booleans]:
        """Give places (length, n_tables) that end with the last word of each table, and which of them exist."""
        distance = np.arange(length, 0, -1)[:, None]
        exists = distance <= self.n_words.take(tables)
        return self.place.take(np.where(exists, self.end.take(tables) - distance, 0)), exists


@dataclass(frozen=True, eq=False)
class SentenceTables:
    """A table for every distinct sentence of a summary and every sentence of the references of its topic."""

    sentences: SentencePairs

    @cached_property
    def _n_sentences(self) -> IndexArray:
        """Number of sentences of the references of each topic."""
        n_topics = self.sentences.texts.n_reference_terms.size
        return np.bincount(self.sentences.references.topic, minlength=n_topics)

    @cached_property
    def _first_table(self) -> IndexArray:
        """What is added to a sentence of the references to give its table, for each distinct sentence of summaries."""
        topic = self.sentences.summaries.topic
        first_sentence = starts_from_sizes(self._n_sentences)
        return starts_from_sizes(self._n_sentences.take(topic)) - first_sentence.take(topic)

    @cached_property
    def _distinct(self) -> IndexArray:
        """Distinct sentence of each table, ascending."""
        topic = self.sentences.summaries.topic
        return np.repeat(np.arange(topic.size), self._n_sentences.take(topic))

    @cached_property
    def _rows(self) -> _CommonWords:
        """Words of the references."""
        references = self.sentences.references
        summaries = self.sentences.summaries
        place, distinct = self._find_sentences_with(references.token, summaries.token, summaries.owner)
        table = self._first_table.take(distinct) + references.sentence.take(place)
        return _CommonWords.select_words(table, place, references.sentence, self._distinct.size)

    @cached_property
    def _columns(self) -> _CommonWords:
        """Words of the summaries."""
        references = self.sentences.references
        summaries = self.sentences.summaries
        place, sentence = self._find_sentences_with(summaries.token, references.token, references.sentence)
        table = self._first_table.take(summaries.owner.take(place)) + sentence
        return _CommonWords.select_words(table, place, summaries.owner, self._distinct.size)

    def _find_sentences_with(
        self, token: IndexArray, token_of_other: IndexArray, sentence_of_other: IndexArray
    ) -> tuple[IndexArray, IndexArray]:
        """Give each token's place with each sentence of the other side that has its term."""
        texts = self.sentences.texts
        bits = sentence_of_other.size.bit_length()
        codes = sorted_distinct(texts.term.take(token_of_other) << bits | sentence_of_other)
        n_sentences = np.bincount(codes >> bits, minlength=texts.n_terms)
        term = texts.term.take(token)
        place, run = places_in_runs(n_sentences.take(term), starts_from_sizes(n_sentences).take(term))
        return place, codes.take(run) & (1 << bits) - 1

    @cached_property
    def hits(self) -> tuple[IndexArray, IndexArray]:
        """Distinct sentence, and place among the references' tokens, of each hit."""
        term_of_references = self._terms(self.sentences.references.token)
        term_of_summaries = self._terms(self.sentences.summaries.token)
        distinct_of_hits = [self._distinct[:0]]
        places_of_hits = [self._distinct[:0]]
        for tables in self._batches():
            row, has_row = self._rows.align_to_end(tables, int(self._rows.n_words.take(tables).max()))
            column, has_column = self._columns.align_to_end(
                tables, int(self._columns.n_words.take(tables).max())
            )
            first = np.where(has_row, term_of_references.take(row), -1)
            second = np.where(has_column, term_of_summaries.take(column), -2)
            is_hit = _way_back(_directions(first, second, WEIGHT))
            distinct_of_hits.append(np.broadcast_to(self._distinct.take(tables), is_hit.shape)[is_hit])
            places_of_hits.append(row[is_hit])
        return np.concatenate(distinct_of_hits), np.concatenate(places_of_hits)

    def _terms(self, token: IndexArray) -> IndexArray:
        """Terms of tokens, numbered from 0 in each topic, so that they are small."""
        return self.sentences.texts.place_of_term.take(token)

    def _batches(self) -> Iterator[IndexArray]:
        """Yield tables of similar size that have a common word, so many as have few cells at the largest size."""
        tables = np.flatnonzero(self._rows.n_words)
        n_rows = self._rows.n_words.take(tables)
        n_columns = self._columns.n_words.take(tables)
        order = np.argsort(np.maximum(n_rows, n_columns), kind="stable")
        max_rows = np.maximum.accumulate(n_rows.take(order))
        max_columns = np.maximum.accumulate(n_columns.take(order))
        n_cells = (max_rows + 1) * (max_columns + 1)
        start = 0
        while start < order.size:
            n_cells_together = n_cells[start:] * np.arange(1, order.size - start + 1)
            stop = start + max(1, int(np.searchsorted(n_cells_together, _CELLS_TOGETHER, side="right")))
            yield tables.take(order[start:stop])
            start = stop


def _directions(first: IndexArray, second: IndexArray, power: float) -> NDArray[np.int8]:
    """The direction of the way back from each cell, (n_rows + 1, n_columns + 1, n_pairs); it stops at the border."""
    n_rows, n_pairs = first.shape
    n_columns = len(second)
    directions = np.full((n_rows + 1, n_columns + 1, n_pairs), _STOP, np.int8)
    is_left = directions.view(bool).reshape(-1, n_pairs)  # 1 (left) or 0 (up)
    is_equal, matches = _find_matches(first, second, power)
    # Three diagonals, indexed by row; a row is zero before its first diagonal, as c[i, 0] must be.
    last_but_one, last, new = np.zeros((3, n_rows + 1, n_pairs))
    for diagonal in range(2, n_rows + n_columns + 1):
        low = max(1, diagonal - n_columns)
        high = min(n_rows, diagonal - 1)
        rows = slice(low, high + 1)
        up = last[low - 1 : high]
        to_left = last[rows]
        cells = slice(low * n_columns + diagonal, high * n_columns + diagonal + 1, n_columns)
        np.less(up, to_left, out=is_left[cells])
        np.maximum(up, to_left, out=new[rows])
        matches.fill_diagonal(diagonal, last_but_one, new)
        last_but_one, last, new = last, new, last_but_one
    directions[1:, 1:][is_equal] = _DIAGONAL
    return directions


@dataclass(frozen=True)
class _Matches:
    """Cells of tables with equal words, which are few, diagonal by diagonal: those with the same sum of the indices."""

    bounds: list[int]  # (n_rows + n_columns + 2,): number of matches before each diagonal
    place: IndexArray  # (n_matches,): in a diagonal, (n_rows + 1, n_pairs), which is indexed by row
    place_before: IndexArray  # (n_matches,): of the cell above and to the left, in the last diagonal but one
    weight: Floats  # (n_matches,): of the run of matches that ends at each
    weight_before: Floats  # (n_matches,): of the run without the match itself

    def fill_diagonal(self, diagonal: int, last_but_one: Floats, new: Floats) -> None:
        """Set the values of a diagonal at its matches, given the last diagonal but one."""
        matches = slice(self.bounds[diagonal], self.bounds[diagonal + 1])
        # Adds in the original's order: which of two sums is larger may depend on rounding.
        value = last_but_one.take(self.place_before[matches])
        value += self.weight[matches]
        value -= self.weight_before[matches]
        new.put(self.place[matches], value)


def _find_matches(first: IndexArray, second: IndexArray, power: float) -> tuple[Booleans, _Matches]:
    """Find the cells with equal words: marks of all cells, (n_rows, n_columns, n_pairs), and a list."""
    n_rows, n_pairs = first.shape
    n_columns = len(second)
    greatest = max(first.max(initial=0), second.max(initial=0))
    integer = np.int16 if greatest < np.iinfo(np.int16).max else np.int32  # the smaller, to save time
    is_equal = first.astype(integer)[:, None] == second.astype(integer)
    row_and_column, pair = np.divmod(np.flatnonzero(is_equal), n_pairs)
    row, column = np.divmod(row_and_column, n_columns)
    # The cells that a run may consist of have consecutive numbers.
    number = ((column - row + n_rows) * n_pairs + pair) * (n_rows + 1) + row
    order = np.argsort(number)
    number = number.take(order)
    starts = np.flatnonzero(np.diff(number, prepend=-2) != 1)
    length = np.empty(number.size, np.intp)
    length[order] = np.arange(number.size) - np.repeat(starts, np.diff(starts, append=number.size))
    diagonal = row + column + 2
    order = np.argsort(diagonal)
    place = (row * n_pairs + pair).take(order)
    length = length.take(order)
    weight = np.array([float(k) ** power for k in range(min(n_rows, n_columns) + 1)])
    bounds = np.searchsorted(diagonal.take(order), np.arange(n_rows + n_columns + 2)).tolist()
    return is_equal, _Matches(bounds, place + n_pairs, place, weight.take(length + 1), weight.take(length))


def _way_back(directions: NDArray[np.int8]) -> Booleans:
    """Rows at which the way back from the last cell goes diagonally, (n_rows, n_pairs)."""
    n_rows = directions.shape[0] - 1
    n_pairs = directions.shape[2]
    row = directions.shape[1] * n_pairs  # cells from one row to the next; columns are n_pairs apart
    steps = np.array([row, n_pairs, row + n_pairs, 0])
    flat = directions.ravel()
    cell = np.arange(flat.size - n_pairs, flat.size)
    hits = [cell[:0]]
    direction = flat.take(cell)
    while (direction != _STOP).any():
        hits.append(cell.compress(direction == _DIAGONAL))
        cell = cell - steps.take(direction)
        direction = flat.take(cell)
    hit = np.concatenate(hits)
    is_hit = np.zeros(n_rows * n_pairs, bool)
    is_hit[(hit // row - 1) * n_pairs + hit % n_pairs] = True
    return is_hit.reshape(n_rows, n_pairs)
