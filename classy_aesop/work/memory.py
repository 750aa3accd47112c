"""Memory: what is freed and needed again a moment later, and what is said where it is not enough."""

from __future__ import annotations

import errno
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform != "win32":
    import resource  # where memory is lacking, it may be too late

_KEPT_BYTES = 63 << 20


def keep_freed_memory() -> None:
    """Let glibc keep what is freed, up to 63 MB, for what comes next; elsewhere nothing happens.

    Its limit for that rises to twice the largest block ever freed; below, the memory of every larger array goes back to
    the system and comes again page by page. The block is not written to, so it takes no memory.

    Without it the features of the benchmark's made-up year took 1.11 times as long and a canonical search 1.12 times;
    those of SummEval and a non-negative search were within the noise (CPU time, medians of six paired processes).
    """
    import numpy as np

    np.empty(_KEPT_BYTES // 2, np.uint8)


_STEPS = {
    "corpus": "reading a corpus",
    "scores": "reading scores",
    "text": "taking texts apart",
    "features": "computing features",
    "baselines": "computing metrics",
    "search": "searching subsets",
    "fitters": "fitting",
    "significance": "testing",
    "report": "writing tables",
    "plots": "drawing",
}
"""What a part of the package does, for messages."""

_OURS = re.compile(r"classy_aesop[/\\](\w+)[^\n]*, line ")
_SIGNS = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""What the loader of libraries and Python say where memory is lacking."""


@contextmanager
def lack_of_memory_named() -> Iterator[None]:
    """Make a lack of memory, as whatever error it comes, a `MemoryError` that says where, and what was asked for.

    Libraries that do not fit are an `ImportError`, threads a `RuntimeError`, folders that cannot be listed an
    `OSError`, and below a limit compiled modules raise a `SystemError`.
    """
    try:
        yield
    except (MemoryError, ImportError, OSError, RuntimeError, SystemError) as error:
        found = _lack(error)
        if found is None:
            raise
        traceback.clear_frames(error.__traceback__)  # their values fill the memory
        said = ": ".join(filter(None, [_step(error), found]))
        raise MemoryError("; ".join(filter(None, [said, _limit()]))) from error


def _lack(error: BaseException) -> str | None:
    """Give what an error, or the one before it, says of memory; None if it is about something else."""
    is_numbered = isinstance(error, OSError) and error.errno == errno.ENOMEM
    if isinstance(error, MemoryError) or is_numbered or (isinstance(error, SystemError) and _limit()):
        return str(error)
    lines = (line for line in str(error).splitlines() if any(sign in line.lower() for sign in _SIGNS))
    before = error.__cause__ or error.__context__
    return next(lines, None) or (_lack(before) if before is not None else None)


def _step(error: Exception) -> str:
    """Name the step by the innermost of our modules; an error of a worker has its own as text."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    there = _OURS.findall(str(error.__cause__ or ""))
    parts = [*(name.split(".")[1] for name in modules if name.startswith("classy_aesop.")), *there]
    return next((_STEPS[part] for part in reversed(parts) if part in _STEPS), "")


def _limit() -> str:
    """Say what this process may have, if that is limited."""
    if sys.platform == "win32":
        return ""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return "" if most == resource.RLIM_INFINITY else f"this process may have {most / 2**30:.1f} GiB"
