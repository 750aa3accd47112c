"""One TOML file is one experiment: which years, which runs, which options.

`read_config` turns the file into frozen dataclasses. An unknown key is an error that names its path and the known
keys; a path is relative to the file; nothing is read from the environment, and the seed stands in the file.
"""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from classy_aesop.corpus.copies import COPIES
from classy_aesop.errors import InputError, UsageError
from classy_aesop.features.base import GROUPS
from classy_aesop.features.columns import UNITS, units
from classy_aesop.features.options import FeatureOptions
from classy_aesop.fitters import FITTERS, LinearFitter
from classy_aesop.scores import READERS
from classy_aesop.search.choice import RULES
from classy_aesop.search.subsets import check_number

PEERS = ("no_models", "all_peers")
"""The peer sets: systems only, and systems with the human summarizers."""

LEVELS = ("system", "input", "global", "centred")
"""The levels of a correlation, as everywhere in this package."""

SCALES = ("ten_to_five", "printed", "bins")
"""Mappings of a ten-point scale to five points: 4/9 (x - 1) + 1, the printed 5/9 (x - 1) + 1, ceil(x / 2)."""

PROTOCOLS = ("latest", "rolling", "leave-one-year-out")
"""Which training years are held out to select on, each year fitted on others.

The ``latest`` one, fitted on the one before it (as in 2011); ``rolling``: every one but the first, fitted on all before
it; ``leave-one-year-out``: every one, fitted on all others. Scores of several years are averaged.
"""

METHODS: dict[str, dict[str, Any]] = {
    "honest": {
        "names": GROUPS,
        "units": "groups",
        "effects": "topic",
        "choose": "average",
        "draws": 200,
        "protocol": "leave-one-year-out",
        "refit": "all",
        "scale": "standardize",
    },
    "classy2011": {
        "names": ("classic",),
        "units": "features",
        "effects": "none",
        "choose": "best",
        "draws": 0,
        "protocol": "latest",
        "refit": "latest",
        "scale": "none",
    },
}
"""Sets of search options by name: the default, and that of 2011, which is the preset's."""


@dataclass(frozen=True)
class Cut:
    """A seeded part of a corpus: its topics, sorted by name, shuffled by ``seed`` and dealt into ``parts``."""

    part: int
    parts: int = 3
    seed: int | None = None


@dataclass(frozen=True)
class Year:
    """One year of judged summaries: where it lies (unless it comes from memory) and what of it is used.

    ``scores`` are files of imported metrics, which become columns beside the features. ``copies`` says what is done
    with summaries that repeat a reference: ``keep`` them, score them ``without`` it, or ``exclude`` them.
    """

    name: str
    path: str = ""
    format: str = "auto"
    topics: tuple[str, ...] | None = None
    pattern: str | None = None
    cut: Cut | None = None
    exclude_peers: tuple[str, ...] = ()
    references: tuple[str, ...] | None = None
    scale: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    scores: tuple[str, ...] = ()
    scores_format: str = "auto"
    copies: str = "keep"


@dataclass(frozen=True)
class RunTable:
    """One ``[[runs]]`` table: a target and a fitter, for some tasks and peer sets (by default all).

    The fitter is a key of `FITTERS`; or ``best``: whichever of those of 2011 scores highest on the selection year; or
    ``nested``: whichever of those in ``among`` (by default all) does best over topic folds of all training years, which
    takes ``whole``. ``names`` are the features and imported metrics of this run, by default those of the search; with
    ``whole`` all of them are fitted together, and no subset.
    """

    name: str
    target: str
    fitter: str = "best"
    tasks: tuple[str, ...] | None = None
    peers: tuple[str, ...] | None = None
    calibrate: bool = True
    names: tuple[str, ...] | None = None
    whole: bool = False
    among: tuple[str, ...] | None = None


@dataclass(frozen=True)
class SearchOptions:
    """How subsets are fitted and compared.

    ``names`` are the features and groups of features to choose from, by default all; ``extra`` the imported metrics, by
    default all that the years' ``scores`` hold. The rest are the parts of honest learning (docs/prediction.md), on by
    default:

    - ``units``: ``groups``, where the features of a group that is named come and go together, or ``features``, where
      each is chosen by itself;
    - ``effects``: ``topic`` fits on rows less their topic's mean, ``none`` on rows as they are;
    - ``draws``: bootstrap draws of topics and summarizers on which every subset is scored again, for the optimism of
      the best; ``choose``: what is used, one of `classy_aesop.search.choice.RULES`; all but ``best`` need draws;
    - ``protocol``: which years are held out to select, one of `PROTOCOLS`; ``refit``: on the ``latest`` training year
      or on ``all``; ``scale``: ``standardize`` brings the human measures of each earlier year to the mean and standard
      deviation of the latest, ``none`` leaves them; ``guard``: ``warn`` says that years share topics or texts,
      ``error`` refuses it.

    In a file ``method`` names a set of these (`METHODS`), and keys beside it stand in for its own.
    """

    level: str = "system"
    fit_level: str = "summary"
    stop: str = "converged"
    folds: int = 5
    names: tuple[str, ...] = GROUPS
    extra: tuple[str, ...] | None = None
    units: str = "groups"
    effects: str = "topic"
    choose: str = "average"
    draws: int = 200
    protocol: str = "leave-one-year-out"
    refit: str = "all"
    scale: str = "standardize"
    guard: str = "error"

    @classmethod
    def of(cls, method: str, **options: Any) -> SearchOptions:
        """Give the options of a method (`METHODS`), some of them replaced."""
        return cls(**{**METHODS[method], **options})

    def changed(self, *, whole: bool = False) -> dict[str, Any]:
        """Give the parts of honest learning that are not as in 2011, but for the protocol, which has a name itself.

        A ``whole`` fit chooses nothing.
        """
        plain = SearchOptions.of("classy2011")
        fit, choice = ("effects", "refit", "scale"), ("units", "choose", "draws")
        names = fit if whole else (*fit, *choice)
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(plain, name)}


