"""Run studies by their names, with those of many arguments that each function takes."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from pkgutil import resolve_name

import pandas as pd

from classy_aesop.errors import NOTE, InputError, UsageError, join_names
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData, add_rouge
from classy_aesop.papers.printed import PAPER_DATA, printed_cells, printed_name, recognize_paper_data
from classy_aesop.papers.printed_tables import PrintedTable, abbreviate_combination, tables_of_study
from classy_aesop.papers.rankel_2013 import ALL_ROUGE_METRICS
from classy_aesop.tables.result import Result

_LOG = logging.getLogger(__name__)


def run_study(
    name: str, data: StudyData, known_arguments: Mapping[str, object], tables: Sequence[PrintedTable] = ()
) -> Result:
    """Run a study on data with those arguments among the known ones that it takes, as printed ``tables`` need it.

    InputError says what it needs, if an argument is missing or None.
    """
    study = STUDIES[name]
    known_arguments = {**known_arguments, **(tables[0].options if tables else {})}
    if tables and tables[0].takes_named_metrics:
        known_arguments["metrics"] = choose_metrics(data, tables)
    function = resolve_name(f"classy_aesop.papers.{study.function}")
    data = replace(data, scores=None) if study.computes_metrics else data
    known_arguments = {"data": data, **known_arguments}
    arguments = {key: value for key, value in known_arguments.items() if value is not None}
    parameters = inspect.signature(function).parameters
    if "metric" in parameters and parameters["metric"].default is not inspect.Parameter.empty:
        arguments.pop("metric", None)  # it has one of its own
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
    target, *other_measures = candidates
    if other_measures:
        raise InputError(f"several human measures: {join_names(measures, most=20)}; expected {expected}")
    return str(target)


def choose_metrics(data: StudyData, tables: Sequence[PrintedTable]) -> list[str]:
    """Return the metrics of the data that printed tables name; InputError if there is none."""
    names_of_tables = {printed.name for printed in tables}
    parts = {part for cell in printed_cells() if cell.item in names_of_tables for part in cell.row.split("/")}
    words = parts | {word for part in parts for word in part.split("_")}
    names = [name for name in data.metric_names if words & {printed_name(name), abbreviate_combination(name)}]
    if not names:
        raise InputError("no scores of its metrics; expected --scores FILE")
    return names


# --- all of them ---


@dataclass(frozen=True)
class StudyRun:
    """A study that was run, as it is typed: its result, or why there is none."""

    study: str
    flags: str
    result: Result | None
    failure: str = ""

    @property
    def command(self) -> str:
        """The study and its flags."""
        return f"{self.study}{self.flags}"

    @property
    def papers(self) -> list[str]:
        """The papers whose tables and figures it remakes."""
        return list(dict.fromkeys(item.partition("), ")[0] + ")" for item in STUDIES[self.study].remakes))


def run_studies(data: StudyData, known_arguments: Mapping[str, object]) -> Iterator[StudyRun]:
    """Run every study, and those of several printed tables for each; one that fails does not end the others."""
    data_of_peers = cache(partial(add_rouge, data, metrics=ALL_ROUGE_METRICS))
    for study, tables in group_tables():
        options = tables[0].options if tables else {}
        flags = "".join(f" --{name}" for name, value in options.items() if value is True)
        _LOG.log(NOTE, "study %s%s", study, flags)
        try:
            own_data = data_of_peers(STUDIES[study].peers or "all_peers")
            result = run_study(study, own_data, known_arguments, tables)
        except Exception as error:
            name = "" if isinstance(error, InputError | UsageError) else f"{type(error).__name__}: "
            yield StudyRun(study, flags, None, f"{name}{error}")
        else:
            yield StudyRun(study, flags, result)


def group_tables() -> Iterator[tuple[str, list[PrintedTable]]]:
    """Yield each study with its printed tables, or with those of one set of options after those of another."""
    for study in STUDIES:
        groups = [list(tables) for _, tables in groupby(tables_of_study(study), attrgetter("options"))]
        yield from ((study, tables) for tables in groups or [[]])
