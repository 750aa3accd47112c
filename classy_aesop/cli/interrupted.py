"""A command that is interrupted, by Ctrl-C or as the system ends programs, and what it left."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

from classy_aesop.cli.streaming import why_streamed
from classy_aesop.files.whole import MANIFEST, is_special, is_whole

if TYPE_CHECKING:
    from classy_aesop.cli.commands import Asked

_PLACES = ("output", "folder", "place", "page", "sample")
"""Where the options of a command may say what it writes."""

_INTERRUPTIONS: list[int] = []


def interrupt(signum: int, frame: FrameType | None) -> None:
    """Handle a signal as Python does SIGINT, and remember it: compiled modules turn it into an ImportError."""
    _INTERRUPTIONS.append(signum)
    signal.default_int_handler(signum, frame)


def repeat_interruption(ignored: sys.UnraisableHookArgs) -> None:
    """Interrupt once more, where Python has ignored it, as in a fork or while an object is destroyed."""
    if not (_INTERRUPTIONS and isinstance(ignored.exc_value, KeyboardInterrupt)):
        sys.__unraisablehook__(ignored)
        return
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def exit_code() -> int:
    """Give the exit code after an interruption; 0 if there was none."""
    return 128 + _INTERRUPTIONS[0] if _INTERRUPTIONS else 0


@dataclass(frozen=True)
class Written:
    """What a command writes: its path, none for standard output, and what was there before."""

    path: str | None
    before: object
    is_streamed: bool
    is_resumed: bool

    @classmethod
    def of(cls, options: Asked) -> Written:
        """Look at what the options name, before the work."""
        given = vars(options)
        path = next((given[name] for name in _PLACES if given.get(name)), None)
        is_streamed = "stream" in given and bool(why_streamed(options))
        return cls(path, _stamp(path), is_streamed, bool(given.get("resume")))

    def left(self) -> str:
        """Say what is there now."""
        if self.path is None:
            return "the output is not whole" if self.is_streamed else "nothing was written"
        from classy_aesop.files.unfinished import n_kept

        if self.is_resumed and (n_parts := n_kept(self.path)):
            return (
                f"{n_parts:,} parts are kept in {self.path}.partial; repeat the command to go on from there"
            )
        if not is_whole(self.path) if os.path.isdir(self.path) else is_special(self.path):
            return f"{self.path} is not whole; repeat the command"
        now = _stamp(self.path)
        if now != self.before:
            return f"{self.path} was already written"
        return "nothing was written" if now is None else f"{self.path} is unchanged"


def _stamp(path: str | None) -> object:
    """Say what is at a path: a file that is replaced, and a folder whose list of files is, have another stamp."""
    place = os.path.join(path or "", MANIFEST) if path and os.path.isdir(path) else path
    if place is None or not os.path.exists(place):
        return None
    found = os.stat(place)
    return found.st_ino, found.st_mtime_ns, found.st_size
