"""The program: its parser, and how warnings and errors of a command are printed.

Exit codes: 0 done, 1 something inside a file is wrong or a disk is full, 2 the command line or a path is wrong, 3 what
``--fail-if`` names was found or cannot be decided, 70 a fault of the program, 130 interrupted (143 if ended by
SIGTERM).
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from classy_aesop.cli.commands import Command, CommandLine
from classy_aesop.cli.help import PROGRAM, PURPOSE, guide, list_remade_tables
from classy_aesop.cli.learning import LEARNING_COMMANDS, study_all
from classy_aesop.cli.option_table import OPTIONS, STANDARD
from classy_aesop.cli.output import check_output, write_output
from classy_aesop.cli.parser import Parser
from classy_aesop.cli.plugins import load_plugin
from classy_aesop.cli.scoring import SCORING_COMMANDS
from classy_aesop.cli.testing import TESTING_COMMANDS
from classy_aesop.errors import (
    NOTE,
    DataWarning,
    InputError,
    UsageError,
    escape_controls,
    format_in_one_line,
    join_names,
)
from classy_aesop.papers import ALL, CHECK, STUDIES
from classy_aesop.version import __version__
from classy_aesop.work.files import NO_ROOM, is_special, protect_inputs
from classy_aesop.work.kept_files import keep_files
from classy_aesop.work.options import Option

_STANDARD_ERROR = 2

GATE_EXIT_CODE = 3
"""Exit code of a comparison in which what ``--fail-if`` names was found, or cannot be decided."""

FAULT_EXIT_CODE = 70
"""Exit code of a fault of the program, as of ``sysexits.h``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give its exit code."""
    if sys.stdout is None or sys.stderr is None:  # a file that is opened would be written to as one of them
        while os.open(os.devnull, os.O_RDWR) < _STANDARD_ERROR:
            pass
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    command_line = CommandLine(verbose=False)
    try:
        command_line = parser().parse_args(arguments, command_line)
        if vars(command_line)["command"] is None:
            print(guide(PROGRAM))
        else:
            return _run_command(command_line)
    except BrokenPipeError:  # the reader has gone
        _close_output()
    except (Exception, KeyboardInterrupt) as error:
        return _report_error(error, command_line)
    return 0


def _run_command(command_line: CommandLine) -> int:
    """Run a command and write its result; give its exit code."""
    with (
        warnings.catch_warnings(),
        keep_files(),
        show_log(PROGRAM, verbose=command_line.verbose, quiet=command_line.quiet),
        protect_inputs(command_line.files_read()),
    ):
        _show_warnings(quiet=command_line.quiet)
        check_output(command_line)
        if "" in command_line.files_read():
            raise UsageError("the name of a file to read is empty; expected one")
        if command_line.files_read().count(STANDARD) > 1:
            raise UsageError("standard input is named twice; it can be read once")
        for path in getattr(command_line, "plugin", ()):
            load_plugin(path)
        with _use_dask_workers(command_line):
            result = command_line.command.run(command_line)
        if result is not None:
            write_output(result, command_line)
        if sys.stdout is not None:
            sys.stdout.flush()
    passed, message = getattr(result, "gate", None) or (True, "")
    if message:
        print(f"{PROGRAM}: {message}", file=sys.stderr)
    return 0 if passed else GATE_EXIT_CODE


def _report_error(error: BaseException, command_line: CommandLine) -> int:
    """Print an error in one line; give the exit code."""
    code = 1
    if isinstance(error, KeyboardInterrupt):
        message = f"interrupted; {describe_unfinished_output(command_line)}"
        code = exit_code() or 130
    elif isinstance(error, OSError):
        code = 1 if error.errno in NO_ROOM else 2
        if code == 1 and error.filename is None:  # a full disk behind standard output has no name
            error.filename = "standard output"
            _close_output()
        has_name = error.filename and error.strerror
        message = f"{error.filename}: {error.strerror}" if has_name else str(error)
    elif isinstance(error, UsageError):
        message = str(error)
        code = 2
    elif isinstance(error, InputError | UnicodeEncodeError | MemoryError):
        message = _message_with_files(error, command_line)
    else:
        if command_line.verbose:
            traceback.print_exception(error)
        more = "" if command_line.verbose else " (-v shows where)"
        message = (
            f"an error in the program or in a package that it uses{more}: {type(error).__name__}: {error}"
        )
        code = FAULT_EXIT_CODE
    print(f"{PROGRAM}: error: {format_in_one_line(message)}", file=sys.stderr)
    return code


def _message_with_files(
    error: InputError | UnicodeEncodeError | MemoryError, command_line: CommandLine
) -> str:
    """Write the message of an error; one without a path begins with the names of all files that the command reads."""
    message = str(error)
    if isinstance(error, InputError) and error.path is not None:
        return (
            message
            if command_line.can_follow(error.advice, error.path)
            else message.removesuffix(error.advice)
        )
    if isinstance(error, UnicodeEncodeError):
        name = error.object[: error.end].split()[-1][-40:]
        message = f"found {name!r}, which is not UTF-8; expected names that can be written"
    elif isinstance(error, MemoryError):
        message = ": ".join(filter(None, ["not enough memory", message]))
    names = ["standard input" if name == STANDARD else name for name in command_line.files_read()]
    return f"{join_names(dict.fromkeys(names))}: {message}" if names else message


def _close_output() -> None:
    """Discard what is left in the buffer of standard output: Python would complain of it again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warnings(*, quiet: bool) -> None:
    """Print the warnings about data as one line each on standard error, equal ones once, or none with --quiet."""
    printed = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        """Print a warning, unless an equal one was."""
        line = format_in_one_line(str(message))
        if line not in printed:
            printed.add(line)
            print(f"{PROGRAM}: warning: {line}", file=sys.stderr)

    warnings.simplefilter("ignore")
    if not quiet:
        warnings.simplefilter("always", DataWarning)
    warnings.showwarning = show


