"""Intervals, means and contributions from the command line."""

import dataclasses
import json

import pytest

from classy_aesop.cli import main
from tests.predictor.samples import CALIBRATED


@pytest.fixture
def predictor(trained):
    """The file of a calibrated run."""
    return str(trained[0] / "predictors" / "6-A-no_models.json")


@pytest.mark.slow
@pytest.mark.parametrize(("more", "count"), [([], "4 of 4"), (["--means"], "2 of 2")])
def test_a_note_counts_the_intervals_that_end_beyond_the_grades(tmp_path, capsys, more, count):
    """Scores of 1.7 and 3 with intervals of .5 at each side, or .4; grades from 1.5 to 2.8."""
    texts = {"1": ["The cat sat.", "It ran."], "2": ["The cat sat on the mat."]}
    rows = [
        {"topic": topic, "summarizer": name, "text": text, "references": {"A": "The cat sat on the mat."}}
        for topic in "TU"
        for name, text in texts.items()
    ]
    (tmp_path / "summaries.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    learned = dataclasses.replace(CALIBRATED, training={}, references={})
    dataclasses.replace(learned, grades=(1.5, 2.8)).save(tmp_path / "x.json")
    files = [str(tmp_path / name) for name in ("x.json", "summaries.jsonl")]
    asked = ["predict", *files, "--confidence", "0.9", *more]
    note = f"classy-aesop: {count} intervals end beyond the grades in training, 1.5 to 2.8 (column beyond)"
    assert main(asked) == 0
    assert note in capsys.readouterr().err


@pytest.mark.slow
def test_a_confidence_beyond_the_topics_is_one_line(refused, folder, predictor):
    said = "no interval of confidence 0.99: calibrated on 5 topics"
    refused(2, said, f"predict {predictor} {folder}/2023 --confidence 0.99 -q")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--explain", "--means"], "--means cannot be combined with --explain; expected one of them"),
        (["--explain", "--confidence", "0.9"], "--confidence cannot be combined with --explain"),
        (["--groups"], "--groups needs --explain"),
    ],
)
def test_parts_of_scores_have_no_means_and_no_intervals(run, options, message):
    code, out, err = run("predict", "published/news-content", "nothing.jsonl", *options)
    assert (code, out) == (2, "")
    assert message in err


def test_parts_of_scores_are_a_table_of_predict(run):
    assert run("explain", "published/news-content", "nothing.jsonl")[0] == 2
