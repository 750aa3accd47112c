"""A command is a function; its parser is made from its parameters.

Each parameter is an option of `cli.options`, a group of options of `cli.option_groups`, or one of ``command_line``
(every option of the command) and ``progress``. What has no default must be given.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from classy_aesop.cli.argument_sections import (
    OPTIONAL,
    POSITIONAL,
    ArgumentSettings,
    SectionedParser,
)
from classy_aesop.cli.option_groups import OPTION_GROUPS
from classy_aesop.cli.options import (
    OPTIONS,
    OPTIONS_FOR_ONE_NAME,
    STANDARD,
    SUBSET_OPTIONS,
    Option,
    options_of,
    split_names,
)
from classy_aesop.tables.result import Result
from classy_aesop.work.option_fields import option_fields

OPTIONS_OF_EVERY_COMMAND = ("quiet", "verbose")
"""Options of every command."""

DISTRIBUTED_COMMANDS = ("train", "features", "predict", "baselines")
"""Commands whose work a dask scheduler can spread over machines."""

PART_OF_DATA = "what part of the data"
SELDOM_NEEDED = "seldom needed"
"""Groups of options that the short help leaves out."""

REPETITION_HINT = "; may be repeated, or separated by commas"

_REQUIRED = inspect.Parameter.empty
_NOT_OPTIONS = ("command_line", "progress")
"""Parameters that are no option."""


class CommandLine(argparse.Namespace):
    """A parsed command line: the value of every option by its name, as an attribute."""

    command: Command
    begun = False
    """Whether a part of the output is written."""

    safe_csv = False
    """Whether text that a spreadsheet program would run as a formula is escaped."""

    columns_shown: Sequence[str] | None = None
    rename: Sequence[tuple[str, str]] | None = None
    label: str | None = None
    wide = False
    """How readers get its table, see `Presentation`."""

    is_answered = False
    """Whether the output is a terminal, which gets an answer instead of rows."""

    picture: str | None = None
    """The file for a picture of the result, which the name of the output asked for; the table is printed then."""

    @property
    def progress(self) -> bool:
        """Whether to show progress bars: on a terminal, without ``--quiet``."""
        return sys.stderr.isatty() and not self.quiet

    def changed_flags(self, *names: str) -> list[str]:
        """Give the flags of those options among ``names`` whose value is not the default."""
        defaults = self.command.options
        return [
            self.command.flags(name)[-1]
            for name in names
            if name in defaults and getattr(self, name) not in (None, defaults[name])
        ]

    def files_read(self, *, arguments_only: bool = False) -> list[str]:
        """Name the files that the command reads, in the order of the options, or only those given as arguments."""
        paths = []
        for name, value in vars(self).items():
            is_file = name in OPTIONS and OPTIONS[name].is_input and value is not None
            if is_file and (OPTIONS[name].positional or not arguments_only):
                values = value if isinstance(value, list | tuple) else [value]
                paths += [path[1] if isinstance(path, tuple) else path for path in values]
        return paths

    def reading_options_apply_to(self, path: str | Path) -> bool:
        """Whether ``--columns`` and ``--encoding`` apply to a file: the corpus beside tables, or the arguments."""
        corpus = getattr(self, "corpus_path", None)
        paths = self.files_read(arguments_only=True) if corpus is None else [corpus]
        names = ["standard input" if name == STANDARD else name for name in paths]
        return "columns" in self.command.options and str(path) in names

    @property
    def kind(self) -> str:
        """The answer, as it is typed: the command, and the flags that make it give another table."""
        flags = (
            self.command.flags(names[0])[-1]
            for names in map(str.split, self.command.tables)
            if any(getattr(self, name) not in (None, False) for name in names)
        )
        return " ".join((self.command.name, *flags))

    def signature(self, **recorded: object) -> str:
        """Write what determines the numbers: answer, options, version; ``recorded`` replaces options."""
        from classy_aesop.work.records import signature

        parts: dict[str, object] = {"command": self.kind}
        options_in_kind = [names.split()[0] for names in self.command.tables]
        for name in self.command.options:
            option = self.command.option(name)
            value: Any = option.unset if getattr(self, name) is None else getattr(self, name)
            is_set = value is not False and value not in (None, [], ())
            if option.is_recorded and is_set and not (name in options_in_kind and value is True):
                parts[self.command.label(name)] = Path(value).name if option.is_input else value
        parts |= recorded
        return signature(**{name: value for name, value in parts.items() if value is not None})


@dataclass(frozen=True)
class Command:
    """A function that is a command, or ``module:function`` of this package, imported when its parser is needed.

    Its name and its help, what it answers in one line, are by default the function's and its docstring's first line.
    """

    function: Callable[..., Any] | str
    name: str = ""
    help: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)  # that are not the function's
    format: str | None = "text"  # of its table unless another one is asked for; None if it writes none
    tables: tuple[str, ...] = ()  # options with which its table is another one, and those that ask for it too
    daily: str = ""  # options that the short help shows though they are `SELDOM`
    places: bool = True  # whether year and task are added to the rows of its `Result`
    answers: bool = False  # whether a terminal gets an answer instead of rows
    unanswered: tuple[str, ...] = ()  # options with which it gets rows all the same

    def __post_init__(self) -> None:
        if not isinstance(self.function, str):
            summary, _, _ = (inspect.getdoc(self.function) or "").partition("\n")
            object.__setattr__(self, "name", self.name or self.function.__name__.replace("_", "-"))
            object.__setattr__(self, "help", self.help or summary)

    @cached_property
    def work(self) -> Callable[..., Any]:
        """The function, imported."""
        return _import_function(self.function, self.name) if isinstance(self.function, str) else self.function

    @cached_property
    def options(self) -> dict[str, object]:
        """The options that it takes, and their defaults; `inspect.Parameter.empty` where one must be given."""
        return self._declared_defaults | dict.fromkeys(self.inferable_options)

    @cached_property
    def _own_options(self) -> dict[str, Option]:
        """The options that its groups declare themselves."""
        groups = [
            OPTION_GROUPS[name].options
            for name in inspect.signature(self.work).parameters
            if name in OPTION_GROUPS
        ]
        return {name: option for group in groups for name, option in options_of(group).items()}

    def option(self, name: str) -> Option:
        """Give the declaration of one of its options: that of its group, or that which all commands share."""
        is_one_by_default = isinstance(self._declared_defaults.get(name), str)
        if name in OPTIONS_FOR_ONE_NAME and (name in self.inferable_options or is_one_by_default):
            return OPTIONS_FOR_ONE_NAME[name]
        return self._own_options.get(name) or OPTIONS[name]

    def flags(self, name: str) -> tuple[str, ...]:
        """Give the flags of an option, such as ``-o`` and ``--output``."""
        return _flags(name, self.option(name))

    def label(self, name: str) -> str:
        """Give the name of an option in a signature."""
        return _label(name, self.option(name))

    @cached_property
    def inferable_options(self) -> list[str]:
        """The options, of ``metric`` and ``target``, that may be left out where there is only one to choose."""
        return [name for name in ("metric", "target") if self._declared_defaults.get(name) is _REQUIRED]

    @cached_property
    def _declared_defaults(self) -> dict[str, object]:
        """The defaults of its options, before those of `inferable_options` become None."""
        defaults: dict[str, object] = {}
        for name, parameter in inspect.signature(self.work).parameters.items():
            if name in OPTION_GROUPS:
                defaults |= {
                    key: value
                    for key, value in _option_defaults(OPTION_GROUPS[name].options)
                    if key not in defaults
                }
            elif name in OPTIONS:
                defaults[name] = parameter.default
            elif name not in _NOT_OPTIONS and parameter.default is _REQUIRED:
                raise TypeError(f"{self.name}: {name} is no option and no group, and has no default")
        defaults |= {name: value for name, value in self.defaults.items() if name in defaults}
        if self.name in DISTRIBUTED_COMMANDS:
            defaults["scheduler"] = None
        if self.format is not None:
            defaults |= {"output": None, "format": self.format, "safe_csv": False}
        if self.format == "text":
            defaults |= {"columns_shown": None, "rename": None, "label": None, "wide": False}
        return defaults | dict.fromkeys(OPTIONS_OF_EVERY_COMMAND, False)

    def add_to(self, parser: SectionedParser) -> None:
        """Add its options to its parser: those of every day, those that choose rows, and the others."""
        parser.set_defaults(command=self)
        parser.sections |= {PART_OF_DATA: [], SELDOM_NEEDED: []}
        for name, default in self.options.items():
            option = self.option(name)
            is_seldom = option.is_seldom and name not in self.daily.split()
            section = SELDOM_NEEDED if is_seldom else PART_OF_DATA if name in SUBSET_OPTIONS else None
            add_option(parser, name, default, option, section=None if default is _REQUIRED else section)
        if self.format is not None:
            parser.set_defaults(format=None)  # the name of the output may say it

    def run(self, command_line: CommandLine) -> Any:
        """Call the function with the values of its options; give its `Result`, if it has one, as a study must."""
        result = self.work(**dict(self._arguments(command_line)))
        if isinstance(self.function, str) and not isinstance(result, Result):
            raise TypeError(f"{self.name} gives {type(result).__name__}; expected a Result")
        return result

    def _arguments(self, command_line: CommandLine) -> Iterator[tuple[str, Any]]:
        names = inspect.signature(self.work).parameters
        groups = {
            name: OPTION_GROUPS[name].options(
                **{
                    key: getattr(command_line, key)
                    for key, _ in _option_defaults(OPTION_GROUPS[name].options)
                }
            )
            for name in names
            if name in OPTION_GROUPS
        }
        for name_of_option in self.inferable_options:
            if getattr(command_line, name_of_option) is None:
                from classy_aesop.cli.sources import choose_only_name

                only_name = choose_only_name(
                    name_of_option, next(iter(groups.values())).names(name_of_option)
                )
                for target in (
                    command_line,
                    *(group for group in groups.values() if hasattr(group, name_of_option)),
                ):
                    object.__setattr__(target, name_of_option, only_name)
        for name in names:
            if name in OPTION_GROUPS:
                read = OPTION_GROUPS[name].read
                yield name, groups[name] if read is None else read(groups[name])
            elif name in OPTIONS:
                load = OPTIONS[name].load
                value = getattr(command_line, name)
                yield name, value if not load or value is None else _import_function(load, "an option")(value)
            elif name in _NOT_OPTIONS:
                yield name, command_line if name == "command_line" else command_line.progress


def _import_function(path: str, user: str) -> Callable[..., Any]:
    """Import a function of this package, ``module:function``."""
    try:
        return resolve_name(f"classy_aesop.{path}")  # type: ignore[no-any-return]
    except (AttributeError, ImportError) as error:
        raise LookupError(f"{user}: no function {path} in classy_aesop ({error})") from error


def _option_defaults(group: type) -> Iterator[tuple[str, Any]]:
    """Give the options of a group and their defaults."""
    in_python = {field.name for field, declared in option_fields(group) if not declared.in_command_line}
    for field_of_group in fields(group):
        if field_of_group.init and field_of_group.name not in in_python:
            yield (
                field_of_group.name,
                _REQUIRED if field_of_group.default is MISSING else field_of_group.default,
            )


def _flags(name: str, option: Option) -> tuple[str, ...]:
    return option.flags or ("--" + name.replace("_", "-"),)


def _label(name: str, option: Option) -> str:
    """Give the name of an option in a signature."""
    return _flags(name, option)[-1].lstrip("-").replace("-", "_")


def add_option(
    parser: SectionedParser,
    name: str,
    default: object,
    option: Option | None = None,
    *,
    section: str | None = None,
) -> None:
    """Add an option to a parser, as its declaration and its default say.

    Parameters
    ----------
    parser : SectionedParser
        What the option is added to.
    name : str
        Of the parameter that has its value.
    default : object
        Its value where it is not given; with `inspect.Parameter.empty` it must be given.
    option : Option, optional
        Its declaration; by default that of `OPTIONS`.
    section : str, optional
        The section of the help; by default that of all arguments of its kind.
    """
    option = OPTIONS[name] if option is None else option
    section = section or (POSITIONAL if option.positional else OPTIONAL)
    if default is False:
        # A command leaves --verbose as it was given before the command.
        default_value: Any = argparse.SUPPRESS if name == "verbose" else False
        parser.add_to_section(
            section,
            *_flags(name, option),
            dest=name,
            action="store_true",
            default=default_value,
            help=option.help,
        )
        return
    required = default is _REQUIRED
    settings: ArgumentSettings = {
        "metavar": option.metavar or _label(name, option).upper(),
        "type": option.read,
        "choices": option.choices,
        "default": None if required else default,
    }
    if option.many:
        settings |= {"type": _make_list_reader(option), "action": _Extend}
    if option.several:
        settings["nargs"] = "*" if option.positional and not required else "+"
    elif option.positional and not required:
        settings["nargs"] = "?"
    if not option.positional:
        settings |= {"dest": name, "required": required}
    flags = [name] if option.positional else _flags(name, option)
    action = parser.add_to_section(section, *flags, **settings)
    names = ": %(choices)s" if option.choices is not None else ""
    repeated = REPETITION_HINT if option.many and not option.is_input else ""
    shown = ", ".join(map(str, default)) if isinstance(default, list | tuple) else default
    otherwise = option.otherwise if default in (None, (), []) else str(shown)
    without = f" (default: {otherwise})" if otherwise and default is not _REQUIRED else ""
    # Set afterwards: from Python 3.14 on, argparse expands a help, and so imports the registry, when it is added.
    action.help = f"{option.help}{names}{repeated}{without}"


def _make_list_reader(option: Option) -> Callable[[str], list[Any]]:
    """Make the reader of a repeatable option's value: one file, or names separated by commas."""

    def read(text: str) -> list[Any]:
        """Read one file, or names between commas."""
        names = [text] if option.is_input else split_names(text)
        if not any(names):
            raise argparse.ArgumentTypeError("''; expected one or more names")
        return [option.read(name) for name in names]

    return read


class _Extend(argparse.Action):
    """Add the values of an option to those given before, each once; they replace its default."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        earlier = getattr(namespace, self.dest)
        extended = [] if earlier is self.default else earlier
        extended = (
            [*extended, *(element for value in values for element in value)]
            if self.nargs
            else [*extended, *values]
        )
        setattr(namespace, self.dest, list(dict.fromkeys(extended)))
