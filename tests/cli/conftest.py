"""The command line, run inside the test."""

import contextlib
import io

import pytest

from classy_aesop.cli import main


@pytest.fixture
def run(capsys):
    """Run a command, one line or its arguments; give its exit code, standard output and standard error."""

    def go(*arguments):
        if len(arguments) == 1:
            arguments = arguments[0].split()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out, told.err

    return go


@pytest.fixture
def printed(run):
    """Run a command that does its work and says nothing else; give what it prints."""

    def go(*arguments):
        code, out, err = run(*arguments)
        assert (code, err) == (0, "")
        return out

    return go


@pytest.fixture
def refused(run):
    """Run a command that ends with a code and one line, which holds some words, and prints nothing."""

    def go(code, words, *arguments):
        found = run(*arguments)
        assert found[:2] == (code, ""), found[2]
        assert found[2].count("\n") == 1
        for part in [words] if isinstance(words, str) else words:
            assert part in found[2]

    return go


@pytest.fixture
def without_note(run):
    """Run a command as `run` does; the note on human measures is left out of what it says."""

    def go(*arguments):
        code, out, err = run(*arguments)
        note = "classy-aesop: human measures: "
        return code, out, "".join(line for line in err.splitlines(True) if not line.startswith(note))

    return go


@pytest.fixture(scope="session")
def trained(small, tmp_path_factory):
    """The folder that ``train`` makes of the small experiment, and what it prints. Only to be read."""
    out = tmp_path_factory.mktemp("trained") / "out"
    printed, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        assert main(["train", str(small / "small.toml"), "-o", str(out)]) == 0
    assert said.getvalue() == "classy-aesop: human measures: pyramid, readability, responsiveness\n"
    return out, printed.getvalue()
