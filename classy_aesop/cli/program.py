"""The program: its parser, and how warnings and errors of a command are printed.

Exit codes: 0 done, 1 something inside a file is wrong or a disk is full, 2 the command line or a path is wrong, 3 what
``--fail-if`` names was found or cannot be decided, 70 a fault of the program, 130 interrupted (143 if ended by
SIGTERM).
"""

from __future__ import annotations

import argparse
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
from itertools import takewhile
from types import FrameType
from typing import Any, NoReturn

from classy_aesop.cli import learning, scoring, testing
from classy_aesop.cli.commands import PART_OF_DATA, SELDOM_NEEDED, Asked, Command, add_option
from classy_aesop.cli.help import (
    PURPOSE,
    Formatter,
    columns,
    examples,
    guide,
    in_short,
    left_out,
    on_lines,
    remade,
    usage,
)
from classy_aesop.cli.options import STANDARD
from classy_aesop.cli.output import check_output, write
from classy_aesop.errors import NOTE, DataWarning, InputError, UsageError, in_one_line, listed, visible
from classy_aesop.papers import CHECK, STUDIES
from classy_aesop.version import __version__
from classy_aesop.work.files import NO_ROOM, is_special, protect_inputs

PROGRAM = "classy-aesop"
_STANDARD_ERROR = 2

GATE = 3
"""Exit code of a comparison in which what ``--fail-if`` names was found, or cannot be decided."""

FAULT = 70
"""Exit code of a fault of the program, as of ``sysexits.h``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give its exit code."""
    if sys.stdout is None or sys.stderr is None:  # a file that is opened would be written to as one of them
        while os.open(os.devnull, os.O_RDWR) < _STANDARD_ERROR:
            pass
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    asked = Asked(verbose=False)
    try:
        asked = parser().parse_args(arguments, asked)
        if vars(asked)["command"] is None:
            print(guide(PROGRAM))
        else:
            return _run(asked)
    except BrokenPipeError:  # the reader has gone
        _close_output()
    except (Exception, KeyboardInterrupt) as error:
        return _failed(error, asked)
    return 0


def _run(asked: Asked) -> int:
    """Run a command and write what it found; give its exit code."""
    with (
        warnings.catch_warnings(),
        shown_log(PROGRAM, verbose=asked.verbose, quiet=asked.quiet),
        protect_inputs(asked.files_read()),
    ):
        _show_warnings(quiet=asked.quiet)
        check_output(asked)
        if "" in asked.files_read():
            raise UsageError("the name of a file to read is empty; expected one")
        if asked.files_read().count(STANDARD) > 1:
            raise UsageError("standard input is named twice; it can be read once")
        with _workers(asked):
            found = asked.command.run(asked)
        if found is not None:
            write(found, asked)
        if sys.stdout is not None:
            sys.stdout.flush()
    passed, said = getattr(found, "gate", None) or (True, "")
    if said:
        print(f"{PROGRAM}: {said}", file=sys.stderr)
    return 0 if passed else GATE


def _failed(error: BaseException, asked: Asked) -> int:
    """Print what went wrong in one line; give the exit code."""
    code = 1
    if isinstance(error, KeyboardInterrupt):
        message = f"interrupted; {what_is_left(asked)}"
        code = exit_code() or 130
    elif isinstance(error, OSError):
        code = 1 if error.errno in NO_ROOM else 2
        if code == 1 and error.filename is None:  # a full disk behind standard output has no name
            error.filename = "standard output"
            _close_output()
        named = error.filename and error.strerror
        message = f"{error.filename}: {error.strerror}" if named else str(error)
    elif isinstance(error, UsageError):
        message, code = str(error), 2
    elif isinstance(error, InputError | UnicodeEncodeError | MemoryError):
        message = _of_data(error, asked)
    else:
        if asked.verbose:
            traceback.print_exception(error)
        more = "" if asked.verbose else " (-v shows where)"
        message = (
            f"an error in the program or in a package that it uses{more}: {type(error).__name__}: {error}"
        )
        code = FAULT
    print(f"{PROGRAM}: error: {in_one_line(message)}", file=sys.stderr)
    return code


