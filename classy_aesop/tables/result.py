"""What was found: a table that knows what it is and what its numbers depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from classy_aesop.tables.answer import Answer
    from classy_aesop.tables.result_columns import Column


@dataclass(frozen=True)
class Result:
    """A table, with all that is needed to write it. A command gives it; the program adds its signature and its kind.

    Attributes
    ----------
    table : DataFrame
        One row an estimate. Whole numbers are ``int64``, and ``Int64`` where one is missing.
    recorded : mapping
        What its numbers depend on beside the options of the command, in the place of options of the same name; None
        takes an option out of the signature.
    notes, lines, first
        Lines below it for human readers; what gives the lines that they get instead of the table, or a result above it.
    gate : (bool, str), optional
        Whether it passes the gate that was asked for (``--fail-if``), and the sentence that says so.
    answer : Answer, optional
        What is declared of the table and its columns.
    kind : str
        What was done, as it is typed: ``compare --pairs``, ``study human-gap``. Empty for a table of somebody else.
        That of an answer is its name.
    signature : str
        The kind and all that its numbers depend on, as its files have it.

    Examples
    --------
    A table of a function of this package, as a picture in a notebook:

    >>> import pandas as pd
    >>> from classy_aesop import compare_pairs
    >>> scores = pd.DataFrame({"topic": [1, 2, 3] * 2, "system": sorted("ab" * 3), "m": [5, 4, 5, 2, 2, 1]})
    >>> ax = compare_pairs(scores, "m", test="paired_t").plot()
    >>> [text.get_text() for text in ax.texts]
    ['a']
    """

    table: pd.DataFrame
    recorded: Mapping[str, object] = field(default_factory=dict)
    notes: Sequence[str] = ()
    lines: Callable[[], Iterable[str]] | None = None
    first: Callable[[], Result] | None = None
    gate: tuple[bool, str] | None = None
    kind: str = ""
    signature: str = ""
    answer: Answer | None = None

    def __post_init__(self) -> None:
        if self.answer is not None:
            object.__setattr__(self, "kind", self.answer.name)
        nullable = self.table.select_dtypes("Int64")
        if complete := [name for name, values in nullable.items() if values.notna().all()]:
            object.__setattr__(self, "table", self.table.astype(dict.fromkeys(complete, "int64")))

    @property
    def sentence(self) -> str:
        """What was found, in a sentence; nothing of no rows or of a table without an answer."""
        return self.answer.sentence(self.table) if self.answer is not None and len(self.table) else ""

    def _repr_html_(self) -> str:
        table: str = self.table.to_html(index=False, max_rows=20)
        return f"<p>{escape(self.sentence)}</p>{table}" if self.sentence else table

    @property
    def columns(self) -> dict[str, Column]:
        """What is declared of each column of the table, by its name; nothing of a table without an answer.

        Examples
        --------
        >>> import pandas as pd
        >>> from classy_aesop.answers.systems import RANKING
        >>> Result(pd.DataFrame({"wins": [1]}), answer=RANKING).columns["wins"].meaning
        'summarizers that it is significantly better than'
        """
        declared = {} if self.answer is None else self.answer.by_name
        return {name: declared[name] for name in self.table if name in declared}

    def plot(self, *, ax: Axes | None = None) -> Axes | list[Axes]:
        """Draw what its page draws of its kind: the only picture, or one a year, task, metric.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where the only picture is drawn; by default each has a figure of its own.

        Returns
        -------
        matplotlib Axes, or a list of them where there are several pictures

        Raises
        ------
        UsageError
            There is no picture of this kind, there are several for one ``ax``, or matplotlib is not installed.
        InputError
            The table has not the columns of its kind.
        """
        drawn: list[Axes] = resolve_name("classy_aesop.pages.figure:plot")(self, ax=ax)
        return drawn[0] if len(drawn) == 1 else drawn


def run_result(answer: Answer, table: pd.DataFrame, signature_of_run: str) -> Result:
    """Give a table of a run, whose signature begins with its own name."""
    return Result(table, answer=answer, signature=f"command:{answer.name}|{signature_of_run}")
