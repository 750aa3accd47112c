"""NIST's releases, read from a folder or a tar archive without unpacking it."""

from __future__ import annotations

import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from classy_aesop.data.opening import open_bytes, whole
from classy_aesop.data.scores import natural
from classy_aesop.errors import InputError, listed
from classy_aesop.work.inputs import note_input

ARCHIVE = re.compile(r".+\.(tar|tar\.\w+|tgz|tbz2?|txz)", re.IGNORECASE)
"""Names of archives; a file with another name is an archive if `tarfile` can read it."""

WANTED = re.compile(r"(?P<root>(?:.*/)?)(?P<rest>ROUGE/(?:models|peers)/[^/]+|manual/manual\.[^/]+)")

LARGEST_FILE = 2**24
"""Most bytes of a summary or a table of manual scores in an archive: 16 MiB."""

LARGEST_ARCHIVE = 2**31
"""Most bytes of an archive, unpacked: 2 GiB."""


@dataclass(frozen=True)
class Release:
    """The files of one release.

    Parameters
    ----------
    path : Path
        The folder or archive.
    root : str
        The folder in it that holds ``ROUGE`` and ``manual``, with a slash at its end; ``""`` if that is ``path``.
    files : dict of str to bytes
        The content of each file that is used, by its path below the root, in natural order.
    """

    path: Path
    root: str
    files: dict[str, bytes]

    @property
    def names(self) -> tuple[str, str]:
        """The names that may contain the year: those of the root, and of the folder or archive."""
        return self.root.strip("/").rpartition("/")[2], self.path.resolve().name

    def place(self, name: str) -> str:
        """Name a file of the release for a message."""
        return f"{self.path}/{self.root}{name}"


def read_release(path: str | Path) -> Release:
    """Read the summaries and manual scores of a release.

    Parameters
    ----------
    path : path-like
        The folder that holds ``ROUGE``, its parent folder, or a tar archive (compressed or not). Links and
        special files in an archive are ignored.

    Raises
    ------
    InputError
        If there is no release, or more than one, or the archive is broken.
    FileNotFoundError
        If ``path`` does not exist.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder")
    found: dict[str, dict[str, bytes]] = {}
    for root, name, content in _of_folder(path) if path.is_dir() else _of_archive(path):
        found.setdefault(root, {})[name] = content
    if len(found) != 1:
        what = f"several releases ({listed(sorted(found))})" if found else "no summaries in ROUGE/peers"
        raise InputError(f"{what}; expected one TAC release", path=path)
    [(root, files)] = found.items()
    return Release(path, root, {name: files[name] for name in sorted(files, key=natural)})


def is_release(path: Path) -> bool:
    """Whether a folder or a tar archive looks like a release."""
    if path.is_dir():
        return bool(_roots(path))
    return path.is_file() and (ARCHIVE.fullmatch(path.name) is not None or _reads_as_archive(path))


def _reads_as_archive(path: Path) -> bool:
    try:
        return tarfile.is_tarfile(path)
    except _BROKEN:  # compressed, and cut or damaged before its first file
        return False


def _roots(folder: Path) -> list[Path]:
    return [root for root in (folder, *sorted(folder.iterdir())) if (root / "ROUGE" / "peers").is_dir()]


def _of_folder(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    for root in _roots(folder):
        for part in ("ROUGE/models", "ROUGE/peers", "manual"):
            for file in sorted((root / part).iterdir()) if (root / part).is_dir() else ():
                name = f"{part}/{file.name}"
                if file.is_file() and WANTED.fullmatch(name):
                    note_input(file)
                    yield "" if root == folder else f"{root.name}/", name, file.read_bytes()


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    """Open an archive; `tarfile` does not read Zstandard by itself."""
    note_input(path)
    if path.suffix.lower() != ".zst":
        with tarfile.open(path) as archive:
            yield archive
        return
    with whole(path), open_bytes(path) as stream, tarfile.open(fileobj=stream) as archive:
        yield archive


def _of_archive(path: Path) -> Iterator[tuple[str, str, bytes]]:
    try:
        with _opened(path) as archive:
            for member in archive:
                _check_size(member, path)
                wanted = WANTED.fullmatch(member.name)
                file = archive.extractfile(member) if wanted and member.isfile() else None
                if wanted and file:
                    yield wanted["root"], wanted["rest"], file.read()
            _read_to_end(archive)
    except MemoryError:  # a header that is larger than the memory
        raise InputError("not a whole tar archive (a header is too large)", path=path) from None
    except _BROKEN as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk's, not the archive's
            raise
        why = str(error).partition("\n")[0].rstrip(":") or type(error).__name__
        raise InputError(f"not a whole tar archive ({why})", path=path) from error


_BROKEN = (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError)
"""The errors of reading a damaged archive; gzip and bzip2 raise an `OSError` without a number."""


def _check_size(member: tarfile.TarInfo, path: Path) -> None:
    """Refuse members that no release has before they are unpacked: a few bytes may unpack to many."""
    most = LARGEST_FILE if WANTED.fullmatch(member.name) else LARGEST_ARCHIVE
    if not 0 <= member.size <= most or member.offset_data + member.size > LARGEST_ARCHIVE:
        raise InputError(
            f"{member.name[:80]} has {member.size} bytes; expected at most {most}, and {LARGEST_ARCHIVE} in all",
            path=path,
        )


def _read_to_end(archive: tarfile.TarFile) -> None:
    """Check what `tarfile` does not: that the archive has its end marker and that its checksums are right.

    `tarfile` mistakes a damaged header for the end, and stops before the checksum of a compressed archive.
    """
    stream = archive.fileobj
    if stream is None:
        raise tarfile.ReadError("it is closed")
    stream.seek(archive.offset)
    if stream.read(2 * tarfile.BLOCKSIZE) != bytes(2 * tarfile.BLOCKSIZE):
        raise tarfile.ReadError("it has no end marker: cut off or damaged")
    while stream.read(2**20):
        if stream.tell() > LARGEST_ARCHIVE:
            raise tarfile.ReadError(f"it goes on beyond {LARGEST_ARCHIVE} bytes")
