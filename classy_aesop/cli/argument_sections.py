"""A parser that knows its arguments, and in which section of its help each stands, without asking argparse."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Self, TypedDict, Unpack, cast

from classy_aesop.outside import Choices

POSITIONAL = "positional arguments"
OPTIONAL = "options"
"""Sections of every help."""


class ParserSettings(TypedDict, total=False):
    """What a parser is made of."""

    prog: str
    description: str | None


class ArgumentSettings(TypedDict, total=False):
    """Keywords of `argparse.ArgumentParser.add_argument`."""

    metavar: str
    help: str
    type: Callable[[str], object]
    choices: Choices | None
    default: object
    action: str | type[argparse.Action]
    nargs: str | int
    dest: str
    required: bool
    version: str


class SectionedParser(argparse.ArgumentParser):
    """A parser whose help has sections.

    Attributes
    ----------
    arguments : list of Action
        All arguments, in the order in which they were added.
    sections : dict of str to list of Action
        The arguments of each section of the help, by its title.
    commands : dict of str to parser
        The parsers of the commands of this one, by name.
    """

    def __init__(self, **settings: Unpack[ParserSettings]) -> None:
        super().__init__(add_help=False, **settings)
        self.arguments: list[argparse.Action] = []
        self.sections: dict[str, list[argparse.Action]] = {POSITIONAL: [], OPTIONAL: []}
        self.commands: dict[str, Self] = {}

    def add_to_section(
        self, section: str, *flags: str, **settings: Unpack[ArgumentSettings]
    ) -> argparse.Action:
        """Add an argument to a section of the help.

        Parameters
        ----------
        section : str
            Its title; a new one comes after those there are.
        *flags : str
            How the argument is typed.
        **settings
            As for `argparse.ArgumentParser.add_argument`.
        """
        action = self.add_argument(*flags, **settings)
        self.arguments.append(action)
        self.sections.setdefault(section, []).append(action)
        return action

    def add_commands(self, title: str, metavar: str, *, required: bool = False) -> None:
        """Add the argument that chooses a command, in a section of its own.

        Parameters
        ----------
        title : str
            Of the section.
        metavar : str
            How the usage names the command.
        required : bool
            Whether there must be one.
        """
        self._choice_of_command = self.add_subparsers(title=title, metavar=metavar, required=required)
        self.arguments.append(self._choice_of_command)
        self.sections[title] = [self._choice_of_command]

    def add_command(self, name: str, *, help: str, description: str) -> Self:
        """Add the parser of a command.

        Parameters
        ----------
        name : str
            How the command is typed.
        help, description : str
            What it does: in the list of commands, and at the head of its own help.
        """
        made = self._choice_of_command.add_parser(name, help=help, description=description)
        command = cast("Self", made)  # argparse makes parsers of commands of the same class
        self.commands[name] = command
        return command
