"""One TOML file is one experiment.

An unknown key is an error that names its path and the known keys; a path is relative to the file; nothing is read from
the environment, and the seed stands in the file.
"""

from __future__ import annotations

import dataclasses
import tomllib
import warnings
from collections.abc import Mapping
from pathlib import Path

from classy_aesop.config.base import OLDER_NAMES, Config, SearchOptions, Year, method_of
from classy_aesop.config.checks import check_config, check_method
from classy_aesop.corpus.columns import role_of
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.typed import TypedReader

_READER = TypedReader("a table", also_known={SearchOptions: ("method",)})


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
        config = dataclasses.replace(_READER.build(Config, table), search=search)
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
    if "draws" in own:
        warnings.warn(f"{where}.draws is an older name of n_resamples", DataWarning, stacklevel=2)
        own.setdefault("n_resamples", own.pop("draws"))
    return SearchOptions.of(method, **_READER.values(SearchOptions, own, where))


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
            if not Path(path).exists():
                raise InputError(f"years.{year.name}.path: {path} does not exist")
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
        if not Path(path).exists():
            raise InputError(f"{where}: {path} does not exist")
    return paths
