"""Where the bytes of a corpus come from: a file, which may be read again, or a pipe, which is read once and kept.

``-`` is standard input. What is compressed is read as if it were plain (`scores.opening`).
"""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from classy_aesop.errors import InputError
from classy_aesop.plain.json_text import json_of_python
from classy_aesop.scores.opening import byte_lines, in_utf8, open_bytes, plain, plain_name, whole
from classy_aesop.scores.rows import Where, decoded, shown

STANDARD_INPUT = "-"
_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_VALUE = msgspec.json.Decoder()
_SHARED = ("references", "earlier_references", "documents")
_MOST_SHARED = 4096

LARGEST_KEPT = 2**31
"""Most bytes of a pipe, which is kept: 2 GiB."""


@dataclass(frozen=True)
class Source:
    """A file by its name, or the bytes that were read from a pipe."""

    name: str
    kept: bytes | None = None
    encoding: str | None = None

    @classmethod
    def of(cls, path: str | Path | Source) -> Source:
        """Open a path; a pipe is read to its end.

        Raises
        ------
        FileNotFoundError
            There is no such file.
        """
        if isinstance(path, Source):
            return path
        if str(path) == STANDARD_INPUT:
            return cls("standard input", _kept(standard_input(), "standard input"))
        if not Path(path).exists():
            raise FileNotFoundError(f"{path}: no such file or folder")
        if Path(path).is_file() or Path(path).is_dir():
            return cls(str(path))
        with open_bytes(path) as stream:
            return cls(str(path), _kept(stream, path))

    def in_encoding(self, encoding: str | None) -> Source:
        """Give the same source, whose text is in an encoding; None is UTF-8."""
        return replace(self, encoding=encoding)

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        """The path of the source; a pipe must not be opened again."""
        return Path(self.name)

    @property
    def suffix(self) -> str:
        """The ending of its name, without that of a compression; ``""`` for standard input."""
        return Path(plain_name(self.name)).suffix.lower() if self.kept is None else ""

    @contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """Open it for reading, from the beginning, for a block."""
        if self.kept is None:
            with open_bytes(self.name) as stream:
                yield in_utf8(stream, self.encoding, self.name)
        else:
            kept = plain(io.BufferedReader(io.BytesIO(self.kept)))
            yield in_utf8(kept, self.encoding, self.name)

    def start(self, size: int = 1 << 16) -> bytes:
        """Give the first bytes of the source, without leading blanks."""
        with whole(self.name), self.stream() as stream:
            return stream.read(size).removeprefix(_MARK).lstrip()

    def lines(self) -> Iterator[tuple[Where, bytes]]:
        """Give the lines of the source with their line ends, and their places.

        Raises
        ------
        InputError
            There are none but blank ones, or they are not whole.
        """
        some = False
        with whole(self.name), self.stream() as stream:
            for number, line in byte_lines(stream, self.name):
                line = line.removeprefix(_MARK) if number == 1 else line
                some = some or not line.isspace()
                yield Where(self.name, number), line
        if not some:
            raise InputError("the file is empty", path=self.name)

    def text(self) -> str:
        """Give all of it as text; see `lines` and `decoded` for what is refused."""
        return "".join(decoded(line, where) for where, line in self.lines())


def standard_input() -> BinaryIO:
    """Give standard input, as bytes.

    Raises
    ------
    OSError
        It is closed.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed; expected an open one, or a file", "standard input")
    return sys.stdin.buffer


def _kept(stream: BinaryIO, name: str | Path) -> bytes:
    """Read a pipe to its end, in pieces: one read of all that it may hold would take the memory for it at once."""
    kept, n_bytes = [], 0
    while piece := stream.read(_PIECE):
        kept.append(piece)
        n_bytes += len(piece)
        if n_bytes > LARGEST_KEPT:
            raise InputError(f"a pipe of more than {LARGEST_KEPT} bytes; expected a file", path=name)
    return b"".join(kept)


_PIECE = 1 << 20


def json_lines(source: Source) -> Iterator[tuple[Where, dict[str, Any]]]:
    """Give the objects of a file of JSON lines; equal references and documents of several lines are one object.

    Raises
    ------
    InputError
        A line is not UTF-8 or no JSON object; with the line.
    """
    return json_objects(source.lines())


def json_objects(lines: Iterable[tuple[Where, bytes]]) -> Iterator[tuple[Where, dict[str, Any]]]:
    """Give the objects of lines; see `json_lines`."""
    decode = _Decoder()
    for where, line in lines:
        try:
            record: Any = decode(line)
        except (
            msgspec.DecodeError,
            ValueError,
            RecursionError,
        ):  # blank, wrong, or one of Python's additions
            text = decoded(line, where)
            if not text.strip():
                continue
            record = json_value(text, where, "one object a line")
        if not isinstance(record, dict):
            raise where.error(f"found {shown(record)}; expected one JSON object a line")
        yield where, record


class _Decoder:
    """Decodes objects; a value that many rows of a corpus repeat is decoded and kept once."""

    def __init__(self) -> None:
        self._shared: dict[bytes, Any] = {}

    def __call__(self, line: bytes) -> dict[str, Any]:
        fields: dict[str, Any] = _FIELDS.decode(line)
        for name, value in fields.items():
            fields[name] = self._once(bytes(value)) if name in _SHARED else _VALUE.decode(value)
        return fields

    def _once(self, written: bytes) -> Any:
        if written not in self._shared:
            if len(self._shared) == _MOST_SHARED:
                self._shared.clear()
            self._shared[written] = _VALUE.decode(written)
        return self._shared[written]


def json_value(text: str, where: Where, expected: str) -> Any:
    """Read JSON as Python does, with NaN and infinite numbers."""
    try:
        return json_of_python(text)
    except ValueError as error:
        raise where.error(f"invalid or truncated JSON ({error}); expected {expected}") from error
