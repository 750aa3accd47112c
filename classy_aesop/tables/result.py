"""The result of a command or function: a table with its declaration and all that its numbers depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from io import StringIO
from os import PathLike
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from classy_aesop.keywords import explain_keywords
from classy_aesop.tables.presentation import Presentation

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from classy_aesop.tables.answer import Answer
    from classy_aesop.tables.result_columns import Column

MAX_NOTEBOOK_ROWS = 40
"""Rows that a notebook shows of a table."""

NAMES_OF_PARTS = {
    "best": "result.sentence, or list(result)[0]",
    "data": "result.table",
    "df": "result.table",
    "frame": "result.table",
    "save": "result.to_csv(path)",
    "savefig": "result.plot().figure.savefig(path)",
    "show": "print(result)",
    "summary": "print(result)",
    "summary_frame": "result.table",
    "to_dataframe": "result.table",
    "to_frame": "result.table",
    "to_pandas": "result.table",
    "winner": "result.sentence, or list(result)[0]",
}
"""What results of other libraries call the parts of ours."""

NAMES_OF_P_VALUES = ("p_value", "p_values", "pval", "pvalue", "pvalues")
NAMES_OF_INTERVALS = ("ci", "conf_int", "confidence_interval")
KEYWORDS_OF_PANDAS = {
    name: f"result.table.{{}}(path, {name}=...)" for name in ("index", "sep", "na_rep", "float_format")
}
"""Keywords of a DataFrame's methods, which its table has."""


def _keywords_of_pandas(method: str) -> dict[str, str]:
    """Say for keywords that pandas has for a method of this name where they are."""
    return {name: advice.format(method) for name, advice in KEYWORDS_OF_PANDAS.items()}


