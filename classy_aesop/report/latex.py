"""Tables for LaTeX, by the package booktabs: constant columns in the caption, the best in bold, significance marked."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TextIO

import pandas as pd

from classy_aesop.report.arrangement import cell, cells_of, is_number, without_constants
from classy_aesop.report.kinds import kind_of, readable
from classy_aesop.report.result import Result
from classy_aesop.report.sentences import varying
from classy_aesop.significance.base import ALPHA, is_significant

_P_VALUES = ("p_adjusted", "p_here_adjusted", "p_overall", "p_by_first", "p_equivalence")
"""Columns of corrected p-values, those at most `ALPHA` of which are marked; without any, those of ``p``."""


def write_latex(result: Result, stream: TextIO) -> None:
    """A ``table`` of LaTeX in the arrangement for readers, with notes and signature as comments.

    The caption says what the table shows, and its constant columns; the greatest number in each place is in bold.
    """
    kind = kind_of(result)
    shown, constants = without_constants(readable(result))
    columns = {
        str(name): _column(shown, str(name), cells, kind.best(shown))
        for name, cells in zip(shown, cells_of(shown), strict=True)
    }
    said = [kind.caption, ", ".join(f"{name} {cell(value)}" for name, value in constants.items())]
    said += ["the best in bold"] if any("\\textbf" in "".join(cells) for cells in columns.values()) else []
    said += [f"*: p at most {ALPHA:g}"] if any(_STAR in "".join(cells) for cells in columns.values()) else []
    head, *lines = [" & ".join(row) + " \\\\" for row in zip(*columns.values(), strict=True)]
    clusters = shown.get("cluster", pd.Series("", index=shown.index)).astype(str)
    is_new = clusters.ne(clusters.shift(fill_value=clusters.iloc[0] if len(clusters) else ""))
    lines = [f"\\midrule\n{line}" if new else line for line, new in zip(lines, is_new, strict=True)]
    kinds = "".join("r" if is_number(shown[name]) else "l" for name in shown)
    parts = [f"% {line}" for line in "\n".join((*result.notes, result.signature)).splitlines()]
    parts += ["\\begin{table}", "\\centering", f"\\caption{{{in_latex('; '.join(filter(None, said)))}}}"]
    parts += [f"\\begin{{tabular}}{{{kinds}}}", "\\toprule", head, "\\midrule", *lines, "\\bottomrule"]
    stream.write("\n".join([*parts, "\\end{tabular}", "\\end{table}"]) + "\n")


_STAR = "$^{*}$"


def _column(table: pd.DataFrame, name: str, cells: list[str], best: Collection[str]) -> list[str]:
    """Give a column for LaTeX, its name first."""
    head, *texts = map(in_latex, cells)
    if name in best:
        texts = [
            f"\\textbf{{{text}}}" if mark else text
            for text, mark in zip(texts, is_best(table, name), strict=True)
        ]
    if name == "beats":  # one sign for each metric, below each other
        texts = [f"\\texttt{{{text}}}" for text in texts]
    if name in ([one for one in _P_VALUES if one in table] or ["p"]) and is_number(table[name]):
        marks = is_significant(table[name].to_numpy(float))
        texts = [text + _STAR if is_marked else text for text, is_marked in zip(texts, marks, strict=True)]
    return [head, *texts]


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
