"""Common subsequences of the texts of a topic, for ROUGE-L and ROUGE-W; each counted on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from classy_aesop.text.counts import Floats, NgramCounts, TermIds
from classy_aesop.text.subsequences import SentencePairs, subsequence_hits, weighted_hits

WEIGHT = 1.2
"""The exponent of ROUGE-W-1.2: a run of k hits counts k**1.2."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The sentences of a topic's texts, whose terms have the same ids.

    Parameters
    ----------
    texts : TermIds
        The tokens by sentence of several texts.
    which : slice
        Those of them that are references.
    summaries : TermIds
        The tokens of the summaries.
    unigrams : NgramCounts
        How often each text contains each term; hits of a word are clipped to this.
    all_counted : bool
        Whether every word of the sentences is among these counts.
    """

    texts: TermIds
    which: slice
    summaries: TermIds
    unigrams: NgramCounts
    all_counted: bool = True

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
