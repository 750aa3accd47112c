"""Rows of a corpus, read from mappings or lines of JSON and checked, each with its place; and grouped into topics.

The field names are SacreROUGE's (``instance_id``, ``summarizer_id``, ``summarizer_type``, ``summary``,
``references``) or flat ones (``year``, ``topic``, ``task``, ``summarizer``, ``text``, ``human``). Both kinds of
rows may have ``earlier_references`` and ``documents``. How rows become topics:

- A row of type ``reference`` is a reference of its topic. It is also a summary under evaluation (``human``)
  if it has a judgment or, in a corpus without any judgments, if there is another reference that it can be
  compared with.
- A row that lists ``references`` is compared with these, any other row with the topic's rows of type
  ``reference``; no row is compared with its author's own. The topic's references are all of them, in natural order.
- The earlier references of a topic's update task ``B`` are those that its rows list as ``earlier_references``,
  or else the references of its task ``A`` in the same corpus and year.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Literal

import msgspec

from classy_aesop.data.cells import (
    Row,
    format_value,
    human_field,
    identifier,
    instance_key,
    reference_field,
    require_field,
    topic_key,
)
from classy_aesop.data.summary_records import Record
from classy_aesop.data.topics import Reference, Text
from classy_aesop.data.where import Where
from classy_aesop.errors import warn
from classy_aesop.reading.byte_sources import Source, decoded
from classy_aesop.work.records import parse_json_as_python

MEANING_OF_FIELD = {
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

_STR = frozenset({str})

Shared = dict[int, tuple[object, tuple[Reference, ...] | None]]
"""Objects that hold references, by identity, with what was read from them."""


def parse_all(
    rows: Iterable[tuple[Where, Record | Mapping[str, Any]]], year: str = "", *, path: str | None = None
) -> Iterator[Record]:
    """Read rows one by one, unless they are read; at the end a `DataWarning` names the ignored fields."""
    unread: dict[str, None] = {}
    shared: Shared = {}
    for where, fields in rows:
        if isinstance(fields, Record):
            yield fields
            continue
        yield parse(fields, where, year, shared)
        if not MEANING_OF_FIELD.keys() >= fields.keys():
            unread.update((str(name), None) for name in fields if name not in MEANING_OF_FIELD)
    if unread:
        message = f"{'' if path is None else f'{path}: '}ignored fields: {', '.join(unread)}"
        warn(message)


def is_row(fields: Mapping[str, Any]) -> bool:
    """Whether a row has the fields that are read here and no others, with references that are named."""
    references = fields.get("references")
    items = references if isinstance(references, list) else []
    return (
        MEANING_OF_FIELD.keys() >= fields.keys()
        and bool({"instance_id", "topic"} & fields.keys() and {"summarizer_id", "summarizer"} & fields.keys())
        and not isinstance(references, str)
        and not any(isinstance(item, str | list) for item in items)
        and not any(isinstance(fields.get(name), float) for name in ("instance_id", "topic", "year"))
    )


def parse(fields: Mapping[str, Any], where: Where, year: str = "", shared: Shared | None = None) -> Record:
    """Read one row; without ``summarizer_type``, one whose ``human`` is true is a reference, which is by a human.

    ``shared`` keeps the references that were read, so that those which many rows list as one object are read once.
    """
    if type(fields) is not dict and not isinstance(fields, Mapping):
        raise where.error(f"found {format_value(fields)}; expected named fields")
    row_year, topic, task, summarizer = instance_key(fields, where, year)
    human, reference = human_field(fields, where), reference_field(fields, where)
    is_reference = bool(human) if reference is None else reference
    return Record(
        (row_year, topic, task),
        summarizer,
        _text(require_field(fields, where, "summary", "text"), where),
        bool(human) or is_reference,
        is_reference,
        where,
        _references(fields.get("references"), where, shared),
        _references(fields.get("earlier_references"), where, shared),
        _documents(fields.get("documents"), where),
    )


def _documents(value: object, where: Where) -> tuple[str, ...] | None:
    if not (value is None or isinstance(value, list | tuple)):
        raise where.error(f"documents are {format_value(value)}; expected a list of texts")
    return None if value is None else tuple("\n".join(_text(item, where)) for item in value)


def _text(value: object, where: Where) -> Text:
    if type(value) is dict or (type(value) not in (str, list) and isinstance(value, Mapping)):
        value = require_field(value, where, "text")
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and (
        _STR.issuperset(map(type, value)) or all(isinstance(item, str) for item in value)
    ):
        return tuple(value)
    raise where.error(f"a text is {format_value(value)}; expected text or a list of sentences")


def _references(value: object, where: Where, shared: Shared | None) -> tuple[Reference, ...] | None:
    if value is None:
        return None
    if shared is not None and id(value) in shared:
        return shared[id(value)][1]
    given = value
    if isinstance(value, Mapping):
        value = [{"summarizer": summarizer, "text": text} for summarizer, text in value.items()]
    if not isinstance(value, list | tuple):
        raise where.error(f"references are {format_value(value)}; expected a list of objects")
    read = tuple(_reference(item, where) for item in value)
    if shared is not None:
        if len(shared) == _MOST_SHARED:
            shared.clear()
        shared[id(given)] = given, read
    return read


def _reference(item: object, where: Where) -> Reference:
    if isinstance(item, Reference):
        return item
    if not isinstance(item, Mapping):
        raise where.error(
            f"a reference is {format_value(item)}; expected an object with summarizer_id and text"
        )
    summarizer = require_field(item, where, "summarizer_id", "summarizer")
    text = _text(require_field(item, where, "text", "summary"), where)
    return Reference(identifier(summarizer, "a reference's summarizer_id", where), text)


# --- lines of JSON ---

_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_VALUE = msgspec.json.Decoder()
_SHARED = frozenset({"references", "earlier_references", "documents"})
_MOST_SHARED = 4096


def json_lines(source: Source) -> Iterator[Row]:
    """Give the objects of a file of JSON lines; equal references and documents of several lines are one object."""
    return json_objects(source.lines())


def json_objects(lines: Iterable[tuple[Where, bytes]]) -> Iterator[Row]:
    """Give the objects of lines; see `json_lines`."""
    decode = _Decoder()
    for where, line in lines:
        try:
            record: Any = decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):  # blank, wrong, or only Python's
            text = decoded(line, where).removesuffix("\n")
            if not text.strip():
                continue
            record = json_value(text, where, "one object a line")
        if not isinstance(record, dict):
            raise where.error(f"found {format_value(record)}; expected one JSON object a line")
        yield where, record


def unique_json_lines(source: Source) -> Iterator[Row]:
    """Give the objects of JSON lines as `json_lines` does, and refuse one in which a key is given twice."""
    places = {}

    def lines() -> Iterator[tuple[Where, bytes]]:
        for where, line in source.lines():
            places[where] = line
            yield where, line

    for where, record in json_objects(lines()):
        line = places.pop(where)
        places.clear()
        if line.count(b'":') != _count_keys(record):  # a text may hold them too, and then it is parsed again
            json_value(decoded(line, where), where, "one object a line")
        yield where, record


def _count_keys(value: Any, level: int = 0) -> int:
    """Count the keys of an object and of all in it, up to `MAX_LEVELS_OF_KEYS`."""
    items = value.values() if isinstance(value, dict) else value
    n_keys = len(value) if isinstance(value, dict) else 0
    if level == MAX_LEVELS_OF_KEYS:
        return n_keys
    return n_keys + sum(_count_keys(item, level + 1) for item in items if isinstance(item, dict | list))


MAX_LEVELS_OF_KEYS = 50
"""Levels of nested JSON whose keys are counted; an object with more is parsed again."""


class _Text(msgspec.Struct):
    text: Text


_Name = str | int | None
_NOTHING = msgspec.Raw(b"null")


class _Lists(msgspec.Struct, forbid_unknown_fields=True):
    references: msgspec.Raw = _NOTHING
    earlier_references: msgspec.Raw = _NOTHING
    documents: msgspec.Raw = _NOTHING


class _Usual(_Lists, forbid_unknown_fields=True):
    """A line in its usual form: the fields of a row, with values of the right types."""

    instance_id: _Name = None
    topic: _Name = None
    year: _Name = None
    task: _Name = None
    summarizer_id: _Name = None
    summarizer: _Name = None
    summarizer_type: Literal["peer", "reference"] | None = None
    human: bool | None = None
    summary: str | Text | _Text | None = None
    text: str | Text | None = None


class _UsualReference(msgspec.Struct):
    """A listed reference in its usual form; other fields are ignored, as elsewhere."""

    summarizer_id: _Name = None
    summarizer: _Name = None
    text: str | Text | None = None
    summary: str | Text | None = None


_USUAL = msgspec.json.Decoder(_Usual)
_USUAL_REFERENCES = msgspec.json.Decoder(list[_UsualReference])
_COMMON = msgspec.json.Decoder(_Lists)
_ALIKE = 16  # bytes at the end of two lines, so that it is worth while to look for more


class Ends:
    """Takes from lines the lists that they end with, if the line before ended alike: mostly a topic's references."""

    def __init__(self) -> None:
        self._end, self._is_new = b"", True
        self._lists: _Lists | None = None

    def split(self, line: bytes) -> tuple[bytes, _Lists | None]:
        """Give a line with null in place of the lists at its end, as valid as it was, and these; or it, and None."""
        own = line.removesuffix(self._end)
        if len(own) == len(line):
            self._end, self._is_new, self._lists = line[-_ALIKE:], True, None
        elif self._is_new:
            self._is_new = False
            own, name, rest = line.partition(b'"references"')
            if b'"earlier_references"' not in own and b'"documents"' not in own:
                with suppress(msgspec.DecodeError, RecursionError):  # of other fields, or wrong for msgspec
                    self._lists = _COMMON.decode(b"{" + name + rest)
                    self._end = name + rest
        return (line, None) if self._lists is None else (own + b'"references":null}', self._lists)


