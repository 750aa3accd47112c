"""Rankel et al. (2013): how far metrics, alone and joined by "and", find the significant differences of humans.

Also Rankel (2016), chapter 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.correlation_tables import name_best_by
from classy_aesop.answers.score_matrices import keep_large_enough
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import natural
from classy_aesop.errors import InputError, warn
from classy_aesop.papers.judged import Judged, StudyData, rouge_recall
from classy_aesop.papers.label_agreement import (
    agreements_of_combinations,
    measures_of_counts,
    select_best_rows,
    significant_labels,
)
from classy_aesop.papers.study_tables import (
    SIGNIFICANT_PAIRS,
    SIGNIFICANT_SHARE,
    TESTED_PAIRS,
    printed_columns,
    state_range,
)
from classy_aesop.significance.base import BoolArray
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.pairs.signed_ranks import RECIPES
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    item,
    setting,
    stratum,
)
from classy_aesop.work.seeds import seeded_rng

PRESET = RECIPES["rankel2013"]

RECIPE_OF_METRICS = replace(PRESET, decimals=None)
"""Metrics are tested so too, but their differences are not rounded."""

TOP = 30
"""The best systems that are compared."""

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
        TESTED_PAIRS,
        SIGNIFICANT_PAIRS,
        SIGNIFICANT_SHARE,
        *printed_columns("best-pairs"),
    ),
    sentence=state_range("share", "A share of {} of the pairs of summarizers differ significantly."),
)

LABELS = (
    count("tp", "significant for humans and the metric, in one direction", priority=MAIN),
    count("fn", "significant for humans alone", priority=MAIN),
    count("fp", "significant for the metric alone"),
    count("tn", "significant for neither"),
    count("contradictions", "significant for both, in opposite directions"),
)
AGREEMENT_MEASURES = (
    estimate("accuracy", "share of pairs on which both decide alike"),
    estimate("precision", "share of the metric's significant differences that are human ones"),
    estimate("recall", "share of the human significant differences that the metric finds"),
    estimate("ba", "balanced accuracy: mean of recall and specificity", priority=MAIN),
    estimate("ba_pv", "balanced accuracy as printed: mean of the predictive values"),
)
"""Measures of agreement: ``ba`` is the printed formula, ``ba_pv`` what Tables 3 and 4 hold under its name."""

JOINED_METRICS = (
    item("metric", "the metric, or several joined by +"),
    setting("n_metrics", "metrics of the combination", "int"),
)
COUNTED_PAIRS = count("n", "pairs of summarizers that tests of both can decide")
CLAIM = "find the significant differences of humans best"

LABEL_AGREEMENT = Answer(
    name="study label-agreement",
    caption="Agreement with human decisions",
    question="Which metric finds the differences that people find?",
    columns=(
        TARGET,
        *JOINED_METRICS,
        count("n_parts", "years and tasks"),
        stratum("over", "mean of the years and tasks, or pooled over their pairs"),
        COUNTED_PAIRS,
        *LABELS,
        *AGREEMENT_MEASURES,
        estimate("order_agreement", "share of pairs whose means are in the same order, without any test"),
        *printed_columns("label-agreement"),
    ),
    sentence=name_best_by("ba", CLAIM, "balanced accuracy", ["target", "over"]),
    shown_first=("metric", *column_names(*AGREEMENT_MEASURES)),
    choose_bold_columns=lambda _: ("ba",),
)

BEST_METRICS = replace(
    LABEL_AGREEMENT,
    name="study best-metrics",
    columns=(
        YEAR,
        TASK,
        TARGET,
        *JOINED_METRICS,
        COUNTED_PAIRS,
        *LABELS,
        *(
            column
            for measure in AGREEMENT_MEASURES
            for column in (
                measure,
                estimate(
                    f"{measure.name}_bold",
                    f"whether {measure.name} is within the interval of the best metric's",
                    "bool",
                ),
            )
        ),
        *printed_columns("best-metrics"),
    ),
    sentence=name_best_by("ba", CLAIM, "balanced accuracy", ["year", "task", "target"]),
)

# --- how well metrics agree ---


def best_pairs(data: StudyData, *, metrics: Sequence[str] | None = None, top: int = TOP) -> Result:
    """Count the pairs of the best systems that differ significantly by human scores: Table 1.

    A pair is significant if p of signed ranks, computed as in the paper, is at most .05; jackknifed measures are taken
    where there are some.
    """
    tables = data.tables("no_models", score=None, use_jackknifed=True)
    parts = []
    for matrix in tables.matrices(metrics):
        best_rows = matrix.X[select_best_rows(matrix.X, top)]
        is_significant = significant_labels(best_rows, PRESET).significant
        counts = {"n_pairs": len(is_significant), "n_significant": int(is_significant.sum())}
        parts.append((matrix.ids, [{**counts, "share": float(is_significant.mean())}]))
    return tables.result(BEST_PAIRS, parts, is_as_in_paper=top == TOP)


def label_agreement(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 2,
    top: int = TOP,
) -> Result:
    """Agreement with a human measure over all years and tasks: averaged (Table 2) and of all pairs (Table 3)."""
    tables = tables_with_all_rouge(data)
    agreements = measure_agreements(tables, targets, metrics, combine, top)
    parts = (
        ({"target": target}, summarize_agreements(of_target))
        for target, of_target in agreements.groupby("target", sort=False)
    )
    return tables.result(LABEL_AGREEMENT, parts, is_as_in_paper=top == TOP)


def tables_with_all_rouge(data: StudyData) -> Judged:
    """Return human scores, jackknifed where there are some, and all variants of ROUGE where no metrics are given."""
    score = partial(rouge_recall, metrics=ALL_ROUGE_METRICS)
    return data.tables("no_models", score=score, use_jackknifed=True, needs_metrics=True)


def measure_agreements(
    tables: Judged, targets: Sequence[str] | None, metrics: Sequence[str] | None, combine: int, top: int
) -> pd.DataFrame:
    """Return each metric's and combination's agreement with each measure in each year and task.

    Of a combination a pair is significant if it is for every metric.
    """
    parts = []
    for target in targets or sorted(set(tables.judgments["metric"]), key=natural):
        grids = tables.grids(target, metrics)
        for grid in keep_large_enough(grids, lambda grid: len(grid.summarizers), 2, "summarizers"):
            best_rows = select_best_rows(grid.truth, top)
            human_labels = significant_labels(grid.truth[best_rows], PRESET)
            labels = {
                name: significant_labels(X[best_rows], RECIPE_OF_METRICS) for name, X in grid.metrics.items()
            }
            orders = {
                name: correlation(X[best_rows], grid.truth[best_rows], coefficient="pairwise_accuracy").value
                for name, X in grid.metrics.items()
            }
            agreements = pd.DataFrame(agreements_of_combinations(labels, human_labels, largest=combine))
            n_untested = len(human_labels.testable) - agreements["n"].min()
            if n_untested:
                stratum_name = "-".join(filter(None, (grid.year, grid.task, target)))
                warn(
                    f"{stratum_name}: up to {n_untested} pairs of summarizers share too few topics to be counted"
                )
            agreements["order_agreement"] = agreements["metric"].map(orders)
            parts.append(agreements.assign(year=grid.year, task=grid.task, target=target))
    return fill_precision(pd.concat(parts, ignore_index=True))


def fill_precision(agreements: pd.DataFrame) -> pd.DataFrame:
    """Set the precision of a metric that finds no pair to 0, as the means of the paper do."""
    precision = agreements["precision"]
    return agreements.assign(precision=precision.mask(agreements["n"].gt(0), precision.fillna(0.0)))


def summarize_agreements(agreements: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of one human measure, from those of its years and tasks."""
    by_metric = agreements.groupby("metric", sort=False)
    ids = by_metric[["n_metrics"]].first().assign(n_parts=by_metric.size())
    if ids["n_parts"].nunique() > 1:
        raise InputError("the years and tasks have different metrics; name common ones")
    labels = column_names(*LABELS)
    ids = ids.join(by_metric[["n", *labels]].sum())
    means = by_metric[[*column_names(*AGREEMENT_MEASURES), "order_agreement"]].mean()
    pooled = pd.DataFrame(measures_of_counts(ids[labels].to_numpy()), index=ids.index)
    rows = [ids.join(means).assign(over="mean"), fill_precision(ids.join(pooled).assign(over="pooled"))]
    table = pd.concat(rows).reset_index()
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
) -> Result:
    """Agreement in each year, task and human measure, and which metrics are as good as the best: Table 4."""
    tables = tables_with_all_rouge(data)
    agreements = measure_agreements(tables, targets, metrics, combine, top)
    parts: list[tuple[dict[str, str], pd.DataFrame]] = []
    for names, of_stratum in agreements.groupby(column_names(YEAR, TASK, TARGET), sort=False):
        rng = seeded_rng(seed, *map(str, names))
        bold = {
            f"{name}_bold": mark_interval_of_best(of_stratum, name, n_resamples, rng)
            for name in column_names(*AGREEMENT_MEASURES)
        }
        parts.append(({}, of_stratum.assign(**bold)))
    return tables.result(BEST_METRICS, parts, is_as_in_paper=top == TOP)


def mark_interval_of_best(
    agreements: pd.DataFrame, measure: str, n_resamples: int, rng: np.random.Generator
) -> BoolArray:
    """Mark the values that lie in the percentile interval of the largest one, over pairs drawn with replacement."""
    values = agreements[measure].to_numpy()
    if np.isnan(values).all():
        return np.zeros(len(values), dtype=bool)
    best = agreements.iloc[int(np.nanargmax(values))]
    shares = best[column_names(*LABELS)].to_numpy(dtype=float) / best["n"]
    resampled = measures_of_counts(rng.multinomial(best["n"], shares, size=n_resamples))[measure]
    if measure == "precision":
        resampled = np.nan_to_num(resampled)  # as `fill_precision`
    defined = resampled[~np.isnan(resampled)]
    low = np.quantile(defined, 0.05 / 2) if len(defined) else np.inf
    return np.asarray(values >= min(low, np.nanmax(values)))
