"""The page of commands, from the parser of the program."""

from __future__ import annotations

from collections.abc import Iterator

from classy_aesop.answers.declared import load_answer, names_of_command
from classy_aesop.cli.help import PROGRAM, PURPOSE
from classy_aesop.cli.parser import Parser, listed_options, write_usage
from classy_aesop.cli.program import fill_parsers, parser
from classy_aesop.papers import STUDIES
from classy_aesop.work.options import Option
from docs.reference.markdown import code, linked, table

_MOST = 12
"""Choices that are listed."""

_HEAD = f"""# Commands

{PURPOSE}

Each command with its arguments, as `{PROGRAM} COMMAND --help-all` lists them, and the columns of its
tables, as `--help-columns` does. [Using classy_aesop](usage.md)
says what the commands print, with examples. Every command takes `-h` (`--help`), `-q` (`--quiet`: no warnings and no
progress bars) and `-v` (`--verbose`: say what is decided, on standard error)."""


def commands_page() -> str:
    """Write the page."""
    found = fill_parsers(parser())
    return "\n\n".join([_HEAD, _arguments(found), *_sections(found, level=2)]) + "\n"


def _sections(above: Parser, *, level: int) -> Iterator[str]:
    """Write a section for each command of a parser, and for those inside it."""
    for name, command in above.commands.items():
        yield f"{'#' * level} {_path(command)}"
        yield _sentence(command.summary)
        if command.commands:
            yield from _sections(command, level=level + 1)
            continue
        yield f"```text\n{write_usage(command)}\n```"
        yield _arguments(command)
        yield from _columns(_path(command))
        if _path(command).startswith("study ") and name in STUDIES and STUDIES[name].remakes:
            yield f"Remakes {'; '.join(STUDIES[name].remakes)}. See [studies](studies.md)."


def _columns(command: str) -> Iterator[str]:
    """Write a table of the columns of each table that a command gives, with their meanings."""
    for name in names_of_command(command):
        rows = [
            (code(column), purpose, linked(meaning))
            for column, purpose, meaning in load_answer(name).describe_columns()
        ]
        yield f"Columns of {code(name)}:"
        yield table(["column", "purpose", "meaning"], rows)


def _path(command: Parser) -> str:
    return command.prog.removeprefix(PROGRAM).strip()


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def _arguments(command: Parser) -> str:
    options = [option for option in listed_options(command) if option.help]
    rows = [(_names(option), linked(option.describe(max_names=_MOST))) for option in options]
    return table(["argument", "what"], rows)


def _names(option: Option) -> str:
    if option.is_argument:
        return code(option.value_name)
    *others, last = option.option_strings
    return ", ".join([*map(code, others), code(f"{last} {option.usage}".strip())])
