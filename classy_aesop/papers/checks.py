"""All printed numbers of the data beside ours: equal, apart by noise, or different; and those that are not compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace

import numpy as np
import pandas as pd

from classy_aesop.data.scores import STRATUM_COLUMNS, add_stratum_columns
from classy_aesop.errors import InputError, join_names
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import (
    AVERAGE,
    PAPER_DATA,
    printed_cells,
    recognize_paper_data,
    remakes_table,
)
from classy_aesop.papers.printed_tables import (
    PRINTED_TABLES,
    PRINTED_TWICE,
    tables_of_study,
)
from classy_aesop.papers.study_runs import StudyRun, choose_target, run_studies
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
    counts = rows["verdict"].value_counts().reindex(["equal", "noise", "different"], fill_value=0)
    n_equal, n_noise, n_different = counts
    return (
        f"{n_equal} of {count_text(counts.sum(), 'printed number')} equal ours, "
        f"{n_noise} differ by noise of simulation, {n_different} are different."
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
    sentence=count_verdicts,
)


# --- noise of simulations ---


def errors_of_coverage(rows: pd.DataFrame, column: str, printed: pd.Series) -> pd.Series:
    """Give the standard errors of the differences of two shares of trials, ours and the paper's.

    Both are of one share under the hypothesis, two trials of either kind being added (Agresti and Caffo, 2000).
    """
    n_trials = rows["n_trials"] - rows["n_undefined"]
    n_both = n_trials + N_TRIALS_OF_PAPER
    share = (n_trials * rows[column] + N_TRIALS_OF_PAPER * printed + 2) / (n_both + 4)
    return (share * (1 - share) * (1 / n_trials + 1 / N_TRIALS_OF_PAPER)) ** 0.5


def errors_of_interval_ends(rows: pd.DataFrame, column: str, printed: pd.Series) -> pd.Series:
    """Give the standard errors of the differences of two ends of 95 % intervals of percentiles, if these are normal.

    A percentile of n draws has the variance q (1 - q) / (n f^2), with the density f at the percentile.
    """
    density = 0.05844506980503538  # of the standard normal distribution at its 2.5th percentile
    std = (rows["high"] - rows["low"]) / (2 * 1.959963984540054)
    scale = 50 if column.endswith("percent_misranked") else 1
    return scale * std * (0.025 * 0.975 * (1 / rows["n_resamples"] + 1 / N_TRIALS_OF_PAPER)) ** 0.5 / density


StandardErrors = Callable[[pd.DataFrame, str, pd.Series], pd.Series]

NOISE_OF_STUDIES: dict[str, tuple[str, StandardErrors]] = {
    "coverage": ("trials", errors_of_coverage),
    "metric-intervals": ("resamples", errors_of_interval_ends),
}
"""What the studies whose numbers are simulated draw, and the errors of differences, of rows, a column and the print."""

# --- the numbers of a study ---

OTHER_REASON = "other scores, or a misprint: see the notes of the study"

COMPUTED_REASON = "ROUGE is computed here, perhaps of other texts or sentences than the paper's"


def compare_column(
    study: str, rows: pd.DataFrame, column: str, cells: pd.DataFrame, computed: Set[str]
) -> pd.DataFrame:
    """Compare our numbers of a column with the printed cells: equal in their decimals, noise, or different.

    Metrics that are ``computed`` here may differ from the paper's. Gives the cells with the columns of
    `PRINTED_NUMBERS`.
    """
    printed = cells["value"]
    rounding = 0.5 * 10.0 ** -cells["decimals"] + 1e-9
    limit = rounding
    noise = pd.Series("", rows.index)
    other_reason: str | pd.Series = OTHER_REASON
    if study in NOISE_OF_STUDIES:
        draws, estimate_errors = NOISE_OF_STUDIES[study]
        limit = rounding + MAX_ERRORS_OF_NOISE * estimate_errors(rows, column, printed)
        noise = rows[f"n_{draws}"].map(f"noise of {{:z,.0f}} {draws}".format)
        other_reason = "more than " + noise
    difference = rows[column] - printed
    is_close = [difference.abs() <= rounding, difference.abs() <= limit]
    metrics = rows.get("metric", noise).str.split("+")
    is_computed = ~metrics.map(computed.isdisjoint)
    return cells.assign(
        year=rows["year"],
        task=rows["task"],
        study=study,
        printed=printed,
        value=rows[column].astype(float),
        difference=difference.mask(np.isclose(rows[column], printed, rtol=1e-12, atol=0), 0.0),
        limit=limit,
        verdict=np.select(is_close, ["equal", "noise"], "different"),
        reason=np.select([*is_close, is_computed], ["", noise, COMPUTED_REASON], other_reason),
    )


def compare_numbers(run: StudyRun, table: pd.DataFrame, judgments: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the comparison of each printed column of a study's table."""
    for printed in tables_of_study(run.study):
        rows = add_stratum_columns(printed.rows_of(table))
        for number, cells in printed.find_cells(rows, judgments):
            yield compare_column(run.study, rows.loc[cells.index], number.column, cells, run.computed)


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
        expected = f"{join_names(years, limit=20)}, with all their summaries"
        raise InputError(f"the corpora are not those of a paper; expected {expected}")
    known_arguments = {"n_trials": n_trials, "n_resamples": n_resamples, "seed": seed, "progress": progress}
    all_cells = printed_cells()
    of_data = all_cells["data"].map(
        lambda data: all(any(_is_part(name, part) for name in names.values()) for part in data.split("+"))
    )
    cells = all_cells[of_data & ~all_cells["item"].isin(PRINTED_TWICE)]
    compared, failures = run_checks(data, names, cells, known_arguments)
    numbers = cells[CELL_KEYS].merge(compared, on=CELL_KEYS, how="left")
    parts = []
    notes = []
    for table, of_table in numbers.groupby("item", sort=False):
        is_compared = of_table["verdict"].notna()
        parts.append(of_table[is_compared])
        if not is_compared.all():
            uncompared = of_table[~is_compared]
            reason = explain_uncompared(str(table), uncompared["row"], failures.get(table))
            blank = dict.fromkeys((*STRATUM_COLUMNS, "row", "cell"), "")
            row = {**blank, "study": find_study(str(table)), "verdict": NOT_COMPARED, "reason": reason}
            parts.append(uncompared.head(1).assign(**row))
        notes.append(f"{table}: {is_compared.sum()} of {count_text(len(of_table), 'number')} compared.")
    tables = all_cells.loc[all_cells["item"].str.contains(", Table "), "item"].unique()
    of_other_data = [table for table in tables if table not in {*cells["item"], *PRINTED_TWICE}]
    notes.append(f"Of other data: {join_names(of_other_data, limit=len(of_other_data))}.")
    rows = pd.concat(parts, ignore_index=True).rename(columns={"item": "table"})
    result = study_result(rows, PRINTED_NUMBERS)
    return replace(result, notes=(*notes, *result.notes))


