"""What a command found: a table, how it is arranged for readers, and what its numbers depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """A table, with all that is needed to write it.

    Attributes
    ----------
    table : DataFrame
        One row a finding.
    signed : mapping
        What its numbers depend on beside the options of the command: parts of the signature, in the place of options
        of the same name; None takes an option out.
    wide : str
        The function of `report.wide` that arranges the table for human readers, if any.
    notes : sequence of str
        Lines below it for human readers.
    lines : callable, optional
        Gives the lines that human readers get instead of the table.
    """

    table: pd.DataFrame
    signed: Mapping[str, object] = field(default_factory=dict)
    wide: str = ""
    notes: Sequence[str] = ()
    lines: Callable[[], Iterable[str]] | None = None
