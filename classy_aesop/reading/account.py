"""What became of the rows that were read: rows read = rows used + rows left out, each for one reason that is said."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from classy_aesop.errors import NOTE, join_names, warn
from classy_aesop.reading.columns import Table

_LOG = logging.getLogger(__name__)


class RowAccount:
    """The rows of a table, and why some are left out: the first reason that holds for a row is its reason."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.places = [*table.places, *(where for _, where in table.left_out)]
        self.reasons = np.array([""] * table.n_rows + [reason for reason, _ in table.left_out], object)
        self.is_used = self.reasons[: table.n_rows] == ""
        self.stated = {reason for reason, _ in table.left_out}
        self.unused: dict[str, list[str]] = {}

    @property
    def n_read(self) -> int:
        """The number of rows that were read."""
        return len(self.reasons)

    def leave_out(self, rows: np.ndarray, reason: str, *, is_stated: bool = False) -> None:
        """Leave out rows of the table that are used; what the file itself states is noted, the rest a warning."""
        is_newly_left_out = self.is_used & rows
        if is_newly_left_out.any():
            self.reasons[np.flatnonzero(is_newly_left_out)] = reason
            self.is_used &= ~is_newly_left_out
            self.stated |= {reason} if is_stated else set()

    def count_left_out(self) -> dict[str, int]:
        """Count the rows that are left out by their reason, in the order of the file."""
        return dict(Counter(self.reasons[self.reasons != ""].tolist()))

    def note_unused(self, role: str, present: Iterable[str], used: Iterable[str]) -> None:
        """Note names that stand in a column, and in no row that is used."""
        if names := sorted({*present} - {*used, ""}):
            self.unused[role] = names

    def lines(self) -> Iterator[tuple[str, bool]]:
        """Say each reason in a line with its first place, and names of which no row is used; and whether to warn."""
        for reason, n in self.count_left_out().items():
            place = self.places[self.reasons.tolist().index(reason)].describe_within(self.table.name)
            yield f"{n} of {self.n_read} rows left out: {reason} (first: {place})", reason not in self.stated
        for role, names in self.unused.items():
            yield f"no row is used of {role} {join_names(names, limit=6)}", False

    def say(self) -> None:
        """Warn of what is left out, and note what the file itself leaves out."""
        for line, is_warning in self.lines():
            if is_warning:
                warn(f"{self.table.prefix}{line}")
            else:
                _LOG.log(NOTE, "%s%s", self.table.prefix, line)
