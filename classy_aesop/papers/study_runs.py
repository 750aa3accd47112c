"""Run a study by its name, with those of many arguments that its function takes."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace
from pkgutil import resolve_name

import pandas as pd

from classy_aesop.errors import InputError, join_names
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import PAPER_DATA, printed_name, recognize_paper_data
from classy_aesop.tables.result import Result


def run_study(name: str, data: StudyData, given: dict[str, object]) -> Result:
    """Run a study on data with those arguments among the given ones that it takes, but for None.

    InputError says what it needs, if one is missing.
    """
    study = STUDIES[name]
    function = resolve_name(f"classy_aesop.papers.{study.function}")
    data = replace(data, scores=None) if study.computes_metrics else data
    arguments = {"data": data} | {key: value for key, value in given.items() if value is not None}
    parameters = inspect.signature(function).parameters
    if "tables" in parameters:
        tables = data.tables(study.peers or "all_peers", needs_metrics=True)
        arguments["tables"] = [tables.scores, tables.judgments]
    if "corpus" in parameters and len(data.corpora) == 1:
        [arguments["corpus"]] = data.corpora
    if any(
        parameter.default is parameter.empty and key not in arguments for key, parameter in parameters.items()
    ):
        raise InputError(f"a command of its own, which needs {study.needs}")
    return function(**{key: value for key, value in arguments.items() if key in parameters})  # type: ignore[no-any-return]


def choose_target(judgments: pd.DataFrame) -> str:
    """Return the human measure of the paper: that of its data, or responsiveness, or the only one."""
    measures = judgments["metric"].unique().tolist()
    names = recognize_paper_data(judgments).values()
    expected = next((data.measure for data in PAPER_DATA if data.name in names), "") or "responsiveness"
    candidates: Iterable[str] = [name for name in measures if printed_name(name) == expected] or measures
    target, *others = candidates
    if others:
        raise InputError(f"several human measures: {join_names(measures, most=20)}; expected {expected}")
    return str(target)
