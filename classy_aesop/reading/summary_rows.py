"""Rows of a corpus, read from mappings or lines of JSON and checked, each with its place; and grouped into topics.

The field names are SacreROUGE's (``instance_id``, ``summarizer_id``, ``summarizer_type``, ``summary``,
``references``) or flat ones (``year``, ``topic``, ``task``, ``summarizer``, ``text``, ``human``). Both kinds of
rows may have ``earlier_references`` and ``documents``. How rows become topics:

- A row of type ``reference`` is a reference of its topic. It is also a summary under evaluation (``human``)
  if it has a judgment or, in a corpus without any judgments, if there is another reference that it can be
  compared with.
- A row that lists ``references`` is compared with these, any other row with the topic's rows of type
  ``reference``, or where there are none with all that its other rows list; no row is compared with its author's own.
  The topic's references are all of them, in natural order.
- The earlier references of a topic's update task ``B`` are those that its rows list as ``earlier_references``,
  or else the references of its task ``A`` in the same corpus and year.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from classy_aesop.data.cells import (
    Row,
    format_value,
    instance_key,
    is_missing,
    read_human_field,
    read_identifier,
    read_reference_field,
    require_field,
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
    "references": "objects with ``summarizer_id`` and ``text``, an object with a text for each summarizer, or texts; "
    "without it the rows that are references of the same topic and task, or else what its other rows list",
    "earlier_references": "likewise, of the topic's task ``A``; without it the references of that task",
    "documents": "the source texts, for the metrics that compare with them; in one row of a topic",
}
"""The fields of a row, and what they hold."""

ParsedFields = dict[str, tuple[object, Any]]
"""Fields as the last row had them, and what they were parsed to."""


def parse_rows(
    rows: Iterable[tuple[Where, Mapping[str, Any]]], *, path: str | None = None
) -> Iterator[Record]:
    """Read rows one by one; at the end a `DataWarning` names the ignored fields."""
    unread: dict[str, None] = {}
    last: ParsedFields = {}
    for where, fields in rows:
        yield parse_row(fields, where, last)
        unread.update((str(name), None) for name in fields if name not in MEANING_OF_FIELD)
    if unread:
        warn(f"{'' if path is None else f'{path}: '}ignored fields: {', '.join(unread)}")


def is_row(fields: Mapping[str, Any]) -> bool:
    """Whether a row has the fields that are read here and no others."""
    return (
        MEANING_OF_FIELD.keys() >= fields.keys()
        and bool({"instance_id", "topic"} & fields.keys() and {"summarizer_id", "summarizer"} & fields.keys())
        and not isinstance(fields.get("references"), str)  # it may be a written list
        and not any(isinstance(fields.get(name), float) for name in ("instance_id", "topic", "year"))
    )


def parse_row(fields: Mapping[str, Any], where: Where, last: ParsedFields | None = None) -> Record:
    """Read one row; without ``summarizer_type``, one whose ``human`` is true is a reference, which is by a human."""
    year, topic, task, summarizer = instance_key(fields, where)
    human = read_human_field(fields, where)
    reference = read_reference_field(fields, where)
    is_reference = bool(human) if reference is None else reference
    text = _parse_text(require_field(fields, where, "summary", "text"), where)
    last = {} if last is None else last
    references = _parse_repeated("references", fields, where, last)
    earlier = _parse_repeated("earlier_references", fields, where, last)
    documents = _parse_repeated("documents", fields, where, last)
    is_human = bool(human) or is_reference
    return Record(
        (year, topic, task), summarizer, text, is_human, is_reference, where, references, earlier, documents
    )


def _parse_text(value: object, where: Where) -> Text:
    if isinstance(value, Mapping):
        value = require_field(value, where, "text")
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise where.error(f"a text is {format_value(value)}; expected text or a list of sentences")


def _parse_references(name: str, value: object, where: Where) -> tuple[Reference, ...]:
    return tuple(
        Reference(
            read_identifier(
                require_field(item, where, "summarizer_id", "summarizer"),
                "a reference's summarizer_id",
                where,
            ),
            _parse_text(require_field(item, where, "text", "summary"), where),
        )
        for item in name_references(name, value, where)
    )


def name_references(column: str, value: Any, where: Where) -> list[Mapping[str, Any]]:
    """Give references, which may be texts or named texts, each with a name."""
    if isinstance(value, Mapping):
        is_single = not {"summarizer_id", "summarizer"}.isdisjoint(value)
        return [value] if is_single else [{"summarizer": name, "text": value[name]} for name in value]
    if isinstance(value, str):
        return [{"summarizer": column, "text": value}]
    if not isinstance(value, list | tuple):
        raise where.error(f"{column} is {format_value(value)}; expected a text or a list of texts")
    return [
        {"summarizer": f"{column}_{number}", **(item if isinstance(item, Mapping) else {"text": item})}
        for number, item in enumerate(value, 1)
        if not is_missing(item)
    ]


def _parse_repeated(name: str, fields: Mapping[str, Any], where: Where, last: ParsedFields) -> Any:
    """Parse a field that all rows of a topic may have, unless it is a list that equals that of the row before."""
    value = fields.get(name)
    if name not in last or not isinstance(value, list) or value != last[name][0]:
        parsed: Any = None if value is None else _parse_references(name, value, where)
        if parsed is not None and name == "documents":
            parsed = tuple("\n".join(document.text) for document in parsed)
        last[name] = value, parsed
    return last[name][1]


# --- lines of JSON ---

KEY_END = b'":'
"""What ends a key in a line of JSON; one that is given twice makes more of these than the object has keys."""

_VALUE_DECODER = msgspec.json.Decoder()


def json_lines(source: Source) -> Iterator[Row]:
    """Give the objects of a file of JSON lines."""
    return json_objects(source.lines())


def json_objects(lines: Iterable[tuple[Where, bytes]]) -> Iterator[Row]:
    """Give the objects of lines; see `json_lines`."""
    for where, line in lines:
        try:
            record: Any = _VALUE_DECODER.decode(line)
            is_plain = line.count(KEY_END) == count_keys(
                record
            )  # else a text has one, or a key is given twice
        except (msgspec.DecodeError, ValueError, RecursionError):  # blank, wrong, or only Python's
            is_plain = False
        if not is_plain:
            text = decode_line(line, where).removesuffix("\n")
            if not text.strip():
                continue
            record = parse_json(text, where, "one object a line")
        if not isinstance(record, dict):
            raise where.error(f"found {format_value(record)}; expected one JSON object a line")
        yield where, record


def parse_json(text: str, where: Where, expected: str) -> Any:
    """Read JSON as Python does, with NaN and infinite numbers."""
    try:
        return parse_json_as_python(text)
    except ValueError as error:
        raise where.error(f"invalid or truncated JSON ({error}); expected {expected}") from error
