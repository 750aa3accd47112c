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
        self.stated = {reason for reason, _ in table.left_out}
        self.unused_systems: list[str] = []

    @property
    def is_used(self) -> np.ndarray:
        """Whether each row of the table is used."""
        is_used: np.ndarray = self.reasons[: self.table.n_rows] == ""
        return is_used

    @property
    def n_read(self) -> int:
        """The number of rows that were read."""
        return len(self.reasons)

    def leave_out(self, rows: np.ndarray, reason: str, *, is_stated: bool = False) -> None:
        """Leave out rows of the table that are used; what the file itself states is noted, the rest a warning."""
        self.reasons[np.flatnonzero(self.is_used & rows)] = reason
        if is_stated:
            self.stated.add(reason)

    def count_left_out(self) -> dict[str, int]:
        """Count the rows that are left out by their reason, in the order of the file."""
        return dict(Counter(self.reasons[self.reasons != ""].tolist()))

    def note_unused_systems(self, present: Iterable[str], used: Iterable[str]) -> None:
        """Note the names of systems that stand in a column, and in no row that is used."""
        self.unused_systems = sorted({*present} - {*used, ""})

    def lines(self) -> Iterator[tuple[str, bool]]:
        """Say each reason in a line with its first place, and names of which no row is used; and whether to warn."""
        for reason, n in self.count_left_out().items():
            place = self.places[int(np.argmax(self.reasons == reason))].describe_within(self.table.name)
            yield (
                f"{n} of {self.n_read} rows left out: {reason} (first: {place})",
                reason not in self.stated,
            )
        if self.unused_systems:
            yield f"no row is used of the system {join_names(self.unused_systems, limit=6)}", False

    def say(self) -> None:
        """Warn of what is left out, and note what the file itself leaves out."""
        for line, is_warning in self.lines():
            if is_warning:
                warn(f"{self.table.prefix}{line}")
            else:
                _LOG.log(NOTE, "%s%s", self.table.prefix, line)
