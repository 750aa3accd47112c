"""Rankel et al. (2013): how far metrics, alone and joined by "and", find the significant differences of humans.

Also Rankel (2016), chapter 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
import pandas as pd

from classy_aesop.answers.correlation_tables import name_best_by
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import natural
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import InputError
from classy_aesop.papers.judged import Judged, StudyData, rouge_recall
from classy_aesop.papers.label_decisions import AGREEMENT, COUNTS, compare_decisions
from classy_aesop.papers.label_decisions import AGREEMENT_MEASURES as MEASURES_OF_AGREEMENT
from classy_aesop.papers.study_tables import (
    SIGNIFICANT_PAIRS,
    SIGNIFICANT_SHARE,
    TESTED_PAIRS,
    printed_columns,
    state_range,
    study_result,
)
from classy_aesop.significance.choices import Preset
from classy_aesop.significance.metrics.label_agreement import (
    measures_of_counts,
    select_best_rows,
    significant_labels,
)
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    METRIC,
    TARGET,
    TASK,
    YEAR,
    Column,
    Purpose,
    column_names,
    count,
    estimate,
    setting,
    stratum,
)
from classy_aesop.work.seeds import seeded_rng

PRESET: Preset = "rankel2013"

TOP = 30
"""The best systems that are compared."""

NAMES_OF_COUNTS = column_names(*COUNTS)

CELLS = [name for name in NAMES_OF_COUNTS if name != "n"]
"""The counts of pairs by their labels, as `measures_of_counts` takes them."""

STUDIED_MEASURES = tuple(column.name for column in MEASURES_OF_AGREEMENT if column.name != "kappa")
"""Measures of agreement: ``ba`` is the printed formula, ``ba_pv`` what Tables 3 and 4 hold under its name."""

ALL_ROUGE_METRICS: tuple[RougeMetric, ...] = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-SU4"),
)
"""The variants that are computed where no scores are given; the eighth, of basic elements, needs files of a parser."""


# --- the declared tables ---

BEST_PAIRS = Answer(
    name="study best-pairs",
    caption="Pairs that differ significantly",
    columns=(
        YEAR,
        TASK,
        METRIC,
        setting("top", "best systems that are compared", "int"),
        TESTED_PAIRS,
        SIGNIFICANT_PAIRS,
        SIGNIFICANT_SHARE,
        *printed_columns("best-pairs"),
    ),
    needs=("share",),
    sentence=state_range("share", "A share of {} of the pairs of summarizers differ significantly."),
)


def declare_agreement(name: str, first: Sequence[Column], last: Sequence[Column]) -> Answer:
    """Declare a preset of `AGREEMENT`, whose best metric is that with the highest balanced accuracy, as defined."""
    strata = [column.name for column in first if column.purpose is Purpose.STRATUM]
    claim = "find the significant differences of humans best"
    return replace(
        AGREEMENT,
        name=name,
        columns=(*first, *COUNTS, *last),
        sentence=name_best_by("ba", claim, "balanced accuracy", strata),
        shown_first=(),
    )


LABEL_AGREEMENT = declare_agreement(
    "study label-agreement",
    first=(
        TARGET,
        AGREEMENT["metric"],
        AGREEMENT["n_metrics"],
        count("n_parts", "years and tasks"),
        stratum("over", "mean of the years and tasks, or pooled over their pairs"),
    ),
    last=(
        *(AGREEMENT[name] for name in STUDIED_MEASURES),
        AGREEMENT["order_agreement"],
        *printed_columns("label-agreement"),
    ),
)

BEST_METRICS = declare_agreement(
    "study best-metrics",
    first=(YEAR, TASK, TARGET, AGREEMENT["metric"], AGREEMENT["n_metrics"]),
    last=(
        *chain.from_iterable(
            (
                AGREEMENT[name],
                estimate(
                    f"{name}_bold", f"whether {name} is within the interval of the best metric's", "bool"
                ),
            )
            for name in STUDIED_MEASURES
        ),
        *printed_columns("best-metrics"),
    ),
)

# --- how well metrics agree ---


def best_pairs(data: StudyData, *, metrics: Sequence[str] | None = None, top: int = TOP) -> Result:
    """Count the pairs of the best systems that differ significantly by human scores: Table 1.

    A pair is significant if p of signed ranks, computed as in the paper, is at most .05; jackknifed measures are taken
    where there are some.
    """
    tables = data.tables("no_models", score=None, use_jackknifed=True)
    rows = []
    for matrix in tables.matrices(metrics):
        best_rows = matrix.X[select_best_rows(matrix.X, top)]
        is_significant = significant_labels(best_rows, test="wilcoxon", preset=PRESET).significant
        rows.append(
            {
                **matrix.ids,
                "top": top,
                "n_pairs": len(is_significant),
                "n_significant": int(is_significant.sum()),
                "share": float(is_significant.mean()),
            }
        )
    return study_result(pd.DataFrame(rows), BEST_PAIRS, tables.judgments_of_paper if top == TOP else None)


def label_agreement(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 2,
    top: int = TOP,
    progress: bool = False,
) -> Result:
    """Agreement with a human measure over all years and tasks: averaged (Table 2) and of all pairs (Table 3)."""
    tables, agreements = measure_agreements(data, targets, metrics, combine, top, progress)
    of_targets = [
        summarize_agreements(of_target) for _, of_target in agreements.groupby("target", sort=False)
    ]
    table = pd.concat(of_targets, ignore_index=True)
    return study_result(table, LABEL_AGREEMENT, tables.judgments_of_paper if top == TOP else None)


def measure_agreements(
    data: StudyData,
    targets: Sequence[str] | None,
    metrics: Sequence[str] | None,
    combine: int,
    top: int,
    progress: bool,
) -> tuple[Judged, pd.DataFrame]:
    """Return the tables, and each metric's and combination's agreement with each measure in each year and task."""
    rouge = partial(rouge_recall, metrics=ALL_ROUGE_METRICS)
    tables = data.tables("no_models", score=rouge, use_jackknifed=True, needs_metrics=True)
    if targets is None:
        targets = sorted(set(tables.judgments["metric"]), key=natural)
    parts = [
        compare_decisions(
            tables.scores,
            tables.judgments,
            target,
            top=top,
            test="wilcoxon",
            preset=PRESET,
            combine=combine,
            metric=metrics,
            progress=progress,
        )
        for target in targets
    ]
    return tables, fill_precision(pd.concat(map(add_stratum_columns, parts), ignore_index=True))


def fill_precision(agreements: pd.DataFrame) -> pd.DataFrame:
    """Set the precision of a metric that finds no pair to 0, as the means of the paper do."""
    precision = agreements["precision"]
    return agreements.assign(precision=precision.mask(agreements["n"].gt(0), precision.fillna(0.0)))


def summarize_agreements(agreements: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of one human measure, from those of its years and tasks."""
    metrics_of_parts = [list(part["metric"]) for _, part in agreements.groupby(["year", "task"], sort=False)]
    if any(metrics != metrics_of_parts[0] for metrics in metrics_of_parts):
        raise InputError("the years and tasks have different metrics; name common ones")
    by_metric = agreements.groupby("metric", sort=False)
    ids = by_metric[["target", "n_metrics"]].first().assign(n_parts=by_metric.size())
    counts = by_metric[NAMES_OF_COUNTS].sum()
    means = by_metric[[*STUDIED_MEASURES, "order_agreement"]].mean()
    pooled = pd.DataFrame(measures_of_counts(counts[CELLS].to_numpy()), index=counts.index)
    pooled = fill_precision(pooled.assign(n=counts["n"]))[[*STUDIED_MEASURES]]
    rows = [
        ids.assign(over=over).join(counts).join(values).reset_index()
        for over, values in (("mean", means), ("pooled", pooled))
    ]
    table = pd.concat(rows, ignore_index=True)
    order = {"over": True, "n_metrics": True, "recall": False}
    return table.sort_values([*order], ascending=[*order.values()], kind="stable")


