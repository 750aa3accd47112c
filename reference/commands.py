"""The page of commands, from the parser of the program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from classy_aesop.cli.guide import PURPOSE
from classy_aesop.cli.program import PROGRAM, parser
from classy_aesop.studies import STUDIES
from reference.markdown import code, linked, table

_OF_ALL = ("help", "quiet", "verbose")
"""Options of every command."""

_MOST = 12
"""Choices that are listed."""

_HEAD = f"""# Commands

{PURPOSE}

Each command with its arguments, as `{PROGRAM} COMMAND --help` lists them. [Using classy_aesop](usage.md) says what the
commands print, with examples. Every command takes `-h` (`--help`), `-q` (`--quiet`: no warnings and no progress bars)
and `-v` (`--verbose`: say what is decided, on standard error)."""


def commands_page() -> str:
    """Write the page."""
    found = parser()
    return "\n\n".join([_HEAD, _arguments(found), *_sections(found, level=2)]) + "\n"


def _sections(parent: argparse.ArgumentParser, *, level: int) -> Iterator[str]:
    """Write a section for each command below a parser."""
    for name, command in _commands(parent).items():
        yield f"{'#' * level} {' '.join(_path(command))}"
        inside = _commands(command)
        if command.description or inside:
            yield _sentence(command.description or _help_of(parent, name))
        if inside:
            yield from _sections(command, level=level + 1)
            continue
        yield f"```text\n{_usage(command)}\n```"
        yield _arguments(command)
        remakes = STUDIES[name].remakes if name in STUDIES and level > 2 else ()
        if remakes:
            yield f"Remakes {'; '.join(remakes)}. See [studies](studies.md#{name})."


def _subparsers(
    parser: argparse.ArgumentParser,
) -> Iterator[argparse._SubParsersAction[argparse.ArgumentParser]]:
    return (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return {name: command for action in _subparsers(parser) for name, command in action.choices.items()}


def _help_of(parser: argparse.ArgumentParser, name: str) -> str:
    helps = {one.dest: one.help or "" for action in _subparsers(parser) for one in action._choices_actions}
    return helps[name]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _shown(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Give the arguments that the help lists, but for those of every command."""
    return [
        action
        for action in parser._actions
        if action.help != argparse.SUPPRESS
        and action.dest not in _OF_ALL
        and not isinstance(action, argparse._SubParsersAction)
    ]


def _usage(parser: argparse.ArgumentParser) -> str:
    """Write what must be given; the rest are options."""
    groups = [group for group in parser._mutually_exclusive_groups if group.required]
    needed = {id(group._group_actions[0]) for group in groups}
    shown = _shown(parser)
    options = [one for one in shown if one.option_strings and (one.required or id(one) in needed)]
    values = [_values(one) for one in shown if not one.option_strings]
    rest = ["[options]"] if len(options) + len(values) < len(shown) else []
    required = [_with_value(option, form=0) for option in options]
    return " ".join([PROGRAM, *_path(parser), *values, *required, *rest])


def _path(parser: argparse.ArgumentParser) -> list[str]:
    return [part for part in parser.prog.split()[1:] if part.islower()]


def _values(action: argparse.Action) -> str:
    """Write the value of an argument as a usage does."""
    name = str(action.metavar or action.dest.upper())
    forms = {0: "", "?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} [{name} ...]"}
    return name if action.nargs is None else forms[action.nargs]


def _with_value(action: argparse.Action, *, form: int = -1) -> str:
    return f"{action.option_strings[form]} {_values(action)}".strip()


def _arguments(parser: argparse.ArgumentParser) -> str:
    rows = [(_names(action), _help(action)) for action in _shown(parser)]
    return table(["argument", "what"], rows)


def _names(action: argparse.Action) -> str:
    if not action.option_strings:
        return code(str(action.metavar or action.dest.upper()))
    return ", ".join([*map(code, action.option_strings[:-1]), code(_with_value(action))])


def _help(action: argparse.Action) -> str:
    """Fill in the choices, or the first of many, and the default."""
    choices = [str(choice) for choice in action.choices or ()]
    choices = [*choices[:_MOST], "..."] if len(choices) > _MOST else choices
    text = str(action.help) % {**vars(action), "choices": ", ".join(choices), "prog": PROGRAM}
    return linked(text)
