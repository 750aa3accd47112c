"""Rows of a corpus, grouped into topics."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from classy_aesop.data.scores import format_key, natural
from classy_aesop.data.topics import Reference, Summary, Text, Topic
from classy_aesop.data.where import Where


class Record(msgspec.Struct, frozen=True, array_like=True):
    """A row with a summary; texts are None where the row has no field of them."""

    key: tuple[str, str, str]
    summarizer: str
    text: Text
    human: bool
    is_reference: bool
    where: Where
    references: tuple[Reference, ...] | None = None
    earlier_references: tuple[Reference, ...] | None = None
    documents: tuple[str, ...] | None = None

    @property
    def instance(self) -> tuple[str, str, str, str]:
        """Year, topic, task and summarizer."""
        return *self.key, self.summarizer


def group_by_topic(rows: Iterable[Record], judged: Collection[tuple[str, ...]]) -> tuple[Topic, ...]:
    """Make topics from checked rows; ``judged`` are the keys of the judged summaries, empty if there are none."""
    groups: dict[tuple[str, str, str], dict[str, Record]] = {}
    for row in rows:
        first = groups.setdefault(row.key, {}).setdefault(row.summarizer, row)
        if first is not row:
            place = first.where.describe_within(row.where.path)
            raise row.where.error(f"{format_key(row.instance)} is given again; the first is {place}")
    references = {key: _merge_references(group.values()) for key, group in groups.items()}
    topics = []
    for key, group in groups.items():
        records = [*group.values()]
        if any(row.earlier_references is not None for row in records):
            earlier = _merge_references(records, earlier=True)
        else:
            year, topic, task = key
            earlier = references.get((year, topic, "A"), ()) if task == "B" else ()
        topics.append(_make_topic(key, records, references[key], earlier, judged))
    return tuple(topics)


def _merge_references(group: Iterable[Record], *, earlier: bool = False) -> tuple[Reference, ...]:
    """Merge the references, or the earlier references, of a topic's rows; each summarizer appears once."""
    merged: dict[str, Reference] = {}
    previous: tuple[Reference, ...] | None = None
    for row in group:
        of_row = [Reference(row.summarizer, row.text)] if row.is_reference and not earlier else []
        listed = row.earlier_references if earlier else row.references
        if listed is previous and not of_row:  # the rows of a topic often have one list
            continue
        previous = listed
        for reference in (*of_row, *(listed or ())):
            first = merged.setdefault(reference.summarizer, reference)
            if first.text != reference.text and _words_of(first) != _words_of(reference):
                raise row.where.error(
                    f"{format_key(row.key)}: reference {reference.summarizer} has two texts"
                )
    if len(merged) < 2:
        return tuple(merged.values())
    return tuple(sorted(merged.values(), key=lambda reference: natural(reference.summarizer)))


def _words_of(reference: Reference) -> list[str]:
    return " ".join(reference.text).split()


def _make_topic(
    key: tuple[str, str, str],
    group: list[Record],
    references: tuple[Reference, ...],
    earlier: tuple[Reference, ...],
    judged: Collection[tuple[str, ...]],
) -> Topic:
    """Make a topic of its rows; each summary notes its references where they are not all those of the topic."""
    reference_writers = frozenset([row.summarizer for row in group if row.is_reference])
    all_writers = frozenset([reference.summarizer for reference in references])
    previous: object = reference_writers  # equal to the references of no row
    summaries = []
    for row in group:
        if row.references is not previous:  # the rows of a topic often have one list
            previous = row.references
            compared = reference_writers or all_writers
            if previous is not None:
                compared = frozenset([reference.summarizer for reference in previous])
            compared = all_writers if compared == all_writers else compared
        if row.is_reference and not (row.instance in judged if judged else compared - {row.summarizer}):
            continue
        references_met = None
        if compared is not all_writers and compared - {row.summarizer} != all_writers - {row.summarizer}:
            references_met = tuple(sorted(compared - {row.summarizer}, key=natural))
        summaries.append(Summary(row.summarizer, row.text, row.human, references_met))
    rows_with_documents = [row for row in group if row.documents is not None]
    for row in rows_with_documents:
        if row.documents != rows_with_documents[0].documents:
            raise row.where.error(f"{format_key(row.key)}: the documents differ from those of an earlier row")
    return Topic(
        *key,
        tuple(summaries),
        references,
        earlier,
        (rows_with_documents[0].documents or ()) if rows_with_documents else (),
    )
