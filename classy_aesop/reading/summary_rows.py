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

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, Literal

import msgspec
from msgspec.structs import astuple

from classy_aesop.data.cells import (
    Row,
    format_value,
    instance_key,
    read_human_field,
    read_identifier,
    read_reference_field,
    require_field,
    topic_key,
)
from classy_aesop.data.summary_records import Record
from classy_aesop.data.topics import Reference, Text
from classy_aesop.data.where import Where
from classy_aesop.errors import warn
from classy_aesop.reading.byte_sources import Source, decode_line
from classy_aesop.work.records import count_keys, parse_json_as_python

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

SharedReferences = dict[tuple[Reference, ...], tuple[Reference, ...]]
"""References that several rows have, each once."""


def parse_rows(
    rows: Iterable[tuple[Where, Record | Mapping[str, Any]]], year: str = "", *, path: str | None = None
) -> Iterator[Record]:
    """Read rows one by one, unless they are read; at the end a `DataWarning` names the ignored fields."""
    unread: dict[str, None] = {}
    shared: SharedReferences = {}
    for where, fields in rows:
        if isinstance(fields, Record):
            yield fields
            continue
        yield parse_row(fields, where, year, shared)
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


def parse_row(
    fields: Mapping[str, Any], where: Where, year: str = "", shared: SharedReferences | None = None
) -> Record:
    """Read one row; without ``summarizer_type``, one whose ``human`` is true is a reference, which is by a human."""
    if type(fields) is not dict and not isinstance(fields, Mapping):
        raise where.error(f"found {format_value(fields)}; expected named fields")
    row_year, topic, task, summarizer = instance_key(fields, where, year)
    human = read_human_field(fields, where)
    reference = read_reference_field(fields, where)
    is_reference = bool(human) if reference is None else reference
    text = _parse_text(require_field(fields, where, "summary", "text"), where)
    references = _parse_references(fields.get("references"), where, shared)
    earlier = _parse_references(fields.get("earlier_references"), where, shared)
    documents = _parse_documents(fields.get("documents"), where)
    is_human = bool(human) or is_reference
    key = row_year, topic, task
    return Record(key, summarizer, text, is_human, is_reference, where, references, earlier, documents)


def _parse_documents(value: object, where: Where) -> tuple[str, ...] | None:
    if not (value is None or isinstance(value, list | tuple)):
        raise where.error(f"documents are {format_value(value)}; expected a list of texts")
    return None if value is None else tuple("\n".join(_parse_text(item, where)) for item in value)


def _parse_text(value: object, where: Where) -> Text:
    if type(value) is dict or (type(value) not in (str, list) and isinstance(value, Mapping)):
        value = require_field(value, where, "text")
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and (
        _STR.issuperset(map(type, value)) or all(isinstance(item, str) for item in value)
    ):
        return tuple(value)
    raise where.error(f"a text is {format_value(value)}; expected text or a list of sentences")


def _parse_references(
    value: object, where: Where, shared: SharedReferences | None = None
) -> tuple[Reference, ...] | None:
    if value is None:
        return None
    items = value
    if isinstance(value, Mapping):
        items = [{"summarizer": summarizer, "text": text} for summarizer, text in value.items()]
    if not isinstance(items, list | tuple):
        raise where.error(f"references are {format_value(items)}; expected a list of objects")
    references = tuple(_parse_reference(item, where) for item in items)
    if shared is None:
        return references
    if len(shared) == _MAX_SHARED:
        shared.clear()
    return shared.setdefault(references, references)


def _parse_reference(item: object, where: Where) -> Reference:
    if isinstance(item, Reference):
        return item
    if type(item) is not dict and not isinstance(item, Mapping):
        raise where.error(
            f"a reference is {format_value(item)}; expected an object with summarizer_id and text"
        )
    summarizer = require_field(item, where, "summarizer_id", "summarizer")
    text = _parse_text(require_field(item, where, "text", "summary"), where)
    return Reference(read_identifier(summarizer, "a reference's summarizer_id", where), text)


# --- lines of JSON ---

KEY_END = b'":'
"""What ends a key in a line of JSON; one that is given twice makes more of these than the object has keys."""

_VALUE_DECODER = msgspec.json.Decoder()
_REPEATED_FIELDS = frozenset({"references", "earlier_references", "documents"})
_MAX_SHARED = 4096


def json_lines(source: Source) -> Iterator[Row]:
    """Give the objects of a file of JSON lines; references and documents that equal those before are one object."""
    return json_objects(source.lines())


