"""All printed numbers of the data beside ours: equal, apart by noise, or different; and those that are not compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from math import sqrt
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import InputError, join_names
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import (
    AVERAGE,
    PAPER_DATA,
    PrintedCell,
    printed_cells,
    recognize_paper_data,
    remakes_table,
)
from classy_aesop.papers.printed_tables import (
    PRINTED_TABLES,
    PRINTED_TWICE,
    tables_of_study,
)
from classy_aesop.papers.study_runs import choose_target, run_studies
from classy_aesop.papers.study_tables import study_result
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import MAIN, TASK, YEAR, estimate, item, remark
from classy_aesop.tables.wording import count_text

N_TRIALS_OF_PAPER = 1_000
"""Trials of the coverage, and resamples of the intervals, in Deutsch et al. (2021)."""

MAX_ERRORS_OF_NOISE = 3.0
"""Standard errors of the difference of two simulations beyond which it is not noise."""

NOT_COMPARED = "not compared"
"""The verdict of rows that stand for a table, or for the numbers of it that are not compared."""


def count_verdicts(rows: pd.DataFrame) -> str:
    """Count the printed numbers that are equal to ours, differ by noise, and are different."""
    counts = rows.loc[rows["verdict"] != NOT_COMPARED, "verdict"].value_counts()
    n_of_verdict = {verdict: int(counts.get(verdict, 0)) for verdict in ("equal", "noise", "different")}
    return (
        f"{n_of_verdict['equal']} of {count_text(counts.sum(), 'printed number')} equal ours, "
        f"{n_of_verdict['noise']} differ by noise of simulation, {n_of_verdict['different']} are different."
    )


PRINTED_NUMBERS = Answer(
    name="study check",
    caption="Printed numbers and ours",
    columns=(
        YEAR,
        TASK,
        item("table", "the table, figure or section of the paper"),
        item("study", "the study, or the command, that gives it"),
        item("row", "its row, by the names of our tables"),
        item("cell", "its column"),
        estimate("printed", "the number as the paper prints it", priority=MAIN),
        estimate("value", "ours", priority=MAIN),
        estimate("difference", "ours less the printed one"),
        estimate("limit", "the largest difference that the printed decimals, and noise, explain"),
        estimate(
            "verdict",
            "equal in the printed decimals, noise, different or not compared",
            "text",
            priority=MAIN,
        ),
        remark("reason", "why it is not equal"),
    ),
    needs=("verdict",),
    sentence=count_verdicts,
)


@dataclass(frozen=True, kw_only=True)
class NumberRow:
    """A row of `PRINTED_NUMBERS`: a printed number and ours, or the numbers of a table that are not compared."""

    table: str
    study: str
    verdict: str
    reason: str
    year: str = ""
    task: str = ""
    row: str = ""
    cell: str = ""
    printed: float = np.nan
    value: float = np.nan
    difference: float = np.nan
    limit: float = np.nan


# --- noise of simulations ---

StudyRow = Mapping[Hashable, Any]
StandardError = Callable[[StudyRow, str, float], tuple[float, str]]
"""From a row of ours, its column and the printed number to the standard error of their difference, and its cause."""


def error_of_coverage(row: StudyRow, column: str, printed: float) -> tuple[float, str]:
    """Give the standard error of the difference of two shares of trials, ours and the paper's.

    Both are of one share under the hypothesis, two trials of either kind being added (Agresti and Caffo, 2000).
    """
    n_trials = row["n_trials"] - row["n_undefined"]
    n_both = n_trials + N_TRIALS_OF_PAPER
    share = (n_trials * row[column] + N_TRIALS_OF_PAPER * printed + 2) / (n_both + 4)
    error = sqrt(share * (1 - share) * (1 / n_trials + 1 / N_TRIALS_OF_PAPER))
    return error, f"noise of {n_trials:z,.0f} trials"


def error_of_interval_end(row: StudyRow, column: str, printed: float) -> tuple[float, str]:
    """Give the standard error of the difference of two ends of 95 % intervals of percentiles, if these are normal.

    A percentile of n draws has the variance q (1 - q) / (n f^2), with the density f at the percentile.
    """
    n_resamples = row["n_resamples"]
    density = 0.05844506980503538  # of the standard normal distribution at its 2.5th percentile
    std = (row["high"] - row["low"]) / (2 * 1.959963984540054)
    error = std * sqrt(0.025 * 0.975 * (1 / n_resamples + 1 / N_TRIALS_OF_PAPER)) / density
    scale = 50.0 if column.endswith("percent_misranked") else 1.0
    return scale * error, f"noise of {n_resamples:z,.0f} resamples"


NOISE_OF_STUDIES: dict[str, StandardError] = {
    "coverage": error_of_coverage,
    "metric-intervals": error_of_interval_end,
}
"""The noise of the studies whose numbers are simulated."""

# --- one number ---

OTHER_REASON = "other scores, or a misprint: see the notes of the study"

COMPUTED_REASON = "ROUGE is computed here, perhaps of other texts or sentences than the paper's"


def compare_number(
    study: str, row: StudyRow, column: str, cell: PrintedCell, computed: Set[str]
) -> NumberRow:
    """Compare one of our numbers with the printed one: equal in its decimals, noise, or different.

    Metrics that are ``computed`` here may differ from the paper's.
    """
    value = float(row[column])
    difference = value - cell.value
    rounding = 0.5 * 10.0**-cell.decimals + 1e-9
    error, noise = (
        NOISE_OF_STUDIES[study](row, column, cell.value) if study in NOISE_OF_STUDIES else (0.0, "")
    )
    limit = rounding + MAX_ERRORS_OF_NOISE * error
    if abs(difference) <= rounding:
        verdict = "equal"
        reason = ""
    elif abs(difference) <= limit:
        verdict = "noise"
        reason = noise
    else:
        verdict = "different"
        is_computed = bool(computed & set(str(row.get("metric", "")).split("+")))
        other_reason = f"more than {noise}" if noise else OTHER_REASON
        reason = COMPUTED_REASON if is_computed else other_reason
    return NumberRow(
        year=row["year"],
        task=row["task"],
        table=cell.item,
        study=study,
        row=cell.row,
        cell=cell.cell,
        printed=cell.value,
        value=value,
        difference=0.0 if np.isclose(value, cell.value, rtol=1e-12, atol=0) else difference,
        limit=limit,
        verdict=verdict,
        reason=reason,
    )


def compare_numbers(
    study: str, table: pd.DataFrame, judgments: pd.DataFrame, computed: Set[str]
) -> Iterator[tuple[PrintedCell, NumberRow]]:
    """Yield the printed cells of a table of a study, each with its row of `PRINTED_NUMBERS`."""
    for printed in tables_of_study(study):
        rows = printed.rows_of(table)
        records = add_stratum_columns(rows).to_dict("records")
        for number, cells in printed.find_cells(rows, judgments):
            for row, cell in zip(records, cells, strict=True):
                if cell is not None:
                    yield cell, compare_number(study, row, number.column, cell, computed)


# --- all of them ---


def check_printed(
    data: StudyData,
    *,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Compare every printed number that the data allow with ours.

    Each study compares whom the paper does. ROUGE is computed of corpora with texts, beside the scores that are given.
    """
    data = replace(data, corpora=data.selected_corpora("all_peers"), peers=None)
    names = recognize_paper_data(pd.concat([corpus.judgments for corpus in data.corpora], ignore_index=True))
    if not names:
        years = list(dict.fromkeys(dataset.name.split("-")[0] for dataset in PAPER_DATA))
        expected = f"{join_names(years, most=20)}, with all their summaries"
        raise InputError(f"the corpora are not those of a paper; expected {expected}")
    cells_of_tables = printed_cells_of_data(set(names.values()))
    known_arguments = {"n_trials": n_trials, "n_resamples": n_resamples, "seed": seed, "progress": progress}
    compared, failures = run_checks(data, names, cells_of_tables, known_arguments)
    rows: list[NumberRow] = []
    notes = []
    for table, cells in cells_of_tables.items():
        missing = [cell for cell in cells if cell not in compared]
        rows += [compared[cell] for cell in cells if cell in compared]
        rows += [explain_uncompared(table, missing, failures.get(table))] if missing else []
        n_compared = len(cells) - len(missing)
        notes.append(f"{table}: {n_compared} of {count_text(len(cells), 'number')} compared.")
    tables = dict.fromkeys(cell.item for cell in printed_cells() if ", Table " in cell.item)
    of_other_data = [table for table in tables if table not in {*cells_of_tables, *PRINTED_TWICE}]
    notes.append(f"Of other data: {join_names(of_other_data, most=len(of_other_data))}.")
    result = study_result(pd.DataFrame(rows), PRINTED_NUMBERS)
    return replace(result, notes=(*notes, *result.notes))


