"""A command that is interrupted, by Ctrl-C or as the system ends programs, and what it left."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

from classy_aesop.work.files import is_special

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


def what_is_left(options: Asked) -> str:
    """Say what an interrupted command has left where it writes."""
    given = vars(options)
    path = next((given[name] for name in _PLACES if given.get(name)), None)
    if path is None:
        return "the output is not complete" if options.begun else "nothing was written"
    if is_special(path) and not os.path.isdir(path):
        return f"{path} is not complete; repeat the command"
    return f"{path} is unchanged, or already complete" if os.path.exists(path) else "nothing was written"
