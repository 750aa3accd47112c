"""Files written part by part, which a later run of the same work continues where an earlier one was interrupted.

The parts go to ``NAME.partial``. It begins with a line that names the work; before each part a line says its length and
a checksum of all that was written so far. A last part that is cut is written again. In the end the parts are joined,
without these lines, and the file gets its name.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec

from classy_aesop.errors import UsageError
from classy_aesop.work.atomic import is_special, naming, replacing, target_of, workplace

_WRONG = (msgspec.DecodeError, UnicodeDecodeError)


class _Part(msgspec.Struct):
    """The line before a part; ``sha256`` is of the work and of all parts up to this one."""

    n_bytes: Annotated[int, msgspec.Meta(ge=0)]
    head: str
    sha256: str


class Unfinished:
    """An open file of the parts of some work, which may be empty."""

    def __init__(self, stream: BinaryIO, work: str) -> None:
        self.n_parts, self.head = 0, ""
        self._stream = stream
        self._begin = msgspec.json.encode({"format": "classy_aesop unfinished", "work": work}) + b"\n"
        self._sum = sha256(self._begin)

    def write(self, data: bytes, head: str = "") -> None:
        """Add a part; ``head`` is kept for the run that continues."""
        self._put(msgspec.json.encode(self._counted(data, head)) + b"\n" + data)

    def take_up(self, name: str | Path) -> None:
        """Go to the end of the parts, and cut off a last one that is not complete.

        Raises
        ------
        UsageError
            If the parts are of other work, or the file is damaged or none of ours; it calls it ``name``.
        """
        begin = self._stream.readline(len(self._begin))
        if not begin:
            self._put(self._begin)
        elif begin == self._begin and self._is_verified():
            self._stream.truncate()
        else:
            raise UsageError(
                f"{name}: was begun by another command, or from other files, or is damaged; "
                "repeat that command, or remove it to begin again"
            )

    def parts(self) -> Iterator[bytes]:
        """Read the parts again."""
        self._stream.seek(len(self._begin))
        return (self._stream.read(part.n_bytes) for part in _lines(self._stream))

    def _is_verified(self) -> bool:
        """Read all parts; whether each has its checksum."""
        try:
            found = ((part, self._stream.read(part.n_bytes)) for part in _lines(self._stream))
            return all(self._counted(data, part.head) == part for part, data in found)
        except _WRONG:
            return False

    def _counted(self, data: bytes, head: str) -> _Part:
        self.n_parts, self.head = self.n_parts + 1, head
        self._sum.update(head.encode() + data)
        return _Part(len(data), head, self._sum.hexdigest())

    def _put(self, data: bytes) -> None:
        self._stream.write(data)
        self._stream.flush()


def _lines(stream: BinaryIO) -> Iterator[_Part]:
    """Read the line before each part and go beyond the part; in the end stand behind the last that is complete."""
    end, size = stream.tell(), os.fstat(stream.fileno()).st_size
    while (line := stream.readline()).endswith(b"\n"):
        part = msgspec.json.decode(line, type=_Part)
        after = end + len(line) + part.n_bytes
        if after > size:
            break
        yield part
        end = stream.seek(after)
    stream.seek(end)


@contextmanager
def unfinished_file(
    path: str | Path, work: str, finish: Callable[[Iterable[bytes], BinaryIO], None] | None = None
) -> Iterator[Unfinished]:
    """Open a file to continue or to begin; it gets its name if the block ends without an error.

    Parameters
    ----------
    path : path-like
        Its name when it is finished; a symbolic link is followed, but not one in place of the parts.
    work : str
        What the parts are of: another run continues them only if its work is the same.
    finish : callable, optional
        Writes the parts to the file; without it they follow one another.

    Raises
    ------
    UsageError
        As `Unfinished.take_up`, or if the path is a device, pipe or folder.
    OSError
        If the file cannot be written, another process writes it now, or as `inputs.refuse_input`; the error names it.
    """
    if is_special(path):
        raise UsageError(f"{path}: cannot be continued later; expected a file")
    with naming(path):
        target, partial = target_of(path), _partial(path)
        with workplace(target.parent, target.name) as place, _opened(partial, target) as stream:
            file = Unfinished(stream, work)
            file.take_up(partial)
            try:
                yield file
                with replacing(target, place) as whole:
                    if finish is None:
                        whole.buffer.writelines(file.parts())
                    else:
                        finish(file.parts(), whole.buffer)
                file.n_parts = 0
            finally:
                if not file.n_parts:
                    partial.unlink()


def _opened(partial: Path, target: Path) -> BinaryIO:
    """Open a file to read and write; a new one gets the rights of the target."""
    if partial.is_symlink() or (partial.exists() and not partial.is_file()):
        raise FileExistsError(f"{partial}: is a link, which is not followed, or no file; remove it")
    is_new = not partial.exists()
    number = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    if is_new and target.exists():
        shutil.copymode(target, partial)
    return os.fdopen(number, "r+b")


def n_kept(path: str | Path) -> int:
    """Count the parts that an interrupted run left of a file."""
    with contextlib.suppress(FileNotFoundError, *_WRONG), open(_partial(path), "rb") as stream:
        stream.readline()
        return sum(1 for _ in _lines(stream))
    return 0


def _partial(path: str | Path) -> Path:
    """Name the file of the parts."""
    return Path(f"{os.path.realpath(path)}.partial")
