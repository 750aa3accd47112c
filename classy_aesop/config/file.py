"""One TOML file is one experiment.

An unknown key is an error that names its path and the known keys; a path is relative to the file; nothing is read from
the environment, and the seed stands in the file.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classy_aesop.config.base import Config, SearchOptions, Year, method_of
from classy_aesop.config.checks import check_config, check_method
from classy_aesop.data.columns import role_of
from classy_aesop.errors import InputError, UsageError
from classy_aesop.work.inputs import note_input
from classy_aesop.work.typed import TypedReader

_READER = TypedReader(also_known={SearchOptions: ("method",)})


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
        table = _table(path)
        config = _READER.build(Config, {"years": [], **table, "search": _search_options(table)})
        config = _resolve(config, path.parent, dict(data or {}))
        check_config(config)
    except RecursionError:
        raise InputError("not valid TOML: it is nested too deeply", path=path) from None
    except InputError as error:
        raise InputError(str(error), path=path) from None
    return config if seed is None else dataclasses.replace(config, seed=seed)


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # broken, no UTF-8, or a whole number of more than 4,300 digits
        raise InputError(f"not valid TOML: {error}") from None


def _search_options(table: dict[str, Any]) -> object:
    """Give the table of the search, with the options of its method, or of the preset's, where it has none."""
    section = table.get("search", {})
    if not isinstance(section, dict):
        return section
    method = section.get("method", method_of(table.get("preset")))
    check_method(method)
    options = dataclasses.asdict(SearchOptions.of(method))
    return options | {key: value for key, value in section.items() if key != "method"}


def _check_roles(year: Year) -> None:
    try:
        for role in year.columns:
            role_of(role)
    except UsageError as error:
        raise InputError(f"years.{year.name}.columns: {error}") from None


def _resolve(config: Config, folder: Path, data: dict[str, str]) -> Config:
    """Make the paths of the years usable from the working directory."""
    years = []
    for year in config.years:
        path = data.pop(year.name, None)
        if path is None and year.path:
            path = str(folder / year.path)
            if not os.path.exists(path):  # false for an impossible name
                raise InputError(f"years.{year.name}.path: {path} does not exist")
        note_input(path or "")
        _check_roles(year)
        where = f"years.{year.name}"
        scores = _files(folder, f"{where}.scores", year.scores)
        judgments = _files(folder, f"{where}.judgments", year.judgments)
        years.append(dataclasses.replace(year, path=path or "", scores=scores, judgments=judgments))
    if data:
        raise UsageError(f"--data names the years {list(data)}; known: {[year.name for year in years]}")
    return dataclasses.replace(config, years=tuple(years))


def _files(folder: Path, where: str, names: tuple[str, ...]) -> tuple[str, ...]:
    paths = tuple(str(folder / name) for name in names)
    for path in paths:
        if not os.path.exists(path):
            raise InputError(f"{where}: {path} does not exist")
    return paths