@dataclass(frozen=True)
class Config:
    """One experiment. The years stand in order; the last one is predicted.

    Without ``search`` it learns by the method of its preset, or else by the default one.
    ``about`` is kept in the predictors for whoever uses them: where the data are from, what for, how good.
    """

    years: tuple[Year, ...]
    seed: int = 0
    preset: str | None = None
    tasks: tuple[str, ...] | None = None
    peers: tuple[str, ...] = PEERS
    measures: tuple[str, ...] | None = None
    runs: tuple[RunTable, ...] = ()
    features: FeatureOptions = field(default_factory=FeatureOptions)
    search: SearchOptions = None  # type: ignore[assignment]  # never None once made
    about: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given: object = self.search
        if given is None:
            object.__setattr__(self, "search", SearchOptions.of(method_of(self.preset)))

    def to_dict(self) -> dict[str, Any]:
        """Give the resolved configuration as plain lists and dictionaries, defaults included."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Run:
    """One submission: a target, a task, a peer set, and the fitter that learns it."""

    name: str
    target: str
    task: str
    peers: str
    fitter: str
    calibrate: bool = True
    names: tuple[str, ...] | None = None
    whole: bool = False
    among: tuple[str, ...] | None = None

    @property
    def label(self) -> str:
        """Name the run's predictor, e.g. ``25-A-all_peers``."""
        return "-".join(part for part in (self.name, self.task, self.peers) if part)


def _classy2011() -> tuple[Run, ...]:
    """List the 16 submissions of 2011, methods as printed: Rankel (2016), Tables 5.2 and 5.3."""
    methods = {
        ("8", "pyramid"): ("canonical", "canonical", "robust", "robust"),
        ("25", "responsiveness"): ("canonical", "canonical", "robust", "canonical"),
        ("23", "readability"): ("robust", "robust", "robust", "robust"),
        ("6", "responsiveness"): ("nonnegative", "nonnegative", "nonnegative", "nonnegative"),
    }
    places = [(peers, task) for peers in ("all_peers", "no_models") for task in ("A", "B")]
    return tuple(
        Run(name, target, task, peers, fitter, calibrate=False)
        for (name, target), fitters in methods.items()
        for (peers, task), fitter in zip(places, fitters, strict=True)
    )


PRESETS = {"classy2011": _classy2011()}
"""Lists of runs by name."""


def method_of(preset: object) -> str:
    """Name the method by which a preset learns, or what has none."""
    return "classy2011" if preset == "classy2011" else "honest"


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
        raise InputError(f"is not valid TOML: {error}", path=path) from None
    try:
        config: Config = _build(Config, _with_method(table), "")
        config = _resolve(config, path.parent, dict(data or {}))
        check_config(config)
    except InputError as error:
        raise InputError(str(error), path=path) from None
    return config if seed is None else dataclasses.replace(config, seed=seed)


def check_config(config: Config) -> None:
    """Raise `InputError` where a value is none of those allowed, naming its key."""
    if not config.years:
        raise InputError("years: found 0 tables [[years]]; expected 1 or more, the predicted year last")
    if config.seed < 0:
        raise InputError(f"seed: {config.seed}; expected 0 or more")
    names = [year.name for year in config.years]
    if len(set(names)) < len(names):
        raise InputError(f"years: the names {names} repeat; expected different ones")
    if config.preset is None and not config.runs:
        raise InputError(f"runs: none; expected [[runs]] tables or preset = one of {list(PRESETS)}")
    _one_of("preset", config.preset, (None, *PRESETS))
    _one_of("search.level", config.search.level, LEVELS)
    _one_of("search.fit_level", config.search.fit_level, ("summary", "system"))
    _one_of("search.stop", config.search.stop, ("converged", "matlab"))
    _check_honesty(config.search)
    if config.search.names or not any(year.scores for year in config.years):
        _check_names(config.search)
    for peers in (*config.peers, *(name for run in config.runs for name in run.peers or ())):
        _one_of("peers", peers, PEERS)
    for run in config.runs:
        _check_fitter(run)
        _check_linear(run, config.search)
    for year in config.years:
        _check_year(year)


