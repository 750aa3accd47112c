"""Imported scores beside the summaries they are of: joined by ids, and what does not join is said."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.scores.table import KEYS, mean_ratings, named

if TYPE_CHECKING:
    import pandas as pd


def beside(
    instances: pd.DataFrame, scores: pd.DataFrame, *, known: pd.DataFrame | None = None, what: str = "scores"
) -> pd.DataFrame:
    """Put scores beside instances: a row an instance, a column a metric.

    Parameters
    ----------
    instances : DataFrame
        The columns `KEYS`, each key once, and others, which are not looked at.
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    known : DataFrame, optional
        All instances that there are, where ``instances`` are a part: scores of the others are left out silently.
    what : str
        What the scores are called in messages.

    Returns
    -------
    DataFrame
        The index of ``instances``; metrics in the order of the table; NaN where an instance has no score.

    Raises
    ------
    InputError
        If no score is of an instance that there is, a metric has none of ``instances``, or a score is there twice.

    Warns
    -----
    DataWarning
        One, that names the scores of unknown instances, and the metrics that some instances lack.
    """
    import pandas as pd

    scores = mean_ratings(scores)
    rows = pd.MultiIndex.from_frame(instances[KEYS])
    every = rows if known is None else pd.MultiIndex.from_frame(known[KEYS])
    keys = pd.MultiIndex.from_frame(scores[KEYS])
    again = scores[scores.duplicated([*KEYS, "metric"])]
    if len(again):
        raise InputError(f"{what}: {named(again[KEYS].iloc[0])}: {again['metric'].iloc[0]} is there twice")
    unknown = keys[~keys.isin(every)].unique()
    if len(unknown) == len(keys.unique()):
        raise InputError(
            f"{what}: no summary of the corpus has a score: scores have {_some(unknown)}; "
            f"the corpus has {_some(every)} (year, topic, task, summarizer)"
        )
    columns = {
        str(metric): own.set_index(KEYS)["score"].reindex(rows).to_numpy()
        for metric, own in scores.groupby("metric", sort=False)
    }
    wide = pd.DataFrame(columns, index=instances.index)
    empty = [metric for metric in wide if wide[metric].isna().all()]
    if empty:
        raise InputError(f"{what}: {listed(empty)} has no score of any of the summaries")
    _say_unmatched(wide, rows, unknown, what)
    return wide


def _say_unmatched(wide: pd.DataFrame, rows: pd.MultiIndex, unknown: pd.MultiIndex, what: str) -> None:
    said = []
    if len(unknown):
        said.append(f"scored but not in the corpus, and left out: {len(unknown)} ({_some(unknown)})")
    lacking = {metric: rows[wide[metric].isna()] for metric in wide if wide[metric].isna().any()}
    if lacking:
        said.append(
            "missing: "
            + ", ".join(f"{metric} of {len(keys)} ({_some(keys)})" for metric, keys in lacking.items())
        )
    if said:
        warnings.warn(f"{what}: {'; '.join(said)}", DataWarning, stacklevel=3)


def _some(keys: pd.MultiIndex) -> str:
    return listed(["/".join(key) for key in keys], most=3)
