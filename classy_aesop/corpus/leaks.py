"""Leaks: summaries under evaluation that repeat a reference of their topic, wholly or nearly; years that share topics.

A baseline made of human text (the peers 2 and 3 of 2009) has scores that no other system could have, and
misleads whatever is trained on it. A topic that is in the years learned from and in the year predicted makes the
prediction look better than it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from classy_aesop.corpus.data import Text, Topic

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
    """Find the summaries that share at least ``threshold`` of their bigrams, and of a reference's, with it.

    Bigrams are of lower-cased words between white space, counted with repetition over the whole text; so
    whole sentences in another order still count. Nobody's own reference counts, nor does a text of less than
    two words. All references of the topic are looked at, also those that a summary is not compared with.
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
    """Give the shared part of the longer text's bigrams; 0 at once if the lengths rule the threshold out."""
    shorter, longer = sorted((one.total(), other.total()))
    if not shorter or shorter < threshold * longer:
        return 0.0
    return (one & other).total() / longer


@dataclass(frozen=True, slots=True)
class Shared:
    """What two years have in common: the topic as such, or the text of a ``reference`` or ``document`` of two topics.

    ``first`` and ``second`` are the keys of the topics: year, topic and task.
    """

    what: str
    first: tuple[str, str, str]
    second: tuple[str, str, str]


def find_shared(years: Mapping[str, Iterable[Topic]], *, sources: Mapping[str, object]) -> list[Shared]:
    """Find the topics, references and documents that are in more than one year, each once for a pair of topics.

    Parameters
    ----------
    years : mapping of str to iterable of Topic
        The topics of each year.
    sources : mapping of str to object
        Where each year comes from. Topics of one name are the same topic only if their years come from one place:
        two corpora may both have a topic ``D01``.

    Notes
    -----
    Texts are equal if their lower-cased words are; those of less than two words do not count.
    """
    seen: dict[tuple[str, object], dict[str, tuple[str, str, str]]] = {}
    for name, topics in years.items():
        for topic in topics:
            for mark in _marks(topic, sources[name]):
                seen.setdefault(mark, {}).setdefault(name, topic.key)
    found = {keys: mark[0] for mark, places in seen.items() for keys in combinations(places.values(), 2)}
    return [Shared(what, first, second) for (first, second), what in found.items()]


def _marks(topic: Topic, source: object) -> Iterator[tuple[str, object]]:
    """Yield what must not be in two years."""
    for what, texts in (
        ("document", topic.documents),
        ("reference", tuple(" ".join(reference.text) for reference in topic.references)),
    ):
        for text in texts:
            words = text.lower().split()
            if len(words) > 1:
                yield what, " ".join(words)
    yield "topic", (source, topic.topic, topic.task)
