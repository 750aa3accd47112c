"""Source documents: what a summary has of what was to be summarized. It needs no reference.

N-grams are content words (n = 1), or bigrams, which may span sentences (n = 2). All features have shape (n_summaries,),
and are NaN where a topic has no documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Floats, IndexArray
from classy_aesop.text.bounds import snap_to_bounds
from classy_aesop.text.ngrams import ngram_table
from classy_aesop.text.term_ids import TermIds, term_ids
from classy_aesop.text.vocabulary import Vocabulary

_source_feature = partial(feature, kind="sources", group="sources", bounds=(0, 1))
_LOUIS = "Louis and Nenkova (2013)"


@dataclass(frozen=True, eq=False)
class Sources:
    """The input of a feature that looks at the source documents: those of one topic, and its summaries."""

    texts: TermIds  # the documents, then the summaries
    n_documents: int

    @classmethod
    def from_texts(
        cls, documents: Sequence[Sequence[str]], summaries: Sequence[Sequence[str]], vocabulary: Vocabulary
    ) -> Sources:
        """Read the texts, each given as its sentences.

        Parameters
        ----------
        documents, summaries : sequences of sequences of str
            The sentences of each text.
        vocabulary : Vocabulary
            It numbers the words.
        """
        return cls(term_ids([*documents, *summaries], vocabulary), len(documents))

    @property
    def nan_without_documents(self) -> Floats:
        """NaN for each summary if there are no documents, else 0."""
        return np.full(self.texts.n_texts - self.n_documents, 0.0 if self.n_documents else np.nan)

    @cached_property
    def words(self) -> SourceCounts:
        """Counts of the content words of all texts."""
        return SourceCounts(ngram_table(self.texts, 1, dropped=self.texts.is_stop_word), self.n_documents)

    @cached_property
    def bigrams(self) -> SourceCounts:
        """Counts of the bigrams of all texts."""
        return SourceCounts(ngram_table(self.texts, 2), self.n_documents)

    @property
    def mean_first_positions(self) -> Floats:
        """Mean place where a document first has a bigram, over the distinct bigrams of each summary that any has.

        The place is 0 for the first bigram of a document and 1 for its end; of several documents, the first counts.
        """
        ids = self.texts
        start = np.flatnonzero(ids.text[:-1] == ids.text[1:])
        text = ids.text[start]
        pair_of_terms = ids.term[start] * ids.n_terms + ids.term[start + 1]
        bigram = np.unique(pair_of_terms, return_inverse=True)[1]
        sizes = np.bincount(text, minlength=ids.n_texts)
        place = (np.arange(text.size) - (np.cumsum(sizes) - sizes)[text]) / sizes[text]
        is_source = text < self.n_documents
        first = np.full(int(bigram.max(initial=-1)) + 1, np.inf)
        np.minimum.at(first, bigram[is_source], place[is_source])
        is_shared = ~is_source & np.isfinite(first[bigram])
        summary, shared_bigram = np.unique(np.stack([text, bigram])[:, is_shared], axis=1)
        n_shared = np.bincount(summary, minlength=ids.n_texts)
        total = np.bincount(summary, first[shared_bigram], minlength=ids.n_texts)
        means: Floats = np.where(n_shared > 0, total / np.maximum(n_shared, 1), 1.0)
        return means[self.n_documents :]


@dataclass(frozen=True, eq=False)
class SourceCounts:
    """Counts of n-grams, (n_texts, n_ngrams), the documents first."""

    counts: IndexArray
    n_documents: int

    @property
    def recall(self) -> Floats:
        """Share of the documents' distinct n-grams that a summary has, each weighted by how many documents have it."""
        weights = np.count_nonzero(self.counts[: self.n_documents], axis=0)
        recall: Floats = (self.counts[self.n_documents :] > 0) @ weights / max(int(weights.sum()), 1)
        return recall

    @property
    def divergence(self) -> Floats:
        """Jensen-Shannon divergence, in bits, from the documents as one text; 1 if either side has no n-gram."""
        pooled = self.counts[: self.n_documents].sum(axis=0)
        return divergence(shares_of(self.counts[self.n_documents :]), shares_of(pooled))


def shares_of(counts: IndexArray) -> Floats:
    """Give counts as shares of their sum along the last axis; 0 if there are none."""
    shares: Floats = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    return shares


def divergence(P: Floats, Q: Floats) -> Floats:
    """Jensen-Shannon divergence, in bits, of distributions along the last axis; 1 if one of them is all zero."""
    from scipy.special import rel_entr

    bits = (rel_entr(P, (P + Q) / 2) + rel_entr(Q, (P + Q) / 2)).sum(axis=-1) / (2 * np.log(2))
    return snap_to_bounds(np.where(P.any(axis=-1) & Q.any(axis=-1), bits, 1.0), 0.0, 1.0)


@_source_feature(
    source=_LOUIS, why="what several documents repeat is likely to matter; a longer summary can have more"
)
def source_recall1(sources: Sources) -> Floats:
    """Share of the documents' distinct content words that the summary has, weighted by how many documents have each."""
    return sources.words.recall + sources.nan_without_documents


@_source_feature(source=_LOUIS, why="the same for pairs of words")
def source_recall2(sources: Sources) -> Floats:
    """Share of the documents' distinct bigrams that the summary has, weighted by how many documents have each."""
    return sources.bigrams.recall + sources.nan_without_documents


@_source_feature(source=_LOUIS, why="a good summary uses the words of the documents as often as they do")
def source_divergence1(sources: Sources) -> Floats:
    """Jensen-Shannon divergence, in bits, between the summary's content words and those of all documents."""
    return sources.words.divergence + sources.nan_without_documents


@_source_feature(source=_LOUIS, why="the same for pairs of words")
def source_divergence2(sources: Sources) -> Floats:
    """Jensen-Shannon divergence, in bits, between the summary's bigrams and those of all documents."""
    return sources.bigrams.divergence + sources.nan_without_documents


@_source_feature(source="Edmundson (1969)", why="news tell first what matters")
def source_position(sources: Sources) -> Floats:
    """Mean place (0 to 1) where a document first has each of its distinct bigrams; 1 if no document has any."""
    return sources.mean_first_positions + sources.nan_without_documents
