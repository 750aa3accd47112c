"""Common subsequences of the sentences of summaries and references, counted on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from classy_aesop.text.arrays import Floats, IndexArray
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.subsequences import subsequence_hits
from classy_aesop.text.weighted_subsequences import weighted_subsequences


@dataclass(frozen=True, eq=False)
class CommonSubsequences:
    """Longest common subsequences of the sentences of each pair of texts; values have shape (n_pairs,)."""

    sentences: SentencePairs

    @cached_property
    def subsequences(self) -> IndexArray:
        """Words of the reference that are in its longest common subsequences with the summary (ROUGE-L)."""
        return subsequence_hits(self.sentences)

    @cached_property
    def weighted_subsequences(self) -> Floats:
        """The same, with higher weights for consecutive hits (ROUGE-W)."""
        return weighted_subsequences(self.sentences)
