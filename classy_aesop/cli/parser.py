"""The parser of the program and of each command: argparse reads what is typed; help is written from declarations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, NoReturn

from classy_aesop.answers.declared import names_of_command
from classy_aesop.cli.commands import OPTIONS_OF_EVERY_COMMAND, Command
from classy_aesop.cli.help import PROGRAM, columns_of_tables, examples, wrap_usage
from classy_aesop.cli.option_table import REMOVED_COMMANDS, REMOVED_OPTIONS, STANDARD, SUBSET_OPTIONS
from classy_aesop.errors import UsageError, format_in_one_line
from classy_aesop.work.options import REQUIRED, Option, invalid_choice, suggest

ARGUMENTS = "positional arguments"
OPTIONAL = "options"
PART_OF_DATA = "what part of the data"
SELDOM_NEEDED = "seldom needed"
"""Sections of a help; the short one leaves out the last two."""

Printer = Callable[["Parser", str], str]
"""Gives what a flag of a parser prints in place of a command."""


class Parser(argparse.ArgumentParser):
    """Reads the options of one command, which are added when it is used, or finds the command that is named.

    Attributes
    ----------
    summary : str
        What the command does, as the list of commands has it.
    sections : dict of str to list of Option
        The options of each section of the help.
    commands : dict of str to Parser
        The parsers of the commands inside this one, by name.
    """

    def __init__(self, prog: str, summary: str, command: Command | None = None) -> None:
        super().__init__(prog, add_help=False)
        self.summary = summary
        self.command = command
        self.sections: dict[str, list[Option]] = {ARGUMENTS: [], OPTIONAL: []}
        self.commands: dict[str, Parser] = {}
        help_option = Option("this help; --help-all: of all options", flags=("-h", "--help", "--help-all"))
        self.add_printing(help_option, _print_help)

    def add_printing(self, option: Option, printer: Printer, section: str = OPTIONAL) -> None:
        """Add a flag that prints something, and ends the program."""
        self.sections[section].append(Option(option.help, flags=option.flags, name="printing", default=False))
        self.add_argument(
            *option.flags, action=_PrintAndExit, const=printer, nargs=0, default=argparse.SUPPRESS
        )

    def add_commands(self, title: str, metavar: str, *, required: bool = False) -> None:
        """Add the argument that chooses one of several commands, which are then listed under a title."""
        self.title_of_commands = title
        self.sections[ARGUMENTS].append(Option("", f"{metavar} ...", is_argument=True, default=REQUIRED))
        self._choice = self.add_subparsers(metavar=metavar, required=required)

    def add_command(self, name: str, summary: str, command: Command | None = None) -> Parser:
        """Add the parser of a command."""
        parser: Parser = self._choice.add_parser(name, summary=summary, command=command)
        self.commands[name] = parser
        return parser

    def add_options(self) -> None:
        """Add the options of its command, once: those of every day, those that choose rows, and the others."""
        command = self.command
        self.command = None
        if command is None:
            return
        self.set_defaults(command=command)
        self.sections |= {PART_OF_DATA: [], SELDOM_NEEDED: []}
        for name, option in command.options.items():
            is_seldom = option.is_seldom and name not in command.daily.split()
            section = SELDOM_NEEDED if is_seldom else PART_OF_DATA if name in SUBSET_OPTIONS else OPTIONAL
            self.add_option(
                option,
                ARGUMENTS if option.is_argument else OPTIONAL if option.default is REQUIRED else section,
            )
        if names_of_command(command.name):
            columns_option = Option("what each column of its tables is", flags=("--help-columns",))
            self.add_printing(columns_option, _print_columns, SELDOM_NEEDED)
        if command.format is not None:
            self.set_defaults(format=None)  # the name of the output may say it

    def add_option(self, option: Option, section: str = OPTIONAL) -> None:
        """Add an option as it is declared to a section of the help."""
        self.sections[section].append(option)
        self.add_argument(*(option.option_strings or (option.name,)), action=_OptionAction, option=option)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse a command line with the options of its command; report a misspelled option before a missing one."""
        self.add_options()
        flags = [
            flag for options in self.sections.values() for option in options for flag in option.option_strings
        ]
        words = takewhile("--".__ne__, () if args is None or self.commands else args)
        for name in (word.partition("=")[0] for word in words if word.startswith("--")):
            if " " not in name and not any(flag.startswith(name) for flag in flags):
                advice = REMOVED_OPTIONS.get(name)
                hint = f"; write {advice}" if advice else suggest(name, flags)
                self.error(f"unrecognized arguments: {name}{hint}")
        if args is not None and not self.commands:
            args = self._put_arguments_first(args)
            self._let_lists_take_several(args)
        return super().parse_known_args(args, namespace)

    def _put_arguments_first(self, words: Sequence[str]) -> Sequence[str]:
        """Put arguments before options: ``--only a b FILE`` is ``FILE --only a b``, since there is such a file."""
        requires_argument = any(option.default is REQUIRED for option in self.sections[ARGUMENTS])
        if not requires_argument or not words or not words[0].startswith("-"):
            return words
        arguments: list[int] = []
        option = None
        needs_value = False
        for number, word in enumerate(takewhile("--".__ne__, words)):
            if word.startswith("-") and word != STANDARD:
                action = self._option_string_actions.get(word)
                option = getattr(action, "option", None)
                needs_value = "=" not in word and (action is None or action.nargs != 0)
            elif needs_value:
                needs_value = False
            elif option is None or not option.is_list or (not option.is_input and Path(word).exists()):
                arguments.append(number)
            elif number == len(words) - 1 and not arguments and not option.is_input:
                self.error(f"{word}: no such file or folder")
        return [
            words[number] for number in sorted(range(len(words)), key=lambda number: number not in arguments)
        ]

    def _let_lists_take_several(self, words: Sequence[str]) -> None:
        """Let ``--metric a b`` be ``--metric a,b`` where all arguments come first, so that ``b`` is none."""
        n_before = len(list(takewhile(lambda word: not word.startswith("-"), words)))
        options = [action for action in self._actions if isinstance(action, _OptionAction)]
        if 0 < len([action for action in options if action.option.is_argument]) <= n_before:
            for action in options:
                if action.option.is_list and not action.option.is_argument:
                    action.nargs = "+"

    def error(self, message: str) -> NoReturn:
        """End with one line that is not as long as what it repeats."""
        self.exit(2, f"{self.prog}: error: {format_in_one_line(message)}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is no command; name the one that a former name, or a misspelled one, stands for."""
        if action.choices is not None and value in REMOVED_COMMANDS:
            self.error(f"{value} is `{PROGRAM} {REMOVED_COMMANDS[value]}` now")
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, str(invalid_choice(value, action.choices)))


