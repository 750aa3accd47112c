"""Summaries as JSON lines, read topic by topic, so that a file of any size needs little memory.

A block is a run of lines that holds all rows of each of its topics. Its rows are those of `records`, without judgments.
Where blocks end depends on the bytes of the file alone: whoever reads a part of it, from whichever place on, finds the
same blocks. A topic that goes on after other topics is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from classy_aesop.corpus.json_rows import parse_lines
from classy_aesop.corpus.records import Record
from classy_aesop.corpus.sources import STANDARD_INPUT, json_objects, standard_input
from classy_aesop.errors import InputError
from classy_aesop.scores import named
from classy_aesop.scores.opening import LONGEST_LINE, byte_lines, open_bytes, plain, whole
from classy_aesop.scores.rows import Where, instance_key

SIZE = 2**22
"""Bytes of a block: it ends at the first change of topic beyond a multiple of this, or with its file."""

TOGETHER = 16
"""Blocks of a piece for a worker on another machine, which takes longer to reach."""

_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
_CHUNK = 2**20

Subject = tuple[str, str]
"""Year and topic; its tasks belong together, since the references of one are earlier references of the other."""


@dataclass(frozen=True)
class Block:
    """Lines of one file.

    Parameters
    ----------
    name : str
        The file.
    data : bytes
        The lines.
    offset : int
        Bytes before them.
    first : int
        Number of the first line; 0 where nobody has counted.
    """

    name: str
    data: bytes
    offset: int = 0
    first: int = 1

    def blocks(self) -> Iterator[Block]:
        """Give itself; see `Piece`."""
        yield self

    def records(self) -> list[Record]:
        """Read its rows, from which `corpus.assemble` makes a corpus.

        Raises
        ------
        InputError
            If a line is wrong; with its number.
        """
        return list(parse_lines(self._numbered(), path=self.name))

    def subjects(self) -> dict[Subject, int]:
        """Give the year and topic of its rows, each with the number of its first line."""
        found: dict[Subject, int] = {}
        for where, fields in _ids(self._numbered()):
            found.setdefault(instance_key(fields, where)[:2], where.line or self.first)
        return found

    def counted(self) -> Block:
        """Give it with the number of its first line, for which the file before it is read."""
        if self.first:
            return self
        with open(self.name, "rb") as stream:
            chunks = iter(partial(stream.read, _CHUNK), b"")
            left, number = self.offset, 1
            for chunk in chunks:
                number += chunk[:left].count(b"\n")
                left -= len(chunk)
                if left <= 0:
                    break
        return replace(self, first=number)

    def _numbered(self) -> Iterator[tuple[Where, bytes]]:
        data = self.data.removeprefix(_MARK) if self.offset == 0 else self.data
        for number, line in enumerate(data.split(b"\n"), self.first):
            if len(line) > LONGEST_LINE:
                raise Where(self.name, number).error(
                    f"longer than {LONGEST_LINE} bytes; expected shorter lines"
                )
            if line:
                yield Where(self.name, number), line


class Piece(Protocol):
    """A part of the input that one worker reads and works on: a `Block`, or where to find blocks."""

    def blocks(self) -> Iterator[Block]:
        """Give its blocks."""


@dataclass(frozen=True)
class Span:
    """The blocks of a plain file that end within some bytes, read by whoever works on them."""

    path: str
    start: int
    stop: int

    def blocks(self) -> Iterator[Block]:
        """Read them; nobody has counted the lines before."""
        with open(self.path, "rb") as stream:
            start = _cut(stream, self.start)
            for place in range(self.start, self.stop, SIZE):
                end = _cut(stream, min(place + SIZE, self.stop))
                if start < end:
                    stream.seek(start)
                    yield Block(self.path, stream.read(end - start), start, 0 if start else 1)
                start = end


@dataclass(frozen=True)
class WholeFile:
    """All blocks of a file, for a worker on another machine."""

    path: str

    def blocks(self) -> Iterator[Block]:
        """Read them one after the other."""
        return _blocks_of(self.path)


class Order:
    """Refuses a topic whose rows are not all in one block."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def check(self, block: Block, subjects: dict[Subject, int]) -> None:
        """Note the topics of the next block; the block itself is asked only for what a message says.

        Raises
        ------
        InputError
            If one of them was in an earlier block.
        """
        for subject, line in subjects.items():
            if "\t".join(subject) in self._seen:
                line += 0 if block.first else block.counted().first
                raise Where(block.name, line).error(
                    f"{named((*subject, ''))} goes on after other topics; expected all rows of a topic together: "
                    "sort the file by year and topic, or read it whole, without --stream"
                )
        self._seen.update(map("\t".join, subjects))  # a string needs less memory than a pair


