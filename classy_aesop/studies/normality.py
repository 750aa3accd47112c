"""Are scores normal? Those of each topic, the summarizers' means, and the residuals of an additive model.

Deutsch et al. (2021), Table 2; Rankel (2016), chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import FloatArray, only, places
from classy_aesop.data import matrix, natural
from classy_aesop.significance.base import ALPHA
from classy_aesop.significance.descriptive import normality, shapiro_wilk
from classy_aesop.studies.judged import StudyData, only_metrics
from classy_aesop.studies.printed import with_printed

TABLE = "Deutsch et al. (2021), Table 2"


def score_normality(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Shapiro-Wilk tests of the human scores and of each metric.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these metrics.
    alpha : float
        As for :func:`classy_aesop.significance.descriptive.normality`.

    Returns
    -------
    DataFrame
        ``year, task, metric, percent_rejected`` (of the topics, those whose scores are not normal), ``p_means`` (of the
        summarizers' means), ``n_tested, n_skipped`` (topics), ``alpha``; the human measure first. With
        ``printed_percent, printed_p`` where the data are the paper's.
    """
    tables = data.tables("no_models")
    truth = only(tables.judgments, "metric", [target], what="target")
    rows = [
        {"year": place[0], "task": place[1], "metric": name, **_tested(group, name, alpha)}
        for side in (truth, only_metrics(tables.scores, metrics))
        for place, group in places(side.dropna(subset="score")).items()
        for name in sorted(set(group["metric"]), key=natural)
    ]
    printed = {"percent_rejected": "printed_percent", "p_means": "printed_p"}
    return with_printed(
        pd.DataFrame(rows), tables.judgments, TABLE, ["metric"], printed, as_there=alpha == ALPHA
    )


def _tested(rows: pd.DataFrame, metric: str, alpha: float) -> dict[str, float]:
    found = normality(matrix(rows, metric)[0], alpha=alpha).to_dict()
    return {"percent_rejected": 100 * found.pop("share_rejected"), **found}


def residual_normality(
    data: StudyData,
    metric: str,
) -> pd.DataFrame:
    """Shapiro-Wilk test of each summarizer's residuals: its scores less the effects of summarizer and topic.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    metric : str
        The human measure.

    Returns
    -------
    DataFrame
        ``year, task, metric, summarizer, human, mean, std`` (of the residuals), ``statistic, p, n``; NaN for fewer than
        three scores, or equal ones.
    """
    tables = data.tables("all_peers", score=None)
    scores = only(tables.judgments, "metric", [metric]).dropna(subset="score")
    rows = [
        {"year": place[0], "task": place[1], "metric": metric, **row}
        for place, part in places(scores).items()
        for row in _of_summarizers(part, metric)
    ]
    table = pd.DataFrame(rows)
    human = [tables.humans[key] for key in zip(table["year"], table["summarizer"], strict=True)]
    table.insert(4, "human", human)
    return table


def _of_summarizers(rows: pd.DataFrame, metric: str) -> Iterator[dict[str, object]]:
    X, summarizers, _ = matrix(rows, metric)
    for name, scores, rest in zip(summarizers, X, additive_residuals(X), strict=True):
        left = rest[~np.isnan(rest)]
        statistic, p = shapiro_wilk(left)
        std = float(left.std(ddof=1)) if len(left) > 1 else float("nan")
        yield {
            "summarizer": name,
            "mean": float(np.nanmean(scores)),
            "std": std,
            "statistic": statistic,
            "p": p,
            "n": len(left),
        }


def additive_residuals(X: FloatArray) -> FloatArray:
    """Residuals of a matrix less the effects of its rows and columns, by least squares; NaN stay.

    Examples
    --------
    >>> additive_residuals(np.array([[1.0, 2.0], [3.0, 6.0]])).round(12).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    row, column = np.nonzero(~np.isnan(X))
    y = X[row, column]
    design = np.zeros((len(y), sum(X.shape)))
    design[np.arange(len(y)), row] = 1.0
    design[np.arange(len(y)), len(X) + column] = 1.0
    rest = np.full(X.shape, np.nan)
    rest[row, column] = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return rest
