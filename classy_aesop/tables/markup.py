"""Tables as LaTeX (package booktabs) and Markdown, laid out for readers: the best in bold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.layout import Layout, is_number, texts_of_columns
from classy_aesop.tables.wording import varying_strata

_STAR = "$^{*}$"


def latex_text(layout: Layout, notes: Sequence[str], signature: str) -> str:
    """Write a ``table`` of LaTeX, with notes and signature as comments.

    Parameters
    ----------
    layout : Layout
        The table. The caption says what it shows and what all rows share; the best in each stratum is in bold.
    notes, signature : sequence of str, str
        What stands above it, behind percent signs.

    Returns
    -------
    str
        The lines, each with its end.
    """
    table = layout.table
    columns = list(_latex_columns(layout))
    written = "".join(text for column in columns for text in column)
    caption = [layout.caption, layout.shared_text()]
    caption += ["the best in bold"] if "\\textbf" in written else []
    caption += [f"*: p at most {ALPHA:g}"] if _STAR in written else []
    head, *lines = [" & ".join(row) + " \\\\" for row in zip(*columns, strict=True)]
    blocks = table.get(layout.block, pd.Series("", index=table.index)).astype(str)
    is_new = blocks.ne(blocks.shift(fill_value=blocks.iloc[0] if len(blocks) else ""))
    lines = [f"\\midrule\n{line}" if new else line for line, new in zip(lines, is_new, strict=True)]
    alignments = "".join("r" if is_number(table[name]) else "l" for name in table)
    parts = [f"% {line}" for line in "\n".join((*notes, signature)).splitlines()]
    parts += [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{escape_latex('; '.join(filter(None, caption)))}}}",
    ]
    parts += [f"\\begin{{tabular}}{{{alignments}}}", "\\toprule", head, "\\midrule", *lines, "\\bottomrule"]
    return "\n".join([*parts, "\\end{tabular}", "\\end{table}"]) + "\n"


def _latex_columns(layout: Layout) -> Iterator[list[str]]:
    """Give the cells of each column, its name first: the best in bold, stars at significant p-values, signs aligned."""
    for name, (head, *texts) in zip(layout.table, texts_of_columns(layout.table), strict=True):
        values = layout.table[name]
        texts = list(map(escape_latex, texts))
        if name in layout.best:
            texts = _format_marked(texts, is_best(layout, str(name)), "\\textbf{{{}}}")
        if name == "beats":
            texts = [f"\\texttt{{{text}}}" for text in texts]
        if name in layout.marked and is_number(values):
            star = _STAR.replace("{*}", "{{*}}")
            texts = _format_marked(texts, is_significant(values.to_numpy(float)), f"{{}}{star}")
        yield [escape_latex(head), *texts]


def _format_marked(texts: Iterable[str], marks: Iterable[bool], form: str) -> list[str]:
    return [form.format(text) if mark else text for text, mark in zip(texts, marks, strict=True)]


def is_best(layout: Layout, name: str) -> pd.Series:
    """Whether each row has the greatest number of a column in its stratum, if that has several rows."""
    table = layout.table
    numbers = pd.to_numeric(table[name].map(lambda cell: str(cell).partition(" ")[0]), errors="coerce")
    strata = [table[column] for column in varying_strata(table, layout.strata)]
    by_stratum = numbers.groupby(strata) if strata else numbers.groupby(numbers * 0)
    return numbers.eq(by_stratum.transform("max")) & (by_stratum.transform("size") > 1)


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


def escape_latex(text: str) -> str:
    """Escape a text; a number gets a proper minus sign, and a missing number becomes a dash."""
    if text == "-":
        return "--"
    if _NUMBER.fullmatch(text):
        return text.replace("-", "$-$")
    return "".join(_LATEX.get(character, character) for character in text)


def markdown_text(
    layout: Layout, notes: Sequence[str], signature: str, *, gate: tuple[bool, str] | None = None
) -> str:
    """Write a table of Markdown, for a pull request or a page, below the sentence that it answers with.

    Parameters
    ----------
    layout : Layout
        The table; the best in each stratum is in bold.
    notes, signature : sequence of str, str
        What stands below it.
    gate : (bool, str), optional
        Whether a gate is passed, and the sentence that says so, which comes first.

    Returns
    -------
    str
        The lines, each with its end.
    """
    columns = []
    for (name, values), (head, *cells) in zip(
        layout.table.items(), texts_of_columns(layout.table), strict=True
    ):
        texts = list(map(escape_markdown, cells))
        if name in layout.best:
            texts = _format_marked(texts, is_best(layout, str(name)), "**{}**")
        columns.append([escape_markdown(head), "---:" if is_number(values) else "---", *texts])
    paragraphs = [] if gate is None else [f"**{escape_markdown(gate[1])}**"]
    paragraphs += [escape_markdown(layout.sentence()), escape_markdown(layout.shared_text())]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))
    note_list = "\n".join(f"- {escape_markdown(note)}" for note in notes)
    signature_line = f"<sub>{escape_markdown(signature)}</sub>" if signature else ""
    return "\n\n".join(filter(None, [*paragraphs, rows, note_list, signature_line])) + "\n"


def escape_markdown(text: object) -> str:
    """Escape the characters of a text that have a meaning in Markdown or HTML."""
    escaped = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", " ".join(str(text).split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
