"""Leaks: summaries under evaluation that repeat a reference of their topic, wholly or nearly.

A baseline made of human text (the peers 2 and 3 of 2009) has scores that no other system could have, and
misleads whatever is trained on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

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
