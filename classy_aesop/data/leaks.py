"""What a careful user should know before texts are compared: leaks, shared topics, copies of references, long texts.

A baseline made of human text (the peers 2 and 3 of 2009) has scores that no other system could reach, and
misleads any predictor trained on it. A topic that is both in a training year and in the predicted year makes the
predictions look better than they are.

Summaries that repeat a reference are kept, scored without that reference, or left out. A summary copies a reference if
they share at least 90 % of the bigrams of the longer of the two. Only references of the summary's own document set
count, not earlier ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Literal, get_args

from classy_aesop.data.scores import format_key, natural
from classy_aesop.data.topics import Reference, Summary, Text, Topic
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.text.scripts import unspaced_letter

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

    Bigrams are pairs of neighbouring lower-cased words (separated by white space; in scripts without blanks between
    words, single letters), counted with repetition over the whole text, so copied sentences in another order are still
    found. An author's own reference does not count, nor does a text of fewer than two words. All references of the
    topic are checked, including those that a summary is not compared with.
    """
    return [leak for topic in topics for leak in _leaks_of_topic(topic, threshold)]


def _leaks_of_topic(topic: Topic, threshold: float) -> Iterator[Leak]:
    references = [(reference, _bigrams(reference.text)) for reference in topic.references]
    for summary in topic.summaries:
        bigrams = _bigrams(summary.text)
        for reference, reference_bigrams in references:
            shorter, longer = sorted((bigrams.total(), reference_bigrams.total()))
            if reference.summarizer == summary.summarizer or not shorter or shorter < threshold * longer:
                continue
            share = (bigrams & reference_bigrams).total() / longer
            if share >= threshold:
                yield Leak(*topic.key, summary.summarizer, reference.summarizer, share)


def _bigrams(text: Text) -> Bigrams:
    lowered = " ".join(text).lower()
    if not lowered.isascii():
        lowered = unspaced_letter().sub(r" \g<0> ", lowered)
    return Counter(pairwise(lowered.split()))


@dataclass(frozen=True, slots=True)
class SharedItem:
    """Something that two years share, ``topic``, ``reference`` or ``document``, and the keys of the two topics."""

    kind: str
    first: tuple[str, str, str]
    second: tuple[str, str, str]


def find_shared_items(
    years: Mapping[str, Iterable[Topic]], *, sources: Mapping[str, object]
) -> list[SharedItem]:
    """Find the topics, references and documents that are in more than one year, one entry per pair of topics.

    Topics of one name are one topic only if their years have the same source; texts of one word are ignored.
    """
    seen: dict[tuple[str, object], dict[str, tuple[str, str, str]]] = {}
    for name, topics in years.items():
        for topic in topics:
            for item in _identify_items(topic, sources[name]):
                seen.setdefault(item, {}).setdefault(name, topic.key)
    kinds = {
        keys: kind
        for (kind, _), topic_of_year in seen.items()
        for keys in combinations(topic_of_year.values(), 2)
    }
    return [SharedItem(kind, first, second) for (first, second), kind in kinds.items()]


def _identify_items(topic: Topic, source: object) -> Iterator[tuple[str, object]]:
    """Yield the kind and identity of each document and reference, and of the topic itself."""
    for kind, texts in (
        ("document", topic.documents),
        ("reference", tuple(" ".join(reference.text) for reference in topic.references)),
    ):
        for text in texts:
            words = text.lower().split()
            if len(words) > 1:
                yield kind, " ".join(words)
    yield "topic", (source, topic.topic, topic.task)


Copies = Literal["keep", "without", "exclude"]
COPIES: tuple[Copies, ...] = get_args(Copies)
"""Treatments of a copy: keep it, score it without the reference, or leave it out."""

Copied = dict[tuple[str, str, str, str], list[Leak]]
"""The references that each summary repeats, by year, topic, task and summarizer."""


