"""Files opened for reading, plain or compressed, with limits: no file may take all memory or block forever.

What begins as gzip or Zstandard do, or is named so, is read as if it were plain; other compressions are added to
`COMPRESSIONS`.
"""

from __future__ import annotations

import gzip
import io
import os
import select
import stat
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.files.inputs import note_input

LONGEST_LINE = 2**26
"""Most bytes of one line: 64 MiB."""

MOST_BLANK = 100_000
"""Most consecutive blank lines: a few compressed bytes may hold billions."""

TABLES = (".csv", ".tsv", ".tab", ".txt")
"""How names of text tables end, which may have another encoding than UTF-8."""

PATIENCE = 10.0
"""Seconds to wait for a writer of a named pipe."""


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for a block.

    Raises
    ------
    FileNotFoundError
        It is not there.
    InputError
        It is a named pipe that nobody writes to.
    UsageError
        It is compressed by a method whose library is not installed.
    """
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: no such file")
    is_pipe = stat.S_ISFIFO(os.stat(path).st_mode)
    note_input(path)
    with _open_pipe(path) if is_pipe else open(path, "rb") as stream:
        yield plain(stream, path)


def plain(stream: BinaryIO, name: str | Path = "") -> BinaryIO:
    """Give an open stream decompressed, if its first bytes or its name say that it is compressed."""
    start = cast(io.BufferedReader, stream).peek(_LONGEST_MAGIC)
    for compression in COMPRESSIONS:
        if start.startswith(compression.magic) or str(name).endswith(compression.suffix):
            return compression.opened(stream, name)
    return stream


def in_utf8(stream: BinaryIO, encoding: str | None, path: str | Path) -> BinaryIO:
    """Give an open stream of text as UTF-8; ``encoding`` is what it is in, None if that is UTF-8 already.

    Raises
    ------
    InputError
        The text is not in this encoding.
    UsageError
        There is no such encoding.
    """
    if encoding is None:
        return stream
    try:
        text = stream.read().decode(encoding)
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        message = f"byte 0x{byte:02x} at position {error.start + 1} is not {encoding}"
        raise InputError(message, path=path) from error
    except (LookupError, UnicodeError):
        raise UsageError(f"no encoding {encoding!r}; expected one such as cp1252 or utf-16") from None
    return cast(BinaryIO, io.BufferedReader(io.BytesIO(text.encode())))


def byte_lines(stream: BinaryIO, path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Give the lines of an open file with their numbers, from 1; refuse what is beyond the limits."""
    n_blank = 0
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), 1):
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"longer than {LONGEST_LINE} bytes; expected shorter lines", path=path, line=number
            )
        n_blank = n_blank + 1 if line.isspace() else 0
        if n_blank > MOST_BLANK:
            raise InputError(
                f"after {MOST_BLANK:,} blank lines another one; expected rows", path=path, line=number
            )
        yield number, line


@contextmanager
def whole(path: str | Path) -> Iterator[None]:
    """Refuse, while the block reads a file, compressed data that are cut or damaged."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"broken {_method_of(path)} file ({error})", path=path) from error
    except Exception as error:
        if type(error).__name__ != "ZstdError":  # its module is there only where it is installed
            raise
        raise InputError(f"broken Zstandard file ({error})", path=path) from error


def plain_name(path: str | Path) -> str:
    """Give the name of a file without the ending of a compression."""
    name = str(path)
    return next((name.removesuffix(one.suffix) for one in COMPRESSIONS if name.endswith(one.suffix)), name)


def compress(data: bytes, path: str | Path) -> bytes:
    """Compress a part of a file as its name says, or not at all; parts may follow each other."""
    found = next((one for one in COMPRESSIONS if str(path).endswith(one.suffix)), None)
    return data if found is None else found.compress(data, path)


# --- compressions ---


@dataclass(frozen=True)
class Compression:
    """A way to compress: the ending of names, the first bytes, how a stream is opened and bytes are compressed."""

    name: str
    suffix: str
    magic: bytes
    opened: Callable[[BinaryIO, str | Path], BinaryIO]
    compress: Callable[[bytes, str | Path], bytes]


def _zstd(path: str | Path) -> Any:
    """Give the module of Zstandard, which Python has from 3.14 on."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        message = f"{path}: Zstandard needs backports.zstd: pip install classy-aesop[zstd]"
        raise UsageError(message) from None
    return zstd


def _open_zstd(stream: BinaryIO, path: str | Path) -> BinaryIO:
    """Open a stream of Zstandard; warn if its first frame says that it has no checksum of its content."""
    start = cast(io.BufferedReader, stream).peek(5)
    if start.startswith(_ZSTD) and len(start) > len(_ZSTD) and not start[len(_ZSTD)] & _CHECKED:
        message = (
            "compressed by Zstandard without a checksum, so that damage may not be noticed (zstd --check)"
        )
        warnings.warn(f"{path or 'standard input'}: {message}", DataWarning, stacklevel=2)
    return cast(BinaryIO, _zstd(path).open(stream))


def _compress_zstd(data: bytes, path: str | Path) -> bytes:
    zstd = _zstd(path)
    return bytes(zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}))


_ZSTD = b"\x28\xb5\x2f\xfd"
_CHECKED = 4  # the bit of a frame's first byte

COMPRESSIONS = (
    Compression(
        "gzip",
        ".gz",
        b"\x1f\x8b",
        lambda stream, _: cast(BinaryIO, gzip.GzipFile(fileobj=stream)),
        lambda data, _: gzip.compress(data, 6, mtime=0),
    ),
    Compression("Zstandard", ".zst", _ZSTD, _open_zstd, _compress_zstd),
)
"""How files may be compressed."""

_LONGEST_MAGIC = max(len(one.magic) for one in COMPRESSIONS)


def _method_of(path: str | Path) -> str:
    return next((one.name for one in COMPRESSIONS if str(path).endswith(one.suffix)), "gzip")


# --- named pipes ---


def _open_pipe(path: str | Path) -> BinaryIO:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    arrives = select.poll()
    arrives.register(descriptor, select.POLLIN)
    if not arrives.poll(PATIENCE * 1000) and not _has_writer(descriptor):
        os.close(descriptor)
        raise InputError(f"a pipe that nobody has written to for {PATIENCE:g} seconds", path=path)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def _has_writer(descriptor: int) -> bool:
    """Whether an empty pipe that does not block has a writer: without one, reading ends."""
    try:
        return bool(os.read(descriptor, 1))
    except BlockingIOError:
        return True
