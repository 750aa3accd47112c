"""What a corpus is: topics, each with its summaries and the human references they are compared with.

A `Topic` is one document set of one task: the initial (``"A"``) and the update (``"B"``) set of one subject
are two `Topic` objects. Everything is frozen and every identifier is text (``"01"`` is not ``1``). Which
references a summary meets is decided here and nowhere else: those of its topic, never its own text.
"""

from __future__ import annotations

from dataclasses import dataclass

Text = tuple[str, ...]
"""A text as it was given: one item a sentence, or one item for a text that is not split yet."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A human model summary of a topic."""

    summarizer: str
    text: Text


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary under evaluation.

    Parameters
    ----------
    summarizer : str
        Who wrote it, a system or a person.
    text : tuple of str
        Its sentences as given, or one item that holds the whole text.
    human : bool
        Whether a person wrote it.
    references : tuple of str, optional
        The summarizers whose references it is compared with; by default all of the topic's but its own.
    """

    summarizer: str
    text: Text
    human: bool = False
    references: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """One document set of one task, with all that was written about it.

    Parameters
    ----------
    year, topic, task : str
        Its key; ``year`` and ``task`` may be ``""``.
    summaries : tuple of Summary
        The peers, people included where they are judged.
    references : tuple of Reference
        The human summaries of this document set.
    earlier_references : tuple of Reference
        Those of the initial set of the same subject, for an update task; else empty.
    documents : tuple of str
        The source texts, where the corpus has them.
    """

    year: str
    topic: str
    task: str
    summaries: tuple[Summary, ...]
    references: tuple[Reference, ...] = ()
    earlier_references: tuple[Reference, ...] = ()
    documents: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """Year, topic and task."""
        return self.year, self.topic, self.task

    def meets(self, summary: Summary) -> tuple[bool, ...]:
        """Tell for each reference whether ``summary`` is compared with it; nobody meets his own."""
        return tuple(
            reference.summarizer != summary.summarizer
            and (summary.references is None or reference.summarizer in summary.references)
            for reference in self.references
        )
