"""Tables as LaTeX (package booktabs) and Markdown, laid out for readers: the best in bold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import pandas as pd

from classy_aesop.errors import UsageError, join_names
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.layout import Layout, cell_text, is_number, leading_numbers, texts_of_columns
from classy_aesop.tables.result_columns import Purpose
from classy_aesop.tables.wording import varying_strata

LEVELS_OF_STARS = {3: 0.001, 2: 0.01, 1: ALPHA}
"""The largest p-value with so many stars."""


WORDS_OF_SETTINGS = {
    "metric": "{}",
    "year": "{}",
    "level": "{} level",
    "n": "$n = {}$",
    "n_topics": "{} topics",
    "n_summarizers": "{} systems",
    "n_comparisons": "{} comparisons",
    "n_raters": "{} raters",
    "second": "compared with {}",
    "test": "{}",
    "correction": "{}",
}
"""How a caption says what all rows share; another column is called by its name."""

WORDS_OF_VALUES = {
    "paired_t": "paired $t$-test",
    "unpaired_t": "unpaired $t$-test",
    "tango": "Tango's score test",
    "wilcoxon": "Wilcoxon's signed ranks",
    "additive": "additive model",
    "sign_flips": "sign flips",
    "bradley_terry": "Bradley--Terry model",
    "perm-systems": "exchanges of whole systems",
    "perm-both": "exchanges of single scores",
    "perm-inputs": "exchanges of whole topics",
    "boot": "bootstrap of systems and topics",
    "boot-systems": "bootstrap of systems",
    "boot-inputs": "bootstrap of topics",
    "williams": "Williams' test",
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "bh": "correction of Benjamini and Hochberg",
    "by": "correction of Benjamini and Yekutieli",
}
"""How a caption calls tests and corrections."""

WORDS_OF_STARS = {"p_best": "significantly worse than the best: "}
"""What stars are of, where the row does not say it, by the p-value."""

WORDS_OF_HEADINGS = {"p_adjusted": "corrected p", "n_topics": "topics"}
"""How LaTeX calls columns whose names say less; others go by their names in words."""

SYMBOLS = {"pearson": "$r$", "spearman": "$\\rho$", "kendall": "$\\tau$"}
"""How columns of coefficients are headed where their names make them too wide."""

MAX_NAMED_COEFFICIENTS = 6
"""Columns of numbers with coefficients by their names; of more they are headed by symbols."""

TYPES = (
    ("table", "small", 3, 50),
    ("table", "footnotesize", 2, 56),
    ("table", "scriptsize", 1, 60),
    ("table*", "small", 3, 105),
    ("table*", "footnotesize", 2, 116),
    ("table*", "scriptsize", 1, 125),
)
"""Environments, types and the separations of columns in pt, with the letters and separations that fit into a line: of a
column of a page with two (246 pt), then of the whole page (510 pt)."""

MAX_CELL_LENGTH = 28
"""Most letters of a cell in one line; a longer text is broken into lines."""


def caption_words(shared: Mapping[str, str]) -> str:
    """Write what all rows share as a caption of LaTeX does: in words, and escaped.

    Examples
    --------
    >>> caption_words({"metric": "quality", "n_topics": "12", "test": "paired_t", "correction": "holm"})
    "quality, 12 topics, paired $t$-test, Holm's correction"
    """
    words = [
        WORDS_OF_SETTINGS.get(name, escape_latex(name.replace("_", " ")) + " {}").format(
            WORDS_OF_VALUES.get(text, escape_latex(text))
            if name in ("test", "correction")
            else escape_latex(text)
        )
        for name, text in shared.items()
        if (name, text) != ("correction", "none")
    ]
    return ", ".join(words)


def columns_of_paper(layout: Layout) -> Layout:
    """Leave out what a paper does not print: what is needed seldom, remarks, and significance, which has stars."""
    unprinted = {name for name in map(str, layout.table) if layout.priority(name) < 0}
    unprinted |= {*layout.names_of(Purpose.REMARK), *(["significant"] if layout.marked else [])}
    return replace(layout, table=layout.table.drop(columns=list(unprinted), errors="ignore"))


def latex_text(layouts: Mapping[str, Layout], notes: Sequence[str], *, label: str = "") -> str:
    """Write a ``table`` of LaTeX, or ``table*`` if it is wider than a column, with notes as comments."""
    first = next(iter(layouts.values()))
    table = _latex_table(first) if len(layouts) == 1 else _latex_table_side_by_side(layouts)
    written = "".join(table.rows)
    shared_texts = {title: caption_words(layout.shared) for title, layout in layouts.items()}
    is_of_all = len(set(shared_texts.values())) == 1
    shared = dict.fromkeys(
        text if is_of_all or not text else f"{escape_latex(title)}: {text}"
        for title, text in shared_texts.items()
    )
    caption = ["; ".join(filter(None, [escape_latex(first.caption), *shared]))]
    caption += ["the best in bold"] if "\\textbf" in written else []
    stars = [
        f"{'*' * n_stars}: $p \\leq {str(level).removeprefix('0')}$"
        for n_stars, level in sorted(LEVELS_OF_STARS.items())
        if f"$^{{{'*' * n_stars}}}$" in written
    ]
    caption += [WORDS_OF_STARS.get(first.marked[0], "") + ", ".join(stars)] if stars else []
    symbols = [
        f"{name.capitalize()}'s {symbol}" for name, symbol in SYMBOLS.items() if symbol in table.heads[-1]
    ]
    caption += [", ".join(symbols)] if symbols else []
    fitting = (type_size for type_size in TYPES if table.width <= type_size[-1])
    environment, size, separation, _ = next(fitting, TYPES[-1])
    return "\n".join(
        [
            *(f"% {line}" for line in "\n".join(notes).splitlines()),
            f"\\begin{{{environment}}}",
            "\\centering",
            f"\\caption{{{'; '.join(caption)}}}",
            *([f"\\label{{{label}}}"] if label else []),
            f"\\{size}",
            f"\\setlength{{\\tabcolsep}}{{{separation}pt}}",
            f"\\begin{{tabular}}{{@{{}}{table.alignments}@{{}}}}",
            "\\toprule",
            *table.heads,
            "\\midrule",
            *table.rows,
            "\\bottomrule",
            "\\end{tabular}",
            f"\\end{{{environment}}}",
            "",
        ]
    )


class _LatexTable(NamedTuple):
    """The lines of the head, the alignments of the columns, the lines of the rows, and the letters of a line."""

    heads: list[str]
    alignments: str
    rows: list[str]
    width: int


def _latex_table(layout: Layout) -> _LatexTable:
    """Write a table, with a rule between blocks."""
    table = layout.table
    columns = list(_latex_columns(layout))
    head, *lines = [" & ".join(row) + " \\\\" for row in zip(*columns, strict=True)]
    blocks = layout.whole.get(layout.block, pd.Series("", index=table.index)).astype(str)
    is_new = blocks.ne(blocks.shift(fill_value=blocks.iloc[0] if len(blocks) else ""))
    rows = [f"\\midrule\n{line}" if new else line for line, new in zip(lines, is_new, strict=True)]
    return _LatexTable([head], _alignments(table), rows, _line_width(columns))


def _line_width(columns: Iterable[Sequence[str]]) -> int:
    """Count the letters of the longest cell of each column, and one for each space between columns."""
    lengths = [max(map(_printed_length, cells), default=0) + 1 for cells in columns]
    return sum(lengths) - 1


def _printed_length(cell: str) -> int:
    """Count the letters that LaTeX prints of a cell, or of the longest of its lines."""
    if cell.startswith(_BROKEN_CELL):
        return MAX_CELL_LENGTH
    lines = re.sub(r"^\\shortstack\[.\]", "", cell).split("\\\\")
    return max(len(re.sub(r"\\[a-z]+(\{\})?|[\\{}$^]", "", line)) for line in lines)


def _latex_table_side_by_side(layouts: Mapping[str, Layout]) -> _LatexTable:
    """Write tables beside each other: those of the same names are one row."""
    keys = next(iter(layouts.values())).names_of(Purpose.ITEM, Purpose.STRATUM)
    tables = {title: _cells_by_name(title, layout, keys) for title, layout in layouts.items()}
    sizes = {title: cells.shape[1] for title, cells in tables.items()}
    titles = [f"\\multicolumn{{{size}}}{{c}}{{{escape_latex(title)}}}" for title, size in sizes.items()]
    ends = accumulate(sizes.values(), initial=len(keys))
    rules = [f"\\cmidrule(lr){{{start + 1}-{end}}}" for start, end in pairwise(ends)]
    joined = pd.concat(tables, axis=1, sort=False).fillna("--")
    heads = [*map(escape_latex, keys), *joined.columns.get_level_values(1)]
    if joined.shape[1] > MAX_NAMED_COEFFICIENTS:
        heads = [re.sub("|".join(SYMBOLS), lambda match: SYMBOLS[match[0]], head) for head in heads]
    rows = [(*names, *cells) for names, cells in zip(joined.index.tolist(), joined.to_numpy(), strict=True)]
    above = [""] * len(keys)
    head_lines = [" & ".join([*above, *titles]) + " \\\\", "".join(rules), " & ".join(heads) + " \\\\"]
    if {*heads[len(keys) :]} == {"value"}:  # the titles say all
        head_lines = [" & ".join([*heads[: len(keys)], *titles]) + " \\\\"]
    alignments = [_alignments(layout.table.drop(columns=keys)) for layout in layouts.values()]
    return _LatexTable(
        head_lines,
        "l" * len(keys) + "".join(alignments),
        [" & ".join(row) + " \\\\" for row in rows],
        _line_width(zip(heads, *rows, strict=True)),
    )


def _cells_by_name(title: str, layout: Layout, keys: Sequence[str]) -> pd.DataFrame:
    """Give the cells of a table beside others by the names of its rows; UsageError if two rows have the same."""
    columns = dict(zip(map(str, layout.table), _latex_columns(layout), strict=True))
    missing = [key for key in keys if key not in columns]
    if missing or not keys:
        raise UsageError(
            f"{title}: no column {join_names(missing or ['of names'])}, by which rows stand side by side"
        )
    names = pd.MultiIndex.from_arrays([columns.pop(key)[1:] for key in keys])
    if names.has_duplicates:
        repeated = " ".join(map(str, names[names.duplicated()][0]))
        raise UsageError(f"{title}: several rows of {repeated}; expected one, to stand side by side")
    values = [column[1:] for column in columns.values()]
    heads = [column[0] for column in columns.values()]
    return pd.DataFrame(list(zip(*values, strict=True)), names, heads)


def _alignments(table: pd.DataFrame) -> str:
    return "".join("r" if is_number(table[name]) else "l" for name in table)


def _latex_columns(layout: Layout) -> Iterator[list[str]]:
    """Write the cells of each column, its name first, with stars of p-values and the best values in bold."""
    shows_p = any(name in layout.table for name in layout.marked)
    for name, (head, *texts) in zip(layout.table, texts_of_columns(layout.table), strict=True):
        if name in layout.marked:
            cells = [f"{_latex_p_value(p)}{_stars(p)}" for p in layout.table[name]]
        elif name in layout.names_of(Purpose.P_VALUE):
            cells = list(map(_latex_p_value, layout.table[name]))
        elif name == layout.starred and not shows_p and layout.p_values is not None:
            p_values = layout.p_values
            cells = [escape_latex(text, stars=_stars(p)) for text, p in zip(texts, p_values, strict=True)]
        else:
            cells = list(map(_break_cell, texts))
        if name in layout.best:
            cells = _format_marked(cells, is_best(layout, str(name)), "\\textbf{{{}}}")
        yield [_latex_heading(head, texts, _alignments(layout.table[[name]])), *cells]


_BROKEN_CELL = "\\parbox[t]"


def _break_cell(text: str) -> str:
    """Escape a text; a long one that is no number is broken into lines, also after the signs that part a name.

    Examples
    --------
    >>> print(_break_cell("published/a_metric-with-a-long-name"))
    \\parbox[t]{14em}{\\raggedright published/\\allowbreak a\\_\\allowbreak metric-with-a-long-name\\strut}
    """
    escaped = escape_latex(text)
    if len(text) <= MAX_CELL_LENGTH or _NUMBER.fullmatch(text):
        return escaped
    breakable = re.sub(r"(\\_|[/.:])", r"\1\\allowbreak ", escaped)
    return f"{_BROKEN_CELL}{{{MAX_CELL_LENGTH // 2}em}}{{\\raggedright {breakable}\\strut}}"


def _latex_heading(head: str, texts: Sequence[str], alignment: str) -> str:
    """Write the name of a column, of several words a line each where it is wider than the cells below it.

    Examples
    --------
    >>> print(_latex_heading("system pearson", ["0.512"], "r"))
    \\shortstack[r]{system\\\\pearson}
    """
    head = WORDS_OF_HEADINGS.get(head, head.replace("at_length", "at equal length").replace("_", " "))
    words = [escape_latex(word) for word in head.split()]
    if len(words) == 1 or len(head) <= max(map(len, texts), default=0):
        return " ".join(words)
    lines = "\\\\".join(words)
    return f"\\shortstack[{alignment}]{{{lines}}}"


def _latex_p_value(p: object) -> str:
    """Write a p-value as papers do: one below a thousandth as that, and none as zero."""
    is_small = isinstance(p, float) and p < 0.0005
    return "$<$0.001" if is_small else escape_latex(cell_text(p))


def _stars(p: float) -> str:
    """Give the stars of a p-value; none of one that is missing or not significant."""
    n_stars = max((n for n, level in LEVELS_OF_STARS.items() if is_significant(p, level)), default=0)
    return f"$^{{{'*' * n_stars}}}$" if n_stars else ""


def _format_marked(texts: Iterable[str], marks: Iterable[bool], form: str) -> list[str]:
    """Write the marked texts in a form such as ``\\textbf{{{}}}``; the others stay as they are."""
    return [form.format(text) if mark else text for text, mark in zip(texts, marks, strict=True)]


def is_best(layout: Layout, name: str) -> pd.Series:
    """Whether each row has the best number of a column in its stratum, if that has several rows.

    It is the greatest, or where lower values are better the lowest.
    """
    table = layout.table
    numbers = leading_numbers(table[name])
    strata = [table[column] for column in varying_strata(table, layout.names_of(Purpose.STRATUM))]
    by_stratum = numbers.groupby(strata) if strata else numbers.groupby(numbers * 0)
    best = by_stratum.transform("min" if layout.lower_is_better else "max")
    return numbers.eq(best) & (by_stratum.transform("size") > 1)


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


def escape_latex(text: str, *, stars: str = "") -> str:
    """Escape a text; a number gets a proper minus sign, its stars before an interval, a missing one is a dash."""
    if text == "-":
        return "--"
    if _NUMBER.fullmatch(text):
        number, space, interval = text.replace("-", "$-$").partition(" ")
        return f"{number}{stars}{space}{interval}"
    return "".join(_LATEX.get(character, character) for character in text) + stars


def markdown_text(
    layout: Layout, notes: Sequence[str], signature: str, *, gate: tuple[bool, str] | None = None
) -> str:
    """Write a table of Markdown, for a pull request or a page, below the sentence that it answers with."""
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
