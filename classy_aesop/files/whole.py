"""Files that are written completely or not at all: each is written under a hidden name, then renamed.

Devices, pipes and standard output are written to directly. Symbolic links are followed and kept. A folder of results
holds a manifest, which lists the files that were written there: only these are ever replaced or removed. Whoever writes
holds a lock, which ends with the process: a later run removes the hidden files that nobody holds.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, TextIO

from classy_aesop.files.inputs import refuse_input

MANIFEST = "manifest.json"
"""The file that marks a folder as made by this package and lists what was written there."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Error numbers of failed writes to a valid path: the disk is full or broken, or a quota is exceeded."""

_NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK})
"""Error numbers of file systems without locks, as some of clusters are: there nobody notices a second process."""

_FORMAT = "classy_aesop results"
_HIDDEN = ".classy-aesop-"
_STANDARD_OUTPUT = 1

# --- files ---


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears under its name only if the block ends without an error.

    A device, a pipe or standard output is written to directly. A symbolic link is kept and its target is replaced. The
    new file has the rights of the older one.

    Raises
    ------
    OSError
        If the file cannot be written, or as `inputs.refuse_input`; the error names the path.
    """
    path = Path(path)
    with naming(path), _opened_directly(path) if is_special(path) else _replacing(_target(path)) as stream:
        yield stream


def check_file(path: str | Path) -> None:
    """Check before the work whether `whole_file` can write here: the folder exists, is writable and has room."""
    path = Path(path)
    with naming(path):
        if not is_special(path):
            _try_to_write(_target(path).parent)
        elif path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def is_special(path: str | Path) -> bool:
    """Whether a path is written to directly: it is there and no regular file, or standard output goes there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(found.st_mode) or _is_standard_output(found)


def rename(temporary: Path, target: Path) -> None:
    """Give a file the name of a target, and the rights of the older one if there is one."""
    if target.exists():
        shutil.copymode(target, temporary)
    os.replace(temporary, target)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Name the requested path in an `OSError` that names no file or a hidden file of ours."""
    try:
        yield
    except OSError as error:
        if error.errno is None or (error.filename is not None and _HIDDEN not in str(error.filename)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_standard_output(found: os.stat_result) -> bool:
    with contextlib.suppress(OSError):  # it may be closed
        return os.path.samestat(found, os.fstat(_STANDARD_OUTPUT))
    return False


def _opened_directly(path: Path) -> TextIO:
    """Open an existing path; if standard output goes there, continue where it stopped."""
    if not _is_standard_output(os.stat(path)):
        return open(path, "w", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    return open(os.dup(_STANDARD_OUTPUT), "w", encoding="utf-8", newline="\n")


def _target(path: Path) -> Path:
    """Follow a path's symbolic links; the folder of the target must exist."""
    refuse_input(path)
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: the folder to write in does not exist")
    return target


