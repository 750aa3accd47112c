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

from classy_aesop.errors import InputError
from classy_aesop.version import __version__

BuiltRecord = TypeVar("BuiltRecord")

_decode = msgspec.json.Decoder().decode

MAX_DIGITS = 1000
"""Digits of the longest whole number that is read; one of 309 digits no longer fits a score."""


def from_json(text: str) -> Any:
    """Read one value; no JSON, half a character, more than `MAX_DIGITS` and too deep nesting are a `ValueError`."""
    try:
        decoded = _decode(text)
        if text.count('":') == count_keys(decoded):  # else a text has it, or a key is given twice
            return decoded
    except (msgspec.DecodeError, RecursionError):
        pass
    value = parse_json_as_python(text)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(f"half a character, the unpaired surrogate U+{ord(half):04X}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


MAX_LEVELS_OF_KEYS = 50
"""Levels of nested JSON whose keys are counted; an object with more is parsed again."""


def count_keys(value: Any, level: int = 0) -> int:
    """Count the keys of an object of JSON and of all in it, up to `MAX_LEVELS_OF_KEYS`.

    Examples
    --------
    >>> count_keys({"a": 1, "b": [{"c": 2}, 3]})
    3
    """
    if isinstance(value, dict):
        n_keys = len(value)
        items = value.values()
    elif isinstance(value, list):
        n_keys = 0
        items = value  # type: ignore[assignment]
    else:
        return 0
    if level == MAX_LEVELS_OF_KEYS:
        return n_keys
    for item in items:
        if type(item) is not str:  # nearly all are
            n_keys += count_keys(item, level + 1)
    return n_keys


MAX_SHOWN_KEY = 40
"""Characters of a key that a message shows."""


def parse_json_as_python(text: str) -> Any:
    """Read one value as Python does, with NaN, infinite numbers and lone surrogates; else as `from_json`."""

    def parse_whole_number(digits: str) -> int:
        """Read a whole number, unless it is too long."""
        if len(digits) > MAX_DIGITS:
            raise ValueError(f"a whole number of {len(digits)} digits")
        return int(digits)

    try:
        return json.loads(text, parse_int=parse_whole_number, object_pairs_hook=object_of_pairs)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    """Give an object of JSON by its keys; one that is given twice is a `ValueError`.

    Examples
    --------
    >>> object_of_pairs([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    values_by_key = dict(pairs)
    if len(values_by_key) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for number, key in enumerate(keys) if key in keys[:number])
        raise ValueError(f"the key {repeated[:MAX_SHOWN_KEY]!r} is given twice")
    return values_by_key


_MESSAGE_WITH_PATH = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)
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

    def build(
        self, cls: type[BuiltRecord], data: Any, *, extra_fields: Mapping[str, Any] | None = None
    ) -> BuiltRecord:
        """Build a record, or what another annotation says, of plain data; lists become tuples."""
        extra_fields = extra_fields or {}
        try:
            record = msgspec.convert(
                {**data, **extra_fields} if extra_fields else data, cls, dec_hook=self._build_member
            )
        except msgspec.ValidationError as error:
            raise InputError(_put_path_first(str(error), cls)) from None
        self._check(record, data, "", extra_fields)
        return record

    def _build_member(self, family: type, value: Any) -> Any:
        """Make the dataclass that a table names by its ``kind``."""
        if isinstance(value, family):
            return value
        classes = self.families[family]
        kind = value.get("kind") if isinstance(value, dict) else value
        if not isinstance(kind, str) or kind not in classes:
            raise InputError(f"kind: found {kind!r}; expected one of {', '.join(classes)}")
        fields = {key: field_value for key, field_value in value.items() if key != "kind"}
        return self.build(classes[kind], fields)

    def _check(self, record: Any, data: Any, path: str, extra_fields: Collection[str] = ()) -> None:
        """Refuse what msgspec does not: keys that a dataclass does not have, and numbers that are not finite."""
        if isinstance(record, float):
            if self.finite and not math.isfinite(record):
                raise InputError(f"{path}: found {record}; expected a finite number")
        elif isinstance(record, tuple):
            types = set(map(type, record))
            if types == {int} or (types == {float} and math.isfinite(sum(record))):
                return  # as are most, and to look at each takes longer
            for number, (part, item) in enumerate(zip(record, data, strict=True), 1):
                self._check(part, item, f"{path}[{number}]")
        elif isinstance(record, Mapping):
            for key, part in record.items():
                self._check(part, data[key], _key_path(path, key))
        elif dataclasses.is_dataclass(type(record)) and not (
            path and isinstance(record, tuple(self.families))
        ):
            cls: type = type(record)
            needs_check = _fields_to_check(cls)
            for key in data:
                if key not in needs_check or key in extra_fields:
                    known_keys = [name for name in needs_check if name not in extra_fields]
                    keys = ", ".join([*known_keys, *self.also_known.get(cls, ())])
                    raise InputError(f"unknown key {_key_path(path, key)!r}; known keys here: {keys}")
            for key in filter(needs_check.get, data):
                self._check(getattr(record, key), data[key], _key_path(path, key))


def _put_path_first(message: str, cls: type) -> str:
    """Put the path of the key before what msgspec says of it, its items counted from 1."""
    match = _MESSAGE_WITH_PATH.fullmatch(message)
    if match is None:
        return message
    problem, path = match.groups()
    if problem.startswith(_NO_CHOICE) and "[" not in path:
        annotation: Any = cls
        for key in path.split("."):
            annotation = _hints(annotation)[key]
        found_value = problem.removeprefix(_NO_CHOICE)
        problem = f"found {found_value}; expected one of {', '.join(typing.get_args(annotation))}"
    path_from_one = re.sub(r"[0-9]+(?=])", lambda index: str(int(index[0]) + 1), path)
    return f"{path_from_one}: {problem}"


def _key_path(parent: str, key: str) -> str:
    """Join the path of a table and the name of a key in it."""
    return f"{parent}.{key}" if parent else key


@cache
def _fields_to_check(cls: type) -> dict[str, bool]:
    """Give the fields of a dataclass, and whether there is something to refuse in what their annotations say."""
    hints = _hints(cls)
    needs_check = {}
    for entry in dataclasses.fields(cls):
        types = set(typing.get_args(hints[entry.name])) or {hints[entry.name]}
        needs_check[entry.name] = Any not in types and not types <= {int, str, ...}
    return needs_check


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    return typing.get_type_hints(cls)


# --- what names a result ---


def signature(**parts: object) -> str:
    """Join names and values in the given order, and end with the version.

    Examples
    --------
    >>> signature(columns=["r2", "su4"], seed=7).rsplit("|", 1)[0]
    'columns:r2+su4|seed:7'
    """
    return join_parts(**parts, version=__version__)


def join_parts(**parts: object) -> str:
    """Join names and values as `signature` does, without the version; no value, and none in a list, is ``none``."""

    def write_value(value: object) -> str:
        """Write a value; the parts of a list are joined by ``+``."""
        if isinstance(value, Iterable) and not isinstance(value, str):
            return "+".join(map(str, value)) or "none"
        return "none" if value is None else str(value)

    return "|".join(f"{name}:{write_value(value)}" for name, value in parts.items())


def digest(plain: object) -> str:
    """Give twelve digits that differ where plain data differ: a name for what is too long to be written out."""
    written = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:12]
