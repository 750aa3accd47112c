"""Where a row was found, for messages that name the file and the line."""

from __future__ import annotations

import msgspec

from classy_aesop.errors import InputError


class Where(msgspec.Struct, frozen=True):
    """Where something was read: a line or record of a file, a row of a table, a whole file, or a record in memory."""

    path: str | None = None
    line: int | None = None
    unit: str = "line"

    def __str__(self) -> str:
        if self.path is None:
            return f"record {self.line}"
        return self.path if self.line is None else f"{self.path}, {self.unit} {self.line}"

    def describe_within(self, path: str | None) -> str:
        """Name the place where the file is named already."""
        return (
            f"{self.unit} {self.line}" if self.path == path and path and self.line is not None else str(self)
        )

    def error(self, message: str, *, advice: str = "") -> InputError:
        """Make an error with this place and a message; the caller raises it."""
        if self.path is None and self.line is not None:
            return InputError(f"record {self.line}: {message}", advice=advice)
        return InputError(message, path=self.path, line=self.line, unit=self.unit, advice=advice)
