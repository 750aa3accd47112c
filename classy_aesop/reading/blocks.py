"""Lines of a plain file of JSON lines with all rows of each of their topics, read by whoever works on them.

Where blocks end depends on the bytes of the file alone.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec import structs

from classy_aesop.data.cells import topic_key
from classy_aesop.data.where import Where
from classy_aesop.reading.byte_sources import MAX_LINE_BYTES, open_bytes, place_lines
from classy_aesop.reading.corpus import Corpus, assemble_corpus
from classy_aesop.reading.sorting import Subject, TopicNumbers
from classy_aesop.reading.summary_rows import json_objects, parse_rows
from classy_aesop.work.cluster import current_cluster

BLOCK_BYTES = 2**22
"""Bytes of a block, which ends at the first change of topic beyond them."""


@dataclass(frozen=True)
class LineBlock:
    """Lines of a file: its name, the places in bytes where they begin and end, and the number of the first line."""

    name: str
    start: int
    stop: int
    line: int

    def corpus(self, judged: Collection[tuple[str, ...]]) -> Corpus:
        """Give it as a corpus; ``judged`` is as for `assemble_corpus`."""
        rows = parse_rows(json_objects(self.lines()), path=self.name)
        return assemble_corpus(rows, judged=judged, path=self.name)

    def lines(self) -> Iterator[tuple[Where, bytes]]:
        """Read its lines, with their line ends."""
        with open_bytes(self.name) as stream:
            stream.seek(self.start)

            def read() -> bytes:
                return stream.readline(MAX_LINE_BYTES + 1) if stream.tell() < self.stop else b""

            yield from place_lines(iter(read, b""), self.name, self.line)


class _KeyFields(msgspec.Struct):
    year: Any = None
    topic: Any = None
    task: Any = None
    instance_id: Any = None


_KEY_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_KeyFields)


def divide_into_blocks(path: str) -> list[LineBlock] | None:
    """Divide a file that is not compressed; None if rows of a topic stand apart, or a row is not plainly of one."""
    path = os.path.abspath(path) if current_cluster() is not None else path
    topics = TopicNumbers()
    blocks: list[LineBlock] = []
    first_line = 1  # of the block
    start = byte = 0
    last_row: Any = None
    last_subject: Subject | None = None
    with open_bytes(path) as stream:
        for number, line in enumerate(iter(partial(stream.readline, MAX_LINE_BYTES + 1), b""), 1):
            try:
                row = last_row if line.isspace() else _KEY_DECODER.decode(line)
                if row != last_row:  # mostly it is that of the line before
                    last_row = row
                    subject = topic_key(structs.asdict(row), Where())[:2]
                    if subject != last_subject:
                        last_subject = subject
                        if not topics.add(subject):
                            return None
                        if byte - start >= BLOCK_BYTES:
                            blocks.append(LineBlock(path, start, byte, first_line))
                            start = byte
                            first_line = number
            except (msgspec.DecodeError, ValueError, RecursionError):
                return None  # only Python's JSON, or wrong: whoever sorts the rows reads or refuses it
            byte += len(line)
    return [*blocks, LineBlock(path, start, byte, first_line)]
