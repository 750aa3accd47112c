"""Summaries as JSON lines, read topic by topic, so that a file of any size needs little memory.

A block is a run of lines that holds all rows of each of its topics. Its rows are those of `records`, without judgments.
Blocks do not depend on how many workers there are; a topic that goes on after other topics is refused.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from classy_aesop.corpus.json_rows import parse_lines
from classy_aesop.corpus.records import Record
from classy_aesop.corpus.sources import STANDARD_INPUT, json_objects
from classy_aesop.errors import InputError
from classy_aesop.scores import named
from classy_aesop.scores.rows import Where, instance_key

N_LINES = 1_920
"""Least number of lines in a block, but for the last one of a file."""

_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
_GZIP = b"\x1f\x8b"

Subject = tuple[str, str]
"""Year and topic; its tasks belong together, since the references of one are earlier references of the other."""


@dataclass(frozen=True)
class Block:
    """Lines of one file.

    Parameters
    ----------
    name : str
        The file.
    first : int
        Number of the first line.
    lines : list of bytes
        The lines.
    """

    name: str
    first: int
    lines: list[bytes]

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
        for where, fields in json_objects(self._numbered()):
            year, topic, *_ = instance_key(fields, where)
            found.setdefault((year, topic), where.line or self.first)
        return found

    def _numbered(self) -> Iterator[tuple[Where, bytes]]:
        return ((Where(self.name, at), line) for at, line in enumerate(self.lines, self.first))


class Order:
    """Refuses a topic whose rows are not all in one block."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def check(self, subjects: dict[Subject, int], name: str) -> None:
        """Note the topics of the next block.

        Raises
        ------
        InputError
            If one of them was in an earlier block.
        """
        for subject, line in subjects.items():
            if "\t".join(subject) in self._seen:
                raise Where(name, line).error(
                    f"{named((*subject, ''))} goes on after other topics; expected all rows of a topic together: "
                    "sort the file by year and topic, or read it whole"
                )
        self._seen.update(map("\t".join, subjects))  # a string needs less memory than a pair


def blocks(paths: Sequence[str | Path], *, n_lines: int = N_LINES) -> Iterator[Block]:
    """Read files of JSON lines, plain or compressed by gzip, block by block; ``-`` is standard input.

    Parameters
    ----------
    paths : sequence of path-like
        The files, read one after the other.
    n_lines : int
        Least number of lines of a block; it ends where the year or the topic changes, and with its file.

    Raises
    ------
    FileNotFoundError
        If a file does not exist.
    InputError
        If a file is empty, cut or not JSON lines.
    """
    for path in paths:
        yield from _blocks_of(path, n_lines)


def _blocks_of(path: str | Path, n_lines: int) -> Iterator[Block]:
    name = "standard input" if str(path) == STANDARD_INPUT else str(path)
    held: list[bytes] = []
    last: tuple[Where, bytes] | None = None
    number = 0
    with _told(name), _opened(path) as stream:
        for number, line in enumerate(stream, 1):
            line = line.removeprefix(_MARK) if number == 1 else line
            if not line.isspace():
                here = Where(name, number), line
                if last and len(held) >= n_lines and _subject(*here) != _subject(*last):
                    yield Block(name, number - len(held), held)
                    held = []
                last = here
            held.append(line)
    if last is None:
        raise InputError("the file is empty", path=name)
    yield Block(name, number + 1 - len(held), held)


def _subject(where: Where, line: bytes) -> Subject:
    """Read the year and the topic of a row."""
    [(_, fields)] = json_objects([(where, line)])
    year, topic, *_ = instance_key(fields, where)
    return year, topic


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    if str(path) == STANDARD_INPUT:
        yield _plain(sys.stdin.buffer)
        return
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: no such file")
    with open(path, "rb") as stream:
        yield _plain(stream)


def _plain(stream: Any) -> BinaryIO:
    """Give the stream, decompressed if it begins as gzip does."""
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream) if stream.peek(2)[:2] == _GZIP else stream)


@contextmanager
def _told(name: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"broken gzip file ({error})", path=name) from error
