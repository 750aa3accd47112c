"""One row of a corpus, read from a mapping and checked, with the place where it was found.

The field names are SacreROUGE's (``instance_id``, ``summarizer_id``, ``summarizer_type``, ``summary``,
``references``) or flat ones (``year``, ``topic``, ``task``, ``summarizer``, ``text``, ``human``). Both kinds of
rows may have ``earlier_references`` and ``documents``. `grouping` makes topics from the rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from classy_aesop.data.sources import Where
from classy_aesop.data.topics import Reference, Text
from classy_aesop.data.values import (
    human_field,
    identifier,
    instance_key,
    reference_field,
    required,
    shown,
)
from classy_aesop.errors import DataWarning

HOLDS = {
    "instance_id": "topic, or topic and task in one: ``D01-A``",
    "topic": "what is summarized",
    "year": "the evaluation that the topic belongs to",
    "task": "``A``, the initial summary, or ``B``, the update",
    "summarizer_id": "who wrote the summary",
    "summarizer": "the same",
    "summarizer_type": "``peer``, or ``reference`` for a human summary that others are compared with",
    "human": "whether a human wrote the summary; without ``summarizer_type`` it is then a reference",
    "summary": "the summary: a text, a list of sentences, or an object with ``text``",
    "text": "the same",
    "references": "objects with ``summarizer_id`` and ``text``, or an object with a text for each summarizer; without "
    "it the rows that are references of the same topic and task",
    "earlier_references": "likewise, of the topic's task ``A``; without it the references of that task",
    "documents": "the source texts, for the metrics that compare with them; in one row of a topic",
}
"""The fields of a row, and what they hold."""

_NAMES = frozenset(HOLDS)

Shared = dict[int, tuple[object, tuple[Reference, ...] | None]]
"""Objects that hold references, by identity, with what was read from them."""

_MOST_SHARED = 4096


class Record(NamedTuple):
    """A summary as one row describes it.

    Parameters
    ----------
    key : tuple of str
        Year, topic and task.
    summarizer, text, human
        As in `data.Summary`.
    is_reference : bool
        Whether the text is a reference of its topic.
    where : Where
        Where the row was found.
    references, earlier_references, documents : tuple, optional
        The texts that the row lists; None if it has no such field.
    """

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


def parse_all(
    rows: Iterable[tuple[Where, Mapping[str, Any]]], year: str = "", *, path: str | None = None
) -> Iterator[Record]:
    """Read rows one by one; at the end a `DataWarning` names the ignored fields."""
    unread: dict[str, None] = {}
    shared: Shared = {}
    for where, fields in rows:
        yield parse(fields, where, year, shared)
        if not _NAMES.issuperset(fields):
            unread.update((str(name), None) for name in fields if name not in HOLDS)
    if unread:
        message = f"{'' if path is None else f'{path}: '}ignored fields: {', '.join(unread)}"
        warnings.warn(message, DataWarning, stacklevel=2)


def is_row(fields: Mapping[str, Any]) -> bool:
    """Whether a row has the fields that are read here and no others, with references that are named."""
    references = fields.get("references")
    items = references if isinstance(references, list) else []
    return (
        HOLDS.keys() >= fields.keys()
        and bool({"instance_id", "topic"} & fields.keys() and {"summarizer_id", "summarizer"} & fields.keys())
        and not isinstance(references, str)
        and not any(isinstance(item, str | list) for item in items)
        and not any(isinstance(fields.get(name), float) for name in ("instance_id", "topic", "year"))
    )


def parse(fields: Mapping[str, Any], where: Where, year: str = "", shared: Shared | None = None) -> Record:
    """Read one row.

    ``summarizer_type`` is ``peer`` or ``reference``; without it, a row whose ``human`` is true is a reference.
    A row of type ``reference`` is by a human. ``shared`` keeps the references that were read, so that those which many
    rows list as one object are read once.

    Raises
    ------
    InputError
        If a field is missing or has the wrong type; with the place.
    """
    if type(fields) is not dict and not isinstance(fields, Mapping):
        raise where.error(f"found {shown(fields)}; expected named fields")
    row_year, topic, task, summarizer = instance_key(fields, where, year)
    human, reference = human_field(fields, where), reference_field(fields, where)
    is_reference = bool(human) if reference is None else reference
    return Record(
        (row_year, topic, task),
        summarizer,
        _text(required(fields, where, "summary", "text"), where),
        bool(human) or is_reference,
        is_reference,
        where,
        _references(fields.get("references"), where, shared),
        _references(fields.get("earlier_references"), where, shared),
        _documents(fields.get("documents"), where),
    )


def _text(value: object, where: Where) -> Text:
    if type(value) is dict or (type(value) not in (str, list) and isinstance(value, Mapping)):
        value = required(value, where, "text")
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and (_STR.issuperset(map(type, value)) or _are_texts(value)):
        return tuple(value)
    raise where.error(f"a text is {shown(value)}; expected text or a list of sentences")


_STR = frozenset({str})  # nearly always, and fast


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _references(value: object, where: Where, shared: Shared | None) -> tuple[Reference, ...] | None:
    if value is None:
        return None
    if shared is None:
        return _read_references(value, where)
    if id(value) not in shared:
        if len(shared) == _MOST_SHARED:
            shared.clear()
        shared[id(value)] = value, _read_references(value, where)
    return shared[id(value)][1]


def _read_references(value: object, where: Where) -> tuple[Reference, ...]:
    """Read objects with ``summarizer_id`` and ``text``, or a mapping of summarizers to texts."""
    if isinstance(value, Mapping):
        value = [{"summarizer": summarizer, "text": text} for summarizer, text in value.items()]
    if not isinstance(value, list | tuple):
        raise where.error(f"references are {shown(value)}; expected a list of objects")
    return tuple(_reference(item, where) for item in value)


def _reference(item: object, where: Where) -> Reference:
    if isinstance(item, Reference):
        return item
    if not isinstance(item, Mapping):
        raise where.error(f"a reference is {shown(item)}; expected an object with summarizer_id and text")
    summarizer = required(item, where, "summarizer_id", "summarizer")
    text = _text(required(item, where, "text", "summary"), where)
    return Reference(identifier(summarizer, "a reference's summarizer_id", where), text)


def _documents(value: object, where: Where) -> tuple[str, ...] | None:
    """Read a list of texts; None stays None."""
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise where.error(f"documents are {shown(value)}; expected a list of texts")
    return tuple("\n".join(_text(item, where)) for item in value)
