"""One TOML file is one experiment: read, and written so that it is read again as the same configuration.

An unknown key is an error that names its path and the known keys; a path is relative to the file; nothing is read from
the environment, and the seed stands in the file.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from classy_aesop.config.keys import (
    LEARNING_METHODS,
    Config,
    RunTable,
    SearchOptions,
    Year,
    config_keys_of,
    method_of_preset,
)
from classy_aesop.config.validation import check_config, check_method
from classy_aesop.errors import InputError, UsageError
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.reading.column_names import role_of
from classy_aesop.work.files import note_input
from classy_aesop.work.options import Option
from classy_aesop.work.records import TypedReader

_CONFIG_READER = TypedReader(also_known={SearchOptions: ("method",)})


def read_config(
    path: str | Path, *, data: Mapping[str, str] | None = None, seed: int | None = None
) -> Config:
    """Read one experiment from a TOML file, whose paths are relative to it.

    Parameters
    ----------
    path : path-like
        The file.
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

    Examples
    --------
    >>> config = read_config("configs/sample.toml", seed=7)
    >>> [year.name for year in config.years], config.preset, config.seed
    (['2021', '2022', '2023'], 'classy2011', 7)
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such config file")
    try:
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except ValueError as error:  # broken, no UTF-8, or a whole number of more than 4,300 digits
            raise InputError(f"not valid TOML: {error}") from None
        config = _CONFIG_READER.build(Config, {"years": [], **table, "search": _search_options(table)})
        config = _resolve_paths(config, path.parent, dict(data or {}))
        check_config(config)
    except RecursionError:
        raise InputError("not valid TOML: it is nested too deeply", path=path) from None
    except InputError as error:
        raise InputError(str(error), path=path) from None
    return config if seed is None else dataclasses.replace(config, seed=seed)


def _search_options(table: Mapping[str, Any]) -> object:
    """Return the table of the search, with the options of its method, or of the preset's, where it has none."""
    section = table.get("search", {})
    if not isinstance(section, dict):
        return section
    method = section.get("method", method_of_preset(table.get("preset")))
    check_method(method)
    options = dataclasses.asdict(SearchOptions.from_method(method))
    return options | {key: value for key, value in section.items() if key != "method"}


def _resolve_paths(config: Config, folder: Path, data: dict[str, str]) -> Config:
    """Make the paths of the years usable from the working directory."""
    years = []
    for year in config.years:
        path = data.pop(year.name, None)
        if path is None and year.path:
            path = str(folder / year.path)
            if not os.path.exists(path):  # false for an impossible name
                raise InputError(f"years.{year.name}.path: {path} does not exist")
        note_input(path or "")
        key = f"years.{year.name}"
        try:
            list(map(role_of, year.columns))
        except UsageError as error:
            raise InputError(f"{key}.columns: {error}") from None
        scores = _resolve_files(folder, f"{key}.scores", year.scores)
        judgments = _resolve_files(folder, f"{key}.judgments", year.judgments)
        years.append(dataclasses.replace(year, path=path or "", scores=scores, judgments=judgments))
    if data:
        raise UsageError(f"--data names the years {list(data)}; known: {[year.name for year in years]}")
    return dataclasses.replace(config, years=tuple(years))


