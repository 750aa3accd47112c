"""A command is a function; its options are its parameters.

A parameter is the name of an option (`OPTIONS`), or of a group of them (`OPTION_GROUPS`): it gets the dataclass of the
group, made of their values, or what this has by the parameter's name. ``command_line`` stands for all options,
``progress`` for whether to show progress bars. Other parameters keep their defaults.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from classy_aesop.cli.option_table import OPTIONS, OPTIONS_FOR_ONE_NAME, STANDARD
from classy_aesop.tables.result import Result
from classy_aesop.work.options import REQUIRED, Option, declared_options

OPTIONS_OF_EVERY_COMMAND = ("quiet", "verbose")
"""Options of every command."""

OPTIONS_OF_TABLES = ("columns_shown", "rename", "label")
"""Options of commands whose table is to be read."""

DISTRIBUTED_COMMANDS = ("train", "features", "predict", "baselines")
"""Commands whose work a dask scheduler can spread over machines."""

OPTIONS_WITH_PARTS = ("layout", "names", "baselines", "compute")
"""Options that name what a plug-in may add; commands with one of them take ``--plugin``."""

OPTION_GROUPS = {
    "source": "cli.sources:CorpusSource",
    "streamable": "cli.sources:Streamable",
    "optional_source": "cli.sources:OptionalCorpus",
    "corpora_to_learn": "cli.corpora_to_learn:Corpora",
    "bias_options": "answers.answer_options:BiasOptions",
    "metric_pair_test": "answers.answer_options:MetricPairTest",
    "rating_options": "answers.answer_options:RatingOptions",
    "pair_test": "answers.answer_options:PairTest",
    "planned_source": "cli.partly_judged:PlannedSource",
    "plan_test": "answers.answer_options:PlanTest",
    "estimate_options": "answers.answer_options:EstimateOptions",
    "partly_judged": "cli.partly_judged:PartlyJudged",
    "rating_tables": "cli.sources:CorpusOfTables",
    "score_table": "cli.sources:TableSource",
    "evaluated_source": "cli.sources:EvaluatedSource",
    "data": "cli.sources:StudySource",
}
"""Groups of options, ``module:class`` of this package, by the names of the parameters that take them."""

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
    """How readers get its table, see `Presentation`."""

    is_for_reader = False
    """Whether the output is a terminal, and no format is named."""

    picture: str | None = None
    """The file for a picture of the result, which the name of the output asked for; the table is printed then."""

    @property
    def progress(self) -> bool:
        """Whether to show progress bars: on a terminal, without ``--quiet``."""
        return sys.stderr.isatty() and not self.quiet

    @property
    def options(self) -> dict[str, Option]:
        """The options that its command takes, by name."""
        return vars(self)["command"].options if vars(self).get("command") else {}

    def changed_flags(self, *names: str) -> list[str]:
        """Give the flags of those options among ``names`` whose value is not the default."""
        chosen = [self.options[name] for name in names if name in self.options]
        return [
            (option.option_strings or (option.name,))[-1]
            for option in chosen
            if getattr(self, option.name) not in (None, option.default)
        ]

    def files_read(self, *, arguments_only: bool = False) -> list[str]:
        """Name the files that the command reads, in the order of the options, or only those given as arguments."""
        paths: list[str] = []
        for option in self.options.values():
            value = getattr(self, option.name)
            if option.is_input and value is not None and (option.is_argument or not arguments_only):
                values = value if isinstance(value, list | tuple) else [value]
                paths += [path[1] if isinstance(path, tuple) else path for path in values]
        return paths

    def can_follow(self, advice: str, path: str | Path) -> bool:
        """Whether the command has the options of reading that are advised for a file: a corpus beside tables, or IN."""
        corpus = getattr(self, "corpus_path", None)
        paths = self.files_read(arguments_only=True) if corpus is None else [corpus]
        names = ["standard input" if name == STANDARD else name for name in paths]
        advised = re.findall("--([a-z]+)", advice)
        return self.options.keys() >= {"columns", *advised} and str(path) in names

    @property
    def kind(self) -> str:
        """The answer, as it is typed: the command, and the flags that make it give another table."""
        flags = (
            self.options[names[0]].option_strings[-1]
            for names in map(str.split, self.command.tables)
            if any(getattr(self, name) not in (None, False) for name in names)
        )
        return " ".join((self.command.name, *flags))

    def signature(self, **recorded: object) -> str:
        """Write what determines the numbers: answer, options, version; ``recorded`` replaces options."""
        from classy_aesop.work.records import signature

        parts: dict[str, object] = {"command": self.kind}
        in_kind = self.kind.split()
        for option in self.options.values():
            value = getattr(self, option.name)
            value = option.unset if value is None else value
            is_said = value is True and option.option_strings[-1] in in_kind
            if option.is_recorded and value is not False and value not in (None, [], ()) and not is_said:
                parts[option.label] = Path(value).name if option.is_input else value
        parts |= recorded
        return signature(**{name: value for name, value in parts.items() if value is not None})


@dataclass(frozen=True)
class Command:
    """A function that is a command, or ``module:function`` of this package, imported when its parser is needed.

    By default it is called as the function is, and its help is the first line of the function's docstring.
    """

    function: Callable[..., Any] | str
    name: str = ""
    help: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)  # that are not the function's
    format: str | None = "text"  # of its table unless another one is asked for; None if it writes none
    tables: tuple[str, ...] = ()  # options with which its table is another one, and those that ask for it too
    daily: str = ""  # options that the short help shows though they are seldom needed elsewhere
    places: bool = True  # whether year and task are added to the rows of its `Result`
    forms: Mapping[str, str] = field(
        default_factory=dict
    )  # options that change its result, and what changes it

    def __post_init__(self) -> None:
        if not isinstance(self.function, str):
            summary, _, _ = (inspect.getdoc(self.function) or "").partition("\n")
            object.__setattr__(self, "name", self.name or self.function.__name__.replace("_", "-"))
            object.__setattr__(self, "help", self.help or summary)

    @cached_property
    def work(self) -> Callable[..., Any]:
        """The function, imported."""
        return import_function(self.function, self.name) if isinstance(self.function, str) else self.function

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options that it takes, by name, with their defaults."""
        options: dict[str, Option] = {}
        for name, parameter in inspect.signature(self.work).parameters.items():
            is_required = parameter.default is parameter.empty
            if name in OPTION_GROUPS:
                group = _options_of_group(_import_group(name))
                options |= {key: option for key, option in group.items() if key not in options}
            elif name in OPTIONS:
                declared = options.get(name, OPTIONS[name])
                options[name] = replace(declared, default=REQUIRED if is_required else parameter.default)
            elif name not in _NOT_OPTIONS and is_required:
                raise TypeError(f"{self.name}: {name} is no option and no group, and has no default")
        for name in options.keys() & self.defaults:
            options[name] = replace(options[name], default=self.defaults[name])
        for name, for_one in OPTIONS_FOR_ONE_NAME.items():
            default = options[name].default if name in options else None
            if default is REQUIRED or isinstance(default, str):
                options[name] = replace(for_one, name=name, default=None if default is REQUIRED else default)
        if options.keys() & set(OPTIONS_WITH_PARTS):
            options["plugin"] = replace(OPTIONS["plugin"], default=())
        return options | self._options_beside_parameters

    @property
    def _options_beside_parameters(self) -> dict[str, Option]:
        """The options of the program, for the work and the output of the command."""
        defaults: dict[str, object] = {}
        if self.name in DISTRIBUTED_COMMANDS:
            defaults["scheduler"] = None
        if self.format is not None:
            defaults |= {"output": None, "format": self.format, "safe_csv": False}
        if self.format == "text":
            defaults |= dict.fromkeys(OPTIONS_OF_TABLES)
        defaults |= dict.fromkeys((*self.forms, *OPTIONS_OF_EVERY_COMMAND), False)
        return {name: replace(OPTIONS[name], default=default) for name, default in defaults.items()}

    def run(self, command_line: CommandLine) -> Any:
        """Call the function with the values of its options; give its `Result`, if it has one, as a study must."""
        result = self.work(**dict(self._arguments(command_line)))
        if isinstance(self.function, str) and not isinstance(result, Result):
            raise TypeError(f"{self.name} gives {type(result).__name__}; expected a Result")
        for option, path in self.forms.items():
            if getattr(command_line, option):
                result = import_function(path, self.name)(result)
        return result

    def _arguments(self, command_line: CommandLine) -> Iterator[tuple[str, Any]]:
        """Give the arguments of the function, with the only name there is for an option that was left out."""
        names = inspect.signature(self.work).parameters
        groups = [name for name in names if name in OPTION_GROUPS]
        made = {name: _make_group(_import_group(name), command_line) for name in groups}
        for name in OPTIONS_FOR_ONE_NAME.keys() & self.options.keys():
            if not self.options[name].is_list and getattr(command_line, name) is None:
                from classy_aesop.cli.sources import choose_only_name

                only_name = choose_only_name(name, made[groups[0]].names(name))
                for target in (command_line, *(group for group in made.values() if hasattr(group, name))):
                    object.__setattr__(target, name, only_name)
        for name in names:
            if name in made:
                group = made[name]
                yield name, getattr(group, name) if hasattr(type(group), name) else group
            elif name in OPTIONS:
                load = OPTIONS[name].load
                value = getattr(command_line, name)
                yield name, value if not load or value is None else import_function(load, "an option")(value)
            elif name in _NOT_OPTIONS:
                yield name, command_line if name == "command_line" else command_line.progress


def import_function(path: str, user: str) -> Callable[..., Any]:
    """Import a function of this package, ``module:function``."""
    try:
        return resolve_name(f"classy_aesop.{path}")  # type: ignore[no-any-return]
    except (AttributeError, ImportError) as error:
        raise LookupError(f"{user}: no function {path} in classy_aesop ({error})") from error


def _import_group(name: str) -> type[Any]:
    """Import the dataclass of a group of options."""
    return import_function(OPTION_GROUPS[name], f"group {name}")  # type: ignore[return-value]


def _options_of_group(group: type[Any]) -> dict[str, Option]:
    """Give the options of a group, those of the table with the group's defaults."""
    declared = {option.name: option for option in declared_options(group)}
    options = {
        member.name: declared.get(member.name) or replace(OPTIONS[member.name], default=member.default)
        for member in fields(group)
        if member.init
    }
    return {name: option for name, option in options.items() if option.in_command_line}


def _make_group(group: type[Any], command_line: CommandLine) -> Any:
    """Make a group of the values of its options."""
    return group(**{name: getattr(command_line, name) for name in _options_of_group(group)})
