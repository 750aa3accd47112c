"""The texts themselves: the input of a feature that needs more than counts of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classy_aesop.data.topics import Summary, Topic
from classy_aesop.features.counts import TopicCounts

SentenceTexts = tuple[str, ...]
"""A text as its sentences."""


@dataclass(frozen=True)
class SummaryTexts:
    """The summaries of one topic or of several, as they are written and as they are counted.

    Parameters
    ----------
    summaries : tuple of tuple of str
        The sentences of each summary, as they are given.
    references : tuple of tuple of tuple of str
        The references that each summary is compared with, each its sentences; none if it is compared with none.
    topic_of_summary : tuple of Topic
        The topic of each summary.
    counts : TopicCounts
        The same summaries and references as tokens, n-grams and common subsequences.
    """

    summaries: tuple[SentenceTexts, ...]
    references: tuple[tuple[SentenceTexts, ...], ...]
    topic_of_summary: tuple[Topic, ...]
    counts: TopicCounts

    @classmethod
    def from_topics(cls, topics: Sequence[Topic], counts: TopicCounts) -> SummaryTexts:
        """Give the texts of topics whose counts are those given."""
        pairs = [(topic, summary) for topic in topics for summary in topic.summaries]
        return cls(
            tuple(tuple(summary.text) for _, summary in pairs),
            tuple(_references_met(topic, summary) for topic, summary in pairs),
            tuple(topic for topic, _ in pairs),
            counts,
        )


def _references_met(topic: Topic, summary: Summary) -> tuple[SentenceTexts, ...]:
    """Give the references that a summary is compared with."""
    meets = topic.meets(summary)
    return tuple(
        tuple(reference.text) for reference, is_met in zip(topic.references, meets, strict=True) if is_met
    )
