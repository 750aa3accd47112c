"""Fields of option dataclasses: the default, the help and the limits of an option, declared once.

Python checks a value by them, the command line reads and explains it by them, and a signature records it by them. A
module that declares options imports nothing heavy, so that a parser can be made of it at start-up.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from classy_aesop.errors import UsageError
from classy_aesop.outside import Choices
from classy_aesop.work.seeds import LARGEST_SEED

_METADATA_KEY = "option"
"""The key of an `OptionField` in the metadata of a dataclass field."""

MAX_COUNT = 10_000_000
"""Most resamples or words that an option takes: what more would cost is not started."""

MAX_SIMULATED = 1_000_000
"""Most trials, and most topics, of a simulation, which keeps a number for each topic of each trial."""


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

    def __str__(self) -> str:
        if self.is_whole:
            return f"a whole number from {self.low} to {self.high}"
        if math.isinf(self.high):
            return f"a number above {self.low:g}"
        return f"a number between {self.low:g} and {self.high:g}"


SHARE = Limits(0, 1, is_open=True)
COUNT = Limits(1, MAX_COUNT, is_whole=True)
SIMULATED = Limits(1, MAX_SIMULATED, is_whole=True)
SEED = Limits(0, LARGEST_SEED, is_whole=True)
ABOVE_0 = Limits(0, math.inf, is_open=True)


@dataclass(frozen=True)
class OptionField:
    """What is declared of an option beside its name, type and default.

    Attributes
    ----------
    help : str
        What it is, in a phrase.
    choices, limits
        The names, or the numbers, that it may be.
    metavar : str, optional
        How the help names its value; by default as it is typed.
    flags : tuple of str
        How it is typed; by default as its name after two hyphens.
    without : str
        What happens without it, where its default does not say so.
    unset : str, optional
        What a signature says where it is not given and has no default.
    is_list : bool
        Whether it is several names, separated by commas, and may be repeated.
    is_seldom : bool
        Whether the short help leaves it out.
    is_recorded : bool
        Whether the numbers depend on it, so that a signature names it.
    in_command_line : bool
        Whether it can be typed; if not, Python alone has it.
    """

    help: str
    choices: Choices | None = None
    limits: Limits | None = None
    metavar: str | None = None
    flags: tuple[str, ...] = ()
    without: str = ""
    unset: str | None = None
    is_list: bool = False
    is_seldom: bool = False
    is_recorded: bool = True
    in_command_line: bool = True


class OptionKeywords(TypedDict, total=False):
    """The attributes of `OptionField` but its help."""

    choices: Choices | None
    limits: Limits | None
    metavar: str | None
    flags: tuple[str, ...]
    without: str
    unset: str | None
    is_list: bool
    is_seldom: bool
    is_recorded: bool
    in_command_line: bool


def option(default: Any, help: str, **declared: Unpack[OptionKeywords]) -> Any:
    """Make a field of an option dataclass; keywords are those of `OptionField`.

    Parameters
    ----------
    default : object
        The default of the field.
    help : str
        What the option is, in a phrase.
    **declared : OptionKeywords
        The other attributes of `OptionField`.
    """
    return dataclasses.field(default=default, metadata={_METADATA_KEY: OptionField(help, **declared)})


def option_fields(options: Any) -> Iterator[tuple[dataclasses.Field[Any], OptionField]]:
    """Give the fields of an option dataclass, or of one of its objects, that declare an option."""
    for field in dataclasses.fields(options):
        if _METADATA_KEY in field.metadata:
            yield field, field.metadata[_METADATA_KEY]


def check_options(options: Any) -> None:
    """Raise UsageError for the first value that its field does not allow; None is allowed where its type names it."""
    for field, declared in option_fields(options):
        value = getattr(options, field.name)
        if value is None and "None" in str(field.type):
            continue
        names = value if declared.is_list and not isinstance(value, str) else [value]
        for name in names:
            if declared.choices is not None and name not in declared.choices:
                raise UsageError(f"{field.name} is {name!r}; expected one of {', '.join(declared.choices)}")
        if declared.limits is not None and not declared.limits.allow(value):
            raise UsageError(f"{field.name} is {value}; expected {declared.limits}")
