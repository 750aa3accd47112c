"""The program: its parser, and how warnings and errors of a command are printed.

Exit codes: 0 done, 1 something inside a file is wrong or a disk is full, 2 the command line or a path is wrong, 130
interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from classy_aesop.cli import (
    baselines,
    corpora,
    prediction,
    reliability,
    report,
    scoring,
    studies,
    testing,
    training,
)
from classy_aesop.cli.base import add_verbose, check_output, workers
from classy_aesop.cli.guide import PURPOSE, guide, versions
from classy_aesop.cli.interrupted import Written, is_interrupted
from classy_aesop.cli.log import shown_log
from classy_aesop.errors import InputError, UsageError, in_one_line, listed
from classy_aesop.files import NO_ROOM

PROGRAM = "classy-aesop"
_STANDARD_ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give its exit code."""
    _keep_closed_streams_closed()
    options, written = argparse.Namespace(), None
    try:
        options = _parsed(arguments)
        if options.version or options.command is None:
            print(versions(PROGRAM, verbose=options.verbose) if options.version else guide(PROGRAM))
            return 0
        written = Written.of(options)
        with warnings.catch_warnings(), shown_log(PROGRAM, verbose=options.verbose, quiet=options.quiet):
            _say_warnings(quiet=options.quiet)
            check_output(options)
            if "" in _inputs(options):
                raise UsageError("the name of a file to read is empty; expected one")
            with workers(options):
                options.command(options)
            if sys.stdout is not None:
                sys.stdout.flush()
    except (KeyboardInterrupt, ImportError) as error:
        if isinstance(error, ImportError) and not is_interrupted():
            raise
        return _fail(f"interrupted; {written.left() if written else 'nothing was written'}", 130)
    except BrokenPipeError:  # the reader has gone
        _close_output()
        return 0
    except OSError as error:
        if error.errno not in NO_ROOM:
            return _fail(_os_message(error), 2)
        if error.filename is None:
            error.filename = "standard output"
            _close_output()
        return _fail(_os_message(error), 1)
    except UsageError as error:
        return _fail(str(error), 2)
    except InputError as error:
        return _fail(_placed(error, options), 1)
    except ValueError as error:
        return _fail(str(error), 1)
    except MemoryError as error:
        return _fail(": ".join(filter(None, ["not enough memory", str(error)])), 1)
    return 0


def _keep_closed_streams_closed() -> None:
    """Take the numbers of closed standard streams, or else a file that is opened would be written to as one."""
    if sys.stdout is None or sys.stderr is None:
        while os.open(os.devnull, os.O_RDWR) < _STANDARD_ERROR:
            pass
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _close_output() -> None:
    """Lead what is left in standard output nowhere: Python would complain of it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    print(f"{PROGRAM}: error: {in_one_line(message)}", file=sys.stderr)
    return code


_INPUTS = (
    "predictor",
    "predictors",
    "config",
    "input",
    "more",
    "inputs",
    "corpora",
    "corpus",
    "years",
    "scores",
    "judgments",
    "ratings",
    "labels",
)
"""The options that name files to read."""


def _placed(error: InputError, options: argparse.Namespace) -> str:
    """Say which files an error is about, where it is in none of them: it is about what they hold together."""
    names = ["standard input" if name == "-" else name for name in _inputs(options)]
    if not names or error.path is not None:
        return str(error)
    return f"{listed(dict.fromkeys(names))}: {error}"


def _inputs(options: argparse.Namespace) -> list[str]:
    """Name the files that a command reads."""
    given = [value for name in _INPUTS if (value := getattr(options, name, None)) is not None]
    values = [one for value in given for one in (value if isinstance(value, list) else [value])]
    return [one[1] if isinstance(one, tuple) else one for one in values]


def _os_message(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def _say_warnings(*, quiet: bool) -> None:
    """Print the warnings about data as one line each on standard error, equal ones once, or none with --quiet."""
    from classy_aesop.errors import DataWarning

    shown = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        line = in_one_line(str(message))
        if line not in shown:
            shown.add(line)
            print(f"{PROGRAM}: warning: {line}", file=sys.stderr)

    warnings.simplefilter("ignore")
    if not quiet:
        warnings.simplefilter("always", DataWarning)
    warnings.showwarning = show


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; where a shell asks for completions, give these and end."""
    made = parser()
    if "_ARGCOMPLETE" in os.environ:
        with contextlib.suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(made)
    return made.parse_args(arguments)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and not as long as what they repeat."""

    def error(self, message: str) -> NoReturn:
        super().error(in_one_line(message))


def parser() -> argparse.ArgumentParser:
    """Make the parser of the program, with all commands."""
    made = _Parser(prog=PROGRAM, description=PURPOSE)
    made.set_defaults(command=None)
    made.add_argument(
        "--version", action="store_true", help="print the version, with -v also those beneath it"
    )
    add_verbose(made, default=False)
    commands = made.add_subparsers(title="commands", metavar="COMMAND")
    modules = (training, prediction, corpora, scoring, baselines, testing, reliability, studies, report)
    for add in (add for module in modules for add in module.COMMANDS):
        add(commands)
    return made
