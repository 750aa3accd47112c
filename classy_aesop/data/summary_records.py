"""Rows of a corpus, grouped into topics."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from classy_aesop.data.scores import named, natural
from classy_aesop.data.topics import Reference, Summary, Text, Topic
from classy_aesop.data.where import Where


class Record(msgspec.Struct, frozen=True, array_like=True):
    """A summary as one row describes it; None for texts of which the row has no field."""

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


def topics_of(rows: Iterable[Record], judged: Collection[tuple[str, ...]]) -> tuple[Topic, ...]:
    """Make topics from checked rows; ``judged`` are the keys of the judged summaries, empty if there are none."""
    groups: dict[tuple[str, str, str], dict[str, Record]] = {}
    for row in rows:
        first = groups.setdefault(row.key, {}).setdefault(row.summarizer, row)
        if first is not row:
            place = first.where.within(row.where.path)
            raise row.where.error(f"{named(row.instance)} is given again; the first is {place}")
    references = {key: _joined(group.values(), "references") for key, group in groups.items()}
    topics = []
    for key, group in groups.items():
        year, topic, task = key
        if any(row.earlier_references is not None for row in group.values()):
            earlier = _joined(group.values(), "earlier_references")
        else:
            earlier = references.get((year, topic, "A"), ()) if task == "B" else ()
        topics.append(_topic(key, [*group.values()], references[key], earlier, judged))
    return tuple(topics)


def _joined(group: Iterable[Record], what: str) -> tuple[Reference, ...]:
    """Merge the references, or the earlier references, of a topic's rows; each summarizer appears once."""
    found: dict[str, Reference] = {}
    last: tuple[Reference, ...] | None = None
    for row in group:
        of_row = [Reference(row.summarizer, row.text)] if row.is_reference and what == "references" else []
        listed = row.references if what == "references" else row.earlier_references
        if listed is last and not of_row:  # the rows of a topic often have one list
            continue
        last = listed
        for reference in (*of_row, *(listed or ())):
            before = found.setdefault(reference.summarizer, reference)
            if before.text != reference.text and _words(before) != _words(reference):
                raise row.where.error(f"{named(row.key)}: reference {reference.summarizer} has two texts")
    if len(found) < 2:
        return tuple(found.values())
    return tuple(sorted(found.values(), key=lambda reference: natural(reference.summarizer)))


def _words(reference: Reference) -> list[str]:
    return " ".join(reference.text).split()


def _topic(
    key: tuple[str, str, str],
    group: list[Record],
    references: tuple[Reference, ...],
    earlier: tuple[Reference, ...],
    judged: Collection[tuple[str, ...]],
) -> Topic:
    offered = frozenset(row.summarizer for row in group if row.is_reference)
    everyone = frozenset(reference.summarizer for reference in references)
    last: object = offered  # of no row
    summaries = []
    for row in group:
        if row.references is not last:
            last = listed = row.references
            met = offered if listed is None else frozenset(one.summarizer for one in listed)
            met = everyone if met == everyone else met
        if row.is_reference and not (row.instance in judged if judged else met - {row.summarizer}):
            continue
        mask = None
        if met is not everyone and met - {row.summarizer} != everyone - {row.summarizer}:
            mask = tuple(sorted(met - {row.summarizer}, key=natural))
        summaries.append(Summary(row.summarizer, row.text, row.human, mask))
    given = [row for row in group if row.documents is not None]
    for row in given:
        if row.documents != given[0].documents:
            raise row.where.error(f"{named(row.key)}: the documents differ from those of an earlier row")
    return Topic(*key, tuple(summaries), references, earlier, (given[0].documents or ()) if given else ())
