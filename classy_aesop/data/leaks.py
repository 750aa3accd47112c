"""Leaks: summaries under evaluation that copy, or nearly copy, a reference of their topic, and years that share topics.

A baseline made of human text (the peers 2 and 3 of 2009) has scores that no other system could reach, and
misleads any predictor trained on it. A topic that is both in a training year and in the predicted year makes the
predictions look better than they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from classy_aesop.data.topics import Text, Topic

Bigrams = Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Leak:
    """A summary that repeats a reference: ``share`` of the bigrams of the longer of the two, 0 to 1."""

    year: str
    topic: str
    task: str
    summarizer: str
    reference: str
    share: float


def find_leaks(topics: Iterable[Topic], *, threshold: float = 0.9) -> list[Leak]:
    """Find the summaries that share at least ``threshold`` of the bigrams of the longer text with a reference.

    Bigrams are pairs of neighbouring lower-cased words (separated by white space), counted with repetition over the
    whole text, so copied sentences in another order are still found. An author's own reference does not count, nor
    does a text of fewer than two words. All references of the topic are checked, including those that a summary is
    not compared with.
    """
    return [leak for topic in topics for leak in _of_topic(topic, threshold)]


def _of_topic(topic: Topic, threshold: float) -> Iterator[Leak]:
    references = [(reference, _bigrams(reference.text)) for reference in topic.references]
    for summary in topic.summaries:
        bigrams = _bigrams(summary.text)
        for reference, others in references:
            share = _share(bigrams, others, threshold)
            if reference.summarizer != summary.summarizer and share >= threshold:
                yield Leak(*topic.key, summary.summarizer, reference.summarizer, share)


def _bigrams(text: Text) -> Bigrams:
    words = " ".join(text).lower().split()
    return Counter(pairwise(words))


def _share(one: Bigrams, other: Bigrams, threshold: float) -> float:
    """Give the share of the longer text's bigrams; 0 at once if the lengths make the threshold unreachable."""
    shorter, longer = sorted((one.total(), other.total()))
    if not shorter or shorter < threshold * longer:
        return 0.0
    return (one & other).total() / longer


@dataclass(frozen=True, slots=True)
class Shared:
    """Something that two years share; ``what`` is ``topic``, ``reference`` or ``document``.

    ``first`` and ``second`` are the keys of the two topics: year, topic and task.
    """

    what: str
    first: tuple[str, str, str]
    second: tuple[str, str, str]


def find_shared(years: Mapping[str, Iterable[Topic]], *, sources: Mapping[str, object]) -> list[Shared]:
    """Find the topics, references and documents that are in more than one year, one entry per pair of topics.

    Parameters
    ----------
    years : mapping of str to iterable of Topic
        The topics of each year.
    sources : mapping of str to object
        Where each year comes from. Topics with the same name are the same topic only if their years have the same
        source, since two corpora may both have a topic ``D01``.

    Notes
    -----
    Texts are equal if their lower-cased words are equal; texts of fewer than two words are ignored.
    """
    seen: dict[tuple[str, object], dict[str, tuple[str, str, str]]] = {}
    for name, topics in years.items():
        for topic in topics:
            for mark in _marks(topic, sources[name]):
                seen.setdefault(mark, {}).setdefault(name, topic.key)
    found = {keys: mark[0] for mark, places in seen.items() for keys in combinations(places.values(), 2)}
    return [Shared(what, first, second) for (first, second), what in found.items()]


def _marks(topic: Topic, source: object) -> Iterator[tuple[str, object]]:
    """Yield the topic, references and documents that must not be in two years."""
    for what, texts in (
        ("document", topic.documents),
        ("reference", tuple(" ".join(reference.text) for reference in topic.references)),
    ):
        for text in texts:
            words = text.lower().split()
            if len(words) > 1:
                yield what, " ".join(words)
    yield "topic", (source, topic.topic, topic.task)
