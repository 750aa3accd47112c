"""What the program does beside its commands: guide, version, log, slips of the keyboard."""

import logging

import pytest

from classy_aesop.cli import program
from classy_aesop.cli.help import FIRST_STEPS
from classy_aesop.version import __version__


def test_alone_it_prints_a_guide_of_commands_that_there_are(printed):
    out = printed()
    for _, command in FIRST_STEPS:
        assert f"classy-aesop {command}\n" in out
        assert program.parser().parse_args(command.split()).command is not None
    assert len(out.splitlines()) < 15


@pytest.mark.parametrize("name", ["c", "standard", "corpus.jsonl"])
def test_an_error_about_all_of_a_file_names_it_whatever_the_name_is(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    row = '{"instance_id": "D1", "summarizer_id": "7", "summary": "It rained."}\n'
    (tmp_path / name).write_text(row)
    code, _, said = run("baselines", name, "-m", "js_documents", "--format", "jsonl", "-q")
    assert code == 1
    assert said.startswith(f"classy-aesop: error: {name}: ")


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        program.main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"classy-aesop {__version__}\n")


def test_the_log_says_what_was_decided(run, small):
    plain = run("features", small / "2021", "--names", "r1")
    told = run("features", small / "2021", "--names", "r1", "-v")
    assert (plain[0], plain[2]) == (0, "")
    assert told[:2] == plain[:2]
    [line] = told[2].splitlines()
    assert "2021 (layout jsonl): Corpus(2021: 10 topics, 100 summaries by " in line
    assert line.endswith("judged: pyramid, readability, responsiveness)")
    assert run("-v", "features", small / "2021", "--names", "r1") == told
    assert logging.getLogger("classy_aesop").handlers == []


def test_a_misspelled_command_names_the_one_that_is_meant(refused):
    refused(2, "invalid choice: 'prdict'; did you mean predict? (choose from", "prdict x")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("compare --metrc x", "--metrc; did you mean --metric?"),
        ("compare x --metrc=y", "--metrc; did you mean --metric?"),
        ("compare x --qwzx", "--qwzx"),
        ("study score-ranks --pers all", "--pers; did you mean --peers?"),
        (
            "compare x --resampling=mc",
            "--resampling; write study pair-counts --with-resampling, or no option: "
            "the tests need no resamples",
        ),
    ],
)
def test_a_misspelled_option_is_told_before_a_missing_one(line, said, capsys):
    with pytest.raises(SystemExit) as ended:
        program.main(line.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f": error: unrecognized arguments: {said}\n")