def _check_fitter(run: RunTable) -> None:
    _one_of(f"runs.{run.name}.fitter", run.fitter, (*FITTERS, "best", "nested"))
    for name in run.among or ():
        _one_of(f"runs.{run.name}.among", name, tuple(FITTERS))
    if run.fitter == "nested" and not run.whole:
        raise InputError(
            f"runs.{run.name}.whole: false; nested fits all names together: expected whole = true"
        )
    if run.fitter != "nested" and run.among is not None:
        raise InputError(f"runs.{run.name}.among: is for fitter = 'nested'; found fitter = {run.fitter!r}")
    if run.among == ():
        raise InputError(
            f"runs.{run.name}.among: no fitter to choose from; expected one or more of {list(FITTERS)}"
        )


def _check_linear(run: RunTable, search: SearchOptions) -> None:
    fitter = FITTERS.get(run.fitter)
    if search.draws and not run.whole and fitter is not None and not issubclass(fitter, LinearFitter):
        raise InputError(
            f"runs.{run.name}.fitter: {run.fitter!r} is not linear, so its subsets are not drawn or averaged: "
            "expected whole = true, or in [search] draws = 0 and choose = 'best'"
        )


def _check_honesty(search: SearchOptions) -> None:
    _one_of("search.units", search.units, UNITS)
    _one_of("search.effects", search.effects, ("none", "topic"))
    _one_of("search.choose", search.choose, RULES)
    _one_of("search.protocol", search.protocol, PROTOCOLS)
    _one_of("search.refit", search.refit, ("latest", "all"))
    _one_of("search.scale", search.scale, ("none", "standardize"))
    _one_of("search.guard", search.guard, ("error", "warn"))
    least = 0 if search.choose == "best" else 2
    if search.draws < least:
        raise InputError(
            f"search.draws: {search.draws}; expected {least} or more (choose = {search.choose!r})"
        )


def _check_names(search: SearchOptions) -> None:
    try:
        check_number(len(units(search.names, search.units)))
    except ValueError as error:
        raise InputError(f"search.names: {error}") from None


def _check_year(year: Year) -> None:
    for scale in year.scale.values():
        _one_of(f"years.{year.name}.scale", scale, SCALES)
    _one_of(f"years.{year.name}.copies", year.copies, COPIES)
    _one_of(f"years.{year.name}.scores_format", year.scores_format, ("auto", *READERS))
    if year.cut and not 1 <= year.cut.part <= year.cut.parts:
        raise InputError(f"years.{year.name}.cut.part: {year.cut.part}; expected 1 to {year.cut.parts}")
    if sum(choice is not None for choice in (year.topics, year.pattern, year.cut)) > 1:
        raise InputError(f"years.{year.name}: more than one of topics, pattern, cut; expected one at most")


def _one_of(where: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        choices = [choice for choice in allowed if choice is not None]
        raise InputError(f"{where}: {value!r}; expected one of {choices}")


def _with_method(table: dict[str, Any]) -> dict[str, Any]:
    """Put the options of the search's method under those that stand in the file."""
    search = table.get("search", {})
    if not isinstance(search, dict):
        return table
    method = search.get("method", method_of(table.get("preset")))
    _one_of("search.method", method, tuple(METHODS))
    own = {key: value for key, value in search.items() if key != "method"}
    given = {
        key: list(value) if isinstance(value, tuple) else value for key, value in METHODS[method].items()
    }
    return {**table, "search": {**given, **own}}


def _resolve(config: Config, folder: Path, data: dict[str, str]) -> Config:
    """Make the paths of the years usable from the working directory."""
    years = []
    for year in config.years:
        path = data.pop(year.name, None)
        if path is None and year.path:
            path = str(folder / year.path)
            if not Path(path).exists():
                raise InputError(f"years.{year.name}.path: {path} is not there")
        scores = tuple(str(folder / name) for name in year.scores)
        for name in scores:
            if not Path(name).exists():
                raise InputError(f"years.{year.name}.scores: {name} is not there")
        years.append(dataclasses.replace(year, path=path or "", scores=scores))
    if data:
        raise UsageError(f"--data names the years {list(data)}; known: {[year.name for year in years]}")
    return dataclasses.replace(config, years=tuple(years))


def _build(cls: Any, table: object, where: str) -> Any:
    """Make a dataclass from a TOML table, checking its keys and the kinds of its values."""
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
    return cls(**{key: _value(hints[key], value, _join(where, key)) for key, value in table.items()})


def _value(kind: Any, value: object, where: str) -> Any:
    """Check one TOML value against an annotation and turn lists into tuples."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _value(next(a for a in arguments if a is not type(None)), value, where)
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
