"""Tables for a paper on the command line: of one command, and of several files side by side."""

import re
import shutil

import pandas as pd
import pytest

from classy_aesop import compare_pairs


@pytest.mark.slow
def test_names_of_the_command_line_are_those_of_python(run, tmp_path):
    rows = [
        (topic, system, topic % 3 + bonus) for topic in range(9) for system, bonus in (("a", 0), ("b", 2))
    ]
    table = pd.DataFrame(rows, columns=["topic", "summarizer", "m"])
    table.to_csv(tmp_path / "scores.tsv", sep="\t", index=False)
    options = ("--columns-shown", "first,difference", "--rename", "a=Ours", "--label", "tab:x")
    arguments = ("compare", tmp_path / "scores.tsv", "--pairs", "--test", "wilcoxon")
    code, out, _ = run(*arguments, "-f", "latex", *options)
    assert code == 0
    scores = table.melt(["topic", "summarizer"], var_name="metric", value_name="score")
    pairs = compare_pairs(scores, "m", test="wilcoxon")
    expected = pairs.to_latex(columns_shown=["first", "difference"], rename={"a": "Ours"}, label="tab:x")
    without_comments = [re.sub(r"(?m)^%.*\n", "", text) for text in (out, expected)]
    assert without_comments[0] == without_comments[1]
    assert run(*arguments, "-f", "tsv", "--label", "x")[0] == 2
    assert run(*arguments, "-f", "text", "--columns-shown", "first,difference")[0] == 0
    assert run(*arguments, "-o", tmp_path / "pairs.tsv")[0] == 0
    page = tmp_path / "two.tex"
    shutil.copy(tmp_path / "pairs.tsv", tmp_path / "other.tsv")
    inputs = (tmp_path / "pairs.tsv", tmp_path / "other.tsv")
    assert run("report", *inputs, "-o", page, "--columns-shown", "first,second,difference")[0] == 0
    assert "\\multicolumn{1}{c}{pairs} & \\multicolumn{1}{c}{other}" in page.read_text()
    code, _, err = run("report", *inputs, "-o", tmp_path / "two.html", "--label", "x")
    assert (code, "--label is for tables of papers; expected -o FILE.tex" in err) == (2, True)
    code, _, err = run("report", *inputs, "-o", page, "--title", "x")
    assert (code, "--title is for pages; expected -o FILE.html" in err) == (2, True)
