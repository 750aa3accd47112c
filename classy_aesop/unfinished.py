"""Files written part by part, which a later run of the same work continues where an earlier one was interrupted.

The parts go to ``NAME.partial``; ``NAME.partial.json`` says how many there are and what they are of. When all are
written, the file gets its name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from classy_aesop.errors import UsageError
from classy_aesop.files import locked, whole_file


@dataclass
class Unfinished:
    """An open file of parts.

    Parameters
    ----------
    path : Path
        Its name when it is finished.
    work : str
        What the parts are of: another run continues them only if its work is the same.
    """

    path: Path
    work: str
    n_parts: int = 0
    head: str = ""
    _n_bytes: int = 0
    _stream: BinaryIO | None = field(default=None, repr=False)

    @property
    def partial(self) -> Path:
        """The file that holds the parts."""
        return self.path.with_name(self.path.name + ".partial")

    @property
    def state(self) -> Path:
        """The file that says how many parts there are."""
        return self.path.with_name(self.path.name + ".partial.json")

    def write(self, data: bytes, head: str = "") -> None:
        """Add a part; ``head`` is kept for the run that continues."""
        if self._stream is None:
            raise ValueError("the file is not open")
        self._stream.write(data)
        self._stream.flush()
        self.n_parts, self.head = self.n_parts + 1, head
        self._n_bytes = self._stream.tell()
        with whole_file(self.state, alone=True) as stream:
            json.dump(
                {"work": self.work, "parts": self.n_parts, "bytes": self._n_bytes, "head": head}, stream
            )


@contextmanager
def unfinished_file(
    path: str | Path, work: str, finish: Callable[[BinaryIO, BinaryIO], None] | None = None
) -> Iterator[Unfinished]:
    """Open a file to continue or to begin; it gets its name if the block ends without an error.

    Parameters
    ----------
    path : path-like
        Its name when it is finished; a symbolic link is followed.
    work : str
        What the parts are of.
    finish : callable, optional
        Makes the file of its parts, if it is more than one after the other: it takes the file of the parts and the one
        to write.

    Raises
    ------
    UsageError
        If the parts that are there are of other work, or cannot be read, or the path is a device, pipe or folder.
    FileExistsError
        If another process writes the file now.
    """
    file = Unfinished(Path(os.path.realpath(path)), work)
    if file.path.exists() and not file.path.is_file():
        raise UsageError(f"{path}: cannot be continued later; expected a file")
    with _held(file) as stream:
        _take_up(file)
        stream.truncate(file._n_bytes)
        stream.seek(file._n_bytes)
        file._stream = stream
        yield file
        if finish is None:
            os.replace(file.partial, file.path)
        else:
            stream.seek(0)
            with whole_file(file.path, alone=True) as target:
                finish(stream, target.buffer)
            file.partial.unlink()
        file.state.unlink(missing_ok=True)


@contextmanager
def _held(file: Unfinished) -> Iterator[BinaryIO]:
    """Open the file of the parts for one process at a time; nothing is left of it if no part was ever written."""
    with open(file.partial, "r+b", opener=_opened_or_made) as stream:
        if not locked(stream, file.partial):
            raise FileExistsError(f"{file.path}: another run writes it now; choose another file, or wait")
        try:
            yield stream
        finally:
            if not file.n_parts and not file.state.exists():
                file.partial.unlink(missing_ok=True)


def _opened_or_made(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_CREAT, 0o666)


def _take_up(file: Unfinished) -> None:
    """Read how far an earlier run came."""
    if not (file.state.is_file() and file.partial.stat().st_size):
        return
    try:
        found = json.loads(file.state.read_text(encoding="utf-8"))
        work, n_parts, n_bytes, head = found["work"], found["parts"], found["bytes"], found["head"]
        whole = isinstance(n_parts, int) and isinstance(n_bytes, int) and isinstance(head, str)
    except (ValueError, KeyError, TypeError, RecursionError):
        whole = False
    if not whole or not 0 <= n_bytes <= file.partial.stat().st_size:
        raise UsageError(f"{file.state}: does not fit {file.partial.name}; remove both to begin again")
    if work != file.work:
        raise UsageError(
            f"{file.partial}: was begun by another command, or from other files; "
            "repeat that one, or remove it and its .json to begin again"
        )
    file.n_parts, file._n_bytes, file.head = n_parts, n_bytes, head
