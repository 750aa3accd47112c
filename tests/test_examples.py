"""The ways of three users, from their tables to answers, as the scripts of ``docs/examples`` go them."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.slow
def test_a_table_of_metric_scores(tmp_path, capsys):
    runpy.run_path(str(EXAMPLES / "metric_scores.py"))["show"](tmp_path)
    told = capsys.readouterr()
    assert "system=model" in told.err
    assert "decimal commas are read as points in half, human, rouge2" in told.err
    assert told.out.count("$ classy-aesop") == 3
    assert "rouge2" in told.out


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_a_notebook(capsys):
    found = runpy.run_path(str(EXAMPLES / "notebook.py"))
    assert list(found["agreement"]["other"]) == ["", *["the others"] * 3, "2", "3", "3"]
    assert set(found["found"]["metric"]) == {"ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"}
    assert set(found["found"]["target"]) == {"rating"}
    assert "judged: rating" in capsys.readouterr().out


@pytest.mark.slow
def test_three_raters_and_500_outputs(tmp_path, capsys):
    runpy.run_path(str(EXAMPLES / "three_raters.py"))["show"](tmp_path)
    told = capsys.readouterr()
    assert "ratings=rating_1,rating_2,rating_3" in told.err
    assert len((tmp_path / "predicted.tsv").read_text(encoding="utf-8").splitlines()) == 501
    assert told.out.count("$ classy-aesop") == 4
