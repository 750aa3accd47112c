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
_PROTECTED_INPUTS: list[set[Path]] = []
"""What was read in each block of `protect_inputs`."""


# --- what is read ---


@contextmanager
def protect_inputs(paths: Iterable[str]) -> Iterator[None]:
    """Refuse, while the block runs, to write over these paths and over what is read in it; see `refuse_input`."""
    _PROTECTED_INPUTS.append(set())
    try:
        for path in paths:
            note_input(path)
        yield
    finally:
        _PROTECTED_INPUTS.pop()


def note_input(path: str | Path) -> None:
    """Note that a file or folder is read; a device, a pipe or what is not whole yet may be written to as well."""
    if _PROTECTED_INPUTS and _HIDDEN not in str(path) and (os.path.isfile(path) or os.path.isdir(path)):
        _PROTECTED_INPUTS[-1].add(Path(os.path.realpath(path)))


def refuse_input(path: str | Path) -> None:
    """Refuse to write what a block of `protect_inputs` reads, by whatever name, or a folder with something of it."""
    output = Path(os.path.realpath(path))
    for input_path in sorted(_PROTECTED_INPUTS[-1]) if _PROTECTED_INPUTS else ():
        if input_path.is_relative_to(output) or (
            output.exists() and input_path.exists() and input_path.samefile(output)
        ):
            raise FileExistsError(f"{path}: {input_path} is read by this command; choose another output")


# --- files ---


@contextmanager
def atomic_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears under its name, with an older one's permissions, unless an error occurs."""
    with _name_path_in_errors(path):
        if is_special(path):
            destination: str | Path | int = path
            if _is_standard_output(path):  # it goes on where it stopped
                sys.stdout.flush()
                destination = os.dup(_STANDARD_OUTPUT)
            with open(destination, "w", encoding="utf-8", newline="\n") as stream:
                yield stream
            return
        target = _resolve_target(path)
        stage = _prepare_stage(target.parent)
        try:
            with open(stage, "x", encoding="utf-8", newline="\n") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())  # some file systems say only now that they are full
            if target.exists():
                shutil.copymode(target, stage)
            os.replace(stage, target)
        finally:
            stage.unlink(missing_ok=True)


def check_file(path: str | Path) -> None:
    """Check before the work whether `atomic_file` can write here: the folder exists and is writable."""
    with _name_path_in_errors(path):
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        _check_rights(path if is_special(path) else _resolve_target(path).parent)


def is_special(path: str | Path) -> bool:
    """Whether a path is written to directly: it is there and no regular file, or standard output goes there."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(status.st_mode) or _is_standard_output(path)


def _resolve_target(path: str | Path) -> Path:
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


def _prepare_stage(folder: Path) -> Path:
    """Make a unique name of a hidden file or folder to write to first."""
    return folder / f"{_HIDDEN}{os.urandom(8).hex()}"


@contextmanager
def _name_path_in_errors(path: str | Path) -> Iterator[None]:
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
def atomic_folder(path: str | Path, *, written: str | None = None) -> Iterator[Path]:
    """Give a folder to fill, which appears under its name only if the block ends without an error.

    An existing folder may contain files with the names that are written, or of the pattern ``written``, which are
    replaced, and no others. Files of an earlier run never stay beside those of a later one.
    """
    path = Path(os.path.realpath(path))
    with _name_path_in_errors(path):
        check_folder(path, written=written)
        path.parent.mkdir(parents=True, exist_ok=True)
        is_there = path.exists()
        stage = _prepare_stage(path if is_there else path.parent)
        stage.mkdir()
        try:
            yield stage
            if is_there:  # it may be the working folder, or where a disk is mounted
                new_names = {name for name, is_folder in _list_names(stage) if not is_folder}
                replaceable = [*map(re.escape, sorted(new_names)), *filter(None, [written])]
                for name in set(check_folder(path, written="|".join(replaceable))) - new_names:
                    (path / name).unlink()
                for name in new_names:
                    (path / name).parent.mkdir(parents=True, exist_ok=True)
                    os.replace(stage / name, path / name)
            else:
                os.rename(stage, path)
        finally:
            shutil.rmtree(stage, ignore_errors=True)


def check_folder(path: str | Path, *, written: str | None = None) -> list[str]:
    """Check before the work whether `atomic_folder` can write here; give the files that are ``written`` anew."""
    path = Path(os.path.realpath(path))
    with _name_path_in_errors(path):
        refuse_input(path)
        if path.exists() and not path.is_dir():
            raise FileExistsError(f"{path}: exists and is not a folder; choose another place")
        existing_parent = next(parent for parent in (path, *path.parents) if parent.exists())
        if not existing_parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        _check_rights(existing_parent)
        if written is None or not path.exists():
            return []
        replaceable = []
        for name, is_folder in _list_names(path):  # ends at the first that is not ours
            if is_folder == bool(re.fullmatch(written, name)):
                raise FileExistsError(
                    f"{path}: holds {name}, which this command did not write; choose another folder, or empty this one"
                )
            if not is_folder:
                replaceable.append(name)
        return replaceable


def _list_names(folder: Path, prefix: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the names in a folder, and whether each is a folder; files first, hidden ones of ours left out."""
    entries = sorted(
        (entry.is_dir(), entry.name) for entry in os.scandir(folder) if not entry.name.startswith(_HIDDEN)
    )
    for is_folder, name in entries:
        yield prefix + name, is_folder
        if is_folder and not os.path.islink(folder / name):
            yield from _list_names(folder / name, f"{prefix}{name}/")