def pieces(paths: Sequence[str | Path], *, far: bool = False) -> Iterator[Piece]:
    """Divide files of JSON lines into pieces, in order; ``-`` is standard input.

    Parameters
    ----------
    paths : sequence of path-like
        The files. Those that are neither compressed nor pipes are read by whoever works on the pieces.
    far : bool
        Whether that is on other machines, which read small and compressed files too, and larger pieces.

    Raises
    ------
    FileNotFoundError
        If a file does not exist.
    InputError
        If a file is empty or cut.
    """
    for path in map(str, paths):
        size = _plain_size(path)
        path = os.path.abspath(path) if far and size else path
        if size > SIZE:
            step = SIZE * (TOGETHER if far else 1)
            yield from (Span(path, start, min(start + step, size)) for start in range(0, size, step))
        elif far and size:
            yield WholeFile(path)
        else:
            yield from _blocks_of(path)


def blocks(paths: Sequence[str | Path]) -> Iterator[Block]:
    """Read files block by block; see `pieces`."""
    return (block for piece in pieces(paths) for block in piece.blocks())


def _plain_size(path: str) -> int:
    """Give the size of a regular file; 0 if it is none, -1 if it is compressed."""
    if path == STANDARD_INPUT:
        return 0
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: no such file")
    if not os.path.isfile(path):
        return 0
    with open(path, "rb") as stream:
        return os.path.getsize(path) if plain(stream, path) is stream else -1


def _blocks_of(path: str) -> Iterator[Block]:
    name = "standard input" if path == STANDARD_INPUT else path
    held: list[bytes] = []
    last, last_start, start, offset, first, mark = b"", 0, 0, 0, 1, SIZE
    with whole(name), _opened(path) as stream:
        for number, line in byte_lines(stream, name):
            if not line.isspace():
                if last_start >= mark and _is_change(last, line):
                    yield Block(name, b"".join(held), offset, first)
                    held, offset, first, mark = [], start, number, (last_start // SIZE + 1) * SIZE
                last, last_start = line, start
            held.append(line)
            start += len(line)
    if not last:
        raise InputError("the file is empty", path=name)
    yield Block(name, b"".join(held), offset, first)


def _cut(stream: BinaryIO, place: int) -> int:
    """Find where the block ends that goes on beyond a place: there, two lines that begin after it differ in topic."""
    if place == 0:
        return 0
    stream.seek(place - 1)
    start = place - 1 + len(stream.readline(LONGEST_LINE + 1))
    last = b""
    for line in iter(partial(stream.readline, LONGEST_LINE + 1), b""):
        if not line.isspace():
            if last and _is_change(last, line):
                return start
            last = line
        start += len(line)
    return start


def _is_change(last: bytes, line: bytes) -> bool:
    """Whether a block may end between two lines; next to one that cannot be read it may, as that is an error anyway."""
    subject = _subject(last)
    return subject is None or subject != _subject(line)


@lru_cache(maxsize=1)  # the line is the next one's last
def _subject(line: bytes) -> Subject | None:
    """Read the year and the topic of a row; None if they cannot be read."""
    where = Where()
    try:
        _, fields = next(_ids([(where, line.removeprefix(_MARK))]), (where, {}))
        return instance_key(fields, where)[:2]
    except InputError:
        return None


class _Ids(msgspec.Struct):
    """The fields that name an instance."""

    instance_id: object = None
    topic: object = None
    task: object = None
    year: object = None
    summarizer_id: object = None
    summarizer: object = None


_read_ids = msgspec.json.Decoder(_Ids).decode


def _ids(lines: Iterable[tuple[Where, bytes]]) -> Iterator[tuple[Where, dict[str, Any]]]:
    """Give of each row what names it; the rest is skipped, or read where the row is wrong or of a rarer kind."""
    for where, line in lines:
        try:
            yield where, msgspec.structs.asdict(_read_ids(line))
        except (msgspec.DecodeError, ValueError, RecursionError):
            yield from json_objects([(where, line)])


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == STANDARD_INPUT:
        yield plain(standard_input())
        return
    with open_bytes(path) as stream:
        yield stream
