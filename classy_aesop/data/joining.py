"""Imported scores, joined by their ids with the summaries they belong to."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from classy_aesop.data.scores import KEYS, mean_ratings, named
from classy_aesop.data.tidying import tidied
from classy_aesop.errors import DataWarning, InputError, listed

if TYPE_CHECKING:
    import pandas as pd


def all_metrics(of_corpus: pd.DataFrame | None, given: pd.DataFrame | None) -> pd.DataFrame | None:
    """Join scores of metrics that came with a corpus and given ones, in this order; None if there are none."""
    import pandas as pd

    parts = [mean_ratings(tidied(table)) for table in (of_corpus, given) if table is not None and len(table)]
    return pd.concat(parts, ignore_index=True) if parts else given


def align_scores(
    instances: pd.DataFrame, scores: pd.DataFrame, *, known: pd.DataFrame | None = None, what: str = "scores"
) -> pd.DataFrame:
    """Arrange scores as one row per instance and one column per metric.

    Parameters
    ----------
    instances : DataFrame
        The columns `KEYS`, each key once; other columns are ignored.
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    known : DataFrame, optional
        All instances of the corpus, if ``instances`` are a part of them: scores of the rest are dropped without a
        warning.
    what : str
        The word for the scores in messages.

    Returns
    -------
    DataFrame
        The index of ``instances``; metrics in the order of the table; NaN where an instance has no score.

    Raises
    ------
    InputError
        If no score belongs to a known instance, a metric has no score for any of ``instances``, or a score appears
        twice.

    Warns
    -----
    DataWarning
        Once, for scores of unknown instances and for metrics that some instances lack.
    """
    import pandas as pd

    scores = mean_ratings(tidied(scores))
    rows = pd.MultiIndex.from_frame(instances[KEYS])
    every = rows if known is None else pd.MultiIndex.from_frame(known[KEYS])
    keys = pd.MultiIndex.from_frame(scores[KEYS])
    again = scores[scores.duplicated([*KEYS, "metric"])]
    if len(again):
        raise InputError(f"{what}: {named(again[KEYS].iloc[0])}: {again['metric'].iloc[0]} appears twice")
    unknown = keys[~keys.isin(every)].unique()
    if len(unknown) == len(keys.unique()):
        raise InputError(
            f"{what}: no summary of the corpus has a score: scores have {_some(unknown)}; "
            f"the corpus has {_some(every)} (year, topic, task, summarizer)"
        )
    columns = {
        str(metric): group.set_index(KEYS)["score"].reindex(rows).to_numpy()
        for metric, group in scores.groupby("metric", sort=False)
    }
    wide = pd.DataFrame(columns, index=instances.index)
    empty = [metric for metric in wide if wide[metric].isna().all()]
    if empty:
        raise InputError(f"{what}: {listed(empty)} has no score for any of the summaries")
    _warn_of_unmatched(wide, rows, unknown, what)
    return wide


def _warn_of_unmatched(wide: pd.DataFrame, rows: pd.MultiIndex, unknown: pd.MultiIndex, what: str) -> None:
    notes = []
    if len(unknown):
        notes.append(f"scored but not in the corpus, and left out: {len(unknown)} ({_some(unknown)})")
    lacking = {metric: rows[wide[metric].isna()] for metric in wide if wide[metric].isna().any()}
    if lacking:
        notes.append(
            "missing: "
            + ", ".join(f"{metric} of {len(keys)} ({_some(keys)})" for metric, keys in lacking.items())
        )
    if notes:
        warnings.warn(f"{what}: {'; '.join(notes)}", DataWarning, stacklevel=3)


def _some(keys: pd.MultiIndex) -> str:
    return listed(["/".join(key) for key in keys], most=3)
