"""The n-grams of a topic's references in tiers: those in one reference, those in two, and so on.

The weight of an n-gram is the number of the references met that hold it at least once. Summaries that meet the same
references have the same tiers, so these are found once for each set of references.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from classy_aesop.text.counts import Booleans, IntArray, NgramCounts, SmallIntegers, exact_product


@dataclass(frozen=True, eq=False)
class ReferenceSets:
    """The sets of references that summaries meet.

    Parameters
    ----------
    holds : array of bool, shape (n_sets, n_references)
        The references of each set.
    of_summary : array of int, shape (..., n_summaries)
        Which set each summary meets.
    """

    holds: Booleans
    of_summary: IntArray

    @classmethod
    def of(cls, meets: Booleans) -> ReferenceSets:
        """Find the distinct rows of ``meets``, of shape (..., n_summaries, n_references)."""
        *shape, n_references = meets.shape
        rows = meets.reshape(prod(shape), n_references)
        of_row, sets = np.zeros(len(rows), np.intp), {np.ones(n_references, bool).tobytes(): 0}
        for at in np.flatnonzero(~rows.all(axis=1)).tolist():  # few: most meet all references
            of_row[at] = sets.setdefault(rows[at].tobytes(), len(sets))
        holds = np.frombuffer(b"".join(sets), bool).reshape(len(sets), n_references)
        return cls(holds, of_row.reshape(shape))


@dataclass(frozen=True, eq=False)
class Tiers:
    """Weights of n-grams, and those in each summary; all properties have shape (..., n_summaries).

    Parameters
    ----------
    ngrams : NgramCounts
        N-grams of the references in each summary.
    n_distinct : array of int, shape (n_summaries,)
        Number of distinct n-grams of each summary, with those that no reference holds.
    set_of : array of int, shape (..., n_summaries)
        Which set of references each summary meets.
    weights : array of whole numbers, shape (n_sets, n_ngrams)
        Number of references of each set that hold the n-gram.
    sizes : array of int, shape (n_sets, n_references + 1)
        Number of n-grams whose weight is at least 1, 2 and so on; the last is 0.
    """

    ngrams: NgramCounts
    n_distinct: IntArray
    set_of: IntArray
    weights: SmallIntegers
    sizes: IntArray

    @classmethod
    def of(cls, ngrams: NgramCounts, n_distinct: IntArray, sets: ReferenceSets) -> Tiers:
        """Weigh the n-grams for each set of references that a summary meets."""
        n_sets, n_weights = sets.holds.shape[0], sets.holds.shape[1] + 2
        weights = exact_product(sets.holds, ngrams.references.T > 0)
        cells = weights.astype(np.intp) + n_weights * np.arange(n_sets)[:, None]
        n_of_weight = np.bincount(cells.ravel(), minlength=n_sets * n_weights).reshape(n_sets, n_weights)
        sizes = n_of_weight[:, :0:-1].cumsum(axis=1)[:, ::-1]
        return cls(ngrams, n_distinct, sets.of_summary, weights, sizes)

    @property
    def weight(self) -> IntArray:
        """Sum of the weights of the distinct n-grams that each summary holds."""
        return self._held[..., 0]

    @property
    def n_known(self) -> IntArray:
        """Number of distinct n-grams that each summary shares with some reference."""
        return self._held[..., 1]

    @property
    def n_shared(self) -> IntArray:
        """Number of distinct n-grams of each summary that two references hold; one, if no two hold the same."""
        return self._held[..., 2]

    @property
    def most_shared(self) -> IntArray:
        """Number of n-grams that two references hold; one, if no two hold the same."""
        in_both: IntArray = self.sizes[np.arange(len(self.sizes)), self._least_shared - 1]
        return in_both[self.set_of]

    @property
    def ideal_weight(self) -> IntArray:
        """Largest sum of weights that as many n-grams as the summary has can have."""
        # The k n-grams of largest weight hold min(k, size) of each tier, and each tier adds 1 to a weight.
        ideal: IntArray = np.minimum(self.n_distinct[:, None], self.sizes[self.set_of]).sum(axis=-1)
        return ideal

    @property
    def total_weight(self) -> IntArray:
        """Sum of the weights of all n-grams."""
        total: IntArray = self.sizes.sum(axis=1)[self.set_of]
        return total

    @cached_property
    def _least_shared(self) -> IntArray:
        """Least weight of n-grams that count as shared, for each set of references: 2, if two share any, or 1."""
        return np.where(self.sizes[:, 1:2].any(axis=1), 2, 1)

    @cached_property
    def _held(self) -> IntArray:
        """Weight, number of known and number of shared n-grams of each summary, shape (..., n_summaries, 3)."""
        is_shared = self.weights >= self._least_shared[:, None]
        counted = np.concatenate([self.weights, self.weights > 0, is_shared])
        sums = self.ngrams.held_sums(counted).reshape(self.n_distinct.size, 3, len(self.weights))
        held: IntArray = sums[np.arange(self.n_distinct.size), :, self.set_of]
        return held
