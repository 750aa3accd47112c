"""Files, pipes and standard input (``-``) opened for reading, with limits: none may take all memory.

What begins as gzip or Zstandard do, or is named so, is read as if it were plain; other compressions are added to
`COMPRESSIONS`. A `Source` may be read again, also where it is a pipe, which is read once and kept.
"""

from __future__ import annotations

import errno
import gzip
import io
import sys
import tempfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast
from weakref import WeakKeyDictionary

from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, join_names, quote_blank, warn
from classy_aesop.work.files import note_input
from classy_aesop.work.kept_files import are_kept, read_once

if TYPE_CHECKING:
    import sqlite3

MAX_LINE_BYTES = 2**26
"""Maximum bytes of one line: 64 MiB."""

TEXT_TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
"""How names of text tables end, which may have another encoding than UTF-8."""

STANDARD_INPUT = "-"

MAX_PIPE_BYTES = 2**35
"""Maximum bytes of a pipe, which is kept in a temporary file: 32 GiB."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""

_STANDARD_INPUTS: WeakKeyDictionary[BinaryIO, TemporaryBytes] = WeakKeyDictionary()
"""What was read of standard input, which may be asked for twice."""

_PIECE_BYTES = 1 << 20
_BUFFER_BYTES = 1 << 17  # of a file that is read line by line: more would leave the cache before it is taken


def open_database(tables: str) -> sqlite3.Connection:
    """Open a database with some tables in a file without a name, which goes with this object."""
    import sqlite3

    connection = sqlite3.connect("")
    connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {tables}")
    return connection


@contextmanager
def report_full_disk() -> Iterator[None]:
    """Say of a full disk that it is that of temporary files, and not of what is read."""
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC, str(error), "temporary files (TMPDIR)") from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise OSError(error.errno, error.strerror, "temporary files (TMPDIR)") from None


class TemporaryBytes:
    """A file without a name, which goes with this object."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115

    def __del__(self) -> None:
        self.file.close()


MAX_KEPT_BYTES = 2**18
"""Greatest file whose bytes are kept within a command, which looks at it several times."""


