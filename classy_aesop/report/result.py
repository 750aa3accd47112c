"""What was found: a table that knows what it is and what its numbers depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Result:
    """A table, with all that is needed to write it. A command gives it; the program adds its signature and its kind.

    Attributes
    ----------
    table : DataFrame
        One row a finding. Whole numbers are ``int64``, and ``Int64`` where one is missing.
    signed : mapping
        What its numbers depend on beside the options of the command, in the place of options of the same name; None
        takes an option out of the signature.
    notes, lines, first
        Lines below it for human readers; what gives the lines that they get instead of the table, or a result above it.
    gate : (bool, str), optional
        Whether it passes the gate that was asked for (``--fail-if``), and the sentence that says so.
    kind : str
        What was done, as it is typed: ``compare --pairs``, ``study human-gap``. Empty for a table of somebody else.
    signature : str
        The kind and all that its numbers depend on, as its files have it.

    Examples
    --------
    A table of a function of this package, as a picture in a notebook:

    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"first": ["a"], "second": ["b"], "difference": [2.75], "significant": [True]})
    >>> ax = Result(pairs, kind="compare --pairs").plot()
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b']
    """

    table: pd.DataFrame
    signed: Mapping[str, object] = field(default_factory=dict)
    notes: Sequence[str] = ()
    lines: Callable[[], Iterable[str]] | None = None
    first: Callable[[], Result] | None = None
    gate: tuple[bool, str] | None = None
    kind: str = ""
    signature: str = ""

    def __post_init__(self) -> None:
        nullable = self.table.select_dtypes("Int64")
        if complete := [name for name, values in nullable.items() if values.notna().all()]:
            object.__setattr__(self, "table", self.table.astype(dict.fromkeys(complete, "int64")))

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
        drawn: list[Axes] = resolve_name("classy_aesop.report.figure:plot")(self, ax=ax)
        return drawn[0] if len(drawn) == 1 else drawn


def train_result(kind: str, table: pd.DataFrame, signed: str) -> Result:
    """Give a table of an experiment, whose signature is ``signed``; its kind is ``train KIND``."""
    return Result(table, kind=f"train {kind}", signature=f"command:train {kind}|{signed}")
