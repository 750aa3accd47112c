"""The contents of a corpus: topics, each with its summaries and the human references they are compared with.

A `Topic` is one document set of one task: the initial (``"A"``) and the update (``"B"``) set of one subject
are two `Topic` objects. Everything is frozen and every identifier is text (``"01"`` is not ``1``). `Topic.meets`
alone decides which references a summary is compared with: those of its topic, but never its own text.

Topics are also made from plain lists: summaries, and beside each of them its references (`text_rows`).
All rows with the same references are one topic, so that these are read and counted once; this changes no value, since a
summary meets nothing but its own references. In such a topic a summary has the number of its row, from 1. What
the rows are called in a table is kept apart, in `TextRows.keys`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeGuard

import msgspec

from classy_aesop.data.cells import format_value, is_missing_number
from classy_aesop.errors import InputError, join_names, warn

if TYPE_CHECKING:
    import pandas as pd

Text = tuple[str, ...]
"""A text as given: one item per sentence, or a single item if it is not split yet."""


class Reference(msgspec.Struct, frozen=True):
    """A human reference summary of a topic."""

    summarizer: str
    text: Text


class Summary(msgspec.Struct, frozen=True):
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


def all_sentences(topic: Topic) -> Iterator[str]:
    """Yield the sentences of all summaries and references of a topic, as given."""
    texts: tuple[Summary | Reference, ...]
    texts = (*topic.summaries, *topic.references, *topic.earlier_references)
    return chain.from_iterable(text.text for text in texts)


def drop_earlier_references(topics: Iterable[Topic]) -> Iterator[Topic]:
    """Yield topics without earlier references, for what does not look at them."""
    for topic in topics:
        yield replace(topic, earlier_references=()) if topic.earlier_references else topic


def is_placeholder(text: Sequence[str]) -> bool:
    """Whether a text is only a word for a missing value, such as ``nan``, ``None`` or ``-``."""
    return len(text) == 1 and is_missing_number(text[0]) and bool(text[0].strip())


# --- from plain lists ---

OneText = str | Sequence[str]
"""A text: one string, or a list of its sentences."""

Texts = Iterable[OneText]
"""The summaries: one text a row."""

ReferenceTexts = Iterable[str | Sequence[OneText]]
"""The references: one string a row, or a list of several references."""


@dataclass(frozen=True)
class TextRows:
    """Rows of a summary and its references, as topics, and what each row is called: topic and summarizer."""

    topics: tuple[Topic, ...]
    keys: tuple[tuple[str, str], ...]

    def table(self, frame: pd.DataFrame, *, like: object = None) -> pd.DataFrame:
        """Put a table of these topics in the order of the summaries, with the index of a Series ``like``."""
        import pandas as pd

        rows = frame.drop(columns=["year", "task"], errors="ignore").set_axis(
            frame["summarizer"].astype(int) - 1
        )
        names = pd.DataFrame(self.keys, columns=["topic", "summarizer"], dtype="str")
        in_order = rows.reindex(names.index).assign(**names)
        return in_order.set_axis(like.index if isinstance(like, pd.Series) else names.index)


def text_rows(
    summaries: Texts,
    references: ReferenceTexts | None,
    *,
    topics: Iterable[object] | None = None,
    summarizers: Iterable[object] | None = None,
) -> TextRows:
    """Make topics from summaries and the references of each."""
    texts = [_text(value, f"summaries, row {row}") for row, value in _enumerate_rows(summaries, "summaries")]
    n = len(texts)
    met: list[tuple[Text, ...]] = [()] * n
    if references is not None:
        met = [_reference_texts(value, row) for row, value in _enumerate_rows(references, "references")]
        _check_length("references", met, n)
        doubtful = [number for number, texts_met in enumerate(met, 1) if any(map(is_placeholder, texts_met))]
        if doubtful:
            warn(
                f"references that read nan, None or the like, in rows {join_names(doubtful)}; are they missing?"
            )
    are_known = references is not None and summarizers is not None
    topic_names = [*map(str, _number_values(met if are_known else range(n)) if topics is None else topics)]
    _check_length("topics", topic_names, n)
    counts: Counter[str] = Counter()
    systems = []
    for topic in topic_names if summarizers is None else ():
        counts[topic] += 1
        systems.append(str(counts[topic]))
    systems = systems if summarizers is None else [*map(str, summarizers)]
    _check_length("summarizers", systems, n)
    keys = tuple(zip(topic_names, systems, strict=True))
    first_rows: dict[tuple[str, str], int] = {}
    for row, (topic, system) in enumerate(keys, 1):
        if (first := first_rows.setdefault((topic, system), row)) < row:
            hint = " (rows with the same references are one topic unless topics are given)"
            raise InputError(
                f"summarizers, row {row}: {system} has another summary on topic {topic}, row {first}"
                f"{hint if topics is None else ''}; expected one"
            )
    rows_of_topic: dict[object, list[int]] = {}
    for row, group in enumerate(topic_names if references is None else met):
        rows_of_topic.setdefault(group, []).append(row)
    made = (
        Topic(
            "",
            topic_names[first],
            "",
            tuple(Summary(str(row + 1), texts[row]) for row in (first, *later_rows)),
            tuple(Reference(f"reference {number}", text) for number, text in enumerate(met[first], 1)),
        )
        for first, *later_rows in rows_of_topic.values()
    )
    return TextRows(tuple(made), keys)


def _number_values(values: Iterable[object]) -> list[int]:
    """Number values from 1, equal ones alike, in the order in which they come."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(value, len(numbers) + 1) for value in values]


def _reference_texts(value: object, row: int) -> tuple[Text, ...]:
    where = f"references, row {row}"
    if not isinstance(value, str) and not _is_sequence(value):
        raise InputError(f"{where}: {format_value(value)}; expected text or a list of texts")
    return tuple(_text(item, where) for item in ([value] if isinstance(value, str) else value))


def _check_length(name: str, values: Sequence[object], n_summaries: int) -> None:
    if len(values) != n_summaries:
        raise InputError(f"{name}: {len(values)} rows for {n_summaries} summaries; expected one each")


def _enumerate_rows(values: object, name: str) -> Iterable[tuple[int, object]]:
    is_table = isinstance(values, Mapping) or hasattr(values, "columns")
    if isinstance(values, str) or is_table or not isinstance(values, Iterable):
        raise InputError(f"{name} are {format_value(values)}; expected a list with a row for each summary")
    return enumerate(values, 1)


def _text(value: object, where: str) -> Text:
    if isinstance(value, str):
        return (value,)
    if _is_sequence(value) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise InputError(f"{where}: {format_value(value)}; expected text or a list of sentences")


def _is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    import numpy as np

    return isinstance(value, list | tuple | np.ndarray)