@contextmanager
def _replacing(target: Path) -> Iterator[TextIO]:
    """Write a hidden file beside a target, then rename it; remove what killed processes left of such files."""
    prefix = f"{_HIDDEN}{sha256(os.fsencode(target.name)).hexdigest()[:16]}."
    for left in target.parent.glob(f"{prefix}*"):
        with contextlib.suppress(OSError), alone(left, surely=True):
            left.unlink()
    temporary = target.with_name(prefix + secrets.token_hex(8))
    with alone(temporary, like=target) as held, io.TextIOWrapper(held, "utf-8", newline="\n") as stream:
        try:
            yield stream
            stream.flush()
            os.fsync(held.fileno())  # some file systems say only now that they are full
            rename(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _try_to_write(folder: Path) -> None:
    """Write a block to an unnamed temporary file."""
    with tempfile.TemporaryFile(dir=folder, prefix=_HIDDEN) as stream:
        stream.write(bytes(4096))


# --- one at a time ---

_HELD: set[Path] = set()
"""What this process holds: a file that it opened and closed once more would be locked no longer."""


@contextmanager
def alone(path: Path, *, like: Path | None = None, surely: bool = False) -> Iterator[BinaryIO]:
    """Open a file to read and write, as nobody else can meanwhile; a new one gets the rights of the file ``like``.

    The lock is of this process alone: workers that it forks do not hold it, so that it ends with this process.

    Raises
    ------
    FileExistsError
        If it is held by another process or by another block of this one, or is a link, which is not followed; with
        ``surely`` also if the file system has no locks.
    """
    busy = FileExistsError(
        errno.EEXIST, "another run works for it now; choose another output, or wait", str(path)
    )
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise FileExistsError(f"{path}: is a link, which is not followed, or no file; remove it")
    if path in _HELD:
        raise busy
    flags, is_new = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, not path.exists()
    with open(path, "r+b", opener=lambda name, _: os.open(name, flags, 0o666)) as stream:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if surely or error.errno not in _NO_LOCKS:
                raise busy from None
        if not (path.exists() and os.path.samestat(os.fstat(stream.fileno()), os.stat(path))):
            raise busy  # it was removed or renamed in between
        if is_new and like is not None and like.exists():
            shutil.copymode(like, path)
        _HELD.add(path)
        try:
            yield stream
        finally:
            _HELD.discard(path)


# --- folders ---


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder to fill; its files move to ``path`` only if the block ends without an error.

    The files of an earlier call are removed just before, so that old and new files never mix. `MANIFEST` is written
    last; until then it says that the folder is not complete.

    Raises
    ------
    FileExistsError
        As `held_folder`; nothing is changed.
    OSError
        If the folder cannot be written; the error names the path.
    """
    path = Path(os.path.realpath(path))
    with held_folder(path), tempfile.TemporaryDirectory(dir=path, prefix=_HIDDEN) as stage:
        yield Path(stage)
        _refuse_foreign(path)
        _move(Path(stage), path)


def check_folder(path: str | Path) -> None:
    """Check before the work whether `whole_folder` can write here."""
    with held_folder(path):
        _try_to_write(Path(path))


@contextmanager
def held_folder(path: str | Path) -> Iterator[None]:
    """Hold a folder of results, so that one process at a time works for it; it is made if need be.

    Raises
    ------
    FileExistsError
        If another process holds the folder, if it has files that `whole_folder` did not write, or as
        `inputs.refuse_input`.
    """
    path = Path(os.path.realpath(path))
    lock = path / f"{_HIDDEN}lock"
    with naming(path):
        _refuse_foreign(path)
        refuse_input(path)
        if lock in _HELD:
            yield
            return
        with _made(path), alone(lock):
            try:
                for left in path.glob(f"{_HIDDEN}*/"):  # of a killed process
                    shutil.rmtree(left, ignore_errors=True)
                yield
            finally:
                lock.unlink(missing_ok=True)


def is_whole(path: str | Path) -> bool:
    """Whether no `whole_folder` was stopped while it replaced the files of a folder."""
    return bool(_manifest(Path(path)).get("whole", True))


@contextmanager
def _made(path: Path) -> Iterator[None]:
    """Make a folder and those above it; remove them if nothing was put there."""
    made = [place for place in (path, *path.parents) if not place.exists()]
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # not empty
            for place in made:
                place.rmdir()


def _refuse_foreign(path: Path) -> None:
    """Raise `FileExistsError` for a file, or for a folder with files that `whole_folder` did not write."""
    if not path.exists():
        return
    if not path.is_dir():
        raise FileExistsError(f"{path}: exists and is not a folder; choose another place")
    foreign = sorted(_contents(path) - _written(path))
    if foreign:
        more = f" and {len(foreign) - 1} more" if foreign[1:] else ""
        raise FileExistsError(
            f"{path}: holds {foreign[0]}{more}, which was not made by this command; choose another folder"
        )


def _move(stage: Path, path: Path) -> None:
    """Remove the files of an earlier call from a folder and move the new ones in."""
    older, newer = _written(path) - {MANIFEST}, _contents(stage)
    _mark(path, older | newer, is_whole=False)
    for name in newer & older & _contents(path):
        shutil.copymode(path / name, stage / name)
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


def _manifest(path: Path) -> dict[str, object]:
    """Read a folder's manifest; empty if it has none of this package."""
    try:
        found = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    is_ours = isinstance(found, dict) and found.get("format") == _FORMAT
    return found if is_ours and isinstance(found.get("files"), list) else {}


def _written(path: Path) -> set[str]:
    """Give the names of the files that `whole_folder` wrote to a folder."""
    found = _manifest(path)
    return {MANIFEST, *map(str, found["files"])} if found else set()  # type: ignore[call-overload]


def _contents(path: Path) -> set[str]:
    """Name all files and links in a folder and its subfolders, except hidden ones of ours."""
    below = (place for place in path.rglob("*") if place.is_symlink() or not place.is_dir())
    names = (place.relative_to(path).as_posix() for place in below)
    return {name for name in names if not name.startswith(_HIDDEN)}
