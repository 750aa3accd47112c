"""The page of commands, from the parser of the program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from classy_aesop.answers.declared import load_answer, names_of_command
from classy_aesop.cli.argument_sections import SectionedParser
from classy_aesop.cli.help import PURPOSE, listed_arguments, usage, usage_of_option
from classy_aesop.cli.program import PROGRAM, fill_parsers, parser
from classy_aesop.papers import STUDIES
from docs.reference.markdown import code, linked, table

_MOST = 12
"""Choices that are listed."""

_HEAD = f"""# Commands

{PURPOSE}

Each command with its arguments, as `{PROGRAM} COMMAND --help-all` lists them. [Using classy_aesop](usage.md)
says what the commands print, with examples. Every command takes `-h` (`--help`), `-q` (`--quiet`: no warnings and no
progress bars) and `-v` (`--verbose`: say what is decided, on standard error)."""


def commands_page() -> str:
    """Write the page."""
    found = fill_parsers(parser())
    return "\n\n".join([_HEAD, _arguments(found), *_sections(found, level=2)]) + "\n"


def _sections(above: SectionedParser, *, level: int) -> Iterator[str]:
    """Write a section for each command of a parser, and for those inside it."""
    for name, command in above.commands.items():
        yield f"{'#' * level} {_path(command)}"
        yield _sentence(command.description or "")
        if command.commands:
            yield from _sections(command, level=level + 1)
            continue
        yield f"```text\n{usage(command)}\n```"
        yield _arguments(command)
        yield from _columns(_path(command))
        if _path(command).startswith("study ") and name in STUDIES and STUDIES[name].remakes:
            yield f"Remakes {'; '.join(STUDIES[name].remakes)}. See [studies](studies.md#{name})."


def _columns(command: str) -> Iterator[str]:
    """Write a table of the columns of each table that a command gives, with their meanings."""
    for name in names_of_command(command):
        rows = [
            (code(column), purpose, linked(meaning))
            for column, purpose, meaning in load_answer(name).describe_columns()
        ]
        yield f"Columns of {code(name)}:"
        yield table(["column", "purpose", "meaning"], rows)


def _path(command: SectionedParser) -> str:
    return command.prog.removeprefix(PROGRAM).strip()


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def _arguments(command: SectionedParser) -> str:
    rows = [(_names(action), _help(action)) for action in listed_arguments(command)]
    return table(["argument", "what"], rows)


def _names(action: argparse.Action) -> str:
    if not action.option_strings:
        return code(str(action.metavar or action.dest.upper()))
    return ", ".join([*map(code, action.option_strings[:-1]), code(usage_of_option(action))])


def _help(action: argparse.Action) -> str:
    """Fill in the choices, or the first of many, and the default."""
    choices = [str(choice) for choice in action.choices or ()]
    choices = [*choices[:_MOST], "..."] if len(choices) > _MOST else choices
    text = str(action.help) % {**vars(action), "choices": ", ".join(choices), "prog": PROGRAM}
    return linked(text)
