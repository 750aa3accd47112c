"""Features computed of several topics at a time, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from classy_aesop.data.scores import format_key, key_table
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.features.counts import FeatureFunction, FeatureOptions, score_by_jackknife
from classy_aesop.features.peers import Peers
from classy_aesop.features.registry import FEATURES, Feature, columns_of, stack_feature_values
from classy_aesop.features.relative import NEAR_COPY_OF
from classy_aesop.features.source_documents import Sources
from classy_aesop.features.summary_texts import SummaryTexts
from classy_aesop.features.topic_batches import TopicBatch, thread_vocabulary
from classy_aesop.outside import load_outside
from classy_aesop.text.arrays import Booleans, Floats, IndexArray
from classy_aesop.text.sentence_splitting import split_sentences
from classy_aesop.text.tokens import TOKENIZERS
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.workers import keep_freed_memory

if TYPE_CHECKING:
    import pandas as pd

MAX_SENTENCES = 2_000
"""Most sentences of a summary, each pair of which is compared."""

_TOPICAL = ("content", "sources")
"""Kinds of features that look at other texts than the summaries."""


class FeatureError(ValueError):
    """A feature that cannot be computed: an error in its function, with its name and the topic."""


class BatchTable(NamedTuple):
    """The feature table of topics that were read together."""

    table: pd.DataFrame
    n_topics: int
    letters: tuple[int, int]  # those outside ASCII, which ROUGE's tokenizer drops, and all


@dataclass(frozen=True)
class Extractor:
    """Computes features, of names that `select_computable` gave."""

    options: FeatureOptions
    names: tuple[str, ...]
    near_copies: bool = False

    def compute_batch(self, topics: Sequence[Topic]) -> BatchTable:
        """Compute the rows of topics together."""
        import pandas as pd

        load_outside("features")  # a worker knows those of other packages too
        keep_freed_memory()  # so that the next topics can use it again
        if self.options.references == "none":
            topics = [replace(topic, references=(), earlier_references=()) for topic in topics]
        batch = self._read_batch(topics)
        summaries = batch.summary_counts.summaries
        topic_of_summary = batch.counts.pairs.topic_of_summary
        peers = Peers(summaries, topic_of_summary, batch.is_human, joins_edited_copies=self.near_copies)
        keys = key_table((*topic.key, summary.summarizer) for topic in topics for summary in topic.summaries)
        facts: dict[str, object] = {
            "human": batch.is_human,
            "empty": summaries.n_tokens == 0,
            "n_references": batch.counts.n_met,
            "n_earlier": batch.n_earlier.take(topic_of_summary),
        }
        if self.near_copies and any(FEATURES[name].kind == "peers" for name in self.names):
            facts[NEAR_COPY_OF] = keys["summarizer"].array.take(peers.copy_group)
        X = stack_feature_values(self._compute_features(batch, peers), batch.is_human.size)
        features = self._name_columns(X, batch.n_earlier > 0, topic_of_summary)
        table = pd.concat([keys, pd.DataFrame(facts), features], axis=1)
        letters = batch.letters if self.options.tokenizer == "rouge" else (0, 0)
        return BatchTable(table, len(topics), letters)

    def _name_columns(self, X: Floats, has_earlier: Booleans, topic_of_summary: IndexArray) -> pd.DataFrame:
        """Name the columns of features; beside topics with earlier references, those of the others have their own."""
        import pandas as pd

        columns = [column for name in self.names for column in columns_of(name, bool(has_earlier.any()))]
        if has_earlier.all() or not has_earlier.any():
            return pd.DataFrame(X, columns=columns)
        is_update = has_earlier.take(topic_of_summary)[:, None]
        is_own = np.array([column.endswith("@B") for column in columns], bool)
        is_of_both = np.array(["@" not in column for column in columns], bool)
        values = [np.where(is_update, np.nan, X[:, is_own]), np.where(is_update | is_of_both, X, np.nan)]
        plain_names = [column.removesuffix("@B") for column in columns if column.endswith("@B")]
        return pd.DataFrame(np.hstack(values), columns=[*plain_names, *columns])

    def _read_batch(self, topics: Sequence[Topic]) -> TopicBatch:
        """Read topics, split into sentences by the options."""
        return TopicBatch.read_topics(
            topics,
            self._words,
            lambda text: split_sentences(text, self.options.sentences, self.options.tokenizer),
            split_references=lambda text: split_sentences(text, "given"),  # used by ROUGE-L only
        )

    def _compute_features(self, batch: TopicBatch, peers: Peers) -> list[tuple[Feature, Floats]]:
        """Compute the features in table order; a content feature twice, if a topic has earlier references.

        Those of content come first, whose counts of n-grams take the most memory, and are then freed.
        """
        selected = [FEATURES[name] for name in self.names]
        kinds = {feature.kind for feature in selected}
        if kinds - set(_TOPICAL):
            _check_sentences(batch)
        sources = [self._read_sources(topic) for topic in batch.topics] if "sources" in kinds else []
        texts = SummaryTexts.from_topics(batch.topics, batch.counts) if "texts" in kinds else None
        computed: list[tuple[Feature, Floats]] = []
        for feature in sorted(selected, key=lambda feature: feature.kind != "content"):
            if feature.kind != "content":
                batch.free_counts()
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
                    values = feature.function(peers if feature.kind == "peers" else batch.summary_counts)
            computed.append((feature, values))
        return sorted(computed, key=lambda values: self.names.index(values[0].name))

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
            topics = join_names((format_key(topic.key) for topic in batch.topics), limit=3)
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

    @property
    def _words(self) -> Vocabulary:
        """The tokenizer's vocabulary that this thread used before, so that known words stay known."""
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