def _print_help(parser: Parser, flag: str) -> str:
    return write_help(parser, is_short=flag != "--help-all")


def _print_columns(parser: Parser, _: str) -> str:
    """Write what each column of the tables of a command is."""
    tables = columns_of_tables(_command_name(parser))
    sections = [_format_section(f"columns of {name}", columns) for name, columns in tables.items()]
    return "\n\n".join(block for section in sections for block in section) + "\n"


def _command_name(parser: Parser) -> str:
    return parser.prog.removeprefix(PROGRAM).strip()


def _make_reader(option: Option) -> Callable[[str], Any]:
    """Make the reader of an option's value, whose errors argparse prints as they are."""

    def read(text: str) -> Any:
        """Read the value; a default, which argparse has read too, stays."""
        try:
            return text if text is option.default else option.parse(text)
        except UsageError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


class _PrintAndExit(argparse.Action):
    """Prints what a flag asks for, and ends."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        print(self.const(parser, option_string), end="")
        parser.exit()


class _OptionAction(argparse.Action):
    """Stores the value of an option as it is declared; values of a list are added to those given before, each once."""

    def __init__(self, option_strings: Sequence[str], dest: str, option: Option, **_: object) -> None:
        self.option = option
        is_required = option.default is REQUIRED
        can_lack = option.is_argument and not is_required
        n_values: int | str | None = 0 if option.is_flag else "?" if can_lack else None
        if option.takes_several:
            n_values = "*" if can_lack else "+"
        default = None if is_required else option.default
        super().__init__(
            option_strings,
            option.name,
            nargs=n_values,
            # a command leaves --verbose as it was given before the command
            default=argparse.SUPPRESS if option.name == "verbose" else default,
            type=None if option.is_flag else _make_reader(option),
            required=is_required,
            metavar=option.value_name,
        )

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if self.option.is_flag:
            values = True
        elif self.option.is_list:
            earlier = getattr(namespace, self.dest)
            lists = [[] if earlier is self.default else earlier, *(values if self.nargs else [values])]
            values = list(dict.fromkeys(name for names in lists for name in names))
        elif option_string is not None and getattr(namespace, self.dest) not in (self.default, values):
            parser.error(f"{option_string} is given twice; expected it once")
        setattr(namespace, self.dest, values)


# --- the help ---

INDENT = 28
"""The column in which begins what is said of an option, a command or a column of a table."""

MAX_NAMES_IN_SHORT_HELP = 6
"""Names of an option's values in the short help; of more, one less and an ellipsis."""


