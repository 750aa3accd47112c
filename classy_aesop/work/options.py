"""Options: what each may be, is called and means, declared once for Python, the command line and signatures.

A field of an option dataclass is declared by `option`; the command line has a table of those that commands share. A
module that declares options imports nothing heavy, so that a parser can be made of it at start-up.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, MISSING, dataclass, replace
from functools import cache
from typing import Any, TypedDict, Unpack

from classy_aesop.errors import UsageError
from classy_aesop.outside import Choices
from classy_aesop.work.seeds import LARGEST_SEED

Fields = Mapping[str, str | Iterable[str]]
"""Maps roles, or common names of them, to the columns that have them; no column: nothing has this role."""

GivenColumns = Fields | str
"""Roles and their columns as a caller names them: a mapping, or the text of ``--columns``."""

MAX_COUNT = 10_000_000
"""Most resamples or words that an option takes: what more would cost is not started."""

MAX_SIMULATED = 1_000_000
"""Most trials, and most topics, of a simulation, which keeps a number for each topic of each trial."""

MAX_DIGITS_OF_COUNT = 19
"""Digits of the longest whole number that is converted."""

REPETITION_HINT = "; may be repeated, or separated by commas"

REQUIRED = MISSING
"""The default of an option that must be given."""


def quote_value(text: str) -> str:
    """Write a value for a message, and of a long one its beginning."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def suggest(name: str, names: Iterable[object]) -> str:
    """Ask whether a name of several was meant: the end of a message, or nothing."""
    import difflib

    known_names = [] if any(map(str.isdigit, name)) else map(str, names)  # a number is no misspelling
    return "".join(
        f"; did you mean {match}?" for match in difflib.get_close_matches(name, known_names, n=1, cutoff=0.75)
    )


def invalid_choice(name: object, names: Iterable[object]) -> UsageError:
    """Make the error for a name that is none of several."""
    listing = list(names)
    return UsageError(
        f"invalid choice: {name!r}{suggest(str(name), listing)} (choose from {', '.join(map(repr, listing))})"
    )


