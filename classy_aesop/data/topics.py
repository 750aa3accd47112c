"""The contents of a corpus: topics, each with its summaries and the human references they are compared with.

A `Topic` is one document set of one task: the initial (``"A"``) and the update (``"B"``) set of one subject
are two `Topic` objects. Everything is frozen and every identifier is text (``"01"`` is not ``1``). `Topic.meets`
alone decides which references a summary is compared with: those of its topic, but never its own text.
"""

from __future__ import annotations

from dataclasses import dataclass

Text = tuple[str, ...]
"""A text as given: one item per sentence, or a single item if it is not split yet."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A human reference summary of a topic."""

    summarizer: str
    text: Text


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary under evaluation.

    Parameters
    ----------
    summarizer : str
        Who wrote it, a system or a human.
    text : tuple of str
        Its sentences as given, or one item that holds the whole text.
    human : bool
        Whether a human wrote it.
    references : tuple of str, optional
        The summarizers whose references it is compared with; by default all of the topic's except its own.
    """

    summarizer: str
    text: Text
    human: bool = False
    references: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """One document set of one task, with its summaries and references.

    Parameters
    ----------
    year, topic, task : str
        Its key; ``year`` and ``task`` may be ``""``.
    summaries : tuple of Summary
        The summaries under evaluation, including those by humans that are judged.
    references : tuple of Reference
        The human summaries of this document set.
    earlier_references : tuple of Reference
        For an update task, the references of the initial set of the same subject; else empty.
    documents : tuple of str
        The source texts, if the corpus has them.
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
        """Whether ``summary`` is compared with each of the references; never with its author's own."""
        return tuple(
            reference.summarizer != summary.summarizer
            and (summary.references is None or reference.summarizer in summary.references)
            for reference in self.references
        )
