"""Counts of the n-grams of one topic as a table, a row a text and a column an n-gram."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.arrays import Counts, IndexArray, exact_product


@dataclass(frozen=True)
class NgramCounts:
    """How often each n-gram of the references occurs in every summary and in every reference."""

    summaries: Counts  # (n_summaries, n_ngrams), of n-grams that are in a reference
    references: Counts  # (n_references, n_ngrams)

    @cached_property
    def reference_totals(self) -> IndexArray:
        """Number of n-grams of each reference, shape (n_references,)."""
        totals: IndexArray = self.references.sum(axis=1).astype(np.intp)
        return totals

    @cached_property
    def clipped_hits(self) -> IndexArray:
        """Shared n-grams (n_summaries, n_references), each counted at most as often as in the reference."""
        # min(x, m) is 1 + min(x - 1, m - 1) if both are positive; the second part is 0 for most n-grams.
        repeated = np.flatnonzero(self.references.max(axis=0, initial=0) > 1)
        summaries = np.maximum(self.summaries.take(repeated, axis=1) - 1, 0)
        references = np.maximum(self.references.take(repeated, axis=1) - 1, 0)
        n_repeats = np.minimum(summaries[:, None], references).sum(axis=2)
        shared = exact_product(self.summaries > 0, self.references > 0)
        hits: IndexArray = shared.astype(np.intp) + n_repeats.astype(np.intp)
        return hits
