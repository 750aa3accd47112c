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
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import Judged, StudyData, rouge_recall
from classy_aesop.papers.printed import RANKEL_2013, add_printed_cells, printed_name
from classy_aesop.significance.metrics.label_agreement import (
    measures_of_counts,
    select_best_rows,
    significant_labels,
)
from classy_aesop.work.seeds import seeded_rng

TOP = 30
"""The best systems that are compared."""

NAMES_OF_COUNTS = [column.name for column in COUNTS]

MEASURES = ("accuracy", "precision", "recall", "ba", "ba_pv")
"""Measures of agreement: ``ba`` is the printed formula, ``ba_pv`` what Tables 3 and 4 hold under its name."""

CELLS = ["tp", "fn", "fp", "tn"]

PRINTED_MEASURES = ("accuracy", "precision", "recall", "ba")
"""The measures that the paper prints."""

CLASSY1 = "8"
"""The run of 2011 that is called CLASSY1 in Table 4, as CLASSY1_Pyr in Rankel (2016), Table 6.5."""

OTHER_MEASURE = {"pyramid": "responsiveness", "responsiveness": "pyramid"}
"""Under which human measure the AESOP metrics of the other one are printed in Table 4."""

ALL_ROUGE_METRICS: tuple[RougeMetric, ...] = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-SU4"),
)
"""The variants that are computed where no scores are given; the eighth, of basic elements, needs files of a parser."""


def best_pairs(data: StudyData, *, metrics: Sequence[str] | None = None, top: int = TOP) -> pd.DataFrame:
    """Count the pairs of the best systems that differ significantly by human scores: Table 1.

    A pair is significant if p of signed ranks, computed as in the paper, is at most .05; jackknifed measures are taken
    where there are some.

    Parameters
    ----------
    data : StudyData
        Judged corpora.
    metrics : sequence of str, optional
        Only these human measures.
    top : int
        How many of the best systems.

    Returns
    -------
    DataFrame
        ``year, task, metric, top, n_pairs, n_significant, share``, with ``printed`` where the data are the paper's.
    """
    tables = data.tables("no_models", score=None, use_jackknifed=True)
    rows = []
    for matrix in tables.matrices(metrics):
        is_significant = significant_labels(matrix.X[select_best_rows(matrix.X, top)]).significant
        rows.append(
            {
                **matrix.ids,
                "top": top,
                "n_pairs": len(is_significant),
                "n_significant": int(is_significant.sum()),
                "share": float(is_significant.mean()),
            }
        )
    printed = {"n_significant": "printed"}
    return add_cells_of_paper(pd.DataFrame(rows), data, tables, top, "Table 1", ["metric"], printed)


def add_cells_of_paper(
    table: pd.DataFrame,
    data: StudyData,
    tables: Judged,
    top: int,
    item: str,
    keys: list[str],
    columns: dict[str, str],
) -> pd.DataFrame:
    """Add the printed cells of a table of the paper, if ours is computed as there.

    Parameters
    ----------
    table, keys, columns
        See `add_printed_cells`.
    data, tables : StudyData, Judged
        What the table is of.
    top : int
        How many of the best systems it is of.
    item : str
        The table's name in the paper.
    """
    as_there = top == TOP and data.peers in (None, "no_models")
    return add_printed_cells(
        table, tables.judgments, f"{RANKEL_2013}, {item}", keys, columns, as_there=as_there
    )