def printed_cells_of_data(names: Set[str]) -> dict[str, list[PrintedCell]]:
    """Return the printed cells of data by their table, without those that are printed twice."""
    cells_of_tables: dict[str, list[PrintedCell]] = {}
    for cell in printed_cells():
        has_data = all(any(_is_part(name, part) for name in names) for part in cell.data.split("+"))
        if has_data and cell.item not in PRINTED_TWICE:
            cells_of_tables.setdefault(cell.item, []).append(cell)
    return cells_of_tables


def _is_part(name: str, data: str) -> bool:
    """Whether data are those of a cell, or of a task of its year: ``TAC 2011-A`` of ``TAC 2011``."""
    return data in (name, name.split("-")[0])


def run_checks(
    data: StudyData,
    names: Mapping[tuple[str, str], str],
    cells_of_tables: Mapping[str, Sequence[PrintedCell]],
    known_arguments: Mapping[str, object],
) -> tuple[dict[PrintedCell, NumberRow], dict[str, str]]:
    """Return the rows of the cells that are compared, and why tables could not be.

    Of a cell whose paper names no task the row is that of the task with the smaller difference.
    """
    compared: dict[PrintedCell, NumberRow] = {}
    failures: dict[str, str] = {}
    by_data = attrgetter("data")
    all_cells = sorted((cell for cells in cells_of_tables.values() for cell in cells), key=by_data)
    for cell_data, group in groupby(all_cells, key=by_data):
        cells = set(group)
        own_data = select_data(data, names, cell_data)
        judgments = pd.concat([corpus.judgments for corpus in own_data.corpora], ignore_index=True)
        target = choose_target(judgments)
        arguments = {**known_arguments, "target": target, "metric": target}
        for run in run_studies(own_data, arguments, {cell.item for cell in cells}):
            if run.result is None:
                failures |= {printed.name: run.failure for printed in run.tables}
                continue
            for cell, row in compare_numbers(run.study, run.result.table, judgments, run.computed):
                other = compared.get(cell)
                if cell in cells and (other is None or abs(row.difference) < abs(other.difference)):
                    compared[cell] = row
    return compared, failures


