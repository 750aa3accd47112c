"""Summaries as JSON lines, read topic by topic, so that a file of any size needs little memory.

A block is a run of lines that holds all rows of each of its topics. Its rows are those of `records`, without judgments.
Blocks do not depend on how many workers there are; a topic that goes on after other topics is refused.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from classy_aesop.corpus.data import Reference
from classy_aesop.corpus.records import Record, parse
from classy_aesop.errors import InputError
from classy_aesop.scores import named
from classy_aesop.scores.rows import Where, instance_key, shown

STANDARD_INPUT = "-"
N_LINES = 1_920
"""Least number of lines in a block, but for the last one of a file."""

_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
_GZIP = b"\x1f\x8b"
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_VALUE = msgspec.json.Decoder()
_SHARED = ("references", "earlier_references")

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
        shared: dict[bytes, tuple[Reference, ...] | None] = {}
        lines = ((Where(self.name, at), line) for at, line in enumerate(self.lines, self.first))
        return [_record(line, where, shared) for where, line in lines if not line.isspace()]

    def subjects(self) -> dict[Subject, int]:
        """Give the year and topic of its rows, each with the number of its first line."""
        found: dict[Subject, int] = {}
        for at, line in enumerate(self.lines, self.first):
            if not line.isspace():
                found.setdefault(_subject(Where(self.name, at), line), at)
        return found


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
    year, topic, *_ = instance_key(_fields(line, where, {}), where)
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


def _record(line: bytes, where: Where, shared: dict[bytes, tuple[Reference, ...] | None]) -> Record:
    """Read a row; references that many rows repeat are read once."""
    raw: dict[str, bytes] = {}
    fields = _fields(line, where, raw)
    known = {name: shared[written] for name, written in raw.items() if written in shared}
    for name in raw.keys() - known.keys():
        fields[name] = _VALUE.decode(raw[name])
    record = parse(fields, where)
    shared.update((raw[name], getattr(record, name)) for name in raw.keys() - known.keys())
    if not known:
        return record
    references, earlier = (known.get(name, getattr(record, name)) for name in _SHARED)
    return replace(record, references=references, earlier_references=earlier)


def _fields(line: bytes, where: Where, raw: dict[str, bytes]) -> dict[str, Any]:
    """Read the fields of a row; what `_SHARED` names is not decoded, but put into ``raw``."""
    try:
        fields: dict[str, Any] = _FIELDS.decode(line)
        for name, value in fields.items():
            if name in _SHARED:
                raw[name] = bytes(value)
            else:
                fields[name] = _VALUE.decode(value)
        return {name: value for name, value in fields.items() if name not in raw} if raw else fields
    except (msgspec.DecodeError, ValueError, RecursionError):  # wrong, or one of Python's additions
        raw.clear()
        return _by_python(line, where)


def _by_python(line: bytes, where: Where) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise where.error(f"byte 0x{byte:02x} at position {error.start + 1} is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise where.error(f"invalid or truncated JSON ({error}); expected one object a line") from error
    if not isinstance(record, dict):
        raise where.error(f"found {shown(record)}; expected one JSON object a line")
    return record
