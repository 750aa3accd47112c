"""Files written part by part, which a later run of the same work continues where an earlier one was interrupted.

The parts go to ``NAME.partial``. The journal ``NAME.partial.jsonl`` names the work, and then for each part its length
and a checksum of all that was written so far: only what it vouches for is continued. In the end the file gets its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec

from classy_aesop.errors import UsageError
from classy_aesop.files.inputs import refuse_input
from classy_aesop.files.whole import alone, is_special, naming, rename, whole_file

_OURS = b'{"format":"classy_aesop unfinished","work":'


class _Part(msgspec.Struct):
    """A line of the journal; ``sha256`` is of the work and of all parts up to this one."""

    n_bytes: Annotated[int, msgspec.Meta(ge=0)]
    head: str
    sha256: str


class Unfinished:
    """An open file of parts.

    Parameters
    ----------
    parts, journal : binary file
        Both files, which may be empty.
    work : str
        What the parts are of.
    """

    def __init__(self, parts: BinaryIO, journal: BinaryIO, work: str) -> None:
        self.n_parts, self.head = 0, ""
        self._parts, self._journal = parts, journal
        self._begin = _OURS + msgspec.json.encode(work) + b"}\n"
        self._sum = sha256(self._begin)

    def write(self, data: bytes, head: str = "") -> None:
        """Add a part; ``head`` is kept for the run that continues."""
        self._parts.write(data)
        self._parts.flush()
        self._note(msgspec.json.encode(self._counted(data, head)) + b"\n")

    def take_up(self, name: str | Path) -> None:
        """Go to the end of what the journal vouches for, and cut off what was written after it.

        Raises
        ------
        UsageError
            If the parts are of other work, or one of the files is damaged or none of ours; it calls them ``name``.
        """
        size, begin = os.fstat(self._parts.fileno()).st_size, self._journal.readline(len(self._begin))
        if not size and (not begin or begin.startswith(_OURS)):
            self._journal.seek(0)
            self._journal.truncate()
            self._note(self._begin)
        elif begin.startswith(_OURS) and begin != self._begin:
            raise UsageError(
                f"{name}: was begun by another command, or from other files; "
                "repeat that one, or remove it and its .jsonl to begin again"
            )
        elif begin != self._begin or not self._verified(size):
            raise UsageError(
                f"{name}: is not what its journal, {name}.jsonl, vouches for; remove both, or choose another output"
            )
        self._parts.truncate()

    def _verified(self, size: int) -> bool:
        """Read all parts, and the journal up to a last line that is cut; whether each has its checksum."""
        end = self._journal.tell()
        for line in self._journal:
            if not line.endswith(b"\n"):
                break
            try:
                part = msgspec.json.decode(line, type=_Part)
            except (msgspec.DecodeError, UnicodeDecodeError):
                return False
            if part.n_bytes > size or self._counted(self._parts.read(part.n_bytes), part.head) != part:
                return False
            end += len(line)
        self._journal.seek(end)
        self._journal.truncate()
        return True

    def _counted(self, data: bytes, head: str) -> _Part:
        self.n_parts, self.head = self.n_parts + 1, head
        self._sum.update(head.encode() + data)
        return _Part(len(data), head, self._sum.hexdigest())

    def _note(self, line: bytes) -> None:
        self._journal.write(line)
        self._journal.flush()


@contextmanager
def unfinished_file(
    path: str | Path, work: str, finish: Callable[[BinaryIO, BinaryIO], None] | None = None
) -> Iterator[Unfinished]:
    """Open a file to continue or to begin; it gets its name if the block ends without an error.

    Parameters
    ----------
    path : path-like
        Its name when it is finished; a symbolic link is followed, but not one in place of the parts.
    work : str
        What the parts are of: another run continues them only if its work is the same.
    finish : callable, optional
        Makes the file of its parts, if it is more than one after the other: it takes the file of the parts and the one
        to write.

    Raises
    ------
    UsageError
        As `Unfinished.take_up`, or if the path is a device, pipe or folder.
    OSError
        If the file cannot be written, another process writes it now, or as `inputs.refuse_input`; the error names it.
    """
    if is_special(path):
        raise UsageError(f"{path}: cannot be continued later; expected a file")
    refuse_input(path)
    partial, journal = _places(path)
    made = [place for place in (partial, journal) if not os.path.lexists(place)]
    file = None
    with naming(path), alone(partial, like=Path(path)) as parts:
        try:
            with alone(journal, like=Path(path)) as lines:
                file = Unfinished(parts, lines, work)
                file.take_up(partial)
                yield file
                if finish is None:
                    rename(partial, Path(os.path.realpath(path)))
                else:
                    parts.seek(0)
                    with whole_file(path) as target:
                        finish(parts, target.buffer)
                    partial.unlink()
                journal.unlink()
        except BaseException:
            for place in made if file is None or not file.n_parts else ():
                place.unlink(missing_ok=True)
            raise


def n_kept(path: str | Path) -> int:
    """Count the parts that an interrupted run left of a file."""
    journal = _places(path)[1]
    return max(0, journal.read_bytes().count(b"\n") - 1) if journal.is_file() else 0


def _places(path: str | Path) -> tuple[Path, Path]:
    """Name the file of the parts and the journal."""
    target = os.path.realpath(path)
    return Path(f"{target}.partial"), Path(f"{target}.partial.jsonl")
