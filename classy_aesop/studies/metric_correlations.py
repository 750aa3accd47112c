"""How well metrics correlate with humans, how sure that is, and which of two is better.

Deutsch et al. (2021), Figures 4 to 6; Rankel (2016), Figures 5.2 to 5.9.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from classy_aesop.analysis.compare_metrics import compare_metrics
from classy_aesop.analysis.evaluate import IntervalMethod, IntervalOptions, evaluate
from classy_aesop.analysis.pairing import only
from classy_aesop.data import natural
from classy_aesop.data.scores import with_places
from classy_aesop.significance.base import is_significant
from classy_aesop.significance.choices import AnyLevel, Coefficient, Correction, TestOfMetrics
from classy_aesop.studies.judged import Judged, StudyData, only_metrics
from classy_aesop.studies.printed import with_printed

LEVELS: tuple[AnyLevel, ...] = ("system", "input")
FIGURE = "Deutsch et al. (2021), Figure 4"


def metric_intervals(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    levels: Sequence[AnyLevel] = LEVELS,
    coefficient: Coefficient = "kendall",
    interval: IntervalMethod = "boot-both",
    confidence: float = 0.95,
    n_resamples: int = 1_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlation of each metric with one human measure, and its interval: the bars of the figures.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these.
    levels, coefficient : str
        As for :func:`classy_aesop.analysis.evaluate.evaluate`.
    interval : str
        A key of `INTERVALS` of :mod:`classy_aesop.analysis.evaluate`; in Rankel (2016) ``boot-systems``.
    confidence, n_resamples, seed
        Of the interval.

    Returns
    -------
    DataFrame
        As of `evaluate`, the best metric first in each year, task and level; with ``printed_low, printed_high`` where
        the data are a paper's.
    """
    tables = data.tables("no_models")
    options = IntervalOptions(interval, confidence, n_resamples, seed)
    found = evaluate(
        *_sides(tables, target, metrics), levels=levels, coefficients=[coefficient], interval=options
    )
    found = with_places(found)
    places = {name: at for at, name in enumerate(sorted(set(found["year"]), key=natural))}
    order = found.assign(year=found["year"].map(places), level=found["level"].map(list(levels).index))
    order = order.sort_values(
        ["year", "task", "level", "value"], ascending=[True, True, True, False], kind="stable"
    )
    keys = ["metric", "target", "level", "coefficient", "interval"]
    printed = {end: f"printed_{end}" for end in ("low", "high")}
    table = found.loc[order.index].reset_index(drop=True)
    return with_printed(table, tables.judgments, FIGURE, keys, printed, as_there=confidence == 0.95)


def metric_pairs(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    levels: Sequence[AnyLevel] = LEVELS,
    coefficient: Coefficient = "pearson",
    metric_test: TestOfMetrics = "perm-both",
    correction: Correction = "holm",
    alpha: float = 0.05,
    n_resamples: int = 9_999,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Which metric correlates better with humans than which other: the cells of the figures.

    Parameters
    ----------
    data, target, metrics, levels
        As for :func:`metric_intervals`.
    coefficient, metric_test, correction, n_resamples, seed, progress
        As for :func:`classy_aesop.analysis.compare_metrics.compare_metrics`.
    alpha : float
        The first metric is better if its p is at most this.

    Returns
    -------
    DataFrame
        A row for each ordered pair: ``year, task, target, level, coefficient, first, second, r_first, r_second, p``;
        ``better`` (without correction), ``better_by_first`` (corrected for the tests of one first metric, Figure 5)
        and ``better_overall`` (corrected for all pairs of a year, task and level, Figure 6); ``p_by_first,
        p_overall, test, correction, n_resamples, seed``.
    """
    tables = data.tables("no_models")
    found = compare_metrics(
        *_sides(tables, target, metrics),
        target,
        metric_test=metric_test,
        levels=levels,
        coefficients=[coefficient],
        correction=correction,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress,
    )
    columns = {"better": "p", "better_by_first": "p_by_first", "better_overall": "p_overall"}
    better = {name: is_significant(found[p].fillna(1.0).to_numpy(), alpha) for name, p in columns.items()}
    keys = ["year", "task", "target", "level", "coefficient", "first", "second", "r_first", "r_second", "p"]
    rest = ["p_by_first", "p_overall", "test", "correction", "n_resamples", "seed"]
    return with_places(found).assign(**better)[[*keys, *columns, *rest]]


def _sides(tables: Judged, target: str, metrics: Sequence[str] | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give the scores of the metrics and those of the target."""
    return only_metrics(tables.scores, metrics), only(tables.judgments, "metric", [target], what="target")
