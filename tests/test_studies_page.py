"""The commands of the page of studies run on the sample."""

import re
from pathlib import Path

import pytest

from classy_aesop.cli import main
from classy_aesop.studies import STUDIES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "studies.md").read_text()
COMMANDS = re.findall(r"^    classy-aesop (.+)$", PAGE, flags=re.M)
LONG = ("study coefficients", "study retraining")  # as commands in tests/studies/test_registry.py
ON_THE_SAMPLE = [command for command in COMMANDS if "SUMMEVAL" not in command and "tac2011" not in command]


def test_every_study_of_a_paper_has_a_section_and_a_command():
    for name, study in STUDIES.items():
        assert not study.remakes or f"### `{name}`\n" in PAGE, name
    shown = {command.split()[1] for command in ON_THE_SAMPLE if command.startswith("study ")}
    assert {name for name, study in STUDIES.items() if study.remakes} == shown


def test_every_command_of_the_tables_is_there():
    named = set(re.findall(r"`study ([a-z-]+)", PAGE))
    assert named <= set(STUDIES)
    assert {name for name, study in STUDIES.items() if study.remakes} <= named


@pytest.mark.slow
def test_the_commands_run_on_the_sample(tmp_path, monkeypatch, capsys):
    for name in ("data_samples", "configs"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    for command in (one for one in ON_THE_SAMPLE if not one.startswith(LONG)):
        assert main(command.split()) == 0, command
        printed = capsys.readouterr()
        assert "error" not in printed.err
        assert printed.out.count("\n") > 3 or "-o" in command