def select_data(data: StudyData, names: Mapping[tuple[str, str], str], cell_data: str) -> StudyData:
    """Return what the data hold of the year and task of a cell, or of all its years."""
    parts = cell_data.split("+")
    strata = [stratum for stratum, name in names.items() if any(_is_part(name, part) for part in parts)]
    if len(strata) == 1 and strata[0][1] != AVERAGE:
        [(year, task)] = strata
        return replace(data, year=year or None, task=task or None)
    years = {year for year, _ in strata}
    topics = [[topic for topic in corpus.topics if topic.year in years] for corpus in data.corpora]
    pairs = zip(data.corpora, topics, strict=True)
    return replace(
        data, corpora=[corpus.replace_topics((*of_years,)) for corpus, of_years in pairs if of_years]
    )


def explain_uncompared(table: str, missing: Sequence[PrintedCell], failure: str | None) -> NumberRow:
    """Return the row that stands for the numbers of a table that are not compared."""
    study = find_study(table)
    rows = join_names(list(dict.fromkeys(cell.row for cell in missing)), most=5)
    reason = f"a command of its own: study {study}" if study else "no study gives it"
    if any(printed.name == table for printed in PRINTED_TABLES):
        reason = f"not among the results: {rows}"
    return NumberRow(
        table=table,
        study=study,
        verdict=NOT_COMPARED,
        reason=f"{count_text(len(missing), 'number')}: {failure or reason}",
    )


def find_study(table: str) -> str:
    """Return the study that remakes a table or figure; empty if there is none."""
    return next(
        (
            name
            for name, study in STUDIES.items()
            if any(remakes_table(item, table) for item in study.remakes)
        ),
        "",
    )
