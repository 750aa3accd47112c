"""Command lines at random, made from what the program's parser declares: a new option is tried without a word here."""

import argparse
import random
from collections.abc import Callable, Iterator

from classy_aesop.cli import program
from classy_aesop.cli.parser import Parser

Given = Callable[[str], list[str]]
"""From what a value is to ones that fit."""

HOSTILE = (
    "", " ", "-", "--", "-1", "0", "00", "1.5", "1e3", "1e-400", "1e400", "nan", "inf", "0x10", "1_0", "１２", "²",
    "9" * 30, "9" * 5000, "x", "x" * 5000, "é", "a\tb", "a\nb", "a\r", "\x1b[31m", "\udcff", "\u2028", "=", "a=", "=a",
    "a=b", "a=b=c", ",", ",,", "a,b", "..", "../..", "~", "*", "%s", "%(x)s", "{x}", "@x", "'", '"', "\\", "none",
    "None", "true", "out/no/x", "out/older", "/dev/null", "files", "files/no",
)  # fmt: skip
MANY = 10
"""A default number from which an option is always given: what it counts takes long."""


def leaves(parser: Parser | None = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Parser]]:
    """Give every command and subcommand with its parser."""
    parser = program.fill_parsers(program.parser()) if parser is None else parser
    if not parser.commands:
        yield " ".join(words), parser
    for name, command in parser.commands.items():
        yield from leaves(command, (*words, name))


def line(name: str, parser: Parser, given: Given, rng: random.Random) -> list[str]:
    """Give the words of a command: what it needs, some of its options, and in one of two lines something hostile."""
    positionals, options = [], []
    declared = {option.name: option for section in parser.sections.values() for option in section}
    for action in parser._actions:
        choices = declared[action.dest].choices if action.dest in declared else None
        fitting = list(map(str, choices or ())) or given(action.dest) or given(str(action.metavar)) or ["x"]
        words = _words(action, fitting, rng)
        if not action.option_strings:
            positionals += words
        elif _is_given(action, rng):
            options += [rng.choice(action.option_strings), *words]
            if rng.random() < 0.1:  # given twice
                options += [rng.choice(action.option_strings), *_words(action, fitting, rng)]
    words = positionals + options
    return [*name.split(), *(words if rng.random() < 0.5 else _spoiled(words, rng))]


def _is_given(action: argparse.Action, rng: random.Random) -> bool:
    if action.default is argparse.SUPPRESS:  # help
        return rng.random() < 0.01
    is_long = isinstance(action.default, int) and action.default >= MANY
    return action.required or is_long or rng.random() < 0.15


def _words(action: argparse.Action, fitting: list[str], rng: random.Random) -> list[str]:
    """Give values for one option or positional argument, as many as it takes; now and then a list with commas."""
    if action.nargs == 0:
        return []
    fewest, usual, most = {"?": (0, 1, 1), "*": (0, 0, 2), "+": (1, 1, 3)}.get(str(action.nargs), (1, 1, 1))
    count = usual if rng.random() < 0.9 else rng.randint(fewest, most)
    words = [rng.choice(fitting) for _ in range(count)]
    if action.option_strings and rng.random() < 0.05:
        words[-1:] = [
            rng.choice((",", ", ", ",,")).join([*words[-1:], rng.choice(fitting), *rng.choice(([], [""]))])
        ]
    return words


def _spoiled(words: list[str], rng: random.Random) -> list[str]:
    """Take out, repeat, swap or replace one word, or put one in."""
    at = rng.randrange(len(words) + 1)
    rest, other = words[at:], rng.choice([*words, *HOSTILE])
    hostile = rng.choice(HOSTILE)
    return words[:at] + rng.choice(
        (
            [hostile, *rest[1:]],
            [hostile, *rest[1:]],
            [hostile, *rest],
            rest[1:],
            [other, *rest[1:]],
            rest[:1] * 2 + rest[1:],
        )
    )
