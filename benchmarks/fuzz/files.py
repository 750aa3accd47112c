"""Spoiled files, each read by the reader that it is for."""

import random
from pathlib import Path

from benchmarks.fuzz.kinds import READERS
from benchmarks.fuzz.told import told
from classy_aesop.errors import InputError, UsageError

LONGEST_MESSAGE = 2000


def outcome(name: str, seed: str, folder: Path) -> str:
    """Read one spoiled file: ``done``, ``refused``, or what is wrong with how it ended."""
    reader = READERS[name]
    path = folder / reader.file
    path.write_bytes(reader.finished(reader.spoil(reader.content, random.Random(seed))))
    try:
        return "done" if reader.read(path) else "unsound: what was read does not hold together"
    except (ValueError, FileNotFoundError) as error:
        return _judged(error, path)
    except Exception as error:
        return told(error)


def _judged(error: Exception, path: Path) -> str:
    """Whether an error is one of ours that names its place in a line."""
    message = str(error)
    if not isinstance(error, InputError | UsageError | FileNotFoundError):
        return told(error)
    if not isinstance(error, UsageError) and path.name not in message:
        return f"no place: {told(error)}"
    return "refused" if len(message) <= LONGEST_MESSAGE else f"long message: {told(error)}"
