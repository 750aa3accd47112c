"""All printed numbers that a corpus allows, beside ours: equal, near or different, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.correlation_tables import LEVEL
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.papers.deutsch_2021 import (
    COVERAGE,
    NAMES_OF_MISRANKED,
    metric_intervals,
    score_normality,
    table_coverage,
)
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import PAPER_DATA, printed_cells, printed_name, recognize_paper_data
from classy_aesop.papers.rankel_2011 import PAIR_COUNTS, pair_counts
from classy_aesop.papers.rankel_2013 import (
    LABEL_AGREEMENT,
    PRINTED_MEASURES,
    best_metrics,
    best_pairs,
    label_agreement,
)
from classy_aesop.papers.rankel_2016 import score_ranks
from classy_aesop.papers.study_tables import study_result
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    TARGET,
    TASK,
    YEAR,
    column_names,
    estimate,
    item,
    remark,
)
from classy_aesop.tables.wording import count_text

StudyFunction = Callable[[StudyData], Result]

TASKS_OF_TABLE_3 = 6
"""The years and tasks of Table 3 of 2013, the smaller of the tables that are over several."""


def count_verdicts(rows: pd.DataFrame) -> str:
    """Count the printed numbers that are equal to ours, near and different."""
    counts = rows["verdict"].value_counts()
    n_of_verdict = {verdict: int(counts.get(verdict, 0)) for verdict in ("equal", "near", "different")}
    return (
        f"{n_of_verdict['equal']} of {count_text(len(rows), 'printed number')} equal ours, "
        f"{n_of_verdict['near']} are near, {n_of_verdict['different']} different."
    )


PRINTED_NUMBERS = Answer(
    name="study check",
    caption="Printed numbers and ours",
    columns=(
        YEAR,
        TASK,
        item("study", "the study whose table has the number"),
        item("row", "the row of its table"),
        item("cell", "the column of its table"),
        estimate("printed", "the number as the paper prints it", priority=MAIN),
        estimate("value", "ours", priority=MAIN),
        estimate("difference", "ours less the printed one"),
        estimate("verdict", "equal in the printed decimals, near or different", "text", priority=MAIN),
        remark("reason", "why it is not equal"),
    ),
    needs=("verdict",),
    sentence=count_verdicts,
)


@dataclass(frozen=True)
class Check:
    """A table with printed numbers: the columns that name a row, and ours beside the printed ones with decimals.

    Numbers that are not equal in the printed decimals are ``near`` up to a ``tolerance``, for the ``reason`` that is
    given.
    """

    study: str
    keys: Sequence[str]
    columns: Mapping[str, tuple[str, int]]
    tolerance: float = 0.0
    reason: str = ""
    other_reason: str = field(default="other scores, or a misprint: see the notes of the study")

    def rows(self, table: pd.DataFrame) -> Iterator[dict[str, object]]:
        """Yield a row for each printed number in a table of the study."""
        for row in add_stratum_columns(table).to_dict("records"):
            for column, (printed_column, decimals) in self.columns.items():
                printed = row.get(printed_column, np.nan)
                if np.isnan(printed):
                    continue
                value = float(row[column])
                verdict, reason = self.verdict(value - printed, decimals)
                yield {
                    "year": row["year"],
                    "task": row["task"],
                    "study": self.study,
                    "row": "/".join(str(row[key]) for key in self.keys),
                    "cell": column,
                    "printed": printed,
                    "value": value,
                    "difference": 0.0 if np.isclose(value, printed, rtol=1e-12, atol=0) else value - printed,
                    "verdict": verdict,
                    "reason": reason,
                }

    def verdict(self, difference: float, decimals: int) -> tuple[str, str]:
        """Return whether a number is equal to the printed one, near or different, and why."""
        if abs(difference) <= 0.5 * 10.0**-decimals + 1e-9:
            return "equal", ""
        if abs(difference) <= self.tolerance:
            return "near", self.reason
        return "different", self.other_reason


OF_COVERAGE = Check(
    "coverage",
    column_names(METRIC, COVERAGE["method"], LEVEL),
    {"coverage": ("printed", 2)},
    0.05,
    "random numbers",
)
OF_NORMALITY = Check(
    "normality", ("metric",), {"percent_rejected": ("printed_percent", 1), "p_means": ("printed_p", 2)}
)
OF_INTERVALS = Check(
    "metric-intervals",
    ("metric", "level"),
    {end: (f"printed_{end}", 2) for end in ("low", "high")},
    0.05,
    "random numbers",
)
OF_MISRANKED = Check(
    "metric-intervals",
    ("metric", "level"),
    {name: (f"printed_{name}", 0) for name in NAMES_OF_MISRANKED},
    2.5,
    "random numbers",
)
OF_PAIRS = Check(
    "pair-counts",
    column_names(METRIC, PAIR_COUNTS["pairs"], PAIR_COUNTS["test"]),
    {"n_significant": ("printed", 0)},
)
OF_BEST_PAIRS = Check("best-pairs", ("metric",), {"n_significant": ("printed", 0)})
CHECK_OF_RANKS = Check(
    "score-ranks", ("metric", "score"), {"count": ("printed_count", 0), "mid_rank": ("printed_mid_rank", 1)}
)
OF_AGREEMENT = Check(
    "label-agreement",
    column_names(TARGET, METRIC, LABEL_AGREEMENT["over"]),
    {name: (f"printed_{name}", 2) for name in (*PRINTED_MEASURES, "order_agreement")},
)
OF_BEST_METRICS = Check(
    "best-metrics", ("target", "metric"), {name: (f"printed_{name}", 2) for name in PRINTED_MEASURES}
)


def check_printed(
    data: StudyData,
    *,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Compare every printed number that the data allow with ours.

    Parameters
    ----------
    data : StudyData
        Corpora of the papers, with the scores of their metrics.
    n_trials, n_resamples, seed, progress
        Of coverage and intervals, as for ``study coverage`` and ``study metric-intervals``.

    Returns
    -------
    classy_aesop.Result
        A row for each printed number: `PRINTED_NUMBERS`. Near is up to .05, for resampled results.

    Raises
    ------
    InputError
        The data are no paper's, or nothing of them can be compared.
    """
    names: dict[tuple[str, str], str] = recognize_paper_data(
        pd.concat([corpus.judgments for corpus in data.corpora], ignore_index=True)
    )
    if not names:
        expected = join_names(
            list(dict.fromkeys(dataset.name.split("-")[0] for dataset in PAPER_DATA)), most=20
        )
        raise InputError(
            f"the corpora are not those of a paper; expected {expected}, with all their summaries"
        )
    measures = {dataset.name: dataset.measure or "responsiveness" for dataset in PAPER_DATA}
    target = measures[next(iter(names.values()))]
    intervals = partial(
        metric_intervals,
        target=target,
        metrics=_printed_metrics(data, "Deutsch et al. (2021), Figure 4"),
        n_resamples=n_resamples,
        seed=seed,
    )
    tables: list[tuple[Check, StudyFunction]] = [
        (OF_NORMALITY, partial(score_normality, target=target)),
        (OF_INTERVALS, intervals),
        (OF_MISRANKED, intervals),
        (
            OF_COVERAGE,
            partial(
                _coverage,
                target=target,
                n_trials=n_trials,
                n_resamples=n_resamples,
                seed=seed,
                progress=progress,
            ),
        ),
    ]
    tasks_of_tac = [name for name in names.values() if name.startswith("TAC")]
    if tasks_of_tac:
        tables += [(OF_PAIRS, pair_counts), (OF_PAIRS, partial(pair_counts, mixed=True))]
        tables += [(OF_BEST_PAIRS, best_pairs), (CHECK_OF_RANKS, score_ranks)]
    if len(tasks_of_tac) >= TASKS_OF_TABLE_3:
        tables.append((OF_AGREEMENT, partial(label_agreement, combine=4)))
    if any(name.startswith("TAC 2011") for name in tasks_of_tac):
        tables.append((OF_BEST_METRICS, best_metrics))
    rows = [row for check, study in tables for row in check.rows(_table_of(study, data))]
    if not rows:
        raise InputError("no printed number can be compared; expected --scores of the paper's metrics")
    return study_result(pd.DataFrame(rows), PRINTED_NUMBERS)


def _table_of(study: StudyFunction, data: StudyData) -> pd.DataFrame:
    """Return the table of a study; an empty one if the data lack what it needs."""
    try:
        return study(data).table
    except (InputError, UsageError):
        return pd.DataFrame()


def _printed_metrics(data: StudyData, item: str) -> list[str]:
    """Name the metrics of the data of which an item has printed numbers."""
    printed = {cell.row.split("/")[0] for cell in printed_cells() if cell.item == item}
    metrics: list[str] = [] if data.scores is None else data.scores["metric"].unique().tolist()
    return [name for name in metrics if printed_name(name) in printed]


def _coverage(data: StudyData, **options: object) -> Result:
    """Return the coverage of intervals for the metrics with printed numbers; InputError without any."""
    metrics = _printed_metrics(data, "Deutsch et al. (2021), Table 1")
    if not metrics:
        raise InputError("no metric has a printed coverage")
    tables = data.tables("no_models")
    return table_coverage([tables.scores, tables.judgments], metrics=metrics, **options)  # type: ignore[arg-type]
