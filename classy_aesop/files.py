"""Files that are either whole or not there: everything is written beside its place and then renamed.

What is no regular file (a device, a pipe, standard output) is written through; links are followed and stay. A folder
of results holds a manifest, which lists the files that were written there: only these are ever replaced or removed.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

MANIFEST = "manifest.json"
"""The file that marks a folder as ours and lists what was written there."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Numbers of the errors that writing meets where the path is right: a full disk, a quota, a broken disk."""

_FORMAT = "classy_aesop results"
_HIDDEN = ".classy-aesop-"
_STANDARD_OUTPUT = 1


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that appears under its name only when the block ends without an error.

    What is there and is no regular file is opened and written at once. A link stays; what it points to is replaced.

    Raises
    ------
    OSError
        With the path, where it cannot be written.
    """
    path = Path(path)
    with _naming(path), _through(path) if _is_written_through(path) else _beside(path) as stream:
        yield stream


def check_file(path: str | Path) -> None:
    """Raise what `whole_file` would meet at once, before the work: no such folder, no right to write, no room."""
    path = Path(path)
    with _naming(path):
        if not _is_written_through(path):
            _try_to_write(_target(path).parent)
        elif path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Give a new folder to fill, whose files take their places in ``path`` only when the block ends well.

    The files of an earlier call are removed just before, so that old and new are never mixed. `MANIFEST` is written
    last; while it says that the folder is not whole, files are on their way.

    Raises
    ------
    FileExistsError
        The folder holds what no call of this function wrote there; nothing is changed.
    OSError
        With the path, where it cannot be written.
    """
    path = Path(os.path.realpath(path))
    with _naming(path):
        _refuse_foreign(path)
        with _marked(path), tempfile.TemporaryDirectory(dir=path, prefix=_HIDDEN) as stage:
            yield Path(stage)
            _refuse_foreign(path)
            _replace(path, Path(stage))


def check_folder(path: str | Path) -> None:
    """Raise what `whole_folder` would meet at once, before the work."""
    path = Path(os.path.realpath(path))
    with _naming(path):
        _refuse_foreign(path)
        _try_to_write(next(place for place in (path, *path.parents) if place.exists()))


def _refuse_foreign(path: Path) -> None:
    """Raise `FileExistsError` for a file, or for a folder that holds what `whole_folder` did not write there."""
    if not path.exists():
        return
    if not path.is_dir():
        raise FileExistsError(f"{path}: is there and is no folder; choose another place")
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
    """Let an error of the system that names no file, or a hidden one of ours, name the path that was asked for."""
    try:
        yield
    except OSError as error:
        if error.errno is None or (error.filename is not None and _HIDDEN not in str(error.filename)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_written_through(path: Path) -> bool:
    """Whether something is there that must not be replaced: no regular file, or what standard output goes to."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(found.st_mode) or _is_standard_output(found)


def _is_standard_output(found: os.stat_result) -> bool:
    with contextlib.suppress(OSError):  # it may be closed
        return os.path.samestat(found, os.fstat(_STANDARD_OUTPUT))
    return False


def _through(path: Path) -> TextIO:
    """Open what is there; standard output where it stands, so that what it holds already is kept."""
    if not _is_standard_output(os.stat(path)):
        return open(path, "w", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    return open(os.dup(_STANDARD_OUTPUT), "w", encoding="utf-8", newline="\n")


def _target(path: Path) -> Path:
    """Give the end of a path's links, in a folder that must be there."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no such folder to write in")
    return target


@contextmanager
def _beside(path: Path) -> Iterator[TextIO]:
    target = _target(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=_HIDDEN)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _try_to_write(folder: Path) -> None:
    """Write a block to a file without a name, which is gone at once."""
    with tempfile.TemporaryFile(dir=folder, prefix=_HIDDEN) as stream:
        stream.write(bytes(4096))


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


# --- folders ---


@contextmanager
def _marked(path: Path) -> Iterator[None]:
    """Make a folder and mark it as ours; take back both if the block fails and they were not there before."""
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
                with contextlib.suppress(OSError):  # somebody else put something there
                    place.rmdir()
        raise


def _replace(path: Path, stage: Path) -> None:
    """Remove the files that were written to a folder before, and move those of the stage in."""
    older, newer = _written(path) or set(), _contents(stage)
    _mark(path, older | newer, is_whole=False)
    for name in _contents(path) & older:
        (path / name).unlink()
        for folder in list(Path(name).parents)[:-1]:
            with contextlib.suppress(OSError):  # it holds something still
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
    """Give the names that a folder's manifest lists; None where there is none of ours."""
    manifest = path / MANIFEST
    if not manifest.is_file():
        return None
    try:
        said = json.loads(manifest.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.get("format") != _FORMAT or not isinstance(said.get("files"), list):
        return None
    return {str(name) for name in said["files"]}


def _contents(path: Path) -> set[str]:
    """Name all files and links below a folder, but for what an interrupted call left hidden."""
    below = (place for place in path.rglob("*") if place.is_symlink() or not place.is_dir())
    names = (place.relative_to(path).as_posix() for place in below)
    return {name for name in names if not name.startswith(_HIDDEN)}