@dataclass(frozen=True)
class Source:
    """A file by its name, or what was read from a pipe."""

    name: str
    content: TemporaryBytes | None = None
    encoding: str | None = None
    sheet: str | None = None

    @classmethod
    def from_path(cls, path: str | Path | Source) -> Source:
        """Open a path; a pipe is read to its end."""
        if isinstance(path, Source):
            return path
        if str(path) == STANDARD_INPUT or (str(path) == "/dev/stdin" and not Path(path).is_file()):
            stream = standard_input()
            if stream not in _STANDARD_INPUTS:
                _STANDARD_INPUTS[stream] = _read_pipe(stream, "standard input")
            return cls("standard input", _STANDARD_INPUTS[stream])
        if not Path(path).exists():
            raise FileNotFoundError(f"{quote_blank(str(path))}: no such file or folder")
        if Path(path).is_file() or Path(path).is_dir():
            return cls(str(path))
        with open_bytes(path) as stream:
            return cls(str(path), _read_pipe(stream, path))

    def select_sheet(self, sheet: str) -> Source:
        """Give the same source, of whose workbook a sheet is read, and not the first one that holds a table."""
        return replace(self, sheet=sheet)

    def select_encoding(self, encoding: str | None) -> Source:
        """Give the same source, whose text is in an encoding; None changes nothing."""
        return self if encoding is None else replace(self, encoding=encoding)

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        """The path of the source; a pipe must not be opened again."""
        return Path(self.name)

    @property
    def suffix(self) -> str:
        """The ending of its name, without that of a compression; ``""`` for standard input."""
        return Path(plain_name(self.name)).suffix.lower() if self.content is None else ""

    @contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """Open it for reading, from the beginning, for a block; text in another encoding is given as UTF-8."""
        if self.content is not None:
            reopened = open(self.content.file.fileno(), "rb", closefd=False)  # noqa: SIM115
            reopened.seek(0)
            opened: Any = nullcontext(decompress(reopened))
        elif (small := self._read_small()) is not None:
            opened = nullcontext(decompress(cast(BinaryIO, io.BufferedReader(io.BytesIO(small))), self.name))
        else:
            opened = open_bytes(self.name)
        with opened as stream:
            encoding = self.encoding or self._marked_encoding(stream)
            if encoding is None:
                yield stream
                return
            try:
                text = stream.read().decode(encoding)
            except UnicodeDecodeError as error:
                byte = f"byte 0x{error.object[error.start]:02x} at position {error.start + 1}"
                raise InputError(f"{byte} is not {encoding}", path=self.name) from error
            except (LookupError, UnicodeError):
                message = f"no encoding {encoding!r}; expected one such as cp1252 or utf-16"
                raise UsageError(message) from None
            yield cast(BinaryIO, io.BufferedReader(io.BytesIO(text.encode())))

    def _marked_encoding(self, stream: BinaryIO) -> str | None:
        """Give the encoding of a text table that begins with a mark of UTF-16, as spreadsheets save "Unicode text"."""
        is_table = plain_name(self.name).lower().endswith(TEXT_TABLE_SUFFIXES)
        if not is_table or not isinstance(stream, io.BufferedReader):
            return None
        return "utf-16" if stream.peek(2)[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else None

    def _read_small(self) -> bytes | None:
        """Read a small file whole, once within a command; None for others."""
        if not are_kept() or not self.path.is_file() or self.path.stat().st_size > MAX_KEPT_BYTES:
            return None
        note_input(self.name)
        return read_once(("bytes", self.name), self.path.read_bytes, is_small=bool)

    @property
    def is_plain(self) -> bool:
        """Whether it is a file that may be read from any place on, and is not compressed."""
        if self.content is not None or not self.path.is_file():
            return False
        with open(self.name, "rb") as stream:
            return decompress(stream, self.name) is stream

    def count_bytes(self, limit: int) -> int:
        """Count the bytes of a file, unpacked; of a compressed one up to somewhat more than ``limit``."""
        if self.is_plain:
            return self.path.stat().st_size
        n = 0
        with refuse_damaged(self.name), self.stream() as stream:
            while n <= limit and (piece := stream.read(_PIECE_BYTES)):
                n += len(piece)
        return n

    def start(self, size: int = 1 << 16) -> bytes:
        """Give the first bytes of the source, without leading blanks."""
        with refuse_damaged(self.name), self.stream() as stream:
            return stream.read(size).removeprefix(BYTE_ORDER_MARK).lstrip()

    def lines(self) -> Iterator[tuple[Where, bytes]]:
        """Give the lines of the source with their line ends, and their places; one that is not blank is required."""
        has_content = False
        with refuse_damaged(self.name), self.stream() as stream:
            for where, line in place_lines(
                iter(partial(stream.readline, MAX_LINE_BYTES + 1), b""), self.name
            ):
                line = line.removeprefix(BYTE_ORDER_MARK) if where.line == 1 else line
                has_content = has_content or bool(line.strip())
                yield where, line
        if not has_content:
            raise InputError("the file is empty", path=self.name)

    def texts(self) -> Iterator[tuple[Where, str]]:
        """Give the lines as text; see `decode_line` for what is refused."""
        return ((where, decode_line(line, where)) for where, line in self.lines())

    def text(self) -> str:
        """Give all of it as text; see `texts`."""
        return "".join(line for _, line in self.texts())


def place_lines(lines: Iterable[bytes], name: str, first: int = 1) -> Iterator[tuple[Where, bytes]]:
    """Give each line of a file with its place; refuse one that is too long."""
    for number, line in enumerate(lines, first):
        where = Where(name, number)
        if len(line) > MAX_LINE_BYTES:
            raise where.error(f"longer than {MAX_LINE_BYTES} bytes; expected shorter lines")
        yield where, line


def numbered_lines(path: str | Path | Source) -> Iterator[tuple[Where, str]]:
    """Give the lines of a UTF-8 file (plain or compressed) that are not blank, without line ends; one is required."""
    source = Source.from_path(path)
    is_blank = True
    for where, line in source.texts():
        if line.strip():
            is_blank = False
            yield where, line.rstrip("\r\n")
    if is_blank:  # other blanks than those of ASCII
        raise InputError("the file is empty", path=source.name)


def read_text(path: str | Path) -> str:
    """Give the text of a file (plain or compressed; in UTF-8), which must not be blank."""
    return Source.from_path(path).text()


COMMON_ENCODINGS = ("cp1252", "cp1251", "cp932", "gb18030", "cp949", "latin-1")
"""Other encodings in which files are saved: Western European, Cyrillic, Japanese, Chinese, Korean, and any bytes."""


def _is_encoded(line: bytes, encoding: str) -> bool:
    """Whether all bytes of a line are characters of an encoding."""
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def decode_line(line: bytes, where: Where) -> str:
    """Give a line as text; refuse what is not UTF-8, and of a text table say how another encoding is named."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{line[error.start]:02x} at position {error.start + 1} is not UTF-8"
        possible = join_names(name for name in COMMON_ENCODINGS if _is_encoded(line, name))
        advice = f"another encoding is named by --encoding, such as {possible} (encoding=... in Python)"
        is_table = plain_name(where.path or "").lower().endswith(TEXT_TABLE_SUFFIXES)
        raise where.error(message, advice=advice if is_table else "") from error


def standard_input() -> BinaryIO:
    """Give standard input, as bytes; it is an `OSError` if it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed; expected an open one, or a file", "standard input")
    return sys.stdin.buffer


def _read_pipe(stream: BinaryIO, name: str | Path) -> TemporaryBytes:
    """Read a pipe to its end, in pieces: one read of all that it may hold would take the memory for it at once."""
    content = TemporaryBytes()
    n_bytes = 0
    while piece := stream.read(_PIECE_BYTES):
        n_bytes += len(piece)
        if n_bytes > MAX_PIPE_BYTES:
            raise InputError(f"a pipe of more than {MAX_PIPE_BYTES} bytes; expected a file", path=name)
        with report_full_disk():
            content.file.write(piece)
            content.file.flush()
    return content


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for a block; what is compressed by a method that is not installed is a `UsageError`."""
    note_input(path)
    with open(path, "rb", _BUFFER_BYTES) as stream:
        yield decompress(stream, path)


def decompress(stream: BinaryIO, name: str | Path = "") -> BinaryIO:
    """Give an open stream decompressed, if its first bytes or its name say that it is compressed."""
    start = cast(io.BufferedReader, stream).peek(_MAX_MAGIC_BYTES)
    for compression in COMPRESSIONS:
        if start.startswith(compression.magic) or str(name).endswith(compression.suffix):
            return compression.open_stream(stream, name)
    return stream


@contextmanager
def refuse_damaged(path: str | Path) -> Iterator[None]:
    """Refuse, while the block reads a file, compressed data that are cut or damaged."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        compression = compression_of_name(path)
        method = "gzip" if compression is None else compression.name
        raise InputError(f"broken {method} file ({error})", path=path) from error
    except OSError as error:  # of the disk, which names no file
        error.filename = error.filename or str(path)
        raise
    except Exception as error:
        if type(error).__name__ != "ZstdError":  # its module is there only where it is installed
            raise
        raise InputError(f"broken Zstandard file ({error})", path=path) from error


def plain_name(path: str | Path) -> str:
    """Give the name of a file without the ending of a compression."""
    compression = compression_of_name(path)
    return str(path) if compression is None else str(path).removesuffix(compression.suffix)


def compress(data: bytes, path: str | Path) -> bytes:
    """Compress a part of a file as its name says, or not at all; parts may follow each other."""
    compression = compression_of_name(path)
    return data if compression is None else compression.compress(data, path)


def compression_of_name(path: str | Path) -> Compression | None:
    """Return the compression that the name of a file ends with; None if it ends with none."""
    return next((method for method in COMPRESSIONS if str(path).endswith(method.suffix)), None)


# --- compressions ---


class Compression(NamedTuple):
    """A way to compress: the ending of names, the first bytes, how a stream is opened and bytes are compressed."""

    name: str
    suffix: str
    magic: bytes
    open_stream: Callable[[BinaryIO, str | Path], BinaryIO]
    compress: Callable[[bytes, str | Path], bytes]


def _zstd(path: str | Path) -> Any:
    """Give the module of Zstandard, which Python has from 3.14 on."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        message = f"{path}: Zstandard needs backports.zstd: pip install backports.zstd"
        raise UsageError(message) from None
    return zstd


def _compress_zstd(data: bytes, path: str | Path) -> bytes:
    zstd = _zstd(path)
    return bytes(zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}))


COMPRESSIONS = (
    Compression(
        "gzip",
        ".gz",
        b"\x1f\x8b",
        lambda stream, _: cast(BinaryIO, gzip.GzipFile(fileobj=stream)),
        lambda data, _: gzip.compress(data, 6, mtime=0),
    ),
    Compression(
        "Zstandard",
        ".zst",
        b"\x28\xb5\x2f\xfd",
        lambda stream, path: cast(BinaryIO, _zstd(path).open(stream)),
        _compress_zstd,
    ),
)
"""How files may be compressed."""

_MAX_MAGIC_BYTES = max(len(compression.magic) for compression in COMPRESSIONS)


_REPLACEMENT = "\ufffd"


class ReplacedBytes(Counter[str]):
    """Counts, by file, the bytes that are replaced.

    Examples
    --------
    >>> replaced = ReplacedBytes()
    >>> replaced.decode(b"caf\\xe9", "menu.txt")
    'caf\ufffd'
    >>> replaced
    ReplacedBytes({'menu.txt': 1})
    """

    def decode(self, content: bytes, name: str) -> str:
        """Give the text of a file, without a byte order mark."""
        text = content.decode("utf-8-sig", errors="replace")
        if count := text.count(_REPLACEMENT) - content.count(_REPLACEMENT.encode()):
            self[name] = count
        return text

    def warn_of_them(self) -> None:
        """Warn of the bytes that were replaced, if any."""
        if self:
            warn(f"{self.total()} bytes that are not UTF-8 replaced in {len(self)} files: {join_names(self)}")
