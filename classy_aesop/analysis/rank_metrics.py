"""Metrics in the order of their correlation with humans, in clusters of those that the tests do not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.analysis.compare_metrics import STRATA, Chosen, compared_pairs, ends_of
from classy_aesop.analysis.evaluate import IntervalOptions
from classy_aesop.analysis.metric_places import Place, metric_places
from classy_aesop.data.scores import without_empty_places
from classy_aesop.significance.base import ALPHA, N_RESAMPLES, BoolArray, is_significant
from classy_aesop.significance.choices import AnyLevel, Coefficient, Correction, TestOfMetrics
from classy_aesop.significance.clusters import greedy_clusters
from classy_aesop.significance.coefficients import least_of
from classy_aesop.significance.near_ties import snapped
from classy_aesop.significance.strata import mean_interval
from classy_aesop.work.progress import by_workers

PLACE = ["year", "task", "level", "coefficient"]
"""What a ranking is of."""

COLUMNS = [
    "year",
    "task",
    "target",
    "level",
    "coefficient",
    "metric",
    "rank",
    "cluster",
    "value",
    "low",
    "high",
]
SETTINGS = ["test", "correction", "alpha", "interval", "confidence", "n_resamples", "seed"]


def rank_metrics(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    *,
    metric_test: TestOfMetrics = "perm-both",
    levels: Sequence[AnyLevel] = ("system",),
    coefficients: Sequence[Coefficient] = ("pearson",),
    correction: Correction = "holm",
    alpha: float = ALPHA,
    interval: IntervalOptions | None = None,
    together: bool = False,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Rank metrics by their correlation with humans, in clusters as the shared tasks of WMT on metrics print them.

    Parameters
    ----------
    alpha : float
        Significant is a corrected p of at most this.
    scores, judgments, target, metric_test, levels, coefficients, correction, interval, together, metrics, year, task
        As for :func:`classy_aesop.analysis.compare_metrics.compare_metrics`.
    n_resamples, seed, n_jobs, progress
        As there. The tests are the same, and so are their p-values.

    Returns
    -------
    DataFrame
        A row a metric, best first: ``year, task, target, level, coefficient, metric, rank`` (its place), ``cluster``
        (from 1, see :func:`classy_aesop.significance.clusters.greedy_clusters`; missing without a correlation),
        ``value, low, high`` (the correlation and its interval), ``beats`` (a sign for each metric of the ranking:
        ``>`` if this one is significantly better, ``=`` if not, ``.`` for itself and those above), ``test, correction,
        alpha, interval, confidence, n_resamples, seed``. Together, ``value`` is the mean over years and tasks, followed
        by ``spread, low_others, high_others, n_strata``.

    Raises
    ------
    UsageError, InputError
        As ``compare_metrics``.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> table["length"] = [92, 99, 95, 99, 90, 97, 96, 97, 94, 90, 98, 95]
    >>> scores, judgments = table.drop(columns="quality"), table[["topic", "system", "quality"]]
    >>> found = rank_metrics(scores, judgments, "quality", n_resamples=199)
    >>> found[["metric", "rank", "cluster", "value"]].round(3).values.tolist()
    [['rouge', 1, 1, 0.999], ['length', 2, 1, 0.793]]
    """
    chosen = Chosen.of(
        metric_test, interval, correction, coefficients, together=together, n_resamples=n_resamples, seed=seed
    )
    places = metric_places(
        scores,
        judgments,
        target,
        levels=levels,
        coefficients=coefficients,
        together=together,
        metrics=metrics,
        year=year,
        task=task,
    )
    pairs = compared_pairs(places, chosen, n_jobs=n_jobs, progress=progress)
    work = ((place, name, target, chosen.interval) for place in places for name in place.metrics)
    rows = pd.DataFrame(list(by_workers(_of_metric, work, n_jobs=n_jobs)))
    groups = dict(list(pairs.groupby(PLACE, sort=False)))
    ranked = [
        _ranked(own, groups[names], alpha) for names, own in rows.groupby(PLACE, sort=False, dropna=False)
    ]
    settings: dict[str, Any] = {name: pairs[name].iat[0] for name in SETTINGS if name != "alpha"}
    table = pd.concat(ranked, ignore_index=True).assign(target=target, alpha=alpha, **settings)
    table = table.astype({"seed": "Int64"})
    return without_empty_places(table[[*COLUMNS, *(STRATA if together else []), "beats", *SETTINGS]])


def _of_metric(place: Place, name: str, target: str, interval: IntervalOptions) -> dict[str, object]:
    """Give a metric's correlation with its interval; together, the means over years and tasks."""
    found = [
        interval.of(grid.metrics[name], grid.truth, *place.measured, (grid.year, grid.task, name, target))
        for grid in place.grids
    ]
    one = mean_interval(found, least=least_of(place.coefficient)) if place.together else found[0]
    return {**place.ids, "metric": name, "value": one.value} | ends_of(one)


def _ranked(rows: pd.DataFrame, pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Sort the metrics of a place, best first, and cluster them by the tests of their pairs."""
    level = snapped(rows["value"].to_numpy(dtype=float))  # equal but for rounding: in the order of names
    rows = rows.iloc[np.argsort(-level, kind="stable")]
    names = rows["metric"].tolist()
    P = pairs.pivot(index="first", columns="second", values="p_overall").reindex(index=names, columns=names)
    better = np.triu(is_significant(P, alpha), 1)
    clusters = pd.array(greedy_clusters(better), dtype="Int64")
    clusters[rows["value"].isna().to_numpy()] = pd.NA
    vectors = [" ".join(_signs(row, place)) for place, row in enumerate(better)]
    return rows.assign(rank=np.arange(1, len(rows) + 1), cluster=clusters, beats=vectors)


def _signs(better: BoolArray, place: int) -> list[str]:
    """Say which of the metrics below one is significantly better than."""
    return ["."] * (place + 1) + [">" if found else "=" for found in better[place + 1 :]]