def _resolve_files(folder: Path, key: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Join a folder and names of files, which must exist."""
    paths = tuple(str(folder / name) for name in names)
    for path in paths:
        if not os.path.exists(path):
            raise InputError(f"{key}: {path} does not exist")
    return paths


# --- writing ---

_COMMENT_COLUMN = 40
"""The column in which comments after a value begin, if there is room."""


def to_toml(
    config: Config, folder: str | Path, *, commented: bool = False, examples: Mapping[str, Any] | None = None
) -> str:
    """Write a configuration as TOML.

    Parameters
    ----------
    config : Config
        What is written.
    folder : path-like
        Where the file is to lie.
    commented : bool
        Whether every key is explained once, and keys with default values are written as comments.
    examples : mapping of str to Any, optional
        Values for the comments of keys that the first year does not have.
    """
    tables: tuple[type, ...] = (Config, Year, FeatureOptions, SearchOptions, RunTable) if commented else ()
    shown: dict[type, Mapping[str, Option]] = {
        cls: {name: key for name, key in config_keys_of(cls).items() if not key.is_seldom} for cls in tables
    }
    # the method that the search is closest to, and the options in which it differs
    changes = {
        name: _changed_fields(config.search, default=options) for name, options in LEARNING_METHODS.items()
    }
    method = min(changes, key=lambda name: len(changes[name]))
    blocks = [
        _table_lines(Config, _changed_fields(config, without=("years", "runs", "features", "search")), shown),
        *(
            ["[[years]]", *_table_lines(Year, _year_fields(year, Path(folder)), shown, examples)]
            for year in config.years
        ),
        ["[features]", *_table_lines(FeatureOptions, _changed_fields(config.features), shown)],
        [
            "[search]",
            f"method = {toml_value(method)}",
            *_table_lines(SearchOptions, changes[method], shown, LEARNING_METHODS[method]),
        ],
        *(["[[runs]]", *_table_lines(RunTable, _changed_fields(run), shown)] for run in config.runs),
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines and lines != ["[features]"]) + "\n"


def _table_lines(
    cls: type,
    values: Mapping[str, Any],
    explanations: dict[type, Mapping[str, Option]],
    comment_values: Any = None,
) -> list[str]:
    """Write the set keys of a table in the order of its fields; the first table of a class gets the explanations.

    ``comment_values`` are shown in the comments of keys that are not set, in place of the defaults.
    """
    keys = explanations.pop(cls, {})
    lines = []
    for field in dataclasses.fields(cls):
        key = keys.get(field.name)
        if field.name in values:
            lines.append(_line_with_comment(f"{field.name} = {toml_value(values[field.name])}", key))
        elif key is not None:
            default = (
                getattr(comment_values, field.name)
                if dataclasses.is_dataclass(comment_values)
                else default_of(field)
            )
            example = key.example or toml_value(default)
            if isinstance(comment_values, Mapping) and field.name in comment_values:
                example = toml_value(comment_values[field.name])
            lines.append(_line_with_comment(f"# {field.name} = {example}", key))
    return lines


def _line_with_comment(text: str, key: Option | None) -> str:
    """Write a line, and the meaning of its key as a comment behind it."""
    return f"{text:<{_COMMENT_COLUMN}} # {key.help}" if key and key.help else text


def _changed_fields(part: Any, *, without: tuple[str, ...] = (), default: Any = None) -> Mapping[str, Any]:
    """Return the fields of a dataclass that differ from its defaults, or from ``default``; TOML has no None."""
    changed = {}
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        default_value = default_of(field) if default is None else getattr(default, field.name)
        if field.name not in without and value is not None and value != default_value:
            changed[field.name] = value
    return changed


def default_of(field: dataclasses.Field[Any]) -> Any:
    """Return the default of a field."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def _year_fields(year: Year, folder: Path) -> Mapping[str, Any]:
    """Return what is set of a year, its paths relative to a folder."""
    relative = dataclasses.replace(
        year,
        path=_relative_path(year.path, folder),
        scores=tuple(_relative_path(path, folder) for path in year.scores),
        judgments=tuple(_relative_path(path, folder) for path in year.judgments),
    )
    return _changed_fields(relative)


def _relative_path(path: str, folder: Path) -> str:
    """Write a path relative to a folder; no path stays none."""
    if not path:
        return ""
    return Path(os.path.relpath(os.path.realpath(path), os.path.realpath(folder))).as_posix()


def toml_value(value: Any) -> str:
    """Write a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple | list):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if dataclasses.is_dataclass(value):
        return toml_value(_changed_fields(value))
    if isinstance(value, Mapping):
        keys = (key if re.fullmatch("[A-Za-z0-9_-]+", key) else toml_value(key) for key in value)
        pairs = zip(keys, value.values(), strict=True)
        items = ", ".join(f"{key} = {toml_value(item)}" for key, item in pairs)
        return f"{{ {items} }}" if value else "{}"
    return repr(value)
