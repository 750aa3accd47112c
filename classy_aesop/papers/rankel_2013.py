"""Rankel et al. (2013): how far metrics, alone and joined by "and", find the significant differences of humans.

Also Rankel (2016), chapter 7.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.metrics import COUNTS, agreement
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import natural
from classy_aesop.data.scores import with_places
from classy_aesop.errors import InputError
from classy_aesop.papers.judged import Judged, StudyData, rouge_recall
from classy_aesop.papers.printed import printed_name, with_printed
from classy_aesop.significance.metrics.label_agreement import (
    measures_of_counts,
    select_best_rows,
    significant_labels,
)
from classy_aesop.work.seeds import seeded_rng

PAPER = "Rankel et al. (2013)"

TOP = 30
"""The best systems that are compared."""

NAMES_OF_COUNTS = [column.name for column in COUNTS]

MEASURES = ("accuracy", "precision", "recall", "ba", "ba_pv")
"""Measures of agreement: ``ba`` is the printed formula, ``ba_pv`` what Tables 3 and 4 hold under its name."""

CELLS = ["tp", "fn", "fp", "tn"]

PRINTED = ("accuracy", "precision", "recall", "ba")
"""The measures that the paper prints."""

CLASSY1 = "8"
"""The run of 2011 that is called CLASSY1 in Table 4, as CLASSY1_Pyr in Rankel (2016), Table 6.5."""

OTHER_MEASURE = {"pyramid": "responsiveness", "responsiveness": "pyramid"}
"""Under which human measure the AESOP metrics of the other one are printed in Table 4."""

ROUGE_METRICS: tuple[RougeMetric, ...] = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-SU4"),
)
"""The variants that are computed where no scores are given; the eighth, of basic elements, needs files of a parser."""


def best_pairs(data: StudyData, *, metrics: Sequence[str] | None = None, top: int = TOP) -> pd.DataFrame:
    """Count the pairs of the ``top`` systems that differ significantly by human scores: Table 1.

    A pair is significant if p of signed ranks, computed as in the paper, is at most .05; jackknifed measures are taken
    where there are some. Columns: ``year, task, metric, top, n_pairs, n_significant, share``, with ``printed`` where
    the data are the paper's.
    """
    tables = data.tables("no_models", score=None, twins=True)
    rows = []
    for one in tables.matrices(metrics):
        found = significant_labels(one.X[select_best_rows(one.X, top)]).significant
        counts = {"n_pairs": len(found), "n_significant": int(found.sum()), "share": float(found.mean())}
        rows.append({**one.ids, "top": top, **counts})
    printed = {"n_significant": "printed"}
    return _beside_printed(pd.DataFrame(rows), data, tables, top, "Table 1", ["metric"], printed)


def _beside_printed(
    table: pd.DataFrame,
    data: StudyData,
    tables: Judged,
    top: int,
    item: str,
    keys: list[str],
    columns: dict[str, str],
) -> pd.DataFrame:
    """Add the printed cells of a table of the paper, if ours is computed as there."""
    as_there = top == TOP and data.peers in (None, "no_models")
    return with_printed(table, tables.judgments, f"{PAPER}, {item}", keys, columns, as_there=as_there)


def label_agreement(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 2,
    top: int = TOP,
    progress: bool = False,
) -> pd.DataFrame:
    """Agreement with a human measure over all years and tasks: averaged (Table 2) and of all pairs (Table 3).

    Options are as for :func:`classy_aesop.answers.metrics.agreement`. Each measure has rows of its own, for the paper
    never mixes them: two for each metric or combination (joined by ``+``), ``target, metric, n_metrics, n_parts``
    (years and tasks), ``over``, which is ``mean`` or ``pooled``, the counts (summed), `MEASURES`, and for ``mean`` of
    a single metric ``order_agreement``, the share of pairs whose means are in the same order. Sorted by measure and
    recall. Where the data are the paper's, with ``printed_accuracy, printed_precision, printed_recall, printed_ba``
    and, of Table 2, ``printed_order_agreement``; what is printed as balanced accuracy is nearer to ``ba_pv``.

    InputError if not every year and task has the same metrics.
    """
    tables, found = _agreements(data, targets, metrics, combine, top, progress)
    table = pd.concat([_over_parts(own) for _, own in found.groupby("target", sort=False)], ignore_index=True)
    keyed = table.assign(paper_name=[_paper_name(name) for name in table["metric"]])
    keys = ["target", "paper_name", "over"]
    for item, measures in (("Table 2", (*PRINTED, "order_agreement")), ("Table 3", PRINTED)):
        printed = {name: f"printed_{name}" for name in measures}
        keyed = _beside_printed(keyed, data, tables, top, item, keys, printed)
    return keyed.drop(columns="paper_name")


def _paper_name(metric: str) -> str:
    """Name a metric or a combination as Table 3 does: R1_R4_RBE."""
    return "_".join(sorted(map(_short, metric.split("+"))))


def _short(metric: str) -> str:
    """Name a metric as Table 3 does: R1 for the recall of ROUGE-1, RBE for basic elements."""
    if re.fullmatch(r"(rouge-)?be(-hm)?([-.]r(ecall)?)?", metric.lower()):
        return "RBE"
    rouge = re.fullmatch(r"ROUGE-(.+)-R", printed_name(metric))
    return f"R{rouge[1]}" if rouge else metric


def _agreements(
    data: StudyData,
    targets: Sequence[str] | None,
    metrics: Sequence[str] | None,
    combine: int,
    top: int,
    progress: bool,
) -> tuple[Judged, pd.DataFrame]:
    """Give the tables, and each metric's and combination's agreement with each measure in each year and task."""
    rouge = partial(rouge_recall, metrics=ROUGE_METRICS)
    tables = data.tables("no_models", score=rouge, twins=True, needs_metrics=True)
    if targets is None:
        targets = sorted(set(tables.judgments["metric"]), key=natural)
    work = partial(agreement, metrics=metrics, combine=combine, top=top, progress=progress)
    parts = [with_places(work(tables.scores, tables.judgments, target).table) for target in targets]
    return tables, _with_printed_precision(pd.concat(parts, ignore_index=True))


def _with_printed_precision(found: pd.DataFrame) -> pd.DataFrame:
    """Give a metric that finds no pair the precision 0, as the paper's means take it."""
    return found.assign(precision=found["precision"].mask(found["n"].gt(0), found["precision"].fillna(0.0)))


