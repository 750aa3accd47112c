"""What a page holds: sections of sentences, pictures and tables, before it becomes HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from classy_aesop.report.result import Result


@dataclass(frozen=True, eq=False)
class Table:
    """A table to read, sort and download.

    Parameters
    ----------
    name : str
        What its files are called.
    result : Result
        All of it, as it is saved, with its kind; its notes are written below it.
    caption : str
        What it shows.
    """

    name: str
    result: Result
    caption: str


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture, drawn when the page is written.

    Parameters
    ----------
    caption : str
        What it shows, for those who do not see it too.
    draw : callable
        Draws on the matplotlib axes that it is given as ``ax``.
    height, width : float
        In inches, without the names at the sides.
    """

    caption: str
    draw: Callable[..., object]
    height: float = 3.0
    width: float = 3.4


@dataclass(frozen=True)
class Section:
    """A part of a page.

    Parameters
    ----------
    title : str
    text : sequence of str
        Paragraphs.
    items : sequence of Picture or Table
    points : sequence of str
        A list below the paragraphs.
    code : str
        Something to read letter by letter, such as a command.
    folded : bool
        Whether it is closed at first.
    """

    title: str
    text: Sequence[str] = ()
    items: Sequence[Picture | Table] = ()
    points: Sequence[str] = ()
    code: str = ""
    folded: bool | None = None

    @property
    def pictures(self) -> list[Picture]:
        """Its pictures, which stand above its tables."""
        return [item for item in self.items if isinstance(item, Picture)]

    @property
    def tables(self) -> list[Table]:
        """Its tables."""
        return [item for item in self.items if isinstance(item, Table)]


@dataclass(frozen=True)
class Page:
    """A page: its title, the sentences that come first, and its sections."""

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]


def cells_wide(n: int) -> float:
    """Give the side in inches of a square matrix with so many rows."""
    return max(2.6, min(0.17 * n, 2.6 + 0.07 * n))


def rows_high(n: int, *, least: float = 1.2) -> float:
    """Give the height in inches of a picture with so many rows."""
    return max(least, 0.6 + 0.19 * n)
