"""Tables as LaTeX (package booktabs) and Markdown, in the arrangement for readers: the best in bold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

import pandas as pd

from classy_aesop.report.arrangement import cells_of, is_number
from classy_aesop.report.kinds import Layout, answer, kind_of, layout
from classy_aesop.report.result import Result
from classy_aesop.report.sentences import varying
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant

_P_VALUES = ("p_adjusted", "p_here_adjusted", "p_overall", "p_by_first", "p_equivalence")
"""Columns of corrected p-values, those at most `ALPHA` of which are marked; without any, those of ``p``."""

_STAR = "$^{*}$"


def write_latex(result: Result, stream: TextIO) -> None:
    """A ``table`` of LaTeX in the arrangement for readers, with notes and signature as comments.

    The caption says what the table shows, and its constant columns; the greatest number in each place is in bold.
    """
    shown = layout(result)
    table, columns = shown.table, list(_latex_columns(shown))
    every = "".join(text for column in columns for text in column)
    said = [kind_of(result).caption, shown.said_once()]
    said += ["the best in bold"] if "\\textbf" in every else []
    said += [f"*: p at most {ALPHA:g}"] if _STAR in every else []
    head, *lines = [" & ".join(row) + " \\\\" for row in zip(*columns, strict=True)]
    clusters = table.get("cluster", pd.Series("", index=table.index)).astype(str)
    is_new = clusters.ne(clusters.shift(fill_value=clusters.iloc[0] if len(clusters) else ""))
    lines = [f"\\midrule\n{line}" if new else line for line, new in zip(lines, is_new, strict=True)]
    kinds = "".join("r" if is_number(table[name]) else "l" for name in table)
    parts = [f"% {line}" for line in "\n".join((*result.notes, result.signature)).splitlines()]
    parts += ["\\begin{table}", "\\centering", f"\\caption{{{in_latex('; '.join(filter(None, said)))}}}"]
    parts += [f"\\begin{{tabular}}{{{kinds}}}", "\\toprule", head, "\\midrule", *lines, "\\bottomrule"]
    stream.write("\n".join([*parts, "\\end{tabular}", "\\end{table}"]) + "\n")


def _latex_columns(shown: Layout) -> Iterator[list[str]]:
    """Give each column, its name first; a sign for each metric stands below another, and p-values have stars."""
    tested = [one for one in _P_VALUES if one in shown.table] or ["p"]
    for name, (head, *texts) in zip(shown.table, cells_of(shown.table), strict=True):
        values, texts = shown.table[name], list(map(in_latex, texts))
        if name in shown.best:
            texts = _marked(texts, is_best(shown.table, str(name)), "\\textbf{{{}}}")
        if name == "beats":
            texts = [f"\\texttt{{{text}}}" for text in texts]
        if name in tested and is_number(values):
            texts = _marked(
                texts, is_significant(values.to_numpy(float)), f"{{}}{_STAR.replace('{*}', '{{*}}')}"
            )
        yield [in_latex(head), *texts]


def _marked(texts: Iterable[str], marks: Iterable[bool], form: str) -> list[str]:
    return [form.format(text) if mark else text for text, mark in zip(texts, marks, strict=True)]


def is_best(table: pd.DataFrame, name: str) -> pd.Series:
    """Say which rows have the greatest number of a column in their place, if that has several rows."""
    numbers = pd.to_numeric(table[name].map(lambda cell: str(cell).partition(" ")[0]), errors="coerce")
    places = [table[column] for column in varying(table, but="metric")]
    of_place = numbers.groupby(places) if places else numbers.groupby(numbers * 0)
    return numbers.eq(of_place.transform("max")) & (of_place.transform("size") > 1)


_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "[": "{[}",
    "*": "{*}",
}

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-[0-9]+)?( [\[(].*[\])])?")
"""A number, possibly followed by its interval or spread."""


def in_latex(text: str) -> str:
    """Escape a text; a number gets a proper minus sign, and a missing number becomes a dash."""
    if text == "-":
        return "--"
    if _NUMBER.fullmatch(text):
        return text.replace("-", "$-$")
    return "".join(_LATEX.get(character, character) for character in text)


def write_markdown(result: Result, stream: TextIO) -> None:
    """A table of Markdown, for a pull request or a page, below the sentence that it answers with; the best in bold."""
    shown, columns = layout(result), []
    for (name, values), (head, *cells) in zip(shown.table.items(), cells_of(shown.table), strict=True):
        texts = list(map(in_markdown, cells))
        if name in shown.best:
            texts = _marked(texts, is_best(shown.table, str(name)), "**{}**")
        columns.append([in_markdown(head), "---:" if is_number(values) else "---", *texts])
    said = [] if result.gate is None else [f"**{in_markdown(result.gate[1])}**"]
    said += [in_markdown(answer(result)), in_markdown(shown.said_once())]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))
    notes = "\n".join(f"- {in_markdown(note)}" for note in result.notes)
    signed = f"<sub>{in_markdown(result.signature)}</sub>" if result.signature else ""
    stream.write("\n\n".join(filter(None, [*said, rows, notes, signed])) + "\n")


def in_markdown(text: object) -> str:
    """Write a text so that no sign of it is one of Markdown or HTML."""
    escaped = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", " ".join(str(text).split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
