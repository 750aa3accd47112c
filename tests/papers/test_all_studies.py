"""All studies that the data allow are on one page, and one that fails does not end the others."""

from dataclasses import replace

import pandas as pd
import pytest

from classy_aesop import read_corpus
from classy_aesop.cli import main
from classy_aesop.cli.study_pages import page_of_runs
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.rankel_2013 import best_pairs
from classy_aesop.papers.study_runs import StudyRun, group_tables, run_studies

NAMES = ("best-pairs", "pair-counts", "score-ranks", "coefficients", "mixture-power")


@pytest.fixture
def few_studies(monkeypatch):
    """Keep a few studies, one of which fails in a way that nobody foresaw."""
    studies = {name: STUDIES[name] for name in NAMES}
    studies["score-ranks"] = replace(studies["score-ranks"], function="judged:strip_jackknifed")
    monkeypatch.setattr("classy_aesop.papers.study_runs.STUDIES", studies)


GIVEN = {"target": "pyramid", "metric": "pyramid", "n_trials": 3, "n_null": 50, "names": 1}


@pytest.mark.slow
def test_a_study_that_fails_does_not_end_the_others(few_studies, small):
    data = StudyData([read_corpus(small / "2021")], task="A")
    runs = {run.command: run for run in run_studies(data, GIVEN)}
    assert list(runs) == ["best-pairs", "pair-counts", "pair-counts --mixed", *NAMES[2:]]
    failures = {command: run.failure for command, run in runs.items() if run.result is None}
    assert failures == {
        "score-ranks": "AttributeError: 'int' object has no attribute 'str'",
        "coefficients": "a command of its own, which needs a configuration",
    }
    assert runs["pair-counts --mixed"].result.table["pairs"].unique().tolist() == ["mixed"]
    expected = best_pairs(StudyData([read_corpus(small / "2021")], task="A")).table
    own = runs["best-pairs"].result.table
    pd.testing.assert_frame_equal(
        own[own["metric"].isin(expected["metric"])].reset_index(drop=True), expected
    )


@pytest.mark.slow
def test_the_page_goes_paper_by_paper_and_says_what_failed(few_studies, small):
    data = StudyData([read_corpus(small / "2021")], task="A")
    runs = [*run_studies(data, GIVEN)]
    page = page_of_runs(runs)
    assert page.lead[0].startswith("4 of 6 studies could be run")
    *sections, failed = page.sections
    assert [section.title.partition(", ")[0] for section in sections] == [
        "Rankel (2016)",
        "Rankel et al. (2011)",
        "Rankel et al. (2011)",
        "Rankel et al. (2013)",
    ]
    assert failed.points[1] == "coefficients: a command of its own, which needs a configuration"
    [table] = sections[-1].tables
    assert list(table.result.table)[:1] == ["Year"]  # as printed
    [own] = page_of_runs([run for run in runs if run.study == "mixture-power"]).sections
    assert "power" in own.tables[0].result.table


def test_runs_are_called_as_they_are_typed():
    run = StudyRun("pair-counts", " --mixed", None, tables=group_tables("pair-counts")[1])
    assert run.command == "pair-counts --mixed"
    assert run.items == ["Rankel et al. (2011), Table 2", "Rankel (2016), Table 4.2"]
    assert run.paper == "Rankel et al. (2011)"


@pytest.mark.slow
def test_the_command_writes_a_page_and_the_tables(few_studies, small, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    command = ["study", "all", str(small / "2021"), "--task", "A", "--target", "pyramid", "-o", str(out)]
    assert main([*command, "--n-trials", "3", "--n-resamples", "9"]) == 0
    assert sorted(path.name for path in out.iterdir()) == sorted(
        ["best-pairs.tsv", "index.html", "mixture-power.tsv", "pair-counts-mixed.tsv", "pair-counts.tsv"]
    )
    assert "study pair-counts --mixed" in capsys.readouterr().err
    assert "command:study best-pairs|" in (out / "best-pairs.tsv").read_text()
    assert "What could not be run" in (out / "index.html").read_text()