def treat_copies(topics: Iterable[Topic], treatment: str) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """Keep summaries that repeat a reference, drop the reference from their comparison, or exclude them, and warn.

    Parameters
    ----------
    topics : iterable of Topic
        The topics to search.
    treatment : {"keep", "without", "exclude"}
        ``keep`` changes nothing and gives no warning. ``without``: the summary is no longer compared with the
        references that it repeats; if none remain, its content features and ROUGE scores are NaN. ``exclude``:
        the summary is removed; the reference that it repeats stays. If no summary is left, it is an `InputError`.

    Returns
    -------
    topics : tuple of Topic
        The topics that still have a summary.
    notes : tuple of str
        What was done, which is a `DataWarning` too; empty if nothing was.
    """
    if treatment not in COPIES:
        raise UsageError(f"copies are {treatment!r}; expected one of {', '.join(COPIES)}")
    topics = tuple(topics)
    leaks = [] if treatment == "keep" else find_leaks(topics)
    if not leaks:
        return topics, ()
    copied: Copied = {}
    for leak in leaks:
        copied.setdefault((leak.year, leak.topic, leak.task, leak.summarizer), []).append(leak)
    if treatment == "exclude":
        remaining = (
            replace(
                topic, summaries=tuple(s for s in topic.summaries if (*topic.key, s.summarizer) not in copied)
            )
            for topic in topics
        )
        treated = tuple(topic for topic in remaining if topic.summaries)
        notes = [f"{len(copied)} summaries repeat a reference and are left out: {_format_keys(copied)}"]
        if not treated:
            raise InputError("every summary repeats a reference; none is left to evaluate")
    else:
        treated = tuple(_drop_copied_references(topic, copied) for topic in topics)
        notes = [
            f"{len(copied)} summaries repeat a reference and are scored without it: {_format_keys(copied)}"
        ]
        unscored = find_summaries_without_references(treated) & set(copied)
        if unscored:
            notes.append(
                f"{len(unscored)} of them have no other reference and get no value: {_format_keys(unscored)}"
            )
    for note in notes:
        warn(note)
    return treated, tuple(notes)


def find_summaries_without_references(topics: Iterable[Topic]) -> set[tuple[str, str, str, str]]:
    """Find the summaries that are compared with no reference although their topic has some."""
    return {
        (*topic.key, summary.summarizer)
        for topic in topics
        for summary in topic.summaries
        if topic.references and summary.references == ()
    }


def _drop_copied_references(topic: Topic, copied: Copied) -> Topic:
    """Restrict the references of each summary to those that it does not repeat."""
    summaries = []
    for summary in topic.summaries:
        repeated_references = {leak.reference for leak in copied.get((*topic.key, summary.summarizer), ())}
        if repeated_references:
            met = zip(topic.references, topic.meets(summary), strict=True)
            remaining = (
                reference.summarizer
                for reference, meets in met
                if meets and reference.summarizer not in repeated_references
            )
            summary = Summary(summary.summarizer, summary.text, summary.human, tuple(remaining))
        summaries.append(summary)
    return replace(topic, summaries=tuple(summaries))


def _format_keys(keys: Iterable[tuple[str, ...]]) -> str:
    return join_names(sorted((format_key(key) for key in keys), key=natural))


MAX_TEXT_CHARACTERS = 2_000_000
"""Maximum number of characters of a summary or a reference: about 1,000 pages, which take 1.4 GB of memory."""


def count_characters(topic: Topic) -> int:
    """Count the characters of a topic's summaries and references; a text that is too long is an `InputError`."""
    texts: tuple[Summary | Reference, ...]
    texts = (*topic.summaries, *topic.references, *topic.earlier_references)
    total = sum(len(sentence) for text in texts for sentence in text.text)
    for text in texts if total > MAX_TEXT_CHARACTERS else ():
        n_characters = sum(map(len, text.text))
        if n_characters > MAX_TEXT_CHARACTERS:
            raise InputError(
                f"{format_key((*topic.key, text.summarizer))}: a text of {n_characters:,} characters; "
                f"expected {MAX_TEXT_CHARACTERS:,} or less"
            )
    return total