def label_agreement(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 2,
    top: int = TOP,
    utility: Sequence[float] | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Agreement with a human measure over all years and tasks: averaged (Table 2) and of all pairs (Table 3).

    Parameters
    ----------
    data : StudyData
        Judged corpora.
    targets : sequence of str, optional
        Only these human measures. Each has rows of its own, for the paper never mixes them.
    metrics, combine, top, progress
        As for :func:`classy_aesop.answers.metrics.agreement`.
    utility : four float, optional
        What a hit, a miss, a false alarm and a correct rejection are worth (footnote 4): the mean over pairs is the
        column ``utility``.

    Returns
    -------
    DataFrame
        Two rows for each metric or combination (joined by ``+``): ``target, metric, n_metrics, n_parts`` (years and
        tasks), ``over``, which is ``mean`` or ``pooled``, the counts (summed), `MEASURES`, and for ``mean`` of a single
        metric ``order_agreement``, the share of pairs whose means are in the same order. Sorted by measure and recall.
        Where the data are the paper's, with ``printed_accuracy, printed_precision, printed_recall, printed_ba`` and, of
        Table 2, ``printed_order_agreement``; what is printed as balanced accuracy is nearer to ``ba_pv``.

    Raises
    ------
    InputError
        Not every year and task has the same metrics.
    UsageError
        The utility has not four values.
    """
    if utility is not None and len(utility) != len(CELLS):
        raise UsageError(
            f"utility has {len(utility)} values; expected four: of a hit, a miss, a false alarm, and neither"
        )
    tables, agreements = measure_agreements(data, targets, metrics, combine, top, progress)
    if utility is not None:
        values = agreements[CELLS].to_numpy(float) @ np.array(utility, float)
        agreements = agreements.assign(utility=values / agreements["n"])
    of_targets = [
        summarize_agreements(of_target) for _, of_target in agreements.groupby("target", sort=False)
    ]
    table = pd.concat(of_targets, ignore_index=True)
    if utility is not None:
        pooled = table[CELLS].to_numpy(float) @ np.array(utility, float) / table["n"]
        table["utility"] = table["utility"].where(table["over"] == "mean", pooled)
    keyed = table.assign(paper_name=[name_as_printed(name) for name in table["metric"]])
    keys = ["target", "paper_name", "over"]
    for item, measures in (
        ("Table 2", (*PRINTED_MEASURES, "order_agreement")),
        ("Table 3", PRINTED_MEASURES),
    ):
        printed = {name: f"printed_{name}" for name in measures}
        keyed = add_cells_of_paper(keyed, data, tables, top, item, keys, printed)
    return keyed.drop(columns="paper_name")


def name_as_printed(metric: str) -> str:
    """Name a metric or a combination as Table 3 does.

    Examples
    --------
    >>> name_as_printed("ROUGE-BE+ROUGE-4-R+ROUGE-1-R")
    'R1_R4_RBE'
    """
    return "_".join(sorted(map(_abbreviate, metric.split("+"))))


def _abbreviate(metric: str) -> str:
    """Name a metric as Table 3 does: R1 for the recall of ROUGE-1, RBE for basic elements."""
    if re.fullmatch(r"(rouge-)?be(-hm)?([-.]r(ecall)?)?", metric.lower()):
        return "RBE"
    rouge = re.fullmatch(r"ROUGE-(.+)-R", printed_name(metric))
    return f"R{rouge[1]}" if rouge else metric


def measure_agreements(
    data: StudyData,
    targets: Sequence[str] | None,
    metrics: Sequence[str] | None,
    combine: int,
    top: int,
    progress: bool,
) -> tuple[Judged, pd.DataFrame]:
    """Return the tables, and each metric's and combination's agreement with each measure in each year and task.

    Parameters
    ----------
    data, targets, metrics, combine, top, progress
        As for `label_agreement`.
    """
    rouge = partial(rouge_recall, metrics=ALL_ROUGE_METRICS)
    tables = data.tables("no_models", score=rouge, use_jackknifed=True, needs_metrics=True)
    if targets is None:
        targets = sorted(set(tables.judgments["metric"]), key=natural)
    parts = [
        agreement(
            tables.scores,
            tables.judgments,
            target,
            metric=metrics,
            combine=combine,
            top=top,
            progress=progress,
        ).table
        for target in targets
    ]
    return tables, fill_precision(pd.concat(map(with_places, parts), ignore_index=True))


def fill_precision(agreements: pd.DataFrame) -> pd.DataFrame:
    """Give a metric that finds no pair the precision 0, as the paper's means take it."""
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
    means = by_metric[
        [*MEASURES, "order_agreement", *(["utility"] if "utility" in agreements else [])]
    ].mean()
    pooled = pd.DataFrame(measures_of_counts(counts[CELLS].to_numpy()), index=counts.index)
    pooled = fill_precision(pooled.assign(n=counts["n"])).drop(columns="n")
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

    Parameters
    ----------
    data, targets, metrics, combine, top, progress
        As for :func:`label_agreement`.
    n_resamples, seed : int
        Of the pairs, for the best metric's 95 % interval.

    Returns
    -------
    DataFrame
        ``year, task, target, metric, n_metrics``, the counts, and each of `MEASURES` followed by ``MEASURE_bold``:
        whether it is within the interval of the best metric's, which the paper prints in bold. With
        ``printed_accuracy, printed_precision, printed_recall, printed_ba`` where the data are the paper's; those of
        AESOP metrics are printed under the other human measure.
    """
    tables, agreements = measure_agreements(data, targets, metrics, combine, top, progress)
    parts = []
    for stratum, of_stratum in agreements.groupby(["year", "task", "target"], sort=False):
        rng = seeded_rng(seed, *map(str, stratum))
        bold = {
            f"{name}_bold": mark_interval_of_best(of_stratum, name, n_resamples, rng) for name in MEASURES
        }
        parts.append(of_stratum.assign(**bold))
    columns = [column for name in MEASURES for column in (name, f"{name}_bold")]
    ids = ["year", "task", "target", "metric", "n_metrics"]
    table = pd.concat(parts, ignore_index=True)[[*ids, *NAMES_OF_COUNTS, *columns]]
    keyed = table.assign(
        paper_name=["CLASSY1" if name == CLASSY1 else name_as_printed(name) for name in table["metric"]]
    )
    is_of_rouge = keyed["paper_name"].str.fullmatch(r"R\w+(_R\w+)*")
    keyed["printed_under"] = keyed["target"].where(is_of_rouge, keyed["target"].replace(OTHER_MEASURE))
    printed = {name: f"printed_{name}" for name in PRINTED_MEASURES}
    keyed = add_cells_of_paper(keyed, data, tables, top, "Table 4", ["printed_under", "paper_name"], printed)
    return keyed.drop(columns=["paper_name", "printed_under"])


def mark_interval_of_best(
    agreements: pd.DataFrame, measure: str, n_resamples: int, rng: np.random.Generator
) -> np.ndarray:
    """Mark the values that lie in the percentile interval of the largest one, over pairs drawn with replacement.

    Parameters
    ----------
    agreements : DataFrame
        A row a metric, of one year, task and measure.
    measure : str
        One of `MEASURES`.
    n_resamples : int
        Number of resamples.
    rng : numpy.random.Generator
        The source of randomness.
    """
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
