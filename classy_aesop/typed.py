"""Plain data of a file (TOML, JSON) made into dataclasses, checked against their annotations.

What does not fit is an `InputError` that names the key by its path, what was found and what was expected.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from classy_aesop.errors import InputError

Made = TypeVar("Made")

_KINDS = {str: "text in quotes", int: "a whole number", float: "a number", bool: "true or false"}

_LONGEST = 60
"""Characters of a value that a message repeats."""


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
    """

    table: str
    show: Callable[[object], str] = repr
    also_known: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    families: Mapping[type, Mapping[str, type]] = field(default_factory=dict)

    def build(
        self, cls: type[Made], table: object, where: str = "", *, given: Mapping[str, Any] | None = None
    ) -> Made:
        """Make a dataclass from a table, checking its keys and the kinds of its values.

        Parameters
        ----------
        cls : dataclass
            What is made.
        table : object
            What the file holds.
        where : str
            The path of the table's key.
        given : mapping of str to Any, optional
            Fields that are made already; the table does not have them.

        Raises
        ------
        InputError
            For an unknown or missing key or a value of another kind.
        """
        made = dict(given or {})
        values = self.values(cls, table, where, given=made)
        try:
            return cls(**values, **made)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{where}: {error}" if where else str(error)) from None

    def values(
        self, cls: type, table: object, where: str = "", *, given: Collection[str] = ()
    ) -> dict[str, Any]:
        """Check the keys of a table and the kinds of its values; give the values for the fields of a dataclass.

        Parameters are those of `build`; ``given`` are names of fields that the table does not have.

        Raises
        ------
        InputError
            As `build`.
        """
        own = self._items(table, where)
        known = {f.name: f for f in dataclasses.fields(cls) if f.name not in given}
        for key in own:
            if key not in known:
                keys = ", ".join([*known, *self.also_known.get(cls, ())])
                raise InputError(f"unknown key {joined(where, key)!r}; known keys here: {keys}")
        for name, f in known.items():
            if f.default is f.default_factory is dataclasses.MISSING and name not in own:
                raise InputError(f"{joined(where, name)} is missing")
        hints = typing.get_type_hints(cls)
        return {key: self.value(hints[key], value, joined(where, key)) for key, value in own.items()}

    def value(self, kind: Any, value: object, where: str) -> Any:
        """Check one value against an annotation; lists become tuples.

        Raises
        ------
        InputError
            As `build`.
        """
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if kind is Any:
            return value
        if origin in (types.UnionType, typing.Union):
            return None if value is None else self.value(_alternative(arguments, value), value, where)
        if kind in self.families:
            return self._member(self.families[kind], value, where)
        if dataclasses.is_dataclass(kind):
            return self.build(kind, value, where)  # type: ignore[arg-type]
        if origin is tuple:
            return self._tuple(arguments, value, where)
        if origin is not None:  # a mapping
            items = self._items(value, where)
            return {key: self.value(arguments[1], item, joined(where, key)) for key, item in items.items()}
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self._wrong(value, where, _KINDS[kind])
        return value

    def _member(self, family: Mapping[str, type], value: object, where: str) -> Any:
        """Make the dataclass that a table names by its ``kind``."""
        own = dict(self._items(value, where))
        kind = own.pop("kind", None)
        if not isinstance(kind, str) or kind not in family:
            expected = f"one of {', '.join(family)}"
            raise InputError(f"{joined(where, 'kind')}: found {self._shown(kind)}; expected {expected}")
        return self.build(family[kind], own, where)

    def _items(self, value: object, where: str) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self._wrong(value, where, self.table)
        return value

    def _tuple(self, arguments: tuple[Any, ...], value: object, where: str) -> tuple[Any, ...]:
        """Read a list of any length (``tuple[kind, ...]``) or of a fixed one (``tuple[kind, kind]``)."""
        if not isinstance(value, list):
            raise self._wrong(value, where, "a list")
        if arguments[-1] is not Ellipsis and len(value) != len(arguments):
            raise InputError(f"{where}: found {len(value)} values; expected {len(arguments)}")
        return tuple(
            self.value(arguments[0], item, f"{where}[{place}]") for place, item in enumerate(value, 1)
        )

    def _wrong(self, value: object, where: str, expected: str) -> InputError:
        return InputError(f"{where}: found {self._shown(value)}; expected {expected}")

    def _shown(self, value: object) -> str:
        text = self.show(value)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def joined(where: str, key: str) -> str:
    """Give the path of a key."""
    return f"{where}.{key}" if where else key


def _alternative(kinds: tuple[Any, ...], value: object) -> Any:
    """Choose among the kinds of a union: a tuple for a list, another for anything else."""
    kinds = tuple(kind for kind in kinds if kind is not type(None))
    fitting = (kind for kind in kinds if (typing.get_origin(kind) is tuple) == isinstance(value, list))
    return next(fitting, kinds[0])
