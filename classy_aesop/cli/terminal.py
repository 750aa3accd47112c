"""Standard output where it is a terminal: what controls a terminal is shown as text there, whatever is written.

Files and pipes get data as they are.
"""

from __future__ import annotations

import io
import re
from typing import Any, BinaryIO, TextIO, cast

_CONTROL = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)


def for_terminal(stream: TextIO) -> TextIO:
    """Give a stream, or if it is a terminal one that escapes control characters before they get there."""
    if not stream.isatty():
        return stream
    stream.flush()
    escaped = cast(BinaryIO, _Escaped(stream.buffer))
    return io.TextIOWrapper(escaped, encoding="utf-8", newline="\n", write_through=True)


class _Escaped(io.BufferedIOBase):
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        written = bytes(data)
        self._stream.write(_CONTROL.sub(lambda found: found[0].decode().encode("unicode_escape"), written))
        return len(written)

    def flush(self) -> None:
        self._stream.flush()
