"""Correlate metric scores with human judgments: every metric with every measure, at four levels, task by task."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pandas as pd

from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.scores import KEYS, matrix, mean_ratings
from classy_aesop.significance.correlation import LEVELS, correlation

COEFFICIENTS = ("pearson", "spearman", "kendall")
"""What is reported; ties count as in Kendall's tau-b."""

COLUMNS = ["level", "coefficient", "value", "n_summarizers", "n_topics", "n_skipped"]
"""What `correlations` gives for each level and coefficient."""


def evaluate(scores: pd.DataFrame, judgments: pd.DataFrame) -> pd.DataFrame:
    """Correlate every metric with every human measure.

    Parameters
    ----------
    scores, judgments : DataFrame
        Score tables. Rows are joined by their ids, never by order; ratings by several assessors are averaged. Years
        and tasks are never pooled. Rows that only one table has are left out with a `DataWarning` that lists them;
        a row whose number is missing is left out of that metric or measure only, as the counts say.

    Returns
    -------
    DataFrame
        ``year, task, metric, target, level, coefficient, value, n_summarizers, n_topics, n_skipped`` (topics without
        a value at input level).

    Raises
    ------
    InputError
        No instance is in both tables, or a row is there twice.
    """
    scores, judgments = mean_ratings(scores), mean_ratings(judgments)
    _check_pairing(scores, judgments)
    rows = [
        (year, task, metric, target, *found)
        for (year, task, metric), own in scores.groupby(["year", "task", "metric"], sort=False)
        for target, truth in judgments.groupby("metric", sort=False)
        for found in correlations(own, truth)
    ]
    return pd.DataFrame(rows, columns=["year", "task", "metric", "target", *COLUMNS])


def correlations(scores: pd.DataFrame, truth: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """Correlate one metric with one measure over the instances that both score; gives `COLUMNS`, or nothing."""
    both = scores[[*KEYS, "score"]].merge(truth[[*KEYS, "score"]], on=KEYS, suffixes=("_metric", "_human"))
    both = both.dropna().assign(metric="")
    if both.empty:
        return
    X, _, _ = matrix(both.rename(columns={"score_metric": "score"}), "")
    Z, _, _ = matrix(both.rename(columns={"score_human": "score"}), "")
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            found = correlation(X, Z, level=level, coefficient=coefficient)
            yield level, coefficient, found.value, found.n_summarizers, found.n_topics, found.n_skipped


def _check_pairing(scores: pd.DataFrame, judgments: pd.DataFrame) -> None:
    ours, theirs = (set(table[KEYS].itertuples(index=False, name=None)) for table in (scores, judgments))
    if not ours & theirs:
        raise InputError(
            f"no instance is in both tables: scores have {_ids(ours)}; judgments have {_ids(theirs)} "
            "(year, topic, task, summarizer)"
        )
    for kind, rest in (
        ("scores without a judgment", ours - theirs),
        ("judgments without a score", theirs - ours),
    ):
        if rest:
            warnings.warn(f"{len(rest)} {kind} are left out: {_ids(rest)}", DataWarning, stacklevel=3)


def _ids(keys: set[tuple[str, ...]]) -> str:
    return listed(["/".join(key) for key in sorted(keys)], most=3)
