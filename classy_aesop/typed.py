"""Plain data of a file (TOML, JSON) made into dataclasses by msgspec, which checks it against their annotations.

What does not fit is an `InputError` that names the key by its path, what was found and what was expected. msgspec finds
the place and the expectation; the value, the key of a mapping and unknown keys of dataclasses it leaves to us.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import re
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from classy_aesop.errors import InputError, listed

Made = TypeVar("Made")

_LONGEST = 60
"""Characters of a value that a message repeats."""

_KINDS = {
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
}
"""Kinds of values: what msgspec calls them, and what messages do."""

_PLACE = re.compile(r"(.*) - at `\$(.*)`", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]|\[(\.\.\.)\]")
_KIND = re.compile(r"Expected `(.+)`, got `.+`")
_LENGTH = re.compile(r"Expected `array` of length (\d+), got (\d+)")
_LACKING = re.compile(r"Object missing required field `(.+)`")


class _Misfit(InputError):
    """What does not fit: the path of its key, with the message before and after it."""

    def __init__(self, where: str, after: str, before: str = "") -> None:
        super().__init__((before + where + after).removeprefix(": "))
        self.where, self.after, self.before = where, after, before

    def inside(self, where: str) -> _Misfit:
        return _Misfit(joined(where, self.where) if self.where else where, self.after, self.before)


@dataclass(frozen=True)
class TypedReader:
    """Reads values of one file format.

    Parameters
    ----------
    table : str
        What the format calls keys with values: ``a table`` (TOML), ``an object`` (JSON).
    show : callable
        Writes a value as the format does, for messages.
    also_known : mapping of type to names
        Keys of a dataclass that are handled elsewhere, for the list of known keys.
    families : mapping of type to mapping
        Base classes whose table names one of several dataclasses by its ``kind``.
    finite : bool
        Whether the numbers of dataclasses must be finite.
    """

    table: str
    show: Callable[[object], str] = repr
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
        whole = {**data, **given} if given else data
        try:
            made = msgspec.convert(whole, cls, dec_hook=self._member)
        except msgspec.ValidationError as error:
            raise self._misfit(error, cls, copy.deepcopy(whole)) from None
        self._check(made, data, "", given)
        return made

    def _member(self, family: type, value: Any) -> Any:
        """Make the dataclass that a table names by its ``kind``."""
        if isinstance(value, family):
            return value
        if not isinstance(value, dict):
            raise self._wrong("", value, self.table)
        known, kind = self.families[family], value.get("kind")
        if not isinstance(kind, str) or kind not in known:
            raise self._wrong("kind", kind, f"one of {', '.join(known)}")
        return self.build(known[kind], {key: one for key, one in value.items() if key != "kind"})

    def _check(self, made: Any, data: Any, where: str, given: Collection[str] = ()) -> None:
        """Refuse what msgspec does not: keys that a dataclass does not have, and numbers that are not finite."""
        if isinstance(made, float):
            if self.finite and not math.isfinite(made):
                raise self._wrong(where, made, "a finite number")
        elif isinstance(made, tuple):
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
                    raise _Misfit(joined(where, key), f"'; known keys here: {keys}", "unknown key '")
            for key in _checked(type(made), data):
                self._check(getattr(made, key), data[key], joined(where, key))

    def _misfit(self, error: msgspec.ValidationError, cls: Any, data: Any) -> _Misfit:
        """Say what msgspec says in our words, with the value; the data may be changed."""
        found = _PLACE.fullmatch(str(error))
        what, steps = found.groups() if found else (str(error), "")
        where, value = "", data
        for name, index, _ in _STEP.findall(steps):
            if index:
                where, value = f"{where}[{int(index) + 1}]", value[int(index)]
            else:
                key = name or self._misfitting_key(cls, data, value)
                where, value = joined(where, key), value[key]
        if isinstance(error.__cause__, _Misfit):
            return error.__cause__.inside(where)
        if found := _LACKING.fullmatch(what):
            among = f" among {listed(value)}" if value else ""
            return _Misfit(joined(where, found[1]), f" is missing{among}")
        if found := _LENGTH.fullmatch(what):
            return _Misfit(where, f": found {found[2]} values; expected {found[1]}")
        if found := _KIND.fullmatch(what):
            kinds = _KINDS | {"object": self.table}
            expected = [kinds[kind] for kind in found[1].split(" | ") if kind != "null"]
            return self._wrong(where, value, " or ".join(expected))
        return _Misfit(where, f": {what}")

    def _misfitting_key(self, cls: Any, data: Any, mapping: dict[str, Any]) -> str:
        """Find the key whose value does not fit, by leaving out the others."""
        values = dict(mapping)
        for key in values:
            mapping.clear()
            mapping[key] = values[key]
            try:
                msgspec.convert(data, cls, dec_hook=self._member)
            except msgspec.ValidationError:
                break
        return key

    def _wrong(self, where: str, value: Any, expected: str) -> _Misfit:
        text = self.show(value)
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
        return _Misfit(where, f": found {shown}; expected {expected}")


def joined(where: str, key: str) -> str:
    """Give the path of a key."""
    return f"{where}.{key}" if where else key


def _checked(cls: type, keys: Collection[str]) -> list[str]:
    """Keep the keys whose annotation says what is in them."""
    hints = typing.get_type_hints(cls)
    return [key for key in keys if Any not in (hints[key], *typing.get_args(hints[key]))]
