"""One row of a corpus, read from a mapping and checked, with the place where it was found.

The field names are SacreROUGE's (``instance_id``, ``summarizer_id``, ``summarizer_type``, ``summary``,
``references``) or flat ones (``year``, ``topic``, ``task``, ``summarizer``, ``text``, ``human``). Both kinds of
rows may have ``earlier_references`` and ``documents``. `grouping` makes topics from the rows.

Rows of JSON lines, read into records at once where they have the usual form, and otherwise field by field.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeGuard

import msgspec

from classy_aesop.data.sources import Where
from classy_aesop.data.table_files import json_objects
from classy_aesop.data.topics import Reference, Text
from classy_aesop.data.values import (
    human_field,
    identifier,
    instance_key,
    reference_field,
    required,
    shown,
    split_instance,
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

FIELDS = frozenset(HOLDS)
"""The fields of a row."""

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
    """Read rows one by one; at the end a `DataWarning` names the fields that nothing reads."""
    unread = Unread(path)
    shared: Shared = {}
    for where, fields in rows:
        yield parse(fields, where, year, shared)
        unread.note(fields)
    unread.warn()


class Unread:
    """Collects the fields of rows that are not used, and warns of them."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._names: dict[str, None] = {}

    def note(self, fields: Mapping[str, Any]) -> None:
        """Note the unknown fields of a row."""
        if not FIELDS.issuperset(fields):
            self._names.update((str(name), None) for name in fields if name not in FIELDS)

    def warn(self) -> None:
        """Warn of the noted fields."""
        if self._names:
            message = f"fields that nothing reads: {', '.join(self._names)}"
            message = message if self._path is None else f"{self._path}: {message}"
            warnings.warn(message, DataWarning, stacklevel=3)


def is_row(fields: Mapping[str, Any]) -> bool:
    """Whether a row has the fields that are read here and no others, with references that are named."""
    references = fields.get("references")
    items = references if isinstance(references, list) else []
    return (
        FIELDS.issuperset(fields)
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
    if not isinstance(fields, Mapping):
        raise where.error(f"found {shown(fields)}; expected named fields")
    *key, summarizer = instance_key(fields, where, year)
    human, reference = human_field(fields, where), reference_field(fields, where)
    is_reference = bool(human) if reference is None else reference
    return Record(
        key=(key[0], key[1], key[2]),
        summarizer=summarizer,
        text=_text(required(fields, where, "summary", "text"), where),
        human=bool(human) or is_reference,
        is_reference=is_reference,
        where=where,
        references=_references(fields.get("references"), where, shared),
        earlier_references=_references(fields.get("earlier_references"), where, shared),
        documents=read_documents(fields.get("documents"), where),
    )


def _text(value: object, where: Where) -> Text:
    if isinstance(value, Mapping):
        value = required(value, where, "text")
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise where.error(f"a text is {shown(value)}; expected text or a list of sentences")


def _references(value: object, where: Where, shared: Shared | None) -> tuple[Reference, ...] | None:
    if shared is None or value is None:
        return read_references(value, where)
    if id(value) not in shared:
        if len(shared) == _MOST_SHARED:
            shared.clear()
        shared[id(value)] = value, read_references(value, where)
    return shared[id(value)][1]


def read_references(value: object, where: Where) -> tuple[Reference, ...] | None:
    """Read objects with ``summarizer_id`` and ``text``, or a mapping of summarizers to texts; None stays None."""
    if value is None:
        return None
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


def read_documents(value: object, where: Where) -> tuple[str, ...] | None:
    """Read a list of texts; None stays None."""
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise where.error(f"documents are {shown(value)}; expected a list of texts")
    return tuple("\n".join(_text(item, where)) for item in value)


Identifier = str | int | None
_NOTHING = msgspec.Raw(b"null")
_VALUE = msgspec.json.Decoder()
_MOST_KNOWN = 4096


class _Summary(msgspec.Struct):
    text: str | Text


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """A row in its usual form: what `records.parse` reads, with values of the right types."""

    instance_id: Identifier = None
    topic: Identifier = None
    year: Identifier = None
    task: Identifier = None
    summarizer_id: Identifier = None
    summarizer: Identifier = None
    summarizer_type: Literal["peer", "reference"] | None = None
    human: bool | None = None
    summary: str | Text | _Summary | None = None
    text: str | Text | None = None
    references: msgspec.Raw = _NOTHING
    earlier_references: msgspec.Raw = _NOTHING
    documents: msgspec.Raw = _NOTHING


_ROW = msgspec.json.Decoder(_Row)


def parse_lines(
    lines: Iterable[tuple[Where, bytes]], year: str = "", *, path: str | None = None
) -> Iterator[Record]:
    """Read lines, with the records, errors and warnings of `records.parse_all` for their objects."""
    read, unread = _Reader(year), Unread(path)
    for where, line in lines:
        try:
            record = read(_ROW.decode(line), where)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            record = None
        if record is not None:
            yield record
            continue
        for _, fields in json_objects([(where, line)]):  # no object if the line is blank
            yield parse(fields, where, year)
            unread.note(fields)
    unread.warn()


class _Reader:
    """Makes records from rows; a list that several rows repeat is read once."""

    def __init__(self, year: str) -> None:
        self._year = year
        self._last: dict[str, tuple[msgspec.Raw, Any]] = {}
        self._known: dict[tuple[str, bytes], Any] = {}

    def __call__(self, row: _Row, where: Where) -> Record | None:
        """Give the record; None if `records.parse` has to read or refuse it."""
        year = self._year if row.year is None else row.year
        topic = row.topic if row.instance_id is None else row.instance_id
        summarizer = row.summarizer if row.summarizer_id is None else row.summarizer_id
        text = row.text if row.summary is None else row.summary
        task = row.task
        if not (_is_plain(topic) and _is_plain(summarizer) and topic and summarizer and _is_plain(year)):
            return None
        if text is None or not (task is None or _is_plain(task)):
            return None
        if row.instance_id is not None:
            topic, task = split_instance(topic, task)
        text = text.text if isinstance(text, _Summary) else text
        is_reference = bool(row.human) if row.summarizer_type is None else row.summarizer_type == "reference"
        return Record(
            (year, topic, task or ""),
            summarizer,
            (text,) if isinstance(text, str) else text,
            bool(row.human) or is_reference,
            is_reference,
            where,
            self._once("references", row.references, where),
            self._once("earlier_references", row.earlier_references, where),
            self._once("documents", row.documents, where),
        )

    def _once(self, name: str, value: msgspec.Raw, where: Where) -> Any:
        """Read a list, unless another row had the same."""
        if value is _NOTHING:
            return None
        last = self._last.get(name)
        if last is None or last[0] != value:  # comparing is quicker than hashing
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            read = read_documents if name == "documents" else read_references
            key = name, bytes(value)
            if key not in self._known:
                self._known[key] = read(_VALUE.decode(value), where)
            last = self._last[name] = value.copy(), self._known[key]
        return last[1]


def _is_plain(value: Identifier) -> TypeGuard[str]:
    """Whether an identifier is text that needs no check, without white space around it."""
    return isinstance(value, str) and value.isascii() and value == value.strip()
