"""Files opened to be read, plain or ``.gz``, with limits: a strange file must not take all memory or wait for ever."""

from __future__ import annotations

import gzip
import os
import select
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from classy_aesop.errors import InputError

LONGEST_LINE = 2**26
"""Most bytes of one line: 64 MiB."""

PATIENCE = 10.0
"""Seconds that a named pipe without a writer is waited for."""


def open_bytes(path: str | Path) -> BinaryIO | gzip.GzipFile:
    """Open a file.

    Raises
    ------
    FileNotFoundError
        It is not there.
    InputError
        It is a named pipe that nobody writes to.
    """
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: no such file")
    if stat.S_ISFIFO(os.stat(path).st_mode):
        return _open_pipe(path)
    return gzip.open(path, "rb") if str(path).endswith(".gz") else open(path, "rb")


def byte_lines(stream: BinaryIO | gzip.GzipFile, path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Give the lines of an open file with their numbers, from 1; none is longer than `LONGEST_LINE`."""
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), 1):
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"longer than {LONGEST_LINE} bytes; expected shorter lines", path=path, line=number
            )
        yield number, line


def _open_pipe(path: str | Path) -> BinaryIO:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    arrives = select.poll()
    arrives.register(descriptor, select.POLLIN)
    if not arrives.poll(PATIENCE * 1000) and not _has_writer(descriptor):
        os.close(descriptor)
        raise InputError(f"a pipe that nobody has written to for {PATIENCE:g} seconds", path=path)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def _has_writer(descriptor: int) -> bool:
    """Whether an empty pipe that does not block has a writer: without one, reading ends."""
    try:
        return bool(os.read(descriptor, 1))
    except BlockingIOError:
        return True
