"""What the page on ROUGE shows is what is printed."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from classy_aesop.cli import main

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rouge.md").read_text("utf-8")


@pytest.mark.slow
def test_the_study_prints_what_is_shown(tmp_path, monkeypatch):
    (tmp_path / "data_samples").symlink_to(ROOT / "data_samples")
    monkeypatch.chdir(tmp_path)
    ((command, shown),) = re.findall(r"```sh\nclassy-aesop (.*)\n```\n\n```text\n((?:.*\n)*?)```\n", PAGE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(command.split()) == 0
    assert printed.getvalue() == shown
