"""Files and folders that are written completely or not at all: under a hidden name, then renamed.

What is hidden lies in a workplace beside the file, or in the folder of results, which one process at a time holds by a
lock; the lock ends with the process, and the next one removes what is left. Devices, pipes and standard output are
written to directly. Symbolic links are followed and kept. A folder of results holds a manifest, which lists the files
that were written there: only these are ever replaced or removed.
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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from classy_aesop.work.inputs import refuse_input

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
def workplace(folder: Path, name: str = "") -> Iterator[Path]:
    """Give a hidden folder for the work on a folder, or on what has a name there; it is removed in the end.

    Workers that this process forks do not hold its lock, so that it ends with this process.

    Raises
    ------
    FileExistsError
        If another process works there.
    OSError
        If the folder is not there, cannot be written or has no room.
    """
    prefix = f"{_HIDDEN}{sha256(os.fsencode(name)).hexdigest()[:16]}"
    lock = folder / f"{prefix}.lock"
    busy = FileExistsError(
        errno.EEXIST, "another run works for it now; choose another output, or wait", str(lock)
    )
    with open(os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "wb") as stream:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise busy from None
        if not (lock.exists() and os.path.samestat(os.fstat(stream.fileno()), os.stat(lock))):
            raise busy  # it was removed in between
        try:
            for left in folder.glob(f"{prefix}-*"):  # of a killed process
                shutil.rmtree(left, ignore_errors=True)
            with TemporaryDirectory(dir=folder, prefix=f"{prefix}-") as place:
                Path(place, "room").write_bytes(bytes(4096))
                yield Path(place)
        finally:
            lock.unlink(missing_ok=True)


# --- files ---


@contextmanager
def atomic_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears under its name only if the block ends without an error.

    A device, a pipe or standard output is written to directly. A symbolic link is kept and its target is replaced. The
    new file has the rights of the older one.

    Raises
    ------
    OSError
        If the file cannot be written, or as `inputs.refuse_input`; the error names the path.
    """
    with naming(path):
        if is_special(path):
            with _opened_directly(path) as stream:
                yield stream
        else:
            target = target_of(path)
            with workplace(target.parent, target.name) as place, replacing(target, place) as stream:
                yield stream


def check_file(path: str | Path) -> None:
    """Check before the work whether `atomic_file` can write here: the folder exists, is writable and has room."""
    with naming(path):
        if not is_special(path):
            target = target_of(path)
            with workplace(target.parent, target.name):
                pass
        elif os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        else:
            _check_rights(path)


def is_special(path: str | Path) -> bool:
    """Whether a path is written to directly: it is there and no regular file, or standard output goes there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(found.st_mode) or _is_standard_output(path)


def target_of(path: str | Path) -> Path:
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


@contextmanager
def replacing(target: Path, place: Path) -> Iterator[TextIO]:
    """Write a file in a workplace; at the end of the block it takes the place of the target."""
    with open(place / "file", "w", encoding="utf-8", newline="\n") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())  # some file systems say only now that they are full
        if target.exists():
            shutil.copymode(target, place / "file")
        os.replace(place / "file", target)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
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


def _opened_directly(path: str | Path) -> TextIO:
    """Open an existing path; if standard output goes there, continue where it stopped."""
    place: str | Path | int = path
    if _is_standard_output(path):
        sys.stdout.flush()
        place = os.dup(_STANDARD_OUTPUT)
    return open(place, "w", encoding="utf-8", newline="\n")


# --- folders ---


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder to fill; its files move to ``path`` only if the block ends without an error.

    The files of an earlier call are removed just before, so that old and new files never mix.

    Raises
    ------
    FileExistsError
        If another process works for the folder, if it has files that were not written so, or as
        `inputs.refuse_input`; nothing is changed.
    OSError
        If the folder cannot be written; the error names the path.
    """
    path = Path(os.path.realpath(path))
    with _working_on(path) as place:
        stage = place / "newer"
        stage.mkdir()
        yield stage
        older, newer = _refuse_foreign(path) - {MANIFEST}, _contents(stage)
        for name in older & newer:
            shutil.copymode(path / name, stage / name)
        path.mkdir(parents=True, exist_ok=True)
        _list(path, older | newer)
        for name in older:
            os.renames(path / name, place / "older" / name)
        for name in newer:
            os.renames(stage / name, path / name)
        _list(path, newer)


def check_folder(path: str | Path) -> None:
    """Check before the work whether `atomic_folder` can write here."""
    with _working_on(path):
        pass


@contextmanager
def _working_on(path: str | Path) -> Iterator[Path]:
    """Give a workplace for a folder of results: in it, or in the first folder above it that is there."""
    path = Path(os.path.realpath(path))
    with naming(path):
        _refuse_foreign(path)
        refuse_input(path)
        above = next(place for place in (path, *path.parents) if place.exists())
        with workplace(above, path.relative_to(above).as_posix()) as place:
            yield place


def is_complete(path: str | Path) -> bool:
    """Whether a folder has all files that it lists: no `atomic_folder` was stopped while it replaced them."""
    return os.path.isdir(path) and all(Path(path, name).exists() for name in _listed(Path(path)))


def _refuse_foreign(path: Path) -> set[str]:
    """Give the files in a folder; raise `FileExistsError` if it is none, or one is not listed by its manifest."""
    if path.exists() and not path.is_dir():
        raise FileExistsError(f"{path}: exists and is not a folder; choose another place")
    found = _contents(path)
    foreign = sorted(found - _listed(path))
    if foreign:
        more = f" and {len(foreign) - 1} more" if foreign[1:] else ""
        raise FileExistsError(
            f"{path}: holds {foreign[0]}{more}, which was not made by this command; choose another folder"
        )
    return found


def _contents(path: Path) -> set[str]:
    """Name all files and links in a folder and its subfolders, except hidden ones of ours."""
    below = (place for place in path.rglob("*") if place.is_symlink() or not place.is_dir())
    names = (place.relative_to(path).as_posix() for place in below)
    return {name for name in names if not name.startswith(_HIDDEN)}


def _list(path: Path, names: Iterable[str]) -> None:
    """Write a folder's manifest; while its files are replaced, it lists the older and the newer ones."""
    with atomic_file(path / MANIFEST) as stream:
        json.dump({"format": _FORMAT, "files": sorted(names)}, stream, indent=1)
        stream.write("\n")


def _listed(path: Path) -> set[str]:
    """Name the files that a folder's manifest lists, and the manifest; none if it has none of this package."""
    try:
        found = json.loads((path / MANIFEST).read_bytes())
        return {MANIFEST, *map(str, found["files"])} if found["format"] == _FORMAT else set()
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return set()
