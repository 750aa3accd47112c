"""The help of a command begins with what it answers, is short, and ends with examples that run."""

import re
from pathlib import Path

import pytest

from classy_aesop.cli import main, program
from classy_aesop.cli.help import EXAMPLES
from classy_aesop.cli.option_table import OPTIONS, SELDOM_NEEDED_OPTIONS
from classy_aesop.papers import STUDIES

COMMANDS = {command.name: command for command in program.ALL_COMMANDS}
SAMPLES = Path(__file__).parents[2] / "data_samples"


def helped(capsys, *names, how="--help"):
    with pytest.raises(SystemExit):
        main([*names, how])
    return capsys.readouterr().out


def shown_examples(text):
    """Give the arguments of the examples at the end, their lines put together."""
    lines = text.replace(" \\\n", "").rpartition("\nexamples")[2].partition(":\n")[2].splitlines()
    words = [line.split()[1:] for line in lines]
    return [one[2:] if one[0] == "study" else one[1:] for one in words]


@pytest.fixture(autouse=True)
def _of_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def check(capsys, name, examples):
    """Hold what the help of commands and of studies has in common, in short and in full; give what it begins with."""
    short, full = helped(capsys, *name.split()), helped(capsys, *name.split(), how="--help-all")
    for text in (short, full):
        answer, usage, *_ = text.split("\n\n")
        assert usage.startswith(f"usage: classy-aesop {name} ")
        assert len(usage.splitlines()) <= 2
        assert shown_examples(text) == [line.split() for line in examples] != []
        assert max(len(line) for line in text.splitlines()) <= 80
    assert len(short.splitlines()) <= 42
    options = [set(re.findall(r"^  (?:-\w.*, )?(--[\w-]+)", text, re.MULTILINE)) for text in (short, full)]
    left_out = re.search(r"all options, (\d+) of them seldom needed", " ".join(short.split()))
    chosen = {"--year", "--task", "--peers", "--exclude", "--only"} & (options[1] - options[0])
    assert all(one in short for one in chosen)
    assert len(options[1] - options[0] - chosen) == int(left_out[1])
    return " ".join(answer.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_the_answer_and_ends_with_two_examples(name, capsys):
    assert check(capsys, name, EXAMPLES[name]) == COMMANDS[name].help


@pytest.mark.slow
def test_the_program_lists_its_commands_and_study_its_studies(capsys):
    assert "None" not in helped(capsys)
    assert all(f"    {name} " in helped(capsys) for name in COMMANDS)
    assert all(f"    {name} " in helped(capsys, "study") for name in STUDIES)


def test_no_sentence_of_help_has_more_than_35_words():
    helps = [option.help for option in OPTIONS.values()]
    helps += [command.help for command in COMMANDS.values()] + [study.help for study in STUDIES.values()]
    sentences = [one for text in helps for one in re.split(r"[.;:] ", text)]
    assert [one for one in sentences if len(one.split()) > 35] == []


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("name", STUDIES)
def test_help_of_a_study_ends_with_examples(name, capsys):
    check(capsys, f"study {name}", STUDIES[name].examples)
    for line in STUDIES[name].examples:
        assert program.parser().parse_args(["study", name, *line.split()]).command


def test_examples_say_where_their_files_come_from(capsys):
    about = {
        "baselines": "examples (classy-aesop init --sample sample makes the data):",
        "evaluate": "sample makes the data; the examples of baselines make scores.tsv):",
        "assessors": "examples (classy-aesop init --sample sample makes the data):",
        "init": "examples (classy-aesop init --sample sample makes the data):",
    }
    for name, expected in about.items():
        assert expected in " ".join(helped(capsys, name).split())


def test_every_command_has_examples_and_every_seldom_option_is_one():
    assert set(EXAMPLES) == set(COMMANDS)
    assert set(OPTIONS) >= SELDOM_NEEDED_OPTIONS


@pytest.mark.slow
def test_the_examples_of_help_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for folder in ("data_samples", "configs"):
        (tmp_path / folder).symlink_to(SAMPLES.parent / folder)
    for name, lines in EXAMPLES.items():
        for line in lines:
            assert main([name, *line.split(), "-q"]) == 0, (name, line, capsys.readouterr().err)
