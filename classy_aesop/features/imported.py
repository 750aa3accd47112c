"""Metrics that others computed as columns of a feature table, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES
from classy_aesop.scores import align_scores

if TYPE_CHECKING:
    import pandas as pd


def with_imported(
    table: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    names: Iterable[str] | None = None,
    known: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Put imported metrics behind the features of a table, row by row by their ids.

    Parameters
    ----------
    table : DataFrame
        A feature table.
    scores : DataFrame
        A score table of imported metrics.
    names : iterable of str, optional
        The metrics wanted; by default all, in the order of ``scores``.
    known : DataFrame, optional
        As for `scores.align_scores`.

    Returns
    -------
    DataFrame
        The table with a column a metric behind its own, NaN where a summary has no score.

    Raises
    ------
    InputError
        For a metric that is not there, or is named like a column of the table or a feature; or as `scores.align_scores`.
    """
    chosen = list(dict.fromkeys(scores["metric"] if names is None else names))
    absent = sorted(set(chosen) - set(scores["metric"]))
    if absent:
        there = listed(dict.fromkeys(scores["metric"]), most=40)
        raise InputError(f"no imported metric {listed(absent)}; the scores have {there}")
    taken = [name for name in chosen if name in table or name.split("@")[0] in FEATURES]
    if taken:
        raise InputError(
            f"imported metric {listed(taken)} is named like a column of ours; expected another name"
        )
    wide = align_scores(table, scores[scores["metric"].isin(chosen)], known=known, what="imported scores")[chosen]
    return table.join(wide)
