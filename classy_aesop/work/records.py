"""Plain data of files made into records (dataclasses), and the lines and numbers that name what was computed.

JSON text is read by msgspec, or by Python's own reader for what only Python writes (NaN, Infinity). What does not fit a
record is an `InputError`: the key by its path, and what msgspec says of its value. Unknown keys of records and infinite
numbers, which msgspec lets through, are refused here.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import typing
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import msgspec

from classy_aesop.errors import InputError, UsageError
from classy_aesop.version import __version__

if typing.TYPE_CHECKING:
    import numpy as np

Made = TypeVar("Made")

_decode = msgspec.json.Decoder().decode

MOST_DIGITS = 1000
"""Digits of the longest whole number that is read; one of 309 digits no longer fits a score."""


def from_json(text: str) -> Any:
    """Read one value; no JSON, half a character, more than `MOST_DIGITS` and too deep nesting are a `ValueError`."""
    try:
        return _decode(text)
    except (msgspec.DecodeError, RecursionError):
        value = json_of_python(text)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(f"half a character, U+{ord(half):04X}, a surrogate without the other") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def json_of_python(text: str) -> Any:
    """Read one value as Python does, with NaN, infinite numbers and lone surrogates; else as `from_json`."""

    def whole(digits: str) -> int:
        """Read a whole number, unless it is too long."""
        if len(digits) > MOST_DIGITS:
            raise ValueError(f"a whole number of {len(digits)} digits")
        return int(digits)

    try:
        return json.loads(text, parse_int=whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)
"""What msgspec says, and where: the path of a key, from the root ``$``."""

_NO_CHOICE = "Invalid enum value "
"""What msgspec says of a name that a `Literal` has not, before the name."""


@dataclass(frozen=True)
class TypedReader:
    """Reads values of one file format.

    Keys of a dataclass that are handled elsewhere are ``also_known``. The table of a base class among ``families``
    names one of several dataclasses by its ``kind``. Numbers may have to be ``finite``.
    """

    also_known: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    families: Mapping[type, Mapping[str, type]] = field(default_factory=dict)
    finite: bool = False

    def build(self, cls: type[Made], data: Any, *, given: Mapping[str, Any] | None = None) -> Made:
        """Make what an annotation says; lists become tuples. ``given`` are fields that the file does not have."""
        given = given or {}
        try:
            made = msgspec.convert({**data, **given} if given else data, cls, dec_hook=self._member)
        except msgspec.ValidationError as error:
            raise InputError(_place_first(str(error), cls)) from None
        self._check(made, data, "", given)
        return made

    def _member(self, family: type, value: Any) -> Any:
        """Make the dataclass that a table names by its ``kind``."""
        if isinstance(value, family):
            return value
        known = self.families[family]
        kind = value.get("kind") if isinstance(value, dict) else value
        if not isinstance(kind, str) or kind not in known:
            raise InputError(f"kind: found {kind!r}; expected one of {', '.join(known)}")
        return self.build(known[kind], {key: one for key, one in value.items() if key != "kind"})

    def _check(self, made: Any, data: Any, where: str, given: Collection[str] = ()) -> None:
        """Refuse what msgspec does not: keys that a dataclass does not have, and numbers that are not finite."""
        if isinstance(made, float):
            if self.finite and not math.isfinite(made):
                raise InputError(f"{where}: found {made}; expected a finite number")
        elif isinstance(made, tuple):
            kinds = set(map(type, made))
            if kinds == {int} or (kinds == {float} and math.isfinite(sum(made))):
                return  # as are most, and to look at each takes longer
            for at, (one, item) in enumerate(zip(made, data, strict=True), 1):
                self._check(one, item, f"{where}[{at}]")
        elif isinstance(made, Mapping):
            for key, one in made.items():
                self._check(one, data[key], _path(where, key))
        elif dataclasses.is_dataclass(type(made)) and not (where and isinstance(made, tuple(self.families))):
            cls: type = type(made)
            is_told = _fields(cls)
            for key in data:
                if key not in is_told or key in given:
                    known = [name for name in is_told if name not in given]
                    keys = ", ".join([*known, *self.also_known.get(cls, ())])
                    raise InputError(f"unknown key {_path(where, key)!r}; known keys here: {keys}")
            for key in filter(is_told.get, data):
                self._check(getattr(made, key), data[key], _path(where, key))


def _place_first(message: str, cls: type) -> str:
    """Put the path of the key before what msgspec says of it, its items counted from 1."""
    found = _PLACE.fullmatch(message)
    if found is None:
        return message
    what, where = found.groups()
    if what.startswith(_NO_CHOICE) and "[" not in where:
        kind: Any = cls
        for key in where.split("."):
            kind = _hints(kind)[key]
        found_value = what.removeprefix(_NO_CHOICE)
        what = f"found {found_value}; expected one of {', '.join(typing.get_args(kind))}"
    return f"{re.sub(r'[0-9]+(?=])', lambda at: str(int(at[0]) + 1), where)}: {what}"


def _path(where: str, key: str) -> str:
    """Give the path of a key."""
    return f"{where}.{key}" if where else key


@cache
def _fields(cls: type) -> dict[str, bool]:
    """Give the fields of a dataclass, and whether there is something to refuse in what their annotations say."""
    hints = _hints(cls)
    told = {
        one.name: {*typing.get_args(hints[one.name])} or {hints[one.name]} for one in dataclasses.fields(cls)
    }
    return {name: Any not in kinds and not kinds <= {int, str, ...} for name, kinds in told.items()}


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


# --- what names a result ---


def signature(**parts: object) -> str:
    """Join names and values in the given order, and end with the version.

    Examples
    --------
    >>> signature(columns=["r2", "su4"], seed=7).rsplit("|", 1)[0]
    'columns:r2+su4|seed:7'
    """
    return joined(**parts, version=__version__)


def joined(**parts: object) -> str:
    """Join names and values as `signature` does, without the version; no value, and none in a list, is ``none``."""

    def shown(value: object) -> str:
        """Write a value, a list with its parts joined."""
        if isinstance(value, Iterable) and not isinstance(value, str):
            return "+".join(map(str, value)) or "none"
        return "none" if value is None else str(value)

    return "|".join(f"{name}:{shown(value)}" for name, value in parts.items())


def digest(plain: object) -> str:
    """Give twelve digits that differ where plain data differ: a name for what is too long to be written out."""
    written = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:12]


def seeded_rng(seed: int, *names: str) -> np.random.Generator:
    """Make the generator for a seed and the names of one test: year, task, metric and so on.

    Every test of a table therefore keeps its resamples when rows, metrics or tasks are reordered or left out.
    """
    import numpy as np

    if seed < 0:
        raise UsageError(f"seed is {seed}; expected a whole number, 0 or more")
    return np.random.default_rng([seed, *"\x1f".join(names).encode()])
