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
from typing import BinaryIO

from classy_aesop.corpus.json_rows import parse_lines
from classy_aesop.corpus.records import Record
from classy_aesop.corpus.sources import STANDARD_INPUT, json_objects, standard_input
from classy_aesop.errors import InputError
from classy_aesop.scores import named
from classy_aesop.scores.opening import LONGEST_LINE, open_bytes, plain, whole
from classy_aesop.scores.rows import Where, instance_key

SIZE = 2**22
"""Bytes of a block: it ends at the first change of topic beyond a multiple of this, or with its file."""

TOGETHER = 16
"""Blocks of a piece for a worker on another machine, which takes longer to reach."""

_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8

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
    n_lines : int
        How many they are.
    is_first : bool
        Whether the file begins with them.
    line : int
        The number of the first of them; who reads a part of a file begins at 1.
    """

    name: str
    data: bytes
    n_lines: int
    is_first: bool = True
    line: int = 1

    def blocks(self) -> Iterator[Block]:
        """Give itself, as `Span.blocks` gives its blocks."""
        yield self

    def records(self) -> list[Record]:
        """Read its rows, from which `corpus.assemble` makes a corpus.

        Raises
        ------
        InputError
            If a line is wrong; with its number.
        """
        return list(parse_lines(self._numbered(), path=self.name))

    def _numbered(self) -> Iterator[tuple[Where, bytes]]:
        data = self.data.removeprefix(_MARK) if self.is_first else self.data
        for number, line in enumerate(data.split(b"\n"), self.line):
            if len(line) > LONGEST_LINE:
                raise Where(self.name, number).error(
                    f"longer than {LONGEST_LINE} bytes; expected shorter lines"
                )
            if line:
                yield Where(self.name, number), line


def subjects_of(block: Block, records: Iterable[Record]) -> dict[Subject, int]:
    """Give year and topic of a block's rows, each with the number of its first line in the block."""
    found: dict[Subject, int] = {}
    for record in records:
        found.setdefault(record.key[:2], (record.where.line or block.line) - block.line)
    return found


@dataclass(frozen=True)
class Span:
    """The blocks of a file that end between two places, read by whoever works on them; see `SIZE`."""

    path: str
    start: int = 0
    stop: float = float("inf")

    def blocks(self) -> Iterator[Block]:
        """Read them."""
        name = "standard input" if self.path == STANDARD_INPUT else self.path
        with whole(name), _opened(self.path) as stream:
            position = self.start
            if position:  # the line that goes on there is of the span before
                stream.seek(position - 1)
                position += len(stream.readline(LONGEST_LINE + 1)) - 1
            lines = iter(partial(stream.readline, LONGEST_LINE + 1), b"")
            yield from self._divided(lines, name, position)

    def _divided(self, lines: Iterable[bytes], name: str, position: int) -> Iterator[Block]:
        """Divide lines, of which the first stands at a position; those before the first end are of another span."""
        held: list[bytes] = []
        last, last_position, end = b"", -1, self.start or SIZE
        is_ours = is_first = not self.start
        for line in lines:
            if not line.isspace():
                if last_position >= end and _is_change(last, line):
                    if is_ours:
                        yield Block(name, b"".join(held), len(held), is_first)
                    held, is_ours, is_first, end = [], True, False, (last_position // SIZE + 1) * SIZE
                    if end > self.stop:
                        return
                last, last_position = line, position
            held.append(line)
            position += len(line)
        if is_first and not last:
            raise InputError("the file is empty", path=name)
        if is_ours:
            yield Block(name, b"".join(held), len(held), is_first)


Piece = Block | Span
"""A part of the input that one worker works on: lines, or where to find them."""


class Order:
    """Counts lines, and refuses a topic whose rows are not all in one block."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._line = 1

    def placed(self, block: Block) -> Block:
        """Give the next block with the number of its first line."""
        block = replace(block, line=1 if block.is_first else self._line)
        self._line = block.line + block.n_lines
        return block

    def check(self, block: Block, subjects: dict[Subject, int]) -> None:
        """Note the topics of a block.

        Raises
        ------
        InputError
            If one of them was in an earlier block.
        """
        for subject, line in subjects.items():
            if "\t".join(subject) in self._seen:
                raise Where(block.name, block.line + line).error(
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
        size, step = _plain_size(path), SIZE * (TOGETHER if far else 1)
        if size > SIZE:
            place = os.path.abspath(path) if far else path
            yield from (Span(place, start, start + step) for start in range(0, size, step))
        elif far and os.path.isfile(path):
            yield Span(os.path.abspath(path))
        else:
            yield from Span(path).blocks()


def _plain_size(path: str) -> int:
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


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == STANDARD_INPUT:
        yield plain(standard_input())
        return
    with open_bytes(path) as stream:
        yield stream
