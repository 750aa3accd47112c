"""One formatter for all commands: what goes in comes out again in every format."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd

from classy_aesop.answers.declared import load_answer
from classy_aesop.pages.formats import write_result
from classy_aesop.papers.rankel_2013 import BEST_METRICS
from classy_aesop.tables.layout import align
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import p_value

TABLE = pd.DataFrame(
    {"topic": ["01", "B"], "score": [0.1 + 0.2, np.nan], "n": [3, 14], "human": [True, False]}
)


def written(format, table=TABLE, signature="", kind="", answer=None):
    stream = io.StringIO()
    write_result(Result(table, signature=signature, kind=kind, answer=answer), stream, format)
    return stream.getvalue()


def test_text_is_aligned_by_kind():
    assert align(TABLE).splitlines() == [
        "topic  score   n  human",
        "01     0.300   3  True",
        "B          -  14  False",
    ]


def test_latex_is_escaped_and_set_by_kind():
    table = pd.DataFrame(
        {
            "a_b": ["R&D 5%", "x^2\\y", "-"],
            "value": [-0.5, 0.00004, np.nan],
            "low": ["0.1 [-0.2, 0.3]"] * 2 + ["0.1 [-0.2, 0.4]"],
        }
    )
    assert written("latex", table, signature="seed:1").splitlines() == [
        *("% seed:1", r"\begin{table}", r"\centering", r"\caption{Table}"),
        *(r"\small", r"\setlength{\tabcolsep}{3pt}"),
        *(r"\begin{tabular}{@{}lrl@{}}", r"\toprule", r"a b & value & low \\", r"\midrule"),
        r"R\&D 5\% & $-$0.500 & 0.1 [$-$0.2, 0.3] \\",
        r"x\textasciicircum{}2\textbackslash{}y & 4e$-$05 & 0.1 [$-$0.2, 0.3] \\",
        r"-- & -- & 0.1 [$-$0.2, 0.4] \\",
        *(r"\bottomrule", r"\end{tabular}", r"\end{table}"),
    ]
    # A bar would be a dash; a star or a bracket at the start of a row would belong to the row before.
    text = written("latex", pd.DataFrame({"name": ["a|b", "*", "[1]"], "x": [1, 2, 3]}))
    assert [line for line in text.splitlines() if " & " in line][1:] == [
        r"a\textbar{}b & 1 \\",
        r"{*} & 2 \\",
        r"{[}1] & 3 \\",
    ]


def test_latex_marks_the_best_of_each_place_and_what_is_significant():
    table = pd.DataFrame(
        {"year": "2023", "level": ["system", "system", "input", "input"], "metric": list("abab"),
         "value": ["0.900 [0.8, 1.0]", "0.500 [0.1, 0.7]", "0.100 [0.0, 0.2]", "0.300 [0.2, 0.4]"],
         "n_topics": 9, "p_adjusted": [0.05, 0.051, np.nan, 1e-9]}
    )  # fmt: skip
    declared = load_answer("study metric-intervals")
    corrected = p_value("p_adjusted", "corrected", is_corrected=True)
    answer = replace(declared, columns=(*declared.columns, corrected))
    lines = written("latex", table, answer=answer).splitlines()
    caption = "Correlations with human scores; 2023, 9 topics; the best in bold"
    caption += "; *: $p \\leq .05$, ***: $p \\leq .001$"
    assert rf"\caption{{{caption}}}" in lines
    assert [line for line in lines if line[:5] in ("syste", "input")] == [
        r"system & a & \textbf{0.900 [0.8, 1.0]} & 0.050$^{*}$ \\",
        r"system & b & 0.500 [0.1, 0.7] & 0.051 \\",
        r"input & a & 0.100 [0.0, 0.2] & -- \\",
        r"input & b & \textbf{0.300 [0.2, 0.4]} & $<$0.001$^{***}$ \\",
    ]
    alone = written("latex", table[:1], answer=answer)
    assert "textbf" not in alone  # there is nothing to be better than


def test_markdown_begins_with_the_answer_and_no_sign_is_one_of_markdown():
    table = pd.DataFrame(
        {"task": "A", "metric": ["<i>*", "a|b"], "ba": [0.6, 0.25], "tp": [2, 1], "fn": [1, 2]}
    )
    assert written("markdown", table, "seed:1", answer=BEST_METRICS).splitlines() == [
        *(
            "&lt;i&gt;\\* finds the significant differences of humans best (balanced accuracy): 0.600, of 2 metrics.",
            "",
        ),
        *("task A", "", "| metric | ba | tp | fn |", "| --- | ---: | ---: | ---: |"),
        *("| &lt;i&gt;\\* | **0.600** | 2 | 1 |", "| a\\|b | 0.250 | 1 | 2 |", "", "<sub>seed:1</sub>"),
    ]
    passed = Result(table, gate=(True, "gate passed: a minus b is +0.1"), notes=["one_two"])
    stream = io.StringIO()
    write_result(passed, stream, "markdown")
    assert stream.getvalue().startswith("**gate passed: a minus b is +0.1**\n\n")
    assert stream.getvalue().endswith("\n- one\\_two\n")
