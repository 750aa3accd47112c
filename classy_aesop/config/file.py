"""One TOML file is one experiment.

An unknown key is an error that names its path and the known keys; a path is relative to the file; nothing is read from
the environment, and the seed stands in the file.
"""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classy_aesop.config.base import OLDER_NAMES, Config, SearchOptions, method_of
from classy_aesop.config.checks import check_config, check_method
from classy_aesop.errors import DataWarning, InputError, UsageError


def read_config(
    path: str | Path, *, data: Mapping[str, str] | None = None, seed: int | None = None
) -> Config:
    """Read one experiment from a TOML file.

    Parameters
    ----------
    path : path-like
        The file. Paths inside it are relative to it.
    data : mapping of str to str, optional
        Folders by year name that stand in for the file's, relative to the working directory.
    seed : int, optional
        Stands in for the file's seed.

    Raises
    ------
    FileNotFoundError
        The file is not there.
    InputError
        Broken TOML, an unknown key, or a value of the wrong kind.
    UsageError
        ``data`` names a year that the file does not.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such config file")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not valid TOML: {error}", path=path) from None
    try:
        search = _search_options(table.pop("search", {}), "search", table.get("preset"))
        config: Config = dataclasses.replace(_build(Config, table, ""), search=search)
        config = _resolve(config, path.parent, dict(data or {}))
        check_config(config)
    except InputError as error:
        raise InputError(str(error), path=path) from None
    return config if seed is None else dataclasses.replace(config, seed=seed)


def _search_options(table: object, where: str, preset: object) -> SearchOptions:
    """Make the options of the search: those of its method, or of the preset's, with those in the table replaced."""
    if not isinstance(table, dict):
        raise InputError(f"{where}: found {table!r}; expected a table")
    method = table.get("method", method_of(preset))
    check_method(method)
    if method in OLDER_NAMES:
        message = f"{where}.method: {method!r} is an older name of {OLDER_NAMES[method]!r}"
        warnings.warn(message, DataWarning, stacklevel=2)
    own = {key: value for key, value in table.items() if key != "method"}
    return SearchOptions.of(method, **_values(SearchOptions, own, where))


def _resolve(config: Config, folder: Path, data: dict[str, str]) -> Config:
    """Make the paths of the years usable from the working directory."""
    years = []
    for year in config.years:
        path = data.pop(year.name, None)
        if path is None and year.path:
            path = str(folder / year.path)
            if not Path(path).exists():
                raise InputError(f"years.{year.name}.path: {path} does not exist")
        scores = tuple(str(folder / name) for name in year.scores)
        for name in scores:
            if not Path(name).exists():
                raise InputError(f"years.{year.name}.scores: {name} does not exist")
        years.append(dataclasses.replace(year, path=path or "", scores=scores))
    if data:
        raise UsageError(f"--data names the years {list(data)}; known: {[year.name for year in years]}")
    return dataclasses.replace(config, years=tuple(years))


def _build(cls: Any, table: object, where: str) -> Any:
    """Make a dataclass from a TOML table."""
    return cls(**_values(cls, table, where))


def _values(cls: Any, table: object, where: str) -> dict[str, Any]:
    """Give the values of a TOML table for the fields of a dataclass, checking its keys and the kinds of its values."""
    if not isinstance(table, dict):
        raise InputError(f"{where}: found {table!r}; expected a table")
    known = {f.name: f for f in dataclasses.fields(cls)}
    for key in table:
        if key not in known:
            keys = [*known, "method"] if cls is SearchOptions else known
            raise InputError(f"unknown key {_join(where, key)!r}; known keys here: {', '.join(keys)}")
    for name, f in known.items():
        if (
            f.default is dataclasses.MISSING
            and f.default_factory is dataclasses.MISSING
            and name not in table
        ):
            raise InputError(f"{_join(where, name)} is missing")
    hints = typing.get_type_hints(cls)
    return {key: _value(hints[key], value, _join(where, key)) for key, value in table.items()}


def _value(kind: Any, value: object, where: str) -> Any:
    """Check one TOML value against an annotation and turn lists into tuples."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        kinds = [kind for kind in arguments if kind is not type(None)]
        fitting = (kind for kind in kinds if (typing.get_origin(kind) is tuple) == isinstance(value, list))
        return _value(next(fitting, kinds[0]), value, where)
    if dataclasses.is_dataclass(kind):
        return _build(kind, value, where)
    if origin is tuple:
        return _tuple(arguments, value, where)
    if origin is not None:  # a mapping
        if not isinstance(value, dict):
            raise InputError(f"{where}: found {value!r}; expected a table")
        return {key: _value(arguments[1], item, _join(where, key)) for key, item in value.items()}
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{where}: found {value!r}; expected a {_KINDS[kind]}")
    return value


def _tuple(arguments: tuple[Any, ...], value: object, where: str) -> tuple[Any, ...]:
    """Read a list of any length (``tuple[kind, ...]``) or of a fixed one (``tuple[kind, kind]``)."""
    if not isinstance(value, list):
        raise InputError(f"{where}: found {value!r}; expected a list")
    if arguments[-1] is not Ellipsis and len(value) != len(arguments):
        raise InputError(f"{where}: found {len(value)} values; expected {len(arguments)}")
    return tuple(_value(arguments[0], item, f"{where}[{place}]") for place, item in enumerate(value, 1))


_KINDS = {str: "text in quotes", int: "whole number", float: "number", bool: "true or false"}


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
