"""Files that are written completely or not at all: each is written under a temporary name, then renamed.

Devices, pipes and standard output are written to directly. Symbolic links are followed and kept. A folder of results
holds a manifest, which lists the files that were written there: only these are ever replaced or removed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, TextIO

MANIFEST = "manifest.json"
"""The file that marks a folder as made by this package and lists what was written there."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Error numbers of failed writes to a valid path: the disk is full or broken, or a quota is exceeded."""

_NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK})
"""Error numbers of file systems without locks, as some of clusters are: there nobody notices a second process."""

_FORMAT = "classy_aesop results"
_HIDDEN = ".classy-aesop-"
_STANDARD_OUTPUT = 1


@contextmanager
def whole_file(path: str | Path, *, alone: bool = False) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears under its name only if the block ends without an error.

    A device, a pipe or standard output is written to directly. A symbolic link is kept and its target is replaced.

    Parameters
    ----------
    path : path-like
        The file.
    alone : bool
        Whether no other process writes it meanwhile. Its temporary file then has a name of its own, under which the
        next call finds and removes what a killed process left.

    Raises
    ------
    OSError
        If the file cannot be written; the error names the path.
    """
    path = Path(path)
    with (
        _naming(path),
        _open_directly(path) if _is_written_directly(path) else _replacing(path, alone=alone) as stream,
    ):
        yield stream


def check_file(path: str | Path) -> None:
    """Check before the work whether `whole_file` can write here: the folder exists, is writable and has room."""
    path = Path(path)
    with _naming(path):
        if not _is_written_directly(path):
            _try_to_write(_target(path).parent)
        elif path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder to fill; its files move to ``path`` only if the block ends without an error.

    The files of an earlier call are removed just before, so that old and new files never mix. `MANIFEST` is written
    last; until then it says that the folder is not complete.

    Raises
    ------
    FileExistsError
        If the folder holds files that this function did not write, or as `held_folder`; nothing is changed.
    OSError
        If the folder cannot be written; the error names the path.
    """
    path = Path(os.path.realpath(path))
    with held_folder(path), _naming(path):
        _refuse_foreign(path)
        _remove_leftovers(path)
        with _marked(path), tempfile.TemporaryDirectory(dir=path, prefix=_HIDDEN) as stage:
            yield Path(stage)
            _refuse_foreign(path)
            _replace(path, Path(stage))


@contextmanager
def held_folder(path: str | Path) -> Iterator[None]:
    """Hold a folder of results, which need not be there yet, so that one process at a time works for it.

    The lock is a hidden file beside the folder. It ends with the process, however that ends.

    Raises
    ------
    FileExistsError
        If another process holds the folder.
    """
    path = Path(os.path.realpath(path))
    if path in _HELD:
        yield
        return
    name = _place_of_lock(path) / f"{_HIDDEN}{_digest(path)}.lock"
    with _naming(path), open(name, "w", opener=_without_links) as lock:
        if not locked(lock, name):
            raise FileExistsError(f"{path}: another run works for it now; choose another folder, or wait")
        _HELD.add(path)
        try:
            yield
        finally:
            _HELD.discard(path)
            name.unlink(missing_ok=True)


_HELD: set[Path] = set()
"""The folders that this process holds."""


def _place_of_lock(path: Path) -> Path:
    beside = next(place for place in path.parents if place.exists())
    return beside if os.access(beside, os.W_OK) or not path.is_dir() else path


def _without_links(name: str, flags: int) -> int:
    return os.open(name, flags & ~os.O_TRUNC | os.O_NOFOLLOW, 0o600)


def locked(stream: IO[Any], path: Path) -> bool:
    """Lock an open file, if no process holds it and it was not removed or renamed in between.

    The lock is of this process alone: workers that it forks do not hold it, so that it ends with this process. It ends
    too when the process closes the file, however often it has opened it.
    """
    try:
        fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # either, by POSIX
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    return path.exists() and os.path.samestat(os.fstat(stream.fileno()), os.stat(path))


def _remove_leftovers(path: Path) -> None:
    """Remove the temporary folders of processes that were killed; none is alive, as the folder is held."""
    for left in path.glob(f"{_HIDDEN}*/"):
        shutil.rmtree(left, ignore_errors=True)


def check_folder(path: str | Path) -> None:
    """Check before the work whether `whole_folder` can write here."""
    path = Path(os.path.realpath(path))
    with _naming(path):
        _refuse_foreign(path)
        _try_to_write(next(place for place in (path, *path.parents) if place.exists()))


