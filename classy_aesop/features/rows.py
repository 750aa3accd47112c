"""Features computed of several topics at a time, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data.scores import format_key
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.features.counts import DEFAULT_OPTIONS, FeatureFunction, FeatureOptions, score_by_jackknife
from classy_aesop.features.peers import Peers
from classy_aesop.features.registry import (
    FEATURES,
    Feature,
    FeatureNames,
    columns_of,
    select_computable,
    stack_feature_values,
)
from classy_aesop.features.source_documents import Sources
from classy_aesop.features.summary_texts import SummaryTexts
from classy_aesop.features.topic_batches import TopicBatch, group_topics, thread_vocabulary
from classy_aesop.outside import load_outside
from classy_aesop.text.arrays import Booleans, Floats, IndexArray
from classy_aesop.text.sentence_splitting import split_sentences
from classy_aesop.text.tokens import TOKENIZERS
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.workers import keep_freed_memory

MAX_SENTENCES = 2_000
"""Most sentences of a summary, each pair of which is compared."""

_TOPICAL = ("content", "sources")
"""Kinds of features that look at other texts than the summaries."""


class FeatureError(ValueError):
    """A feature that cannot be computed: an error in its function, with its name and the topic."""


class TopicRows(NamedTuple):
    """The features of one topic's summaries, in their order.

    Parameters
    ----------
    key : tuple of str
        Year, topic and task.
    summarizers : tuple of str
        Who wrote the summaries.
    columns : tuple of str
        Names of the columns of ``values``.
    values : array, shape (n_summaries, n_columns)
        The features.
    scores : mapping of str to array, shape (n_summaries,)
        The requested metrics that are not features, by name.
    is_human, empty : array of bool, shape (n_summaries,)
        Whether a human wrote the summary; whether it has no token.
    n_met : array of int, shape (n_summaries,)
        How many references of its own set each summary was compared with.
    n_earlier : int
        Number of references of the earlier set.
    letters : pair of int
        Numbers of letters outside ASCII, which ROUGE's tokenizer drops, and of all letters, in its texts.
    near_copy_of : tuple of str
        Whose near copy each summary is: the first summarizer, often its own. Empty unless requested and features look
        at other summaries.
    """

    key: tuple[str, str, str]
    summarizers: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats
    scores: Mapping[str, Floats]
    is_human: NDArray[np.bool_]
    empty: NDArray[np.bool_]
    n_met: IndexArray
    n_earlier: int
    letters: tuple[int, int]
    near_copy_of: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class BatchRows:
    """The features of the summaries of several topics, which were computed together, in their order.

    Shapes: ``n_summaries`` and ``n_earlier`` (n_topics,), ``letters`` (n_topics, 2), ``values`` (n_summaries,
    n_columns).
    """

    keys: Sequence[tuple[str, str, str]]
    n_summaries: IndexArray
    n_earlier: IndexArray
    letters: IndexArray
    summarizers: Sequence[str]
    columns: tuple[tuple[str, ...], tuple[str, ...]]
    values: Floats
    scores: Mapping[str, Floats]
    is_human: Booleans
    empty: Booleans
    n_met: IndexArray
    near_copy_of: Sequence[str]

    @property
    def is_update(self) -> Booleans:
        """Whether the topic of each summary has earlier references, shape (n_summaries,)."""
        return np.repeat(self.n_earlier > 0, self.n_summaries)

    def values_of(self, summaries: slice | IndexArray, *, is_update: bool) -> Floats:
        """Give the values of some summaries, all of topics with earlier references or all of topics without."""
        values = self.values[summaries]
        if is_update or not self.n_earlier.any():
            return values
        is_plain = np.array([not column.endswith("@A") for column in self.columns[True]], bool)
        return values.compress(is_plain, axis=1)

    def split_topics(self) -> Iterator[TopicRows]:
        """Give the rows of each topic."""
        stops = np.cumsum([0, *self.n_summaries]).tolist()
        for number, (start, stop) in enumerate(pairwise(stops)):
            of_topic = slice(start, stop)
            n_earlier = int(self.n_earlier[number])
            foreign, letters = self.letters[number].tolist()
            yield TopicRows(
                key=self.keys[number],
                summarizers=tuple(self.summarizers[of_topic]),
                columns=self.columns[n_earlier > 0],
                values=self.values_of(of_topic, is_update=n_earlier > 0),
                scores={metric: score[of_topic] for metric, score in self.scores.items()},
                is_human=self.is_human[of_topic],
                empty=self.empty[of_topic],
                n_met=self.n_met[of_topic],
                n_earlier=n_earlier,
                letters=(foreign, letters),
                near_copy_of=tuple(self.near_copy_of[of_topic]),
            )


def feature_rows(
    topics: Iterable[Topic],
    options: FeatureOptions = DEFAULT_OPTIONS,
    *,
    names: FeatureNames | None = None,
    metrics: Mapping[str, FeatureFunction] = MappingProxyType({}),
    vocabulary: Vocabulary | None = None,
) -> Iterator[TopicRows]:
    """Compute features of several topics at a time, with only a few topics in memory.

    Parameters
    ----------
    topics : iterable of Topic
        The topics, possibly a generator. A topic with earlier references gets two columns per content feature.
    options : FeatureOptions
        How texts are read and compared.
    names : iterable of str, optional
        Which features and groups of features; by default `DEFAULT_FEATURES`.
    metrics : mapping of str to function, optional
        Other metrics to compute from the same counts, such as `baselines.rouge.METRICS`. They compare with the
        references of the summary's own set, jackknifed like a content feature.
    vocabulary : Vocabulary, optional
        Tokenizer and stemmer, if they differ from those of the options.

    Yields
    ------
    TopicRows
        Content features are NaN for a summary compared with no reference; an empty summary is marked ``empty``.

    Raises
    ------
    InputError
        If a feature or group is unknown, or all need references and the options allow none; or a summary has more
        than `MAX_SENTENCES` sentences.
    """
    selected = select_computable(names, options.references)
    return Extractor(options, tuple(selected), metrics, vocabulary).extract(topics)


@dataclass(frozen=True)
class Extractor:
    """Computes features; as `feature_rows`, of names that `select_computable` gave."""

    options: FeatureOptions
    names: tuple[str, ...]
    metrics: Mapping[str, FeatureFunction] = field(default_factory=dict)
    vocabulary: Vocabulary | None = None
    near_copies: bool = False

    def extract(self, topics: Iterable[Topic]) -> Iterator[TopicRows]:
        """Compute the rows of topics; some of them are worked on together."""
        return chain.from_iterable(self.compute_batch(group).split_topics() for group in group_topics(topics))

    def compute_batch(self, topics: Sequence[Topic]) -> BatchRows:
        """Compute the rows of topics together."""
        load_outside("features")  # a worker knows those of other packages too
        keep_freed_memory()  # so that the next topics can use it again
        if self.options.references == "none":
            topics = [replace(topic, references=(), earlier_references=()) for topic in topics]
        return self._compute_rows(self._read_batch(topics))

    def _read_batch(self, topics: Sequence[Topic]) -> TopicBatch:
        """Read topics, split into sentences by the options."""
        return TopicBatch.read_topics(
            topics,
            self._words,
            lambda text: split_sentences(text, self.options.sentences, self.options.tokenizer),
            split_references=lambda text: split_sentences(text, "given"),  # used by ROUGE-L only
        )

    def _compute_rows(self, batch: TopicBatch) -> BatchRows:
        """Compute the rows of topics that were read together."""
        counts = batch.counts
        is_human = batch.is_human
        peers = Peers(
            counts.summaries, counts.pairs.topic_of_summary, is_human, joins_edited_copies=self.near_copies
        )
        computed = self._compute_features(batch, peers)
        summarizers = [summary.summarizer for summary in batch.summaries]
        names_copies = self.near_copies and any(FEATURES[name].kind == "peers" for name in self.names)
        copied = peers.copy_group.tolist() if names_copies else []
        return BatchRows(
            keys=[topic.key for topic in batch.topics],
            n_summaries=counts.pairs.n_summaries,
            n_earlier=batch.n_earlier,
            letters=batch.letters,
            summarizers=summarizers,
            columns=self._columns,
            values=stack_feature_values(computed, is_human.size),
            scores={
                metric: self._compute_content_feature(function, batch)
                for metric, function in self.metrics.items()
            },
            is_human=is_human,
            empty=counts.summaries.n_tokens == 0,
            n_met=counts.n_met,
            near_copy_of=[summarizers[first] for first in copied],
        )

    def _compute_features(self, batch: TopicBatch, peers: Peers) -> list[tuple[Feature, Floats]]:
        """Compute the features in table order; a content feature twice, if a topic has earlier references."""
        selected = [FEATURES[name] for name in self.names]
        kinds = {feature.kind for feature in selected}
        if kinds - set(_TOPICAL):
            _check_sentences(batch)
        sources = [self._read_sources(topic) for topic in batch.topics] if "sources" in kinds else []
        texts = SummaryTexts.from_topics(batch.topics, batch.counts) if "texts" in kinds else None
        computed: list[tuple[Feature, Floats]] = []
        for feature in selected:
            with self._report_failure(feature, batch):
                if feature.kind == "content":
                    if batch.earlier_counts is not None:
                        computed.append((feature, feature.function(batch.earlier_counts)))
                    values = self._compute_content_feature(feature.function, batch)
                elif feature.kind == "sources":
                    values = np.concatenate([feature.function(topic) for topic in sources])
                elif feature.kind == "texts":
                    values = np.asarray(feature.function(texts), dtype=float)
                else:
                    values = feature.function(peers if feature.kind == "peers" else batch.counts)
            computed.append((feature, values))
        return computed

    @contextmanager
    def _report_failure(self, feature: Feature, batch: TopicBatch) -> Iterator[None]:
        """Raise a FeatureError, which names the feature and the topic, from an error that a feature raises."""
        try:
            yield
        except (InputError, UsageError, MemoryError, FeatureError):
            raise
        except Exception as error:
            if len(batch.topics) > 1:  # the topic is that which fails by itself
                for topic in batch.topics:
                    replace(self, names=(feature.name,)).compute_batch([topic])
            topics = join_names((format_key(topic.key) for topic in batch.topics), most=3)
            raise FeatureError(
                f"feature {feature.name}, topic {topics}: {type(error).__name__}: {error}"
            ) from error

    def _compute_content_feature(self, function: FeatureFunction, batch: TopicBatch) -> Floats:
        """Compute a content feature, by jackknife over references if the options say so."""
        if self.options.references == "jackknife":
            return score_by_jackknife(function, batch.counts, batch.is_human)
        return function(batch.counts)

    def _read_sources(self, topic: Topic) -> Sources:
        """Read the source documents and the summaries of a topic."""
        return Sources.from_texts(
            [split_sentences((text,), "auto", self.options.tokenizer) for text in topic.documents],
            [
                split_sentences(summary.text, self.options.sentences, self.options.tokenizer)
                for summary in topic.summaries
            ],
            self._words,
        )

    @cached_property
    def _columns(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The columns of a topic without earlier references, and of one with them."""
        plain = tuple(column for name in self.names for column in columns_of(name, False))
        update = tuple(column for name in self.names for column in columns_of(name, True))
        return plain, update

    @property
    def _words(self) -> Vocabulary:
        """The given vocabulary, or the tokenizer's that this thread used before, so that known words stay known."""
        if self.vocabulary is not None:
            return self.vocabulary
        tokenizer = self.options.tokenizer
        return thread_vocabulary(TOKENIZERS[tokenizer], "exceptions" if tokenizer == "rouge" else "none")


def _check_sentences(batch: TopicBatch) -> None:
    """Refuse a summary that has more sentences than are compared with each other."""
    n_sentences = batch.summary_counts.summaries.n_sentences
    for number in np.flatnonzero(n_sentences > MAX_SENTENCES)[:1].tolist():
        topic = batch.topics[batch.counts.pairs.topic_of_summary[number]]
        summary = batch.summaries[number]
        name = format_key((*topic.key, summary.summarizer))
        raise InputError(
            f"{name}: a summary of {n_sentences[number]:,} sentences; expected {MAX_SENTENCES:,} or less"
        )
