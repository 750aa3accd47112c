"""The ratings of pairs of raters, and of each rater beside the others, as units of agreement."""

from __future__ import annotations

import logging
from itertools import combinations

import numpy as np
import pandas as pd

from classy_aesop.data import natural
from classy_aesop.errors import NOTE

MOST_PAIRED = 12
"""Most raters of whom each pair has a row."""

THE_OTHERS = "the others"
"""Who a rater is held against, beside each other one."""

Row = tuple[str, ...]
"""Year, task, measure, and two assessors or fewer, as `assessors.ROW` names them."""

Units = list[list[float]]
"""The ratings of each unit."""

_LOG = logging.getLogger(__name__)


def parts_of_raters(rows: pd.DataFrame, *, means: bool = True) -> dict[Row, Units]:
    """Collect the ratings of each rater beside the others' mean, and of each pair, where there are three or more.

    Parameters
    ----------
    rows : DataFrame
        Ratings, with ``assessor``; none is missing.
    means : bool
        Whether ratings have a mean.

    Returns
    -------
    dict
        From year, task, measure, rater and other rater (or `THE_OTHERS`) to units of one or two ratings, summary by
        summary.
    """
    parts: dict[Row, Units] = {}
    for (year, task, metric), own in rows.groupby(["year", "task", "metric"], sort=True):
        table = own.pivot(index=["topic", "summarizer"], columns="assessor", values="score").sort_index()
        names = sorted(map(str, table.columns), key=natural)
        if len(names) < 3:
            continue
        place = (str(year), str(task), str(metric))
        if means:
            parts |= {(*place, name, THE_OTHERS): _beside_others(table, name) for name in names}
        if len(names) <= MOST_PAIRED:
            parts |= {
                (*place, *pair): _units(table[list(pair)].to_numpy()) for pair in combinations(names, 2)
            }
        else:
            _LOG.log(
                NOTE, "%s: pairs of %d raters are not listed; more than %d", metric, len(names), MOST_PAIRED
            )
    return parts


def _beside_others(table: pd.DataFrame, name: str) -> Units:
    return _units(np.column_stack([table[name], table.drop(columns=name).mean(axis=1)]))


def _units(ratings: np.ndarray) -> Units:
    return [row[np.isfinite(row)].tolist() for row in ratings if np.isfinite(row).any()]
