"""Lines of a plain file of JSON lines with all rows of each of their topics, read by whoever works on them.

Where blocks end depends on the bytes of the file alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from classy_aesop.data.corpus import Corpus, assemble
from classy_aesop.data.originals import Original
from classy_aesop.data.records import Ends, Record, json_objects, parse_lines
from classy_aesop.data.sorting import Subject, Topics
from classy_aesop.data.sources import MARK, Source, Where, open_bytes
from classy_aesop.data.values import instance_key
from classy_aesop.errors import InputError
from classy_aesop.work.workers import is_far

SIZE = 2**23
"""Most bytes of a block, which ends at the first change of topic beyond its share of the file."""

_MULTIPLE = 4
"""Several blocks are alike, and their number is a multiple of this, so that two or four workers end together."""


@dataclass(frozen=True)
class Block:
    """Lines of a file: its name, the places in bytes where they begin and end, and the number of the first line."""

    name: str
    start: int
    stop: int
    line: int

    @property
    def where(self) -> Where:
        """Its first line."""
        return Where(self.name, self.line)

    def corpus(self, judged: Collection[tuple[str, ...]]) -> tuple[Corpus, list[Record]]:
        """Give it as a corpus, and its rows; ``judged`` is as for `assemble`."""
        records = list(parse_lines(self.lines(), path=self.name))
        return assemble(records, judged=judged, path=self.name), records

    def originals(self, records: Iterable[Record]) -> list[Original]:
        """Give its rows as they were, with their summaries."""
        lines = (line for _, line in self.lines() if not line.isspace())
        return [(record.instance, json.loads(line)) for record, line in zip(records, lines, strict=True)]

    def lines(self) -> Iterator[tuple[Where, bytes]]:
        """Read its lines, with their line ends."""
        with open_bytes(self.name) as stream:
            at, number = stream.seek(self.start), self.line
            while at < self.stop and (line := stream.readline()):
                yield Where(self.name, number), line
                at, number = at + len(line), number + 1


class _Key(msgspec.Struct):
    year: Any = None
    topic: Any = None
    task: Any = None
    instance_id: Any = None


_KEY = msgspec.json.Decoder(_Key)


def blocks(path: str) -> list[Block] | None:
    """Divide a file that is not compressed; None if rows of a topic stand apart.

    Lines that cannot be read are passed over: whoever works on their block refuses them.
    """
    path = os.path.abspath(path) if is_far() else path
    topics, found = Topics(), []
    last: _Key | Subject | None = None
    subject: Subject | None = None
    n_bytes = os.path.getsize(path)
    share = SIZE if n_bytes <= SIZE else n_bytes / (-(-n_bytes // (_MULTIPLE * SIZE)) * _MULTIPLE)
    with open_bytes(path) as stream:
        start = stop = len(MARK) if stream.read(len(MARK)) == MARK else 0
    first, ends = 1, Ends()
    for where, line in Source(path).lines():
        key: _Key | Subject | None
        try:
            key = _KEY.decode(ends.split(line)[0])
        except msgspec.DecodeError:  # wrong, or only Python's
            key = _subject(line) or last
        if key != last:  # mostly it is that of the line before
            last, before, subject = key, subject, _subject(line)
            if subject != before:
                if subject and not topics.number(subject)[1]:
                    return None
                if stop - start >= share:
                    found.append(Block(path, start, stop, first))
                    start, first = stop, where.line or 1
        stop += len(line)
    return [*found, Block(path, start, stop, first)]


def _subject(line: bytes) -> Subject | None:
    """Read the year and the topic of a row; None if they cannot be read."""
    where = Where()
    try:
        _, fields = next(json_objects([(where, line)]), (where, {}))
        return instance_key(fields, where)[:2]
    except InputError:
        return None
