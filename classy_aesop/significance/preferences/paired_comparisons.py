"""Comparisons of two systems on topics, and their sums by topic and pair of systems.

A win gives 1 to the better system and 0 to the other, a tie a half to both; a share of a win, such as the probability
of a preference, gives the share to one and the rest to the other. All that is computed from preferences
(win rates, strengths, tests) rests on two sparse matrices, topics x pairs of systems: how often the two were compared
on the topic, and what the first of them won there.
"""

from __future__ import annotations

from dataclasses import dataclass
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
        """Check comparisons.

        Shapes: ``topic``, ``first``, ``second`` and ``wins`` (n_comparisons,).

        Examples
        --------
        >>> comparisons = PairedComparisons.from_arrays([0, 0, 1], [0, 1, 1], [1, 2, 0], [1, 0.5, 0])
        >>> comparisons.pairs.tolist()
        [[0, 1], [1, 2]]
        >>> comparisons.n_compared.toarray().tolist(), comparisons.n_won.toarray().tolist()
        ([[1.0, 1.0], [1.0, 0.0]], [[1.0, 0.5], [1.0, 0.0]])
        """
        codes = {name: np.asarray(values) for name, values in (("topic", topic), ("first", first))}
        codes["second"] = np.asarray(second)
        won = np.asarray(wins, dtype=np.float64)
        if len({won.shape, *(code.shape for code in codes.values())}) > 1 or won.ndim != 1:
            raise ValueError("topic, first, second and wins differ in shape; expected one, (n_comparisons,)")
        if not won.size:
            raise ValueError("no comparisons; expected one at least")
        for name, code in codes.items():
            if code.dtype.kind not in "iu" or code.min() < 0:
                raise ValueError(f"{name} has numbers that are not whole or below 0; expected numbers from 0")
        if (codes["first"] == codes["second"]).any():
            raise ValueError("a system is compared with itself; expected two systems")
        is_share = (won >= 0) & (won <= 1)
        if not is_share.all():
            raise ValueError(f"a win is {won[~is_share][0]:g}; expected a share from 0 to 1")
        least_systems = int(max(codes["first"].max(), codes["second"].max())) + 1
        least_topics = int(codes["topic"].max()) + 1
        systems = least_systems if n_systems is None else n_systems
        topics = least_topics if n_topics is None else n_topics
        if systems < least_systems or topics < least_topics:
            raise ValueError(
                f"{least_systems} systems and {least_topics} topics; expected no more than given"
            )
        whole = {name: code.astype(np.int64) for name, code in codes.items()}
        return cls(whole["topic"], whole["first"], whole["second"], won, np.ones(len(won)), systems, topics)

    @cached_property
    def _pair_codes(self) -> IntArray:
        lower = np.minimum(self.first, self.second)
        upper = np.maximum(self.first, self.second)
        return lower * self.n_systems + upper

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

    def count_pairs(self) -> tuple[FloatArray, FloatArray]:
        """Give the comparisons of each pair over all topics and what its first system won, (n_pairs,) each.

        Examples
        --------
        >>> PairedComparisons.from_arrays([0, 1], [0, 1], [1, 0], [1, 0.5]).count_pairs()[1].tolist()
        [1.5]
        """
        n_pairs = len(self.pairs)
        counts = np.bincount(self.pair, weights=self.weights, minlength=n_pairs).astype(np.float64)
        won = np.bincount(self.pair, weights=self.wins_of_lower * self.weights, minlength=n_pairs)
        return counts, won.astype(np.float64)

    @cached_property
    def n_by_topic_and_system(self) -> FloatArray:
        """Comparisons of each system on each topic, whatever their weights, (n_topics, n_systems)."""
        cells = np.concatenate([self.topic * self.n_systems + side for side in (self.first, self.second)])
        counts = np.bincount(cells, minlength=self.n_topics * self.n_systems)
        return counts.reshape(self.n_topics, self.n_systems).astype(np.float64)

    @cached_property
    def rates(self) -> FloatArray:
        """The share that each system (row) won against each other, (n_systems, n_systems); NaN where they never met."""
        counts, won = self.count_pairs()
        rates = np.full((self.n_systems, self.n_systems), np.nan)
        lower, upper = self.pairs.T
        rates[lower, upper] = won / counts
        rates[upper, lower] = 1 - won / counts
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
        chosen = np.asarray(rows)
        return PairedComparisons(
            self.topic[chosen],
            self.first[chosen],
            self.second[chosen],
            self.wins[chosen],
            self.weights[chosen],
            self.n_systems,
            self.n_topics,
        )