def json_objects(lines: Iterable[tuple[Where, bytes]]) -> Iterator[Row]:
    """Give the objects of lines; see `json_lines`."""
    last: dict[str, object] = {}
    for where, line in lines:
        try:
            record: Any = _VALUE_DECODER.decode(line)
            if line.count(KEY_END) != count_keys(record):  # a text has one, or a key is given twice
                parse_json(decode_line(line, where), where, "one object a line")
        except (msgspec.DecodeError, ValueError, RecursionError):  # blank, wrong, or only Python's
            text = decode_line(line, where).removesuffix("\n")
            if not text.strip():
                continue
            record = parse_json(text, where, "one object a line")
        if not isinstance(record, dict):
            raise where.error(f"found {format_value(record)}; expected one JSON object a line")
        for name in _REPEATED_FIELDS & record.keys():
            if name in last and record[name] == last[name]:
                record[name] = last[name]
        last = record
        yield where, record


class _Text(msgspec.Struct):
    text: Text


_Name = str | int | None
_NOTHING = msgspec.Raw(b"null")


class _Usual(msgspec.Struct, forbid_unknown_fields=True):
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
    references: msgspec.Raw = _NOTHING
    earlier_references: msgspec.Raw = _NOTHING
    documents: msgspec.Raw = _NOTHING


_USUAL_DECODER = msgspec.json.Decoder(_Usual)
_N_NAMES = len(_Usual.__struct_fields__) - len(_REPEATED_FIELDS)


def parse_lines(
    lines: Iterable[tuple[Where, bytes]], year: str = "", *, path: str | None = None
) -> Iterator[Record]:
    """Read lines one by one, with the records, errors and warnings of `parse_rows` for their objects."""
    return parse_rows(_parse_usual_lines(lines, year), year, path=path)


_parse_summarizer = lru_cache(_MAX_SHARED)(partial(read_identifier, name="summarizer_id", where=Where()))


def _parse_usual_lines(lines: Iterable[tuple[Where, bytes]], year: str) -> Iterator[tuple[Where, Any]]:
    """Make records of lines in their usual form, or else objects; what a line shares with that before is read once."""
    parse_texts = lru_cache(_MAX_SHARED)(_parse_texts)

    last: dict[str, tuple[msgspec.Raw, _Parsed]] = {}

    def read_list(name: str, value: msgspec.Raw) -> _Parsed:
        if value is _NOTHING:
            return None, 0
        if name not in last or last[name][0] != value:  # comparing is quicker than hashing
            last[name] = value, parse_texts(name, bytes(value))
        return last[name][1]

    last_key_fields: object = None
    for where, line in lines:
        try:
            row = _USUAL_DECODER.decode(line)
            text = row.text if row.summary is None else row.summary
            if text is None:
                raise ValueError
            references, n_references = read_list("references", row.references)
            earlier, n_earlier = read_list("earlier_references", row.earlier_references)
            documents, n_documents = read_list("documents", row.documents)
            fields = astuple(row)[:_N_NAMES]
            n_keys = n_references + n_earlier + n_documents
            n_keys += len(fields) - fields.count(None) + isinstance(row.summary, _Text)
            if line.count(KEY_END) != n_keys:  # one may be given twice
                raise ValueError
            key_fields = row.year, row.instance_id, row.topic, row.task
            if key_fields != last_key_fields:
                key = topic_key(
                    {"year": row.year, "instance_id": row.instance_id, "topic": row.topic, "task": row.task},
                    where,
                    year,
                )
                last_key_fields = key_fields
            name = _parse_summarizer(row.summarizer if row.summarizer_id is None else row.summarizer_id)
        except (msgspec.DecodeError, ValueError, RecursionError):  # `parse_row` reads or refuses it
            yield from json_objects([(where, line)])
            continue
        if not isinstance(text, tuple):
            text = (text,) if isinstance(text, str) else text.text
        is_reference = bool(row.human) if row.summarizer_type is None else row.summarizer_type == "reference"
        is_human = is_reference or bool(row.human)
        yield (
            where,
            Record(key, name, text, is_human, is_reference, where, references, earlier, documents),
        )


_Parsed = tuple[Any, int]
"""References or documents of a line, and how many keys the field and they have."""


def _parse_texts(name: str, written: bytes) -> _Parsed:
    items = _VALUE_DECODER.decode(written)
    n_keys = written.count(KEY_END)
    if n_keys != count_keys(items):  # one may be given twice
        raise ValueError
    parse: Callable[[object, Where], Any] = _parse_documents if name == "documents" else _parse_references
    return parse(items, Where()), 1 + n_keys


def parse_json(text: str, where: Where, expected: str) -> Any:
    """Read JSON as Python does, with NaN and infinite numbers."""
    try:
        return parse_json_as_python(text)
    except ValueError as error:
        raise where.error(f"invalid or truncated JSON ({error}); expected {expected}") from error
