"""A command that is interrupted, by Ctrl-C or as the system ends programs, and what it left."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
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


class Written:
    """What a command writes, and what was there before it."""

    def __init__(self, options: Asked) -> None:
        self._options = vars(options)
        self._path = next((self._options[name] for name in _PLACES if self._options.get(name)), None)
        self._is_streamed = "stream" in self._options and bool(why_streamed(options))
        self._before = _stamp(self._path)

    def left(self) -> str:
        """Say what is there now."""
        path = self._path
        if path is None:
            return "the output is not whole" if self._is_streamed else "nothing was written"
        from classy_aesop.files.unfinished import n_kept

        if self._options.get("resume") and (n_parts := n_kept(path)):
            return f"{n_parts:,} parts are kept in {path}.partial; repeat the command to go on from there"
        if is_special(path) and not is_whole(path):
            return f"{path} is not whole; repeat the command"
        now = _stamp(path)
        if now != self._before:
            return f"{path} was already written"
        return "nothing was written" if now is None else f"{path} is unchanged"


def _stamp(path: str | None) -> object:
    """Say what is at a path: a file that is replaced, and a folder whose list of files is, have another stamp."""
    for place in (os.path.join(path or "", MANIFEST), path or ""):
        with contextlib.suppress(OSError):
            found = os.stat(place)
            return found.st_ino, found.st_mtime_ns, found.st_size
    return None
