"""How far metrics, alone and joined, find the significant differences that people find, in each year and task."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from classy_aesop.answers.correlation_tables import name_best_by
from classy_aesop.answers.score_matrices import Grid, judged_grids, keep_large_enough
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import warn
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.significance.choices import ALPHA, Preset, Test
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.metrics.label_agreement import (
    Labels,
    agreements_of_combinations,
    label_by_both,
    order_agreement,
    select_best_rows,
)
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result_columns import (
    MAIN,
    TARGET,
    TASK,
    YEAR,
    count,
    estimate,
    item,
    setting,
)
from classy_aesop.work.workers import show_progress


def sort_by_accuracy(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the metrics with the highest balanced accuracy first in each year and task."""
    strata = [name for name in ("year", "task") if name in rows]
    groups = rows.groupby(strata, sort=False, dropna=False) if strata else [("", rows)]
    best_first = [group.sort_values("ba", ascending=False, kind="stable") for _, group in groups]
    return pd.concat(best_first, ignore_index=True)


MAX_METRICS_DRAWN = 40  # of thousands of combinations


def draw_agreement(rows: pd.DataFrame) -> Picture:
    """Draw the balanced accuracy of each metric."""
    caption = "balanced accuracy: significant differences of humans that the metric finds"
    marked = "ba_bold" if "ba_bold" in rows else None
    caption += "; diamonds are within the interval of the best" if marked else ""
    caption += f"; the best {MAX_METRICS_DRAWN}" if len(rows) > MAX_METRICS_DRAWN else ""
    highest = rows.sort_values("ba", ascending=False, kind="stable").head(MAX_METRICS_DRAWN)
    return forest_picture(highest, caption, "metric", "ba", marked=marked)


COUNTS = (
    count("n", "pairs of summarizers that tests of both can decide"),
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
    estimate("kappa", "Cohen's kappa"),
)

AGREEMENT = Answer(
    name="study label-agreement by stratum",
    caption="Agreement with human decisions",
    question="Which metric finds the differences that people find?",
    columns=(
        YEAR,
        TASK,
        TARGET,
        item("metric", "the metric, or several joined by +"),
        setting("n_metrics", "metrics of the combination", "int"),
        *COUNTS,
        *AGREEMENT_MEASURES,
        estimate("order_agreement", "share of pairs whose means are in the same order, without any test"),
    ),
    needs=("metric", "tp", "fn", "ba"),
    sentence=name_best_by(
        "ba",
        "find the significant differences of humans best",
        "balanced accuracy",
        [column.name for column in (YEAR, TASK, TARGET)],
    ),
    pictures=draw_agreement,
    shown_first=("metric", "ba", "precision", "recall"),
    arrange_rows=sort_by_accuracy,
    choose_bold_columns=lambda _: ("ba",),
)


def compare_decisions(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    *,
    top: int | None,
    test: Test,
    alpha: float = ALPHA,
    preset: Preset = "standard",
    combine: int = 1,
    metric: Sequence[str] | None = None,
    task: str | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare each metric's significant differences with the human ones: a row a metric, in the columns of `AGREEMENT`.

    The ``top`` best summarizers by human mean are compared, all if None. A pair is significant if its p, uncorrected,
    is at most ``alpha``. Up to ``combine`` metrics are joined by ``+``: a pair is significant if it is for every one.
    Pairs that no test can decide, by humans or by the metric, are in no count, and a `DataWarning` counts them.
    """
    grids = judged_grids(scores, judgments, target, metric=metric, task=task)
    rows = []
    for grid in keep_large_enough(grids, lambda grid: len(grid.summarizers), 2, "summarizers"):
        best_rows = select_best_rows(grid.truth, top)
        truth = grid.truth[best_rows]
        label_pairs = {
            name: label_by_both(X[best_rows], truth, test=test, preset=preset, alpha=alpha)
            for name, X in grid.metrics.items()
        }
        _warn_of_untestable(grid, label_pairs)
        human_labels = next(iter(label_pairs.values()))[0]
        labels = {name: of_metric for name, (_, of_metric) in label_pairs.items()}
        largest = min(combine, len(labels))
        agreements = agreements_of_combinations(labels, human_labels, largest=largest)
        n_all = sum(math.comb(len(labels), size) for size in range(1, largest + 1))
        for names, measures in show_progress(
            agreements, "agreement", "combinations", shown=progress, total=n_all
        ):
            row = {"year": grid.year, "task": grid.task, "target": target, "order_agreement": math.nan}
            row |= {"metric": "+".join(names), "n_metrics": len(names)}
            row |= measures
            if len(names) == 1:
                row["order_agreement"] = order_agreement(grid.metrics[names[0]], grid.truth, top=top)
            rows.append(row)
    return drop_empty_stratum_columns(AGREEMENT.order_columns(pd.DataFrame(rows)))


def _warn_of_untestable(grid: Grid, label_pairs: Mapping[str, tuple[Labels, Labels]]) -> None:
    """Warn of pairs of summarizers that humans or a metric cannot test, with the metric that has the most."""
    is_tested = pd.DataFrame(
        {name: human.testable & labels.testable for name, (human, labels) in label_pairs.items()}
    )
    counts = (~is_tested).sum()
    metric = str(counts.idxmax())
    if not counts[metric]:
        return
    place = "-".join(filter(None, (grid.year, grid.task)))
    missing = ", so its measures are missing" if counts[metric] == len(is_tested) else ""
    warn(
        f"{place and f'{place}: '}{counts[metric]} of {len(is_tested)} pairs of summarizers are not counted for "
        f"{metric}{missing}: no test is possible ({TOO_FEW_TOPICS}, or {CONSTANT_DIFFERENCE} in a t-test)"
    )