def parse_lines(
    lines: Iterable[tuple[Where, bytes]], year: str = "", *, path: str | None = None
) -> Iterator[Record]:
    """Read lines one by one, with the records, errors and warnings of `parse_all` for their objects."""
    return parse_all(_usual(lines, year), year, path=path)


_summarizer = lru_cache(_MOST_SHARED)(partial(identifier, name="summarizer_id", where=Where()))


def _usual(lines: Iterable[tuple[Where, bytes]], year: str) -> Iterator[tuple[Where, Any]]:
    """Make records of lines in their usual form, or else objects; what a line shares with that before is read once."""
    split = Ends().split
    reader = _ListReader()
    place: object = None
    known: object = None
    for where, line in lines:
        try:
            own, common = split(line)
            row = _USUAL.decode(own)
            text = row.text if row.summary is None else row.summary
            if text is None or (common and not (row.earlier_references is row.documents is _NOTHING)):
                raise ValueError
            here = row.year, row.instance_id, row.topic, row.task
            if here != place:
                fields = dict(zip(("year", "instance_id", "topic", "task"), here, strict=True))
                key = topic_key(fields, where, year)
                place = here
            common = common or row
            if common is not known:
                lists = reader.read(common, where)
                known = common
            name = _summarizer(row.summarizer if row.summarizer_id is None else row.summarizer_id)
        except (msgspec.DecodeError, ValueError, RecursionError):  # `parse` reads or refuses it
            yield from json_objects([(where, line)])
            continue
        if not isinstance(text, tuple):
            text = (text,) if isinstance(text, str) else text.text
        is_reference = bool(row.human) if row.summarizer_type is None else row.summarizer_type == "reference"
        yield where, Record(key, name, text, is_reference or bool(row.human), is_reference, where, *lists)


