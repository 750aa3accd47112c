"""Bytes of texts that are not UTF-8, which are replaced and counted: a warning names the files."""

from __future__ import annotations

from classy_aesop.errors import join_names, warn

_REPLACEMENT = "\ufffd"


class ReplacedBytes:
    """Counts, by file, the bytes that are replaced.

    Examples
    --------
    >>> replaced = ReplacedBytes()
    >>> replaced.decode(b"caf\\xe9", "menu.txt")
    'caf\ufffd'
    >>> replaced.n_of_file
    {'menu.txt': 1}
    """

    def __init__(self) -> None:
        self.n_of_file: dict[str, int] = {}

    def decode(self, content: bytes, name: str) -> str:
        """Give the text of a file, without a byte order mark."""
        text = content.decode("utf-8-sig", errors="replace")
        if count := text.count(_REPLACEMENT) - content.count(_REPLACEMENT.encode()):
            self.n_of_file[name] = count
        return text

    def warn_of_them(self) -> None:
        """Warn of the bytes that were replaced, if any."""
        if self.n_of_file:
            n_bytes = sum(self.n_of_file.values())
            names = join_names(self.n_of_file)
            warn(f"{n_bytes} bytes that are not UTF-8 replaced in {len(self.n_of_file)} files: {names}")
