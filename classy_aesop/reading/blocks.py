"""Lines of a plain file of JSON lines with all rows of each of their topics, read by whoever works on them.

Where blocks end depends on the bytes of the file alone.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import structs

from classy_aesop.data.cells import topic_key
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError
from classy_aesop.reading.byte_sources import BYTE_ORDER_MARK, MAX_LINE_BYTES, open_bytes, place_lines
from classy_aesop.reading.corpus import Corpus, assemble_corpus
from classy_aesop.reading.sorting import Subject, TopicNumbers
from classy_aesop.reading.summary_rows import json_objects, parse_lines
from classy_aesop.work.cluster import current_cluster
from classy_aesop.work.workers import map_in_order

MAX_BLOCK_BYTES = 2**22
"""Maximum bytes of a block, which ends at the first change of topic beyond its share of the file."""

_BLOCKS_MULTIPLE_OF = 4
"""The number of several blocks of about one size is a multiple of this, so that two or four workers end together."""


@dataclass(frozen=True)
class LineBlock:
    """Lines of a file: its name, the places in bytes where they begin and end, and the number of the first line."""

    name: str
    start: int
    stop: int
    line: int

    @property
    def where(self) -> Where:
        """Its first line."""
        return Where(self.name, self.line)

    def corpus(self, judged: Collection[tuple[str, ...]]) -> Corpus:
        """Give it as a corpus; ``judged`` is as for `assemble_corpus`."""
        return assemble_corpus(parse_lines(self.lines(), path=self.name), judged=judged, path=self.name)

    def lines(self) -> Iterator[tuple[Where, bytes]]:
        """Read its lines, with their line ends."""
        return place_lines(self._lines(), self.name, self.line)

    def topics(self) -> tuple[list[tuple[Subject | None, int, int]], int]:
        """List topics that begin in it, with the byte and the number of lines before each; and count its lines."""
        topics = []
        byte = self.start
        number = 0
        last_key: object = None
        for line in self._lines():
            try:
                row = _KEY_DECODER.decode(line)
                key: object = row.year, row.topic, row.task, row.instance_id
                if key != last_key:  # mostly it is that of the line before
                    topics.append((_subject(structs.asdict(row)), byte, number))
            except (msgspec.DecodeError, ValueError, RecursionError):
                # Only Python's JSON, or wrong: whoever works on its block refuses it.
                subject = _subject_of_line(line)
                key = subject or last_key
                if key != last_key:
                    topics.append((subject, byte, number))
            last_key = key
            byte += len(line)
            number += 1
        return topics, number

    def _lines(self) -> Iterator[bytes]:
        with open_bytes(self.name) as stream:
            position = stream.seek(self.start)
            while position < self.stop and (line := stream.readline(MAX_LINE_BYTES + 1)):
                yield line
                position += len(line)


class _KeyFields(msgspec.Struct):
    year: Any = None
    topic: Any = None
    task: Any = None
    instance_id: Any = None


_KEY_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_KeyFields)


def divide_into_blocks(path: str, n_jobs: int = 1) -> list[LineBlock] | None:
    """Divide a file that is not compressed, by so many processes; None if rows of a topic stand apart."""
    path = os.path.abspath(path) if current_cluster() is not None else path
    n_bytes = os.path.getsize(path)
    block_bytes = _bytes_of_block(n_bytes)
    with open_bytes(path) as stream:
        start = len(BYTE_ORDER_MARK) if stream.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK else 0
    topics = TopicNumbers()
    blocks: list[LineBlock] = []
    last_subject: Subject | None = None
    first_line = 1  # of the block
    first_line_of_stretch = 1
    is_split = False  # whether rows of a topic stand apart
    stretches = takewhile(lambda _: not is_split, _stretches(path, start, n_bytes))
    with closing(map_in_order(LineBlock.topics, stretches, n_jobs)) as results:
        for topics_of_stretch, n_lines in results:
            changes: list[Subject] = []
            for subject, byte, line in topics_of_stretch:
                if subject == last_subject:
                    continue
                if subject:
                    changes.append(subject)
                if byte - start >= block_bytes:
                    blocks.append(LineBlock(path, start, byte, first_line))
                    start = byte
                    first_line = first_line_of_stretch + line
                last_subject = subject
            if not topics.add_new(changes):
                is_split = True  # reads no further: a pool that is cut off keeps the next one from forking
            first_line_of_stretch += n_lines
    return None if is_split else [*blocks, LineBlock(path, start, n_bytes, first_line)]


def _bytes_of_block(n_bytes: int) -> float:
    """Return the share of a block in a file of so many bytes."""
    if n_bytes <= MAX_BLOCK_BYTES:
        return MAX_BLOCK_BYTES
    n_rounds = -(-n_bytes // (_BLOCKS_MULTIPLE_OF * MAX_BLOCK_BYTES))
    return n_bytes / (n_rounds * _BLOCKS_MULTIPLE_OF)


def _stretches(path: str, start: int, n_bytes: int) -> Iterator[LineBlock]:
    """Give parts of whole lines, of about a block each."""
    with open_bytes(path) as stream:
        while start < n_bytes:
            stream.seek(start + MAX_BLOCK_BYTES)
            stream.readline(MAX_LINE_BYTES)
            stop = min(stream.tell(), n_bytes)
            yield LineBlock(path, start, stop, 1)
            start = stop


def _subject_of_line(line: bytes) -> Subject | None:
    """Read the year and the topic of a line; None if they cannot be read."""
    where = Where()
    try:
        _, fields = next(json_objects([(where, line)]), (where, {}))
    except InputError:
        return None
    return _subject(fields)


def _subject(fields: Mapping[str, Any]) -> Subject | None:
    """Read the year and the topic of a row; None if they cannot be read."""
    try:
        return topic_key(fields, Where())[:2]
    except InputError:
        return None
