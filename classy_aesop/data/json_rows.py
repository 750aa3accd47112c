"""Rows of JSON lines, read into records at once where they have the usual form, and otherwise field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeGuard

import msgspec

from classy_aesop.data.opening import Where
from classy_aesop.data.records import Record, Unread, parse, read_documents, read_references
from classy_aesop.data.score_rows import split_instance
from classy_aesop.data.table_files import json_objects
from classy_aesop.data.topics import Text

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