def _use_dask_workers(command_line: CommandLine) -> contextlib.AbstractContextManager[None]:
    """Run the work of a command on the scheduler of ``--scheduler``, if there is one."""
    address = getattr(command_line, "scheduler", None)
    if address is None:
        return contextlib.nullcontext()
    from classy_aesop.work.cluster import cluster

    command_line.n_jobs = -1
    return cluster(address)


def parser() -> Parser:
    """Make the parser of the program, with all commands."""
    made = Parser(PROGRAM, PURPOSE)
    made.set_defaults(command=None)
    made.add_printing(Option("print the version", flags=("--version",)), _print_version)
    made.add_option(replace(OPTIONS["verbose"], default=False))
    made.add_commands("commands", "COMMAND")
    for command in ALL_COMMANDS:
        made.add_command(command.name, command.help, command)
    study = made.add_command("study", "Repeat an experiment, or remake a table or figure of a paper.")
    study.add_printing(
        Option("list the tables and figures of the papers, and what they need", flags=("--list",)),
        _print_remade_tables,
    )
    study.add_commands("studies", "STUDY", required=True)
    for name, declared in STUDIES.items():
        peers = {"peers": declared.peers} if declared.peers else {}
        forms = {"as_printed": "papers.printed_tables:arrange_as_printed"} if declared.remakes_tables else {}
        command = Command(
            f"papers.{declared.function}",
            f"study {name}",
            declared.help,
            defaults=peers,
            tables=tuple(forms),
            places=False,
            forms=forms,
        )
        study.add_command(name, declared.help, command)
    study.add_command("all", ALL, Command(study_all, "study all", ALL, {"peers": None}, format=None))
    study.add_command(
        "check",
        CHECK,
        Command("papers.checks:check_printed", "study check", CHECK, defaults={"peers": None}, places=False),
    )
    return made


def _print_version(_: Parser, __: str) -> str:
    return f"{PROGRAM} {__version__}\n"


def _print_remade_tables(_: Parser, __: str) -> str:
    """List what studies remake; on a terminal as much as it shows."""
    from classy_aesop.tables.screen_tables import SCREEN_ROWS, first_lines

    lines = list_remade_tables().splitlines()
    max_lines = SCREEN_ROWS if sys.stdout.isatty() else len(lines)
    return "".join(f"{line}\n" for line in first_lines(lines, max_lines, "a pipe"))


ALL_COMMANDS = (*LEARNING_COMMANDS, *SCORING_COMMANDS, *TESTING_COMMANDS)
"""The commands but for those of ``study``, in the order of the help."""


def fill_parsers(parser: Parser) -> Parser:
    """Add the options of all commands of a parser."""
    for command in parser.commands.values():
        command.add_options()
        fill_parsers(command)
    return parser


# --- what is printed beside the output ---


class _EscapingFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Write a record with control characters escaped, but for ends of lines."""
        return escape_controls(super().format(record), keep="\n")


@contextmanager
def show_log(program: str, *, verbose: bool, quiet: bool) -> Iterator[None]:
    """Show what the package logs while the block runs."""
    if quiet and not verbose:
        yield
        return
    log = logging.getLogger("classy_aesop")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_EscapingFormatter(f"{program}: %(message)s"))
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO if verbose else NOTE)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


_OUTPUT_OPTIONS = ("output", "folder", "place", "page", "sample")
"""Options that name what a command writes."""

_INTERRUPTIONS: list[int] = []


def interrupt(signum: int, frame: FrameType | None) -> None:
    """Handle a signal as Python does SIGINT, and remember it; within an import, which may ignore it, a bit later."""
    _INTERRUPTIONS.append(signum)
    threading.excepthook = lambda _: None  # a pool that is taken down may fail while it hands out work
    outer = frame
    while outer is not None and outer.f_code.co_filename != "<frozen importlib._bootstrap>":
        outer = outer.f_back
    if outer is None:
        signal.default_int_handler(signum, frame)
    _interrupt_soon()


def _interrupt_soon() -> None:
    """Let `interrupt` be called again by a timer."""
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def repeat_interruption(ignored: sys.UnraisableHookArgs) -> None:
    """Interrupt once more, where Python has ignored it, as in a fork or while an object is destroyed."""
    if not (_INTERRUPTIONS and isinstance(ignored.exc_value, KeyboardInterrupt)):
        sys.__unraisablehook__(ignored)
        return
    _interrupt_soon()


def exit_code() -> int:
    """Give the exit code after an interruption; 0 if there was none."""
    return 128 + _INTERRUPTIONS[0] if _INTERRUPTIONS else 0


def describe_unfinished_output(options: CommandLine) -> str:
    """Say whether an interrupted command has left its output unchanged, incomplete or unwritten."""
    values = vars(options)
    path = next((values[name] for name in _OUTPUT_OPTIONS if values.get(name)), None)
    if path is None:
        return "the output is not complete" if options.begun else "nothing was written"
    if is_special(path) and not os.path.isdir(path):
        return f"{path} is not complete; repeat the command"
    return f"{path} is unchanged, or already complete" if os.path.exists(path) else "nothing was written"
