"""Checks that the values of a configuration are valid and fit together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from classy_aesop.config.keys import (
    LEARNING_METHODS,
    RUN_PRESETS,
    Config,
    RunTable,
    SearchOptions,
    Year,
    check_file_name,
)
from classy_aesop.errors import InputError
from classy_aesop.features.registry import units_by_name
from classy_aesop.fitters import FITTERS
from classy_aesop.outside import load_outside
from classy_aesop.search.subsets import check_n_names
from classy_aesop.work.options import find_faults


def check_config(config: Config) -> None:
    """Raise `InputError` for the first value that is not allowed, with its key."""
    for group in ("features", "fitters", "readers"):
        load_outside(group)
    if not config.years:
        raise InputError("years: found 0 tables [[years]]; expected 1 or more, the predicted year last")
    names = [year.name for year in config.years]
    if len(set(names)) < len(names):
        raise InputError(f"years: the names {names} repeat; expected different names")
    if config.preset is None and not config.runs:
        raise InputError(f"runs: none; expected [[runs]] tables or preset = one of {list(RUN_PRESETS)}")
    _check_keys("", config)
    _check_keys("search.", config.search)
    _check_search(config.search)
    if config.search.names or not any(year.scores for year in config.years):
        try:
            check_n_names(len(units_by_name(config.search.names, config.search.units)))
        except ValueError as error:
            raise InputError(f"search.names: {error}") from None
    for task in config.tasks or ():
        check_file_name("tasks", task, may_be_empty=True)
    for run in config.runs:
        check_file_name("runs.name", run.name)
        for task in run.tasks or ():
            check_file_name(f"runs.{run.name}.tasks", task, may_be_empty=True)
        _check_fitter(run, config.search)
    for year in config.years:
        _check_year(year)


def _check_keys(prefix: str, table: Any) -> None:
    """Raise `InputError` for the first value of a table that its key does not allow."""
    for name, fault in find_faults(table):
        raise InputError(f"{prefix}{name}: {fault}")


def _check_fitter(run: RunTable, search: SearchOptions) -> None:
    """Check that the fitter of a run goes with its other keys and the search."""
    _check_keys(f"runs.{run.name}.", run)
    if run.fitter == "mixture" and run.whole:
        raise InputError(
            f"runs.{run.name}.whole: true; a mixture is the mean of several learners; expected false"
        )
    if run.fitter_by(search.fitter) == "mixture" and not search.learners:
        raise InputError("search.learners: none; a mixture needs one or more")


def _check_search(search: SearchOptions) -> None:
    """Check that the options of the search go together."""
    for name, options in search.fitter_options.items():
        _check_choice("search.fitter_options", name, FITTERS)
        for key in options:
            _check_choice(f"search.fitter_options.{name}", key, FITTERS[name]().get_params())


def _check_year(year: Year) -> None:
    """Check the keys of a year, and that they go together."""
    _check_keys(f"years.{year.name}.", year)
    if year.cut:
        _check_keys(f"years.{year.name}.cut.", year.cut)
        if not 1 <= year.cut.part <= year.cut.parts:
            raise InputError(f"years.{year.name}.cut.part: {year.cut.part}; expected 1 to {year.cut.parts}")
    for name, (low, high) in year.ranges.items():
        if not low <= high:
            raise InputError(
                f"years.{year.name}.ranges.{name}: {low:g} to {high:g}; expected the lower first"
            )
    if year.judgments and year.path:
        raise InputError(
            f"years.{year.name}.judgments: found with a path; expected only without, as a corpus has its own"
        )
    if year.topics is not None and year.cut:
        raise InputError(f"years.{year.name}: both topics and cut; expected at most one")


def check_method(method: object) -> None:
    """Raise `InputError` for a name that is not in `LEARNING_METHODS`."""
    _check_choice("search.method", method, LEARNING_METHODS)


def _check_choice(key: str, value: object, allowed: Iterable[str]) -> None:
    """Raise `InputError` for a value that is not among those allowed."""
    names = list(allowed)
    if value not in names:
        raise InputError(f"{key}: {value!r}; expected one of {', '.join(names)}")