@dataclass(frozen=True)
class Result:
    """A table, with all that is needed to write it; where a command returns it, the program adds signature and kind.

    Attributes
    ----------
    table : DataFrame
        One row an estimate. Whole numbers are ``int64``, and ``Int64`` where one is missing.
    recorded : mapping
        What its numbers depend on beside the options of the command, in the place of options of the same name; None
        takes an option out of the signature.
    notes, lines, first
        Lines below it for human readers; a function that gives lines for them instead of the table; and one that gives
        a result to be shown above it.
    parts : sequence of Result
        Tables that readers get one below another instead of its own, which files for programs have.
    gate : (bool, str), optional
        Whether it passes the gate of ``--fail-if``, and the sentence that says so.
    answer : Answer, optional
        What is declared of the table and its columns.
    kind : str
        The command as it is typed: ``compare --pairs``, ``study human-gap``; that of an answer is its name. Empty for a
        table that no command wrote.
    signature : str
        The kind and all that its numbers depend on, as its files have it.
    presentation : Presentation
        Which columns readers get, and under which names.

    Examples
    --------
    A table of a function of this package, as a picture in a notebook:

    >>> import pandas as pd
    >>> from classy_aesop import compare_pairs
    >>> scores = pd.DataFrame({"topic": [1, 2, 3] * 2, "system": sorted("ab" * 3), "m": [5, 4, 5, 2, 2, 1]})
    >>> pairs = compare_pairs(scores, "m", test="paired_t")
    >>> [text.get_text() for text in pairs.plot().texts]
    ['a − b']

    It is printed as on a screen, and its columns and rows are those of its table:

    >>> print(pairs.sentence)
    a minus b is +3.000 [0.516, 5.484], which is significant (p = 0.035).
    >>> len(pairs), pairs["difference"].tolist(), [row["first"] for row in pairs]
    (1, [3.0], ['a'])
    """

    table: pd.DataFrame
    recorded: Mapping[str, object] = field(default_factory=dict)
    notes: Sequence[str] = ()
    lines: Callable[[], Iterable[str]] | None = None
    first: Callable[[], Result] | None = None
    parts: Sequence[Result] = ()
    gate: tuple[bool, str] | None = None
    kind: str = ""
    signature: str = ""
    answer: Answer | None = None
    presentation: Presentation = field(default_factory=Presentation)

    def __post_init__(self) -> None:
        if self.answer is not None:
            object.__setattr__(self, "kind", self.answer.name)
        import pandas as pd

        types = self.table.dtypes
        nullable = [name for name, dtype in types.items() if isinstance(dtype, pd.Int64Dtype)]
        if complete := [name for name in nullable if self.table[name].notna().all()]:
            object.__setattr__(self, "table", self.table.astype(dict.fromkeys(complete, "int64")))

    @property
    def sentence(self) -> str:
        """The finding, in a sentence; empty without rows or without an answer."""
        return self.answer.sentence(self.table) if self.answer is not None and len(self.table) else ""

    def __repr__(self) -> str:
        """Write it as a screen shows it: the finding, and the first rows of the table."""
        write: Callable[..., list[str]] = resolve_name("classy_aesop.pages.screen:lines_of_screen")
        lines = write(
            self, max_rows=MAX_NOTEBOOK_ROWS, source_of_all=".table", source_of_first=".first().table"
        )
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[dict[str, object]]:
        """Give each row of the table as a dictionary."""
        names = list(map(str, self.table))
        return (dict(zip(names, row, strict=True)) for row in self.table.itertuples(index=False, name=None))

    def __contains__(self, column: object) -> bool:
        return column in self.table

    def __getitem__(self, selection: Any) -> Any:
        """Give a column of the table, or what else it gives in brackets."""
        try:
            return self.table[selection]
        except KeyError:
            advice = "; of a row write list(result)[NUMBER]" if isinstance(selection, int) else ""
            if isinstance(selection, str) and (instead := self._part_called(selection)):
                advice = f"; write {instead}"
            raise KeyError(
                f"no column {selection!r}; expected one of {', '.join(map(str, self.table))}{advice}"
            ) from None

    def _repr_html_(self) -> str:
        """Show a notebook the sentence, and the table as readers get it."""
        import pandas as pd

        if self.answer is None:
            return str(self.table.to_html(index=False, max_rows=MAX_NOTEBOOK_ROWS))
        from classy_aesop.tables.layout import lay_out, texts_of_columns

        layout = lay_out(self.table, self.answer)
        shared = layout.shared_text()
        paragraphs = [text for text in (self.sentence, shared) if text]
        texts = pd.DataFrame({name: cells for name, *cells in texts_of_columns(layout.table)})
        head = "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
        return head + str(texts.to_html(index=False, max_rows=MAX_NOTEBOOK_ROWS, border=0))

    @explain_keywords(**_keywords_of_pandas("to_csv"))
    def to_csv(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the whole table as CSV, as ``-f csv`` does, or give it as text.

        Parameters
        ----------
        path : path-like, optional
            Where it is written; by default it is returned.

        Returns
        -------
        str or None
            The text, if there is no path.

        Examples
        --------
        >>> import pandas as pd
        >>> print(Result(pd.DataFrame({"a": [1]}), kind="compare").to_csv().splitlines()[-1])
        1
        """
        stream = StringIO()
        resolve_name("classy_aesop.pages.formats:write_result")(self, stream, "csv")
        return _return_or_write(stream.getvalue(), path)

    @explain_keywords(**_keywords_of_pandas("to_html"))
    def to_html(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write a page to send: the sentence, pictures and the table, with its numbers inside, or give it as text.

        Parameters
        ----------
        path : path-like, optional
            Where it is written; by default it is returned.

        Returns
        -------
        str or None
            The HTML, if there is no path.

        Raises
        ------
        UsageError
            matplotlib or jinja2 is not installed.
        """
        text: str = resolve_name("classy_aesop.pages.contents:html_of_result")(self)
        return _return_or_write(text, path)

    def __getattr__(self, name: str) -> object:
        """Say what to write where a result is taken for its table, or for that of another library."""
        advice = "" if name.startswith("_") else self._part_called(name)
        raise AttributeError(f"Result has no attribute {name!r}{advice and f'; write {advice}'}")

    def _part_called(self, name: str) -> str:
        """Say what to write for a part that is called otherwise in another library; nothing of an unknown one."""
        import pandas as pd

        ends = [end for end in ("low", "high") if end in self.table]
        if name in NAMES_OF_PARTS:
            return NAMES_OF_PARTS[name]
        if name in self.table:
            return f"result[{name!r}]"
        if name in NAMES_OF_P_VALUES:
            p_values = [column for column in ("p_adjusted", "p") if column in self.table]
            return f"result[{p_values[0]!r}]" if p_values else "result.table"
        if name in NAMES_OF_INTERVALS and ends:
            return f"result[{ends}]"
        return f"result.table.{name}" if hasattr(pd.DataFrame, name) else ""

    @property
    def columns(self) -> dict[str, Column]:
        """What is declared of each column of the table, by its name; nothing of a table without an answer.

        Examples
        --------
        >>> import pandas as pd
        >>> from classy_aesop.answers.systems import SYSTEM_RANKING
        >>> Result(pd.DataFrame({"wins": [1]}), answer=SYSTEM_RANKING).columns["wins"].meaning
        'summarizers that it is significantly better than'
        """
        declared = {} if self.answer is None else self.answer.columns_by_name
        return {name: declared[name] for name in self.table if name in declared}

    @explain_keywords(**_keywords_of_pandas("to_latex"))
    def to_latex(
        self,
        path: str | PathLike[str] | None = None,
        *,
        columns_shown: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
        label: str = "",
    ) -> str | None:
        """Write the table for a paper, as LaTeX of the package booktabs, or give it as text.

        Parameters
        ----------
        path : path-like, optional
            Where it is written; by default it is returned.
        columns_shown, rename, label
            See :class:`classy_aesop.tables.presentation.Presentation`.

        Returns
        -------
        str or None
            A ``table``, or ``table*``, if there is no path; notes and signature are comments above it.

        Raises
        ------
        UsageError
            There is no such column.

        Examples
        --------
        >>> import pandas as pd
        >>> from classy_aesop import compare_pairs
        >>> scores = pd.DataFrame({"topic": [1, 2, 3] * 2, "system": sorted("ab" * 3), "m": [5, 4, 5, 2, 2, 1]})
        >>> pairs = compare_pairs(scores, "m", test="paired_t")
        >>> text = pairs.to_latex(columns_shown=["first", "second", "difference"], rename={"a": "Ours"})
        >>> [line for line in text.splitlines() if "Ours" in line]
        ['Ours & b & 3.000$^{*}$ [0.516, 5.484] \\\\\\\\']
        """
        write: Callable[..., str] = resolve_name("classy_aesop.pages.formats:latex_of")
        text = write({"": self}, Presentation(columns_shown, dict(rename or {}), label))
        return _return_or_write(text, path)

    @explain_keywords(kind="result.table.plot(kind=...)", path="result.plot().figure.savefig(path)")
    def plot(self, *, ax: Axes | None = None) -> Axes | list[Axes]:
        """Draw the pictures that its page has: the only one, or one for each year, task and metric.

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
        pictures: list[Axes] = resolve_name("classy_aesop.pages.figure:plot")(self, ax=ax)
        return pictures[0] if len(pictures) == 1 else pictures


def make_answer_result(
    answer: Answer, table: pd.DataFrame, recorded: Mapping[str, object] | None = None, **settings: object
) -> Result:
    """Make the result of an answer: its columns, without years and tasks that nobody has; ``settings`` are signed."""
    from classy_aesop.data.scores import drop_empty_stratum_columns
    from classy_aesop.work.records import signature

    return Result(
        drop_empty_stratum_columns(answer.order_columns(table)),
        recorded or {},
        signature=signature(command=answer.name, **settings),
        answer=answer,
    )


def run_result(answer: Answer, table: pd.DataFrame, signature_of_run: str) -> Result:
    """Make the result of a run's table, whose signature begins with the name of its answer."""
    return Result(table, answer=answer, signature=f"command:{answer.name}|{signature_of_run}")


def _return_or_write(text: str, path: str | PathLike[str] | None) -> str | None:
    """Write a text to a path; without one return it."""
    if path is None:
        return text
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return None
