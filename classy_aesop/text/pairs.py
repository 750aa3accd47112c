"""The texts of several topics and their pairs of a summary and a reference, as flat arrays.

Texts are numbered through all topics; in each topic the references come before the summaries. A pair is a summary and a
reference of its topic. Pairs are in the order of summaries, then of references, so what would be a matrix of a topic is
a block of an array, and topics may have any number of texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import Booleans, Floats, IndexArray, places_in_runs, starts_from_sizes


@dataclass(frozen=True, eq=False)
class Pairs:
    """How many references and summaries topics have, and the numbers that follow from it.

    Shapes: ``n_references`` and ``n_summaries`` (n_topics,).
    """

    n_references: IndexArray
    n_summaries: IndexArray

    def select_topics(self, first: int, last: int) -> Pairs:
        """Give the pairs of some topics, from ``first`` to before ``last``; they are consecutive among all pairs."""
        return Pairs(self.n_references[first:last], self.n_summaries[first:last])

    @cached_property
    def n_texts(self) -> IndexArray:
        """Number of texts of each topic, shape (n_topics,)."""
        return self.n_references + self.n_summaries

    @cached_property
    def topic_of_text(self) -> IndexArray:
        """Topic of each text, ascending."""
        return np.repeat(np.arange(self.n_texts.size), self.n_texts)

    @cached_property
    def is_reference(self) -> Booleans:
        """Whether each text is a reference."""
        place = np.arange(self.topic_of_text.size) - starts_from_sizes(self.n_texts).take(self.topic_of_text)
        is_reference: Booleans = place < self.n_references.take(self.topic_of_text)
        return is_reference

    @cached_property
    def number_of_text(self) -> IndexArray:
        """Number of each text among all references, or among all summaries."""
        number_of_reference = np.cumsum(self.is_reference) - 1
        number_of_summary = np.cumsum(~self.is_reference) - 1
        return np.where(self.is_reference, number_of_reference, number_of_summary)

    @cached_property
    def number_with_references_first(self) -> IndexArray:
        """Number of each text, where all references come before all summaries."""
        return self.number_of_text + np.where(self.is_reference, 0, self.topic_of_reference.size)

    @cached_property
    def topic_of_summary(self) -> IndexArray:
        """Topic of each summary, ascending."""
        return np.repeat(np.arange(self.n_summaries.size), self.n_summaries)

    @cached_property
    def topic_of_reference(self) -> IndexArray:
        """Topic of each reference, ascending."""
        return np.repeat(np.arange(self.n_references.size), self.n_references)

    @cached_property
    def first_reference(self) -> IndexArray:
        """First reference of each topic."""
        return starts_from_sizes(self.n_references)

    @cached_property
    def index_of_reference(self) -> IndexArray:
        """Index of each reference among those of its topic."""
        return np.arange(self.topic_of_reference.size) - self.first_reference.take(self.topic_of_reference)

    @cached_property
    def n_references_of_summary(self) -> IndexArray:
        """Number of references of each summary's topic."""
        return self.n_references.take(self.topic_of_summary)

    @cached_property
    def first_pair(self) -> IndexArray:
        """First pair of each summary."""
        return starts_from_sizes(self.n_references_of_summary)

    @cached_property
    def has_single_references(self) -> bool:
        """Whether no topic has several references."""
        return not self.index_of_reference.any()

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.summary.size

    @cached_property
    def summary(self) -> IndexArray:
        """Summary of each pair, ascending."""
        return np.repeat(np.arange(self.topic_of_summary.size), self.n_references_of_summary)

    @cached_property
    def reference(self) -> IndexArray:
        """Reference of each pair."""
        first_reference = self.first_reference.take(self.topic_of_summary)
        return places_in_runs(self.n_references_of_summary, first_reference)[1]

    @cached_property
    def reference_index(self) -> IndexArray:
        """Index of each pair's reference among those of its topic."""
        return self.index_of_reference.take(self.reference)

    def pairs_of(self, summary: IndexArray, reference: IndexArray) -> IndexArray:
        """Give the pair of each summary and reference."""
        return self.first_pair.take(summary) + self.index_of_reference.take(reference)

    @cached_property
    def _blocks(self) -> list[tuple[IndexArray, IndexArray]]:
        """Summaries with equally many references, one or more, and their pairs, (n_summaries, n_references)."""
        sizes = np.flatnonzero(np.bincount(self.n_references_of_summary))
        blocks = []
        for size in sizes[sizes > 0].tolist():
            summary = np.flatnonzero(self.n_references_of_summary == size)
            blocks.append((summary, self.first_pair.take(summary)[:, None] + np.arange(size)))
        return blocks

    def sum_pairs(self, values: NDArray[Any]) -> Floats:
        """Sum the values of the pairs of each summary, shape (n_summaries,)."""
        sums = np.zeros(self.topic_of_summary.size)
        for summary, pairs in self._blocks:
            is_single = pairs.shape[1] == 1  # of which numpy's sum takes long
            sums[summary] = values.take(pairs[:, 0]) if is_single else values.take(pairs).sum(axis=1)
        return sums

    def max_of_pairs(self, values: NDArray[Any]) -> Floats:
        """Give the largest of values >= 0 of the pairs of each summary, or 0, shape (n_summaries,)."""
        largest = np.zeros(self.topic_of_summary.size)
        for summary, pairs in self._blocks:
            largest[summary] = values.take(pairs).max(axis=1)
        return largest

    def find_first_max(self, values: NDArray[Any]) -> tuple[IndexArray, IndexArray]:
        """Give the summaries that have a pair, and the first pair with the largest value of each of them."""
        pair_of_summary = np.full(self.topic_of_summary.size, -1)
        for summary, pairs in self._blocks:
            pair_of_summary[summary] = pairs[:, 0] + values.take(pairs).argmax(axis=1)
        summary = np.flatnonzero(pair_of_summary >= 0)
        return summary, pair_of_summary.take(summary)
