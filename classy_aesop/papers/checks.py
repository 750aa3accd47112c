"""All printed numbers of the data beside ours: equal, apart by noise, or different; and those that are not compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.selection import PeerSet
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.papers import OTHERWISE, STUDIES
from classy_aesop.papers.deutsch_2021 import (
    KEYS_OF_COVERAGE,
    KEYS_OF_INTERVALS,
    METRIC_AND_CORRELATION,
    NAMES_OF_MISRANKED,
    metric_intervals,
    score_normality,
    table_coverage,
)
from classy_aesop.papers.judged import StudyData, add_rouge
from classy_aesop.papers.lin_hovy_2003 import (
    STATISTICS,
    bleu_correlations,
    count_references,
    ngram_correlations,
)
from classy_aesop.papers.printed import (
    AVERAGE,
    DEUTSCH_2021,
    LIN_HOVY_2003,
    PAPER_DATA,
    RANKEL_2011,
    RANKEL_2013,
    RANKEL_2016,
    PrintedCell,
    find_printed_cell,
    locate_rows,
    printed_cells,
    printed_name,
    recognize_paper_data,
)
from classy_aesop.papers.rankel_2011 import pair_counts, topic_ranks
from classy_aesop.papers.rankel_2013 import (
    ALL_ROUGE_METRICS,
    abbreviate_combination,
    best_metrics,
    best_pairs,
    label_agreement,
    name_as_printed,
)
from classy_aesop.papers.rankel_2016 import score_ranks
from classy_aesop.papers.study_tables import study_result
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    TASK,
    YEAR,
    column_names,
    estimate,
    item,
    remark,
)
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
    scale = 50.0 if column in NAMES_OF_MISRANKED else 1.0
    return scale * error, f"noise of {n_resamples:z,.0f} resamples"


# --- the tables that are compared ---


@dataclass(frozen=True)
class CheckOptions:
    """Of the simulations of ``study coverage`` and ``study metric-intervals``."""

    n_trials: int = 1_000
    n_resamples: int = 1_000
    seed: int = 0
    progress: bool = False


@dataclass(frozen=True)
class PrintedTable:
    """A table of a paper: its name, the columns that name its rows in ``printed.tsv``, and its cells by our columns."""

    name: str
    keys: Sequence[str]
    cells: Mapping[str, str]


StudyFunction = Callable[[StudyData, str, Sequence[str], CheckOptions], Result]
"""From data, a human measure, the metrics with printed numbers and options to the result of a study."""


@dataclass(frozen=True)
class Check:
    """The printed tables that a study gives; where these are simulations, ``error`` is their noise."""

    study: str
    run: StudyFunction
    tables: Sequence[PrintedTable]
    add_keys: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    error: StandardError | None = None

    @property
    def peers(self) -> PeerSet:
        """Whom the study compares."""
        return STUDIES[self.study].peers or "all_peers"

    def compare_numbers(
        self, table: pd.DataFrame, judgments: pd.DataFrame, computed: Set[str]
    ) -> Iterator[tuple[PrintedCell, NumberRow]]:
        """Yield the printed cells of a table of the study, each with its row of `PRINTED_NUMBERS`.

        Metrics that are ``computed`` here may differ from the paper's.
        """
        keyed = table if self.add_keys is None else self.add_keys(table)
        rows = add_stratum_columns(keyed).to_dict("records")
        for printed in self.tables:
            for row, place in zip(rows, locate_rows(keyed, judgments, printed.keys), strict=True):
                for column, name in printed.cells.items():
                    if cell := find_printed_cell(printed.name, *place, name):
                        members = set(str(row.get("metric", "")).split("+"))
                        yield (
                            cell,
                            self.compare_number(row, column, cell, is_computed=bool(members & computed)),
                        )

    def compare_number(
        self, row: StudyRow, column: str, cell: PrintedCell, *, is_computed: bool
    ) -> NumberRow:
        """Compare one of our numbers with the printed one: equal in its decimals, noise, or different."""
        difference = float(row[column]) - cell.value
        rounding = 0.5 * 10.0**-cell.decimals + 1e-9
        error, noise = self.error(row, column, cell.value) if self.error else (0.0, "")
        limit = rounding + MAX_ERRORS_OF_NOISE * error
        if abs(difference) <= rounding:
            verdict = "equal"
            reason = ""
        elif abs(difference) <= limit:
            verdict = "noise"
            reason = noise
        else:
            verdict = "different"
            other_reason = f"more than {noise}" if noise else OTHER_REASON
            reason = COMPUTED_REASON if is_computed else other_reason
        return NumberRow(
            year=row["year"],
            task=row["task"],
            table=cell.item,
            study=self.study,
            row=cell.row,
            cell=cell.cell,
            printed=cell.value,
            value=float(row[column]),
            difference=0.0 if np.isclose(row[column], cell.value, rtol=1e-12, atol=0) else difference,
            limit=limit,
            verdict=verdict,
            reason=reason,
        )


OTHER_REASON = "other scores, or a misprint: see the notes of the study"

COMPUTED_REASON = "ROUGE is computed here, perhaps of other texts or sentences than the paper's"


def require_metrics(metrics: Sequence[str]) -> Sequence[str]:
    """Return the metrics with printed numbers; InputError if there is none."""
    if not metrics:
        raise InputError("no scores of its metrics; expected --scores FILE")
    return metrics


def _run_coverage(data: StudyData, target: str, metrics: Sequence[str], options: CheckOptions) -> Result:
    tables = data.tables("no_models")
    return table_coverage(
        [tables.scores, tables.judgments],
        target,
        metrics=require_metrics(metrics),
        n_trials=options.n_trials,
        n_resamples=options.n_resamples,
        seed=options.seed,
        progress=options.progress,
    )


def _run_pair_counts(
    data: StudyData, target: str, metrics: Sequence[str], options: CheckOptions, *, mixed: bool
) -> Result:
    return pair_counts(data, mixed=mixed, progress=options.progress)


def same_names(*names: str) -> dict[str, str]:
    """Name cells as our columns."""
    return {name: name for name in names}


OF_AGREEMENT = same_names("accuracy", "precision", "recall")

CHECKS = (
    Check(
        "normality",
        lambda data, target, metrics, options: score_normality(data, target),
        [PrintedTable(f"{DEUTSCH_2021}, Table 2", ["metric"], same_names("percent_rejected", "p_means"))],
    ),
    Check(
        "metric-intervals",
        lambda data, target, metrics, options: metric_intervals(
            data, target, metrics=require_metrics(metrics), n_resamples=options.n_resamples, seed=options.seed
        ),
        [
            PrintedTable(f"{DEUTSCH_2021}, Figure 4", KEYS_OF_INTERVALS, same_names("low", "high")),
            PrintedTable(
                f"{DEUTSCH_2021}, section 6.1", METRIC_AND_CORRELATION, same_names(*NAMES_OF_MISRANKED)
            ),
        ],
        error=error_of_interval_end,
    ),
    Check(
        "coverage",
        _run_coverage,
        [PrintedTable(f"{DEUTSCH_2021}, Table 1", KEYS_OF_COVERAGE, same_names("coverage"))],
        error=error_of_coverage,
    ),
    *(
        Check(
            "pair-counts",
            partial(_run_pair_counts, mixed=mixed),
            [PrintedTable(f"{RANKEL_2011}, {table}", ["metric", "test"], same_names("n_significant"))],
        )
        for table, mixed in (("Table 1", False), ("Table 2", True))
    ),
    Check(
        "topic-ranks",
        lambda data, target, metrics, options: topic_ranks(data, target),
        [PrintedTable(f"{RANKEL_2011}, Figure 1", ["metric", "topic"], same_names("n_different"))],
    ),
    Check(
        "best-pairs",
        lambda data, target, metrics, options: best_pairs(data),
        [PrintedTable(f"{RANKEL_2013}, Table 1", ["metric"], same_names("n_significant"))],
    ),
    Check(
        "score-ranks",
        lambda data, target, metrics, options: score_ranks(data),
        [PrintedTable(f"{RANKEL_2016}, Table 3.2", ["metric", "score"], same_names("count", "mid_rank"))],
    ),
    Check(
        "label-agreement",
        lambda data, target, metrics, options: label_agreement(
            data, metrics=require_metrics(metrics), combine=4, progress=options.progress
        ),
        [
            PrintedTable(
                f"{RANKEL_2013}, Table 2",
                ["target", "paper_name", "over"],
                OF_AGREEMENT | same_names("ba", "order_agreement"),
            ),
            PrintedTable(
                f"{RANKEL_2013}, Table 3",
                ["target", "paper_name", "over"],
                OF_AGREEMENT | {"ba_pv": "ba"},
            ),
        ],
        add_keys=name_as_printed,
    ),
    Check(
        "best-metrics",
        lambda data, target, metrics, options: best_metrics(data, n_resamples=options.n_resamples),
        [
            PrintedTable(
                f"{RANKEL_2013}, Table 4", ["printed_under", "paper_name"], OF_AGREEMENT | {"ba_pv": "ba"}
            )
        ],
        add_keys=name_as_printed,
    ),
    Check(
        "ngram-correlations",
        lambda data, target, metrics, options: ngram_correlations(replace(data, scores=None), target),
        [
            PrintedTable(f"{LIN_HOVY_2003}, {name}", ["metric"], same_names(*column_names(*STATISTICS)))
            for name in ("Table 2", "Table 3")
        ],
    ),
    Check(
        "bleu-correlations",
        lambda data, target, metrics, options: bleu_correlations(data, target),
        [PrintedTable(f"{LIN_HOVY_2003}, section 3", ["metric", "references"], same_names("spearman"))],
        add_keys=count_references,
    ),
)
"""The tables that corpora and scores alone give."""


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
        expected = join_names(
            list(dict.fromkeys(dataset.name.split("-")[0] for dataset in PAPER_DATA)), most=20
        )
        raise InputError(
            f"the corpora are not those of a paper; expected {expected}, with all their summaries"
        )
    cells_of_tables = printed_cells_of_data(set(names.values()))
    compared, failures = run_checks(
        data, names, cells_of_tables, CheckOptions(n_trials, n_resamples, seed, progress)
    )
    rows: list[NumberRow] = []
    notes = []
    for table, cells in cells_of_tables.items():
        rows_of_table = [compared[cell] for cell in cells if cell in compared]
        rows += rows_of_table
        notes.append(f"{table}: {len(rows_of_table)} of {count_text(len(cells), 'number')} compared.")
        if missing := [cell for cell in cells if cell not in compared]:
            rows.append(explain_uncompared(table, missing, failures.get(table)))
    tables_of_other_data = [
        table
        for table in dict.fromkeys(cell.item for cell in printed_cells() if ", Table " in cell.item)
        if table not in cells_of_tables and table not in PRINTED_TWICE
    ]
    notes.append(f"Of other data: {join_names(tables_of_other_data, most=len(tables_of_other_data))}.")
    result = study_result(pd.DataFrame(rows), PRINTED_NUMBERS)
    return replace(result, notes=(*notes, *result.notes))


PRINTED_TWICE = {
    f"{RANKEL_2016}, Table 4.1": f"{RANKEL_2011}, Table 1",
    f"{RANKEL_2016}, Table 4.2": f"{RANKEL_2011}, Table 2",
    f"{RANKEL_2016}, Table 7.1": f"{RANKEL_2013}, Table 1",
    f"{RANKEL_2016}, Table 7.3": f"{RANKEL_2013}, Table 2",
    f"{RANKEL_2016}, Table 7.4": f"{RANKEL_2013}, Table 3",
    f"{RANKEL_2016}, Table 7.5": f"{RANKEL_2013}, Table 4",
    f"{RANKEL_2016}, Figure 4.1": f"{RANKEL_2011}, Figure 1",
    f"{RANKEL_2016}, Figure 4.5": f"{RANKEL_2011}, Figure 5",
    f"{RANKEL_2016}, section 4.1": f"{RANKEL_2011}, section 1",
}
"""What the dissertation prints again, and where it was printed first."""


def printed_cells_of_data(names: Set[str]) -> dict[str, list[PrintedCell]]:
    """Return the printed cells of data by their table, without those that are printed twice."""
    cells_of_tables: dict[str, list[PrintedCell]] = {}
    for cell in printed_cells():
        parts = cell.data.split("+")
        if (
            all(any(_is_part(name, part) for name in names) for part in parts)
            and cell.item not in PRINTED_TWICE
        ):
            cells_of_tables.setdefault(cell.item, []).append(cell)
    return cells_of_tables


def _is_part(name: str, data: str) -> bool:
    """Whether data are those of a cell, or of a task of its year: ``TAC 2011-A`` of ``TAC 2011``."""
    return data in (name, name.split("-")[0])


def run_checks(
    data: StudyData,
    names: Mapping[tuple[str, str], str],
    cells_of_tables: Mapping[str, Sequence[PrintedCell]],
    options: CheckOptions,
) -> tuple[dict[PrintedCell, NumberRow], dict[str, str]]:
    """Return the rows of the cells that are compared, and why tables could not be.

    Of a cell whose paper names no task the row is that of the task with the smaller difference.
    """
    compared: dict[PrintedCell, NumberRow] = {}
    failures: dict[str, str] = {}
    data_with_rouge: dict[PeerSet, StudyData] = {}
    for check in CHECKS:
        cells = [cell for table in check.tables for cell in cells_of_tables.get(table.name, ())]
        for cell_data, group in groupby(sorted(cells, key=_data_of_cell), key=_data_of_cell):
            group_cells = set(group)
            try:
                if check.peers not in data_with_rouge:
                    data_with_rouge[check.peers] = add_rouge(data, check.peers, ALL_ROUGE_METRICS)
                own_data = select_data(data_with_rouge[check.peers], names, cell_data)
                judgments = pd.concat([corpus.judgments for corpus in own_data.corpora], ignore_index=True)
                target = choose_target(judgments, cell_data)
                result = check.run(own_data, target, choose_metrics(own_data, group_cells), options)
            except (InputError, UsageError) as error:
                failures |= {cell.item: str(error) for cell in group_cells}
                continue
            computed = set(own_data.metric_names) - set(data.metric_names)
            for cell, row in check.compare_numbers(result.table, judgments, computed):
                other = compared.get(cell)
                if cell in group_cells and (other is None or abs(row.difference) < abs(other.difference)):
                    compared[cell] = row
    return compared, failures


def _data_of_cell(cell: PrintedCell) -> str:
    return cell.data


def select_data(data: StudyData, names: Mapping[tuple[str, str], str], cell_data: str) -> StudyData:
    """Return what the data hold of the year and task of a cell, or of all its years."""
    parts = cell_data.split("+")
    strata = [stratum for stratum, name in names.items() if any(_is_part(name, part) for part in parts)]
    if len(strata) == 1 and strata[0][1] != AVERAGE:
        [(year, task)] = strata
        return replace(data, year=year or None, task=task or None)
    years = {year for year, _ in strata}
    corpora = [
        corpus.replace_topics(topics)
        for corpus in data.corpora
        if (topics := tuple(topic for topic in corpus.topics if topic.year in years))
    ]
    return replace(data, corpora=corpora)


def choose_target(judgments: pd.DataFrame, cell_data: str) -> str:
    """Return the human measure of the paper: of its data, the only one, or responsiveness."""
    measures = judgments["metric"].unique().tolist()
    expected = {dataset.name: dataset.measure for dataset in PAPER_DATA}.get(cell_data) or "responsiveness"
    candidates = [name for name in measures if printed_name(name) == expected] or measures
    if len(candidates) > 1:
        raise InputError(f"several human measures: {join_names(candidates, most=20)}; expected {expected}")
    return str(candidates[0])


def choose_metrics(data: StudyData, cells: Set[PrintedCell]) -> list[str]:
    """Return the metrics of the data that the rows of printed cells name."""
    words = {word for cell in cells for part in cell.row.split("/") for word in (part, *part.split("_"))}
    return [name for name in data.metric_names if words & {printed_name(name), abbreviate_combination(name)}]


def explain_uncompared(table: str, missing: Sequence[PrintedCell], failure: str | None) -> NumberRow:
    """Return the row that stands for the numbers of a table that are not compared."""
    user = next((check.study for check in CHECKS for printed in check.tables if printed.name == table), None)
    command = f"study {user}" if user else find_command(table)
    if failure is not None:
        reason = failure
    elif user is not None:
        rows = list(dict.fromkeys(cell.row for cell in missing))
        reason = f"not among the results: {join_names(rows, most=5)}"
    elif command:
        needs = STUDIES[command.removeprefix("study ")].needs if command.startswith("study ") else ""
        reason = f"a command of its own{needs and f', which needs {needs}'}"
    else:
        reason = "no study gives it"
    return NumberRow(
        table=table,
        study=command.removeprefix("study "),
        verdict=NOT_COMPARED,
        reason=f"{count_text(len(missing), 'number')}: {reason}",
    )


def find_command(table: str) -> str:
    """Return the command that remakes a table or figure; empty if there is none."""
    commands = {f"study {name}": study.remakes for name, study in STUDIES.items()} | OTHERWISE
    return next(
        (name for name, items in commands.items() if any(remakes_table(item, table) for item in items)), ""
    )


def remakes_table(items: str, table: str) -> bool:
    """Whether a table is among items such as ``Rankel (2016), Tables 6.2-6.4``.

    Examples
    --------
    >>> items = "Rankel (2016), Tables 6.2-6.4 and 7.1"
    >>> [remakes_table(items, f"Rankel (2016), Table {number}") for number in ("6.3", "6.5", "7.1")]
    [True, False, True]
    """
    paper, _, kind_and_number = table.partition("), ")
    paper_of_items, _, kind_and_numbers = items.partition("), ")
    kind, _, number = kind_and_number.partition(" ")
    if paper != paper_of_items or kind not in ("Table", "Figure") or not kind_and_numbers.startswith(kind):
        return False
    ranges = re.findall(r"([\d.]*\d)(?:-([\d.]*\d))?", kind_and_numbers)
    return any(float(low) <= float(number) <= float(high or low) for low, high in ranges)