def _over_parts(found: pd.DataFrame) -> pd.DataFrame:
    """Give the rows of one human measure, from its years and tasks."""
    names = [list(part["metric"]) for _, part in found.groupby(["year", "task"], sort=False)]
    if any(one != names[0] for one in names):
        raise InputError("the years and tasks have different metrics; name common ones")
    by = found.groupby("metric", sort=False)
    ids = by[["target", "n_metrics"]].first().assign(n_parts=by.size())
    counts = by[NAMES_OF_COUNTS].sum()
    means = by[[*MEASURES, "order_agreement"]].mean()
    pooled = pd.DataFrame(measures_of_counts(counts[CELLS].to_numpy()), index=counts.index)
    pooled = _with_printed_precision(pooled.assign(n=counts["n"])).drop(columns="n")
    rows = [
        ids.assign(over=over).join(counts).join(values).reset_index()
        for over, values in (("mean", means), ("pooled", pooled))
    ]
    table = pd.concat(rows, ignore_index=True)
    table = table.sort_values(["over", "n_metrics", "recall"], ascending=[True, True, False], kind="stable")
    return table[["target", "metric", *table.columns.drop(["target", "metric"])]]


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
) -> pd.DataFrame:
    """Agreement in each year, task and human measure, and which metrics are as good as the best: Table 4.

    Options are as for :func:`label_agreement`; the best metric's 95 % interval is from pairs that are drawn again.
    Columns: ``year, task, target, metric, n_metrics``, the counts, and each of `MEASURES` followed by
    ``MEASURE_bold``: whether it is within the interval of the best metric's, which the paper prints in bold. With
    ``printed_accuracy, printed_precision, printed_recall, printed_ba`` where the data are the paper's; those of AESOP
    metrics are printed under the other human measure.
    """
    tables, found = _agreements(data, targets, metrics, combine, top, progress)
    parts = []
    for place, own in found.groupby(["year", "task", "target"], sort=False):
        rng = seeded_rng(seed, *map(str, place))
        parts.append(
            own.assign(**{f"{name}_bold": _within_best(own, name, n_resamples, rng) for name in MEASURES})
        )
    columns = [column for name in MEASURES for column in (name, f"{name}_bold")]
    ids = ["year", "task", "target", "metric", "n_metrics"]
    table = pd.concat(parts, ignore_index=True)[[*ids, *NAMES_OF_COUNTS, *columns]]
    printed = {name: f"printed_{name}" for name in PRINTED}
    keyed = table.assign(
        paper_name=["CLASSY1" if name == CLASSY1 else _paper_name(name) for name in table["metric"]]
    )
    of_rouge = keyed["paper_name"].str.fullmatch(r"R\w+(_R\w+)*")
    keyed["printed_under"] = keyed["target"].where(of_rouge, keyed["target"].replace(OTHER_MEASURE))
    keys = ["printed_under", "paper_name"]
    keyed = _beside_printed(keyed, data, tables, top, "Table 4", keys, printed)
    return keyed.drop(columns=["paper_name", "printed_under"])


def _within_best(found: pd.DataFrame, measure: str, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Say which values lie in the percentile interval of the largest one, over pairs drawn with replacement."""
    values = found[measure].to_numpy()
    if np.isnan(values).all():
        return np.zeros(len(values), dtype=bool)
    best = found.iloc[int(np.nanargmax(values))]
    counts = rng.multinomial(best["n"], best[CELLS].to_numpy(dtype=float) / best["n"], size=n_resamples)
    resampled = measures_of_counts(counts)[measure]
    resampled = (
        np.nan_to_num(resampled) if measure == "precision" else resampled
    )  # as _with_printed_precision
    defined = resampled[~np.isnan(resampled)]
    low = np.quantile(defined, 0.05 / 2) if len(defined) else np.nan
    return np.asarray(values >= min(low, np.nanmax(values)))