def help_width() -> int:
    """Give the width of a help: that of the terminal, but for two columns."""
    return max(get_terminal_size().columns - 2, 11)


def write_help(parser: Parser, *, is_short: bool) -> str:
    """Write the help of a parser: it begins with what the command answers, and ends with examples."""
    command = _command_name(parser)
    summary = f"{parser.summary[0].upper()}{parser.summary[1:].rstrip('.')}."
    left_out = (PART_OF_DATA, SELDOM_NEEDED) if is_short else ()
    blocks = [_fill_lines(summary), f"usage: {write_usage(parser)}"]
    for title, options in parser.sections.items():
        if title not in left_out:
            described = [option for option in options if option.help]
            rows = [(_format_flags(option), _describe_option(option, is_short)) for option in described]
            blocks += _format_section(title, rows)
    if parser.commands:
        summaries = [(f"  {name}", inner.summary) for name, inner in parser.commands.items()]
        blocks += _format_section(parser.title_of_commands, summaries)
    if is_short and SELDOM_NEEDED in parser.sections:
        blocks.append(_fill_lines(describe_hidden_options(parser)))
    return "\n\n".join(blocks) + "\n" + examples(PROGRAM, command)


def _fill_lines(text: str) -> str:
    return "\n".join(wrap(text, help_width(), break_on_hyphens=False))


def _format_section(title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    """Lay out a section, unless it has no row."""
    return ["\n".join([f"{title}:", *(_format_entry(*row) for row in rows)])] if rows else []


def _format_entry(name: str, meaning: str) -> str:
    """Lay out a name and what it means in two columns; a long name has a line of its own."""
    lines = wrap(meaning, help_width() - INDENT, break_on_hyphens=False)
    first = f"  {name:<{INDENT - 4}}  {lines.pop(0)}" if len(name) <= INDENT - 4 else f"  {name}"
    return "\n".join([first, *(" " * INDENT + line for line in lines)])


def _format_flags(option: Option) -> str:
    """Write how an option is typed, in all its forms."""
    return ", ".join(f"{flag} {option.usage}".rstrip() for flag in option.option_strings) or option.value_name


def _describe_option(option: Option, is_short: bool) -> str:
    """Say what an option means."""
    names = list(option.choices or ()) if is_short else []
    max_names = MAX_NAMES_IN_SHORT_HELP - 1 if len(names) > MAX_NAMES_IN_SHORT_HELP else None
    return option.describe(max_names=max_names, is_short=is_short)


def describe_hidden_options(parser: Parser) -> str:
    """Write which options choose a part of the data, and how many more the short help leaves out."""
    *subset, last = [option.option_strings[-1] for option in parser.sections[PART_OF_DATA]] or [""]
    sentence = f"{', '.join(subset)} and {last} choose a part of the data. " if last else ""
    n_seldom = len(parser.sections[SELDOM_NEEDED])
    return f"{sentence}--help-all lists all options, {n_seldom} of them seldom needed."


def listed_options(parser: Parser) -> list[Option]:
    """Give the options of a parser but for those of every command."""
    options = [option for section in parser.sections.values() for option in section]
    return [option for option in options if option.name not in ("printing", *OPTIONS_OF_EVERY_COMMAND)]


def write_usage(parser: Parser) -> str:
    """Write the usage of a command: its arguments and required options; the others are ``[options]``."""
    options = listed_options(parser)
    arguments = [option.usage for option in options if option.is_argument]
    required = [
        f"{option.option_strings[0]} {option.usage}"
        for option in options
        if option.default is REQUIRED and not option.is_argument
    ]
    optional = ["[options]"] if len(arguments) + len(required) < len(options) else []
    return wrap_usage(" ".join([parser.prog, *arguments, *required, *optional]))
