"""N-gram recall against human scores: correlations, and significant differences that it predicts.

Lin and Hovy (2003), Tables 1 to 3, Figures 2 to 4.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from classy_aesop.analysis.pairing import Grid, judged_grids
from classy_aesop.baselines.ngram import ngram
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.hits import ALPHAS, determination, hits, regression_t
from classy_aesop.studies.judged import StudyData, only_metrics

LENGTHS = ((1, 4), (1, 1), (2, 2), (3, 3), (4, 4))
"""The shortest and longest n-grams of the paper's metrics."""


def ngram_correlations(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Correlation of Ngram(i,j), with and without stop words, with the means of a human measure.

    Parameters
    ----------
    data : StudyData
        The corpora and peers, and other metrics instead of Ngram(i,j) if there are some.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these.

    Returns
    -------
    DataFrame
        ``year, task, target, metric, spearman, regression_t`` (LR_t), ``df``, ``pearson``, ``determination`` (CD) and
        ``n``, the peers.
    """
    rows = []
    for grid in _grids(data, target, metrics):
        for name, X in grid.metrics.items():
            rho = correlation(X, grid.truth, coefficient="spearman").value
            found = correlation(X, grid.truth, coefficient="pearson")
            r, n = found.value, found.n
            values: dict[str, object] = {
                "spearman": rho,
                "regression_t": regression_t(r, n),
                "df": n - 2,
                "pearson": r,
            }
            ids = {"year": grid.year, "task": grid.task, "target": target, "metric": name}
            rows.append({**ids, **values, "determination": determination(r), "n": n})
    return pd.DataFrame(rows)


def ngram_hits(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    alphas: Sequence[float] = ALPHAS,
) -> pd.DataFrame:
    """Recall and precision of the significant differences that Ngram(i,j) predicts, at several levels.

    Parameters
    ----------
    data, target, metrics
        As for :func:`ngram_correlations`.
    alphas : sequence of float
        Levels of significance; the paper prints .25 for .025.

    Returns
    -------
    DataFrame
        ``year, task, target, metric`` and the attributes of `Hits`.
    """
    return pd.DataFrame(
        {"year": grid.year, "task": grid.task, "target": target, "metric": name, **found.to_dict()}
        for grid in _grids(data, target, metrics)
        for name, X in grid.metrics.items()
        for found in hits(X, grid.truth, alphas=alphas)
    )


def _grids(
    data: StudyData,
    target: str,
    metrics: Sequence[str] | None,
) -> list[Grid]:
    tables = data.tables("no_models", score=_ngrams)
    return judged_grids(only_metrics(tables.scores, metrics), tables.judgments, target)


def _ngrams(corpus: Corpus, *, jackknife: bool) -> pd.DataFrame:
    parts = [
        ngram(corpus, jackknife=jackknife, lengths=lengths, stop_words=stop_words)
        for stop_words in (True, False)
        for lengths in LENGTHS
    ]
    return pd.concat(parts, ignore_index=True)