def best_metrics(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 1,
    top: int = TOP,
    n_resamples: int = 9_999,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Agreement in each year, task and human measure, and which metrics are as good as the best: Table 4."""
    tables, agreements = measure_agreements(data, targets, metrics, combine, top, progress)
    parts = []
    for names, of_stratum in agreements.groupby(column_names(YEAR, TASK, TARGET), sort=False):
        rng = seeded_rng(seed, *map(str, names))
        bold = {
            f"{name}_bold": mark_interval_of_best(of_stratum, name, n_resamples, rng)
            for name in STUDIED_MEASURES
        }
        parts.append(of_stratum.assign(**bold))
    table = pd.concat(parts, ignore_index=True)
    return study_result(table, BEST_METRICS, tables.judgments_of_paper if top == TOP else None)


def mark_interval_of_best(
    agreements: pd.DataFrame, measure: str, n_resamples: int, rng: np.random.Generator
) -> np.ndarray:
    """Mark the values that lie in the percentile interval of the largest one, over pairs drawn with replacement."""
    values = agreements[measure].to_numpy()
    if np.isnan(values).all():
        return np.zeros(len(values), dtype=bool)
    best = agreements.iloc[int(np.nanargmax(values))]
    counts = rng.multinomial(best["n"], best[CELLS].to_numpy(dtype=float) / best["n"], size=n_resamples)
    resampled = measures_of_counts(counts)[measure]
    if measure == "precision":
        resampled = np.nan_to_num(resampled)  # as `fill_precision`
    defined = resampled[~np.isnan(resampled)]
    low = np.quantile(defined, 0.05 / 2) if len(defined) else np.nan
    return np.asarray(values >= min(low, np.nanmax(values)))
