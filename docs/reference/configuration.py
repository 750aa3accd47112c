"""The page of configuration keys, from the dataclasses that a file is read into."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from types import UnionType
from typing import Any

from classy_aesop.config.keys import (
    LEARNING_METHODS,
    Config,
    Cut,
    RunTable,
    SearchOptions,
    Year,
    config_keys_of,
)
from classy_aesop.config.toml_file import default_of, toml_value
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.work.options import Option
from docs.reference.markdown import code, codes, linked, table

_HEAD = """# Configuration

One TOML file is one experiment, for `classy-aesop train FILE -o DIR`. These are all its keys. An unknown key is an
error that names the known ones. Paths are relative to the file. `classy-aesop init IN` writes a file with the usual
keys and their meaning; [configs/sample.toml](../configs/sample.toml) is an example with comments. In Python the same
is a `Config` of `classy_aesop.config`."""

_TABLES = {
    Config: ("The file itself", "Keys before the first table."),
    Year: ("[[years]]", "A table for each year of judged summaries."),
    Cut: ("cut", "The value of `cut` in a year, e.g. `{ part = 1, parts = 3 }`."),
    FeatureOptions: ("[features]", "How texts are read and compared."),
    SearchOptions: (
        "[search]",
        "How the runs learn. `method` names a set of these keys, and keys beside it replace its own: those of "
        "[the default method](prediction.md), `topicwise`, or of "
        "[the method of 2011](method.md).",
    ),
    RunTable: (
        "[[runs]]",
        "A table for each predictor that is learned, or several: one for each task and peer set.",
    ),
}
"""Title and purpose of each table."""

_KINDS = {str: "text", int: "whole number", float: "number", bool: "true or false"}
_LONGEST = 50


def configuration_page() -> str:
    """Write the page."""
    return "\n\n".join([_HEAD, *(_section(cls) for cls in _TABLES)]) + "\n"


def _section(cls: type) -> str:
    title, purpose = _TABLES[cls]
    return f"## {title}\n\n{purpose}\n\n{_search() if cls is SearchOptions else _keys(cls)}"


def _keys(cls: type) -> str:
    rows = [_row(cls, field, _default(cls, field)) for field in dataclasses.fields(cls)]
    return table(["key", "value", "default", "meaning"], rows)


def _search() -> str:
    """List the keys of the search, with what each method has for them."""
    method = [
        code("method"),
        codes(LEARNING_METHODS),
        *[""] * len(LEARNING_METHODS),
        "by which the runs learn; a preset has its own",
    ]
    rows = [
        _row(SearchOptions, field, *(_shown(getattr(one, field.name)) for one in LEARNING_METHODS.values()))
        for field in dataclasses.fields(SearchOptions)
    ]
    return table(["key", "value", *LEARNING_METHODS, "meaning"], [method, *rows])


def _row(cls: type, field: dataclasses.Field[Any], *defaults: str) -> list[str]:
    names = tuple(config_keys_of(cls)[field.name].choices or ())
    kind = typing.get_type_hints(cls)[field.name]
    return [code(field.name), _kind(kind, names), *defaults, _meaning(config_keys_of(cls)[field.name])]


def _meaning(explanation: Option) -> str:
    example = f", e.g. {code(explanation.example)}" if explanation.example else ""
    return linked(explanation.help) + example


def _default(cls: type, field: dataclasses.Field[Any]) -> str:
    if cls is Config and field.name in ("features", "search"):
        return ""
    needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    return "required" if needed else _shown(default_of(field))


def _shown(value: object) -> str:
    """Write a default, or how many names it has if these are many."""
    if value in (None, ""):
        return ""
    text = toml_value(value)
    if isinstance(value, tuple) and len(text) > _LONGEST:
        n_names = sum(1 if isinstance(one, str) else len(one) for one in value)
        return f"{n_names} names"
    return code(text)


def _kind(kind: Any, names: tuple[str, ...]) -> str:
    """Say what a value looks like in the file."""
    if isinstance(kind, UnionType):
        return ", or ".join(_kind(one, names) for one in typing.get_args(kind) if one is not type(None))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return codes(parts)
    if origin is tuple:
        if parts[-1] is not Ellipsis:
            return "[low, high]"
        return f"list of {_kind(parts[0], names)}"
    if origin is not None and issubclass(origin, Mapping):
        inside = codes(names) if names else _kind(parts[1], names)
        return f"table: {inside} by name"
    if dataclasses.is_dataclass(kind):
        return "table"
    return codes(names) if names else _KINDS[kind]
