"""Rankel et al. (2013): how far metrics, alone and joined by "and", find the significant differences of humans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.analysis.metrics import LabelOptions
from classy_aesop.analysis.tables import FloatArray, Grid, judged_grids, only, places
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import matrix, natural
from classy_aesop.errors import InputError
from classy_aesop.significance.agreement import (
    Agreement,
    best_rows,
    combined_agreements,
    order_agreement,
    pooled,
    significant_labels,
)
from classy_aesop.significance.base import ALPHA
from classy_aesop.studies.judged import Judged, StudyData, only_metrics, rouge_recall
from classy_aesop.studies.printed import with_printed
from classy_aesop.work.seeding import seeded_rng

TABLE_1 = "Rankel et al. (2013), Table 1"

TOP = 30
"""The best systems that are compared."""

MEASURES = ("accuracy", "precision", "recall", "ba", "ba_pv")
"""Measures of agreement: ``ba`` is the printed formula, ``ba_pv`` what the printed tables hold."""

COUNTS = ("n", "tp", "fn", "fp", "tn", "contradictions")

ROUGE_METRICS: tuple[RougeMetric, ...] = (
    "ROUGE-1",
    "ROUGE-2",
    "ROUGE-3",
    "ROUGE-4",
    "ROUGE-L",
    "ROUGE-W-1.2",
    "ROUGE-SU4",
)
"""The variants that are computed where no scores are given; the eighth, of basic elements, needs files of a parser."""


Found = Mapping[tuple[str, ...], Agreement]
Part = tuple[tuple[str, str, str], Found, dict[tuple[str, ...], float]]


def label_agreement(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 2,
    top: int = 30,
    alpha: float = 0.05,
    progress: bool = False,
) -> pd.DataFrame:
    """Agreement with a human measure over all years and tasks: averaged (Table 2) and of all pairs together (Table 3).

    Each measure has rows of its own, for the paper never mixes them.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers; by default systems.
    targets : sequence of str, optional
        The human measures; by default all.
    metrics : sequence of str, optional
        Only these.
    combine : int
        Also combine up to so many metrics: a pair is significant if it is for every member.
    top : int
        How many of the best systems by each measure.
    alpha : float
        A pair is significant if p (signed ranks, ``rankel2013``) is at most this.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        Two rows for each measure, and metric or combination (joined by ``+``): ``target, metric, n_metrics, over``,
        which is ``mean`` or ``pooled``, ``n_parts`` (years and tasks), the counts (summed), `MEASURES`, and for
        ``mean`` of a single metric ``order_agreement``, the share of pairs whose means are in the same order. Sorted by
        measure and recall.

    Raises
    ------
    UsageError
        If a measure, metric, year or task does not exist.
    InputError
        If not every year and task has the same metrics.
    """
    found = list(_parts(data, targets, metrics, combine, top, alpha, progress))
    measures = dict.fromkeys(place[-1] for place, *_ in found)
    tables = [_of_measure(name, [part for part in found if part[0][-1] == name]) for name in measures]
    return pd.concat(tables, ignore_index=True)


def _of_measure(target: str, parts: Sequence[Part]) -> pd.DataFrame:
    """Give the rows of one human measure, from its years and tasks."""
    names = list(parts[0][1])
    if any(list(found) != names for _, found, _ in parts):
        raise InputError("the years and tasks have different metrics; name common ones")
    rows = [
        {"target": target, "metric": "+".join(name), "n_metrics": len(name), "n_parts": len(parts), **row}
        for name in names
        for row in _over([found[name] for _, found, _ in parts], [orders.get(name) for *_, orders in parts])
    ]
    table = pd.DataFrame(rows)
    sizes = table.assign(over=table["over"].map({"mean": 0, "pooled": 1}))
    return table.loc[
        sizes.sort_values(["over", "n_metrics", "recall"], ascending=[True, True, False], kind="stable").index
    ]


def _over(parts: Sequence[Agreement], orders: Sequence[float | None]) -> Iterator[dict[str, object]]:
    """Give the row of the means over the parts, and that of their pairs together."""
    together = pooled(parts)
    counts = {name: getattr(together, name) for name in COUNTS}
    known = [order for order in orders if order is not None]
    means = {name: _mean(getattr(part, name) for part in parts) for name in MEASURES}
    yield {"over": "mean", **counts, **means, "order_agreement": _mean(known)}
    yield {"over": "pooled", **counts, **{name: getattr(together, name) for name in MEASURES}}


def _mean(values: Iterable[float]) -> float:
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def best_metrics(
    data: StudyData,
    *,
    targets: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    combine: int = 1,
    top: int = 30,
    alpha: float = 0.05,
    confidence: float = 0.95,
    n_resamples: int = 9_999,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Agreement in each year, task and human measure, and which metrics are as good as the best (Table 4).

    Parameters
    ----------
    data, targets, metrics, combine, top, alpha, progress
        As for :func:`label_agreement`.
    confidence, n_resamples, seed
        Of the interval of the best metric, from pairs that are drawn again.

    Returns
    -------
    DataFrame
        ``year, task, target, metric, n_metrics``, the counts, and each of `MEASURES` followed by ``MEASURE_bold``:
        whether it is within the interval of the best metric's, which the paper prints in bold.

    Raises
    ------
    UsageError
        As :func:`label_agreement`.
    """
    rows = []
    for place, found, _ in _parts(data, targets, metrics, combine, top, alpha, progress):
        rng = seeded_rng(seed, *place)
        bold = {name: _within_best(found.values(), name, confidence, n_resamples, rng) for name in MEASURES}
        for at, (names, one) in enumerate(found.items()):
            ids = dict(zip(("year", "task", "target"), place, strict=True))
            counts = {name: getattr(one, name) for name in COUNTS}
            measures = {
                key: value
                for name in MEASURES
                for key, value in ((name, getattr(one, name)), (f"{name}_bold", bool(bold[name][at])))
            }
            rows.append({**ids, "metric": "+".join(names), "n_metrics": len(names), **counts, **measures})
    return pd.DataFrame(rows)


