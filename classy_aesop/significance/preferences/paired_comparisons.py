"""Comparisons of two systems on topics, and their sums by topic and pair of systems.

A win gives 1 to the better system and 0 to the other, a tie a half to both; a share of a win, such as the probability
of a preference, gives the share to one and the rest to the other. All that is computed from preferences
(win rates, strengths, tests) rests on two sparse matrices, topics x pairs of systems: how often the two were compared
on the topic, and what the first of them won there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from classy_aesop.significance.base import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PairedComparisons:
    """Comparisons as arrays of shape (n_comparisons,).

    Attributes
    ----------
    topic, first, second : ndarray of int
        The topic and the two systems, by their numbers.
    wins : ndarray
        What the first system wins, from 0 to 1; a half for a tie.
    weights : ndarray
        How much each comparison counts; 1 where all count alike.
    n_systems, n_topics : int
        How many there are.
    """

    topic: IntArray
    first: IntArray
    second: IntArray
    wins: FloatArray
    weights: FloatArray
    n_systems: int
    n_topics: int

    @classmethod
    def from_arrays(
        cls,
        topic: ArrayLike,
        first: ArrayLike,
        second: ArrayLike,
        wins: ArrayLike,
        *,
        n_systems: int | None = None,
        n_topics: int | None = None,
    ) -> PairedComparisons:
        """Make comparisons from numbers of topics and systems, from 0, and wins from 0 to 1.

        Shapes: ``topic``, ``first``, ``second`` and ``wins`` (n_comparisons,).

        Examples
        --------
        >>> comparisons = PairedComparisons.from_arrays([0, 0, 1], [0, 1, 1], [1, 2, 0], [1, 0.5, 0])
        >>> comparisons.pairs.tolist()
        [[0, 1], [1, 2]]
        >>> comparisons.n_compared.toarray().tolist(), comparisons.n_won.toarray().tolist()
        ([[1.0, 1.0], [1.0, 0.0]], [[1.0, 0.5], [1.0, 0.0]])
        """
        codes = np.array([topic, first, second], dtype=np.int64)
        won = np.asarray(wins, dtype=np.float64)
        n_systems = int(codes[1:].max()) + 1 if n_systems is None else n_systems
        n_topics = int(codes[0].max()) + 1 if n_topics is None else n_topics
        return cls(codes[0], codes[1], codes[2], won, np.ones(len(won)), n_systems, n_topics)

    @cached_property
    def _pair_codes(self) -> IntArray:
        return np.minimum(self.first, self.second) * self.n_systems + np.maximum(self.first, self.second)

    @cached_property
    def pairs(self) -> IntArray:
        """The pairs of systems that were compared, the lower number first, (n_pairs, 2)."""
        return np.stack(np.divmod(np.unique(self._pair_codes), self.n_systems), axis=1)

    @cached_property
    def pair(self) -> IntArray:
        """The row of `pairs` of each comparison, (n_comparisons,)."""
        return np.unique(self._pair_codes, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def wins_of_lower(self) -> FloatArray:
        """What the first system of the pair (not of the comparison) wins, (n_comparisons,)."""
        return np.where(self.first < self.second, self.wins, 1 - self.wins)

    def _sums(self, values: FloatArray) -> csr_array:
        shape = self.n_topics, len(self.pairs)
        return csr_array(
            (values * self.weights, (self.topic, self.pair)), shape=shape
        )  # equal entries add up

    @cached_property
    def n_compared(self) -> csr_array:
        """How often each pair was compared on each topic, (n_topics, n_pairs)."""
        return self._sums(np.ones(len(self.wins)))

    @cached_property
    def n_won(self) -> csr_array:
        """What the first of each pair won there, (n_topics, n_pairs); it has the entries of `n_compared`."""
        return self._sums(self.wins_of_lower)

    @cached_property
    def counts(self) -> FloatArray:
        """The comparisons of each pair over all topics, (n_pairs,)."""
        return np.bincount(self.pair, self.weights, len(self.pairs)).astype(np.float64)

    @cached_property
    def won(self) -> FloatArray:
        """What the first of each pair won of these, (n_pairs,)."""
        return np.bincount(self.pair, self.wins_of_lower * self.weights, len(self.pairs)).astype(np.float64)

    @cached_property
    def n_by_topic_and_system(self) -> FloatArray:
        """Comparisons of each system on each topic, whatever their weights, (n_topics, n_systems)."""
        cells = np.concatenate([self.topic * self.n_systems + side for side in (self.first, self.second)])
        counts = np.bincount(cells, minlength=self.n_topics * self.n_systems)
        return counts.reshape(self.n_topics, self.n_systems).astype(np.float64)

    @cached_property
    def rates(self) -> FloatArray:
        """The share that each system (row) won against each other, (n_systems, n_systems); NaN where they never met."""
        rates = np.full((self.n_systems, self.n_systems), np.nan)
        lower, upper = self.pairs.T
        rates[lower, upper] = self.won / self.counts
        rates[upper, lower] = 1 - self.won / self.counts
        return rates

    @cached_property
    def is_complete(self) -> bool:
        """Whether each system was compared with each other one."""
        return len(self.pairs) == self.n_systems * (self.n_systems - 1) // 2

    def subset(self, rows: ArrayLike) -> PairedComparisons:
        """Give some of the comparisons, with the same numbers of systems and topics.

        Examples
        --------
        >>> len(PairedComparisons.from_arrays([0, 1], [0, 1], [1, 0], [1, 0.5]).subset([True, False]).wins)
        1
        """
        columns = ("topic", "first", "second", "wins", "weights")
        return replace(self, **{name: getattr(self, name)[np.asarray(rows)] for name in columns})

    def keep_systems(self, systems: IntArray) -> PairedComparisons:
        """Give the comparisons of some systems with each other; they and their topics are numbered anew.

        Examples
        --------
        >>> comparisons = PairedComparisons.from_arrays([0, 1, 2], [0, 1, 2], [1, 2, 1], [1, 1, 1])
        >>> comparisons.keep_systems(np.array([1, 2])).topic.tolist()
        [0, 1]
        """
        inside = self.subset(np.isin(self.first, systems) & np.isin(self.second, systems))
        topics, topic = np.unique(inside.topic, return_inverse=True)
        return replace(
            inside,
            topic=topic,
            first=np.searchsorted(systems, inside.first),
            second=np.searchsorted(systems, inside.second),
            n_systems=len(systems),
            n_topics=len(topics),
        )
