"""What an interrupted command left: the file or folder that it writes is looked at before and after."""

from __future__ import annotations

import json
import os
import signal
import stat
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from classy_aesop.cli.streaming import why_streamed
from classy_aesop.files import MANIFEST, is_whole

if TYPE_CHECKING:
    from classy_aesop.cli.commands import Asked

_PLACES = ("output", "folder", "place", "page", "sample")
"""Where the options of a command may say what it writes."""


_INTERRUPTIONS: list[int] = []


def interrupt(signum: int, frame: FrameType | None) -> None:
    """Handle SIGINT as Python does, and remember it: compiled modules turn an interruption into an ImportError."""
    _INTERRUPTIONS.append(signum)
    signal.default_int_handler(signum, frame)


def is_interrupted() -> bool:
    """Whether there was an interruption."""
    return bool(_INTERRUPTIONS)


@dataclass(frozen=True)
class Written:
    """What a command writes, as it was before.

    Parameters
    ----------
    path : str, optional
        The file or folder; standard output if it is None.
    rows : Path, optional
        Where ``--resume`` keeps rows.
    is_streamed : bool
        Whether rows are written as they come.
    before : tuple, optional
        What the file system said of the path; None if there was nothing.
    is_text : bool
        Whether a row is a line.
    """

    path: str | None
    rows: Path | None
    is_streamed: bool
    before: object
    is_text: bool = True

    @classmethod
    def of(cls, options: Asked) -> Written:
        """Look at what the options name, before the work."""
        given = vars(options)
        path = next((given[name] for name in _PLACES if given.get(name)), None)
        rows = Path(f"{os.path.realpath(path)}.partial") if given.get("resume") and path else None
        before = None if path is None else _stamp(path)
        return cls(
            path,
            rows,
            "stream" in given and bool(why_streamed(options)),
            before,
            given.get("format") in ("tsv", "jsonl"),
        )

    def left(self) -> str:
        """Say what is there now."""
        kept = self._kept()
        if kept:
            return f"{kept} are kept in {self.rows}; repeat the command to go on from there"
        if self.path is None:
            return "the output is not whole" if self.is_streamed else "nothing was written"
        if _is_special(self.path) or (Path(self.path).is_dir() and not is_whole(self.path)):
            return f"{self.path} is not whole; repeat the command"
        now = _stamp(self.path)
        if now != self.before:
            return f"{self.path} was already written"
        return "nothing was written" if now is None else f"{self.path} is unchanged"

    def _kept(self) -> str:
        """Count the rows that are kept; ``""`` for none."""
        if self.rows is None:
            return ""
        try:
            state = json.loads(Path(f"{self.rows}.json").read_text(encoding="utf-8"))
            if not self.is_text:
                return f"{state['parts']:,} parts"
            n_lines = _lines(self.rows, state["bytes"], state["head"].encode())
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return ""
        return f"{n_lines:,} rows" if n_lines else ""


def _lines(path: Path, n_bytes: int, head: bytes) -> int:
    """Count the lines in the first bytes of a file, without a header."""
    with path.open("rb") as stream:
        count = -1 if head and stream.read(len(head)) == head else 0
        stream.seek(0)
        while n_bytes > 0 and (chunk := stream.read(min(n_bytes, 1 << 20))):
            count, n_bytes = count + chunk.count(b"\n"), n_bytes - len(chunk)
    return count


def _stamp(path: str) -> object:
    """Say what is at a path: a file that is replaced, and a folder whose list of files is, have another stamp."""
    place = Path(path) / MANIFEST if Path(path).is_dir() else Path(path)
    try:
        found = place.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _is_special(path: str) -> bool:
    """Whether a path is a device or a pipe, which is written to directly."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
