"""Tables for a paper: chosen columns, own names, stars, several corpora side by side; TeX sets them in a column."""

import shutil
import subprocess

import pandas as pd
import pytest

from classy_aesop.errors import UsageError
from classy_aesop.pages.formats import latex_of
from classy_aesop.tables.presentation import Presentation
from classy_aesop.tables.result import Result

PAIRS = pd.DataFrame(
    {"metric": "m", "first": ["a", "a", "b"], "second": ["b", "c", "c"], "n": 9, "difference": [-0.5, 0.25, 0.1],
     "low": [-0.9, -0.125, -0.3], "high": [-0.1, 0.5, 0.5], "p": [1e-9, 0.004, 0.2],
     "p_adjusted": [3e-9, 0.008, 0.2], "significant": [True, True, False]}
)  # fmt: skip
CORRELATIONS = pd.DataFrame(
    {"metric": ["rouge", "judge"], "target": "quality", "level": "system", "coefficient": "pearson",
     "value": [0.5, 0.75], "n_summarizers": 9, "n_topics": 5, "n_skipped": 0}
)  # fmt: skip


def rows_of(text):
    return [line.removesuffix(" \\\\").split(" & ") for line in text.splitlines() if line.endswith(" \\\\")]


def test_chosen_columns_stand_in_their_order_under_their_names():
    result = Result(PAIRS, kind="compare --pairs")
    text = result.to_latex(
        columns_shown=["second", "difference", "n"],
        rename={"a": "Ours", "c": "C&C"},
        label="tab:p",
        wide=True,
    )
    assert rows_of(text) == [
        ["second", "difference", "n"],
        ["b", "$-$0.500$^{***}$ [$-$0.900, $-$0.100]", "9"],
        ["C\\&C", "0.250$^{**}$ [$-$0.125, 0.500]", "9"],
        ["C\\&C", "0.100 [$-$0.300, 0.500]", "9"],
    ]
    assert "\\begin{table*}" in text
    assert "\\label{tab:p}" in text
    assert text.count("table*") == 2
    assert "**: $p \\leq .01$, ***: $p \\leq .001$}" in text
    assert "n 9" not in text  # it is a column
    with pytest.raises(
        UsageError, match="columns_shown: no column 'men'; expected one of metric, first, second"
    ):
        result.to_latex(columns_shown=["men"])


def test_stars_stand_beside_p_values_that_are_shown_and_no_p_is_zero():
    table = PAIRS.assign(p=[0.0, 0.004, 0.2], p_adjusted=[0.0, 0.0120, 0.2])
    text = Result(table, kind="compare --pairs").to_latex(
        columns_shown=["first", "difference", "p_adjusted", "p"]
    )
    assert [row[1:] for row in rows_of(text)[1:]] == [
        ["$-$0.500 [$-$0.900, $-$0.100]", "$<$0.001$^{***}$", "$<$0.001"],
        ["0.250 [$-$0.125, 0.500]", "0.012$^{*}$", "0.004"],
        ["0.100 [$-$0.300, 0.500]", "0.200", "0.200"],
    ]


def test_two_corpora_stand_side_by_side_by_the_names_of_their_rows():
    other = CORRELATIONS.assign(metric=["judge", "bleu"], value=[0.25, -0.5], target="content")
    results = {"One": Result(CORRELATIONS, kind="evaluate"), "Two": Result(other, kind="evaluate")}
    text = latex_of(results, Presentation(["metric", "pearson"], {"judge": "LLM"}))
    assert rows_of(text) == [
        ["", "\\multicolumn{1}{c}{One}", "\\multicolumn{1}{c}{Two}"],
        ["metric", "pearson", "pearson"],
        ["LLM", "\\textbf{0.750}", "\\textbf{0.250}"],
        ["rouge", "0.500", "--"],
        ["bleu", "--", "$-$0.500"],
    ]
    assert "\\cmidrule(lr){2-2}\\cmidrule(lr){3-3}" in text
    assert "; One: level system, target quality, " in text
    twice = pd.concat([PAIRS, PAIRS])
    with pytest.raises(UsageError, match="Two: several rows of a b; expected one"):
        latex_of(
            {"One": Result(PAIRS, kind="compare --pairs"), "Two": Result(twice, kind="compare --pairs")},
            Presentation(["first", "second", "difference"]),
        )


def test_a_name_of_several_words_is_no_wider_than_its_column():
    result = Result(CORRELATIONS, kind="evaluate")
    rows = rows_of(latex_of({"": result}, Presentation(["metric", "pearson"], {"pearson": "system pearson"})))
    assert rows[0] == ["metric", "\\shortstack[r]{system\\\\pearson}"]


DOCUMENT = r"""\documentclass[twocolumn,10pt]{article}
\usepackage{booktabs}
\begin{document}
See Tables~\ref{tab:one} and~\ref{tab:two}.
\input{one}
\input{two}
\input{three}
\end{document}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="TeX is not installed")
def test_tex_sets_tables_in_a_column_and_across_two(tmp_path):
    """Nothing is wider than its place (an overfull box), and the references are resolved."""
    pairs = Result(PAIRS.assign(first="multitask", second=["a_b", "100 %", "x^2"]), kind="compare --pairs")
    one = pairs.to_latex(columns_shown=["first", "second", "difference", "p_adjusted"], label="tab:one")
    wide = Presentation(["first", "second", "difference", "p_adjusted"], {}, "tab:two", wide=True)
    corpora = {"Two & more": pairs, "Three_4": pairs}
    renamed = CORRELATIONS.assign(metric=["VERT-like-precision", "AutoSummENG"])
    years = {year: Result(renamed, kind="evaluate") for year in ("2022", "2023")}
    names = Presentation(["metric", "pearson"], {"pearson": "system pearson"})
    texts = {"one.tex": one, "two.tex": latex_of(corpora, wide), "paper.tex": DOCUMENT}
    texts["three.tex"] = latex_of(years, names)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert "undefined" not in done.stdout
