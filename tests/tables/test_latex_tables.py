"""Tables for a paper: chosen columns, own names, stars, several corpora side by side; TeX sets them in a column."""

import shutil
import subprocess

import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs
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
    )
    assert rows_of(text) == [
        ["second", "difference", "n"],
        ["b", "$-$0.500$^{***}$ [$-$0.900, $-$0.100]", "9"],
        ["C\\&C", "0.250$^{**}$ [$-$0.125, 0.500]", "9"],
        ["C\\&C", "0.100 [$-$0.300, 0.500]", "9"],
    ]
    assert "\\label{tab:p}" in text
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
    assert "; One: system level, target quality, " in text
    twice = pd.concat([PAIRS, PAIRS])
    with pytest.raises(UsageError, match="Two: several rows of a b; expected one"):
        latex_of(
            {"One": Result(PAIRS, kind="compare --pairs"), "Two": Result(twice, kind="compare --pairs")},
            Presentation(["first", "second", "difference"]),
        )


def test_several_coefficients_by_targets_are_headed_by_their_symbols():
    """Twelve columns of whole names were half a page wider than the page."""
    tables = [
        CORRELATIONS.assign(target=target, coefficient=coefficient)
        for target in ("coherence", "fluency", "relevance", "quality")
        for coefficient in ("pearson", "spearman", "kendall")
    ]
    text = Result(pd.concat(tables), kind="evaluate").to_latex()
    assert rows_of(text)[1] == ["metric", *["$r$", "$\\rho$", "$\\tau$"] * 4]
    assert "; Pearson's $r$, Spearman's $\\rho$, Kendall's $\\tau$}" in text
    assert "\\begin{table*}" in text
    few = Result(pd.concat(tables[:3]), kind="evaluate").to_latex()
    assert rows_of(few)[0] == ["metric", "pearson", "spearman", "kendall"]
    assert "\\begin{table}" in few


def test_a_ranking_for_a_paper_has_means_the_best_in_bold_and_a_caption_in_words():
    scores = {"topic": list("12345") * 3, "system": list("aaaaabbbbbccccc")}
    scores = pd.DataFrame(scores | {"q": [5, 4, 5, 4, 5, 4, 4, 5, 4, 4, 1, 2, 1, 1, 2]})
    text = compare(scores, "q").to_latex()
    assert rows_of(text)[0] == ["rank", "summarizer", "mean"]
    assert [row[1] for row in rows_of(text) if "\\textbf" in row[2]] == ["a"]
    assert "q, 5 topics, paired $t$-test, Holm's correction; the best in bold" in text
    assert "\\label{tab:compare}" in text
    assert text.count("\\midrule") == 2  # also between the clusters
    lower = compare(scores, "q", lower_is_better="q").to_latex()
    assert [row[1] for row in rows_of(lower) if "\\textbf" in row[2]] == ["c"]


def test_pairs_for_a_paper_have_the_difference_and_one_p_with_stars():
    """It had ten columns: also low_all, high_all, effect, statistic, p and significant."""
    scores = {"topic": list("1234") * 3, "system": list("aaaabbbbcccc")}
    scores = pd.DataFrame(scores | {"q": [5, 4, 5, 4, 4, 4, 5, 5, 1, 2, 1, 1]})
    pairs = compare_pairs(scores, "q")
    text = pairs.to_latex()
    assert rows_of(text)[0] == ["first", "second", "difference", "\\shortstack[r]{corrected\\\\p}"]
    assert {len(row) for row in rows_of(text)} == {4}
    assert "\\_" not in "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert "\\label{tab:compare-pairs}" in text
    shown = rows_of(pairs.to_latex(columns_shown=["first", "low_all", "statistic"], label="tab:own"))
    assert shown[0] == ["first", "\\shortstack[r]{low\\\\all}", "statistic"]


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
\input{four}
\end{document}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="TeX is not installed")
def test_tex_sets_tables_in_a_column_and_across_two(tmp_path):
    """Nothing is wider than its place (an overfull box), and the references are resolved."""
    pairs = Result(PAIRS.assign(first="multitask", second=["a_b", "100 %", "x^2"]), kind="compare --pairs")
    one = pairs.to_latex(columns_shown=["first", "second", "difference", "p_adjusted"], label="tab:one")
    wide = Presentation(["first", "second", "difference", "p_adjusted"], {}, "tab:two")
    corpora = {"Two & more": pairs, "Three_4": pairs}
    renamed = CORRELATIONS.assign(metric=["VERT-like-precision", "AutoSummENG"])
    years = {year: Result(renamed, kind="evaluate") for year in ("2022", "2023")}
    names = Presentation(["metric", "pearson"], {"pearson": "system pearson"})
    texts = {"one.tex": one, "two.tex": latex_of(corpora, wide), "paper.tex": DOCUMENT}
    texts["three.tex"] = latex_of(years, names)
    long = {"first": "lab/some_model-405b-instruct-turbo-fp8-with-a-long-context"}
    long |= {"second": "a-name-of-just-28-characters"}
    pairs = Result(PAIRS.assign(**long), kind="compare --pairs")
    texts["four.tex"] = pairs.to_latex(columns_shown=["first", "second", "difference", "p_adjusted"])
    assert "\\begin{table*}" in texts["four.tex"]
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert "undefined" not in done.stdout