class _ListReader:
    """Reads the lists of lines; those that several lines have are read once."""

    def __init__(self) -> None:
        self._decode_once = _Decoder().once
        self._references: dict[bytes, tuple[Reference, ...] | None] = {}
        self._last: dict[str, tuple[msgspec.Raw, tuple[Reference, ...] | None]] = {}

    def read(
        self, lists: _Lists, where: Where
    ) -> tuple[tuple[Reference, ...] | None, tuple[Reference, ...] | None, tuple[str, ...] | None]:
        """Give the references, the earlier references and the documents; None for each that is missing."""
        references = self._read_references("references", lists.references, where)
        earlier = self._read_references("earlier_references", lists.earlier_references, where)
        if lists.documents is _NOTHING:
            return references, earlier, None
        return references, earlier, _documents(self._decode_once("documents", lists.documents), where)

    def _read_references(self, name: str, value: msgspec.Raw, where: Where) -> tuple[Reference, ...] | None:
        if value is _NOTHING:
            return None
        last = self._last.get(name)
        if last is None or last[0] != value:  # comparing is quicker than hashing
            written = bytes(value)
            if written not in self._references:
                if len(self._references) == _MOST_SHARED:
                    self._references.clear()
                self._references[written] = _parse_references(written, where)
            last = self._last[name] = value.copy(), self._references[written]
        return last[1]


def _parse_references(written: bytes, where: Where) -> tuple[Reference, ...] | None:
    """Read references as `_references` does, those in their usual form without going through objects."""
    try:
        listed = _USUAL_REFERENCES.decode(written)
    except msgspec.DecodeError:
        return _references(_VALUE.decode(written), where, None)
    references = []
    for item in listed:
        text = item.summary if item.text is None else item.text
        if text is None:
            raise ValueError
        name = _summarizer(item.summarizer if item.summarizer_id is None else item.summarizer_id)
        references.append(Reference(name, (text,) if isinstance(text, str) else text))
    return tuple(references)


class _Decoder:
    """Decodes objects; a value that many rows of a corpus repeat is decoded and kept once."""

    def __init__(self) -> None:
        self._shared: dict[bytes, Any] = {}
        self._last: dict[str, tuple[msgspec.Raw, Any]] = {}
        self._had_shared = False

    def __call__(self, line: bytes) -> Any:
        if not self._had_shared:  # lines are mostly like the one before
            fields = _VALUE.decode(line)
            if not isinstance(fields, dict) or _SHARED.isdisjoint(fields):
                return fields
        parts = _FIELDS.decode(line)
        self._had_shared = not _SHARED.isdisjoint(parts)
        decode = _VALUE.decode
        return {name: self.once(name, one) if name in _SHARED else decode(one) for name, one in parts.items()}

    def once(self, name: str, value: msgspec.Raw) -> Any:
        """Decode the value of a field, unless another row had the same."""
        last = self._last.get(name)
        if last is None or last[0] != value:  # comparing is quicker than hashing
            written = bytes(value)
            if written not in self._shared:
                if len(self._shared) == _MOST_SHARED:
                    self._shared.clear()
                self._shared[written] = _VALUE.decode(written)
            last = self._last[name] = value.copy(), self._shared[written]
        return last[1]


def json_value(text: str, where: Where, expected: str) -> Any:
    """Read JSON as Python does, with NaN and infinite numbers."""
    try:
        return parse_json_as_python(text)
    except ValueError as error:
        raise where.error(f"invalid or truncated JSON ({error}); expected {expected}") from error
