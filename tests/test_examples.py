"""The notebook and the job of a forge in ``docs/examples`` run, and give what they say."""

import re
import runpy
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop.cli.program import main

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_a_notebook(capsys):
    found = runpy.run_path(str(EXAMPLES / "notebook.py"))
    assert list(found["agreement"]["other"]) == ["", *["the others"] * 3, "2", "3", "3"]
    assert set(found["found"]["metric"]) == {"ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"}
    assert set(found["found"]["target"]) == {"rating"}
    assert "judged: rating" in capsys.readouterr().out


@pytest.mark.parametrize(("lead", "code"), [(0.5, 0), (-1.0, 3)])
def test_the_job_of_a_forge_compares_two_versions(lead, code, tmp_path, monkeypatch, capsys):
    text = (EXAMPLES / "gate.yml").read_text(encoding="utf-8")
    command = re.search(r"name: Compare\n +run: \|\n((?: {10}.*\n)+)", text)[1].replace("\\\n", " ")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    quality = rng.normal(3.0, 1.0, 60)
    for name, scores in (("released", quality), ("proposed", quality + lead + rng.normal(0, 0.3, 60))):
        table = pd.DataFrame({"prompt": [f"p{number}" for number in range(60)], "score": scores})
        table.to_csv(f"{name}.csv", index=False)
    program, *arguments = shlex.split(command)
    assert program == "classy-aesop"
    assert main(arguments) == code
    comment = Path("comment.md").read_text(encoding="utf-8")
    assert comment.startswith("**gate passed: " if code == 0 else "**gate failed: ")
    assert "gate " in capsys.readouterr().err