def _of_data(error: InputError | UnicodeEncodeError | MemoryError, asked: Asked) -> str:
    """Name the files that an error is about which is about what they hold together."""
    message = str(error)
    if isinstance(error, InputError) and error.path is not None:
        return message if asked.says_how_to_read(error.path) else message.removesuffix(error.advice)
    if isinstance(error, UnicodeEncodeError):
        found = error.object[: error.end].split()[-1][-40:]
        message = f"found {found!r}, which is not UTF-8; expected names that can be written"
    elif isinstance(error, MemoryError):
        message = ": ".join(filter(None, ["not enough memory", message]))
    names = ["standard input" if name == STANDARD else name for name in asked.files_read()]
    return f"{listed(dict.fromkeys(names))}: {message}" if names else message


def _close_output() -> None:
    """Lead what is left in standard output nowhere: Python would complain of it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warnings(*, quiet: bool) -> None:
    """Print the warnings about data as one line each on standard error, equal ones once, or none with --quiet."""
    shown = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        """Print a warning, unless an equal one was."""
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
    from classy_aesop.work.cluster import cluster

    asked.n_jobs = -1
    return cluster(address)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line; that of a command gets its options when it is used."""

    command: Command | None = None

    def __init__(self, **how: Any) -> None:
        super().__init__(add_help=False, **how)
        told = "this help; --help-all: of all options"
        flags = ("-h", "--help", "--help-all")
        self.add_argument(*flags, help=told, action=_Told, nargs=0, default=argparse.SUPPRESS)

    def error(self, message: str) -> NoReturn:
        """End with one line that is not as long as what it repeats."""
        self.exit(2, f"{self.prog}: error: {in_one_line(message)}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check every name of a list by itself; name the one that a misspelled one may mean."""
        for one in value if isinstance(value, list) else [value]:
            try:
                super()._check_value(action, one)
            except argparse.ArgumentError as error:
                import difflib

                # A number is no slip.
                known = map(str, () if any(map(str.isdigit, str(one))) else action.choices or ())
                for near in difflib.get_close_matches(str(one), known, n=1, cutoff=0.75):
                    error.message = error.message.replace(" (", f"; did you mean {near}? (", 1)
                raise

    def parse_known_args(self, args: Any = None, *rest: Any, **options: Any) -> Any:
        """Read a command line, with the options of its command; a misspelled one is told before one that lacks."""
        self.fill()
        words = takewhile("--".__ne__, () if args is None or self._subparsers else args)
        for name in (word.partition("=")[0] for word in words if word.startswith("--")):
            known = self._option_string_actions
            if " " not in name and not any(one.startswith(name) for one in known):
                import difflib

                near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
                self.error(
                    f"unrecognized arguments: {name}" + "".join(f"; did you mean {one}?" for one in near)
                )
        return super().parse_known_args(args, *rest, **options)

    def fill(self) -> None:
        """Add the options of its command."""
        command, self.command = self.command, None
        if command is not None:
            command.add_to(self)
            self.usage = on_lines(usage(self))

    def format_help(self, *, is_short: bool = False) -> str:
        """Begin with what it answers, and end with examples; the short form leaves out what is seldom needed."""
        text = Formatter(self.prog, max_help_position=28)
        text.add_text(self.description)
        text.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        for group in self._action_groups:
            if not (is_short and group.title in (PART_OF_DATA, SELDOM_NEEDED)):
                text.start_section(group.title)
                text.add_arguments(map(in_short, group._group_actions) if is_short else group._group_actions)
                text.end_section()
        if is_short and SELDOM_NEEDED in {group.title for group in self._action_groups}:
            text.add_text(left_out(self))
        command = self.prog.removeprefix(PROGRAM).strip()
        of_tables = "" if is_short else columns(command)
        return text.format_help() + (of_tables and f"\n{of_tables}\n") + examples(PROGRAM, command)


def parser() -> Parser:
    """Make the parser of the program, with all commands."""
    made = Parser(prog=PROGRAM, description=PURPOSE)
    made.set_defaults(command=None, verbose=False)
    made.add_argument(
        "--version", action="version", version=f"%(prog)s {__version__}", help="print the version"
    )
    add_option(made, "verbose", False)
    commands = made.add_subparsers(title="commands", metavar="COMMAND")
    for command in (one for module in _MODULES for one in module.COMMANDS):
        _add(commands, command)
    study = commands.add_parser("study", help=_STUDY, description=_STUDY)
    study.add_argument(
        "--list",
        action=_Told,
        nargs=0,
        default=argparse.SUPPRESS,
        help="list the tables and figures of the papers, and what they need",
    )
    of_study = study.add_subparsers(title="studies", required=True, metavar="STUDY")
    for name, one in STUDIES.items():
        peers = {"peers": one.peers} if one.peers else {}
        function = f"papers.{one.function}"
        _add(of_study, Command(function, f"study {name}", one.help, defaults=peers, places=False))
    _add(of_study, Command("papers.checks:check_printed", "study check", CHECK, places=False))
    return made


class _Told(argparse.Action):
    """Print something, and end: the help of a command, short or all of it, or what studies remake."""

    def __call__(self, made: Any, _: object, __: object, flag: str | None = None) -> None:
        if flag == "--list":
            from classy_aesop.tables.screen import SCREEN_LINES, first_lines

            lines = remade().splitlines()
            most = SCREEN_LINES if sys.stdout.isatty() else len(lines)
            print(*first_lines(lines, most, "a pipe"), sep="\n")
        else:
            print(made.format_help(is_short=flag != "--help-all"), end="")
        made.exit()


_MODULES = (learning, scoring, testing)
_STUDY = "Repeat an experiment, or remake a table or figure of a paper."


def _add(commands: argparse._SubParsersAction[Any], command: Command) -> None:
    sentence = f"{command.help[0].upper()}{command.help[1:].rstrip('.')}."
    made = commands.add_parser(command.name.split()[-1], help=command.help, description=sentence)
    made.command = command


def filled(above: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the options of all commands of a parser."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                below.fill()
                filled(below)
    return above


# --- what is told beside the output ---


class _Visible(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Write a record with control characters escaped, but for ends of lines."""
        return visible(super().format(record), but="\n")


@contextmanager
def shown_log(program: str, *, verbose: bool, quiet: bool) -> Iterator[None]:
    """Show what the package logs while the block runs: notes unless ``quiet``, and all of it if ``verbose``."""
    if quiet and not verbose:
        yield
        return
    log, handler = logging.getLogger("classy_aesop"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Visible(f"{program}: %(message)s"))
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO if verbose else NOTE)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


_PLACES = ("output", "folder", "place", "page", "sample")
"""Where the options of a command may say what it writes."""

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
    _interrupt_again()


def _interrupt_again() -> None:
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def repeat_interruption(ignored: sys.UnraisableHookArgs) -> None:
    """Interrupt once more, where Python has ignored it, as in a fork or while an object is destroyed."""
    if not (_INTERRUPTIONS and isinstance(ignored.exc_value, KeyboardInterrupt)):
        sys.__unraisablehook__(ignored)
        return
    _interrupt_again()


def exit_code() -> int:
    """Give the exit code after an interruption; 0 if there was none."""
    return 128 + _INTERRUPTIONS[0] if _INTERRUPTIONS else 0


def what_is_left(options: Asked) -> str:
    """Say what an interrupted command has left where it writes."""
    given = vars(options)
    path = next((given[name] for name in _PLACES if given.get(name)), None)
    if path is None:
        return "the output is not complete" if options.begun else "nothing was written"
    if is_special(path) and not os.path.isdir(path):
        return f"{path} is not complete; repeat the command"
    return f"{path} is unchanged, or already complete" if os.path.exists(path) else "nothing was written"
