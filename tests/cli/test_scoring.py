"""The command rouge."""

import json
import re
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[1] / "reading" / "fixtures"


def test_lines_of_the_original(printed, folder):
    lines = printed("rouge", folder / "2021", "--task", "A", "--metric", "L", "-d").splitlines()
    assert lines[0] == "-" * 45
    number = r"[01]\.\d{5}"
    for line, letter in zip(lines[1:4], "RPF", strict=True):
        pattern = rf"2021\.A\.1 ROUGE-L Average_{letter}: {number} \(95%-conf\.int\. {number} - {number}\)"
        assert re.fullmatch(pattern, line)
    assert lines[4] == "." * 45
    pattern = rf"2021\.A\.1 ROUGE-L Eval (D\d+-A)\.1 R:({number}) P:{number} F:{number}"
    of_topics = [re.fullmatch(pattern, line).groups() for line in lines[5:10]]
    average = float(lines[1].split()[3])
    assert len({topic for topic, _ in of_topics}) == 5
    assert sum(float(recall) for _, recall in of_topics) / 5 == pytest.approx(average, abs=5.1e-6)


@pytest.mark.slow
def test_a_metric_is_named_in_short_or_in_full(run, folder):
    short, full = (run("rouge", folder / "2021", "--metric", name, "-f", "tsv") for name in ("2", "ROUGE-2"))
    assert short == full
    assert short[0] == 0
    code, out, err = run("rouge", folder / "2021", "--metric", "5")
    assert (code, out) == (2, "")
    assert re.search(r"--metric: invalid choice: 'ROUGE-5' \(choose from '?ROUGE-1'?, ", err)


def test_scores_of_summaries_are_a_score_table(run, folder):
    options = ("--metric", "2", "--jackknife", "-d", "-f", "jsonl")
    code, out, _ = run("rouge", folder / "2021", *options)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert len(rows) == 3 * 100
    assert {row["metric"] for row in rows} == {"ROUGE-2-R", "ROUGE-2-P", "ROUGE-2-F"}
    assert "jackknife:True" in rows[0]["signature"]


def test_averages_of_a_release_of_nist(printed):
    out = printed("rouge", FIXTURES / "GuidedSumm2010_eval", "--task", "A", "-f", "tsv", "-q")
    head, *rows = out.splitlines()
    assert head.split("\t")[:9] == [
        *("year", "task", "summarizer", "metric"),
        *("n_topics", "mean", "resampled", "low", "high"),
    ]
    assert {row.split("\t")[0] for row in rows} == {"2010"}
    assert len(rows) % 24 == 0