CELL_KEYS = ["item", "data", "row", "cell"]
"""What names a printed cell."""


def _is_part(name: str, data: str) -> bool:
    """Whether data are those of a cell, or of a task of its year: ``TAC 2011-A`` of ``TAC 2011``."""
    return data in (name, name.split("-")[0])


def run_checks(
    data: StudyData,
    names: Mapping[tuple[str, str], str],
    cells: pd.DataFrame,
    known_arguments: Mapping[str, object],
) -> tuple[pd.DataFrame, dict[object, str]]:
    """Compare the cells that can be, and say why tables could not be.

    Of a cell whose paper names no task the number is that of the task with the smaller difference.
    """
    parts = []
    failures: dict[object, str] = {}
    for cell_data, of_data in cells.groupby("data"):
        own_data = select_data(data, names, str(cell_data))
        judgments = pd.concat([corpus.judgments for corpus in own_data.corpora], ignore_index=True)
        target = choose_target(judgments)
        arguments = {**known_arguments, "target": target, "metric": target}
        for run in run_studies(own_data, arguments, set(of_data["item"])):
            if run.result is None:
                failures |= {printed.name: run.failure for printed in run.tables}
            else:
                compared = compare_numbers(run, run.result.table, judgments)
                parts += [numbers[numbers["data"] == cell_data] for numbers in compared]
    if not parts:
        return pd.DataFrame(columns=[*CELL_KEYS, "verdict"]), failures
    ordered = pd.concat(parts).sort_values("difference", key=abs, kind="stable")
    return ordered.drop_duplicates(CELL_KEYS), failures


def select_data(data: StudyData, names: Mapping[tuple[str, str], str], cell_data: str) -> StudyData:
    """Return what the data hold of the year and task of a cell, or of all its years."""
    parts = cell_data.split("+")
    strata = [stratum for stratum, name in names.items() if any(_is_part(name, part) for part in parts)]
    if len(strata) == 1 and strata[0][1] != AVERAGE:
        [(year, task)] = strata
        return replace(data, year=year or None, task=task or None)
    years = {year for year, _ in strata}
    corpora = [
        corpus.replace_topics(tuple(topic for topic in corpus.topics if topic.year in years))
        for corpus in data.corpora
    ]
    return replace(data, corpora=[corpus for corpus in corpora if corpus.topics])


def explain_uncompared(table: str, rows: pd.Series, failure: str | None) -> str:
    """Say of the rows of a table whose numbers are not compared how many numbers there are, and why."""
    study = find_study(table)
    reason = f"a command of its own: study {study}" if study else "no study gives it"
    if any(printed.name == table for printed in PRINTED_TABLES):
        reason = f"not among the results: {join_names(list(rows.unique()), limit=5)}"
    return f"{count_text(len(rows), 'number')}: {failure or reason}"


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
