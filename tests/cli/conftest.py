"""The command line, run inside the test."""

import pytest

from classy_aesop.cli import main


@pytest.fixture
def run(capsys):
    """Run a command; give its exit code, standard output and standard error."""

    def go(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out, told.err

    return go