def _parts(
    data: StudyData,
    targets: Sequence[str] | None,
    metrics: Sequence[str] | None,
    combine: int,
    top: int,
    alpha: float,
    progress: bool,
) -> Iterator[Part]:
    """Give each year, task and measure with its agreements by metric or combination, and the order agreements."""
    from tqdm import tqdm

    score = partial(rouge_recall, metrics=ROUGE_METRICS)
    tables = data.tables("no_models", score=score, twins=True)
    options = LabelOptions(top=top, alpha=alpha)
    for target, grid in tqdm(_grids(tables, targets, metrics), disable=not progress, unit="table"):
        human, labels = options.labels(grid)
        largest = min(combine, len(labels))
        found = dict(combined_agreements(labels, human, largest=largest))
        orders: dict[tuple[str, ...], float] = {
            (name,): order_agreement(X, grid.truth, top=top) for name, X in grid.metrics.items()
        }
        yield (grid.year, grid.task, target), found, orders


def _grids(
    tables: Judged, targets: Sequence[str] | None, metrics: Sequence[str] | None
) -> list[tuple[str, Grid]]:
    every = sorted(set(tables.judgments["metric"]), key=natural)
    wanted = only_metrics(tables.scores, metrics)
    return [
        (target, grid)
        for target in (every if targets is None else targets)
        for grid in judged_grids(wanted, tables.judgments, target)
    ]


def _within_best(
    found: Iterable[Agreement], measure: str, confidence: float, n_resamples: int, rng: np.random.Generator
) -> np.ndarray:
    """Say which values lie in the percentile interval of the largest one, over pairs drawn with replacement.

    None does if there is no pair, as with a single system.
    """
    every = list(found)
    values = np.array([getattr(one, measure) for one in every])
    if np.isnan(values).all() or not any(one.n for one in every):
        return np.zeros(len(values), dtype=bool)
    best = every[int(np.nanargmax(values))]
    shares = np.array([best.tp, best.fn, best.fp, best.tn]) / best.n
    resampled = measures_of_counts(rng.multinomial(best.n, shares, size=n_resamples))[measure]
    defined = resampled[~np.isnan(resampled)]
    low = np.quantile(defined, (1 - confidence) / 2) if len(defined) else np.nan
    return np.asarray(values >= min(low, np.nanmax(values)))


def measures_of_counts(counts: np.ndarray) -> dict[str, FloatArray]:
    """`MEASURES` of many tables at once.

    Parameters
    ----------
    counts : ndarray of int, shape (n_tables, 4)
        True positives, false negatives, false positives and true negatives.

    Examples
    --------
    >>> found = measures_of_counts(np.array([[3, 2, 172, 258]]))
    >>> [round(float(found[name][0]), 2) for name in ("recall", "precision", "accuracy")]
    [0.6, 0.02, 0.6]
    """
    tp, fn, fp, tn = counts.T.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall, kept = tp / (tp + fn), tn / (tn + fp)
        precision, negative = (np.nan_to_num(hits / made) for hits, made in ((tp, tp + fp), (tn, tn + fn)))
    return {
        "accuracy": (tp + tn) / counts.sum(axis=1),
        "precision": precision,
        "recall": recall,
        "ba": (recall + kept) / 2,
        "ba_pv": (precision + negative) / 2,
    }


def best_pairs(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
    top: int = TOP,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Count the pairs of the best systems that differ significantly by human scores.

    Parameters
    ----------
    data : StudyData
        The corpora and peers; by default systems, by jackknifed measures where there are some.
    metrics : sequence of str, optional
        Only these human measures.
    top : int
        How many of the best systems by each measure.
    alpha : float
        A pair is significant if p (signed ranks, ``rankel2013``) is at most this.

    Returns
    -------
    DataFrame
        ``year, task, metric, top, n_pairs, n_significant, share``, with ``printed`` where the data are the paper's.
    """
    tables = data.tables("no_models", score=None, twins=True)
    every = only(tables.judgments, "metric", metrics).dropna(subset="score")
    rows = []
    for place, group in places(every).items():
        for name in sorted(set(group["metric"]), key=natural):
            X = matrix(group, name)[0]
            found = significant_labels(X[best_rows(X, top)], alpha=alpha).significant
            counts = {"n_pairs": len(found), "n_significant": int(found.sum()), "share": float(found.mean())}
            rows.append({"year": place[0], "task": place[1], "metric": name, "top": top, **counts})
    as_there = alpha == ALPHA and top == TOP and data.peers in (None, "no_models")
    return with_printed(
        pd.DataFrame(rows),
        tables.judgments,
        TABLE_1,
        ["metric"],
        {"n_significant": "printed"},
        as_there=as_there,
    )