def _refuse_foreign(path: Path) -> None:
    """Raise `FileExistsError` for a file, or for a folder with files that `whole_folder` did not write."""
    if not path.exists():
        return
    if not path.is_dir():
        raise FileExistsError(f"{path}: exists and is not a folder; choose another place")
    written = _written(path)
    foreign = sorted(_contents(path) - (set() if written is None else written | {MANIFEST}))
    if foreign:
        more = f" and {len(foreign) - 1} more" if foreign[1:] else ""
        raise FileExistsError(
            f"{path}: holds {foreign[0]}{more}, which was not made by this command; choose another folder"
        )


# --- files ---


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the requested path in an `OSError` that names no file or one of our temporary files."""
    try:
        yield
    except OSError as error:
        if error.errno is None or (error.filename is not None and _HIDDEN not in str(error.filename)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_written_directly(path: Path) -> bool:
    """Whether the path must not be replaced: it is not a regular file, or standard output goes there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(found.st_mode) or _is_standard_output(found)


def _is_standard_output(found: os.stat_result) -> bool:
    with contextlib.suppress(OSError):  # it may be closed
        return os.path.samestat(found, os.fstat(_STANDARD_OUTPUT))
    return False


def _open_directly(path: Path) -> TextIO:
    """Open an existing path; if standard output goes there, continue where it stopped."""
    if not _is_standard_output(os.stat(path)):
        return open(path, "w", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    return open(os.dup(_STANDARD_OUTPUT), "w", encoding="utf-8", newline="\n")


def _target(path: Path) -> Path:
    """Follow a path's symbolic links; the folder of the target must exist."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: the folder to write in does not exist")
    return target


@contextmanager
def _replacing(path: Path, *, alone: bool) -> Iterator[TextIO]:
    """Write a temporary file in the target's folder, then rename it to the target."""
    target = _target(path)
    if alone:
        handle, temporary = _made_anew(target.parent / f"{_HIDDEN}{_digest(target.name)}")
    else:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=_HIDDEN)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _made_anew(path: Path) -> tuple[int, str]:
    """Make and open a file in place of what is there; a link is removed and not followed."""
    path.unlink(missing_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), str(path)


def _digest(name: str | Path) -> str:
    return sha256(os.fsencode(name)).hexdigest()[:16]


def _try_to_write(folder: Path) -> None:
    """Write a block to an unnamed temporary file."""
    with tempfile.TemporaryFile(dir=folder, prefix=_HIDDEN) as stream:
        stream.write(bytes(4096))


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


# --- folders ---


@contextmanager
def _marked(path: Path) -> Iterator[None]:
    """Make a folder and write its manifest; undo both if the block fails and they are new."""
    made = [place for place in (path, *path.parents) if not place.exists()]
    is_new = _written(path) is None
    try:
        path.mkdir(parents=True, exist_ok=True)
        if is_new:
            _mark(path, (), is_whole=False)
        yield
    except BaseException:
        if is_new and not _written(path):
            (path / MANIFEST).unlink(missing_ok=True)
            for place in made:
                with contextlib.suppress(OSError):  # another program put something there
                    place.rmdir()
        raise


def _replace(path: Path, stage: Path) -> None:
    """Remove the files of an earlier call from a folder and move the new ones in."""
    older, newer = _written(path) or set(), _contents(stage)
    _mark(path, older | newer, is_whole=False)
    for name in _contents(path) & older:
        (path / name).unlink()
        for folder in list(Path(name).parents)[:-1]:
            with contextlib.suppress(OSError):  # not empty
                (path / folder).rmdir()
    for name in newer:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(stage / name, path / name)
    _mark(path, newer, is_whole=True)


def _mark(path: Path, names: Iterable[str], *, is_whole: bool) -> None:
    with whole_file(path / MANIFEST) as stream:
        json.dump({"format": _FORMAT, "whole": is_whole, "files": sorted(names)}, stream, indent=1)
        stream.write("\n")


def _written(path: Path) -> set[str] | None:
    """Give the names that a folder's manifest lists; None if it has no manifest of this package."""
    manifest = path / MANIFEST
    if not manifest.is_file():
        return None
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    if (
        not isinstance(found, dict)
        or found.get("format") != _FORMAT
        or not isinstance(found.get("files"), list)
    ):
        return None
    return {str(name) for name in found["files"]}


def is_whole(path: str | Path) -> bool:
    """Whether no `whole_folder` was stopped while it replaced the files of a folder."""
    try:
        return bool(json.loads((Path(path) / MANIFEST).read_text(encoding="utf-8"))["whole"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return _written(Path(path)) is None


def _contents(path: Path) -> set[str]:
    """Name all files and links in a folder and its subfolders, except temporary files of an interrupted call."""
    below = (place for place in path.rglob("*") if place.is_symlink() or not place.is_dir())
    names = (place.relative_to(path).as_posix() for place in below)
    return {name for name in names if not name.startswith(_HIDDEN)}