@dataclass(frozen=True)
class Limits:
    """The numbers that an option may be: from ``low`` to ``high``, without these two if ``is_open``."""

    low: float = -math.inf
    high: float = math.inf
    is_open: bool = False
    is_whole: bool = False

    def allow(self, value: object) -> bool:
        """Whether a value is such a number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if self.is_whole and not isinstance(value, int):
            return False
        return self.low < value < self.high if self.is_open else self.low <= value <= self.high

    def read(self, text: str) -> int | float:
        """Read such a number from a command line; UsageError for another text."""
        with suppress(ValueError):
            is_digits = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS_OF_COUNT
            value = int(text) if self.is_whole and is_digits else float(text)
            if self.allow(value):
                return value
        raise UsageError(f"{quote_value(text)}; expected {self}")

    def __str__(self) -> str:
        if self.is_whole:
            return f"a whole number from {self.low} to {self.high}"
        if math.isinf(self.high):
            return "a number" if math.isinf(self.low) else f"a number above {self.low:g}"
        if self.is_open:
            return f"a number between {self.low:g} and {self.high:g}"
        return f"a number from {self.low:g} to {self.high:g}"


SHARE = Limits(0, 1, is_open=True)
SHARE_OR_0_OR_1 = Limits(0, 1)
COUNT = Limits(1, MAX_COUNT, is_whole=True)
SIMULATED = Limits(1, MAX_SIMULATED, is_whole=True)
TWO_OR_MORE = Limits(2, MAX_SIMULATED, is_whole=True)
SEED = Limits(0, LARGEST_SEED, is_whole=True)
ABOVE_0 = Limits(0, math.inf, is_open=True)

_NAME = re.compile(r'(?:"[^"]*"|\([^()]*\)|[^,])+')


def split_names(text: str) -> list[str]:
    """Split names at commas, but for those in brackets or in quotation marks."""
    return [name.strip().strip('"') for name in _NAME.findall(text)]


def split_role(text: str) -> tuple[str, str]:
    """Read ``ROLE=NAME`` as role and column; a name alone, of the same role as the one before, has the role ``""``."""
    role, separator, name = text.partition("=")
    return (role.strip(), name.strip()) if separator else ("", text.strip())


@dataclass(frozen=True)
class Option:
    """What is declared of an option, or of an argument, beside its type.

    Attributes
    ----------
    help : str
        What it is, in a phrase.
    metavar : str, optional
        How the help names its value; by default as it is typed.
    flags : tuple of str
        How it is typed; by default as its name after two hyphens.
    name : str
        Of the parameter or field that takes it.
    default : object
        Without it; `REQUIRED` where there is none.
    choices, limits
        The names, or the numbers, that it may be.
    read : callable
        Makes a value of a text, or raises UsageError.
    without : str
        What happens without it, where its default does not say so.
    unset : str, optional
        What a signature says where it is not given and has no default.
    is_list : bool
        Whether it is several names, separated by commas, and may be repeated.
    takes_several : bool
        Whether several values may follow it, as a shell writes ``*.json``.
    is_argument : bool
        Whether it is typed without a flag.
    is_input : bool
        Whether it names files to read.
    load : str
        ``module:function`` that reads the file, where a command takes what is in it.
    is_recorded : bool
        Whether the numbers depend on it, so that a signature names it.
    is_seldom : bool
        Whether the short help leaves it out.
    in_command_line : bool
        Whether it can be typed; if not, Python alone has it.
    example : str
        A value to show where the default says little or there is none, as TOML.
    """

    help: str
    metavar: str | None = None
    flags: tuple[str, ...] = ()
    _: KW_ONLY
    name: str = ""
    default: Any = None
    choices: Choices | None = None
    limits: Limits | None = None
    read: Callable[[str], Any] = str
    without: str = ""
    unset: str | None = None
    is_list: bool = False
    takes_several: bool = False
    is_argument: bool = False
    is_input: bool = False
    load: str = ""
    is_recorded: bool = True
    is_seldom: bool = False
    in_command_line: bool = True
    example: str = ""

    # --- what is typed ---

    @property
    def option_strings(self) -> tuple[str, ...]:
        """How it is typed, such as ``-o`` and ``--output``; nothing of an argument, whose place says it."""
        return () if self.is_argument else self.flags or ("--" + self.name.replace("_", "-"),)

    @property
    def label(self) -> str:
        """Its name in a signature."""
        return (self.option_strings or (self.name,))[-1].lstrip("-").replace("-", "_")

    @property
    def value_name(self) -> str:
        """How the help names its value."""
        return self.metavar or self.label.upper()

    @property
    def is_flag(self) -> bool:
        """Whether it has no value."""
        return self.default is False

    def parse(self, text: str) -> Any:
        """Read what is typed: one value, or those of a list; UsageError for what it may not be."""
        if not self.is_list:
            return self._parse_value(text)
        names = [text] if self.is_input else split_names(text)
        if not any(names):
            raise UsageError("''; expected one or more names")
        return list(map(self._parse_value, names))

    def _parse_value(self, text: str) -> Any:
        if self.limits is not None:
            return self.limits.read(text)
        value = self.read(text)
        if self.choices is not None and value not in self.choices:
            raise invalid_choice(value, self.choices)
        return value

    # --- what is said of it ---

    @property
    def usage(self) -> str:
        """Its value, as a usage writes it; nothing of a flag."""
        name = self.value_name
        is_optional = self.is_argument and self.default is not REQUIRED
        if self.is_flag or "..." in name:
            return "" if self.is_flag else name
        if self.takes_several:
            return f"[{name} ...]" if is_optional else f"{name} [{name} ...]"
        return f"[{name}]" if is_optional else name

    def describe(self, *, max_names: int | None = None, is_short: bool = False) -> str:
        """Say what it is, which of some names it may be, and what happens without it."""
        names = [] if self.choices is None else [str(name) for name in self.choices]
        if max_names is not None and len(names) > max_names:
            names = [*names[:max_names], "..."]
        listed = f": {', '.join(names)}" if names else ""
        hint = REPETITION_HINT if self.is_list and not self.is_input and not is_short else ""
        if self.is_flag or self.default is REQUIRED:
            return f"{self.help}{listed}{hint}"
        names_by_default = self.default if isinstance(self.default, list | tuple) else [self.default]
        without = self.without if self.default in (None, (), []) else ", ".join(map(str, names_by_default))
        return f"{self.help}{listed}{hint}{f' (default: {without})' if without else ''}"


# --- fields of option dataclasses ---


class OptionAttributes(TypedDict, total=False):
    """The attributes of an `Option` that a declaration names, beside its help and its default."""

    metavar: str | None
    flags: tuple[str, ...]
    choices: Choices | None
    limits: Limits | None
    read: Callable[[str], Any]
    without: str
    unset: str | None
    is_list: bool
    takes_several: bool
    is_recorded: bool
    is_seldom: bool
    in_command_line: bool


def option(default: Any, help: str, **attributes: Unpack[OptionAttributes]) -> Any:
    """Make a field of an option dataclass."""
    return dataclasses.field(default=default, metadata={"option": Option(help, **attributes)})


def declared_options(options: Any) -> Sequence[Option]:
    """Give the options that an option dataclass, or one of its objects, declares, with their names and defaults."""
    return _options_of(options if isinstance(options, type) else type(options))


@cache
def _options_of(options: type[Any]) -> Sequence[Option]:
    return [
        replace(field.metadata["option"], name=field.name, default=field.default)
        for field in dataclasses.fields(options)
        if "option" in field.metadata
    ]


def keywords_of(options: Any) -> Mapping[str, Any]:
    """Give the fields of an option dataclass as keywords."""
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}


def check_options(options: Any) -> None:
    """Raise UsageError for the first value that its field does not allow."""
    for name, fault in find_faults(options):
        raise UsageError(f"{name} is {fault}")


def find_faults(options: Any) -> Iterator[tuple[str, str]]:
    """Yield each field with a value that it does not allow, and what is found and expected there.

    None is allowed where the type of the field names it. Each value of a list or of a mapping counts.
    """
    types = {field.name: str(field.type) for field in dataclasses.fields(options)}
    for declared in declared_options(options):
        value = getattr(options, declared.name)
        if value is None and "None" in types[declared.name]:
            continue
        values = value.values() if isinstance(value, Mapping) else value
        has_several = isinstance(value, Mapping | tuple) or (declared.is_list and not isinstance(value, str))
        for item in values if has_several else [value]:
            if declared.choices is not None and item not in declared.choices:
                yield declared.name, f"{item!r}; expected one of {', '.join(declared.choices)}"
            if declared.limits is not None and not declared.limits.allow(item):
                yield declared.name, f"{item}; expected {declared.limits}"
