"""How summaries that repeat a reference are treated: kept, scored without that reference, or left out.

The rule is that of `find_leaks` with its default threshold: a summary copies a reference if they share at least 90 %
of the bigrams of the longer of the two. Only references of the summary's own document set count, not earlier ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, get_args

from classy_aesop.data.leaks import Leak, find_leaks
from classy_aesop.data.scores import named, natural
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.errors import DataWarning, InputError, listed

Copies = Literal["keep", "without", "exclude"]
COPIES: tuple[Copies, ...] = get_args(Copies)
"""Treatments of a copy: keep it, score it without the reference, or leave it out."""

Copied = dict[tuple[str, str, str, str], list[Leak]]
"""The references that each summary repeats, by year, topic, task and summarizer."""


def settle_copies(topics: Iterable[Topic], how: str) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """Find the summaries that repeat a reference, treat them as asked, and warn of them.

    Parameters
    ----------
    topics : iterable of Topic
        The topics to search.
    how : {"keep", "without", "exclude"}
        ``keep`` changes nothing and gives no warning. ``without``: the summary is no longer compared with the
        references that it repeats; if none remain, its content features and ROUGE scores are NaN. ``exclude``:
        the summary is removed; the reference that it repeats stays.

    Returns
    -------
    topics : tuple of Topic
        The topics that still have a summary.
    notes : tuple of str
        What was done; empty if nothing was.

    Raises
    ------
    InputError
        If no summary is left.

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
            raise InputError("every summary repeats a reference; none is left to evaluate")
    else:
        settled = tuple(_without(topic, copied) for topic in topics)
        notes = [f"{len(copied)} summaries repeat a reference and are scored without it: {_listed(copied)}"]
        alone = unmet(settled) & set(copied)
        if alone:
            notes.append(f"{len(alone)} of them have no other reference and get no value: {_listed(alone)}")
    for note in notes:
        warnings.warn(note, DataWarning, stacklevel=3)
    return settled, tuple(notes)


def unmet(topics: Iterable[Topic]) -> set[tuple[str, str, str, str]]:
    """Name the summaries that are compared with no reference although their topic has some."""
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
    """Restrict a summary's references to those that it does not repeat."""
    repeated = {leak.reference for leak in leaks}
    if not repeated:
        return summary
    met = zip(topic.references, topic.meets(summary), strict=True)
    left = tuple(one.summarizer for one, meets in met if meets and one.summarizer not in repeated)
    return replace(summary, references=left)


def _listed(keys: Iterable[tuple[str, ...]]) -> str:
    return listed(sorted((named(key) for key in keys), key=natural))
