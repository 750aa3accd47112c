"""What is done with summaries that repeat a reference: kept, scored without that reference, or left out.

The rule is that of `find_leaks` with its threshold: a summary copies a reference if they share at least 90 % of the
bigrams of the longer of the two. Only references of the summary's own set are looked at, not those of an earlier one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace

from classy_aesop.corpus.data import Summary, Topic
from classy_aesop.corpus.leaks import Leak, find_leaks
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.scores import named, natural

COPIES = ("keep", "without", "exclude")
"""What can be done with a copy: nothing, score it without the reference, leave it out."""

Copied = dict[tuple[str, str, str, str], list[Leak]]
"""What each summary repeats, by year, topic, task and summarizer."""


def settle_copies(topics: Iterable[Topic], how: str) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """Do with the summaries that repeat a reference as asked, and say it.

    Parameters
    ----------
    topics : iterable of Topic
        What is looked through.
    how : {"keep", "without", "exclude"}
        ``keep`` changes and says nothing. ``without``: the summary no longer meets the references that it
        repeats; who meets none has no value for what compares with references (NaN). ``exclude``: it is no
        longer among the summaries; what it repeats stays a reference.

    Returns
    -------
    topics : tuple of Topic
        Those that have a summary left.
    notes : tuple of str
        What was done, empty if nothing was.

    Raises
    ------
    InputError
        Nothing is left.

    Warns
    -----
    DataWarning
        The notes.
    """
    topics = tuple(topics)
    leaks = [] if how == "keep" else find_leaks(topics)
    if not leaks:
        return topics, ()
    copied: Copied = {}
    for leak in leaks:
        copied.setdefault((leak.year, leak.topic, leak.task, leak.summarizer), []).append(leak)
    if how == "exclude":
        settled = tuple(filter(_has_summaries, (_excluding(topic, copied) for topic in topics)))
        notes = [f"{len(copied)} summaries repeat a reference and are left out: {_listed(copied)}"]
        if not settled:
            raise InputError("every summary repeats a reference; none is left")
    else:
        settled = tuple(_without(topic, copied) for topic in topics)
        notes = [f"{len(copied)} summaries repeat a reference and are scored without it: {_listed(copied)}"]
        alone = unmet(settled) & set(copied)
        if alone:
            notes.append(f"{len(alone)} of them have no other reference and so no value: {_listed(alone)}")
    for note in notes:
        warnings.warn(note, DataWarning, stacklevel=3)
    return settled, tuple(notes)


def unmet(topics: Iterable[Topic]) -> set[tuple[str, str, str, str]]:
    """Name the summaries that are to meet none of the references that their topic has."""
    return {
        (*topic.key, one.summarizer)
        for topic in topics
        for one in topic.summaries
        if topic.references and one.references == ()
    }


def _excluding(topic: Topic, copied: Copied) -> Topic:
    kept = tuple(one for one in topic.summaries if (*topic.key, one.summarizer) not in copied)
    return replace(topic, summaries=kept)


def _has_summaries(topic: Topic) -> bool:
    return bool(topic.summaries)


def _without(topic: Topic, copied: Copied) -> Topic:
    return replace(
        topic,
        summaries=tuple(
            _meeting_others(topic, one, copied.get((*topic.key, one.summarizer), []))
            for one in topic.summaries
        ),
    )


def _meeting_others(topic: Topic, summary: Summary, leaks: Iterable[Leak]) -> Summary:
    """Let a summary meet only what it met before and does not repeat."""
    repeated = {leak.reference for leak in leaks}
    if not repeated:
        return summary
    met = zip(topic.references, topic.meets(summary), strict=True)
    left = tuple(one.summarizer for one, meets in met if meets and one.summarizer not in repeated)
    return replace(summary, references=left)


def _listed(keys: Iterable[tuple[str, ...]]) -> str:
    return listed(sorted((named(key) for key in keys), key=natural))
