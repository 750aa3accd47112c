"""How rows are grouped into topics.

- A row of type ``reference`` is a reference of its topic. It is also a summary under evaluation (``human``)
  if it has a judgment or, in a corpus without any judgments, if there is another reference that it can be
  compared with.
- A row that lists ``references`` is compared with these, any other row with the topic's rows of type
  ``reference``; no row is compared with its author's own. The topic's references are all of them, in natural order.
- The earlier references of a topic's update task ``B`` are those that its rows list as ``earlier_references``,
  or else the references of its task ``A`` in the same corpus and year.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from classy_aesop.data.records import Record
from classy_aesop.data.scores import named, natural
from classy_aesop.data.sources import Where
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import InputError

Groups = Mapping[tuple[str, str, str], list[Record]]


def topics_of(rows: Iterable[Record], judged: Collection[tuple[str, ...]]) -> tuple[Topic, ...]:
    """Make topics from checked rows; ``judged`` are the keys of the judged summaries, empty if there are none.

    Raises
    ------
    InputError
        If there are no rows, a row is repeated, a reference has two texts, or a topic's rows list different
        documents.
    """
    groups = _grouped(rows)
    references = {key: _joined(group, "references") for key, group in groups.items()}
    return tuple(
        _topic(key, group, references[key], _earlier(key, groups, references), judged)
        for key, group in groups.items()
    )


def _grouped(rows: Iterable[Record]) -> dict[tuple[str, str, str], list[Record]]:
    groups: dict[tuple[str, str, str], list[Record]] = {}
    first: dict[tuple[str, ...], Where] = {}
    for row in rows:
        instance = row.instance
        if instance in first:
            raise row.where.error(f"{named(instance)} is given again; the first is {first[instance]}")
        first[instance] = row.where
        groups.setdefault(row.key, []).append(row)
    if not groups:
        raise InputError("no summaries; a corpus needs at least one")
    return groups


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
    return tuple(sorted(found.values(), key=lambda reference: natural(reference.summarizer)))


def _words(reference: Reference) -> list[str]:
    return " ".join(reference.text).split()


def _earlier(
    key: tuple[str, str, str],
    groups: Groups,
    references: Mapping[tuple[str, str, str], tuple[Reference, ...]],
) -> tuple[Reference, ...]:
    year, topic, task = key
    if all(row.earlier_references is None for row in groups[key]):
        return references.get((year, topic, "A"), ()) if task == "B" else ()
    return _joined(groups[key], "earlier_references")


def _topic(
    key: tuple[str, str, str],
    group: list[Record],
    references: tuple[Reference, ...],
    earlier: tuple[Reference, ...],
    judged: Collection[tuple[str, ...]],
) -> Topic:
    offered = frozenset(row.summarizer for row in group if row.is_reference)
    everyone = frozenset(reference.summarizer for reference in references)
    named_in: dict[int, frozenset[str]] = {id(None): offered}
    summaries = []
    for row in group:
        if id(row.references) not in named_in:
            named_in[id(row.references)] = frozenset(one.summarizer for one in row.references or ())
        met = named_in[id(row.references)]
        if row.is_reference and not (row.instance in judged if judged else met - {row.summarizer}):
            continue
        mask = None
        if met != everyone and met - {row.summarizer} != everyone - {row.summarizer}:
            mask = tuple(sorted(met - {row.summarizer}, key=natural))
        summaries.append(Summary(row.summarizer, row.text, row.human, mask))
    return Topic(*key, tuple(summaries), references, earlier, _documents(group))


def _documents(group: Iterable[Record]) -> tuple[str, ...]:
    found: tuple[str, ...] | None = None
    for row in group:
        if found is not None and row.documents not in (None, found):
            raise row.where.error(f"{named(row.key)}: the documents differ from those of an earlier row")
        found = row.documents if found is None else found
    return found or ()
