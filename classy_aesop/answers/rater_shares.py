"""Which rater gave how much of each system's ratings: where that differs, means depend on who is lenient."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from classy_aesop.answers.score_matrices import select_rows
from classy_aesop.errors import warn

MAX_SHARE_DIFFERENCE = 0.1
"""How far the shares of systems' ratings by one rater may lie apart without a warning where raters are averaged."""

SHARE_TOLERANCE = 1e-9
"""Shares that differ by no more than this are equal within rounding."""


def count_rater_shares(systems: ArrayLike, raters: ArrayLike) -> pd.DataFrame:
    """Give the share of each system's ratings by each rater, from the names of each rating."""
    return pd.crosstab(np.asarray(systems, dtype=object), np.asarray(raters, dtype=object), normalize="index")


def describe_rater_shares(shares: pd.DataFrame) -> str:
    """Name the rater whose shares differ most between systems; nothing where no rater's differ by much."""
    differences = shares.max() - shares.min()
    rater = str(differences.idxmax())
    if differences[rater] <= MAX_SHARE_DIFFERENCE + SHARE_TOLERANCE:
        return ""
    of_rater = shares[rater]
    name = f"rater {rater}" if rater else "raters without a name"
    return (
        f"{name} gave {of_rater.max():.0%} of the ratings of {of_rater.idxmax()} and {of_rater.min():.0%} of those "
        f"of {of_rater.idxmin()}, so that a lenient rater looks like a better system"
    )


def warn_of_rater_shares(ratings: pd.DataFrame, metrics: str | Sequence[str] | None = None) -> None:
    """Warn where named raters gave different shares of the ratings of some systems than of others, by one measure.

    Ratings are averaged over raters, so that the means of systems then depend on how lenient their raters are. Numbered
    raters (``rating_1``, ``rating_2``) are positions in a row, not persons.
    """
    if "assessor" not in ratings:
        return
    rows = select_rows(ratings, "metric", metrics).dropna(subset="score")
    messages: dict[float, str] = {}
    for (_, _, metric), of_measure in rows.groupby(["year", "task", "metric"], sort=False):
        shares = count_rater_shares(of_measure["summarizer"], of_measure["assessor"].astype(str))
        are_numbered = {*shares} == {str(number + 1) for number in range(shares.shape[1])}
        if not are_numbered and (message := describe_rater_shares(shares)):
            messages.setdefault((shares.max() - shares.min()).max(), f"{metric}: {message}")
    if messages:
        warn(messages[max(messages)])
