"""The distinct sets of references that summaries are compared with, of several topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.text.arrays import Booleans, IndexArray
from classy_aesop.text.pairs import Pairs


@dataclass(frozen=True, eq=False)
class ReferenceSets:
    """Sets of references: first the set of all references of each topic, then what else summaries meet.

    Shapes: ``topic`` (n_sets,), ``set_of_summary`` (n_summaries,).
    """

    topic: IndexArray
    set_of_summary: IndexArray
    set_without: IndexArray
    reference_left_out: IndexArray

    @classmethod
    def find_sets(cls, pairs: Pairs, meets: Booleans) -> ReferenceSets:
        """Find the sets, given whether each pair meets (n_pairs,)."""
        set_of_summary = pairs.topic_of_summary.copy()
        topics = list(range(pairs.n_references.size))
        references_left_out: dict[tuple[int, ...], int] = {}
        unmet = np.flatnonzero(~meets)
        references_of_summary: dict[int, list[int]] = {}
        columns = pairs.summary.take(unmet).tolist(), pairs.reference.take(unmet).tolist()
        for summary, reference in zip(*columns, strict=True):
            references_of_summary.setdefault(summary, []).append(reference)
        for summary, references in references_of_summary.items():
            number = references_left_out.setdefault(tuple(references), len(topics))
            if number == len(topics):
                topics.append(int(pairs.topic_of_summary[summary]))
            set_of_summary[summary] = number
        absences = [
            (number, reference)
            for references, number in references_left_out.items()
            for reference in references
        ]
        set_without, reference_left_out = np.array(absences, np.intp).reshape(-1, 2).T
        return cls(np.array(topics, np.intp), set_of_summary, set_without, reference_left_out)
