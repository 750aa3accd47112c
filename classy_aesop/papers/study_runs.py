"""Run studies by their names, with those of many arguments that each function takes."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
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
    arguments = {"data": replace(data, scores=None) if study.computes_metrics else data, **known_arguments}
    if tables:
        arguments |= tables[0].options
        if tables[0].takes_named_metrics:
            arguments["metrics"] = choose_metrics(data, tables)
    function = resolve_name(f"classy_aesop.papers.{study.function}")
    own_arguments = {}
    for key, parameter in inspect.signature(function).parameters.items():
        is_needed = parameter.default is parameter.empty
        if arguments.get(key) is None:
            if is_needed:
                raise InputError(f"a command of its own, which needs {study.needs}")
        elif is_needed or key != "metric":  # else it has a metric of its own
            own_arguments[key] = arguments[key]
    return function(**own_arguments)  # type: ignore[no-any-return]


def choose_target(judgments: pd.DataFrame) -> str:
    """Return the human measure of the paper: that of its data, or responsiveness, or the only one."""
    measures = judgments["metric"].unique().tolist()
    names = recognize_paper_data(judgments).values()
    expected = next((data.measure for data in PAPER_DATA if data.name in names), "") or "responsiveness"
    candidates: Iterable[str] = [name for name in measures if printed_name(name) == expected] or measures
    target, *other_measures = candidates
    if other_measures:
        raise InputError(f"several human measures: {join_names(measures, limit=20)}; expected {expected}")
    return str(target)


def choose_metrics(data: StudyData, tables: Sequence[PrintedTable]) -> list[str]:
    """Return the metrics of the data that printed tables name; InputError if there is none."""
    cells = printed_cells()
    of_tables = cells["item"].isin([printed.name for printed in tables])
    parts = {part for row in cells.loc[of_tables, "row"] for part in row.split("/")}
    words = parts | {word for part in parts for word in part.split("_")}
    names = [name for name in data.metric_names if words & {printed_name(name), abbreviate_combination(name)}]
    if not names:
        raise InputError("no scores of its metrics; expected --scores FILE")
    return names


# --- all of them ---


@dataclass(frozen=True)
class StudyRun:
    """A study that was run, as it is typed: its result, or why there is none.

    ``tables`` are the printed ones that it was run for, ``computed`` the metrics that were not given.
    """

    study: str
    flags: str
    result: Result | None
    failure: str = ""
    tables: Sequence[PrintedTable] = ()
    computed: Set[str] = frozenset()

    @property
    def command(self) -> str:
        """The study and its flags."""
        return f"{self.study}{self.flags}"

    @property
    def items(self) -> Sequence[str]:
        """The tables and figures that it remakes; of a study that runs several times those of this run."""
        if len(group_tables(self.study)) == 1:
            return STUDIES[self.study].remakes
        return [name for printed in self.tables for name in (printed.name, printed.repeated_in) if name]

    @property
    def paper(self) -> str:
        """The paper whose table or figure it remakes first."""
        return self.items[0].partition(", ")[0]


def run_studies(
    data: StudyData, known_arguments: Mapping[str, object], names: Container[str] | None = None
) -> Iterator[StudyRun]:
    """Run every study, or those of printed tables with some names; one that fails does not end the others.

    A study of several printed tables is run once for each set of options.
    """
    data_of_peers = cache(partial(add_rouge, data, metrics=ALL_ROUGE_METRICS))
    for study in STUDIES:
        for tables in group_tables(study):
            if names is not None and not any(printed.name in names for printed in tables):
                continue
            options = tables[0].options if tables else {}
            flags = "".join(f" --{name}" for name, value in options.items() if value is True)
            _LOG.log(NOTE, "study %s%s", study, flags)
            result = None
            failure = ""
            computed: Set[str] = frozenset()
            try:
                own_data = data_of_peers(STUDIES[study].peers or "all_peers")
                computed = {*own_data.metric_names} - {*data.metric_names}
                result = run_study(study, own_data, known_arguments, tables)
            except (InputError, UsageError) as error:
                failure = str(error)
            except Exception as error:
                failure = f"{type(error).__name__}: {error}"
            yield StudyRun(study, flags, result, failure, tables, computed)


def group_tables(study: str) -> list[list[PrintedTable]]:
    """Group the printed tables of a study by their options; one empty group, if there are none."""
    groups = [list(tables) for _, tables in groupby(tables_of_study(study), attrgetter("options"))]
    return groups or [[]]
