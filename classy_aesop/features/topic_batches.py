"""Several topics read at once, by the options of features or the settings of a metric."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from classy_aesop.data.leaks import count_characters
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.features.counts import SummaryCounts, TopicCounts, meets_of_pairs
from classy_aesop.text.arrays import Booleans, IndexArray
from classy_aesop.text.pairs import Pairs
from classy_aesop.text.stems import STEMMERS, Stemming
from classy_aesop.text.token_batches import TokenBatch
from classy_aesop.text.tokens import count_letters
from classy_aesop.text.vocabulary import Chunks, Vocabulary

CHARACTERS_TOGETHER = 1 << 19
"""Characters of texts that are read at once: fewer take more calls, more take memory."""

_CHARACTERS_OF_TEXT = 16
"""Characters that a text counts as in addition to its own, so that a batch has not too many empty texts."""

_VOCABULARIES = threading.local()

Split = Callable[[Sequence[str]], Sequence[str]]
"""Finds the sentences of a text."""


@dataclass(frozen=True, eq=False)
class TopicBatch:
    """Topics whose texts were read at once."""

    topics: Sequence[Topic]
    texts: Sequence[Sequence[str]]
    chunks: Chunks
    vocabulary: Vocabulary

    @classmethod
    def read_topics(
        cls,
        topics: Sequence[Topic],
        vocabulary: Vocabulary,
        split: Split,
        *,
        split_references: Split | None = None,
    ) -> TopicBatch:
        """Read topics, whose references are split into sentences as their summaries are, or in their own way."""
        texts = _split_texts(topics, split, split_references or split)
        return cls(topics, texts, vocabulary.read(texts), vocabulary)

    def read_again(self, split: Split) -> TopicBatch:
        """Read the topics, split in another way, with the same numbers of words."""
        texts = _split_texts(self.topics, split, split)
        return replace(self, texts=texts, chunks=Chunks.from_texts(texts, self.chunks.types))

    @cached_property
    def _n_references(self) -> IndexArray:
        """Number of references of each topic."""
        return np.array([len(topic.references) for topic in self.topics], np.intp)

    @cached_property
    def n_earlier(self) -> IndexArray:
        """Number of earlier references of each topic."""
        return np.array([len(topic.earlier_references) for topic in self.topics], np.intp)

    @cached_property
    def _batch(self) -> TokenBatch:
        """All texts, with the references of both sets."""
        n_summaries = np.array([len(topic.summaries) for topic in self.topics], np.intp)
        pairs = Pairs(self._n_references + self.n_earlier, n_summaries)
        return TokenBatch.from_chunks(self.chunks, pairs, self.vocabulary)

    @cached_property
    def _is_earlier(self) -> Booleans:
        """Whether each reference of both sets is an earlier one."""
        pairs = self._batch.pairs
        is_earlier: Booleans = pairs.index_of_reference >= self._n_references.take(pairs.topic_of_reference)
        return is_earlier

    @cached_property
    def summary_counts(self) -> SummaryCounts:
        """The summaries alone."""
        return SummaryCounts(self._batch, self.chunks)

    @cached_property
    def counts(self) -> TopicCounts:
        """The summaries with the references of their own set."""
        meets = meets_of_pairs(self.topics)
        if not self._is_earlier.any():
            return TopicCounts.from_texts(self.summary_counts, self._batch, meets, self.texts)
        batch, texts = self._select_references(~self._is_earlier)
        return TopicCounts.from_texts(self.summary_counts, batch, meets, texts)

    @cached_property
    def earlier_counts(self) -> TopicCounts | None:
        """The summaries with the earlier references, all of which they meet; None if no topic has any."""
        if not self._is_earlier.any():
            return None
        batch, texts = self._select_references(self._is_earlier)
        return TopicCounts.from_texts(self.summary_counts, batch, np.ones(batch.pairs.n_pairs, bool), texts)

    def free_counts(self) -> None:
        """Free what was counted with references; it is counted again if it is needed."""
        vars(self).pop("counts", None)
        vars(self).pop("earlier_counts", None)

    def _select_references(self, is_used: Booleans) -> tuple[TokenBatch, Sequence[Sequence[str]]]:
        """Keep some of the references, and all summaries."""
        is_reference = self._batch.pairs.is_reference
        is_kept = ~is_reference
        is_kept[is_reference] = is_used
        texts = [self.texts[number] for number in np.flatnonzero(is_kept).tolist()]
        return self._batch.select_references(is_used), texts

    @property
    def summaries(self) -> list[Summary]:
        """The summaries of all topics."""
        return [summary for topic in self.topics for summary in topic.summaries]

    @cached_property
    def is_human(self) -> Booleans:
        """Whether a human wrote each summary, shape (n_summaries,)."""
        return np.array([summary.human for summary in self.summaries], bool)

    @property
    def letters(self) -> tuple[int, int]:
        """Numbers of letters outside ASCII and of all letters."""
        return count_letters(chain.from_iterable(self.texts))


def _split_texts(topics: Sequence[Topic], split: Split, split_references: Split) -> list[Sequence[str]]:
    """List the texts of topics in sentences: of each the references, the earlier ones and the summaries."""
    texts: list[Sequence[str]] = []
    for topic in topics:
        texts += [split_references(text.text) for text in topic.references]
        texts += [split_references(text.text) for text in topic.earlier_references]
        texts += [split(text.text) for text in topic.summaries]
    return texts


def group_topics(topics: Iterable[Topic]) -> Iterator[list[Topic]]:
    """Group topics whose texts are read at once; refuse a topic that is too long."""
    group: list[Topic] = []
    n_characters = 0
    for topic in topics:
        n_texts = len(topic.summaries) + len(topic.references) + len(topic.earlier_references)
        n_more = count_characters(topic) + _CHARACTERS_OF_TEXT * n_texts
        if group and n_characters + n_more > CHARACTERS_TOGETHER:
            yield group
            group = []
            n_characters = 0
        group.append(topic)
        n_characters += n_more
    if group:
        yield group


def thread_vocabulary(blank: Callable[[str], str], stemming: Stemming) -> Vocabulary:
    """Give the vocabulary of a tokenizer and a stemmer that this thread used before, so that known words stay known."""
    vocabularies: dict[tuple[Callable[[str], str], Stemming], Vocabulary] = _VOCABULARIES.__dict__.setdefault(
        "vocabularies", {}
    )
    key = blank, stemming
    if key not in vocabularies:
        vocabularies[key] = Vocabulary(blank, STEMMERS[stemming])
    return vocabularies[key]
