"""What a command reads, so that its output does not replace it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_READ: list[set[Path]] = []
"""What was read in each block of `inputs_kept`."""


@contextmanager
def inputs_kept(paths: Iterable[str]) -> Iterator[None]:
    """Refuse, while the block runs, to write over these paths and over what is read in it; see `refuse_input`."""
    _READ.append(set())
    try:
        for path in paths:
            note_input(path)
        yield
    finally:
        _READ.pop()


def note_input(path: str | Path) -> None:
    """Note that a file or folder is read; a device or a pipe may be written to as well."""
    if _READ and (os.path.isfile(path) or os.path.isdir(path)):
        _READ[-1].add(Path(os.path.realpath(path)))


def refuse_input(path: str | Path) -> None:
    """Refuse to write a file that is read, by whatever name, or a folder with something that is read.

    Raises
    ------
    FileExistsError
        If it is one; only in a block of `inputs_kept`.
    """
    place = Path(os.path.realpath(path))
    for read in sorted(_READ[-1]) if _READ else ():
        if read.is_relative_to(place) or (place.exists() and read.exists() and read.samefile(place)):
            raise FileExistsError(f"{path}: {read} is read by this command; choose another output")
