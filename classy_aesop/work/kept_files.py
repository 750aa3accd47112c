"""What is read of files, kept within a command, so that a file is read once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar, cast

Content = TypeVar("Content")

_KEPT: ContextVar[dict[Hashable, object] | None] = ContextVar("kept contents of files", default=None)


@contextmanager
def keep_files() -> Iterator[None]:
    """Keep what `read_once` reads within a block."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def are_kept() -> bool:
    """Whether what is read of files is kept now."""
    return _KEPT.get() is not None


def read_once(key: Hashable, read: Callable[[], Content], *, is_small: Callable[[Content], bool]) -> Content:
    """Read what a key names, or give what was read before in the same block of `keep_files` if it is small.

    Examples
    --------
    >>> with keep_files():
    ...     contents = [read_once("a.csv", list, is_small=lambda rows: not rows) for _ in range(2)]
    >>> contents[0] is contents[1], read_once("a.csv", list, is_small=bool) is contents[0]
    (True, False)
    """
    contents = _KEPT.get()
    if contents is not None and key in contents:
        return cast(Content, contents[key])
    content = read()
    if contents is not None and is_small(content):
        contents[key] = content
    return content
