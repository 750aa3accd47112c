"""Runs of lines of a file of JSON lines that hold all rows of each of their topics.

Where blocks end depends on the bytes of the file alone, so whoever reads a part of it, from whichever place on, finds
the same blocks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import BinaryIO

from classy_aesop.data.records import Record, json_objects, parse_all
from classy_aesop.data.sources import (
    LONGEST_LINE,
    STANDARD_INPUT,
    Where,
    open_bytes,
    plain,
    standard_input,
    whole,
)
from classy_aesop.data.values import instance_key
from classy_aesop.errors import InputError

SIZE = 2**23
"""Bytes of a block: it ends at the first change of topic beyond a multiple of this, or with its file."""

Subject = tuple[str, str]
"""Year and topic; its tasks belong together, since the references of one are earlier references of the other."""

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

    def records(self) -> list[Record]:
        """Read its rows, from which `corpus.assemble` makes a corpus.

        Raises
        ------
        InputError
            If a line is wrong; with its number.
        """
        return list(parse_all(json_objects(self._numbered()), path=self.name))

    def lines(self) -> list[bytes]:
        """Give the lines of its rows, as many as `records` gives."""
        return [line for _, line in self._numbered() if not line.isspace()]

    def subjects(self, records: Iterable[Record]) -> dict[Subject, int]:
        """Give year and topic of its rows, each with the place of its first line among the lines."""
        found: dict[Subject, int] = {}
        for record in records:
            if record.key[:2] not in found:
                found[record.key[:2]] = (record.where.line or self.line) - self.line
        return found

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
    """The blocks of a file that end between two places, read by whoever works on them; see `SIZE`."""

    path: str
    start: int = 0
    stop: float = float("inf")
    opened: BinaryIO | None = None

    def __iter__(self) -> Iterator[Block]:
        """Read them."""
        is_input = self.path == STANDARD_INPUT
        name, position, line = "standard input" if is_input else self.path, self.start, 1
        opened = nullcontext(plain(standard_input())) if is_input else open_bytes(name)
        with whole(name), nullcontext(self.opened) if self.opened else opened as stream:
            if position:  # the line that goes on there is of the span before
                stream.seek(position - 1)
                position += len(stream.readline(LONGEST_LINE + 1)) - 1
            runs = self._divided(stream, position)
            before = next(runs) if self.start else b""
            for data in runs:
                line += before.count(b"\n")
                if not position and line == 1 and not data.strip():
                    raise InputError("the file is empty", path=name)
                yield Block(name, data, line, position)
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


def spans(path: str, n_bytes: int) -> Iterator[Span]:
    """Divide a file of so many bytes, which is not compressed, into what single workers read."""
    return (Span(path, start, start + SIZE) for start in range(0, n_bytes, SIZE))


def plain_size(path: str) -> int:
    """Give the size of a file that is not compressed; 0 for everything else."""
    if path == STANDARD_INPUT or not os.path.isfile(path):
        return 0
    with open(path, "rb") as stream:
        return os.path.getsize(path) if plain(stream, path) is stream else 0


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
