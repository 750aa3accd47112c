"""Every format of a table: files that are read back, and text, LaTeX, Markdown and HTML for readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import TextIO

from classy_aesop.answers.declared import answer_of, declared_answer
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.tables.presentation import Presentation
from classy_aesop.tables.result import Result


@dataclass(frozen=True)
class Format:
    """A way to write a table: to a stream of text, or to its buffer; the endings of names that ask for it."""

    writer: Callable[[Result, TextIO], object] | str  # ``module:function`` is imported when it is needed
    endings: tuple[str, ...] = ()
    needs: str = ""
    """The package that writes bytes."""

    @property
    def write(self) -> Callable[[Result, TextIO], object]:
        """What writes, imported."""
        return resolve_name(f"classy_aesop.{self.writer}") if isinstance(self.writer, str) else self.writer

    def check(self, name: str) -> None:
        """Raise `UsageError` if its package is not installed."""
        if self.needs and find_spec(self.needs) is None:
            raise UsageError(f"-f {name} needs {self.needs}: pip install {self.needs}")


def write_result(result: Result, stream: TextIO, format: str) -> None:
    """Write a result in one of `TABLE_FORMATS`; those for readers have it as they get it, with its notes below."""
    TABLE_FORMATS[format].write(result, stream)


def save_result(result: Result, path: Path, format: str) -> None:
    """Write a result to a file, in one of `TABLE_FORMATS`."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        write_result(result, stream, format)


def write_latex(result: Result, stream: TextIO) -> None:
    """A ``table`` of LaTeX (package booktabs)."""
    stream.write("\n".join(latex_of({"": part}, result.presentation) for part in readers_tables(result)))


def readers_tables(result: Result) -> Sequence[Result]:
    """Give the tables that readers get of a result: itself, or its parts, the last of which has its signature."""
    *parts, last = result.parts or [result]
    return [*parts, replace(last, signature=result.signature)]


def latex_of(results: Mapping[str, Result], presentation: Presentation) -> str:
    """Write one table of LaTeX, of several results side by side, each below its title."""
    from classy_aesop.tables.layout import lay_out
    from classy_aesop.tables.markup import columns_of_paper, latex_text

    printed = results
    if not presentation.columns_shown:
        printed = {
            name: part for title, result in results.items() for name, part in _results_of_paper(title, result)
        }
    layouts = {title: lay_out(result.table, answer_of(result)) for title, result in printed.items()}
    if not presentation.columns_shown:
        layouts = {title: columns_of_paper(layout) for title, layout in layouts.items()}
    layouts = {title: presentation.apply(layout) for title, layout in layouts.items()}
    notes = [note for result in results.values() for note in (*result.notes, result.signature) if note]
    label = presentation.label or default_label(next(iter(results.values())).kind)
    return latex_text(layouts, notes, label=label)


def _results_of_paper(title: str, result: Result) -> Iterator[tuple[str, Result]]:
    """Give the tables that a paper prints of a result, by their titles: the one above it, or its parts side by side."""
    if result.first is not None and answer_of(result).prints_first:
        result = result.first()
    answer = answer_of(result)
    table = result.table.drop(columns=list(answer.not_printed), errors="ignore")
    if title or answer.beside not in table or table[answer.beside].nunique() < 2:
        yield title, replace(result, table=table)
        return
    for name, rows in table.groupby(answer.beside, sort=False):
        yield str(name), replace(result, table=rows.drop(columns=answer.beside))


def default_label(kind: str) -> str:
    """Give the label of a LaTeX table that has no other, by the command that made it; none without one.

    Examples
    --------
    >>> default_label("compare --pairs")
    'tab:compare-pairs'
    """
    return f"tab:{'-'.join(re.findall('[a-z0-9]+', kind.lower()))}" if kind else ""


def write_markdown(result: Result, stream: TextIO) -> None:
    """A table of Markdown below the sentence that it answers with."""
    from classy_aesop.tables.layout import lay_out
    from classy_aesop.tables.markup import markdown_text

    texts = []
    for part in readers_tables(result):
        layout = result.presentation.apply(lay_out(part.table, answer_of(part)))
        texts.append(markdown_text(layout, part.notes, part.signature, gate=result.gate))
    stream.write("\n".join(texts))


TABLE_FORMATS = {
    "text": Format("pages.screen:write_screen"),
    "tsv": Format("tables.result_files:write_tsv", endings=(".tsv",)),
    "csv": Format("tables.result_files:write_csv", endings=(".csv",)),
    "jsonl": Format("tables.result_files:write_result_lines", endings=(".jsonl",)),
    "json": Format("tables.result_files:write_json", endings=(".json",)),
    "parquet": Format("tables.result_files:write_parquet", endings=(".parquet",), needs="pyarrow"),
    "xlsx": Format("tables.result_files:write_xlsx", endings=(".xlsx",), needs="openpyxl"),
    "latex": Format(write_latex, endings=(".tex",)),
    "markdown": Format(write_markdown, endings=(".md",)),
    "html": Format("pages.contents:write_html", endings=(".html", ".htm")),
}
"""Formats by name."""


def format_of(path: str | None, default: str) -> str:
    """Name the format that the ending of a file's name asks for, which may be followed by that of a compression."""
    from classy_aesop.reading.byte_sources import plain_name

    ending = Path(plain_name(path or "")).suffix.lower()
    return next((name for name, format in TABLE_FORMATS.items() if ending in format.endings), default)


# --- reading ---


def read_result(path: str | Path) -> Result:
    """Read what `write_result` wrote as TSV, CSV, JSON, JSON lines, Parquet or Excel, see `read_table`.

    Examples
    --------
    >>> result = read_result("classy_aesop/sample/tutorial/autumn-judge.tsv")
    >>> result.table.head(1).values.tolist()
    [['D2201', 'system-01', 7]]
    """
    from classy_aesop.tables.result_files import read_table

    return read_table(path, declared_answer)


def check_columns(result: Result, path: str | Path | None = None) -> None:
    """Refuse a table without the columns that every such table has."""
    missing = [name for name in answer_of(result).required_names if name not in result.table]
    if missing:
        raise InputError(
            f"no column {join_names(missing)}; expected a table that this version of {result.kind.split()[0]} wrote",
            path=path,
        )
