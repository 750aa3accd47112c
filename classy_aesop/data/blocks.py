"""Runs of lines of a file of JSON lines that hold all rows of each of their topics.

Where blocks end depends on the bytes of the file alone, so whoever reads a part of it, from whichever place on, finds
the same blocks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, BinaryIO

import msgspec

from classy_aesop.data.corpus import Corpus, assemble
from classy_aesop.data.originals import Original
from classy_aesop.data.records import Record, json_objects, parse_all
from classy_aesop.data.sorting import Subject, Topics
from classy_aesop.data.sources import LONGEST_LINE, Where, open_bytes
from classy_aesop.data.values import instance_key
from classy_aesop.errors import InputError

SIZE = 2**23
"""Bytes of a block: it ends at the first change of topic beyond a multiple of this, or with its file."""

_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8


@dataclass(frozen=True)
class Block:
    """Lines of one file.

    Parameters
    ----------
    name : str
        The file.
    data : bytes
        The lines.
    line : int
        The number of the first of them, counted from ``start``.
    start : int
        The bytes of the file before the place from which lines are counted.
    """

    name: str
    data: bytes
    line: int = 1
    start: int = 0

    def corpus(self, judged: Collection[tuple[str, ...]]) -> tuple[Corpus, list[Record]]:
        """Give it as a corpus, and its rows; ``judged`` is as for `assemble`.

        Raises `InputError` if a line is wrong; with its number.
        """
        records = list(parse_all(json_objects(self._numbered()), path=self.name))
        return assemble(records, judged=judged, path=self.name), records

    def originals(self, records: Iterable[Record]) -> list[Original]:
        """Give its rows as they were, with their summaries."""
        lines = (line for _, line in self._numbered() if not line.isspace())
        return [(record.instance, json.loads(line)) for record, line in zip(records, lines, strict=True)]

    def where(self, at: int) -> Where:
        """Say in which line of the file a place among the lines is."""
        return Where(self.name, self.placed().line + at)

    def placed(self) -> Block:
        """Give it with the number of its first line in the file, in which the lines before are counted."""
        if not self.start:
            return self
        with open(self.name, "rb") as stream:
            sizes = (min(SIZE, self.start - at) for at in range(0, self.start, SIZE))
            n_before = sum(stream.read(size).count(b"\n") for size in sizes)
        return replace(self, line=n_before + self.line, start=0)

    def without_data(self) -> Block:
        """Give it without its lines."""
        return replace(self, data=b"")

    def _numbered(self) -> Iterator[tuple[Where, bytes]]:
        is_first = self.line == 1 and not self.start
        data = self.data.removeprefix(_MARK) if is_first else self.data
        for number, line in enumerate(data.split(b"\n"), self.line):
            if len(line) > LONGEST_LINE:
                raise Where(self.name, number).error(
                    f"longer than {LONGEST_LINE} bytes; expected shorter lines"
                )
            if line:
                yield Where(self.name, number), line


@dataclass(frozen=True)
class Span:
    """The blocks of a plain file that end between two places, read by whoever works on them; see `SIZE`."""

    path: str
    start: int = 0
    stop: float = float("inf")

    def __iter__(self) -> Iterator[Block]:
        """Read them."""
        position, line = self.start, 1
        with open_bytes(self.path) as stream:
            if position:  # the line that goes on there is of the span before
                stream.seek(position - 1)
                position += len(stream.readline(LONGEST_LINE + 1)) - 1
            runs = self._divided(stream, position)
            before = next(runs) if self.start else b""
            for data in runs:
                line += before.count(b"\n")
                if not position and line == 1 and not data.strip():
                    raise InputError("the file is empty", path=self.path)
                yield Block(self.path, data, line, position)
                before = data

    def _divided(self, stream: BinaryIO, position: int) -> Iterator[bytes]:
        """Divide what follows a position, from a start on at first what is of the span before."""
        held: list[bytes] = []
        last, last_position, end = b"", 0, self.start or SIZE
        while end <= self.stop:
            if position < end:  # all lines that begin before the end
                held += stream.read(end - 1 - position), stream.readline(LONGEST_LINE + 1)
                position += sum(map(len, held[-2:]))
            for line in iter(partial(stream.readline, LONGEST_LINE + 1), b""):
                if not line.isspace():
                    if last and _is_change(last, line):
                        break
                    last, last_position = line, position
                held.append(line)
                position += len(line)
            else:
                yield b"".join(held)
                return
            data, held, end = b"".join(held), [line], (last_position // SIZE + 1) * SIZE
            yield data
            last, last_position = line if position >= end else b"", position
            position += len(line)


def spans(path: str) -> Iterator[Span]:
    """Divide a file that is not compressed into what single workers read."""
    return (Span(path, start, start + SIZE) for start in range(0, os.path.getsize(path) or 1, SIZE))


def is_sorted(path: str) -> bool:
    """Whether all rows of each topic stand together in a plain file; lines that cannot be read are passed over."""
    topics = Topics()
    last: _Key | None = None
    subject: Subject | None = None
    with open_bytes(path) as stream:
        for line in iter(partial(stream.readline, LONGEST_LINE + 1), b""):
            try:
                key = _KEY.decode(line)
            except msgspec.DecodeError:
                continue
            if key != last:  # mostly it is that of the line before
                last, before, subject = key, subject, _subject(line)
                if subject and subject != before and not topics.number(subject)[1]:
                    return False
    return True


class _Key(msgspec.Struct):
    year: Any = None
    topic: Any = None
    task: Any = None
    instance_id: Any = None


_KEY = msgspec.json.Decoder(_Key)


def _is_change(last: bytes, line: bytes) -> bool:
    """Whether a block may end between two lines; next to one that cannot be read it may, as that is an error anyway."""
    subject = _subject(last)
    return subject is None or subject != _subject(line)


@lru_cache(maxsize=1)  # the line is the next one's last
def _subject(line: bytes) -> Subject | None:
    """Read the year and the topic of a row; None if they cannot be read."""
    where = Where()
    try:
        _, fields = next(json_objects([(where, line.removeprefix(_MARK))]), (where, {}))
        return instance_key(fields, where)[:2]
    except InputError:
        return None
