"""How often the n-grams of references occur, in every summary and every reference of several topics.

N-grams are rows: numbers through all topics, consecutive in each. What would be a row of a table, the counts of a text,
is a list of entries, since most texts have few of the n-grams; one sort counts those of all texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.arrays import (
    Booleans,
    IndexArray,
    places_in_runs,
    run_sizes,
    run_starts,
    run_sums,
    starts_from_sizes,
)
from classy_aesop.text.pairs import Pairs
from classy_aesop.text.reference_sets import ReferenceSets

_BITS_OF_SUMS = 62


@dataclass(frozen=True)
class Entries:
    """N-grams of texts, each once a text, in ascending order of texts, then of n-grams."""

    text: IndexArray  # (n_entries,): number among all references, or among all summaries
    row: IndexArray  # (n_entries,): the n-gram
    count: IndexArray  # (n_entries,): how often the text has it

    def select(self, is_kept: Booleans) -> Entries:
        """Keep some entries."""
        entries = np.flatnonzero(is_kept)
        return Entries(self.text.take(entries), self.row.take(entries), self.count.take(entries))


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of n-grams of one kind.

    Shapes: ``n_rows_of_topic`` (n_topics,).
    """

    pairs: Pairs
    summaries: Entries
    references: Entries
    n_rows_of_topic: IndexArray

    @classmethod
    def count_rows(
        cls, pairs: Pairs, text: IndexArray, row: IndexArray, n_rows_of_topic: IndexArray
    ) -> PairCounts:
        """Count rows (..., n_places) of the text of each place, leaving out what is no row of a topic.

        Shapes: ``text`` (n_places,), ``row`` (..., n_places), ``n_rows_of_topic`` (n_topics,).
        """
        n_rows = int(n_rows_of_topic.sum())
        if pairs.has_single_references:  # whose n-grams are the rows, and need no sort
            is_in_reference = pairs.is_reference.take(text)
            count = np.bincount(row.compress(is_in_reference, axis=-1).ravel(), minlength=n_rows)[:n_rows]
            references = Entries(np.repeat(pairs.first_reference, n_rows_of_topic), np.arange(n_rows), count)
            references = references if count.all() else references.select(count > 0)
            summaries = _count_entries(
                pairs.number_of_text.take(text.compress(~is_in_reference)),
                row.compress(~is_in_reference, axis=-1),
                pairs.topic_of_summary.size,
                n_rows,
            )
        else:
            entries = _count_entries(
                pairs.number_with_references_first.take(text), row, pairs.topic_of_text.size, n_rows
            )
            n_references = pairs.topic_of_reference.size
            stop = int(np.searchsorted(entries.text, n_references))
            references = Entries(entries.text[:stop], entries.row[:stop], entries.count[:stop])
            summaries = Entries(entries.text[stop:] - n_references, entries.row[stop:], entries.count[stop:])
        return cls(pairs, summaries, references, n_rows_of_topic)

    def select_rows(self, is_kept: Booleans) -> PairCounts:
        """Keep some n-grams, given a mark for each row; rows keep their numbers."""
        summaries = self.summaries.select(is_kept.take(self.summaries.row))
        references = self.references.select(is_kept.take(self.references.row))
        return PairCounts(self.pairs, summaries, references, self.n_rows_of_topic)

    @cached_property
    def clipped_hits(self) -> IndexArray:
        """Shared n-grams of each pair, each counted at most as often as in the reference, shape (n_pairs,)."""
        if self.pairs.has_single_references:
            hits = np.minimum(self.summaries.count, self._counts_in_only_reference)
            return self.sums_of_summaries(hits).take(self.pairs.summary)
        # min(x, m) is 1 + min(x - 1, m - 1) if both are positive; the second part is 0 for most n-grams.
        repeated = np.flatnonzero(self.references.count > 1)
        repeated = repeated.take(np.argsort(self.references.row.take(repeated), kind="stable"))
        n_repeated = np.bincount(self.references.row.take(repeated), minlength=self._n_rows)
        entries = np.flatnonzero(self.summaries.count > 1)
        row = self.summaries.row.take(entries)
        match, place = places_in_runs(n_repeated.take(row), starts_from_sizes(n_repeated).take(row))
        entry = entries.take(match)
        other = repeated.take(place)
        n_repeats = np.minimum(self.summaries.count.take(entry), self.references.count.take(other)) - 1
        pair = self.pairs.pairs_of(self.summaries.text.take(entry), self.references.text.take(other))
        n_repeated_hits = np.bincount(pair, n_repeats, minlength=self.pairs.n_pairs)
        return self.shared_types + n_repeated_hits.astype(np.intp)

    @cached_property
    def shared_types(self) -> IndexArray:
        """Number of distinct n-grams that each pair shares, shape (n_pairs,).

        References are the fields of a few large integers, which are summed together.
        """
        pairs = self.pairs
        if pairs.has_single_references:
            return self.sums_of_summaries(self._counts_in_only_reference > 0).take(pairs.summary)
        width = int(self._n_entries.max(initial=1)).bit_length()
        word, field = np.divmod(pairs.index_of_reference, _BITS_OF_SUMS // width)
        n_words = int(word.max(initial=-1)) + 1
        shift = field * width
        is_in = np.zeros(n_words * self._n_rows, np.intp)
        cells = word.take(self.references.text) * self._n_rows + self.references.row
        np.add.at(is_in, cells, (1 << shift).take(self.references.text))
        tables = is_in.reshape(n_words, self._n_rows)
        sums = [run_sums(table.take(self.summaries.row), self._n_entries) for table in tables]
        cells = word.take(pairs.reference) * self._n_entries.size + pairs.summary
        packed = np.concatenate([np.zeros(0, np.intp), *sums]).take(cells)
        shared: IndexArray = packed >> shift.take(pairs.reference) & (1 << width) - 1
        return shared

    @cached_property
    def _counts_in_only_reference(self) -> IndexArray:
        """How often the n-gram of each entry of a summary occurs in the only reference of its topic."""
        count = np.zeros(self._n_rows, np.intp)
        count[self.references.row] = self.references.count
        return count.take(self.summaries.row)

    @cached_property
    def totals(self) -> IndexArray:
        """Number of n-grams of each reference, shape (n_references,)."""
        n_references = self.pairs.topic_of_reference.size
        return run_sums(self.references.count, run_sizes(self.references.text, n_references))

    def sums_of_summaries(self, values: IndexArray | Booleans) -> IndexArray:
        """Sum values of entries over those of each summary, shape (n_summaries,)."""
        return run_sums(values, self._n_entries)

    def n_times(self, sets: ReferenceSets) -> RowValues:
        """Count each n-gram in all references of each set."""
        return self._sum_over_sets(sets, self.references.count)

    def n_references_with(self, sets: ReferenceSets) -> RowValues:
        """Count the references of each set that have each n-gram."""
        return self._sum_over_sets(sets, np.ones(self.references.row.size, np.intp))

    def _sum_over_sets(self, sets: ReferenceSets, values: IndexArray) -> RowValues:
        """Sum the values of the references' entries over those of each set."""
        sums = np.bincount(self.references.row, values, minlength=self._n_rows).astype(np.intp)
        sizes = self.n_rows_of_topic.take(sets.topic)
        first_row = starts_from_sizes(self.n_rows_of_topic).take(sets.topic)
        first_value = starts_from_sizes(sizes) - first_row
        sums_of_sets = sums.take(places_in_runs(sizes, first_row)[1])
        n_entries = run_sizes(self.references.text, self.pairs.topic_of_reference.size)
        absence, entry = places_in_runs(
            n_entries.take(sets.reference_left_out),
            starts_from_sizes(n_entries).take(sets.reference_left_out),
        )
        place = self.references.row.take(entry) + first_value.take(sets.set_without).take(absence)
        np.subtract.at(sums_of_sets, place, values.take(entry))
        return RowValues(sums_of_sets, np.repeat(np.arange(sizes.size), sizes), first_value)

    def values_of_entries(self, values: RowValues, sets: ReferenceSets) -> IndexArray:
        """Give the value of the n-gram of each entry of a summary, in the set that the summary meets."""
        first_value = values.first_value.take(sets.set_of_summary).take(self.summaries.text)
        return values.values.take(first_value + self.summaries.row)

    @cached_property
    def _n_entries(self) -> IndexArray:
        """Number of entries of each summary."""
        return run_sizes(self.summaries.text, self.pairs.topic_of_summary.size)

    @property
    def _n_rows(self) -> int:
        return int(self.n_rows_of_topic.sum())


def _count_entries(text: IndexArray, row: IndexArray, n_texts: int, n_rows: int) -> Entries:
    """Count the rows (..., n_places) below ``n_rows`` of the text of each place."""
    bits = n_rows.bit_length()
    codes = (text << bits | row).take(np.flatnonzero(row < n_rows))
    if (n_texts << bits).bit_length() < 32:
        codes = codes.astype(np.int32)  # which are sorted faster
    codes.sort()
    starts = run_starts(codes)
    count = np.diff(starts, append=codes.size)
    codes = codes.take(starts).astype(np.intp)
    return Entries(codes >> bits, codes & (1 << bits) - 1, count)


@dataclass(frozen=True)
class RowValues:
    """A value of each n-gram of each set of references: a block (n_rows,) of each set."""

    values: IndexArray
    set_of_value: IndexArray
    first_value: IndexArray  # (n_sets,): what is added to an n-gram's number to give the place of its value
