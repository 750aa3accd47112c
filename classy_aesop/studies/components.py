"""Human measures combined by their principal components, and how metrics correlate with these.

Rankel (2016), chapter 6, remarks that the scores could be combined in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import FloatArray, places
from classy_aesop.data import matrix, natural
from classy_aesop.errors import InputError
from classy_aesop.significance.base import ROUNDING, is_constant
from classy_aesop.significance.correlation import correlation, summarizer_means
from classy_aesop.studies.judged import StudyData, only_metrics


def principal_components(data: StudyData, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Combine the human measures by principal components, and correlate measures and metrics with each of them.

    The components are those of the summarizers' mean scores, each measure less its mean and divided by its standard
    deviation. The sign of a component is the one that gives its weights a positive sum, or if that is 0, a positive
    first weight. There are as many components as explain something.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers; by default systems.
    metrics : sequence of str, optional
        Only these metrics.

    Returns
    -------
    DataFrame
        For each year, task and component a row for each human measure and each metric: ``year, task, component`` (1 for
        the one that explains most), ``explained`` (its share of the variance), ``metric, human`` (whether it is a
        human measure), ``weight`` (of a measure; NaN for metrics), ``correlation`` (Pearson's, of the summarizers'
        means with the component) and ``n`` (summarizers with a score by every measure, and by the metric).

    Raises
    ------
    UsageError
        If a metric, year or task does not exist.
    InputError
        If a year and task has fewer than two human measures that vary, or fewer than three summarizers with all.
    """
    tables = data.tables("no_models")
    scores = places(only_metrics(tables.scores, metrics))
    parts = [
        pd.DataFrame(_components(judged, scores.get(place))).assign(year=place[0], task=place[1])
        for place, judged in places(tables.judgments.dropna(subset="score")).items()
    ]
    table = pd.concat(parts, ignore_index=True)
    ids = ["year", "task"]
    return table[[*ids, *table.columns.drop(ids)]]


def _components(judged: pd.DataFrame, scores: pd.DataFrame | None) -> Iterator[dict[str, object]]:
    """Give the rows of one year and task."""
    means = _means(judged).dropna()
    weights, explained, components = _principal(means)
    metrics = _means(scores).reindex(means.index) if scores is not None else pd.DataFrame(index=means.index)
    for at, share in enumerate(explained):
        for table, own in ((means, weights[at]), (metrics, np.full(metrics.shape[1], np.nan))):
            for name, weight in zip(table.columns, own, strict=True):
                found = correlation(table[[name]].to_numpy(), components[:, [at]], coefficient="pearson")
                yield {
                    "component": at + 1,
                    "explained": share,
                    "metric": name,
                    "human": table is means,
                    "weight": weight,
                    "correlation": found.value,
                    "n": found.n,
                }


def _means(rows: pd.DataFrame) -> pd.DataFrame:
    """Give the mean score of each summarizer, a column a metric in natural order; NaN where there is none."""
    means = {}
    for name in sorted(set(rows["metric"]), key=natural):
        X, summarizers, _ = matrix(rows, name)
        means[name] = pd.Series(summarizer_means(X, ~np.isnan(X)), index=summarizers)
    return pd.DataFrame(means)


def _principal(means: pd.DataFrame) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the weights of the components (a row each), the shares that they explain, and their values."""
    X = means.to_numpy(dtype=float)
    if len(X) < 3 or X.shape[1] < 2 or is_constant(X.T).any():
        raise InputError(
            f"{X.shape[1]} human measures of {len(X)} summarizers; expected two measures or more that vary, "
            "of three summarizers or more"
        )
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    _, sizes, weights = np.linalg.svd(Z, full_matrices=False)
    is_there = sizes > ROUNDING * sizes[0]
    weights = weights[is_there] * _signs(weights[is_there])[:, None]
    return weights, (sizes**2 / np.sum(sizes**2))[is_there], Z @ weights.T


def _signs(weights: FloatArray) -> FloatArray:
    """Give the sign of the sum of each row, or if that is 0 but for rounding, of its first weight that is not."""
    both = np.column_stack([weights.sum(axis=1), weights])
    first = (np.abs(both) > ROUNDING).argmax(axis=1)
    return np.asarray(np.sign(both[np.arange(len(both)), first]))
