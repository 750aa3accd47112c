"""What the page on ROUGE shows is what is measured."""

from pathlib import Path

import pytest

from benchmarks import rouge_causes

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_table_of_causes_is_what_is_printed(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.argv", ["rouge_causes"])
    rouge_causes.main()
    printed = capsys.readouterr().out.splitlines()
    page = (ROOT / "docs" / "rouge.md").read_text("utf-8")
    assert sum(line in page for line in printed) == len(printed) - 5
