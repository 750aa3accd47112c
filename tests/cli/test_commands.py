"""A parser is made of a function; an option is typed, checked and signed as it is declared."""

import pytest

from classy_aesop.cli.commands import Command, CommandLine
from classy_aesop.cli.option_table import OPTIONS
from classy_aesop.cli.parser import Parser


def probe(table, metric=None, names=("r1", "r2"), n_resamples=99, clusters=False, *, command_line):
    """Give back what is command_line for."""
    return table, metric, names, n_resamples, clusters


@pytest.fixture
def ask(capsys):
    """Ask a command of the function above; give what it takes and the parsed command line, or what is said."""

    def go(*words, command=None):
        command = Command(probe) if command is None else command
        parser = Parser("x", "It is a probe.", command)
        try:
            command_line = parser.parse_args(words, CommandLine(verbose=False))
        except SystemExit:
            return capsys.readouterr()
        return command.run(command_line), command_line

    return go


def test_a_list_may_be_repeated_or_separated_by_commas(ask):
    for words in (["--metric", "a,b c"], ["--metric", "a", "--metric", "b c"], ["--metric", 'a, "b c"']):
        assert ask("t", *words)[0][1] == ["a", "b c"]
    assert ask("t", "--metric", '"a,b"')[0][1] == ["a,b"]
    assert ask("t", "--metric", "Ngram(1,4),x(,y)")[0][1] == ["Ngram(1,4)", "x(,y)"]
    assert ask("t", "--metric", "x(,y")[0][1] == ["x(", "y"]
    assert ask("t", "--metric", ",a,,")[0][1] == ["a"]
    assert ask("t")[0][1] is None
    assert ask("t", "--metric", "a,b", "--metric", "a")[0][1] == ["a", "b"]


def test_what_is_wrong_is_one_line_and_the_help_shows_choices_and_defaults(ask):
    for words, said in (
        ([], "required: SCORES ..."),
        (["t", "--format", "no"], "invalid choice: 'no' (choose from 'text'"),
        (["t", "-r", "0"], "expected a whole number from 1"),
    ):
        assert said in ask(*words).err.splitlines()[-1]
    text = " ".join(ask("--help-all").out.split())
    assert "output, if its name does not say it: text," in text
    assert "(default: r1, r2)" in text
    assert "number of resamples (default: 99)" in text


def test_a_signature_names_all_that_numbers_depend_on(ask):
    _, command_line = ask("t", "--metric", "a,b", "-o", "x", "-q")
    parts = command_line.signature().split("|")
    assert parts[:-1] == ["command:probe", "metric:a+b", "names:r1+r2", "n_resamples:99"]
    assert "n_resamples:98|" in command_line.signature(n_resamples=98)
    assert "resamples" not in command_line.signature(n_resamples=None)


def test_one_flag_has_one_meaning():
    """Declarations share a flag where one takes a list or one value more, for the output, or in other commands."""
    by_flag = {}
    for name, option in OPTIONS.items():
        for flag in option.option_strings:
            by_flag.setdefault(flag, set()).add(name)
    assert {flag: names for flag, names in by_flag.items() if len(names) > 1} == {
        "--metric": {"metric", "metrics", "rouge_metrics"},
        "-m": {"baselines", "compute"},
        "--target": {"target", "targets"},
        "--reference": {"references", "reference_texts"},
        "-o": {"output", "folder", "place", "page"},
        "--output": {"output", "folder", "place", "page"},
    }
