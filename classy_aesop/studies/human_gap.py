"""Metric against human score, with a line through the systems and one through the humans.

Rankel (2016), Figure 5.1 and chapter 5: how far humans lie above the line of the systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import FloatArray, Grid, judged_grids
from classy_aesop.significance.base import is_constant
from classy_aesop.significance.correlation import summarizer_means
from classy_aesop.studies.judged import StudyData, only_metrics


def human_gap(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Means of each summarizer by metric and humans, and the lines of systems and of humans: points of a picture.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these.

    Returns
    -------
    DataFrame
        A row for each summarizer: ``year, task, target, metric, summarizer, human, score, human_score`` (means over
        topics with both), ``slope, intercept`` (least squares through those of its kind; NaN for fewer than two
        different scores), and ``residual``, its human score less the line of the systems.
    """
    tables = data.tables("all_peers")
    grids = judged_grids(only_metrics(tables.scores, metrics), tables.judgments, target)
    return pd.DataFrame(
        {"year": grid.year, "task": grid.task, "target": target, "metric": name, **row}
        for grid in grids
        for name, X in grid.metrics.items()
        for row in _points(grid, X, [tables.humans[grid.year, one] for one in grid.summarizers])
    )


def _points(grid: Grid, X: FloatArray, human: list[bool]) -> Iterator[dict[str, object]]:
    both = ~np.isnan(X) & ~np.isnan(grid.truth)
    x, y = summarizer_means(X, both), summarizer_means(grid.truth, both)
    kind = np.array(human)
    lines = {is_human: line(x[kind == is_human], y[kind == is_human]) for is_human in (False, True)}
    slope, intercept = lines[False]
    for at, name in enumerate(grid.summarizers):
        of_kind = dict(zip(("slope", "intercept"), lines[human[at]], strict=True))
        means = {"human": human[at], "score": float(x[at]), "human_score": float(y[at])}
        yield {"summarizer": name, **means, **of_kind, "residual": float(y[at] - intercept - slope * x[at])}


def line(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Slope and intercept of the least-squares line; NaN for fewer than two different x.

    Examples
    --------
    >>> line(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    (2.0, 1.0)
    """
    defined = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[defined], y[defined]
    if len(x) < 2 or is_constant(x):
        return float("nan"), float("nan")
    away = x - x.mean()
    slope = float(away @ y / (away @ away))
    return slope, float(y.mean() - slope * x.mean())
