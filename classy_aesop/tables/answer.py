"""An answer: the declared columns of its table, the sentence that summarizes it, and its pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from classy_aesop.tables.result_columns import Column, Purpose

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.plots.captioned import Picture

NameColumns = Callable[["pd.DataFrame"], Sequence[str]]


def say_nothing(rows: pd.DataFrame) -> str:
    """Give no sentence, for answers without one."""
    return ""


def draw_nothing(rows: pd.DataFrame) -> Iterable[Picture]:
    """Give no picture, for answers without one."""
    return ()


@dataclass(frozen=True)
class Answer:
    """The declaration of a table that answers one question: its columns, sentence and pictures.

    Attributes
    ----------
    name : str
        The command that gives it, as it is typed.
    caption : str
        What the table shows.
    columns : tuple of Column
        In the order of files.
    question : str
        What it answers, the title of a page that begins with it; by default pages have the caption.
    sentence, pictures
        Functions of the rows: the finding, in one sentence; and what is drawn of one stratum.
    drawn_together : tuple of str
        Strata whose values are in one picture.
    shown_first : tuple of str
        Cells that readers get first, after the strata; the others follow in the order of files.
    sorted_by : tuple of str
        Columns that order the rows of a stratum for readers; by default rows stay as they are.
    arrange_rows : callable, optional
        Gives readers other rows than files have: a wide table, or names for empty cells. Columns that it makes and
        that are not declared are estimates.
    arranged_columns : tuple of Column
        Declarations of columns that it makes, where they are no estimates.
    choose_bold_columns : callable
        Gives those columns of the arranged table whose greatest number in each stratum is in bold.
    block : str
        A column with a line between rows where its value changes.
    max_rows : int
        Rows that a page shows; files have all.
    prints_first : bool
        Whether a paper prints the table that stands above it, if there is one.
    beside : str
        A column whose values a paper prints as tables side by side.
    not_printed : tuple of str
        Columns that a paper leaves out.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    question: str = ""
    sentence: Callable[[pd.DataFrame], str] = say_nothing
    pictures: Callable[[pd.DataFrame], Picture | Iterable[Picture]] = draw_nothing
    drawn_together: tuple[str, ...] = ()
    shown_first: tuple[str, ...] = ()
    sorted_by: tuple[str, ...] = ()
    arrange_rows: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    arranged_columns: tuple[Column, ...] = ()
    choose_bold_columns: NameColumns = lambda _: ()
    block: str = ""
    max_rows: int = 200
    prints_first: bool = False
    beside: str = ""
    not_printed: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Column:
        return self.columns_by_name[name]

    @cached_property
    def columns_by_name(self) -> dict[str, Column]:
        """The columns by their names."""
        return {column.name: column for column in self.columns}

    @property
    def names(self) -> list[str]:
        """The names of the columns, in the order of files."""
        return [column.name for column in self.columns]

    @property
    def required_names(self) -> list[str]:
        """The names of the columns that every such table has."""
        return [column.name for column in self.columns if not column.is_optional]

    @property
    def has_pictures(self) -> bool:
        """Whether its tables are drawn."""
        return self.pictures is not draw_nothing

    @property
    def has_panels(self) -> bool:
        """Whether its pictures are panels of one figure, as a paper prints them, which say what they are of."""
        return self.name.startswith("study ")

    def columns_of_purpose(self, purpose: Purpose) -> Iterator[Column]:
        """Give the columns of a purpose."""
        return (column for column in self.columns if column.purpose is purpose)

    def strata_in(self, rows: pd.DataFrame, *, but: Iterable[str] = ()) -> list[str]:
        """Give the columns of strata that a table has, but for some."""
        return [
            column.name
            for column in self.columns_of_purpose(Purpose.STRATUM)
            if column.name in rows and column.name not in but
        ]

    def order_columns(self, table: pd.DataFrame) -> pd.DataFrame:
        """Keep the declared columns of a table, in the order of files."""
        given_names = [*table]
        names = [name for name in self.columns_by_name if name in given_names]
        return table if names == given_names else table[names]

    def make_table(self, columns: Mapping[str, object]) -> pd.DataFrame:
        """Make a table of the declared among some columns, in the order of files."""
        import pandas as pd

        return pd.DataFrame({name: columns[name] for name in self.columns_by_name if name in columns})

    def describe_columns(self) -> Sequence[tuple[str, str, str]]:
        """Give the name, the purpose and the meaning of each column, for documents and help."""
        return [(column.name, column.purpose.name.lower(), column.meaning) for column in self.columns]
