"""Files and folders that are written completely or not at all: beside their place, then renamed.

Devices, pipes and standard output are written to directly. Symbolic links are followed and kept. What a command reads,
its output does not replace.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Error numbers of failed writes to a valid path: the disk is full or broken, or a quota is exceeded."""

_HIDDEN = ".classy-aesop-"
_STANDARD_OUTPUT = 1
_READ: list[set[Path]] = []
"""What was read in each block of `inputs_kept`."""


# --- what is read ---


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
    """Note that a file or folder is read; a device, a pipe or what is not whole yet may be written to as well."""
    if _READ and _HIDDEN not in str(path) and (os.path.isfile(path) or os.path.isdir(path)):
        _READ[-1].add(Path(os.path.realpath(path)))


def refuse_input(path: str | Path) -> None:
    """Refuse to write what a block of `inputs_kept` reads, by whatever name, or a folder with something of it."""
    place = Path(os.path.realpath(path))
    for read in sorted(_READ[-1]) if _READ else ():
        if read.is_relative_to(place) or (place.exists() and read.exists() and read.samefile(place)):
            raise FileExistsError(f"{path}: {read} is read by this command; choose another output")


# --- files ---


@contextmanager
def atomic_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears under its name, with an older one's rights, if no error ends the block."""
    with _naming(path):
        if is_special(path):
            place: str | Path | int = path
            if _is_standard_output(path):  # it goes on where it stopped
                sys.stdout.flush()
                place = os.dup(_STANDARD_OUTPUT)
            with open(place, "w", encoding="utf-8", newline="\n") as stream:
                yield stream
            return
        target = _target_of(path)
        beside = _beside(target.parent)
        try:
            with open(beside, "x", encoding="utf-8", newline="\n") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())  # some file systems say only now that they are full
            if target.exists():
                shutil.copymode(target, beside)
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)


def check_file(path: str | Path) -> None:
    """Check before the work whether `atomic_file` can write here: the folder exists and is writable."""
    with _naming(path):
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        _check_rights(path if is_special(path) else _target_of(path).parent)


def is_special(path: str | Path) -> bool:
    """Whether a path is written to directly: it is there and no regular file, or standard output goes there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(found.st_mode) or _is_standard_output(path)


def _target_of(path: str | Path) -> Path:
    """Follow a path's symbolic links to what may be written and is not read, in a folder that exists."""
    refuse_input(path)
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: the folder to write in does not exist")
    if target.exists():
        _check_rights(target)
    return target


def _check_rights(path: str | Path) -> None:
    """Refuse what may not be written, even where its folder would let it be replaced."""
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _beside(folder: Path) -> Path:
    """Name what is not whole yet; a folder and files in it are written by one process at one time."""
    return folder / f"{_HIDDEN}{os.getpid()}-{os.urandom(4).hex()}"


@contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Name the requested path in an `OSError` that names no file or a hidden file of ours."""
    try:
        yield
    except OSError as error:
        if error.errno is None or (error.filename is not None and _HIDDEN not in str(error.filename)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_standard_output(path: str | Path) -> bool:
    with contextlib.suppress(OSError):  # it may be closed
        return os.path.samestat(os.stat(path), os.fstat(_STANDARD_OUTPUT))
    return False


# --- folders ---


@contextmanager
def atomic_folder(
    path: str | Path, *, written: str | None = None, replaced: str | None = None
) -> Iterator[Path]:
    """Give a folder to fill, which appears under its name only if the block ends without an error.

    A folder that is there may hold files of the names that are written, which are replaced, and no others; ``written``
    is a regular expression of all that may be, such as ``a/b.tsv``, so that others are refused before the block. Files
    whose names are ``replaced`` are deleted if the block does not write them: old and new never mix.
    """
    path = Path(os.path.realpath(path))
    with _naming(path):
        check_folder(path, written=written)
        path.parent.mkdir(parents=True, exist_ok=True)
        is_there = path.exists()
        stage = _beside(path if is_there else path.parent)
        stage.mkdir()
        try:
            yield stage
            if is_there:  # it may be the working folder, or where a disk is mounted
                new = {name for name, is_folder in _names(stage) if not is_folder}
                known = [*map(re.escape, sorted(new)), *filter(None, [replaced])]
                for name in set(check_folder(path, written="|".join(known))) - new:
                    (path / name).unlink()
                for name in new:
                    (path / name).parent.mkdir(parents=True, exist_ok=True)
                    os.replace(stage / name, path / name)
            else:
                os.rename(stage, path)
        finally:
            shutil.rmtree(stage, ignore_errors=True)


def check_folder(path: str | Path, *, written: str | None = None) -> list[str]:
    """Check before the work whether `atomic_folder` can write here; give the files that are ``written`` anew."""
    path = Path(os.path.realpath(path))
    with _naming(path):
        refuse_input(path)
        if path.exists() and not path.is_dir():
            raise FileExistsError(f"{path}: exists and is not a folder; choose another place")
        above = next(place for place in (path, *path.parents) if place.exists())
        if not above.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        _check_rights(above)
        if written is None or not path.exists():
            return []
        found = []
        for name, is_folder in _names(path):  # no further than to the first that is another's
            if is_folder == bool(re.fullmatch(written, name)):
                raise FileExistsError(
                    f"{path}: holds {name}, which this command did not write; choose another folder, or empty this one"
                )
            if not is_folder:
                found.append(name)
        return found


def _names(folder: Path, above: str = "") -> Iterator[tuple[str, bool]]:
    """Name what is in a folder, and whether it is a folder; files first, and nothing that is not whole yet."""
    inside = sorted(
        (one.is_dir(), one.name) for one in os.scandir(folder) if not one.name.startswith(_HIDDEN)
    )
    for is_folder, name in inside:
        yield above + name, is_folder
        if is_folder and not os.path.islink(folder / name):
            yield from _names(folder / name, f"{above}{name}/")
