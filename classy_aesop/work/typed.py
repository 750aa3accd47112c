"""Plain data of a file (TOML, JSON) made into dataclasses by msgspec, which checks it against their annotations.

What does not fit is an `InputError`: the key by its path, and what msgspec says of its value. Unknown keys of
dataclasses and infinite numbers, which msgspec lets through, are refused here.
"""

from __future__ import annotations

import dataclasses
import math
import re
import typing
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import msgspec

from classy_aesop.errors import InputError

Made = TypeVar("Made")

_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)
"""What msgspec says, and where: the path of a key, from the root ``$``."""

_NO_CHOICE = "Invalid enum value "
"""What msgspec says of a name that a `Literal` has not, before the name."""


@dataclass(frozen=True)
class TypedReader:
    """Reads values of one file format.

    Parameters
    ----------
    also_known : mapping of type to names
        Keys of a dataclass that are handled elsewhere, for the list of known keys.
    families : mapping of type to mapping
        Base classes whose table names one of several dataclasses by its ``kind``.
    finite : bool
        Whether the numbers of dataclasses must be finite.
    """

    also_known: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    families: Mapping[type, Mapping[str, type]] = field(default_factory=dict)
    finite: bool = False

    def build(self, cls: type[Made], data: Any, *, given: Mapping[str, Any] | None = None) -> Made:
        """Make what an annotation says, a dataclass or another type; lists become tuples.

        Parameters
        ----------
        cls : type
            What is made.
        data : object
            What the file holds.
        given : mapping of str to Any, optional
            Fields of the dataclass that are made already; the file does not have them.

        Raises
        ------
        InputError
            For an unknown or missing key or a value of another kind.
        """
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
            if kinds == {int} or (kinds == {float} and all(map(math.isfinite, made))):
                return
            for at, (one, item) in enumerate(zip(made, data, strict=True), 1):
                self._check(one, item, f"{where}[{at}]")
        elif isinstance(made, Mapping):
            for key, one in made.items():
                self._check(one, data[key], joined(where, key))
        elif dataclasses.is_dataclass(type(made)) and not (where and isinstance(made, tuple(self.families))):
            known = [one.name for one in dataclasses.fields(made) if one.name not in given]
            for key in data:
                if key not in known:
                    keys = ", ".join([*known, *self.also_known.get(type(made), ())])
                    raise InputError(f"unknown key {joined(where, key)!r}; known keys here: {keys}")
            for key in _checked(type(made), data):
                self._check(getattr(made, key), data[key], joined(where, key))


def _place_first(message: str, cls: type) -> str:
    """Put the path of the key before what msgspec says of it, its items counted from 1."""
    found = _PLACE.fullmatch(message)
    if found is None:
        return message
    what, where = found.groups()
    if what.startswith(_NO_CHOICE) and "[" not in where:
        what = f"found {what.removeprefix(_NO_CHOICE)}; expected one of {', '.join(_choices(cls, where))}"
    return f"{re.sub(r'[0-9]+(?=])', lambda at: str(int(at[0]) + 1), where)}: {what}"


def _choices(cls: type, where: str) -> tuple[str, ...]:
    """Give the names that a field may have, by its path through dataclasses."""
    kind: Any = cls
    for key in where.split("."):
        kind = _hints(kind)[key]
    return typing.get_args(kind)


def joined(where: str, key: str) -> str:
    """Give the path of a key."""
    return f"{where}.{key}" if where else key


def _checked(cls: type, keys: Collection[str]) -> list[str]:
    """Keep the keys whose annotation says what is in them."""
    hints = _hints(cls)
    return [key for key in keys if Any not in (hints[key], *typing.get_args(hints[key]))]


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)
