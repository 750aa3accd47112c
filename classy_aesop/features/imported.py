"""Imported metrics as further columns of a feature table, each under its own name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from classy_aesop.data import align_scores
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES

if TYPE_CHECKING:
    import pandas as pd


def with_imported(
    table: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    names: Iterable[str] | None = None,
    known: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Append imported metrics to a feature table, joined by their ids.

    Parameters
    ----------
    table : DataFrame
        A feature table.
    scores : DataFrame
        A score table of imported metrics.
    names : iterable of str, optional
        Which metrics to append; by default all, in the order of ``scores``.
    known : DataFrame, optional
        As for `scores.align_scores`.

    Returns
    -------
    DataFrame
        The table with one more column per metric, NaN where a summary has no score.

    Raises
    ------
    InputError
        If a metric does not exist, or has the name of a column of the table or of a feature; and as
        `scores.align_scores`.
    """
    selected = list(dict.fromkeys(scores["metric"] if names is None else names))
    absent = sorted(set(selected) - set(scores["metric"]))
    if absent:
        there = listed(dict.fromkeys(scores["metric"]), most=40)
        raise InputError(f"no imported metric {listed(absent)}; the scores have {there}")
    taken = [name for name in selected if name in table or name.split("@")[0] in FEATURES]
    if taken:
        raise InputError(
            f"imported metric {listed(taken)} has the name of a column or a feature; expected another name"
        )
    wanted = scores[scores["metric"].isin(selected)]
    joined = table.join(align_scores(table, wanted, known=known, what="imported scores")[selected])
    joined.attrs |= table.attrs
    return joined
