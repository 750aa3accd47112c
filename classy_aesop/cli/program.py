"""The program: its parser, and how warnings and errors of a command are printed.

Exit codes: 0 done, 1 something inside a file is wrong or a disk is full, 2 the command line or a path is wrong, 70 a
fault of the program, 130 interrupted (143 if ended by SIGTERM).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from classy_aesop.cli import corpora, prediction, reliability, report, scoring, studies, testing, training
from classy_aesop.cli.commands import Asked, Command, add_option
from classy_aesop.cli.guide import PURPOSE, guide, versions
from classy_aesop.cli.interrupted import exit_code, what_is_left
from classy_aesop.cli.log import shown_log
from classy_aesop.cli.output import check_output, write
from classy_aesop.errors import InputError, UsageError, in_one_line, listed
from classy_aesop.files.atomic import NO_ROOM
from classy_aesop.files.inputs import inputs_kept
from classy_aesop.running.memory import lack_of_memory_named

PROGRAM = "classy-aesop"
_STANDARD_ERROR = 2

FAULT = 70
"""Exit code of a fault of the program, as of ``sysexits.h``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give its exit code."""
    _keep_closed_streams_closed()
    options = Asked(verbose=False)
    try:
        options = _parsed(arguments)
        if options.version or options.command is None:
            print(versions(PROGRAM, verbose=options.verbose) if options.version else guide(PROGRAM))
            return 0
        with (
            lack_of_memory_named(),
            warnings.catch_warnings(),
            shown_log(PROGRAM, verbose=options.verbose, quiet=options.quiet),
            inputs_kept(options.files_read()),
        ):
            _say_warnings(quiet=options.quiet)
            check_output(options)
            if "" in options.files_read():
                raise UsageError("the name of a file to read is empty; expected one")
            with _workers(options):
                found = options.command.run(options)
            if found is not None:
                write(found, options)
            if sys.stdout is not None:
                sys.stdout.flush()
    except (KeyboardInterrupt, ImportError) as error:
        if isinstance(error, ImportError) and not exit_code():
            return _fault(error, verbose=options.verbose)
        return _fail(f"interrupted; {what_is_left(options)}", exit_code() or 130)
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
        return _fail(str(error) if error.path is not None else _placed(str(error), options), 1)
    except UnicodeEncodeError as error:
        found = error.object[: error.end].split()[-1][-40:]
        message = f"found {found!r}, which is not UTF-8; expected names that can be written"
        return _fail(_placed(message, options), 1)
    except MemoryError as error:
        return _fail(_placed(": ".join(filter(None, ["not enough memory", str(error)])), options), 1)
    except Exception as error:
        return _fault(error, verbose=options.verbose)
    return 0


def _fault(error: Exception, *, verbose: bool) -> int:
    """Say that the program is at fault, or a package that it uses, and not its user; with ``verbose`` also where."""
    if verbose:
        traceback.print_exception(error)
    more = "" if verbose else " (-v shows where)"
    what = f"{type(error).__name__}: {error}"
    return _fail(f"a fault of the program or of a package that it uses{more}: {what}", FAULT)


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


def _placed(message: str, options: Asked) -> str:
    """Say which files a message is about that is about what they hold together."""
    names = ["standard input" if name == "-" else name for name in options.files_read()]
    return f"{listed(dict.fromkeys(names))}: {message}" if names else message


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


def _workers(asked: Asked) -> contextlib.AbstractContextManager[None]:
    """Lead the work of a command to the scheduler that is asked for, if any."""
    address = getattr(asked, "scheduler", None)
    if address is None:
        return contextlib.nullcontext()
    from classy_aesop.running.workers import cluster

    asked.n_jobs = -1
    return cluster(address)


def _parsed(arguments: Sequence[str] | None) -> Asked:
    """Read the command line; where a shell asks for completions, give these and end."""
    made = parser()
    if "_ARGCOMPLETE" in os.environ:
        with contextlib.suppress(ImportError):
            import argcomplete

            filled(made, os.environ.get("COMP_LINE", "").split())
            argcomplete.autocomplete(made)
    return made.parse_args(arguments, Asked())


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line; that of a command gets its options when it is used."""

    command: Command | None = None

    def error(self, message: str) -> NoReturn:
        """End with one line that is not as long as what it repeats."""
        self.exit(2, f"{self.prog}: error: {in_one_line(message)}\n")

    def parse_known_args(self, *args: Any, **options: Any) -> Any:
        """Read a command line."""
        self.fill()
        return super().parse_known_args(*args, **options)

    def fill(self) -> None:
        """Add the options of its command."""
        command, self.command = self.command, None
        if command is not None:
            command.add_to(self)


def parser() -> Parser:
    """Make the parser of the program, with all commands."""
    made = Parser(prog=PROGRAM, description=PURPOSE)
    made.set_defaults(command=None, verbose=False)
    made.add_argument(
        "--version", action="store_true", help="print the version, with -v also those beneath it"
    )
    add_option(made, "verbose", False)
    commands = made.add_subparsers(title="commands", metavar="COMMAND")
    for command in (one for module in _MODULES for one in module.COMMANDS):
        _add(commands, command)
    study = commands.add_parser("study", help=_STUDY, description=_STUDY)
    of_study = study.add_subparsers(title="studies", required=True, metavar="STUDY")
    for command in studies.study_commands():
        _add(of_study, command)
    return made


_MODULES = (training, prediction, corpora, scoring, testing, reliability, report)
_STUDY = "Repeat an experiment, or remake a table or figure of a paper."


def _add(commands: argparse._SubParsersAction[Any], command: Command) -> None:
    made = commands.add_parser(command.name, help=command.help, description=command.help)
    made.command = command


def filled(above: argparse.ArgumentParser, names: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Add the options of all commands of a parser, or of those that are named."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, own in action.choices.items():
                if names is None or name in names:
                    own.fill()
                    filled(own, names)
    return above
