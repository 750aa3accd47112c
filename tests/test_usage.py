"""What the page of commands shows is what is printed."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from classy_aesop.cli import main
from classy_aesop.features.registry import alone

ROOT = Path(__file__).parent.parent
USAGE = (ROOT / "docs" / "usage.md").read_text()


@pytest.mark.slow
def test_examples_of_significance_print_what_is_shown(tmp_path, monkeypatch):
    (tmp_path / "data_samples").symlink_to(ROOT / "data_samples")
    (tmp_path / "out").mkdir()
    (ratings,) = re.findall(r"`out/ratings.tsv`:\n\n```tsv\n((?:.*\n)*?)```\n", USAGE)
    (tmp_path / "out" / "ratings.tsv").write_text(ratings)
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```sh\nclassy-aesop (.*)\n```\n(?:\n```text\n((?:.*\n)*?)```\n)?", USAGE)
    assert len(examples) == 14
    for command, shown in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert main(command.split()) == 0, command
        lines = printed.getvalue().splitlines()
        head, _, tail = shown.partition("\n...\n")
        assert lines[: len(head.splitlines())] == head.splitlines()
        assert not tail or lines[-len(tail.splitlines()) :] == tail.splitlines()
    (python,) = re.findall(r"```python\n(from classy_aesop import PeerSelection.*?)```", USAGE, flags=re.S)
    exec(compile(python, "usage.md", "exec"), {})


def test_lists_in_python():
    (python,) = re.findall(r"```python\n(from classy_aesop import Rouge, score.*?)```", USAGE, flags=re.S)
    found = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(python, "usage.md", "exec"), found)
    assert float(printed.getvalue()) > 0.5
    assert found["scores"].notna().all()
    assert list(found["features"].columns) == alone()


@pytest.mark.slow
def test_training_in_python(tmp_path, monkeypatch):
    (tmp_path / "data_samples").symlink_to(ROOT / "data_samples")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    (python,) = re.findall(r"```python\n(from classy_aesop import Config.*?)```", USAGE, flags=re.S)
    exec(compile(python, "usage.md", "exec"), {})
    assert (tmp_path / "out" / "mine.json").exists()


@pytest.mark.slow
def test_scikit_learn_in_python(tmp_path, monkeypatch):
    (tmp_path / "data_samples").symlink_to(ROOT / "data_samples")
    monkeypatch.chdir(tmp_path)
    (python,) = re.findall(r"```python\n(import pandas as pd\nfrom sklearn.*?)```", USAGE, flags=re.S)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(python, "usage.md", "exec"), {})
    assert float(printed.getvalue()) > 0
